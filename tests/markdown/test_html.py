"""Markdown as people write it becomes the HTML that they mean."""

from __future__ import annotations

import pytest

from renderer.markdown.inserts import CodeEnd, CodeStart, Picture, TaskBox
from tests.markdown.showing import show, words

# --- Blocks ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        pytest.param("one\n\ntwo", "<p>one</p><p>two</p>", id="paragraphs"),
        pytest.param("one\ntwo", "<p>one\ntwo</p>", id="soft line end"),
        pytest.param("one  \ntwo", "<p>one<br>two</p>", id="hard line end by blanks"),
        pytest.param("one\\\ntwo", "<p>one<br>two</p>", id="hard line end by backslash"),
        pytest.param("# a", "<h3>a</h3>", id="first heading"),
        pytest.param("## a #", "<h3>a</h3>", id="second heading"),
        pytest.param("###### a", "<h3>a</h3>", id="sixth heading"),
        pytest.param("# a\n### b\n## c", "<h3>a</h3><h4>b</h4><h4>c</h4>", id="a level that is skipped"),
        pytest.param("### a\n# b\n## c", "<h3>a</h3><h3>b</h3><h4>c</h4>", id="headings that come up"),
        pytest.param(
            "# a\n## b\n### c\n#### d\n##### e", "<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6>", id="deep"
        ),
        pytest.param("a\n---", "<h3>a</h3>", id="underlined heading"),
        pytest.param("#a", "<p>#a</p>", id="no heading without a blank"),
        pytest.param("a\n\n---\n\nb", "<p>a</p><hr><p>b</p>", id="rule"),
        pytest.param("> a\n> b", "<blockquote><p>a\nb</p></blockquote>", id="quote"),
        pytest.param("> a\n> > b", "<blockquote><p>a</p><blockquote><p>b</p></blockquote></blockquote>", id="quotes"),
        pytest.param("- a\n- b", "<ul><li>a</li><li>b</li></ul>", id="list"),
        pytest.param("- a\n\n- b", "<ul><li><p>a</p></li><li><p>b</p></li></ul>", id="loose list"),
        pytest.param("- a\n  - b", "<ul><li>a<ul><li>b</li></ul></li></ul>", id="list in a list"),
        pytest.param("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>", id="numbered list"),
        pytest.param("7. a\n8. b", '<ol start="7"><li>a</li><li>b</li></ol>', id="numbered from seven"),
        pytest.param("0. a", '<ol start="0"><li>a</li></ol>', id="numbered from zero"),
        pytest.param("- > a", "<ul><li><blockquote><p>a</p></blockquote></li></ul>", id="quote in a list"),
        pytest.param("~~a~~ b", "<p><del>a</del> b</p>", id="strikethrough"),
        pytest.param("a~b~c", "<p>a~b~c</p>", id="single tildes"),
        pytest.param("\\# \\* \\_ \\` \\[ \\!", "<p># * _ ` [ !</p>", id="escapes"),
    ],
)
def test_markdown_is_laid_out(text: str, markup: str) -> None:
    """Paragraphs, headings (below the page's own), rules, quotes, lists and line ends are what they are elsewhere."""
    assert show(text).markup == markup


def test_a_task_list_has_boxes() -> None:
    """The boxes of a task list are ours, and only those at the start of an item."""
    result = show("- [ ] open\n- [x] done\n- [X] done too\n- [y] no box\n- plain [ ] text")
    assert result.markup == (
        '<ul><li class="task">⟦ ⟧open</li><li class="task">⟦✓⟧done</li><li class="task">⟦✓⟧done too</li>'
        "<li>[y] no box</li><li>plain [ ] text</li></ul>"
    )
    assert result.of(TaskBox) == [TaskBox(False), TaskBox(True), TaskBox(True)]


# --- Tables ----------------------------------------------------------------------------------------------------


