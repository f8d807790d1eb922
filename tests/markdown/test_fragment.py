"""A marker is found by the Markdown parser, in text and nowhere else; what is not listed leaves nothing behind.

Architecture, property 1; contract §3 and §6.
"""

from __future__ import annotations

import pytest

from renderer.markdown.inserts import CiteRef, InvalidRef
from tests.markdown.showing import show

# --- Where a marker stands -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        pytest.param("截止 11 月 30 日[^1^]。", "<p>截止 11 月 30 日⟦1⟧。</p>", id="in a sentence"),
        pytest.param("[^1^]", "<p>⟦1⟧</p>", id="alone"),
        pytest.param("[^1^] start", "<p>⟦1⟧ start</p>", id="at the start"),
        pytest.param("a[^1^][^2^]", "<p>a⟦1⟧⟦2⟧</p>", id="two, like a reference link"),
        pytest.param("a[^1^](x)", "<p>a⟦1⟧(x)</p>", id="before brackets, like a link"),
        pytest.param("a[^1^](http://made.up)", None, id="before an address in brackets"),
        pytest.param("a[^1^][]", "<p>a⟦1⟧[]</p>", id="before empty brackets"),
        pytest.param("[text][^1^]", "<p>[text]⟦1⟧</p>", id="after brackets, like a reference"),
        pytest.param("Found![^1^] More", "<p>Found!⟦1⟧ More</p>", id="after an exclamation mark, like a picture"),
        pytest.param("Found![^1^](x)", "<p>Found!⟦1⟧(x)</p>", id="like a picture with an address"),
        pytest.param("Found![^1^][^2^]", "<p>Found!⟦1⟧⟦2⟧</p>", id="like a picture by reference"),
        pytest.param("找到了！[^1^]", "<p>找到了！⟦1⟧</p>", id="after a Chinese exclamation mark"),
        pytest.param("a[^007^]", "<p>a⟦?⟧</p>", id="leading zeros"),
        pytest.param("# Head[^1^]", "<h3>Head⟦1⟧</h3>", id="heading"),
        pytest.param("Head[^1^]\n===", "<h3>Head⟦1⟧</h3>", id="underlined heading"),
        pytest.param("- a[^1^]\n- b", "<ul><li>a⟦1⟧</li><li>b</li></ul>", id="list"),
        pytest.param("1. a[^1^]", "<ol><li>a⟦1⟧</li></ol>", id="numbered list"),
        pytest.param("- [x] a[^1^]", '<ul><li class="task">⟦✓⟧a⟦1⟧</li></ul>', id="task list"),
        pytest.param("> a[^1^]", "<blockquote><p>a⟦1⟧</p></blockquote>", id="block quote"),
        pytest.param("*a[^1^]*", "<p><em>a⟦1⟧</em></p>", id="emphasis"),
        pytest.param("**a[^1^]**", "<p><strong>a⟦1⟧</strong></p>", id="strong emphasis"),
        pytest.param("~~a[^1^]~~", "<p><del>a⟦1⟧</del></p>", id="strikethrough"),
        pytest.param("H<sub>2[^1^]</sub>O", "<p>H<sub>2⟦1⟧</sub>O</p>", id="subscript"),
        pytest.param("a <b>b[^1^]</b>", "<p>a &lt;b&gt;b⟦1⟧&lt;/b&gt;</p>", id="between HTML tags in a line"),
        pytest.param("`a`[^1^]", "<p><code>a</code>⟦1⟧</p>", id="after code"),
        pytest.param("$\\x$[^1^]", '<p><span class="math">$\\x$</span>⟦1⟧</p>', id="after a formula"),
        pytest.param("$5[^1^] or $6[^2^]", "<p>$5⟦1⟧ or $6⟦2⟧</p>", id="after sums of money"),
        pytest.param("\\\\[^1^]", "<p>\\⟦1⟧</p>", id="after an escaped backslash"),
        pytest.param("[[^1^]]", "<p>[⟦1⟧]</p>", id="in brackets"),
        pytest.param("a[^1^]\nb[^2^]", "<p>a⟦1⟧\nb⟦2⟧</p>", id="at line ends"),
        pytest.param("a[^1^]  \nb", "<p>a⟦1⟧<br>b</p>", id="before a hard line end"),
    ],
)
def test_a_marker_in_text_becomes_a_number(text: str, markup: str | None) -> None:
    """Wherever text stands a marker is found, tried before links and footnotes and everything else."""
    if "007" in text:
        result = show(text, listed=(1, 7))
        assert result.inserts == (CiteRef(k=2, n=7, place=1),)
    elif markup is None:
        result = show(text)
        assert result.text == "a⟦1⟧(http://made.up)"
        assert result.links == [("http://made.up", "http://made.up")]
    else:
        assert show(text).markup == markup


