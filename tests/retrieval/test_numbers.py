"""Numbers, dates and percentages of a claim that stand in no cited passage: the check that finds real mistakes."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    ("2.5万", "25000"),
    ("2.5 万", "25,000"),
    ("1.2亿", "120000000"),
    ("1.2亿", "12000万"),
    ("1.2亿", "1亿2000万"),
    ("1.2億", "1.2亿"),
    ("1 亿 2000 万", "1.2 亿"),
    ("3万5千", "35,000"),
    ("2亿 3亿", "200000000 300000000"),
    ("3千", "3000"),
    ("3百万", "3,000,000"),
    ("5万亿", "5000000000000"),
    ("$1.5 million", "1500000"),
    ("$1.5 million", "$1.5M"),
    ("$1.5 million", "$1.5m"),
    ("1.5M", "1500000"),
    ("2 billion", "2bn"),
    ("2 billion", "20亿"),
    ("10 thousand", "1万"),
    ("10k", "10,000"),
    ("3-5%", "3%-5%"),
    ("3-5%", "3%至5%"),
    ("3–5%", "3% to 5%"),
    ("３～５％", "3%-5%"),
    ("2-3万", "20000 至 30000"),
    ("1,000", "1000"),
    ("1，000", "1000"),
    ("5%", "百分之5"),
    ("3‰", "千分之三"),
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


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("须在 30 日内交付", "卖方应当在签字后三十日内交付"),
        ("为期 2 年", "为期两年"),
        ("总价 50000 元", "总价五万元"),
        ("总价 1.2 亿元", "总价一亿二千万元"),
        ("共 105 个", "共一百零五个"),
        ("It holds for 3 years", "有效期三年"),
    ],
)
def test_numerals_of_a_passage_are_known(claim: str, passage: str) -> None:
    """A number in digits is found in a passage that writes it in Chinese characters."""
    assert unsupported_numbers(claim, [passage]) == ()


@pytest.mark.parametrize(
    ("claim", "passage", "named"),
    [
        ("总额 2.5万 元", "总额 2.5 亿元", ("2.5万",)),
        ("总额 2.5万 元", "总额 2.5 元", ("2.5万",)),
        ("总额 1亿3000万 元", "总额 1.2 亿元", ("1亿3000万",)),
        ("It cost $1.5 million", "It cost $1.5 billion", ("1.5 million",)),
        ("It cost $1.5M", "It cost $1.5B", ("1.5M",)),
        ("It grew by 3-6%", "It grew by 3%-5%", ("6%",)),
        ("It grew by 2-5%", "It grew by 3%-5%", ("2",)),
        ("须在 40 日内交付", "卖方应当在签字后三十日内交付", ("40 日",)),
        ("重 3千克", "重 3000 吨", ("3",)),
        ("上涨 5百分点", "上涨 500", ("5",)),
        ("a road of 5 m", "a road of 5000000", ("5",)),
        ("a road of 5m", "a road of 5000000", ("5",)),
        ("百分之三至百分之六", "3% 至 5%", ("百分之六",)),
    ],
)
def test_a_scale_is_part_of_the_number(claim: str, passage: str, named: tuple[str, ...]) -> None:
    """万 and million multiply, kilograms, metres and points do not; of a wrong range the wrong end is named."""
    assert unsupported_numbers(claim, [passage]) == named


def test_a_letter_that_may_be_a_unit_counts_in_either_reading() -> None:
    """What `4K` is cannot be told: four thousand, or the size of a screen."""
    assert unsupported_numbers("It shows 4K", ["It shows 4,000"]) == ()
    assert unsupported_numbers("It shows 4K", ["It shows 4 K"]) == ()
    assert unsupported_numbers("It shows 4K", ["It shows 40,000"]) == ("4K",)


# --- Dates -----------------------------------------------------------------------------------------------------

# One day, as it is written in two languages.
SPELLINGS = [
    "2024-11-05",
    "2024/11/5",
    "2024.11.05",
    "2024年11月5日",
    "2024 年 11 月 5 日",
    "２０２４年１１月５日",
    "二〇二四年十一月五日",
    "2024年11月5号",
    "5 November 2024",
    "5th of November, 2024",
    "05 Nov 2024",
    "5-Nov-2024",
    "November 5, 2024",
    "November 5th, 2024",
    "NOVEMBER 5, 2024",
    "Nov 5, 2024",
    "Nov. 5 2024",
    "05/11/2024",
    "11/05/2024",
    "5.11.2024",
]


@pytest.mark.parametrize("written", SPELLINGS)
def test_a_date_is_one_value(written: str) -> None:
    """A date is the same however it is written, and another day is not, though all its numbers stand in the passage."""
    assert [other for other in SPELLINGS if unsupported_numbers(f"Signed {written}.", [f"签于 {other}，生效。"])] == []
    assert unsupported_numbers("Signed 2024-12-05.", [f"Signed {written}, 12 copies, in 2024."]) == ("2024-12-05",)


@pytest.mark.parametrize(
    "written",
    ["2025-11-05", "2025年11月5日", "5 November 2025", "November 5, 2025", "Nov 5, 2025", "05/11/2025", "2025年11月"],
)
def test_a_wrong_date_is_named_whole(written: str) -> None:
    """A date whose numbers all stand elsewhere in the passage is wrong all the same, and named as it is written."""
    passage = "The contract of 2024-11-05 ends on 2025-03-01; there are 11 copies and 5 annexes."
    assert unsupported_numbers(f"The contract is of {written}.", [passage]) == (written,)


@pytest.mark.parametrize(
    ("claim", "passage", "is_found"),
    [
        ("2024年", "2024-11-05", True),
        ("in 2024", "2024年11月5日", True),
        ("2024年11月", "2024-11-05", True),
        ("2024-11", "5 November 2024", True),
        ("November 2024", "2024/11/5", True),
        ("11月5日", "2024-11-05", True),
        ("5 November", "2024-11-05", True),
        ("Nov 5", "2024年11月5日", True),
        ("11月", "2024-11-05", True),
        ("11月", "in November", True),
        ("on the 5th", "5 November 2024", True),
        ("5日", "2024-11-05", True),
        ("2024年", "in 2024", True),
        ("2025年", "2024-11-05", False),
        ("2024年12月", "2024-11-05", False),
        ("2024年5月", "2024-11-05", False),
        ("11月6日", "2024-11-05", False),
        ("5月11日", "2024-11-05", False),
        ("2024年11月5日", "2024年11月", False),
        ("2024年11月5日", "11月5日", False),
        ("2024年11月5日", "2024年大事记：11月5日签字", True),
        ("2024年12月1日", "2024-11-05 签字，12月1日生效", True),
        ("2025年12月1日", "2024-11-05 签字，12月1日生效", False),
    ],
)
def test_a_date_is_found_in_one_that_says_more(claim: str, passage: str, is_found: bool) -> None:
    """A month or a day without its year is found in a whole date; a whole date is not found in a part of it."""
    assert unsupported_numbers(claim, [passage]) == (() if is_found else (claim,))


def test_a_date_that_can_be_read_in_two_ways_is_found_in_either() -> None:
    """05/11/2024 is 5 November here and 11 May there."""
    for passage in ("2024-11-05", "2024-05-11"):
        assert unsupported_numbers("Signed 05/11/2024", [passage]) == ()
    assert unsupported_numbers("Signed 05/11/2024", ["2024-11-06"]) == ("05/11/2024",)
    assert unsupported_numbers("Signed 13/11/2024", ["2024-11-13"]) == ()


@pytest.mark.parametrize("written", ["11月5日至8日", "5–8 November", "November 5-8", "5 to 8 November"])
def test_a_span_of_days_is_two_dates(written: str) -> None:
    """Both ends of a span are dates of its month."""
    assert unsupported_numbers(f"It is open {written}", ["2024-11-05 … 2024-11-08"]) == ()
    assert unsupported_numbers(f"It is open {written}", ["2024-11-05 … 2024-11-09"]) == (written,)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("为期 3个月", "3 个月"),
        ("2024-13-45", "2024, 13, 45"),
        ("in 2023-24", "2023, 24"),
        ("up to 10 may be used", "10"),
        ("we march 3 miles", "3 miles"),
        ("In May 5,000 people came", "5000 people"),
        ("in May 10% left", "10%"),
    ],
)
def test_what_only_looks_like_a_date_is_none(claim: str, passage: str) -> None:
    """Spans of months, seasons, days that there are not and ordinary words are no dates."""
    assert unsupported_numbers(claim, [passage]) == ()


@given(st.text(alphabet="0123456789年月日万亿千-/.,%至 NovmayMk百分之五十点", max_size=40), st.text(max_size=40))
def test_any_text_is_read(claim: str, passage: str) -> None:
    """Whatever the text: what it says is found in itself, and what is named stands in it."""
    assert unsupported_numbers(claim, [claim]) == ()
    for named in unsupported_numbers(claim, [passage]):
        assert named in unicodedata.normalize("NFKC", claim)


def test_a_long_text_of_digits_is_read_in_linear_time() -> None:
    """Four times the digits take about four times as long."""
    text = "1,111" * 4_000 + "2024-11" * 4_000 + "1亿" * 4_000
    assert _seconds(text * 4) < 8 * _seconds(text)


def _seconds(text: str) -> float:
    """The better of two runs."""
    runs = []
    for _ in range(2):
        start = time.process_time()
        unsupported_numbers(text, [text])
        runs.append(time.process_time() - start)
    return min(runs)
