"""Formulas: shown as MathML where that says what the source says, and as their source where it does not."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest
from bs4 import BeautifulSoup, Tag

from renderer.markdown.html import Unsafe
from renderer.markdown.inserts import CiteRef, Formula
from renderer.markdown.math import MAX_FORMULAS, MAX_TEX, MAX_TOTAL, to_mathml
from renderer.markdown.sanitize import finish
from tests.markdown.showing import Shown, show, token
from tests.markdown.test_sanitize import complaints


def formulas(result: Shown) -> list[Tag]:
    """The formulas that are shown as MathML."""
    return [tag for tag in result.tags if tag.name == "math"]


def shape(tag: Tag) -> str:
    """An element's structure: tags with their parts; rows and cells of one part, and attributes, left out."""
    parts = [shape(part) for part in tag.find_all(True, recursive=False)]
    if not parts:
        return tag.get_text() if tag.name != "mspace" else "_"
    return parts[0] if tag.name in ("math", "mrow", "mtd") and len(parts) == 1 else f"{tag.name}({' '.join(parts)})"


def shape_of(tex: str) -> str:
    """The structure of a formula."""
    (math,) = formulas(show(f"$${tex}$$"))
    return shape(math)


# --- What a formula becomes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        (r"\frac{a}{b}", "mfrac(a b)"),
        (r"x^2", "msup(x 2)"),
        (r"x_{i}^{n}", "msubsup(x i n)"),
        (r"\sqrt{2}", "msqrt(2)"),
        (r"\sqrt[3]{x}", "mroot(x 3)"),
        (r"\sum_{i}^{n} i", "mrow(munderover(∑ i n) i)"),
        (r"\lim_{x} f", "mrow(munder(lim x) f)"),
        (r"\int_0^\infty x", "mrow(msubsup(∫ 0 ∞) x)"),
        (r"\left( x \right)", "mrow(( x ))"),
        (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix}", "mrow(( mtable(mtr(a b) mtr(c d)) ))"),
        (r"\begin{cases} a & b \\ c & d \end{cases}", "mrow({ mtable(mtr(a b) mtr(c d)))"),
        (r"\begin{gathered} a \\[4pt] b \end{gathered}", "mtable(mtr(a) mtr(b))"),
        (r"a \\ b", "mtable(mtr(a) mtr(b))"),
        (r"\begin{equation} a \end{equation}", "a"),
        (r"\text{速度} = 5", "mrow(速度 = 5)"),
        (r"\mathbb{R}", "ℝ"),
        (r"\mathbf{xy}", "mrow(𝐱 𝐲)"),
        (r"\boldsymbol{\theta}", "𝜽"),
        (r"\mathfrak{H}", "ℌ"),
        (r"\mathrm{abc}", "abc"),
        (r"\operatorname{softmax}(x)", "mrow(softmax ( x ))"),
        (r"\operatorname*{arg\,max}_x", "munder(arg\u2009max x)"),
        (r"\text{if $x$}", "mstyle(if\xa0 x)"),
        (r"1{,}000", "mrow(1 , 000)"),
        (r"a \tag{1}", "mrow(a _ (1))"),
        (r"\overline{AB}", "mrow(A B)"),
        (r"\color{red}{x}", "mstyle(x)"),
        (r"x[1]", "mrow(x [ 1 ])"),
        (r"\bm{a}\!\le\!b", "mrow(𝒂 _ ≤ _ b)"),
        (r"\mathop{\mathrm{argmin}}", "argmin"),
    ],
)
def test_a_formula_has_the_structure_that_its_source_says(tex: str, expected: str) -> None:
    """Fractions, scripts, roots, tables, alphabets and names come out as the parts that they are."""
    assert shape_of(tex) == expected


def test_lines_are_aligned_at_their_signs() -> None:
    """In `aligned` what stands before & ends where what stands after it begins, and no line gets a number."""
    (math,) = formulas(show("$$\n\\begin{align} a &= b \\\\ c &= d \\end{align}\n$$"))
    cells = [(cell["columnalign"], cell.get_text()) for cell in math.find_all("mtd")]
    assert cells == [("right", "a"), ("left", "=b"), ("right", "c"), ("left", "=d")]