def test_a_marker_in_a_table_becomes_a_number() -> None:
    """Markers are found in the head and in the cells of a table."""
    assert show("| a[^1^] | b |\n| --- | --- |\n| c | d[^2^] |").markup == (
        "⟦|⟧<table><thead><tr><th>a⟦1⟧</th><th>b</th></tr></thead>"
        "<tbody><tr><td>c</td><td>d⟦2⟧</td></tr></tbody></table>⟦/|⟧"
    )


def test_a_marker_in_a_footnote_becomes_a_number() -> None:
    """A footnote's text is text too; its numbers come after those of the page."""
    result = show("b[^x] c[^2^]\n\n[^x]: n[^2^] m[^1^]")
    assert result.raw_markers == ["[^2^]", "[^2^]", "[^1^]"]
    assert result.markup == ("<p>b⟦^1.1⟧ c⟦2⟧</p>⟦^⟧<ol><li>⟦#1⟧<p>n⟦2⟧ m⟦1⟧</p>⟦↩1×1⟧</li></ol>⟦/^⟧")
    assert result.of(CiteRef) == [CiteRef(2, 2, 1), CiteRef(2, 2, 2), CiteRef(1, 1, 1)]


@pytest.mark.parametrize(
    "definition",
    [
        "[^1^]: http://made.up",
        "[^1^]:http://made.up",
        "[^1^]: <http://made.up>",
        '[^1^]: http://made.up "title"',
        "[^1^]:\nhttp://made.up",
        "   [^1^]: http://made.up",
        "[^01^]: http://made.up",
        "[ ^1^ ]: http://made.up",
        "[^1^ ]: http://made.up",
        "[\n^1^\n]: http://made.up",
        "[^1^\n]: http://made.up",
        "> [^1^]: http://made.up",
        "> > [^1^]: http://made.up",
        "- [^1^]: http://made.up",
        "1. [^1^]: http://made.up",
        "- a\n\n  [^1^]: http://made.up",
        "> - [ ^1^ ]: http://made.up",
        "[ok]: http://ok.example\n[^1^]: http://made.up",
        "[^x]: [^1^]: http://made.up",
        "[^x]: note\n\n    [^1^]: http://made.up",
        "> [^x]: [^1^]: http://made.up",
    ],
)
@pytest.mark.parametrize("order", ["before", "after"])
def test_a_label_of_marker_shape_defines_no_link(definition: str, order: str) -> None:
    """No line of the text can turn a marker, or anything like one, into a link to a made-up address."""
    use = "one[^1^] two[ ^1^ ] three[^x]"
    result = show(f"{definition}\n\n{use}" if order == "before" else f"{use}\n\n{definition}")
    assert "one⟦1⟧" in result.text
    assert "two[ ^1^ ]" in result.text
    # The address may be a link of its own, by its own name.
    assert all("made.up" in text for href, text in result.links if "made.up" in href)


@pytest.mark.parametrize("definition", ["[^1^]: a note", "[^1^]:\n    a note", "> [^1^]: a note", "- [^1^]: a note"])
def test_a_label_of_marker_shape_defines_no_footnote(definition: str) -> None:
    """A marker stays a marker where the text gives it a definition like a footnote's; the words stay where they are."""
    result = show(f"one[^1^]\n\n{definition}")
    assert "⟦^" not in result.html
    assert result.text.startswith("one⟦1⟧ ⟦1⟧:")
    assert "a note" in result.text
    assert result.raw_markers == ["[^1^]", "[^1^]"]


