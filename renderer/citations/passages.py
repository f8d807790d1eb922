"""The passage of a source as a page keeps it: within a budget, cut at sentence ends around what supports the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter

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

    The best supporting sentence is kept, with as much of the others as one run can hold; sentences around them are
    added until the budget is spent. A single sentence over it is cut.
    """
    spans = sentence_spans(passage)
    scores = _scores([passage[start:end] for start, end in spans], claims)
    first, last = _window(spans, scores, budget)
    parts = [
        (passage[start:end], place in scores) for place, (start, end) in enumerate(spans) if first <= place <= last
    ]
    if len(parts) == 1 and len(parts[0][0]) > budget:
        parts = [(parts[0][0][:budget], parts[0][1])]
    parts = _merged(parts)
    return KeptPassage(tuple(parts), len(passage), sum(len(text) for text, _ in parts))


def _scores(texts: Sequence[str], claims: Iterable[str]) -> dict[int, float]:
    """The places of the sentences that support any of `claims`, in order, each with its best score."""
    scores: dict[int, float] = {}
    for claim in claims:
        for place in support_of(claim, texts).places:
            score = support_of(claim, [texts[place]]).score
            scores[place] = max(score, scores.get(place, 0.0))
    return dict(sorted(scores.items()))


def _window(spans: Sequence[tuple[int, int]], scores: Mapping[int, float], budget: int) -> tuple[int, int]:
    """The first and the last sentence to keep: the run with the best support, growing to both sides."""
    if not spans:
        return 0, -1
    first, last = _best_run(spans, scores, budget) if scores else (0, 0)
    while True:
        size = spans[last][1] - spans[first][0]
        forward = last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= budget
        back = first > 0 and spans[last][1] - spans[first - 1][0] <= budget
        if size > budget or not (forward or back):
            return first, last
        last, first = (last + 1, first) if forward else (last, first - 1)


def _best_run(spans: Sequence[tuple[int, int]], scores: Mapping[int, float], budget: int) -> tuple[int, int]:
    """Of the runs within the budget that hold the best sentence, the one whose sentences score most together."""
    places = list(scores)
    best = max(places, key=scores.__getitem__)
    sums = [0.0, *accumulate(scores.values())]
    runs = [(scores[best], best, best)]
    end = len(places) - 1
    # The further back a run begins, the earlier it must end: each end is looked at once.
    for begin in range(places.index(best), -1, -1):
        while places[end] > best and spans[places[end]][1] - spans[places[begin]][0] > budget:
            end -= 1
        if spans[places[end]][1] - spans[places[begin]][0] <= budget:
            runs.append((sums[end + 1] - sums[begin], places[begin], places[end]))
    _, first, last = max(runs, key=itemgetter(0))
    return first, last


def _merged(parts: Sequence[tuple[str, bool]]) -> list[tuple[str, bool]]:
    merged: list[tuple[str, bool]] = []
    for text, is_marked in parts:
        if merged and merged[-1][1] == is_marked:
            merged[-1] = (merged[-1][0] + text, is_marked)
        else:
            merged.append((text, is_marked))
    return merged
