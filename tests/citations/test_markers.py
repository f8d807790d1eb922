"""What counts as a marker, and which number it names (first design, §5.1 and §8)."""

from __future__ import annotations

import re

import pytest

from renderer.citations.markers import CARET, DIALECTS, extract_citation_markers, marker_number


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param("", [], id="empty"),
        pytest.param("no marker here", [], id="none"),
        pytest.param("截止时间是 11 月 30 日[^1^]。", [1], id="one"),
        pytest.param("[^1^][^2^]", [1, 2], id="adjacent"),
        pytest.param("b[^2^] a[^1^]", [2, 1], id="out of order"),
        pytest.param("x[^9^] y[^999^]", [9, 999], id="out of range"),
        pytest.param("[^3^] again [^3^]", [3, 3], id="repeated"),
        pytest.param("[^0^]", [0], id="zero"),
        pytest.param("[^007^]", [7], id="leading zeros"),
        pytest.param("[^000^]", [0], id="only zeros"),
        pytest.param("```\n[^4^]\n``` and `[^5^]`", [4, 5], id="in code too"),
        pytest.param("[^[^1^]^]", [1], id="inside another"),
        pytest.param("[^1^](x)[^2^]: y", [1, 2], id="before Markdown"),
        pytest.param("[^1^^2^][^3^]", [3], id="two numbers in one"),
    ],
)
def test_markers_come_out_in_the_order_of_the_text(text: str, numbers: list[int]) -> None:
    """Every `[^n^]` gives its number, in order, whatever stands around it and whether or not it is in range."""
    assert extract_citation_markers(text) == numbers


@pytest.mark.parametrize(
    "text",
    [
        "[^a^]",
        "[^1a^]",
        "[^1",
        "[^1^",
        "^1^]",
        "[1]",
        "[^1]",
        "[1^]",
        "[^^]",
        "[^ 1 ^]",
        "[^-1^]",
        "[^+1^]",
        "[^1.5^]",
        "[^1,2^]",
        "[^1\n^]",
        "[ ^1^ ]",
        "[^１^]",
        "[^٣^]",
        "[^१^]",
        "[^²^]",
        "[^①^]",
        "［^1^］",
        "[ˆ1ˆ]",
        "【^1^】",
    ],
)
def test_what_is_no_marker_is_none(text: str) -> None:
    """Only ASCII digits between `[^` and `^]` are a marker: no letters, signs, blanks or digits of other scripts."""
    assert extract_citation_markers(text) == []


def test_a_number_of_ten_thousand_digits_is_far_out_of_range() -> None:
    """A number that Python would refuse to convert comes out as 10**18."""
    assert extract_citation_markers(f"[^{'9' * 10_000}^]") == [10**18]


@pytest.mark.parametrize(
    ("digits", "number"),
    [
        pytest.param("1" + "0" * 17, 10**17, id="eighteen digits are converted"),
        pytest.param("9" * 18, 999_999_999_999_999_999, id="eighteen nines are converted"),
        pytest.param("1" + "0" * 18, 10**18, id="nineteen digits are not"),
        pytest.param("9" * 19, 10**18, id="nineteen nines are not"),
        pytest.param("0" * 10_000 + "12", 12, id="leading zeros do not count"),
    ],
)
def test_more_than_eighteen_digits_are_clamped(digits: str, number: int) -> None:
    """Up to 18 digits name their number, all longer ones the same one beyond every list."""
    assert marker_number(digits) == number


def test_a_very_long_text_is_read_to_its_end() -> None:
    """The markers of a text of a million characters are all found."""
    text = "公告正文。" * 100_000 + "[^7^]" + "x" * 500_000 + "[^8^]"
    assert extract_citation_markers(text) == [7, 8]


def test_two_calls_give_the_same() -> None:
    """Nothing is remembered between calls: the second one starts at the beginning of its text."""
    text = "a[^1^]b[^2^]"
    assert extract_citation_markers(text) == [1, 2]
    assert extract_citation_markers(text) == [1, 2]
    assert extract_citation_markers("[^3^]") == [3]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=lambda dialect: dialect.name)
def test_a_dialect_is_what_the_parser_needs(dialect: object) -> None:
    """A dialect's pattern compiles and has no groups, and its start characters are given."""
    assert isinstance(dialect, type(CARET))
    assert re.compile(dialect.pattern).groups == 0
    assert dialect.start_chars


@pytest.mark.parametrize("label", ["^1^", "^007^", "^12345^"])
def test_a_label_of_marker_shape_is_known(label: str) -> None:
    """The dialect's `label` matches what stands between the brackets of a marker."""
    assert re.fullmatch(CARET.label, label)


@pytest.mark.parametrize("label", ["^1", "1", "1^", "^a^", "^^", "note"])
def test_another_label_is_not_of_marker_shape(label: str) -> None:
    """Labels of real footnotes and links may define something."""
    assert not re.fullmatch(CARET.label, label)


# --- Bare brackets, of retrieval answers (second design, §3 and §4; contract §6) ---------------------------------


def bracket_markers(text: str) -> list[tuple[int, ...]]:
    """The numbers of each marker of the dialect "bracket" in a text."""
    bracket = DIALECTS["bracket"]
    return [bracket.numbers(raw) for raw in re.findall(bracket.pattern, text)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("违约金比例是 5%[1]，争议解决地为上海[2]。", [(1,), (2,)]),
        ("x[1][3]", [(1,), (3,)]),
        ("[0] [12] [123] [007]", [(0,), (12,), (123,), (7,)]),
        ("[1,3] [1, 3] [1，3]", [(1, 3), (1, 3), (1, 3)]),
        ("[2-4] [2–4]", [(2, 3, 4), (2, 3, 4)]),
        ("[1,3-5]", [(1, 3, 4, 5)]),
        ("[1,1]", [(1,)]),
    ],
)
def test_bare_brackets_name_their_numbers(text: str, numbers: list[tuple[int, ...]]) -> None:
    """Up to three digits in brackets are a marker; a list or a range of them names several numbers, each once."""
    assert bracket_markers(text) == numbers


@pytest.mark.parametrize(
    "text",
    ["[2026]", "[1, 2026]", "[10000]", "[a]", "[x1]", "[]", "[ ]", "[-1]", "[1.5]", "[１]", "[^1]", "[1](x)", "(1)"],
)
def test_other_brackets_are_no_markers(text: str) -> None:
    """Four digits and more are a year, and a link whose text is a number is a link."""
    assert bracket_markers(text) == []


def test_a_range_names_no_absurd_number_of_sources() -> None:
    """A few characters do not stand for thousands of numbers, or a short text would fill the memory."""
    assert all(len(numbers) <= 100 for numbers in bracket_markers("[1-999] [0-999,0-999] [1-100]"))