@pytest.mark.parametrize(
    ("text", "links", "shown"),
    [
        pytest.param(
            "http://a.b/c[^1^]", [("http://a.b/c", "http://a.b/c")], "http://a.b/c⟦1⟧", id="right after an address"
        ),
        pytest.param(
            "见 https://a.b/c?d=1[^1^]。",
            [("https://a.b/c?d=1", "https://a.b/c?d=1")],
            "见 https://a.b/c?d=1⟦1⟧。",
            id="after a query",
        ),
        pytest.param(
            "(http://a.b/c)[^1^]",
            [("http://a.b/c", "http://a.b/c")],
            "(http://a.b/c)⟦1⟧",
            id="after an address in brackets",
        ),
        pytest.param(
            "<http://a.b/c>[^1^]", [("http://a.b/c", "http://a.b/c")], "http://a.b/c⟦1⟧", id="after angle brackets"
        ),
        pytest.param("[a](http://a.b)[^1^]", [("http://a.b", "a")], "a⟦1⟧", id="after a link"),
        pytest.param("[^1^]http://a.b", [("http://a.b", "http://a.b")], "⟦1⟧http://a.b", id="before an address"),
    ],
)
def test_a_marker_beside_an_address_is_no_part_of_it(text: str, links: list[object], shown: str) -> None:
    """An address ends where a marker begins."""
    result = show(text)
    assert result.links == links
    assert result.text == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("[a[^1^]](http://a.b) z", "a⟦1⟧ z", id="at the end"),
        pytest.param("[[^1^]a](http://a.b) z", "a⟦1⟧ z", id="at the start"),
        pytest.param("[a[^1^][^2^]](http://a.b) z", "a⟦1⟧⟦2⟧ z", id="two"),
        pytest.param("[a **b[^1^]** c[^2^]](http://a.b) z", "a b c⟦1⟧⟦2⟧ z", id="deeper down"),
        pytest.param("[a[^1^]][r] z\n\n[r]: http://a.b", "a⟦1⟧ z", id="reference link"),
        pytest.param("**[a[^1^]](http://a.b)** z", "a⟦1⟧ z", id="in bold"),
        pytest.param("# [a[^1^]](http://a.b) z", "a⟦1⟧ z", id="in a heading"),
        pytest.param("<sub>[a[^1^]](http://a.b)</sub> z", "a⟦1⟧ z", id="in a subscript"),
        pytest.param("H<kbd>x [a[^1^]](http://a.b)</kbd> z", "Hx a⟦1⟧ z", id="in a key"),
        pytest.param("~~[a[^1^]](http://a.b)~~ z", "a⟦1⟧ z", id="struck through"),
    ],
)
def test_a_number_inside_a_link_goes_after_it(text: str, shown: str) -> None:
    """There is no link in a link: the numbers of a link's text stand right after it."""
    result = show(text)
    assert result.text == shown
    assert len(result.links) == 1
    assert "⟦" not in result.links[0][1]


@pytest.mark.parametrize("text", ["[[^1^]](http://a.b)", "[ [^1^] ](http://a.b)", "[[^1^][^2^]](http://a.b)"])
def test_a_link_whose_text_is_a_marker_is_not_left_empty(text: str) -> None:
    """Where only a marker was linked the number stands, and there is no link that nobody can see."""
    result = show(text)
    assert "⟦1⟧" in result.text
    assert all(text.strip() for _, text in result.links)


def test_a_blank_before_a_number_in_a_link_does_not_stay_in_the_link() -> None:
    """A marker that leaves a link leaves no blank behind in it."""
    assert show("[text [^1^]](http://a.b).").links == [("http://a.b", "text")]
    assert show("[text [^1^] more](http://a.b).").links == [("http://a.b", "text more")]


