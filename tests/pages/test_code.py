"""What stands around code on a page: label, button, fold."""

from __future__ import annotations

import pytest

from tests.pages.making import Page, answer, attribute, page, question, words


def coded(text: str, **options: object) -> Page:
    """The page of one answer."""
    return page(question(1), answer(2, text), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lang", "copy", "copied"), [pytest.param("en", "Copy", "Copied"), pytest.param("zh-CN", "复制", "已复制")]
)
def test_every_block_has_a_button_that_copies(lang: str, copy: str, copied: str) -> None:
    """Beside each block stands a button with its word, and the word for afterwards."""
    found = coded("```py\nx\n```\n\n    y\n", lang=lang).all(".code-block button.code-copy[type=button][data-copy]")
    assert [(words(tag), attribute(tag, "data-done")) for tag in found] == [(copy, copied)] * 2


@pytest.mark.parametrize(
    ("info", "label"),
    [
        ("python", "python"),
        ("Brainfog", "Brainfog"),
        ("{.python}", "python"),
        ('py title="a.py"', 'py title="a.py"'),
        ("mermaid", "Mermaid diagram (source)"),
        ("dot", "Graphviz diagram (source)"),
        ("mermaid x", "Mermaid diagram (source) · mermaid x"),
        ("<b>", "<b>"),
    ],
)
def test_a_block_says_its_language(info: str, label: str) -> None:
    """The label of a fence is shown whole, known or not; a diagram that is not drawn is called its source."""
    assert words(coded(f"```{info}\nx\n```").one(".code-block .code-lang")) == label


def test_code_without_label_has_none() -> None:
    """Where the text names no language, none is shown."""
    assert coded("```\nx\n```").all(".code-lang") == []


@pytest.mark.parametrize(
    ("lines", "info", "summary"),
    [
        (40, "python", None),
        (41, "python", "Code · python · 41 lines"),
        (120, "", "Code · 120 lines"),
        (50, "dot", "Code · Graphviz diagram (source) · 50 lines"),
    ],
)
def test_a_long_block_is_folded(lines: int, info: str, summary: str | None) -> None:
    """More than 40 lines are behind a line that says what and how many, and are all there."""
    code = "".join(f"x = {n}\n" for n in range(lines))
    made = coded(f"```{info}\n{code}```")
    assert [words(tag) for tag in made.all(".code-block > details.code-fold:not([open]) > summary")] == (
        [summary] if summary else []
    )
    assert made.one(".code-block pre > code").get_text() == code


def test_colours_can_be_left_out() -> None:
    """Without `highlight` code is plain, and the same in words."""
    text = "```python\ndef f(): pass\n```"
    with_colours, plain = coded(text), coded(text, highlight=False)
    assert with_colours.all("pre span.k") != []
    assert plain.all("pre span") == []
    assert plain.main_text == with_colours.main_text
