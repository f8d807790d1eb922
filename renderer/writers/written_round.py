"""A round as it is written, and the count of what a page shows: for one page, and for a conversation of several."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from renderer.errors import Problem
from renderer.markdown.answers import CheckedMessage, CheckedRound, check_round
from renderer.model import CheckedAnswer, Conversation, Round, Verdict
from renderer.pages.contents import contents_entries
from renderer.pages.context import PageContext
from renderer.pages.environment import render
from renderer.pages.head import PageFacts
from renderer.pages.messages import round_view
from renderer.pages.policy import by_policy
from renderer.pages.views import EntryView, RoundView
from renderer.themes import conditional_parts

# Every tag of a page begins with its class, where it has one; in the words of the conversation a "<" is escaped.
_TAG = re.compile(r'<([a-z][a-z0-9]*)(?: class="([\w-]+))?')


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """A round as it was checked, as it is laid out, and as HTML; `size` is that of the HTML in bytes."""

    checked: CheckedRound
    view: RoundView
    html: str
    size: int


def write_round(round_: Round, conversation: Conversation, page: PageContext, *, recorded: bool) -> WrittenRound:
    """Check one round of `conversation` and lay it out; `recorded` is whether the file holds tool results at all."""
    checked = check_round(round_, conversation, recorded=recorded, tools=page.options.tools)
    if conversation.retrieval:
        checked = by_policy(checked, page.options.on_invalid)
    view = round_view(checked, page)
    html = render("round", round=view, say=page.catalog.say)
    return WrittenRound(checked, view, html, len(html.encode()))


@dataclass(slots=True)
class Tally:
    """What a page shows so far. `size` is that of its rounds in bytes; `names` are those of the input's files."""

    names: tuple[str, ...]
    retrieval: bool
    problems: list[Problem]
    questions: int = 0
    sources: int = 0
    records: int = 0
    removed: int = 0
    marked: int = 0
    size: int = 0
    parts: set[str] = field(default_factory=set)
    entries: list[EntryView] = field(default_factory=list)

    def add(self, written: WrittenRound) -> None:
        """Count one round."""
        self.size += written.size
        self.note_parts(written.html)
        self.entries += contents_entries(written.view)
        self._count(written.checked)

    def note_parts(self, *htmls: str) -> None:
        """Note the parts of style and script that this HTML has a use for."""
        for html in htmls:
            self.parts |= conditional_parts().intersection(chain.from_iterable(_TAG.findall(html)))

    def note_problems(self) -> None:
        """The head may say them, and it is written last. The part is for the notes of removed markers too."""
        if self.problems:
            self.parts.add("notice")

    def facts(self) -> PageFacts:
        """What the head and the foot say."""
        left_out = sum(problem.left_out for problem in self.problems)
        return PageFacts(self.questions, self.sources, self.records, left_out, frozenset(self.parts))

    def _count(self, checked: CheckedRound) -> None:
        round_ = checked.round
        self.problems += round_.problems
        self.questions += bool(round_.question and round_.question.blocks)
        # A record of a retrieval answer holds the question too.
        self.records += len(round_.messages) + (round_.question is not None and not self.retrieval)
        for answer in checked.answers.values():
            self.sources += len(answer.checked.sources)
            self.removed += answer.checked.removed_markers
            self.marked += len(answer.checked.marked)
            self.problems += _removal_problems(answer, self.names)


def _removal_problems(answer: CheckedMessage, names: tuple[str, ...]) -> Iterable[Problem]:
    where = names[0] if len(names) == 1 else ", ".join(names)
    for what in _losses(answer.checked):
        yield Problem(where, answer.message.line, f"message {answer.message.id}: {what}")


def _losses(checked: CheckedAnswer) -> Iterable[str]:
    if checked.unconfirmed:
        yield f"all citations removed ({_count(len(checked.removals), 'marker')}): not all of them name a source"
        return
    if checked.marked:
        yield f"{_count(len(checked.marked), 'marker')} marked: there is no source of that number"
    for verdict, reason in _REASONS:
        raws = [removal for removal in checked.removals if removal.verdict is verdict]
        markers = sum(removal.marker is not None for removal in raws)
        entries = len({removal.n for removal in raws}) if verdict is Verdict.NOT_RETURNED else 0
        if raws:
            lost = [_count(markers, "marker")] if markers else []
            lost += [_count(entries, "source", "sources")] if entries else []
            yield f"{' and '.join(lost)} removed: {reason}"


_REASONS = (
    (Verdict.NOT_RETURNED, "the address is not among the tool results that this answer could use"),
    (Verdict.NO_SOURCE, "there is no source of that number"),
)


def _count(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"