def test_a_marker_in_a_pictures_description_is_dropped() -> None:
    """A description is read aloud and shows no number; the marker is none of the text's."""
    result = show("![view[^1^] of[^2^]](http://a.b/i.png) x[^3^]")
    assert result.text == "⟦!view of http://a.b/i.png⟧ x⟦3⟧"
    assert result.raw_markers == ["[^3^]"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("`[^1^]`", "[^1^]", id="code span"),
        pytest.param("``a ` [^1^]``", "a ` [^1^]", id="code span with a backtick"),
        pytest.param("```\n[^1^]\n```", "[^1^]", id="fenced code"),
        pytest.param("~~~python\nx = y[^1^]\n~~~", "x = y[^1^]", id="fenced code with tildes"),
        pytest.param("```\nopen [^1^]", "open [^1^]", id="fence that is never closed"),
        pytest.param("    [^1^]", "[^1^]", id="indented code"),
        pytest.param("- a\n\n      [^1^]", "[^1^]", id="code in a list"),
        pytest.param("> ```\n> [^1^]\n> ```", "[^1^]", id="code in a quote"),
        pytest.param("$a[^1^] = b$", "$a[^1^] = b$", id="formula in a line"),
        pytest.param("x $$a[^1^]$$", "$$a[^1^]$$", id="formula between double dollars"),
        pytest.param("\\(a = [^1^]\\)", "\\(a = [^1^]\\)", id="formula in round brackets"),
        pytest.param("x \\[a = [^1^]\\]", "\\[a = [^1^]\\]", id="formula in square brackets"),
        pytest.param("$$\na[^1^]\n$$", "$$ a[^1^] $$", id="block formula"),
        pytest.param("\\[\na = [^1^]\n\\]", "\\[ a = [^1^] \\]", id="block formula in square brackets"),
        pytest.param("<div>[^1^]</div>", "<div>[^1^]</div>", id="HTML block"),
        pytest.param("<!-- [^1^] -->", "<!-- [^1^] -->", id="HTML comment"),
        pytest.param('a <b title="[^1^]">', '<b title="[^1^]">', id="HTML tag in a line"),
        pytest.param("\\[^1^]", "[^1^]", id="escaped bracket"),
        pytest.param("[\\^1^]", "[^1^]", id="escaped caret"),
        pytest.param("&#91;^1^]", "[^1^]", id="bracket as an entity"),
    ],
)
def test_what_is_no_text_is_left_as_it_is(text: str, kept: str) -> None:
    """In code, formulas, HTML and behind a backslash a marker's characters are characters."""
    result = show(text)
    assert kept in result.text
    assert result.raw_markers == []
    assert result.of(CiteRef) == []


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("[a](http://a.b/[^1^])", "http://a.b/[^1^]"),
        ("[a](<http://a.b/[^1^]>)", "http://a.b/[^1^]"),
        ("<http://a.b/[^1^]>", "http://a.b/[^1^]"),
        ("[a]\n\n[a]: http://a.b/[^1^]", "http://a.b/[^1^]"),
        ('[a](http://a.b "see [^1^]")', "see [^1^]"),
    ],
)
def test_a_links_destination_and_title_are_left_as_they_are(text: str, attribute: str) -> None:
    """Brackets in an address or a title are part of it."""
    result = show(text)
    values = [
        str(value).replace("%5B", "[").replace("%5E", "^").replace("%5D", "]")
        for value in result.tags[1].attrs.values()
    ]
    assert attribute in values
    assert result.of(CiteRef) == []


@pytest.mark.parametrize(
    "text", ["[^a^]", "[^1", "[^1^", "[^１^]", "[^٣^]", "[^1a^]", "[^-1^]", "[^^]", "[1]", "[ ^1^ ]"]
)
def test_what_is_no_marker_stays_text(text: str) -> None:
    """What only looks like a marker is shown as it was written."""
    result = show(f"a{text}b")
    assert result.text == f"a{text}b"
    assert result.raw_markers == []


def test_a_file_without_a_dialect_has_no_markers() -> None:
    """Where the format has no markers their characters are text."""
    result = show("a[^1^] b", dialect="")
    assert result.text == "a[^1^] b"
    assert result.document.markers == ()


# --- Places ----------------------------------------------------------------------------------------------------


