"""The passage of a source as a page keeps it: within a budget, cut at sentence ends around what supports the answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from renderer.citations.claims import sentence_spans
from renderer.citations.support import support_of


@dataclass(frozen=True, slots=True)
class KeptPassage:
    """What is kept of a passage: `parts` are runs of its text, those that share wording with the answer marked.

    `whole` is the length of the whole passage and `kept` that of the parts, in code points.
    """

    parts: tuple[tuple[str, bool], ...]
    whole: int
    kept: int


def keep_passage(passage: str, claims: Iterable[str], budget: int) -> KeptPassage:
    """Keep at most about `budget` code points of `passage`, whole sentences, those that support `claims` first.

    Sentences are added around the best supporting one until the budget is spent; a single sentence over it is cut.
    """
    spans = sentence_spans(passage)
    texts = [passage[start:end] for start, end in spans]
    marked = {place for claim in claims for place in support_of(claim, texts).places}
    first, last = _window(spans, sorted(marked), budget)
    parts = [
        (passage[start:end], place in marked) for place, (start, end) in enumerate(spans) if first <= place <= last
    ]
    if len(parts) == 1 and len(parts[0][0]) > budget:
        parts = [(parts[0][0][:budget], parts[0][1])]
    parts = _merged(parts)
    return KeptPassage(tuple(parts), len(passage), sum(len(text) for text, _ in parts))


def _window(spans: Sequence[tuple[int, int]], marked: Sequence[int], budget: int) -> tuple[int, int]:
    """The first and the last sentence to keep: around the first supporting one, growing to both sides."""
    if not spans:
        return 0, -1
    first = last = marked[0] if marked else 0
    while True:
        size = spans[last][1] - spans[first][0]
        forward = last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= budget
        back = first > 0 and spans[last][1] - spans[first - 1][0] <= budget
        if size > budget or not (forward or back):
            return first, last
        last, first = (last + 1, first) if forward else (last, first - 1)


def _merged(parts: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    merged: list[tuple[str, bool]] = []
    for text, is_marked in parts:
        if merged and merged[-1][1] == is_marked:
            merged[-1] = (merged[-1][0] + text, is_marked)
        else:
            merged.append((text, is_marked))
    return merged
