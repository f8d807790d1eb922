"""Markers are replaced in the source where the parser finds some, and nowhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.markdown.fragment import read_markdown
from renderer.markdown.occurrences import replace_markers
from tests.markdown.showing import show


def replaced(text: str, dialect: str = "caret") -> str:
    """`text` with markers 1 to 3 as ⟦n⟧ and all others removed."""
    document = read_markdown(text, dialect)
    numbers = {marker.raw: marker.numbers for marker in document.markers}
    return replace_markers(document, dialect, lambda raw: "".join(f"⟦{n}⟧" for n in numbers[raw] if n <= 3))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rain[^1^], snow[^2^].", "Rain⟦1⟧, snow⟦2⟧."),
        ("Rain [^1^][^2^]", "Rain⟦1⟧⟦2⟧"),
        ("`[^1^]` and [^1^]", "`[^1^]` and⟦1⟧"),
        ("```\n[^1^]\n```\nx[^1^]", "```\n[^1^]\n```\nx⟦1⟧"),
        ("    [^1^]\n\nx[^1^]", "    [^1^]\n\nx⟦1⟧"),
        ("$a[^1^]^2$ b[^2^]", "$a[^1^]^2$ b⟦2⟧"),
        (r"a\[^1^] b[^2^]", r"a\[^1^] b⟦2⟧"),
        ("[x](http://a.b/[^1^]) y[^2^]", "[x](http://a.b/[^1^]) y⟦2⟧"),
        ("|a|b|\n|-|-|\n|c[^1^]|`[^2^]`|", "|a|b|\n|-|-|\n|c⟦1⟧|`[^2^]`|"),
        ("> q[^1^]\n- a[^2^]", "> q⟦1⟧\n- a⟦2⟧"),
        ("**Yes![^1^]**", "**Yes!⟦1⟧**"),
        ("no marker [^a^] [^1]", "no marker [^a^] [^1]"),
        ("see[^a]\n\n[^a]: note[^1^]", "see[^a]\n\n[^a]: note⟦1⟧"),
    ],
)
def test_markers_are_replaced_where_they_are_some(text: str, expected: str) -> None:
    """A marker in code, in a formula, in an address or escaped stays as it is; every other one is replaced."""
    assert replaced(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rain [^9^].", "Rain."),
        ("Rain [^9^] [^8^] and", "Rain and"),
        ("Rain ([^9^]) and", "Rain and"),
        ("雨（[^9^]）和", "雨和"),
        ("Rain [^9^]\nsnow", "Rain\nsnow"),
        ("- [^9^] x", "- x"),
        ("  [^9^] x", "  x"),
        ("[^9^]# x", r"\# x"),
        ("![rain [^1^]](http://a.b/c)", "![rain](http://a.b/c)"),
        ("end [^9^]", "end"),
    ],
)
def test_a_removed_marker_leaves_nothing(text: str, expected: str) -> None:
    """No blank, no empty bracket and no new structure stays where a marker was removed."""
    assert replaced(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[^1^]: http://evil.example", r"⟦1⟧\: http://evil.example"),
        ("x[^1^](http://evil.example)", "x⟦1⟧ (http://evil.example)"),
        ("x[^1^][e]\n\n[e]: http://evil.example", "x⟦1⟧ [e]\n\n[e]: http://evil.example"),
        ("http://a.b/c[^1^]", "http://a.b/c ⟦1⟧"),
    ],
)
def test_what_follows_a_reference_cannot_change_it(text: str, expected: str) -> None:
    """A reference becomes no link, no definition and no part of an address."""
    assert replaced(text) == expected


def test_other_dialects_are_replaced_alike() -> None:
    """A list of numbers in brackets names each of its sources; a link of that shape is a link."""
    assert replaced("a [1,9] b[2-3] [1](http://x.y) `[1]`", "bracket") == "a⟦1⟧ b⟦2⟧⟦3⟧ [1](http://x.y) `[1]`"


PIECES = [
    "[^1^]",
    "[^9^]",
    " ",
    "\n",
    "`",
    "**",
    "[",
    "](http://a.b)",
    "!",
    "\\",
    "> ",
    "- ",
    "x",
    "雨",
    "|",
    "$",
    "```\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_as_many_markers_are_replaced_as_the_page_shows(text: str) -> None:
    """Whatever stands around them, the numbers written into the source are those that the page shows."""
    shown = show(text, listed=(1, 2, 3)).html.count("⟦1⟧")
    assert replaced(text).count("⟦1⟧") == shown
