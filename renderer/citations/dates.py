"""Dates as Chinese and English write them, each read as one value.

A date has a year, a month and a day, as far as it says them. 05/11/2024 has two readings, since countries differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from renderer.citations.numerals import han_number

# Year, month and day; None for what the date does not say.
Date: TypeAlias = tuple[int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date in a text: where it begins, how it is written, and what it can mean."""

    at: int
    written: str
    readings: tuple[Date, ...]


_YEAR = r"(?P<y>(?:1[5-9]|20|21)\d\d)"
_HAN_YEAR = r"(?P<y>(?:1[5-9]|20|21)\d\d|[一二][零〇○一二三四五六七八九]{3})"
_HAN_MONTH, _HAN_DAY = (rf"(?P<{name}>\d{{1,2}}|[一二三四五六七八九十]{{1,3}})" for name in "md")
_HAN_DAYS = rf"{_HAN_DAY} ?[日号일](?: ?[-–—~至到] ?(?P<e>\d{{1,2}}) ?[日号일])?"
_ORDINAL = r"(?:st|nd|rd|th)?"
_DAYS = rf"(?P<d>\d{{1,2}}){_ORDINAL}(?: ?(?:[-–—~]|to) ?(?P<e>\d{{1,2}}){_ORDINAL})?"
_NAMES = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_MONTH = rf"(?<![A-Za-z])(?P<m>{_NAMES})(?![A-Za-z])\.?"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NO_MORE = r"(?![A-Za-z0-9_])"
# The first pattern that fits has the text: a whole date before its parts.
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<!\d){_YEAR}(?P<s>[-/.])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?!\d|[-/.]\d{{1,2}}(?!\d))",
        rf"(?<!\d)(?<!\d[-/.])(?P<d>\d{{1,2}})(?P<s>[-/.])(?P<m>\d{{1,2}})(?P=s){_YEAR}(?!\d|[-/.]\d)",
        rf"(?<!\d){_HAN_YEAR} ?[年년]度?(?: ?{_HAN_MONTH} ?[月월]份?(?: ?{_HAN_DAYS})?)?",
        rf"(?<!\d){_HAN_MONTH} ?[月월] ?{_HAN_DAYS}",
        rf"(?<![A-Za-z0-9_])(?<!\d[.,]){_DAYS}[ -](?:of )?{_MONTH}(?:,?[ -]{_YEAR}{_NO_MORE})?",
        rf"{_MONTH} ?{_DAYS}(?:,? ?{_YEAR}{_NO_MORE}|{_NO_MORE}(?![.,]\d| ?%))",
        rf"{_MONTH},? {_YEAR}{_NO_MORE}",
        rf"(?<!\d)(?<!\d[-/.]){_YEAR}[-–/](?P<m>0?[1-9]|1[0-2])(?![\d%]|[-/.,]\d)",
        r"(?<![\d.])(?P<m>0?[1-9]|1[0-2]) ?[月월]",
    )
)
_MONTH_ALONE = re.compile(_MONTH, re.IGNORECASE)


def dates_in(text: str) -> tuple[list[WrittenDate], str]:
    """The dates of a text (NFKC), and the text with a NUL for each of their characters, so that places stay."""
    found: list[WrittenDate] = []

    def taken(match: re.Match[str]) -> str:
        dates = [readings for readings in _dates(match) if readings]
        found.extend(WrittenDate(match.start(), match[0].strip(), readings) for readings in dates)
        return "\0" * len(match[0]) if dates else match[0]

    for pattern in _PATTERNS:
        text = pattern.sub(taken, text)
    return found, text


def months_named(text: str) -> Iterator[Date]:
    """The months that a text names in English, without any number: "in November"."""
    for match in _MONTH_ALONE.finditer(text):
        if not match["m"].islower():
            yield None, _month(match["m"]), None


def less_precise(date: Date) -> Iterator[Date]:
    """A date and all that it says in part: 2024-11-05 is a day in 2024-11, and a 5 November."""
    year, month, day = date
    return product((year, None), (month, None), (day, None))


def _dates(match: re.Match[str]) -> Iterator[tuple[Date, ...]]:
    """The readings of each date that a match holds: two dates for 5–8 November, none where it cannot be a date."""
    parts = match.groupdict()
    year, month, day = _number(parts.get("y")), _month(parts.get("m")), _number(parts.get("d"))
    # "may 5" and "march 3" can be ordinary words.
    if year is None and (parts.get("m") or "").islower():
        return
    yield _readings(year, month, day, either="s" in parts and match.start("d") < match.start("m"))
    if parts.get("e"):
        yield _readings(year, month, _number(parts["e"]), either=False)


def _readings(year: int | None, month: int | None, day: int | None, *, either: bool) -> tuple[Date, ...]:
    readings: list[Date] = [(year, month, day)]
    if either and day != month:
        readings.append((year, day, month))
    return tuple(date for date in readings if _is_possible(date))


def _is_possible(date: Date) -> bool:
    _, month, day = date
    return (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= 31)


def _month(written: str | None) -> int | None:
    name = (written or "")[:3].lower()
    return _MONTHS.index(name) + 1 if name in _MONTHS else _number(written)


def _number(written: str | None) -> int | None:
    if not written:
        return None
    return int(written) if written.isdecimal() else int(han_number(written))
