"""Our own Markdown rules: formulas, bare addresses, footnotes."""

from __future__ import annotations

import pytest

from renderer.markdown.emphasis import Token
from renderer.markdown.inserts import FootnoteBacks, FootnoteRef
from renderer.markdown.parse import parse
from tests.markdown.showing import show

# --- Formulas --------------------------------------------------------------------------------------------------


def tokens_of(text: str) -> list[Token]:
    """The inline tokens of a paragraph."""
    (paragraph,) = parse(text, "").blocks
    children = paragraph["children"]
    assert isinstance(children, list)
    return children


@pytest.mark.parametrize(
    "formula",
    [
        "$x$",
        "$x+y$",
        "$\\alpha_1$",
        "$a_b$",
        "$a*b*c$",
        "$f(x) = \\{1, 2\\}$",
        "$\\$5$",
        "$5 \\times 3$",
        "$[a](b)$",
        "$$x$$",
        "$$ x $$",
        "\\(x\\)",
        "\\( a+b \\)",
        "\\(x - 1\\)",
        "\\(a, b, c\\)",
        "$n$",
        "$HOME \\times x$",
        "$$ \\text{cost and gain} $$",
        "\\(a_1 * b_2\\)",
        "\\[x = 1\\]",
        "\\[ x^2 \\]",
    ],
)
def test_a_formula_in_a_line_keeps_its_source(formula: str) -> None:
    """What stands in a formula is kept as it was written, and no Markdown is read in it."""
    (token,) = [token for token in tokens_of(f"see {formula} here") if token["type"] == "math"]
    assert token["raw"] == formula


@pytest.mark.parametrize(
    "formula",
    [
        "$$\nx\n$$",
        "$$x$$",
        "$$ x + y $$",
        "$$\na *b* [c](d)\n\n= e\n$$",
        "\\[\nx = 1\n\\]",
        "\\[ x = 1 \\]",
        "\\[\n\\begin{aligned}\na &= b \\\\\nc &= d\n\\end{aligned}\n\\]",
    ],
)
@pytest.mark.parametrize("indent", ["", "   "])
def test_a_formula_on_its_own_lines_is_a_block(formula: str, indent: str) -> None:
    """A formula that fills its lines is a block that keeps its line ends, and text may follow right after it."""
    block, after = parse(f"{indent}{formula}\nafter", "").blocks
    assert (block["type"], block["raw"]) == ("math_block", formula)
    assert (after["type"], after["children"][0]["raw"]) == ("paragraph", "after")


@pytest.mark.parametrize(
    ("text", "inside"),
    [("> $$\n> x\n> $$", "blockquote"), ("- $$\n  x\n  $$", "li"), ("1. a\n\n   $$\n   x\n   $$", "li")],
)
def test_a_formula_may_stand_in_a_quote_or_a_list(text: str, inside: str) -> None:
    """A block formula is found wherever blocks are."""
    (formula,) = [tag for tag in show(text).tags if tag.name == "math"]
    assert (formula["display"], formula["alttext"], formula.get_text()) == ("block", "x", "x")
    assert formula.find_parent(inside) is not None


@pytest.mark.parametrize(
    "text",
    [
        "$5 and $10",
        "costs $5, not $6.",
        "$5",
        "from $5 to $10 a day",
        "US$5 to US$6",
        "HK$100–HK$200",
        "$100-$200",
        "$20,000 and $30,000",
        "$1.50/$2.50",
        "价格$5和$6元",
        "$5 bills and 3$",
        "$2k–$50k",
        "US$5",
        "costs $3, or $4 each",
        "$100$",
        "$5 and x$",
        "$5 and x_1$",
        "价格是$5到$10。",
        "涨了$5（+3%）到$6，约￥40",
        "约$5=￥36，合$7.",
        "$HOME/bin:$PATH",
        "$(pwd)/$(date)",
        "${a}/${b}",
        "$('a')+$('b')",
        "^foo$|^bar$",
        "we pay in $$ and in $$ only",
        "$HOME and $PATH",
        "Shell var $HOME and $PATH. It is 5$ here and 6$ there.",
        "set $PATH is 5$ here",
        "pay $PRICE. No more than 7$ a day",
        "see $TERM or screen$ there",
        "a$b$c",
        "$ x $",
        "$x $",
        "$ x$",
        "$x$5",
        "$",
        "$$",
        "$$ $$",
        "$$\nnever closed",
        "costs $5[x] or $6",
    ],
)
def test_money_is_no_formula(text: str) -> None:
    """Dollars of sums, of variables and of nothing at all are dollars."""
    result = show(text)
    assert result.text == " ".join(text.split())
    assert all(tag.get("class") != ["math"] and tag.name != "math" for tag in result.tags)


