"""What becomes of the markers of a retrieval answer that name no source (second design, §4)."""

from __future__ import annotations

from dataclasses import replace

from renderer.markdown.answers import CheckedMessage, CheckedRound
from renderer.model import CheckedAnswer, Removal, Verdict
from renderer.options import OnInvalid


def by_policy(checked: CheckedRound, policy: OnInvalid) -> CheckedRound:
    """The checked round of retrieval answers as a page is to show it, and to count it.

    strip: as it was checked, the wrong markers are removed. mark: they stay, struck. plain: an answer with one loses
    all its citations.
    """
    if policy == "strip":
        return checked
    apply = _marked if policy == "mark" else _unconfirmed
    answers = {
        place: replace(answer, checked=apply(answer)) if answer.checked.removals else answer
        for place, answer in checked.answers.items()
    }
    return replace(checked, answers=answers)


def _marked(answer: CheckedMessage) -> CheckedAnswer:
    return replace(answer.checked, removals=(), marked=answer.checked.removals)


def _unconfirmed(answer: CheckedMessage) -> CheckedAnswer:
    removals = tuple(Removal(m.raw, m.numbers[0], Verdict.NO_SOURCE) for m in answer.document.markers)
    return CheckedAnswer(removals=removals, unconfirmed=True)
