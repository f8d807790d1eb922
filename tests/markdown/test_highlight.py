"""Code is coloured by its label, and stays what it was to the letter."""

from __future__ import annotations

import html
import re
import time
from typing import Any

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from renderer.markdown import highlight
from renderer.markdown.fragment import read_markdown, write_fragment
from renderer.markdown.highlight import (
    CODE_CLASSES,
    LANGUAGES,
    MAX_BLANKS,
    MAX_CODE,
    MAX_ERRORS,
    MAX_LINE,
    MAX_WORDS,
    language_of,
    pieces,
)
from tests.markdown.showing import checked, show, token

_BITS = st.sampled_from(
    [
        "def f(x):",
        "class A {",
        "'",
        '"',
        '"""',
        "/*",
        "*/",
        "//",
        "# ",
        "<!--",
        "<a b='c'>",
        "&amp;",
        "${",
        "}",
        "{{",
        "%}",
        "\n",
        "\n\n",
        "\t",
        "  ",
        " \n",
        "\\",
        "0x1f",
        "1.5e3",
        "return",
        "select",
        "@@ -1 +1 @@\n",
        "+a\n",
        "-a\n",
        "$ ls\n",
        ">>> 1\n",
        "文",
        "é",
        "\xa0",
        "\ufeff",
        "<?php ",
        "?>",
        "%",
        "`",
        "|",
        "a: b",
        "[x]",
        "\u2028",
        "\x85",
    ]
)
CODE = st.lists(_BITS | st.text(max_size=3), max_size=25).map("".join)


def coloured(code: str, language: str) -> dict[str, list[str]]:
    """The pieces of some code by their class."""
    found: dict[str, list[str]] = {}
    for name, text in pieces(code, language):
        found.setdefault(name, []).append(text)
    return found


@given(CODE, st.sampled_from(sorted(LANGUAGES)))
def test_no_character_changes(code: str, language: str) -> None:
    """Whatever the language, the pieces together are the code to the letter, blanks and line ends at both ends too."""
    found = pieces(code, language)
    assert "".join(text for _, text in found) == code
    assert {name for name, _ in found} <= {*CODE_CLASSES, ""}


@given(CODE, st.sampled_from(sorted(LANGUAGES)))
def test_a_page_shows_what_was_written(code: str, language: str) -> None:
    """The text of a block on the page is what stands between the fences, with colours and without."""
    text = f"~~~~~~~~ {language}\n{code}\n~~~~~~~~"
    result = show(text)
    written = result.document.text.split("\n", 1)[1].rpartition("~~~~~~~~")[0]
    assert result.code == [written]
    plain = write_fragment(read_markdown(text, ""), checked(()), token, highlight=False)
    assert BeautifulSoup(plain, "html.parser").get_text() == BeautifulSoup(result.html, "html.parser").get_text()
    assert "<span" not in plain


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_listed_language_is_there(language: str) -> None:
    """Each name in the list is the first name of a lexer that can be loaded."""
    lexer: Any = highlight._lexer(language)
    assert lexer.aliases[0] == language


@pytest.mark.parametrize(
    ("label", "code", "expected"),
    [
        ("python", "def f():\n    return 1  # c\n", {"k": ["def", "return"], "f": ["f"], "n": ["1"], "c": ["# c"]}),
        ("py", "x = 's'\n", {"s": ["'s'"]}),
        ("c++", "int x = 2; // c\n", {"t": ["int"], "n": ["2"], "c": ["// c"]}),
        ("js", "const x = 'a';\n", {"k": ["const"], "s": ["'a'"]}),
        ("jsonc", '{"a": 1} // c\n', {"f": ['"a"'], "n": ["1"], "c": ["// c"]}),
        ("{.python}", "pass\n", {"k": ["pass"]}),
        ('python title="x"', "pass\n", {"k": ["pass"]}),
        ("ts{1,3}", "let x\n", {"k": ["let"]}),
        ("rust,no_run", "fn\n", {"k": ["fn"]}),
        ("PYTHON", "pass\n", {"k": ["pass"]}),
        ("php", "echo 'a';\n", {"k": ["echo"], "s": ["'a'"]}),
        ("diff", "-a\n+b\n c\n", {"d": ["-a"], "i": ["+b"]}),
    ],
)
def test_the_first_word_of_the_label_says_the_language(label: str, code: str, expected: dict[str, list[str]]) -> None:
    """Usual ways to name a language colour its words; all else of the label says nothing."""
    found = coloured(code, language_of(label))
    assert {name: [text.strip() for text in found.get(name, [])] for name in expected} == expected