def test_every_place_of_a_source_has_its_own_number() -> None:
    """The places that cite one source are counted from 1 in reading order, each source for itself."""
    result = show("a[^2^] b[^5^] c[^2^]\n\n- d[^2^]\n\n| e[^5^] |\n| - |", listed=(2, 5))
    assert result.of(CiteRef) == [
        CiteRef(k=1, n=2, place=1),
        CiteRef(k=2, n=5, place=1),
        CiteRef(k=1, n=2, place=2),
        CiteRef(k=1, n=2, place=3),
        CiteRef(k=2, n=5, place=2),
    ]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("word [^1^] next", "word⟦1⟧ next", id="blank"),
        pytest.param("字 [^1^]。", "字⟦1⟧。", id="blank after Chinese"),
        pytest.param("word [^1^] [^2^].", "word⟦1⟧⟦2⟧.", id="blank between two"),
        pytest.param("**word** [^1^].", "word⟦1⟧.", id="blank after bold"),
        pytest.param("word [^9^] [^1^].", "word⟦1⟧.", id="blank before a removed one"),
        pytest.param("word\n[^1^] next", "word⟦1⟧ next", id="line end"),
        pytest.param("字\n[^1^]字", "字⟦1⟧字", id="line end after Chinese"),
    ],
)
def test_a_number_never_begins_a_line(text: str, shown: str) -> None:
    """A number stands right after the word before it, so that no line can break between them (page.md)."""
    assert show(text).text == shown


def test_two_spellings_of_a_number_are_places_of_one_source() -> None:
    """`[^07^]` and `[^7^]` cite the same source."""
    assert show("a[^7^] b[^07^]", listed=(7,)).of(CiteRef) == [CiteRef(1, 7, 1), CiteRef(1, 7, 2)]


def test_markers_are_told_in_reading_order() -> None:
    """All markers of the text are listed as written, those without a source too."""
    result = show("[^3^] *[^9^]* [a[^1^]](http://a.b) ![[^2^]](http://a.b) `[^4^]` [^07^]")
    assert [(marker.raw, marker.numbers) for marker in result.document.markers] == [
        ("[^3^]", (3,)),
        ("[^9^]", (9,)),
        ("[^1^]", (1,)),
        ("[^07^]", (7,)),
    ]


# --- Removed markers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        pytest.param("词[^9^]。", "<p>词。</p>", id="no blank around"),
        pytest.param("a[^9^] b", "<p>a b</p>", id="blank after"),
        pytest.param("a [^9^] b", "<p>a b</p>", id="blank on both sides"),
        pytest.param("a [^9^]b", "<p>a b</p>", id="blank before"),
        pytest.param("a [^9^]**b**", "<p>a <strong>b</strong></p>", id="blank before bold"),
        pytest.param("a [^9^]`b`", "<p>a <code>b</code></p>", id="blank before code"),
        pytest.param("a [^9^](b)", "<p>a (b)</p>", id="blank before an opening bracket"),
        pytest.param("说 [^9^]“话”", "<p>说 “话”</p>", id="blank before an opening quotation mark"),
        pytest.param("a [^9^] [^8^].", "<p>a.</p>", id="two"),
        pytest.param("a [^9^][^8^], b", "<p>a, b</p>", id="two without a blank"),
        pytest.param("a [^1^] [^9^].", "<p>a⟦1⟧.</p>", id="after a listed one"),
        pytest.param("a[^9^][^1^].", "<p>a⟦1⟧.</p>", id="before a listed one"),
        pytest.param("**a** [^9^].", "<p><strong>a</strong>.</p>", id="after bold"),
        pytest.param("`a` [^9^].", "<p><code>a</code>.</p>", id="after code"),
        pytest.param("a [^9^]\nb", "<p>a\nb</p>", id="at a line end"),
        pytest.param("a [^9^]  \nb", "<p>a<br>b</p>", id="at a hard line end"),
        pytest.param("a [^9^]", "<p>a</p>", id="at the end"),
        pytest.param("# a [^9^]", "<h3>a</h3>", id="at the end of a heading"),
        pytest.param("> a [^9^]", "<blockquote><p>a</p></blockquote>", id="at the end of a quote"),
        pytest.param("- a [^9^]\n- b", "<ul><li>a</li><li>b</li></ul>", id="at the end of an item"),
        pytest.param("a [^9^]<br>b", "<p>a<br>b</p>", id="before br"),
        pytest.param("a [^9^]\\.", "<p>a.</p>", id="before an escaped full stop"),
        pytest.param("a [^9^]&nbsp;b", "<p>a&nbsp;b</p>", id="before a blank that is an entity"),
        pytest.param("公告[^9^]\n正文", "<p>公告正文</p>", id="at the end of a Chinese line"),
        pytest.param("公告\n[^9^]正文", "<p>公告正文</p>", id="at the start of a Chinese line"),
        pytest.param("公告 [^9^]\n正文", "<p>公告正文</p>", id="after a blank at the end of a Chinese line"),
        pytest.param("公告\n[^9^]\n正文", "<p>公告正文</p>", id="on a line of its own between Chinese lines"),
    ],
)
def test_a_removed_marker_leaves_nothing_behind(text: str, markup: str) -> None:
    """The text is as if the marker had never been there: words do not grow together, and no blank stands astray."""
    assert show(text).markup == markup


