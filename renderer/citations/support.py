"""Shared wording of a claim and a passage: the sentences that a claim may rest on, and the numbers it has alone.

It is a comparison of words, never a judgement of truth. Chinese and its neighbours are compared by pairs of characters,
other languages by words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from renderer.citations.claims import MARKER, sentences

# Scores are 0…100. A sentence that shares that much wording with a claim is marked.
THRESHOLD = 60.0

_CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W{_CJK}_]+(?:[.,:/-](?=\d)[^\W{_CJK}_]+)*%?", re.UNICODE)
_SMALL_WORDS = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "for",
        "from",
        "had",
        "has",
        "have",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "that",
        "the",
        "their",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "were",
        "which",
        "will",
        "with",
    ]
)


@dataclass(frozen=True, slots=True)
class Support:
    """How a claim and a passage share wording: the passage's sentences that do (by place), and the best score."""

    score: float
    places: tuple[int, ...]


def passage_sentences(passage: str) -> list[str]:
    """The sentences of a passage, in order."""
    return list(sentences(passage))


def support_of(claim: str, passage: Sequence[str], threshold: float = THRESHOLD) -> Support:
    """Compare a claim with the sentences of a passage.

    The places are those of the sentences that reach `threshold`; when none does, that of the best, if it comes halfway.
    """
    wanted = _tokens(claim)
    scores = [_score(wanted, _tokens(sentence)) for sentence in passage]
    best = max(scores, default=0.0)
    # Where no sentence reaches the threshold, the nearest one is still worth a look.
    wanted_score = threshold if best >= threshold else max(best, threshold / 2)
    return Support(best, tuple(place for place, score in enumerate(scores) if score >= wanted_score))


def unsupported_numbers(claim: str, passages: Iterable[str]) -> tuple[str, ...]:
    """Numbers, dates and percentages of a claim that stand in none of `passages`, as the claim writes them."""
    known: set[str] = set()
    for passage in passages:
        known.update(_numbers(passage))
    return tuple(written for value, written in _numbers(claim).items() if value not in known)


def _score(wanted: frozenset[str], given: frozenset[str]) -> float:
    if not wanted or not given or len(wanted & given) < min(2, len(wanted)):
        return 0.0
    # Two words of a long claim are shared by much; only a fair part of it counts in full.
    part = min(1.0, 3 * len(wanted & given) / len(wanted))
    return part * fuzz.token_set_ratio(" ".join(sorted(wanted)), " ".join(sorted(given)))


def _tokens(text: str) -> frozenset[str]:
    text = unicodedata.normalize("NFKC", text.replace(MARKER, " ")).casefold()
    found: set[str] = set()
    for run in _TOKEN.findall(text):
        if re.match(rf"[{_CJK}]", run):
            found.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        elif run not in _SMALL_WORDS:
            found.add(run)
    return frozenset(found)


# --- Numbers ---------------------------------------------------------------------------------------------------

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ENDINGS = ("uary", "ruary", "ch", "il", "", "e", "y", "ust", "t?(?:ember)?", "ober", "ember", "ember")
_NAMES = "|".join(f"{month}(?:{ending})?" for month, ending in zip(_MONTHS, _ENDINGS, strict=True))
_ANY_MONTH = rf"({_NAMES})\b"
_MONTH = re.compile(rf"\b{_ANY_MONTH}\.?(?= ?\d|,? \d)|(?<=\d ){_ANY_MONTH}\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_])\d+(?:,\d{3})*(?:\.\d+)?(?: ?(?:%|percent\b|per cent\b))?"
    r"|百分之[零〇一二三四五六七八九十百点]+"
)
_HAN_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0}


def _numbers(text: str) -> dict[str, str]:
    """The numbers of a text: what they come to, and how they are written. A date gives year, month and day."""
    text = unicodedata.normalize("NFKC", text)
    found: dict[str, str] = {}
    for match in _NUMBER.finditer(text):
        written = match[0].strip()
        found.setdefault(_value(written), written)
    for match in _MONTH.finditer(text):
        found.setdefault(str(_MONTHS.index((match[1] or match[2]).lower()[:3]) + 1), match[0].strip())
    return found


def _value(written: str) -> str:
    if written.startswith("百分之"):
        return f"{_han_number(written[3:])}%"
    digits = re.match(r"[\d,.]+", written)
    number = digits[0].replace(",", "") if digits else written
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    return (number.lstrip("0") or "0") + ("%" if len(written) > len(digits[0] if digits else written) else "")


def _han_number(text: str) -> str:
    """十五 → 15, 二十 → 20, 三点五 → 3.5, 一百 → 100."""
    whole, _, fraction = text.partition("点")
    total, digit = 0, 0
    for char in whole:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        else:
            total += (digit or 1) * (100 if char == "百" else 10)
            digit = 0
    decimals = "".join(str(_HAN_DIGITS[char]) for char in fraction if char in _HAN_DIGITS).rstrip("0")
    return f"{total + digit}.{decimals}" if decimals else str(total + digit)
