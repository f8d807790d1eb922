"""Shared wording of a claim and a passage: the sentences that a claim may rest on, and the numbers it has alone.

It is a comparison of words, never a judgement of truth. Chinese and its neighbours are compared by pairs of characters,
other languages by words, and numbers and dates by their value: 2.5万 and 25,000 are shared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from renderer.citations.amounts import Amount, Stated, amounts, stated_in
from renderer.citations.claims import MARKER, sentences
from renderer.citations.numerals import HAN_NUMERAL

# Scores are 0…100. A sentence that shares that much wording with a claim is marked.
THRESHOLD = 60.0

_CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_IS_CJK = re.compile(f"[{_CJK}]")
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W{_CJK}_]+(?:[.,:/-](?=\d)[^\W{_CJK}_]+)*%?", re.UNICODE)
_MAY_STATE = re.compile(rf"\d|{HAN_NUMERAL}")
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
    wanted = _wording(claim)
    scores = [_score(wanted, _wording(sentence)) for sentence in passage]
    best = max(scores, default=0.0)
    # Where no sentence reaches the threshold, the nearest one is still worth a look.
    wanted_score = threshold if best >= threshold else max(best, threshold / 2)
    return Support(best, tuple(place for place, score in enumerate(scores) if score >= wanted_score))


def unsupported_numbers(claim: str, passages: Iterable[str | Stated]) -> tuple[str, ...]:
    """Numbers, dates and percentages of a claim that stand in none of `passages`, as the claim writes them.

    Each is compared by its value, and a date as a whole: 2024年11月5日 is 5 November 2024. A date is also found in one
    that says more; one that can be read in two ways is found in either. A passage for many claims is best read once,
    by `stated_in`.
    """
    stated = [stated_in(passage) if isinstance(passage, str) else passage for passage in passages]
    missing = [amount for amount in amounts(claim) if not any(passage.holds(amount) for passage in stated)]
    first = {amount.readings: amount.written for amount in reversed(missing)}
    return tuple(dict.fromkeys(first[amount.readings] for amount in missing))


@dataclass(frozen=True, slots=True)
class _Wording:
    """What is compared of a text: its words, its amounts, and all that these say."""

    words: frozenset[str]
    amounts: tuple[Amount, ...]
    stated: Stated


def _score(claim: _Wording, sentence: _Wording) -> float:
    stated = [amount for amount in claim.amounts if sentence.stated.holds(amount)]
    wanted = claim.words.union(*map(_amount_words, claim.amounts))
    given = sentence.words.union(*map(_amount_words, [*sentence.amounts, *stated]))
    if not wanted or not given or len(wanted & given) < min(2, len(wanted)):
        return 0.0
    # Two words of a long claim are shared by much; only a fair part of it counts in full. And a sentence with few words
    # cannot hold a long claim: half its words are enough, as two sentences may say it between them.
    part = min(1.0, 3 * len(wanted & given) / len(wanted), 1.25 * len(given) / len(wanted))
    return part * fuzz.token_set_ratio(" ".join(sorted(wanted)), " ".join(sorted(given)))


def _amount_words(amount: Amount) -> list[str]:
    """The words that an amount counts as: one; two for a date, a percentage or a long number, which few texts share."""
    value = min(amount.readings, key=str)
    word = value if isinstance(value, str) else "/".join(str(part or "") for part in value)
    return [word, f"={word}"] if "/" in word or word.endswith(("%", "‰")) or len(word) > 4 else [word]


# The claims that cite a source are compared with the same sentences one after the other.
@lru_cache(maxsize=1024)
def _wording(text: str) -> _Wording:
    text = unicodedata.normalize("NFKC", text.replace(MARKER, " "))
    if not _MAY_STATE.search(text):
        return _Wording(_words(text), (), Stated(frozenset(), frozenset()))
    found = amounts(text)
    rest = list(text)
    for amount in found:
        rest[amount.at : amount.at + len(amount.written)] = " " * len(amount.written)
    return _Wording(_words("".join(rest)), tuple(found), stated_in(text))


def _words(text: str) -> frozenset[str]:
    found: set[str] = set()
    for run in _TOKEN.findall(text.casefold()):
        if _IS_CJK.match(run):
            found.update(run[at : at + 2] for at in range(max(1, len(run) - 1)))
        elif run not in _SMALL_WORDS:
            found.add(run)
    return frozenset(found)