@pytest.mark.parametrize(
    ("tex", "before", "after"),
    [
        (r"2\sin x", "0.167em", "0.167em"),
        (r"\sin(x)", "0", "0"),
        (r"=\log n", "0", "0.167em"),
        (r"\max_i x", "0", "0.167em"),
    ],
)
def test_a_name_stands_apart_from_what_it_is_applied_to(tex: str, before: str, after: str) -> None:
    """sin x has a thin space, sin(x) has none."""
    (math,) = formulas(show(f"$${tex}$$"))
    (name,) = [sign for sign in math.find_all("mo") if str(sign.string).isalpha()]
    assert (name["lspace"], name["rspace"]) == (before, after)


@pytest.mark.parametrize(
    ("text", "display", "tex"),
    [
        ("see $x < 1$ here", "inline", "x < 1"),
        (r"see \( x \) here", "inline", "x"),
        ("see $$x$$ here", "block", "x"),
        ("see \\[\nx = 1\n\\] here", "block", "x = 1"),
        ("$$\nx\n= 1\n$$", "block", "x\n= 1"),
        ("\\[\nx = 1\n\\]", "block", "x = 1"),
        ("```math\nx = 1\n```", "block", "x = 1"),
        ("- a\n  $$x$$", "block", "x"),
        ("> $$\n> x\n> $$", "block", "x"),
        (r"| a |" + "\n| - |\n" + r"| \(x\) |", "inline", "x"),
        (r'$\text{"a"}$', "inline", r'\text{"a"}'),
        ("**bold $x$**", "inline", "x"),
    ],
)
def test_a_formula_carries_its_source(text: str, display: str, tex: str) -> None:
    """Wherever it stands, a formula says its TeX, and whether it stands on a line of its own."""
    (math,) = formulas(show(text))
    assert (math["display"], math["alttext"]) == (display, tex)


@pytest.mark.parametrize("text", ["$$\nx\n$$", "$a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q$"])
def test_a_formula_that_may_be_too_wide_scrolls(text: str) -> None:
    """A block and a long formula scroll in a box of their own, which the keyboard reaches; a short one has none."""
    (box,) = [tag for tag in show(text).tags if tag.get("class") in (["formula-block"], ["formula-scroll"])]
    assert (box["tabindex"], len(box.find_all("math"))) == ("0", 1)
    assert [(tag.name, tag.get("tabindex")) for tag in show("$x$").tags][:3] == [
        ("p", None),
        ("span", None),
        ("math", None),
    ]


@pytest.mark.parametrize(("tex", "is_long"), [("+x" * 30, False), ("+x" * 31, True), (r"\frac{a}{b}", False)])
@pytest.mark.parametrize("around", ["$$\n{}\n$$", "see ${}$"])
def test_a_formula_that_may_be_wider_than_paper_can_be_broken_there(tex: str, is_long: bool, around: str) -> None:
    """From 61 seen characters on a formula is marked, so that print breaks it."""
    tags = [tag for tag in show(around.replace("{}", tex)).tags if "formula-long" in (tag.get("class") or [])]
    assert len(tags) == is_long


def test_a_formula_is_followed_by_its_number() -> None:
    """A marker after a formula is a number; one inside is the formula's."""
    result = show("$x[1]$[^1^] and $y$[^2^]")
    assert [ref.k for ref in result.of(CiteRef)] == [1, 2]
    assert result.text == "x[1]⟦1⟧ and y⟦2⟧"


