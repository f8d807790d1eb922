"""One conversation → one self-contained page, written a round at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import chain
from typing import TextIO

from renderer.citations.verdicts import holds_tool_results
from renderer.errors import Problem
from renderer.i18n import catalog
from renderer.markdown.answers import CheckedMessage, CheckedRound, check_round
from renderer.model import CheckedAnswer, Conversation, Verdict
from renderer.options import DEFAULTS, NOWHERE, Options, Place
from renderer.output import copy_spool, spool
from renderer.pages.contents import contents_entries, contents_html
from renderer.pages.context import page_context
from renderer.pages.environment import render
from renderer.pages.excerpts import Excerpts
from renderer.pages.head import PageFacts, end_html, foot_view, head_view, page_title
from renderer.pages.language import language_of
from renderer.pages.messages import round_view
from renderer.pages.policy import by_policy
from renderer.pages.sharing import page_address
from renderer.pages.views import EntryView, RoundView
from renderer.themes import conditional_parts
from renderer.version import VERSION
from renderer.writers.changes_section import ChangedFiles


@dataclass(frozen=True, slots=True)
class PageSummary:
    """What came of a page: the counts that it shows, the markers removed or struck, and all that was wrong.

    `marked` are the markers that name no source and stay, struck. `size` is that of the rounds and
    the diffs in bytes. `problems` are
    those of the input, and one for each message that lost markers or entries, or has struck ones.
    """

    questions: int
    sources: int
    records: int
    left_out: int
    removed: int
    marked: int
    size: int
    problems: tuple[Problem, ...]


def write_page(
    conversation: Conversation, file: TextIO, *, options: Options = DEFAULTS, place: Place = NOWHERE
) -> PageSummary:
    """Write `conversation` as one HTML page to the text file `file` (UTF-8, no translation of line ends).

    `place` names the files that stand beside it, and its address where `options.base_url` does not tell it whole.
    Memory is bounded by the largest round: the body waits in a spool on disk until the counts in the head are known,
    and the diffs of changed files in another until all rounds are there. Raises RendererError for an unknown language,
    theme or time zone, a `source_base` or `base_url` that is no http(s) address, and where the input cannot be read any
    further.
    """
    if options.base_url and not place.address:
        place = replace(place, address=page_address(options.base_url, ""))
    words = catalog(language_of(conversation) if options.lang == "auto" else options.lang)
    page = page_context(conversation, options, words)
    recorded = holds_tool_results(conversation)
    tally = _Tally(problems=list(conversation.problems))
    excerpts = Excerpts()
    with spool() as body, spool() as diffs:
        changes = ChangedFiles(diffs, words)
        for round_ in conversation.rounds:
            checked = check_round(round_, conversation, recorded=recorded, tools=options.tools)
            if conversation.retrieval:
                checked = by_policy(checked, options.on_invalid)
            view = round_view(checked, page)
            excerpts.add(checked, view)
            html = render("round", round=view, say=words.say)
            body.write(html)
            tally.show(view, html)
            changes.add(round_)
            tally.add(checked, conversation.origin.names, retrieval=conversation.retrieval)
        changes.finish(conversation.file_changes)
        contents = contents_html(page_title(conversation, options), tally.entries, words)
        tally.note_parts(contents, changes.heading)
        if tally.problems:
            # The head may say them, and it is written last. The part is for the notes of removed markers too.
            tally.parts.add("notice")
        facts = tally.facts()
        head = head_view(conversation, facts, excerpts, place, options, words, VERSION)
        file.write(render("head", head=head, contents=contents))
        copy_spool(body, file)
        changes.write(file)
        file.write(render("foot", foot=foot_view(conversation, facts, words, VERSION)))
        file.write(end_html(facts))
    return PageSummary(
        facts.questions,
        facts.sources,
        facts.records,
        facts.left_out,
        tally.removed,
        tally.marked,
        tally.size + changes.size,
        tuple(tally.problems),
    )


def render_page(conversation: Conversation, *, options: Options = DEFAULTS) -> str:
    """The page of a conversation of ordinary size, as one string. See `write_page`."""
    file = StringIO(newline="")
    write_page(conversation, file, options=options)
    return file.getvalue()


# The first class of an element; in the words of the conversation a "<" is escaped.
# Every tag of a page begins with its class, where it has one.
_TAG = re.compile(r'<([a-z][a-z0-9]*)(?: class="([\w-]+))?')


@dataclass(slots=True)
class _Tally:
    problems: list[Problem]
    questions: int = 0
    sources: int = 0
    records: int = 0
    removed: int = 0
    marked: int = 0
    size: int = 0
    parts: set[str] = field(default_factory=set)
    entries: list[EntryView] = field(default_factory=list)

    def show(self, view: RoundView, html: str) -> None:
        self.size += len(html.encode())
        self.note_parts(html)
        self.entries += contents_entries(view)

    def note_parts(self, *htmls: str) -> None:
        for html in htmls:
            self.parts |= conditional_parts().intersection(chain.from_iterable(_TAG.findall(html)))

    def add(self, checked: CheckedRound, names: tuple[str, ...], *, retrieval: bool) -> None:
        round_ = checked.round
        self.problems += round_.problems
        self.questions += bool(round_.question and round_.question.blocks)
        # A record of a retrieval answer holds the question too.
        self.records += len(round_.messages) + (round_.question is not None and not retrieval)
        for answer in checked.answers.values():
            self.sources += len(answer.checked.sources)
            self.removed += answer.checked.removed_markers
            self.marked += len(answer.checked.marked)
            self.problems += _removal_problems(answer, names)

    def facts(self) -> PageFacts:
        left_out = sum(problem.left_out for problem in self.problems)
        return PageFacts(self.questions, self.sources, self.records, left_out, frozenset(self.parts))


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