def test_a_table_keeps_its_alignment() -> None:
    """A column's alignment is a class on each of its cells, for a style would be stripped and blocked."""
    result = show("| l | c | r | n |\n| :-- | :-: | --: | --- |\n| 1 | 2 | 3 | 4 |")
    assert [(tag.name, tag.get("class")) for tag in result.tags if tag.name in ("th", "td")] == [
        ("th", ["ta-l"]),
        ("th", ["ta-c"]),
        ("th", ["ta-r"]),
        ("th", None),
        ("td", ["ta-l"]),
        ("td", ["ta-c"]),
        ("td", ["ta-r"]),
        ("td", None),
    ]
    assert result.dense == "⟦|⟧lcrn1234⟦/|⟧"


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("| a |\n| - |\n| 1 |", "[document]"),
        ("a\n| a |\n| - |\n| 1 |", "[document]"),
        ("> | a |\n> | - |\n> | 1 |", "blockquote"),
        ("- | a |\n  | - |\n  | 1 |", "li"),
    ],
)
def test_a_table_is_found_wherever_blocks_are(text: str, inside: str) -> None:
    """A table may follow a line of text, and stand in a quote or a list."""
    (table,) = [tag for tag in show(text).tags if tag.name == "table"]
    assert [cell.get_text() for cell in table.find_all(["th", "td"])] == ["a", "1"]
    assert table.parent is not None
    assert table.parent.name == inside


def test_a_table_cell_holds_inline_markdown() -> None:
    """Code, bold and escaped bars are what they are elsewhere."""
    result = show("| a | b |\n| - | - |\n| **x** `y` | 1 \\| 2 |")
    assert "<td><strong>x</strong> <code>y</code></td><td>1 | 2</td>" in result.markup


@pytest.mark.parametrize("row", ["| 1 |", "| 1 | 2 | 3 |", "| 1 | 2"])
def test_a_row_of_another_length_is_a_row(row: str) -> None:
    """A row with a cell too few or too many does not undo the table (GFM, tables), and its words stay."""
    result = show(f"| a | b |\n| - | - |\n{row}\n| x | y |")
    (table,) = [tag for tag in result.tags if tag.name == "table"]
    assert len(table.find_all("tr")) == 3
    assert all(cell in result.text for cell in ["1", "x", "y"])


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        pytest.param("a | b\n- | -\n1 | 2", ["a", "b", "1", "2"], id="without bars at the ends"),
        pytest.param("| a\n| -\n| 1", ["a", "1"], id="a bar at the start only"),
        pytest.param("|a|b|\n|-|-|\n|1||", ["a", "b", "1", ""], id="an empty cell"),
        pytest.param("| a |\n| - |\n| `x\\|y` |", ["a", "x|y"], id="an escaped bar in code"),
        pytest.param("| a |\n| - |\n| 1 |\n\n| 2 |", ["a", "1"], id="ends at a blank line"),
        pytest.param("| a |\n| - |\n| 1 |\n# | h |", ["a", "1"], id="ends at a heading"),
        pytest.param("| a |\n| - |\n| 1 |\n> | q |", ["a", "1"], id="ends at a quote"),
        pytest.param("| a |\n| - |\n| 1 |\n- | i |", ["a", "1"], id="ends at a list"),
        pytest.param("| a |\n| - |\n| 1 |\n```\n| c |\n```", ["a", "1"], id="ends at code"),
        pytest.param("| a |\r\n| - |\r\n| 1 |\r\n", ["a", "1"], id="other line ends"),
        pytest.param("| a |\n| - |", ["a"], id="a head without rows"),
    ],
)
def test_a_table_is_what_github_reads(text: str, cells: list[str]) -> None:
    """Bars at the ends may be left out, escaped bars are text, and any other block ends the table."""
    (table,) = [tag for tag in show(text).tags if tag.name == "table"]
    assert [cell.get_text() for cell in table.find_all(["th", "td"])] == cells


@pytest.mark.parametrize(
    "text",
    ["| a | b |\n| - |\n| 1 | 2 |", "| a |\n1 | 2", "a | b\nc | d", "| - |", "- | a |\n- | b |", "`| a |\n| - |`"],
)
def test_what_has_no_row_of_dashes_of_its_length_is_no_table(text: str) -> None:
    """Bars in a text do not make a table, and are shown."""
    result = show(text)
    assert all(tag.name != "table" for tag in result.tags)
    assert "|" in result.text


