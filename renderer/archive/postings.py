"""In which pages a term is: lists of numbers, in text as small as can be read without a parser. `search.js` reads it.

A shard is a text of records in order, each `,TERM:ONCE.OFTEN.QUESTION.TITLE`: the numbers of the pages that have the
term, by grade (`search_terms`), empty lists at the end left out. A list holds the gaps between its numbers in digits
of 5 bits, the lowest first; a digit that more follow is one of the upper 32 of the alphabet.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

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
    lists: dict[str, list[str]] = {}
    for shard in shards:
        for record in shard.split(",")[1:]:
            lists.setdefault(record.partition(":")[0], []).append(record)
    records = (
        found[0] if len(found) == 1 else _record(term, [code for record in found for code in _codes(record)])
        for term, found in lists.items()
    )
    return "".join(f",{record}" for record in sorted(records))


def patched(shard: str, changes: Mapping[str, Mapping[int, int | None]]) -> str:
    """The shard after `changes`: for each term the pages whose grade is another now, None where it has none any more."""
    records = shard.split(",")[1:]
    for term, grades in changes.items():
        # ":" ends a term and is in none, so records are in the order of their terms, whatever that order is.
        at = bisect_left(records, f"{term}:")
        is_there = at < len(records) and records[at].startswith(f"{term}:")
        kept = [code for code in _codes(records[at]) if code >> 2 not in grades] if is_there else []
        codes = kept + [number * 4 + grade for number, grade in grades.items() if grade is not None]
        records[at : at + is_there] = [_record(term, codes)] if codes else []
    return "".join(f",{record}" for record in records)


def packed(numbers: Iterable[int]) -> str:
    """Numbers in ascending order as one list of a record."""
    last = 0
    digits = []
    for number in numbers:
        digits.append(_digits(number - last))
        last = number
    return "".join(digits)


def _record(term: str, codes: Sequence[Code]) -> str:
    if len(codes) == 1:
        return f"{term}:{'.' * (codes[0] & 3)}{_digits(codes[0] >> 2)}"
    lists: tuple[list[str], ...] = ([], [], [], [])
    last = [0, 0, 0, 0]
    # Pages that share a number: the best grade counts.
    for number, grade in {code >> 2: code & 3 for code in sorted(codes)}.items():
        lists[grade].append(_digits(number - last[grade]))
        last[grade] = number
    return f"{term}:{'.'.join(map(''.join, lists))}".rstrip(".")


def _codes(record: str) -> list[Code]:
    codes = []
    for grade, digits in enumerate(record.partition(":")[2].split(".")):
        number = 0
        for gap in _NUMBERS.findall(digits):
            number += _gap(gap)
            codes.append(number * 4 + grade)
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