@pytest.mark.parametrize("mark", list(".,;:!?)]}'\"") + list("。，、；：！？）】」』》〉”’…"))
def test_no_blank_is_left_before_punctuation(mark: str) -> None:
    """A blank before a removed marker goes where punctuation that closes, ASCII or Chinese, follows."""
    assert show(f"词 [^9^]{mark}").text == f"词{mark}"


@pytest.mark.parametrize("blank", [pytest.param("\t", id="tab"), pytest.param("\u3000", id="ideographic space")])
def test_no_other_blank_is_left_before_punctuation(blank: str) -> None:
    """A tab or a full-width blank before a removed marker goes like a blank."""
    assert f"词{blank}" not in show(f"词{blank}[^9^]。").html


def test_no_blank_is_left_at_the_end_of_a_link() -> None:
    """A removed marker at the end of a link's text leaves no blank in the link, and none before what follows."""
    result = show("[text [^9^]](http://a.b). [more[^9^]](http://a.b) end")
    assert result.text == "text. more end"
    assert result.links == [("http://a.b", "text"), ("http://a.b", "more")]


@pytest.mark.parametrize(
    "text", ["[^9^]", "- [^9^]", "| [^9^] |\n| - |\n| [^9^] |", "**[^9^]**", "> [^9^]", "a[^x]\n\n[^x]: [^9^]"]
)
def test_a_marker_that_was_alone_leaves_no_text(text: str) -> None:
    """Where nothing but a removed marker stood there is no text, and neither star nor bracket."""
    result = show(text)
    assert "[" not in result.text
    assert "*" not in result.text
    assert "9" not in result.text


def test_the_other_numbers_stay_when_one_goes() -> None:
    """A removed marker does not change which source the others name, nor their places."""
    result = show("a[^1^] b[^2^] c[^1^] d[^2^]", listed=(2,))
    assert result.markup == "<p>a b⟦1⟧ c d⟦1⟧</p>"
    assert result.of(CiteRef) == [CiteRef(1, 2, 1), CiteRef(1, 2, 2)]


def test_a_document_can_be_written_again() -> None:
    """Reading is done once: the same document gives the same page, and another one for other sources."""
    text = "a[^1^] [^2^]. **b[^2^]** [c[^1^]](http://a.b)"
    first, second, third = show(text, listed=(1,)), show(text, listed=(1,)), show(text, listed=())
    assert first.html == second.html
    assert first.text == "a⟦1⟧. b c⟦1⟧"
    assert third.text == "a. b c"


def test_lines_that_begin_with_a_number_of_their_own_stay_lines() -> None:
    """A list of references at the end of an answer is not run together."""
    result = show("Sources:\n[^1^]: first\n[^2^]: second")
    assert result.text == "Sources: ⟦1⟧: first ⟦2⟧: second"


