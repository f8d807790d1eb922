"""Numbers, percentages and dates of a text by what they come to, so that two ways to write one are the same.

1,250 is 1250; 2.5万 is 25000; $1.5 million and 1.5M are 1500000; 百分之五 is 5%; in 3-5% both are percentages. A letter
after a number multiplies only where it touches it; what `5K` is (5000, or a run of 5 kilometres) cannot be told, so
either reading counts. Numerals in Chinese characters are known from passages, and from claims only in percentages and
dates: 一些 and 十分 are words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from renderer.citations.dates import Date, dates_in, less_precise, months_named
from renderer.citations.numerals import HAN_NUMERAL, HAN_SCALES, han_number

# A number in digits, such as "1250", "2.5" or "5%", or a date. A year alone is a number.
Value: TypeAlias = str | Date


@dataclass(frozen=True, slots=True)
class Amount:
    """A number or a date in a text: where it begins, how it is written (NFKC), and what it can mean."""

    at: int
    written: str
    readings: frozenset[Value]


@dataclass(frozen=True, slots=True)
class Stated:
    """What a passage states. `yearless` are its dates without a year: one that stands elsewhere in it may be theirs."""

    values: frozenset[Value]
    yearless: frozenset[Date]

    def holds(self, amount: Amount) -> bool:
        """Whether the passage states the amount in any of its readings, or a date that says more than it."""
        return any(self._holds(reading) for reading in amount.readings)

    def _holds(self, value: Value) -> bool:
        if value in self.values or isinstance(value, str):
            return value in self.values
        year, month, day = value
        return str(year) in self.values and (None, month, day) in self.yearless


def amounts(text: str) -> list[Amount]:
    """The numbers, percentages and dates of a text, in order."""
    text = unicodedata.normalize("NFKC", text)
    dates, rest = dates_in(text)
    found = [Amount(date.at, date.written, frozenset(map(_value, date.readings))) for date in dates]
    return sorted([*found, *_numbers(rest)], key=lambda amount: amount.at)


def stated_in(passage: str) -> Stated:
    """All that a passage states: also what its dates say in part, and numerals in Chinese characters."""
    readings = {reading for amount in amounts(passage) for reading in amount.readings}
    dates = {reading for reading in readings if isinstance(reading, tuple)}
    values = readings | {_value(part) for date in dates for part in less_precise(date)}
    text = unicodedata.normalize("NFKC", passage)
    values.update(han_number(match[0]) for match in _HAN.finditer(text))
    values.update(months_named(text))
    yearless = {part for date in dates if date[0] is None for part in less_precise(date)}
    return Stated(frozenset(values), frozenset(yearless))


def _value(date: Date) -> Value:
    return str(date[0]) if date[0] is not None and date[1:] == (None, None) else date


# --- Numbers ---------------------------------------------------------------------------------------------------

_DIGITS = r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?"
# 千克, 百分点: there the character belongs to the unit.
_HAN_SCALE = "万亿|[十百千][万萬亿億]|[万萬亿億]|千(?![克米瓦卡赫帕焦分])|百(?!分)"
_SCALE = rf" ?(?:{_HAN_SCALE}|(?i:thousand|million|billion|trillion|bn|mn)(?![A-Za-z]))|[KkMBm](?![A-Za-z0-9_])"
_SUFFIX = rf" ?(?:[%‰]|(?i:percent|per cent)(?![A-Za-z]))|{_SCALE}|(?:st|nd|rd|th)(?![A-Za-z])| ?[日号]"
_NUMBER = re.compile(
    rf"(?P<share>[百千])分之(?P<of>{HAN_NUMERAL}|{_DIGITS})"
    r"|(?<![A-Za-z0-9_.,])(?P<parts>\d{1,9} ?[亿億] ?\d{1,4} ?[百千]?[万萬]|\d{1,9} ?[万萬] ?\d ?千(?![克米瓦]))"
    rf"|(?P<money>[$£€¥] ?)?(?<![A-Za-z0-9_])(?P<n>{_DIGITS})(?P<suffix>{_SUFFIX})?"
)
_PART = re.compile(rf"(?P<n>\d+) ?(?P<scale>{_HAN_SCALE})")
_RANGE = re.compile(r" ?(?:[-–—~至到]|to) ?")
_HAN = re.compile(
    r"[一二两三四五六七八九十](?=[个日天年月周元倍名人次条款份台件项])"
    rf"|(?=[一二两三四五六七八九十百千][零〇○一二两三四五六七八九十百千万萬亿億点]){HAN_NUMERAL}"
)
_WORDS = {"thousand": 3, "k": 3, "million": 6, "mn": 6, "m": 6, "billion": 9, "bn": 9, "b": 9, "trillion": 12}


@dataclass(frozen=True, slots=True)
class _Number:
    start: int
    end: int
    digits: str
    suffix: str


def _numbers(text: str) -> Iterator[Amount]:
    numbers = [_number(match) for match in _NUMBER.finditer(text)]
    for place in reversed(range(len(numbers) - 1)):
        number, following = numbers[place : place + 2]
        if not number.suffix and _RANGE.fullmatch(text, number.end, following.start):
            numbers[place] = replace(number, suffix=following.suffix)
    return (Amount(n.start, text[n.start : n.end].strip(), _readings(n.digits, n.suffix)) for n in numbers)


def _number(match: re.Match[str]) -> _Number:
    if match["share"]:
        of = match["of"]
        digits = of if of[0].isdecimal() else han_number(of)
        return _Number(match.start(), match.end(), digits, "%" if match["share"] == "百" else "‰")
    if match["parts"]:
        return _Number(match.start(), match.end(), _sum(match["parts"]), "")
    suffix = match["suffix"] or ""
    if suffix == "m" and not match["money"]:  # metres, or minutes
        suffix = ""
    return _Number(match.start("n"), match.end("n") + len(suffix), match["n"], suffix.strip().casefold())


def _readings(digits: str, suffix: str) -> frozenset[Value]:
    plain = _canonical(digits, 0)
    if suffix in ("%", "percent", "per cent"):
        return frozenset([f"{plain}%"])
    if suffix == "‰":
        return frozenset([f"{plain}‰"])
    if suffix in ("st", "nd", "rd", "th", "日", "号"):
        return frozenset([plain, (None, None, int(digits))] if re.fullmatch(r"\d\d?", digits) else [plain])
    scaled = _canonical(digits, _scale(suffix))
    return frozenset([plain, scaled] if suffix == "k" else [scaled])


def _scale(suffix: str) -> int:
    return _WORDS.get(suffix) or sum(HAN_SCALES[char] for char in suffix)


def _sum(parts: str) -> str:
    """What 1亿2000万 comes to."""
    return str(sum(int(_canonical(part["n"], _scale(part["scale"]))) for part in _PART.finditer(parts)))


def _canonical(digits: str, scale: int) -> str:
    """Digits times ten to the power of `scale`, without separators and needless zeros."""
    whole, _, fraction = digits.replace(",", "").partition(".")
    whole = (whole + fraction[:scale].ljust(scale, "0")).lstrip("0") or "0"
    fraction = fraction[scale:].rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole
