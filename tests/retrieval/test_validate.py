"""`validate_citations`: do the markers of an answer name sources that there are (second design, §4)."""

from __future__ import annotations

import dataclasses

import pytest

from renderer import RendererError, Validation, validate_citations

# The second design, §1.
EXAMPLE = "合同的违约金比例是 5%[1]，争议解决地在上海[2]。"


def test_the_documents_example_is_valid() -> None:
    """The document's own answer cites both of its two sources."""
    assert validate_citations(EXAMPLE, 2) == Validation(valid=True, invalid_ids=(), unused_ids=(), citation_count=2)


@pytest.mark.parametrize(
    ("answer", "count", "valid", "invalid", "unused", "different"),
    [
        (EXAMPLE, 3, True, (), (3,), 2),
        (EXAMPLE, 1, False, (2,), (), 2),
        (EXAMPLE, 0, False, (1, 2), (), 2),
        ("", 0, True, (), (), 0),
        ("没有编号。", 2, True, (), (1, 2), 0),
        ("a[1]b[1]c[1]", 1, True, (), (), 1),
        ("a[3]b[9]c[2]", 3, False, (9,), (1,), 3),
        ("a[9]b[7]c[8]", 1, False, (7, 8, 9), (1,), 3),
        ("a[0]", 1, False, (0,), (1,), 1),
        ("多个[1][3]", 3, True, (), (2,), 2),
        ("a[1,3]", 3, True, (), (2,), 2),
        ("a[1，3]", 3, True, (), (2,), 2),
        ("a[1, 3]", 2, False, (3,), (2,), 2),
        ("a[2-4]", 5, True, (), (1, 5), 3),
        ("a[2–4]", 3, False, (4,), (1,), 3),
        ("in [2024]", 1, True, (), (1,), 0),
        ("see [1](http://x.example/)", 1, True, (), (1,), 0),
        ("［1］【1】[１]", 1, True, (), (1,), 0),
        ("a[^1^]", 1, True, (), (1,), 0),
    ],
)
def test_numbers_are_checked_against_the_count(
    answer: str, count: int, valid: bool, invalid: tuple[int, ...], unused: tuple[int, ...], different: int
) -> None:
    """Invalid and unused numbers ascend, and a number that is cited often counts once."""
    assert validate_citations(answer, count) == Validation(valid, invalid, unused, different)


@pytest.mark.parametrize(
    ("answer", "count", "expected"),
    [
        ("截止时间是 11 月 30 日[^1^]，不收纸质件[^2^]。", 2, Validation(True, (), (), 2)),
        ("a[^3^]", 2, Validation(False, (3,), (1, 2), 1)),
        ("a[^0^]", 1, Validation(False, (0,), (1,), 1)),
        ("a[1]", 1, Validation(True, (), (1,), 0)),
        ("a[^1^]b[^1^]", 1, Validation(True, (), (), 1)),
    ],
)
def test_the_other_dialect(answer: str, count: int, expected: Validation) -> None:
    """With dialect="caret" the markers are those of the first design, and bare numbers are text."""
    assert validate_citations(answer, count, dialect="caret") == expected


def test_a_marker_before_a_bracket_is_a_marker() -> None:
    """What Markdown does not read as a link is no link: `[1](see the annex)` cites."""
    assert validate_citations("a[1](see the annex)", 1) == Validation(True, (), (), 1)


def test_an_unknown_dialect_is_refused() -> None:
    """A dialect that there is not is an error that names those there are."""
    with pytest.raises(RendererError, match="bracket"):
        validate_citations(EXAMPLE, 2, dialect="roman")


def test_the_result_cannot_be_changed() -> None:
    """What a caller gets is a frozen value."""
    result = validate_citations(EXAMPLE, 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.valid = False  # type: ignore[misc] # that is what is tried