# --- What is shown as source -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tex",
    [
        r"\ce{2H2 + O2 -> 2H2O}",
        r"\unknown{x}",
        r"\frac{a}",
        r"\frac{a}{b",
        r"a}{b",
        r"\left( x",
        r"a & b",
        r"\begin{tikzcd} a \end{tikzcd}",
        r"\begin{alignat}{2} a &= b \end{alignat}",
        r"\begin{cases} a",
        r"\cancel{x}",
        r"\phantom{x}",
        r"\label{eq:1} x",
        r"\text{a {b} c}",
        r"x % a remark",
        r"x^1^2",
        r"\newcommand{\a}{x}\a",
        r"\def\a{bb}\a",
        r"\sideset{_a}{_b}\sum",
        r"\hspace{99em}x",
        r"\rule{1em}{1em}",
        r"\href{javascript:alert(1)}{x}",
        r"\style{color:red}{x}",
        r"\class{source}{x}",
        r"\unicode{x3c}",
        r"\unicode{xfdd0}",
        "x" * (MAX_TEX + 1),
        "{" * 100 + "x" + "}" * 100,
        r"\frac" * 700 + "xx",
    ],
)
def test_what_cannot_be_shown_is_shown_as_written(tex: str) -> None:
    """Unknown commands, broken TeX, and what styles, links or repeats: nothing is lost, the source is seen."""
    result = show(f"a $${tex}$$ b")
    assert formulas(result) == []
    assert result.text == f"a $${tex}$$ b"
    assert complaints(result.html) == []
    assert to_mathml(tex) is None


def test_macros_do_not_multiply() -> None:
    """A formula that would grow 2ⁿ times by its own definitions takes no time."""
    doubling = "".join(
        f"\\newcommand{{\\{a}}}{{\\{b}\\{b}}}"
        for a, b in zip("abcdefghijklmnopqrst", "bcdefghijklmnopqrstu", strict=True)
    )
    nested = "\\sideset{}{}" * 40 + "\\sum"
    start = time.process_time()
    assert to_mathml(doubling + "\\a") is None
    assert to_mathml(nested) is None
    assert time.process_time() - start < 1


def test_a_fence_of_another_language_stays_code() -> None:
    """LaTeX in a fence is code; and a `math` fence that cannot be shown is code too."""
    assert show("```latex\nx^2\n```").code == ["x^2\n"]
    assert show("```math\n\\unknown{x}\n```").code == ["\\unknown{x}\n"]


def test_after_too_many_formulas_the_rest_is_source() -> None:
    """A text has its formulas shown up to a number, and up to an amount of TeX; the others stay as written."""
    many = show("$x$ " * (MAX_FORMULAS + 5))
    assert len(formulas(many)) == MAX_FORMULAS
    assert many.text.endswith("x $x$ $x$ $x$ $x$ $x$")
    big = "a" * 4000
    assert len(formulas(show(f"$${big}$$ " * 20))) == MAX_TOTAL // 4000


