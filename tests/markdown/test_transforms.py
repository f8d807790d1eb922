"""What is the same for every output: entities, the few HTML tags that are honoured, lines of Chinese."""

from __future__ import annotations

import pytest

from renderer.markdown.inserts import CiteRef, CodeStart, Picture
from renderer.markdown.transforms import decode_entities
from tests.markdown.showing import show, words

# --- Entities --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("&copy;", "©"),
        ("&hearts;", "♥"),
        ("&amp;", "&"),
        ("&lt;b&gt;", "<b>"),
        ("&quot;&apos;", "\"'"),
        ("&Sigma;&sigma;", "Σσ"),
        ("&nbsp;", "\u00a0"),
        ("&#931;&#x3A3;&#X3a3;", "ΣΣΣ"),
        ("&#x1F600;", "😀"),
        ("&NotEqualTilde;", "\u2242\u0338"),
        ("&#0;", "\ufffd"),
        ("&#xD800;", "\ufffd"),
        ("&#x110000;", "\ufffd"),
        ("&amp;copy;", "&copy;"),
        ("AT&amp;T AT&T", "AT&T AT&T"),
        ("&copy", "&copy"),
        ("&copy ;", "&copy ;"),
        ("& copy;", "& copy;"),
        ("&Copy;", "&Copy;"),
        ("&nosuchname;", "&nosuchname;"),
        ("&copyright;", "&copyright;"),
        ("&notanentity;", "&notanentity;"),
        ("&ltd;", "&ltd;"),
        ("&ampere;", "&ampere;"),
        ("&;", "&;"),
        ("&#;", "&#;"),
        ("&#x;", "&#x;"),
        ("&#12345678;", "&#12345678;"),
        ("&#x1234567;", "&#x1234567;"),
        ("&#xFDD0;1&#xFDD1;", "1"),
        ("&#64976;&#64977;&#xFDEF;", ""),
        ("&#1;a&#x1b;[31m", "a[31m"),
        ("&#13;", "\n"),
    ],
)
def test_entities_are_those_of_commonmark(text: str, shown: str) -> None:
    """Only a whole name of HTML5's list or a number, with its semicolon, is decoded, and the result is cleaned."""
    assert decode_entities(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("&copy; 2026", "© 2026"),
        ("# &copy;", "©"),
        ("**&copy;**", "©"),
        ("[&copy;](http://a.b)", "©"),
        ("| &copy; |\n| - |", "⟦|⟧©⟦/|⟧"),
        ("\\&copy;", "&copy;"),
        ("\\\\&copy;", "\\©"),
        ("&amp;copy;", "&copy;"),
        ("&lt;script&gt;", "<script>"),
        ("&#42;a&#42;", "*a*"),
        ("&#91;a](http://a.b)", "[a](http://a.b)"),
        ("&#35; a", "# a"),
        ("&#96;a&#96;", "`a`"),
        ("&copyright; &notanentity;", "&copyright; &notanentity;"),
        ("http&#58;//a.b", "http://a.b"),
    ],
)
def test_an_entity_in_text_is_the_character_that_it_names(text: str, shown: str) -> None:
    """Entities are decoded in text, once, and a decoded character is never Markdown."""
    assert show(text).text == shown


def test_code_and_formulas_show_entities_as_written() -> None:
    """In code and in formulas an ampersand is an ampersand."""
    result = show("`&copy;` $a &amp; b$\n\n```\n&amp;\n```\n\n    &lt;\n")
    assert result.code == ["&copy;", "&amp;\n", "&lt;"]
    assert "$a &amp; b$" in result.text


def test_entities_are_decoded_in_attributes_too() -> None:
    """Titles, addresses, descriptions and the languages of code are decoded once."""
    result = show('[a](http://a.b/?x=1&amp;y=2 "&copy; &amp;lt;")\n\n![&copy;](http://a.b/&amp;)\n\n``` &copy;\n```')
    assert result.tags[1]["href"] == "http://a.b/?x=1&y=2"
    assert result.tags[1]["title"] == "© &lt;"
    assert result.of(Picture) == [Picture("©", "http://a.b/&")]
    assert [start.info for start in result.of(CodeStart)] == ["©"]


