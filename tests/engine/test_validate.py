"""Whether the markers of an answer name sources that there are (second design, §4; contract §2 and §6)."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer import RendererError, Validation, validate_citations

CASES = [
    pytest.param("违约金比例是 5%[1]，争议解决地为上海[2]。", 2, True, (), (), 2, id="the design's own answer"),
    pytest.param("资料中未提及。", 2, True, (), (1, 2), 0, id="nothing cited"),
    pytest.param("", 0, True, (), (), 0, id="nothing at all"),
    pytest.param("a[3].", 2, False, (3,), (1, 2), 1, id="a made-up number"),
    pytest.param("a[0].", 1, False, (0,), (1,), 1, id="zero"),
    pytest.param("a[1]b[1]c[1]", 2, True, (), (2,), 1, id="one number three times"),
    pytest.param("a[2][1]", 2, True, (), (), 2, id="out of order"),
    pytest.param("a[1][3]", 3, True, (), (2,), 2, id="two markers"),
    pytest.param("a[1,3] b[9]", 3, False, (9,), (2,), 3, id="a list in one marker"),
    pytest.param("a[1, 3]", 3, True, (), (2,), 2, id="a list with a blank"),
    pytest.param("a[1，3]", 3, True, (), (2,), 2, id="a list with a Chinese comma"),
    pytest.param("a[2-4]", 4, True, (), (1,), 3, id="a range"),
    pytest.param("a[2–4]", 3, False, (4,), (1,), 3, id="a range with a dash, beyond the end"),
    pytest.param("a[001]", 1, True, (), (), 1, id="leading zeros"),
    pytest.param("In [2026] and [1999]", 1, True, (), (1,), 0, id="four digits are a year"),
    pytest.param("a[999]", 1, False, (999,), (1,), 1, id="three digits are a number"),
    pytest.param("a[x] b[] c[ 1 ] d[-1] e[1.5]", 1, True, (), (1,), 0, id="no markers"),
    pytest.param("a[^1^] b[^1]", 1, True, (), (1,), 0, id="markers of another dialect"),
    pytest.param("[9] [7] [8]", 1, False, (7, 8, 9), (1,), 3, id="several made-up numbers"),
]


@pytest.mark.parametrize(("answer", "sources", "valid", "invalid", "unused", "count"), CASES)
def test_an_answer_is_checked(
    answer: str, sources: int, valid: bool, invalid: tuple[int, ...], unused: tuple[int, ...], count: int
) -> None:
    """Numbers without a source are invalid, sources without a number unused, and different numbers are counted."""
    assert validate_citations(answer, sources) == Validation(valid, invalid, unused, count)


@pytest.mark.parametrize(
    ("answer", "sources", "expected"),
    [
        ("截止 11 月 30 日[^1^]。", 1, Validation(True, (), (), 1)),
        ("a[^2^][^9^] `[^1^]`", 3, Validation(False, (9,), (3,), 3)),
        ("a[1] [^a^] [^1]", 1, Validation(True, (), (1,), 0)),
        (f"a[^{'9' * 10_000}^]", 1, Validation(False, (10**18,), (1,), 1)),
    ],
)
def test_the_dialect_can_be_chosen(answer: str, sources: int, expected: Validation) -> None:
    """With the dialect `caret` the markers are those of the first design, in code too."""
    assert validate_citations(answer, sources, dialect="caret") == expected


def test_a_dialect_that_there_is_not_is_an_error() -> None:
    """An unknown dialect is an error that lists those that there are."""
    with pytest.raises(RendererError, match=r"'nope'.*caret"):
        validate_citations("a[1]", 1, dialect="nope")


def test_what_comes_out_cannot_be_changed() -> None:
    """A result is a frozen value."""
    checked = validate_citations("a[1]", 1)
    with pytest.raises(FrozenInstanceError):
        checked.valid = False  # type: ignore[misc]


@given(st.lists(st.integers(0, 30), max_size=12), st.integers(0, 25))
def test_any_numbers_are_told_apart(numbers: list[int], sources: int) -> None:
    """Whatever is cited, each number is either valid or invalid, and each source either used or unused."""
    checked = validate_citations(" and ".join(f"word[{number}]" for number in numbers), sources)
    there = list(range(1, sources + 1))
    assert list(checked.invalid_ids) == sorted({n for n in numbers if n not in there})
    assert list(checked.unused_ids) == [n for n in there if n not in numbers]
    assert checked.citation_count == len(set(numbers))
    assert checked.valid is (not checked.invalid_ids)
