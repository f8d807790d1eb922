"""HTML ids: those of the contract, each unique in its page."""

from __future__ import annotations

import re
from collections import Counter

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


class Identifiers:
    """Makes message ids unique while a page is written."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}
        self._named: Counter[str] = Counter()

    def claim(self, message_id: str) -> str:
        """`message_id` reduced to [A-Za-z0-9_-]; a number is added when the page has that one already."""
        base = _UNSAFE.sub("-", message_id)[:100] or "message"
        candidate, count = base, self._counts.get(base, 1)
        while candidate in self._taken:
            count += 1
            candidate = f"{base}-{count}"
        if count > 1:
            self._counts[base] = count
        self._taken.add(candidate)
        return candidate

    def name(self, label: str) -> str:
        """`label` and how often it was asked for, so that no two parts of the page bear one name: "Answer 3"."""
        self._named[label] += 1
        return f"{label} {self._named[label]}"


def message_id(mid: str) -> str:
    """The id of a message."""
    return f"m-{mid}"


def source_id(mid: str, k: int) -> str:
    """The id of source `k` of a message."""
    return f"src-{mid}-{k}"


def sources_id(mid: str) -> str:
    """The id of the sources of a message."""
    return f"srcs-{mid}"


def passage_id(mid: str, k: int) -> str:
    """The id of the passage of source `k` of a message."""
    return f"pas-{mid}-{k}"


def reference_id(mid: str, k: int, place: int) -> str:
    """The id of the `place`-th place that cites source `k` of a message."""
    return f"ref-{mid}-{k}-{place}"


def footnote_id(mid: str, number: int) -> str:
    """The id of a footnote of a message."""
    return f"fn-{mid}-{number}"


def footnote_reference_id(mid: str, number: int, place: int) -> str:
    """The id of the `place`-th reference to a footnote of a message."""
    return f"fnref-{mid}-{number}-{place}"
