"""Emphasis: CommonMark's rules, and Chinese as people write it."""

from __future__ import annotations

import pytest

from renderer.markdown.emphasis import Token, resolve_emphasis
from tests.markdown.showing import show, words


def shown(text: str) -> str:
    """The markup inside the one paragraph that `text` is."""
    markup = show(text).markup
    assert markup.startswith("<p>"), markup
    assert markup.endswith("</p>"), markup
    return markup[3:-4]


# https://spec.commonmark.org/0.31.2/#emphasis-and-strong-emphasis, rules 1 to 17.
@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("*one*", "<em>one</em>"),
        ("_one_", "<em>one</em>"),
        ("**one**", "<strong>one</strong>"),
        ("__one__", "<strong>one</strong>"),
        ("***one***", "<em><strong>one</strong></em>"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("* one*", None),
        ("a* one*", "a* one*"),
        ("*one *", "*one *"),
        ("_ one_", "_ one_"),
        ("** one**", "** one**"),
        ("**one **", "**one **"),
        ("un*believ*able", "un<em>believ</em>able"),
        ("5*6*78", "5<em>6</em>78"),
        ("snake_case_name", "snake_case_name"),
        ("слово_другое_", "слово_другое_"),
        ("__init__py", "__init__py"),
        ("_one_two_three_", "<em>one_two_three</em>"),
        ("un**believ**able", "un<strong>believ</strong>able"),
        ("_(one)_.", "<em>(one)</em>."),
        ("one-_(two)_", "one-<em>(two)</em>"),
        ("one-__(two)__", "one-<strong>(two)</strong>"),
        ('a*"one"*', 'a*"one"*'),
        ('a**"one"**', 'a**"one"**'),
        ("_one_two", "_one_two"),
        ("*(*one*)*", "<em>(<em>one</em>)</em>"),
        ("*one _two_ three*", "<em>one <em>two</em> three</em>"),
        ("**one *two* three**", "<strong>one <em>two</em> three</strong>"),
        ("*one **two** three*", "<em>one <strong>two</strong> three</em>"),
        ("*one**two**three*", "<em>one<strong>two</strong>three</em>"),
        ("*one**two*", "<em>one**two</em>"),
        ("***one** two*", "<em><strong>one</strong> two</em>"),
        ("***one* two**", "<strong><em>one</em> two</strong>"),
        ("*one **two***", "<em>one <strong>two</strong></em>"),
        ("one***two***three", "one<em><strong>two</strong></em>three"),
        ("**one*", "*<em>one</em>"),
        ("*one**", "<em>one</em>*"),
        ("***one**", "*<strong>one</strong>"),
        ("**one***", "<strong>one</strong>*"),
        ("****one****", "<strong><strong>one</strong></strong>"),
        ("*one\ntwo*", "<em>one\ntwo</em>"),
        ("*one _two* three_", "<em>one _two</em> three_"),
        ("*one *two three*", "*one <em>two three</em>"),
        ("**one **two three**", "**one <strong>two three</strong>"),
        ("*one __two *three four__ five*", "<em>one <strong>two *three four</strong> five</em>"),
        ("\\*one*", "*one*"),
        ("*one\\*", "*one*"),
        ("one *\\**", "one <em>*</em>"),
        ("one *_*", "one <em>_</em>"),
        ("one ***", "one ***"),
        ("*one `two*`", "*one <code>two*</code>"),
        ("*one <b title='*'>", "*one &lt;b title='*'&gt;"),
        ("*one*two_three_", "<em>one</em>two_three_"),
        ("*&#42;*", "<em>*</em>"),
        ("&#42;one&#42;", "*one*"),
    ],
)
def test_emphasis_is_that_of_commonmark(text: str, markup: str | None) -> None:
    """Between Latin letters, blanks and punctuation, stars and underscores mean what CommonMark says."""
    if markup is None:
        assert show(text).markup == "<ul><li>one*</li></ul>"
    else:
        assert shown(text) == markup


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("**注意：**正文", "<strong>注意：</strong>正文"),
        ("**注意：** 正文", "<strong>注意：</strong> 正文"),
        ("含**「重点」**内容", "含<strong>「重点」</strong>内容"),
        ("含*《书名》*内容", "含<em>《书名》</em>内容"),
        ("**重点**：", "<strong>重点</strong>："),
        ("【**重点**】", "【<strong>重点</strong>】"),
        ("中文**(重点)**内容", "中文<strong>(重点)</strong>内容"),
        ("**“重点”**内容", "<strong>“重点”</strong>内容"),
        ('**"重点"**内容', '<strong>"重点"</strong>内容'),
        ("**$1.50**", "<strong>$1.50</strong>"),
        ("价格**$1.50**起", "价格<strong>$1.50</strong>起"),
        ("**100%**的", "<strong>100%</strong>的"),
        ("增长**+5%**。", "增长<strong>+5%</strong>。"),
        ("**第一。**Then", "<strong>第一。</strong>Then"),
        ("**Then.**第二", "<strong>Then.</strong>第二"),
        ("**`code`**中文", "<strong><code>code</code></strong>中文"),
        ("中文**`code`**中文", "中文<strong><code>code</code></strong>中文"),
        ("***粗斜***字", "<em><strong>粗斜</strong></em>字"),
        ("**一**、**二**", "<strong>一</strong>、<strong>二</strong>"),
        ("**テスト。**テスト", "<strong>テスト。</strong>テスト"),
        ("**한국어(Korean)**는", "<strong>한국어(Korean)</strong>는"),
        ("~~删除。~~正文", "<del>删除。</del>正文"),
    ],
)
def test_chinese_is_emphasised_as_people_write_it(text: str, markup: str) -> None:
    """A Chinese character beside stars is a boundary, letter or punctuation, so that no blank is needed."""
    assert shown(text) == markup


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("**注意：[^1^]**正文", "<strong>注意：⟦1⟧</strong>正文"),
        ("**注意：**[^1^]正文", "<strong>注意：</strong>⟦1⟧正文"),
        ("正文[^1^]**重点**", "正文⟦1⟧<strong>重点</strong>"),
        ("正文**[^1^]重点**", "正文<strong>⟦1⟧重点</strong>"),
        ("**one[^1^]**two", "<strong>one⟦1⟧</strong>two"),
        ("one[^1^]**two**", "one⟦1⟧<strong>two</strong>"),
        ("*one[^1^]*", "<em>one⟦1⟧</em>"),
        ("_one[^1^]_", "<em>one⟦1⟧</em>"),
        ("_one[^1^]_two", "_one⟦1⟧_two"),
        ("**one[^1^][^2^]**", "<strong>one⟦1⟧⟦2⟧</strong>"),
        ("**one[^9^]**two", "<strong>one</strong>two"),
    ],
)
def test_a_marker_does_not_change_emphasis(text: str, markup: str) -> None:
    """Stars beside a marker mean what they would mean without it."""
    assert shown(text) == markup


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("**one [^1^]** two", "<strong>one⟦1⟧</strong> two"),
        ("**结论 [^1^]**", "<strong>结论⟦1⟧</strong>"),
        ("**[^1^] one** two", "<strong>⟦1⟧ one</strong> two"),
        ("*one [^1^]*.", "<em>one⟦1⟧</em>."),
        ("one [^1^]_two_", "one⟦1⟧<em>two</em>"),
        ("one [^1^]**two**", "one⟦1⟧<strong>two</strong>"),
        ("_one_[^1^] two", "<em>one</em>⟦1⟧ two"),
        ("**one.**[^1^] two", "<strong>one.</strong>⟦1⟧ two"),
        ("**(one)**[^1^] two", "<strong>(one)</strong>⟦1⟧ two"),
        ('one [^1^]**"two"** three', 'one⟦1⟧<strong>"two"</strong> three'),
        ("one [^1^]*(two)*", "one⟦1⟧<em>(two)</em>"),
        ("**一 [^1^] [^2^]**", "<strong>一⟦1⟧⟦2⟧</strong>"),
        ("one ** [^1^] two **", "one **⟦1⟧ two **"),
    ],
)
def test_a_blank_before_a_marker_keeps_emphasis(text: str, markup: str) -> None:
    """What is bold in every Markdown program, where the marker is only brackets, is bold here."""
    assert shown(text) == markup


