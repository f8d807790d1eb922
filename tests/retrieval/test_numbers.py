"""Numbers, dates and percentages of a claim that stand in no cited passage: the check that finds real mistakes."""

from __future__ import annotations

import pytest

from renderer.citations.support import unsupported_numbers

# Pairs that say the same number; the check must be silent both ways.
SAME = [
    ("5%", "5%"),
    ("5%", "5 %"),
    ("5%", "５％"),
    ("5%", "百分之五"),
    ("15%", "百分之十五"),
    ("20%", "百分之二十"),
    ("25%", "百分之二十五"),
    ("105%", "百分之一百零五"),
    ("100%", "百分之百"),
    ("3.5%", "百分之三点五"),
    ("5%", "5 percent"),
    ("5%", "5 per cent"),
    ("1,250", "1250"),
    ("1,250,000", "1250000"),
    ("1,250.50", "1250.5"),
    ("１２５０", "1,250"),
    ("12.50", "12.5"),
    ("3.0", "3"),
    ("007", "7"),
    ("2026-11-30", "30 November 2026"),
    ("2026-11-30", "November 30, 2026"),
    ("2026-11-30", "30 Nov 2026"),
    ("2026-11-30", "Nov. 30, 2026"),
    ("2026-11-30", "2026 年 11 月 30 日"),
    ("2026-11-30", "2026年11月30日"),
    ("2026-11-30", "2026/11/30"),
    ("2026-11-30", "２０２６年１１月３０日"),
    ("2026-03-05", "5 March 2026"),
    ("2026-03-05", "2026 年 3 月 5 日"),
    ("30 November 2026", "2026 年 11 月 30 日"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_a_number_written_otherwise_is_the_same(one: str, other: str) -> None:
    """Percent signs and words, separators, widths and orders of dates are ways to write the same number."""
    assert unsupported_numbers(f"The figure is {one}.", [f"It says {other} here."]) == ()
    assert unsupported_numbers(f"数字是 {other}。", [f"文中写 {one}。"]) == ()


@pytest.mark.parametrize(
    ("claim", "passage", "named"),
    [
        ("违约金比例是 6%", "应支付合同总额 5% 的违约金", ("6%",)),
        ("违约金比例是百分之六", "应支付合同总额 5% 的违约金", ("百分之六",)),
        ("The rate is 5%", "There are 5 rates", ("5%",)),
        ("There are 5 rates", "The rate is 5%", ("5",)),
        ("It cost 1,250 euros", "It cost 1,205 euros", ("1,250",)),
        ("It rose by 3.5 mm", "It rose by 35 mm", ("3.5",)),
        ("Page 12 of 40", "Page 12", ("40",)),
        ("2 of 3 and 4", "Nothing.", ("2", "3", "4")),
        ("价格是１２０元", "价格是 100 元", ("120",)),
    ],
)
def test_a_number_that_stands_in_no_passage_is_named(claim: str, passage: str, named: tuple[str, ...]) -> None:
    """What a claim has and the passage has not is named as the claim writes it, in its order."""
    assert unsupported_numbers(claim, [passage]) == named


def test_one_passage_of_several_is_enough() -> None:
    """A claim that cites two sources may take a number from either."""
    claim = "The penalty is 5%, due within 30 days."
    assert unsupported_numbers(claim, ["The penalty is 5%.", "It is due within 30 days."]) == ()
    assert unsupported_numbers(claim, ["The penalty is 5%."]) == ("30",)
    assert unsupported_numbers(claim, []) == ("5%", "30")


def test_a_number_is_named_once() -> None:
    """The same number twice in a claim is one mistake."""
    assert unsupported_numbers("6% and again 6% and ６％", ["5%"]) == ("6%",)


@pytest.mark.parametrize("claim", ["Version v3 of HTML5", "采购合同_v3.pdf", "No number at all.", ""])
def test_names_with_digits_are_no_numbers(claim: str) -> None:
    """A digit inside a name says no amount."""
    assert unsupported_numbers(claim, ["Nothing."]) == ()


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The office decreased 3 of its fees.", "It lowered 3 fees."),
        ("The law separates 3 powers.", "There are 3 powers under the law."),
        ("They opened 5 markets.", "In 5 towns a new market was opened."),
        ("He wrote a novel 2 years ago.", "2 years ago he published a book."),
        ("Mayor 2 terms in a row", "2 terms in a row as head of the town"),
    ],
)
def test_words_that_begin_like_a_month_are_no_months(claim: str, passage: str) -> None:
    """`decreased 3` is no day in December: only a month's name is one."""
    assert unsupported_numbers(claim, [passage]) == ()