@pytest.mark.parametrize("label", ["", "text", "unheard-of", "title=python", "```", "{}", "λ", "scala"])
def test_there_is_no_guess(label: str) -> None:
    """Without a language that is in the list, code is plain."""
    code = "def f():\n    return 1\n"
    assert pieces(code, language_of(label)) == [("", code)]


def test_markup_in_code_is_text() -> None:
    """Tags, entities and markers in coloured code are shown as written, and no class comes from the text."""
    code = '<span class="k">&amp;</span><script>alert(1)</script> [^1^]\n'
    result = show(f"```html\n{code}```")
    assert result.code == [code]
    assert "<script" not in result.html
    assert {tag.name for tag in result.tags} == {"pre", "code", "span"}
    assert html.escape("<span", quote=False) in re.sub(r"</?span[^<>]*>", "", result.html)


HOSTILE = {
    "blanks": " \n" * 8000,
    "escaped quotes": ('\\"' * 200 + "\n") * 20,
    "words": "a\n" * 8000,
    "backslashes": '"' + "\\" * 16000,
    "comments": ("/*" * 200 + "\n") * 40,
    "brackets": ("({[" * 100 + "\n") * 40,
    "tags": ("<a" * 200 + "\n") * 40,
    "long line": "x" * 16000,
}


@pytest.mark.parametrize("language", ["python", "javascript", "csharp", "java", "cpp", "bash", "html", "sql"])
@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
def test_no_code_takes_long(code: str, language: str) -> None:
    """Code that is made to make a lexer search in vain costs less than a few seconds of the processor."""
    start = time.process_time()
    assert "".join(text for _, text in pieces(code[:MAX_CODE], language)) == code[:MAX_CODE]
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("most", "more"),
    [
        pytest.param("x = 1 ?\n" * MAX_ERRORS, "x = 1 ?\n" * (MAX_ERRORS + 1), id="places not understood"),
        pytest.param("x = 1" + " " * MAX_BLANKS, "x = 1" + " " * (MAX_BLANKS + 1), id="blanks"),
        pytest.param("1\n" * MAX_WORDS, "1\n" * (MAX_WORDS + 1), id="words"),
        pytest.param("1" * MAX_LINE, "1" * (MAX_LINE + 1), id="line"),
    ],
)
def test_what_makes_lexers_slow_is_plain(most: str, more: str) -> None:
    """Up to each limit there are colours, and beyond it there are none."""
    assert "n" in coloured(most, "python")
    assert pieces(more, "python") == [("", more)]


def test_big_code_is_plain() -> None:
    """A block over the limit is plain, and so is what comes after a text has had its share of colours."""
    line = "x = 1\n"
    at_limit = line * (MAX_CODE // len(line))
    assert len(pieces(at_limit, "python")) > 1
    assert pieces(at_limit + line, "python") == [("", at_limit + line)]
    whole = show("".join(f"```python\n{at_limit}```\n\n" for _ in range(4)))
    assert [bool(tag.select("span")) for tag in BeautifulSoup(whole.html, "html.parser").select("pre")] == [
        True,
        True,
        False,
        False,
    ]


def test_a_defect_of_a_lexer_costs_the_colours_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lexer that raises, or gives back other text than it got, leaves the code plain."""

    class Changing:
        def get_tokens(self, code: str) -> list[tuple[tuple[str, ...], str]]:
            return [(("Keyword",), code.strip())]

    class Raising:
        def get_tokens(self, code: str) -> list[tuple[tuple[str, ...], str]]:
            raise RecursionError

    monkeypatch.setattr(highlight, "_lexer", lambda language: Raising() if language == "raises" else Changing())
    assert pieces("x\n", "raises") == [("", "x\n")]
    assert pieces("x\n", "changes") == [("", "x\n")]
    assert pieces("x", "changes") == [("k", "x")]
