"""What can be searched for: words, and for scripts without blanks pairs of characters. `search.js` does the same.

A run of Han, Kana or Hangul gives each pair of neighbours, and its last character alone; so one character is found as
the beginning of a pair. Case, accents and width do not count.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

# How good a hit is: once or twice in answers and titles of sources, more often, in a question, in the title.
ONCE, OFTEN, QUESTION, TITLE = range(4)
OFTEN_FROM = 3

_PAIRED = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005\u3007\u3041-\u3096\u309d-\u30ff\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
# Longer words are cut into several: keys and digests are found by how they begin.
_WORD = re.compile(rf"(?:(?![{_PAIRED}])[^\W_]){{1,40}}")
_PAIR = re.compile(rf"(?=([{_PAIRED}][{_PAIRED}]?))")
_IS_PAIRED = re.compile(f"[{_PAIRED}]")
_ACCENTS = re.compile("[\u0300-\u036f]")
# The words that begin alike stand together, so that the beginning of a word finds them.
_BEGINNING = 3


def terms(text: str) -> list[str]:
    """The terms of a text, as often as they are in it, in no order."""
    folded = text.lower() if text.isascii() else _folded(text)
    words = _WORD.findall(folded)
    return words if folded.isascii() else words + _PAIR.findall(folded)


def graded(documents: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Each term of the documents (kind, text) of a page with the best grade that it has there."""
    parts: dict[str, list[str]] = {"title": [], "question": [], "answer": [], "source": []}
    for kind, text in documents:
        parts[kind].append(text)
    counts = Counter(terms("\n".join(parts["answer"] + parts["source"])))
    grades = {term: OFTEN if count >= OFTEN_FROM else ONCE for term, count in counts.items()}
    grades.update(dict.fromkeys(terms("\n".join(parts["question"])), QUESTION))
    grades.update(dict.fromkeys(terms("\n".join(parts["title"])), TITLE))
    return grades


def shard_of(term: str, shards: int) -> int:
    """Which of `shards` files holds the term: those that begin alike are in the same one."""
    number = 0
    for char in term[:1] if _IS_PAIRED.match(term) else term[:_BEGINNING]:
        number = (number * 31 + ord(char)) % 0xFFFFFF
    return number % shards


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text).lower()))