def test_bold_money_is_bold() -> None:
    """A sum in bold is bold, a sum in a table's cell is one cell, and neither is a formula."""
    row = show("| a | b |\n| - | - |\n| $5 | $6 |").markup
    assert "<td>$5</td><td>$6</td>" in row
    assert show("**$1.50** or **$2**").markup == "<p><strong>$1.50</strong> or <strong>$2</strong></p>"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see \\[1\\] here", "see [1] here"),
        ("\\[1\\] First\n\\[2\\] Second", "[1] First [2] Second"),
        ("\\[1\\]", "[1]"),
        ("\\[1\\]\n\nmore", "[1] more"),
        ("\\[sic\\]", "[sic]"),
        ("\\[注：此为草案\\]", "[注：此为草案]"),
        ("- \\[1\\]", "[1]"),
        ("\\(see above\\)", "(see above)"),
        ("\\[a\\](b)", "[a](b)"),
        ("[\\[1\\]](http://a.b)", "[1]"),
        ("\\( \\)", "( )"),
        ("\\\\(x\\\\)", "\\(x\\)"),
        ("\\$5 and \\$6", "$5 and $6"),
    ],
)
def test_escaped_brackets_stay_brackets(text: str, shown: str) -> None:
    """A backslash before a bracket is CommonMark's escape unless what the brackets hold is a formula."""
    result = show(text)
    assert result.text == shown
    assert all(tag.get("class") != ["math"] and tag.name != "math" for tag in result.tags)


def test_code_holds_no_formula() -> None:
    """Dollars in code are code."""
    assert show("`$x$` and `\\(y\\)`").markup == "<p><code>$x$</code> and <code>\\(y\\)</code></p>"


# --- Bare addresses --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "address"),
    [
        pytest.param("see https://a.example/x here", "https://a.example/x", id="between blanks"),
        pytest.param("http://a.example", "http://a.example", id="alone"),
        pytest.param("见https://a.example/x，然后继续", "https://a.example/x", id="before a Chinese comma"),
        pytest.param("见 https://a.example/x。", "https://a.example/x", id="before a Chinese full stop"),
        pytest.param("https://a.example/x、第二", "https://a.example/x", id="before an enumeration comma"),
        pytest.param("https://a.example/x；第二", "https://a.example/x", id="before a Chinese semicolon"),
        pytest.param("https://a.example/x：第二", "https://a.example/x", id="before a Chinese colon"),
        pytest.param("https://a.example/x！？", "https://a.example/x", id="before Chinese marks"),
        pytest.param("（https://a.example/x）", "https://a.example/x", id="in full-width brackets"),
        pytest.param("「https://a.example/x」", "https://a.example/x", id="in corner brackets"),
        pytest.param("《https://a.example/x》", "https://a.example/x", id="in title marks"),
        pytest.param("【https://a.example/x】", "https://a.example/x", id="in lenticular brackets"),
        pytest.param("“https://a.example/x”", "https://a.example/x", id="in curly quotes"),
        pytest.param("https://a.example/x……", "https://a.example/x", id="before an ellipsis"),
        pytest.param("https://a.example/x\u3000y", "https://a.example/x", id="before a full-width blank"),
        pytest.param("(https://a.example/x)", "https://a.example/x", id="in brackets"),
        pytest.param("(see https://a.example/x).", "https://a.example/x", id="in brackets before a full stop"),
        pytest.param("详见(https://a.example/x)的说明", "https://a.example/x", id="in brackets before Chinese"),
        pytest.param("[https://a.example/x]的说明", "https://a.example/x", id="in square brackets before Chinese"),
        pytest.param("{https://a.example/x}", "https://a.example/x", id="in braces"),
        pytest.param("https://a.example/A_(b) c", "https://a.example/A_(b)", id="with brackets of its own"),
        pytest.param("(https://a.example/A_(b))", "https://a.example/A_(b)", id="with brackets, in brackets"),
        pytest.param("https://a.example/x.", "https://a.example/x", id="before a full stop"),
        pytest.param("https://a.example/x?y=1&z=2!", "https://a.example/x?y=1&z=2", id="query before a mark"),
        pytest.param('"https://a.example/x"', "https://a.example/x", id="in quotes"),
        pytest.param("'https://a.example/x'", "https://a.example/x", id="in single quotes"),
        pytest.param("**https://a.example/x**", "https://a.example/x", id="in bold"),
        pytest.param("*https://a.example/x*", "https://a.example/x", id="in italics"),
        pytest.param("~~https://a.example/x~~", "https://a.example/x", id="struck through"),
        pytest.param("https://a.example/a_b_c", "https://a.example/a_b_c", id="underscores"),
        pytest.param("https://a.example/x:y;z", "https://a.example/x:y;z", id="marks inside"),
        pytest.param("https://a.example/路径/文件", "https://a.example/路径/文件", id="Chinese path"),
        pytest.param("https://a.example/x<br>y", "https://a.example/x", id="before a tag"),
        pytest.param("<https://a.example/x>", "https://a.example/x", id="in angle brackets"),
        pytest.param("| https://a.example/x |\n| - |", "https://a.example/x", id="in a table"),
        pytest.param("https://a.example/x[^1^]y", "https://a.example/x", id="before a marker"),
    ],
)
def test_a_bare_address_is_a_link_as_far_as_it_goes(text: str, address: str) -> None:
    """An address in the text is a link that ends before punctuation of the sentence, Chinese or ASCII, and brackets."""
    assert show(text).links == [(address, address)]