def test_short_rows_under_a_wide_head_stay_small() -> None:
    """Rows that are filled up do not make a page that grows with the square of the text (security.md, goals)."""
    text = "|a" * 200 + "\n" + "|-" * 200 + "\n" + "|\n" * 200
    assert len(show(text).html) < 50 * len(text)


# --- Code ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "language", "code"),
    [
        pytest.param("```python\nprint(1)\n```", "python", "print(1)\n", id="language"),
        pytest.param("```\nx\n```", "", "x\n", id="no language"),
        pytest.param("``` js \nx\n```", "js", "x\n", id="blanks around the language"),
        pytest.param('```py  title="a.py"\nx\n```', 'py title="a.py"', "x\n", id="words after the language"),
        pytest.param("~~~sh\nx\n~~~", "sh", "x\n", id="tildes"),
        pytest.param("````md\n```py\nx\n```\n````", "md", "```py\nx\n```\n", id="a fence in a fence"),
        pytest.param(
            "````\n```\nx\n```\nnever closed", "", "```\nx\n```\nnever closed\n", id="an open fence around one"
        ),
        pytest.param("~~~~ x `y`\n~~~\n~~~~~", "x `y`", "~~~\n", id="backticks after tildes"),
        pytest.param("```py\nx\n```js\n```", "py", "x\n```js\n", id="a fence with words closes none"),
        pytest.param("```py\nx\n   ````", "py", "x\n", id="closed by a longer, indented fence"),
        pytest.param("```py\nx\n    ```", "py", "x\n    ```\n", id="not closed by code"),
        pytest.param("  ```py\n  x\n   y\n  ```", "py", "x\n y\n", id="indented fence"),
        pytest.param("~~~\n```\nx\n```\n~~~", "", "```\nx\n```\n", id="backticks in tildes"),
        pytest.param("```\n~~~\n```", "", "~~~\n", id="tildes in backticks"),
        pytest.param("```\nnever closed", "", "never closed\n", id="never closed"),
        pytest.param("```\n```", "", "", id="empty"),
        pytest.param("```\n\n  x\n\n```", "", "\n  x\n\n", id="blank lines inside"),
        pytest.param("```&#x20;\nx\n```", "", "x\n", id="an info string that decodes to a blank"),
        pytest.param("``` &#x20; &#9;\nx\n```", "", "x\n", id="an info string that decodes to blanks"),
        pytest.param("```c++\nx\n```", "c++", "x\n", id="marks in the language"),
        pytest.param("    x\n\n    y\n", "", "x\n\ny", id="indented"),
        pytest.param("```\n<b>&amp;</b>\n```", "", "<b>&amp;</b>\n", id="tags and entities"),
        pytest.param("```\n# no *Markdown* [here](x)\n```", "", "# no *Markdown* [here](x)\n", id="Markdown"),
    ],
)
def test_a_block_of_code_keeps_its_text(text: str, language: str, code: str) -> None:
    """Code stands between our wrapper's start, which knows the language, and its end, character for character."""
    result = show(text)
    assert result.code == [code]
    lines = max(1, len(code.rstrip("\n").split("\n")))
    assert result.inserts == (CodeStart(language, lines), CodeEnd(lines))
    assert result.html.startswith("⟦+")
    assert result.html.rstrip("\n").endswith("</code></pre>⟦-⟧")


@pytest.mark.parametrize(
    ("text", "code", "around"),
    [
        pytest.param("- a\n\n  ```py\n  x\n    y\n  ```\n- b", "x\n  y\n", "a⟦+:py⟧xy⟦-⟧b", id="in a list"),
        pytest.param("1. ````md\n   ```\n   x\n   ```\n   ````\nz", "```\nx\n```\n", "⟦+:md⟧```x```⟦-⟧z", id="a fence"),
        pytest.param("- a\n  ```\n  x\n- b", "x\n", "a⟦+⟧x⟦-⟧b", id="never closed in a list"),
        pytest.param("> ```py\n> x\n\nz", "x\n", "⟦+:py⟧x⟦-⟧z", id="never closed in a quotation"),
        pytest.param("a\n```\nx\n```\nb", "x\n", "a⟦+⟧x⟦-⟧b", id="between lines"),
    ],
)
def test_code_ends_where_what_holds_it_ends(text: str, code: str, around: str) -> None:
    """A fence in a list or quotation takes what belongs to its item, and what follows is text again
    (https://spec.commonmark.org/0.31.2/#fenced-code-blocks)."""
    result = show(text)
    assert (result.code, result.dense) == ([code], around)


