"""One conversation → the pages of a site: one, or for a long conversation several of so many rounds each.

Pages are cut from the start, so that a conversation that grows keeps the pages that were full. The first page waits
until all others are written, as it lists them and tells the counts of the whole conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TextIO

from renderer.citations.verdicts import holds_tool_results
from renderer.errors import Problem
from renderer.i18n import Catalog
from renderer.model import Conversation, Round
from renderer.options import LIMITS, Limits, Options, Place
from renderer.output import copy_spool, spool
from renderer.pages.contents import contents_html
from renderer.pages.context import PageContext, page_context
from renderer.pages.environment import render
from renderer.pages.excerpts import Excerpts
from renderer.pages.head import PageFacts, end_html, foot_view, head_view, page_title
from renderer.pages.series import message_ids, page_ref, range_words, series_end_html, series_html
from renderer.pages.sharing import page_address
from renderer.pages.views import PageRefView, SeriesView
from renderer.version import VERSION
from renderer.writers.changes_section import MAX_DIFFS, ChangedFiles
from renderer.writers.page import words_of
from renderer.writers.written_round import Tally, WrittenRound, write_round


@dataclass(frozen=True, slots=True)
class Series:
    """Where the pages go: their names by their numbers from 1, how to open each for writing, and the site's index.

    `take` is shown each round as it is written, and the name of its page.
    """

    name: Callable[[int], str]
    opened: Callable[[str], AbstractContextManager[TextIO]]
    take: Callable[[WrittenRound, str], None]
    index: str = "index.html"


@dataclass(frozen=True, slots=True)
class SeriesSummary:
    """What came of a conversation: the language of its pages, their names in order, and the counts of them all."""

    lang: str
    pages: tuple[str, ...]
    questions: int
    records: int
    removed: int
    problems: tuple[Problem, ...]


def write_series(
    conversation: Conversation, series: Series, *, options: Options, limits: Limits = LIMITS
) -> SeriesSummary:
    """Write the pages of `conversation`, in memory bounded by its largest round. Raises what `write_page` raises."""
    words = words_of(conversation, options)
    page = page_context(conversation, options, words)
    with spool() as diffs, spool() as body:
        changes = ChangedFiles(diffs, words, room=min(MAX_DIFFS, limits.size // 2))
        rest = _Rest(conversation, page, holds_tool_results(conversation), changes, limits, series)
        writer = _Writer(conversation, options, words, changes, series)
        first = rest.fill(body, 1)
        sheets = [first]
        while rest.goes_on():
            with spool() as more:
                sheet = rest.fill(more, len(sheets) + 1)
                writer.write(sheet, more, goes_on=rest.goes_on())
            sheets.append(sheet.told())
        writer.write_first(sheets, body)
    return _summary(sheets, words, series)


@dataclass(slots=True)
class _Sheet:
    """A page while it is filled. `before` counts the questions of the pages before it."""

    number: int
    before: int
    tally: Tally
    excerpts: Excerpts = field(default_factory=Excerpts)
    mids: list[str] = field(default_factory=list)
    rounds: int = 0
    beginning: str = ""
    has_changes: bool = False

    def told(self) -> _Sheet:
        """The same page once it is written: what its own head alone had to say is not kept."""
        self.tally.entries.clear()
        self.excerpts = Excerpts()
        return self

    def add(self, written: WrittenRound) -> None:
        self.tally.add(written)
        self.excerpts.add(written.checked, written.view)
        self.mids += message_ids(written.view)
        self.rounds += 1
        if not self.beginning and self.tally.entries:
            self.beginning = self.tally.entries[0].words


class _Rest:
    """The rounds that are still to be written, and the changed files after the last one."""

    def __init__(
        self,
        conversation: Conversation,
        page: PageContext,
        recorded: bool,
        changes: ChangedFiles,
        limits: Limits,
        series: Series,
    ) -> None:
        self._conversation, self._page, self._recorded = conversation, page, recorded
        self._changes, self._limits, self._series = changes, limits, series
        self._rounds: Iterator[Round] = iter(conversation.rounds)
        self._waiting: WrittenRound | None = None
        self._following: Round | None = next(self._rounds, None)
        self._before = 0
        self._changes_wait = True

    def goes_on(self) -> bool:
        """Whether another page is needed."""
        return self._waiting is not None or self._following is not None or self._changes_wait

    def fill(self, body: TextIO, number: int) -> _Sheet:
        """Write the rounds of one page to `body`."""
        problems = list(self._conversation.problems) if number == 1 else []
        origin = self._conversation.origin
        sheet = _Sheet(number, self._before, Tally(origin.names, self._conversation.retrieval, problems))
        self._renew_budgets()
        while (written := self._next_for(sheet)) is not None:
            body.write(written.html)
            sheet.add(written)
            self._series.take(written, self._series.name(number))
            self._changes.add(written.checked.round)
        self._before += sheet.tally.questions
        self._place_changes(sheet)
        return sheet

    def _next_for(self, sheet: _Sheet) -> WrittenRound | None:
        """The next round, None when the page is full or no round is left."""
        size, limits = sheet.tally.size, self._limits
        if sheet.rounds >= limits.rounds or (sheet.rounds and size >= limits.size * 9 // 10):
            return None
        if self._waiting is None and self._following is not None:
            self._waiting = write_round(self._following, self._conversation, self._page, recorded=self._recorded)
            self._following = next(self._rounds, None)
        written = self._waiting
        if written is None or (sheet.rounds and size + written.size > limits.size):
            return None
        self._waiting = None
        return written

    def _place_changes(self, sheet: _Sheet) -> None:
        """The changed files stand on the last page of rounds, or on one of their own where there is no room."""
        if self._waiting is not None or self._following is not None:
            return
        if sheet.rounds:
            self._changes.finish(self._conversation.file_changes)
        fits = sheet.tally.size + self._changes.size <= self._limits.size
        sheet.has_changes = bool(self._changes.listed) and (fits or not sheet.rounds)
        self._changes_wait = bool(self._changes.listed) and not sheet.has_changes

    def _renew_budgets(self) -> None:
        """Each page has room of its own for passages and pictures."""
        options = self._page.options
        self._page.budget.page = options.page_budget
        self._page.pictures.all = options.pictures_bytes


@dataclass(frozen=True, slots=True)
class _Writer:
    """What the pages of one conversation have in common."""

    conversation: Conversation
    options: Options
    words: Catalog
    changes: ChangedFiles
    series: Series

    def write(self, sheet: _Sheet, body: TextIO, *, goes_on: bool) -> None:
        """Write a page that is not the first: it tells of itself alone."""
        name, number = self.series.name, sheet.number
        ways = SeriesView(self.series.index, number, name(1), name(number - 1), name(number + 1) if goes_on else "", ())
        title = page_title(self.conversation, self.options) or self.words.say("untitled")
        options = replace(self.options, title=self.words.say("series_title", title=title, n=number))
        self._write(replace(self.conversation, problems=()), sheet, sheet.tally.facts(), ways, body, options)

    def write_first(self, sheets: list[_Sheet], body: TextIO) -> None:
        """Write the first page, which tells of all."""
        name, first = self.series.name, sheets[0]
        if len(sheets) == 1:
            ways = SeriesView(self.series.index, 0, "", "", "", ())
            self._write(self.conversation, first, first.tally.facts(), ways, body, self.options)
            return
        refs = tuple(self._ref(sheet) for sheet in sheets)
        ways = SeriesView(self.series.index, 1, name(1), "", name(2), refs)
        self._write(self.conversation, first, _facts_of_all(sheets), ways, body, self.options)

    def _ref(self, sheet: _Sheet) -> PageRefView:
        words = range_words(sheet.before + 1, sheet.tally.questions, self.words)
        if not sheet.rounds:
            words = str(self.words.say("files_changed", n=len(self.changes.listed)))
        return page_ref(self.series.name(sheet.number), words, sheet.beginning, sheet.mids)

    def _write(
        self,
        conversation: Conversation,
        sheet: _Sheet,
        facts: PageFacts,
        ways: SeriesView,
        body: TextIO,
        options: Options,
    ) -> None:
        name = self.series.name(sheet.number)
        place = Place(page_address(options.base_url, name) if options.base_url else "")
        contents = contents_html(page_title(conversation, options), sheet.tally.entries, self.words)
        start, end = series_html(ways, self.words), series_end_html(ways, self.words)
        heading = self.changes.heading if sheet.has_changes else ""
        sheet.tally.note_parts(contents, start, end, heading)
        sheet.tally.note_problems()
        facts = replace(facts, parts=frozenset(sheet.tally.parts))
        head = head_view(conversation, facts, sheet.excerpts, place, options, self.words, VERSION)
        foot = foot_view(conversation, facts, self.words, VERSION)
        with self.series.opened(name) as file:
            file.write(render("head", head=head, contents=contents))
            file.write(start)
            copy_spool(body, file)
            if sheet.has_changes:
                self.changes.write(file)
            file.write(end)
            file.write(render("foot", foot=foot))
            file.write(end_html(facts))


def _facts_of_all(sheets: list[_Sheet]) -> PageFacts:
    facts = [sheet.tally.facts() for sheet in sheets]
    return PageFacts(
        sum(each.questions for each in facts),
        sum(each.sources for each in facts),
        sum(each.records for each in facts),
        sum(each.left_out for each in facts),
    )


def _summary(sheets: list[_Sheet], words: Catalog, series: Series) -> SeriesSummary:
    facts = _facts_of_all(sheets)
    return SeriesSummary(
        words.lang,
        tuple(series.name(sheet.number) for sheet in sheets),
        facts.questions,
        facts.records,
        sum(sheet.tally.removed for sheet in sheets),
        tuple(problem for sheet in sheets for problem in sheet.tally.problems),
    )