_FORGED = "&#xFDD0;0000000000000000.0&#xFDD1;"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("x {}", id="text"),
        pytest.param("# {}", id="heading"),
        pytest.param("**{}**", id="bold"),
        pytest.param("[{}](http://a.b)", id="link text"),
        pytest.param('[x](http://a.b "{}")', id="title"),
        pytest.param("[x](http://a.b/{})", id="address"),
        pytest.param("[x](foo{})", id="an address that is not linked"),
        pytest.param("[x][r]\n\n[r]: http://a.b/{0} '{0}'", id="definition"),
        pytest.param("<http://a.b/{}>", id="address in angle brackets"),
        pytest.param("http://a.b/{}", id="bare address"),
        pytest.param("![{}](http://a.b)", id="description"),
        pytest.param("![x](http://a.b/{})", id="picture's address"),
        pytest.param("``` {}\nx\n```", id="info string"),
        pytest.param("```{}", id="info string without a blank"),
        pytest.param("`{}`", id="code"),
        pytest.param("    {}", id="indented code"),
        pytest.param("${}$", id="formula"),
        pytest.param("$$\n{}\n$$", id="block formula"),
        pytest.param("<b title='{}'>", id="HTML"),
        pytest.param("| {} |\n| - |\n| {} |", id="table"),
        pytest.param("x[^n]\n\n[^n]: {}", id="footnote"),
        pytest.param("- [ ] {}", id="task"),
        pytest.param("<sub>{}</sub>", id="subscript"),
        pytest.param("x[^1^]{}", id="beside a marker"),
    ],
)
@pytest.mark.parametrize(
    "forged",
    [
        pytest.param(_FORGED, id="whole"),
        pytest.param("&#xFDD0;", id="its start"),
        pytest.param("&#64977;0&#64976;", id="backwards"),
        pytest.param(_FORGED.replace("&", "&amp;"), id="encoded twice"),
        pytest.param("\ufdd00000000000000000.0\ufdd1", id="bare"),
    ],
)
def test_an_entity_never_becomes_a_sentinel(text: str, forged: str) -> None:
    """Wherever entities are decoded the result is cleaned again: nothing of ours can be called up by a text."""
    result = show(text.replace("{0}", forged).replace("{}", forged))
    for value in (result.html, *map(str, result.inserts), *(str(v) for tag in result.tags for v in tag.attrs.values())):
        assert "\ufdd0" not in value
        assert "\ufdd1" not in value
    assert len(result.of(CiteRef)) == (1 if "[^1^]" in text else 0)


# --- HTML tags -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("a<br>b", "<p>a<br>b</p>"),
        ("a<br/>b<br />c", "<p>a<br>b<br>c</p>"),
        ("a<BR>b", "<p>a<br>b</p>"),
        ("H<sub>2</sub>O", "<p>H<sub>2</sub>O</p>"),
        ("x<sup>2</sup>", "<p>x<sup>2</sup></p>"),
        ("<kbd>Ctrl</kbd>+<kbd>C</kbd>", "<p><kbd>Ctrl</kbd>+<kbd>C</kbd></p>"),
        ("x<SUP>2</sup>", "<p>x<sup>2</sup></p>"),
        ("<sub>**a**</sub>", "<p><sub><strong>a</strong></sub></p>"),
        ("**x<sub>a</sub>**", "<p><strong>x<sub>a</sub></strong></p>"),
        ("x<sub>a<sup>b</sup></sub>", "<p>x<sub>a<sup>b</sup></sub></p>"),
        ("[x<sub>2</sub>](http://a.b)", '<p><a href="http://a.b">x<sub>2</sub></a></p>'),
        ("# x<sup>2</sup>", "<h3>x<sup>2</sup></h3>"),
    ],
)
def test_a_few_tags_are_honoured(text: str, markup: str) -> None:
    """`<br>`, and `<sub>`, `<sup>`, `<kbd>` in pairs, do what people type them for."""
    assert show(text).markup == markup


