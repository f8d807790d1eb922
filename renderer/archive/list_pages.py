"""The lists of an archive's conversations, newest first: one page, or one for each year or month of a large archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from renderer.archive.dated import Dated, month_name
from renderer.archive.index_page import IndexPage, digest
from renderer.i18n import Catalog
from renderer.pages.archive_frame import Html, Link
from renderer.pages.environment import render
from renderer.pages.excerpts import beginning, one_line
from renderer.pages.language import language_of_quote

# Conversations on a page: about 400 kB, which Chromium lays out in well under a second. An archive of more has pages
# that stay the same while others change: whole years, or months; and the newest ones stand on the first page too.
_ON_A_PAGE = 1000
_NEWEST = 200
# A filter with more choices than this helps nobody.
_CHOICES = 100
_NAME = 60


@dataclass(frozen=True, slots=True)
class _Part:
    """A page of a large archive: `row` says where it stands among the links."""

    name: str
    row: str
    label: str
    heading: str
    dated: Sequence[Dated]


@dataclass(frozen=True, slots=True)
class _Row:
    label: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class _EntryView:
    href: str
    title: str
    title_lang: str
    agent: str
    format: str
    day: str
    date: str
    iso: str
    facts: tuple[str, ...]
    source_count: int
    removed_text: str


@dataclass(frozen=True, slots=True)
class _MonthView:
    id: str
    label: str
    entries: tuple[_EntryView, ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    name: str
    label: str
    all: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Check:
    name: str
    label: str


@dataclass(frozen=True, slots=True)
class _Filters:
    label: str
    one: str
    other: str
    none: str
    choices: tuple[_Choice, ...]
    checks: tuple[_Check, ...]

    @property
    def any(self) -> bool:
        return bool(self.choices or self.checks)


def list_pages(dated: Sequence[Dated], catalog: Catalog) -> Iterator[IndexPage]:
    """Every list of the archive; `dated` are all its conversations in their order."""
    filters = _filters(dated, catalog)
    parts = [] if len(dated) <= _ON_A_PAGE else list(_parts(dated, catalog))
    links = [(part.row, part.label, part.name) for part in parts]
    first = _newest(dated) if parts else dated
    for name, heading, held in (("index.html", "", first), *((part.name, part.heading, part.dated) for part in parts)):
        made_of = digest((links, filters, [_facts(one) for one in held]))
        yield IndexPage(name, heading, made_of, partial(_main, held, name, links, filters, catalog), len(held))


def _facts(one: Dated) -> tuple[object, ...]:
    """All that a list shows of a conversation."""
    entry = one.entry
    shown = (one.title, f"{one.moment}", entry.pages[0], entry.agent, entry.format, entry.questions, entry.removed)
    return (*shown, len(entry.sources))


# --- Which conversations stand on which page -------------------------------------------------------------------


def _newest(dated: Sequence[Dated]) -> Sequence[Dated]:
    """The first months that hold enough together, whole unless they are too large."""
    end = 0
    for _, group in groupby(dated, key=lambda one: one.month):
        size = len(list(group))
        if end and end + size > _ON_A_PAGE:
            break
        end += size
        if end >= _NEWEST:
            break
    return dated[: min(end, _ON_A_PAGE)]


def _parts(dated: Sequence[Dated], catalog: Catalog) -> Iterator[_Part]:
    for month, group in groupby(dated, key=lambda one: one.month and one.month[:1]):
        together = list(group)
        if month is None:
            label = catalog.say("archive_undated")
            yield from _cut("index-undated", "–", label, label, together)
        elif len(together) <= _ON_A_PAGE:
            year = f"{month[0]}"
            yield _Part(f"index-{year}.html", year, catalog.say("archive_whole_year"), year, together)
        else:
            yield from _months(together, catalog)


def _months(dated: Sequence[Dated], catalog: Catalog) -> Iterator[_Part]:
    for month, group in groupby(dated, key=lambda one: one.month):
        if month:
            short = catalog.texts["archive_short_months"][month[1] - 1]
            name = f"index-{month[0]}-{month[1]:02}"
            yield from _cut(name, f"{month[0]}", short, month_name(month, catalog), list(group))


def _cut(name: str, row: str, label: str, heading: str, dated: Sequence[Dated]) -> Iterator[_Part]:
    """As many pages as it takes; the first one bears the name itself."""
    for count, start in enumerate(range(0, len(dated), _ON_A_PAGE), start=1):
        which = "" if count == 1 else f"-{count}"
        shown = label if count == 1 else f"{count}"
        yield _Part(f"{name}{which}.html", row, shown, heading, dated[start : start + _ON_A_PAGE])


# --- How they are shown ----------------------------------------------------------------------------------------


def _main(
    dated: Sequence[Dated], name: str, links: Sequence[tuple[str, str, str]], filters: _Filters, catalog: Catalog
) -> Html:
    months = [_month(month, list(group), catalog) for month, group in groupby(dated, key=lambda one: one.month)]
    rows = [
        _Row(row, tuple(Link(to, label, to == name) for _, label, to in group))
        for row, group in groupby(links, key=lambda link: link[0])
    ]
    return render(
        "archive/list",
        search=_search_words(catalog) if name == "index.html" and dated else (),
        search_label=catalog.say("archive_search"),
        results_label=catalog.say("archive_results"),
        more_label=catalog.say("archive_more"),
        filters=filters,
        parts=render("archive/parts", rows=rows, label=catalog.say("archive_parts")),
        months=months,
        empty=catalog.say("archive_empty"),
    )


def _month(month: tuple[int, int] | None, dated: Sequence[Dated], catalog: Catalog) -> _MonthView:
    tag = f"{month[0]}-{month[1]:02}" if month else "undated"
    return _MonthView(f"in-{tag}", month_name(month, catalog), tuple(_entry(one, catalog) for one in dated))


def _entry(one: Dated, catalog: Catalog) -> _EntryView:
    entry, moment = one.entry, one.moment
    sources = len(entry.sources)
    agent = beginning(one_line(entry.agent), _NAME)
    facts = (
        agent,
        catalog.say("questions", n=entry.questions),
        catalog.say("source_count", n=sources) if sources else "",
    )
    return _EntryView(
        href=entry.pages[0],
        title=one.title,
        title_lang=language_of_quote(one.title, catalog.lang),
        agent=agent,
        format=entry.format,
        day=catalog.say("archive_day", day=moment.day) if moment else "",
        date=catalog.date_time(moment) if moment else "",
        iso=moment.isoformat() if moment else "",
        facts=tuple(fact for fact in facts if fact),
        source_count=sources,
        removed_text=catalog.say("archive_removed", n=entry.removed) if entry.removed else "",
    )


def _filters(dated: Sequence[Dated], catalog: Catalog) -> _Filters:
    """The filters that tell conversations of the whole archive apart: what is chosen holds on all its pages."""
    agents = sorted({beginning(one_line(one.entry.agent), _NAME) for one in dated} - {""})
    formats = sorted({one.entry.format for one in dated})
    choices = [
        _Choice(name, catalog.say(f"archive_{name}"), catalog.say(f"archive_all_{name}s"), tuple(options))
        for name, options in (("agent", agents), ("format", formats))
        if 1 < len(options) <= _CHOICES
    ]
    kept = (
        ("sources", [bool(one.entry.sources) for one in dated]),
        ("removed", [one.entry.removed > 0 for one in dated]),
    )
    checks = [_Check(name, catalog.say(f"archive_has_{name}")) for name, held in kept if any(held) and not all(held)]
    return _Filters(
        label=catalog.say("archive_filters"),
        one=catalog.say("archive_shown", n=1),
        other=catalog.say("archive_shown", n=2),
        none=catalog.say("archive_none_shown"),
        choices=tuple(choices),
        checks=tuple(checks),
    )


def _search_words(catalog: Catalog) -> tuple[tuple[str, str], ...]:
    """What the search says, as data attributes: the script has no words of its own."""
    return (
        ("one", catalog.say("archive_found", n=1)),
        ("other", catalog.say("archive_found", n=2)),
        ("none", catalog.say("archive_found_none")),
        ("failed", catalog.say("archive_search_failed")),
        ("question", catalog.say("question")),
        ("answer", catalog.say("answer")),
        ("source", catalog.say("archive_in_source")),
        ("title", catalog.say("archive_in_title")),
    )
