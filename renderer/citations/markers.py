"""Marker dialects as data: how a marker looks in a text, and which numbers it names."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

# A number of more digits than this is beyond every list. It is clamped and not converted: Python refuses to convert
# thousands of digits, and the rule of the first design would only find it out of range.
_MAX_DIGITS = 18


def marker_number(digits: str) -> int:
    """The number that ASCII `digits` name: "007" is 7, and what is beyond every list is 10**18."""
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) <= _MAX_DIGITS else 10**_MAX_DIGITS


def _caret_numbers(raw: str) -> tuple[int, ...]:
    return (marker_number(raw[2:-2]),)


_LIST = r"[0-9]{1,3}(?:[ ]?[,，\-–][ ]?[0-9]{1,3})*"


# No marker names more sources than that; a range that does is an accident or an attack.
_MAX_NAMED = 100


def _bracket_numbers(raw: str) -> tuple[int, ...]:
    """[3] → 3, [1,3] → 1 3, [2-4] → 2 3 4. A range that runs backwards names its two ends."""
    numbers: list[int] = []
    for part in re.split("[,，]", raw[1:-1]):
        ends = [int(end) for end in re.split("[-–]", part)]
        first, last = ends[0], ends[-1]
        numbers.extend(range(first, min(last, first + _MAX_NAMED) + 1) if first <= last and len(ends) == 2 else ends)
    return tuple(dict.fromkeys(numbers))[:_MAX_NAMED]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One marker syntax.

    `pattern` is a regular expression without groups and `start_chars` are all characters that a match can begin with
    (a rule without them switches the Markdown parser's fast path off). `numbers` reads a match. `label` matches a link
    or footnote label of marker shape, which never defines anything.
    """

    name: str
    pattern: str
    start_chars: str
    label: str
    numbers: Callable[[str], tuple[int, ...]]


DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        # The first design, §5.1: [^n^], ASCII digits only.
        Dialect("caret", r"\[\^[0-9]+\^\]", "[", r"\^[0-9]+\^", _caret_numbers),
        # The second design, §3 and §4: [n], also [1,3] and [2-4]. Four digits are a year, and [1](…) is a link.
        Dialect("bracket", rf"\[{_LIST}\](?!\([^\s)]+(?:\s+\"[^\"]*\")?\))", "[", _LIST, _bracket_numbers),
    )
}

CARET = DIALECTS["caret"]


def extract_citation_markers(text: str) -> list[int]:
    """The numbers of all `[^n^]` in `text`, in order, those out of range and those in code included.

    A number of more than 18 digits comes out as 10**18. (First design, §5.1.)
    """
    return [number for raw in re.findall(CARET.pattern, text) for number in CARET.numbers(raw)]
