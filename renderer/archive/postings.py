"""In which pages a term is: lists of numbers, in text as small as can be read without a parser. `search.js` reads it.

A shard is a text of records in order, each `,TERM:ONCE.OFTEN.QUESTION.TITLE`: the numbers of the pages that have the
term, by grade (`search_terms`), empty lists at the end left out. A list holds the gaps between its numbers in digits
of 5 bits, the lowest first; a digit that more follow is one of the upper 32 of the alphabet.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import sub

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_VALUES = {char: value for value, char in enumerate(_ALPHABET)}
_NUMBERS = re.compile(rf"[{re.escape(_ALPHABET[32:])}]*[{_ALPHABET[:32]}]")

# A page that has a term: four times its number, and the grade.
Code = int


def shard_text(postings: Mapping[str, Sequence[Code]]) -> str:
    """The shard with these terms; a term without pages is left out."""
    return "".join(f",{record}" for record in sorted(_record(term, codes) for term, codes in postings.items() if codes))


def merged(shards: Sequence[str]) -> str:
    """One shard with all that several hold."""
    if len(shards) == 1:
        return shards[0]
    whole: dict[str, str] = {}
    for shard in shards:
        for record in shard.split(",")[1:]:
            term, _, lists = record.partition(":")
            whole[term] = _joined(term, whole[term], lists) if term in whole else lists
    return "".join(f",{record}" for record in sorted(f"{term}:{lists}" for term, lists in whole.items()))


def patched(shard: str, changes: Mapping[str, Mapping[int, int | None]]) -> str:
    """The shard after `changes`: the grade that a page has now for a term, None where it has the term no more."""
    records = shard.split(",")[1:]
    for term, grades in changes.items():
        # ":" ends a term and is in none, so records are in the order of their terms, whatever that order is.
        at = bisect_left(records, f"{term}:")
        is_there = at < len(records) and records[at].startswith(f"{term}:")
        lists = (records[at].partition(":")[2] if is_there else "").split(".")
        lists += [""] * (4 - len(lists))
        for number, grade in grades.items():
            lists = [_with(digits, number, place == grade) for place, digits in enumerate(lists)]
        records[at : at + is_there] = [f"{term}:{'.'.join(lists)}".rstrip(".")] if any(lists) else []
    return "".join(f",{record}" for record in records)


def packed(numbers: Sequence[int]) -> str:
    """Numbers in ascending order as one list of a record."""
    return "".join(map(_digits, map(sub, numbers, (0, *numbers))))


def _record(term: str, codes: Sequence[Code]) -> str:
    if len(codes) == 1:
        return f"{term}:{'.' * (codes[0] & 3)}{_digits(codes[0] >> 2)}"
    codes = sorted(codes)
    if len({code >> 2 for code in codes}) < len(codes):
        # Pages that share a number: the best grade counts.
        codes = [number * 4 + grade for number, grade in {code >> 2: code & 3 for code in codes}.items()]
    lists = (packed([code >> 2 for code in codes if code & 3 == grade]) for grade in range(4))
    return f"{term}:{'.'.join(lists)}".rstrip(".")


def _joined(term: str, one: str, other: str) -> str:
    """The lists of two records of a term. Where all numbers of one come before those of the other, that is quick."""
    lists, more = one.split("."), other.split(".")
    lasts = [sum(map(_gap, _NUMBERS.findall(digits))) if digits else -1 for digits in lists]
    firsts = [(_NUMBERS.match(digits), digits) for digits in more]
    if min(_gap(first[0]) for first, _ in firsts if first) <= max(lasts):
        return _record(term, [*_codes(one), *_codes(other)]).partition(":")[2]
    lists += [""] * (len(more) - len(lists))
    for grade, (first, digits) in enumerate(firsts):
        if first:
            gap = _gap(first[0]) - (max(0, lasts[grade]) if grade < len(lasts) else 0)
            lists[grade] += _digits(gap) + digits[first.end() :]
    return ".".join(lists)


def _with(digits: str, number: int, held: bool) -> str:
    """A list with a number, or without it."""
    gaps = _NUMBERS.findall(digits)
    numbers = list(accumulate(map(_gap, gaps)))
    at = bisect_left(numbers, number)
    if (at < len(numbers) and numbers[at] == number) == held:
        return digits
    before = numbers[at - 1] if at else 0
    if held:
        gaps[at : at + 1] = [_digits(gap) for gap in (number - before, *(n - number for n in numbers[at : at + 1]))]
    else:
        gaps[at : at + 2] = [_digits(n - before) for n in numbers[at + 1 : at + 2]]
    return "".join(gaps)


def _codes(lists: str) -> list[Code]:
    codes = []
    for grade, digits in enumerate(lists.split(".")):
        codes += [number * 4 + grade for number in accumulate(map(_gap, _NUMBERS.findall(digits)))]
    return codes


@lru_cache(maxsize=1 << 16)
def _digits(number: int) -> str:
    digits = ""
    while number > 31:
        digits += _ALPHABET[32 + (number & 31)]
        number >>= 5
    return digits + _ALPHABET[number]


@lru_cache(maxsize=1 << 16)
def _gap(digits: str) -> int:
    return sum((_VALUES[char] & 31) << 5 * place for place, char in enumerate(digits))