@pytest.mark.parametrize(
    "piece",
    [
        "$",
        "$$ ",
        "$$\n",
        "$a",
        "$a$ ",
        "\\(",
        "\\(x ",
        "\\[\n",
        "\\[x\\] ",
        "$\\text{ ",
        "${",
        "$x_{i}$ ",
        "```math\nx\n```\n",
    ],
)
def test_dollars_take_linear_time(piece: str) -> None:
    """Four times the text takes less than nine times as long (sixteen would be quadratic), the longest under 5 s."""

    def seconds(size: int) -> float:
        to_mathml.cache_clear()
        start = time.process_time()
        assert show(piece * (size // len(piece))).document.tokens is not None
        return time.process_time() - start

    quarter, whole = (min(seconds(size), seconds(size)) for size in (62_500, 250_000))
    assert whole < 5
    assert whole / max(quarter, 0.05) < 9


# --- Hostile formulas ------------------------------------------------------------------------------------------

HOSTILE = [
    r"\text{<img src=x onerror=alert(1)>}",
    r"\text{</mtext><script>alert(1)</script>}",
    r"\text{</mtext></math><img src=x onerror=alert(1)>}",
    r"\text{<!--}</math><img src=x onerror=alert(1)>\text{-->}",
    r"\mbox{<iframe srcdoc=x>}",
    r"\hbox{$<b>$}",
    r"\textbf{<style>*{display:none}</style>}",
    r"\operatorname{a}\text{<svg onload=alert(1)>}",
    r"\verb|<img src=x onerror=alert(1)>|",
    r"\tag{<img src=x onerror=alert(1)>}",
    r"\href{javascript:alert(1)}{x}",
    r"\href{https://evil.example/}{x}",
    r"\style{background:url(http://elsewhere.example/)}{x}",
    r"\class{cite-ref}{x}",
    r"\color{red;background:url(x)}{x}",
    r"\textcolor{expression(alert(1))}{x}",
    r"\colorbox{red}{x}",
    r"\begin{array}{c onclick=alert(1)} a \end{array}",
    r"\hspace{1em onclick=alert(1)}",
    r"\unicode{x3c}script\unicode{x3e}",
    r"\unicode{x22}onload\unicode{x3d}",
    r"\text{&lt;img src=x onerror=alert(1)&gt;}",
    r"\text{&#x3c;img src=x onerror=alert(1)&#x3e;}",
    r"&#x3c;script&#x3e;",
    r"\text{]]><img src=x onerror=alert(1)>}",
    r"<![CDATA[<img src=x onerror=alert(1)>]]>",
    r"<annotation-xml encoding='text/html'><img src=x onerror=alert(1)></annotation-xml>",
    r"\text{<annotation-xml encoding=text/html><style><img src=x onerror=alert(1)></style></annotation-xml>}",
    r"\text{<maction actiontype=statusline xlink:href=javascript:alert(1)>x</maction>}",
    r"\text{<mglyph><style><!--</style><img title='--><img src=1 onerror=alert(1)>'>}",
    r"\text{<malignmark><table><mi>}",
    r"\mathop{\text{<img src=x onerror=alert(1)>}}",
    r"x\text{&#xFDD0;1&#xFDD1;}",
    r"&#xFDD0;1&#xFDD1;",
    "x\ufdd00.0\ufdd1",
    '"><img src=x onerror=alert(1)>',
    "x' onmouseover='alert(1)",
    r'\text{" onmouseover="alert(1)}',
    r"\newcommand{\x}{<script>}\x",
    "{" * 2000 + "x" + "}" * 2000,
    r"\left(" * 600,
]


@pytest.mark.parametrize("tex", HOSTILE)
@pytest.mark.parametrize(
    "around", ["${}$", "$$\n{}\n$$", "\\({}\\)", "\\[\n{}\n\\]", "```math\n{}\n```", "| ${}$ |\n| - |"]
)
def test_no_formula_brings_markup(tex: str, around: str) -> None:
    """Whatever stands in a formula, only the tags, attributes and values of the policy come out, and every word."""
    result = show(f"a[^1^] {around.replace('{}', tex)} b" if "\n" not in around else around.replace("{}", tex))
    assert complaints(result.html) == []
    assert result.html.count("⟦1⟧") == len(result.of(CiteRef))
    alttexts = " ".join(str(tag["alttext"]) for tag in formulas(result))
    shown = "".join((result.text + alttexts).split())
    assert "alert" not in tex or shown.count("alert") >= tex.count("alert")


@pytest.mark.parametrize("tex", [r"\text{<b>x</b>}", r"\text{&#x3c;b>}", "x < y"])
def test_signs_of_markup_are_signs(tex: str) -> None:
    """`<` in a formula is a sign that is seen."""
    (math,) = formulas(show(f"$${tex}$$"))
    signs = tex.removeprefix("\\text{").removesuffix("}").replace(" ", "")
    assert "".join(math.get_text().split()) == signs


def test_what_the_converter_makes_is_sanitized_again() -> None:
    """The sanitizer stands behind the converter: MathML that brings more than the policy loses it."""
    evil = (
        "<mtext><img src=x onerror=alert(1)></mtext><mi href=javascript:alert(1) style=x id=y>z</mi>"
        "<annotation-xml encoding=text/html><p>q</p></annotation-xml><script>alert(1)</script></math><p onclick=x>r"
    )
    nonce = "0123456789abcdef"
    unsafe = Unsafe(f"<p>\ufdd0{nonce}.0\ufdd1</p>", nonce, (Formula('"><b>', evil, False),))
    html = str(finish(unsafe, token))
    assert complaints(html) == []
    (math,) = BeautifulSoup(html, "html.parser").find_all("math")
    assert (math["alttext"], math.get_text()) == ('"><b>', "z")


def test_a_page_without_a_formula_loads_no_converter() -> None:
    """The converter and its table of symbols are loaded for the first formula, not before."""
    program = (
        "import sys; from renderer.markdown.fragment import read_markdown; from renderer.markdown import html, math;"
    )
    program += "print('latex2mathml' in sys.modules, bool(math.to_mathml('x')), 'latex2mathml' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True", "True"]