# --- Bare brackets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("是 5%[1]，为上海[2]。", "是 5%⟦1⟧，为上海⟦2⟧。"),
        ("a[1][3] b", "a⟦1⟧⟦3⟧ b"),
        ("a[1,3] b[1-3]", "a⟦1⟧⟦3⟧ b⟦1⟧⟦2⟧⟦3⟧"),
        ("a[9] b [8].", "a b."),
        ("a[1,9] b", "a⟦1⟧ b"),
        ("in [2026] and [x]", "in [2026] and [x]"),
        ("Yes![1] b", "Yes!⟦1⟧ b"),
        ("[text][1] b", "[text]⟦1⟧ b"),
        ("**a[1]**b", "a⟦1⟧b"),
        ("- a[1]", "a⟦1⟧"),
        ("http://a.b/c[1] d", "http://a.b/c⟦1⟧ d"),
        ("[a[1]](http://a.b) c", "a⟦1⟧ c"),
        ("`[1]` $x[1]=2$", "[1] x[1]=2"),
        ("\\[1\\]", "[1]"),
        ("[^1^] [^1]", "[^1^] [^1]"),
    ],
)
def test_bare_brackets_go_the_same_way(text: str, shown: str) -> None:
    """The markers of a retrieval answer are found, listed and removed like all others."""
    assert show(text, dialect="bracket").text == shown


def test_a_link_whose_text_is_a_number_stays_a_link() -> None:
    """`[1](address)` is a link, and a definition of `[1]` turns no marker into one."""
    result = show("a[1](http://a.b) c[1]\n\n[1]: http://made.up", dialect="bracket")
    assert result.text == "a1 c⟦1⟧ ⟦1⟧: http://made.up"
    assert result.links == [("http://a.b", "1"), ("http://made.up", "http://made.up")]


def test_markers_without_a_source_can_be_kept_to_be_seen() -> None:
    """Where it is wished an invalid marker is handed on as written; code and links stay what they are."""
    result = show("a[9] b[1] `[9]` [x[9]](http://a.b)", dialect="bracket", keep_invalid=True)
    assert result.dense == "a⟦?[9]⟧b⟦1⟧[9]x⟦?[9]⟧"
    assert result.of(InvalidRef) == [InvalidRef("[9]"), InvalidRef("[9]")]


# --- Texts that are not laid out -------------------------------------------------------------------------------

_LIMIT = 256 * 1024


@pytest.mark.parametrize(
    ("text", "laid_out"),
    [
        pytest.param("**a**\n" + "b" * (_LIMIT - 6), True, id="just short enough"),
        pytest.param("**a**\n" + "b" * (_LIMIT - 5), False, id="a byte too long"),
        pytest.param("**字**" + "字" * ((_LIMIT - 7) // 3), True, id="Chinese, just short enough"),
        pytest.param("**字**" + "字" * ((_LIMIT - 7) // 3 + 1), False, id="Chinese, too long in bytes of UTF-8"),
    ],
)
def test_a_text_over_256_kib_is_not_laid_out(text: str, laid_out: bool) -> None:
    """The limit is in bytes of UTF-8: up to it a text is Markdown, over it the characters that were written."""
    result = show(text)
    assert (result.document.tokens is not None) is laid_out
    assert (result.tags[0].name == "p") is laid_out
    assert ("<strong>" in result.html) is laid_out


def test_a_text_that_is_too_long_is_shown_as_it_was_written() -> None:
    """Line ends, stars, tags and markers of a text that is not laid out are all visible, and it has no markers."""
    text = "\n\n  **a** <b>&amp; [^1^]\n" + "x" * _LIMIT
    result = show(text)
    (pre,) = result.tags
    assert pre.name == "pre"
    # HTML drops one line feed right after <pre>.
    assert result.html.startswith('<pre tabindex="0">\n\n\n  **a** &lt;b&gt;&amp;amp; [^1^]\n')
    assert result.document.markers == ()
    assert result.inserts == ()


def test_a_text_that_is_too_long_is_cleaned_all_the_same() -> None:
    """Control characters and sentinels have no place in a page of any kind."""
    result = show("\ufdd0" + "0" * 16 + ".0\ufdd1\x00\ud800\r\n" + "x" * _LIMIT)
    assert result.html.startswith('<pre tabindex="0">' + "0" * 16 + ".0\ufffd\nx")


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t", "\ufeff", "\x00"])
def test_a_text_of_nothing_is_nothing(text: str) -> None:
    """An empty text has no markers, shows no words and stops nothing."""
    result = show(text)
    assert result.document.tokens is not None
    assert result.text.strip("\ufeff") == ""