def test_a_removed_marker_leaves_no_stars() -> None:
    """A marker that goes from the end of bold text takes its blank along, and the text is bold."""
    assert shown("**结论 [^9^]**：正文") == "<strong>结论</strong>：正文"


# --- Depth -----------------------------------------------------------------------------------------------------


def depth(tokens: list[Token]) -> int:
    """How deep emphasis is nested in tokens."""
    return max((1 + depth(token["children"]) for token in tokens if "children" in token), default=0)


def source(tokens: list[Token]) -> str:
    """The characters that tokens came from."""
    marks = {"emphasis": "*", "strong": "**"}
    return "".join(
        marks[token["type"]] + source(token["children"]) + marks[token["type"]] if "children" in token else token["raw"]
        for token in tokens
    )


@pytest.mark.parametrize("levels", [0, 1, 2, 5, 20])
def test_nothing_is_nested_deeper_than_asked(levels: int) -> None:
    """Emphasis beyond the wanted depth stays the characters that were written."""
    text = "*a **b " * 15 + "c" + " b** a*" * 15
    tokens = resolve_emphasis([{"type": "text", "raw": text}], levels)
    assert depth(tokens) == levels
    assert source(tokens) == text


def test_what_is_already_nested_counts() -> None:
    """A link with emphasis in it is not wrapped beyond the wanted depth."""
    link: Token = {"type": "link", "children": [{"type": "emphasis", "children": [{"type": "text", "raw": "x"}]}]}
    tokens = [{"type": "text", "raw": "**"}, link, {"type": "text", "raw": "**"}]
    assert resolve_emphasis(tokens, 2) == tokens
    assert resolve_emphasis(tokens, 3) == [{"type": "strong", "children": [link]}]