def test_code_can_be_reached_by_keyboard() -> None:
    """A block of code scrolls, so it takes the focus."""
    assert '<pre tabindex="0"><code>' in show("```\nx\n```").html


@pytest.mark.parametrize(
    ("text", "code"),
    [("`a`", "a"), ("`` a`b ``", "a`b"), ("` a `", "a"), ("`a\nb`", "a b"), ("`*a*`", "*a*"), ("`<b>`", "<b>")],
)
def test_a_code_span_keeps_its_text(text: str, code: str) -> None:
    """Code in a line is shown as written."""
    assert show(text).code == [code]


# --- Links -----------------------------------------------------------------------------------------------------


def test_a_link_opens_elsewhere_and_says_nothing_of_us() -> None:
    """Every link opens in a new tab, without a way back to the page and without a referrer."""
    (link,) = [tag for tag in show("[a](http://a.b)").tags if tag.name == "a"]
    assert link["target"] == "_blank"
    assert {"noopener", "noreferrer"} <= set(link["rel"])


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("[x](https://a.example/)", "https://a.example/"),
        ("[x](https://a.example)", "https://a.example"),
        ("[x](<https://a.example/a b>)", "https://a.example/a%20b"),
        ("[x](https://a.example/a_(b))", "https://a.example/a_(b)"),
        ("[x](https://a.example/%C3%A9)", "https://a.example/%C3%A9"),
        ("[x][r]\n\n[r]: https://a.example/", "https://a.example/"),
        ("[x]\n\n[X]: https://a.example/", "https://a.example/"),
        ("[x][]\n\n[x]: <https://a.example/>", "https://a.example/"),
        ("[x](mailto:a@b.example)", "mailto:a@b.example"),
        ("[x](https://google.com@evil.example/)", "https://evil.example/"),
        ("[x](https:evil.example)", "https://evil.example/"),
    ],
)
def test_a_link_leads_where_its_address_does(text: str, href: str) -> None:
    """Inline, by reference and in angle brackets, a web address or a plain mail address is linked."""
    assert show(text).links == [(href, "x")]


def test_a_link_keeps_its_title() -> None:
    """A link's title is a title."""
    (link,) = [tag for tag in show('[a](http://a.b "the \\"title\\" <b>")').tags if tag.name == "a"]
    assert link["title"] == 'the "title" <b>'


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "ftp://a.example/",
        "//evil.example/x",
        "/path",
        "page.html",
        "#part",
        "?q=1",
        "mailto:a@b.example?subject=x",
        "mailto:a@b.example,c@d.example",
        "tel:+123",
        "https://",
        "https://a.example/" + "x" * 2048,
    ],
)
def test_an_address_that_is_not_linked_is_shown(address: str) -> None:
    """Where an address is no link the words stay, and so does what they pointed to."""
    result = show(f"see [here]({address}).")
    assert result.links == []
    assert result.text == f"see here ({address})."


@pytest.mark.parametrize("text", ["[x]()", "[x](<>)", "[x](# )"])
def test_a_link_to_nothing_keeps_its_words(text: str) -> None:
    """An empty address is no link."""
    result = show(text)
    assert result.links == []
    assert result.text.startswith("x")


def test_a_link_without_words_can_be_seen() -> None:
    """A link that the text gives no name shows its address."""
    assert "http://a.example/x" in show("[](http://a.example/x)").text