@pytest.mark.parametrize(
    "text", ["https://", "http://", "https:// a", "ftp://a.example/", "www.example.com", "a@b.example"]
)
def test_what_is_no_whole_address_is_no_link(text: str) -> None:
    """Only http and https with a host are linked on sight."""
    result = show(text)
    assert result.links == []
    assert result.text == text


def test_two_addresses_are_two_links() -> None:
    """Addresses side by side, with Chinese punctuation between them, do not run together."""
    assert show("https://a.example/x、https://b.example/y").links == [
        ("https://a.example/x", "https://a.example/x"),
        ("https://b.example/y", "https://b.example/y"),
    ]


def test_an_address_as_the_text_of_a_link_is_not_linked_twice() -> None:
    """A link whose text is an address is one link."""
    assert show("[https://a.example/x](https://b.example/)").links == [("https://b.example/", "https://a.example/x")]


def test_code_holds_no_link() -> None:
    """An address in code is code."""
    result = show("`https://a.example/x`\n\n    https://b.example/\n")
    assert result.links == []
    assert result.code == ["https://a.example/x", "https://b.example/"]


# --- Footnotes -------------------------------------------------------------------------------------------------


def test_a_defined_footnote_is_a_footnote() -> None:
    """A reference becomes a number, the note stands at the end, and leads back."""
    assert show("one[^1] two\n\n[^1]: The *note*.").markup == (
        "<p>one⟦^1.1⟧ two</p>⟦^⟧<ol><li>⟦#1⟧<p>The <em>note</em>.</p>⟦↩1×1⟧</li></ol>⟦/^⟧"
    )


@pytest.mark.parametrize("text", ["one[^1] two", "one[^note]", "[^1]", "a[^b][^c]"])
def test_an_undefined_footnote_is_text(text: str) -> None:
    """A reference that nothing defines is shown as it was written."""
    result = show(text)
    assert result.text == text
    assert result.inserts == ()


@pytest.mark.parametrize(
    "definition",
    ["[^n]: note", "  [^n]: note", "[^n]:note", "[^n]:\n    note", "> [^n]: note", "- [^n]: note", "[^N]: note"],
)
@pytest.mark.parametrize("order", ["before", "after"])
def test_a_definition_may_stand_anywhere(definition: str, order: str) -> None:
    """A note is defined before or after its references, indented, in a quote or in a list."""
    text = f"{definition}\n\none[^n]" if order == "before" else f"one[^n]\n\n{definition}"
    result = show(text)
    assert "one⟦^1.1⟧" in result.text
    assert "⟦#1⟧note⟦↩1×1⟧" in result.dense


