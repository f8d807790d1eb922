"""When a conversation was, as an archive shows it and sorts by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from renderer.archive.entry import Entry
from renderer.i18n import Catalog
from renderer.options import Options
from renderer.pages.excerpts import beginning, one_line
from renderer.pages.head import zone_named

# Code points of a title that a list shows.
_TITLE = 200


@dataclass(frozen=True, slots=True)
class Dated:
    """An entry with the moment that it shows, None for one without a date, and its title in one line."""

    entry: Entry
    moment: datetime | None
    title: str

    @property
    def month(self) -> tuple[int, int] | None:
        """The year and the month that it stands in."""
        return (self.moment.year, self.moment.month) if self.moment else None


def newest_first(entries: Iterable[Entry], catalog: Catalog, options: Options) -> list[Dated]:
    """All entries in the order of the lists, those without a date last. Raises RendererError for an unknown zone."""
    dated = [
        Dated(entry, _moment(entry, options), beginning(one_line(entry.title), _TITLE) or catalog.say("untitled"))
        for entry in entries
    ]
    dated.sort(key=lambda one: (one.title, one.entry.key))
    # By what the clock showed, as the months do; sorting is stable.
    dated.sort(key=lambda one: one.moment.replace(tzinfo=None) if one.moment else datetime.min, reverse=True)
    return dated


def month_name(month: tuple[int, int] | None, catalog: Catalog) -> str:
    """A month as a heading says it."""
    if month is None:
        return catalog.say("archive_undated")
    return catalog.say("archive_month", year=month[0], month=catalog.texts["archive_months"][month[1] - 1])


def date_name(moment: datetime | None, catalog: Catalog) -> str:
    """A day as a list says it, "" where there is none."""
    if moment is None:
        return ""
    month = catalog.texts["months"][moment.month - 1]
    return catalog.say("archive_date", year=moment.year, month=month, day=moment.day)


def _moment(entry: Entry, options: Options) -> datetime | None:
    if not entry.created_at:
        return None
    moment = datetime.fromisoformat(entry.created_at)
    return moment.astimezone(zone_named(options.time_zone)) if options.time_zone else moment