def test_a_line_end_in_a_table_cell_is_honoured() -> None:
    """`<br>` is how a table's cell gets two lines."""
    assert "<td>x<br>y</td>" in show("| a |\n| - |\n| x<br>y |").markup


@pytest.mark.parametrize(
    "text",
    [
        "a<sub>b",
        "a</sub>b",
        "a<sub>b</sup>",
        "a<sub class=x>b</sub>",
        "a<sub/>b",
        "a</br>b",
        "a<b>c</b>",
        "a<i>c</i> <u>d</u> <span>e</span>",
        "a <a href='http://a.b'>c</a>",
        "a <img src=x onerror=alert(1)>",
        "a <script>alert(1)</script>",
        "a <!-- comment --> b",
        "a <?php echo ?> b",
        "a <![CDATA[ c ]]> b",
        "<script>alert(1)</script>",
        "<style>p { color: red }</style>",
        "<iframe src='x'></iframe>",
        "<details><summary>Sum</summary>words</details>",
        "<table><tr><td>cell</td></tr></table>",
        "<p align='center'>hello</p>",
        "<!-- comment -->",
        "<svg onload=alert(1)>",
        "a < b and c > d",
        "a <not a tag",
        "List<String> x",
        "</div>",
    ],
)
def test_all_other_html_is_shown_as_text(text: str) -> None:
    """A tag that is not honoured, or not paired, is visible as it was typed, with every word around it."""
    result = show(text)
    assert result.text == text
    assert {tag.name for tag in result.tags} == {"p"}


def test_markdown_around_a_block_of_html_is_still_markdown() -> None:
    """Tags on lines of their own are shown, and what stands between blank lines is laid out."""
    result = show("<div>\n\n**bold**[^1^]\n\n</div>")
    assert result.text == "<div> bold⟦1⟧ </div>"
    assert [tag.name for tag in result.tags] == ["p", "p", "strong", "p"]


def test_tags_that_cross_lose_no_word() -> None:
    """Tags closed in the wrong order are paired as far as they go, and the rest is shown."""
    result = show("a <sub>b <sup>c</sub> d</sup> e")
    assert [word for word in words(result.text) if len(word) == 1] == ["a", "b", "c", "d", "e"]


def test_tags_across_paragraphs_are_not_paired() -> None:
    """A pair stands in one paragraph."""
    assert show("<sub>a\n\nb</sub>").text == "<sub>a b</sub>"


def test_deep_pairs_are_capped() -> None:
    """A hundred tags in one another do not make a tree a hundred deep, and lose no word."""
    result = show("x" + "<sub>" * 100 + "word" + "</sub>" * 100)
    deepest = max(len(list(tag.parents)) for tag in result.tags)
    assert deepest < 25
    assert "word" in result.text


# --- Lines of Chinese ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("第一行\n第二行", "第一行第二行"),
        ("第一行。\n第二行", "第一行。第二行"),
        ("第一行，\n「第二行」", "第一行，「第二行」"),
        ("カタカナ\nひらがな", "カタカナひらがな"),
        ("one\ntwo", "one two"),
        ("第一行\ntwo", "第一行 two"),
        ("one\n第二行", "one 第二行"),
        ("한국어\n한국어", "한국어 한국어"),
        ("- 第一行\n  第二行", "第一行第二行"),
        ("> 第一行\n> 第二行", "第一行第二行"),
        ("第一行  \n第二行", "第一行 第二行"),
        ("第一行\n\n第二行", "第一行 第二行"),
    ],
)
def test_a_line_end_between_chinese_characters_is_no_blank(text: str, shown: str) -> None:
    """Chinese and Japanese are written without blanks, so lines that a model broke run together; others get a blank."""
    assert show(text).text == shown.replace("第一行 第二行", "第一行 第二行")