def test_notes_are_numbered_by_their_first_reference() -> None:
    """The order of the references counts, not that of the definitions; a second reference is a second place."""
    result = show("X[^b] Y[^a] Z[^b]\n\n[^a]: first defined\n[^b]: second defined")
    assert result.of(FootnoteRef) == [FootnoteRef(1, 1), FootnoteRef(2, 1), FootnoteRef(1, 2)]
    assert result.of(FootnoteBacks) == [FootnoteBacks(1, 2), FootnoteBacks(2, 1)]
    assert result.dense.endswith("⟦^⟧⟦#1⟧seconddefined⟦↩1×2⟧⟦#2⟧firstdefined⟦↩2×1⟧⟦/^⟧")


def test_a_note_that_nothing_refers_to_is_shown() -> None:
    """A note is never dropped; without references it comes last and leads nowhere back."""
    result = show("[^a]: never\n[^b]: used\n\none[^b]")
    assert result.of(FootnoteBacks) == [FootnoteBacks(1, 1), FootnoteBacks(2, 0)]
    assert result.dense == "one⟦^1.1⟧⟦^⟧⟦#1⟧used⟦↩1×1⟧⟦#2⟧never⟦↩2×0⟧⟦/^⟧"


def test_of_two_definitions_the_first_is_the_note() -> None:
    """A label that is defined twice means its first definition."""
    result = show("one[^a]\n\n[^a]: first\n[^a]: second")
    assert "⟦#1⟧first" in result.dense
    assert result.of(FootnoteBacks) == [FootnoteBacks(1, 1)]


def test_notes_may_refer_to_notes() -> None:
    """A note that only a note refers to is numbered after it, and notes may refer to each other and to themselves."""
    result = show("one[^a]\n\n[^b]: see [^a]\n[^a]: see [^b] and [^a]")
    assert result.of(FootnoteRef) == [FootnoteRef(1, 1), FootnoteRef(2, 1), FootnoteRef(1, 2), FootnoteRef(1, 3)]
    assert result.of(FootnoteBacks) == [FootnoteBacks(1, 3), FootnoteBacks(2, 1)]


def test_a_note_may_hold_paragraphs_and_lists() -> None:
    """What is indented under a definition belongs to the note, and what is not does not."""
    text = "one[^a]\n\n[^a]: first\n    line\n\n    second\n\n    - item\n\nrest"
    assert show(text).markup == (
        "<p>one⟦^1.1⟧</p><p>rest</p>⟦^⟧<ol><li>⟦#1⟧<p>first\nline</p><p>second</p><ul><li>item</li></ul>⟦↩1×1⟧</li></ol>⟦/^⟧"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("# H[^n]", "H⟦^1.1⟧", id="heading"),
        pytest.param("- a[^n]", "a⟦^1.1⟧", id="list"),
        pytest.param("*a[^n]*", "a⟦^1.1⟧", id="emphasis"),
        pytest.param("| a[^n] |\n| - |", "⟦|⟧a⟦^1.1⟧⟦/|⟧", id="table"),
        pytest.param("a[^n](b)", "a⟦^1.1⟧(b)", id="before brackets"),
        pytest.param("a[^n][^1^]", "a⟦^1.1⟧⟦1⟧", id="beside a marker"),
        pytest.param("`[^n]`", "[^n]", id="not in code"),
        pytest.param("\\[^n]", "[^n]", id="not behind a backslash"),
    ],
)
def test_a_reference_stands_where_text_does(text: str, shown: str) -> None:
    """References are found in text only."""
    assert show(f"{text}\n\n[^n]: note").text.startswith(f"{shown} ⟦^⟧")


@pytest.mark.parametrize(
    "text", ["[a[^n]](http://a.b) z", "[**a[^n]**](http://a.b) z", "[a[^n]][r] z\n\n[r]: http://a.b"]
)
def test_a_reference_inside_a_link_goes_after_it(text: str) -> None:
    """There is no link in a link: a footnote's number stands after the link like a source's."""
    result = show(f"{text}\n\n[^n]: note")
    assert result.links == [("http://a.b", "a")]
    assert result.text.startswith("a⟦^1.1⟧ z")


def test_a_label_in_any_script_is_a_label() -> None:
    """Labels are compared without case and may be in Chinese."""
    assert show("一[^注]二[^Ab]\n\n[^注]: 第一\n[^aB]: 第二").of(FootnoteRef) == [FootnoteRef(1, 1), FootnoteRef(2, 1)]
