"""Titles become file names that every system takes and a reader still knows."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.file_names import safe_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Climate in 2024", "Climate-in-2024"),
        ("2024 年气候报告：要点", "2024-年气候报告-要点"),
        ("नमस्ते दुनिया", "नमस्ते-दुनिया"),
        ("שָׁלוֹם", "שָׁלוֹם"),
        ("Cafe\u0301 Zu\u0308rich", "Caf\u00e9-Z\u00fcrich"),
        ("  -- what?! --  ", "what"),
        ('a/b\\c:d*e?f"g<h>i|j', "a-b-c-d-e-f-g-h-i-j"),
        ("../../etc/passwd", "etc-passwd"),
        ("..\\..\\boot.ini", "boot-ini"),
        (".hidden", "hidden"),
        ("%2e%2e%2f", "2e-2e-2f"),
        ("-rf", "rf"),
        ("trailing.", "trailing"),
        ("\u202eexe.txt", "exe-txt"),
        ("nul\x00byte\x1b[31m\n", "nul-byte-31m"),
        ("lone\ud800surrogate", "lone-surrogate"),
        ("❤\ufe0f love", "love"),
        ("\u0301 mark without a letter", "mark-without-a-letter"),
        ("a\u200d\u0301b", "a-b"),
    ],
)
def test_a_title_keeps_its_letters_and_digits(title: str, name: str) -> None:
    """Letters, digits and their marks of any script stay, and each run of anything else is one "-"."""
    assert safe_name(title, "x") == name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("CON", "CON-file"),
        ("nul", "nul-file"),
        ("Aux.", "Aux-file"),
        ("com1", "com1-file"),
        ("LPT9", "LPT9-file"),
        ("COM¹", "COM¹-file"),
        ("lpt³", "lpt³-file"),
        ("CON.txt", "CON-txt"),
        ("COM10", "COM10"),
        ("console", "console"),
    ],
)
def test_a_device_of_windows_is_no_name(title: str, name: str) -> None:
    """A name that Windows keeps for a device gets an addition; names that only begin like one get none."""
    assert safe_name(title, "x") == name


@pytest.mark.parametrize(
    ("title", "fallback", "name"),
    [
        ("", "conversation-42", "conversation-42"),
        ("？！…", "conversation-42", "conversation-42"),
        ("🎉🎉", "conversation-a/../b", "conversation-a-b"),
        ("", "conversation-", "conversation"),
        ("", "con", "con-file"),
        ("", "…", "conversation"),
        ("", "", "conversation"),
    ],
)
def test_a_title_without_letters_gives_the_fallback(title: str, fallback: str, name: str) -> None:
    """A title with nothing to keep gives the fallback, made safe in the same way; there is always a name."""
    assert safe_name(title, fallback) == name


@pytest.mark.parametrize(
    ("title", "limit", "name"),
    [
        ("a" * 101, 100, "a" * 100),
        ("汉" * 34, 100, "汉" * 33),
        ("ab 汉字", 5, "ab"),
        ("ab 汉字", 6, "ab-汉"),
        ("e\u0323\u0323x", 4, "fall"),
        ("xe\u0332\u0332", 5, "x"),
        ("xe\u0332\u0332", 6, "xe\u0332\u0332"),
        ("one two", 4, "one"),
    ],
)
def test_a_long_title_is_cut_where_a_letter_ends(title: str, limit: int, name: str) -> None:
    """The limit counts bytes, and a cut never parts a letter from its marks nor leaves a "-" at the end."""
    assert safe_name(title, "fallback", limit) == name


def test_a_flood_of_marks_takes_no_time() -> None:
    """A million combining marks, which are slow to put in order, are not looked at."""
    assert safe_name("a" + "\u0315\u0300" * 500_000, "fallback") == "fallback"


@given(st.text(alphabet=st.characters(exclude_categories=())), st.integers(min_value=1, max_value=120))
def test_every_title_gives_a_name_that_every_system_takes(title: str, limit: int) -> None:
    """Any name is short, in normal form, without separators, and neither empty nor hidden nor like an option."""
    name = safe_name(title, "conversation", max(limit, 12))
    assert len(name.encode()) <= max(limit, 12)
    assert unicodedata.normalize("NFC", name) == name
    assert all(char == "-" or unicodedata.category(char)[0] in "LMN" for char in name)
    assert name.strip("-") == name != ""
    assert safe_name(name, "x", 120) == name