@pytest.mark.parametrize(
    "text", ["[a [b](http://c.d)](http://e.f)", "[http://c.d](http://e.f)", "[<http://c.d>](http://e.f)"]
)
def test_there_is_no_link_in_a_link(text: str) -> None:
    """However links are nested in the text, none is in another on the page."""
    assert all(tag.find("a") is None for tag in show(text).tags if tag.name == "a")


# --- Pictures --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "picture"),
    [
        ("![view](https://a.example/i.png)", Picture("view", "https://a.example/i.png")),
        ("![](https://a.example/i.png)", Picture("", "https://a.example/i.png")),
        ("![a *b* `c`](https://a.example/i.png)", Picture("a b c", "https://a.example/i.png")),
        ("![a [b](http://c.d)](https://a.example/i.png)", Picture("a b", "https://a.example/i.png")),
        ("![v][r]\n\n[r]: https://a.example/i.png", Picture("v", "https://a.example/i.png")),
        ("![v](javascript:alert(1))", Picture("v", "javascript:alert(1)")),
        ("![v](data:image/png;base64,AAAA)", Picture("v", "data:image/png;base64,AAAA")),
        ("![v](i.png)", Picture("v", "i.png")),
    ],
)
def test_a_picture_is_named_and_not_loaded(text: str, picture: Picture) -> None:
    """A picture is handed on by its description and its address as written; no element of ours loads it."""
    result = show(text)
    assert result.of(Picture) == [picture]
    assert {tag.name for tag in result.tags} == {"p"}


@pytest.mark.parametrize("text", ["[![v](http://a.b/i.png)](http://c.d)", "[x ![v](http://a.b/i.png) y](http://c.d)"])
def test_a_picture_in_a_link_makes_no_link_in_a_link(text: str) -> None:
    """A picture's place holds a link to it, so in a link's text it stands outside of that link."""
    result = show(text)
    assert len(result.of(Picture)) == 1
    assert all("⟦!" not in shown for _, shown in result.links)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see\n\n[r]: http://a.b", "see [r]: http://a.b"),
        ("see\n\n[r]: http://a.b 'Title'", "see [r]: http://a.b “Title”"),
        ("[r] see\n\n[r]: http://a.b\n[s]: http://c.d", "r see [s]: http://c.d"),
        ("[r] see\n\n[r]: http://a.b\n[r]: http://c.d", "r see r: http://c.d"),
        ("see\n\n[r]: javascript:alert(1)", "see [r]: javascript:alert(1)"),
        ("x[^n]\n\n[^n]: [r]\n\n[r]: http://a.b", None),
    ],
)
def test_a_definition_that_no_link_uses_is_shown(text: str, shown: str | None) -> None:
    """A list of addresses at the end is text where nothing refers to it, and gone where something does."""
    result = show(text)
    if shown is None:
        assert "http://a.b" not in result.text
        assert result.links == [("http://a.b", "r")]
    else:
        assert result.text == shown


# --- Words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        pytest.param('[here](page.html "Quarterly figures")', "Quarterly figures", id="title of an address not linked"),
        pytest.param('![view](http://a.b/i.png "Quarterly figures")', "Quarterly figures", id="title of a picture"),
        pytest.param("```text Quarterly figures\nx\n```", "Quarterly figures", id="words after a language"),
        pytest.param("a[^n]\n\n[^n]: first\n[^n]: Quarterly figures", "Quarterly figures", id="second footnote"),
        pytest.param("[r]: http://a.b 'Quarterly figures'\n\ntext", "Quarterly figures", id="definition not used"),
        pytest.param("[r]\n\n[r]: http://a.b\n[r]: http://c.d/figures", "http://c.d/figures", id="second definition"),
        pytest.param("| a |\n| - |\n| 1 | Quarterly |", "Quarterly", id="a cell too many"),
    ],
)
def test_no_word_is_lost(text: str, lost: str) -> None:
    """Every word of the input is found in the page (security.md, goals), where other Markdown programs drop some."""
    result = show(text)
    page = " ".join(
        [result.text, *(str(value) for tag in result.tags for value in tag.attrs.values()), *map(str, result.inserts)]
    )
    assert all(word in page for word in words(lost))