def test_escaped_stars_are_literal() -> None:
    """Text that was escaped opens and closes nothing."""
    star: Token = {"type": "text", "raw": "*", "_emphasis": False}
    tokens = resolve_emphasis([star, {"type": "text", "raw": "a"}, star], 9)
    assert "".join(token["raw"] for token in tokens) == "*a*"
    assert depth(tokens) == 0


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("*a **a " * 1000 + "b" + " a** a*" * 1000, id="mistune's quadratic case"),
        pytest.param("*a " * 1000 + "_a*_ " * 1000, id="cmark issue 389"),
        pytest.param("**x" * 3000, id="openers only"),
        pytest.param("x**" * 3000, id="closers only"),
        pytest.param("a***b__" * 1500, id="both alike"),
        pytest.param("*" * 10_000 + "a" + "*" * 10_000, id="two long runs"),
        pytest.param("**注：**" * 2000, id="Chinese"),
        pytest.param("*a[^1^]" * 1000 + "[^1^]a*" * 1000, id="markers"),
    ],
)
def test_a_hostile_text_loses_nothing(text: str) -> None:
    """Thousands of stars neither stop the parser nor cost a word."""
    result = show(text)
    assert result.document.tokens is not None
    assert len(words(result.text)) >= 1
    assert "".join(words(result.text)) == "".join(words(text))


def test_deep_emphasis_in_a_text_is_capped() -> None:
    """A text nested fifty levels deep is a page nested far less, with all of its words and stars."""
    result = show("**a " * 50 + "x" + " b**" * 50)
    strong = [tag for tag in result.tags if tag.name == "strong"]
    assert 5 <= len(strong) <= 20
    assert result.text.count("**") == 2 * (50 - len(strong))
    assert words(result.text) == ["a"] * 50 + ["x"] + ["b"] * 50
