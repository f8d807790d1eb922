"""Joining the pages of one share: in which order, without doubles, and what is missing between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from renderer.errors import Problem
from renderer.readers._records import as_id

WHOLE_NUMBER = re.compile(r"-?\d{1,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Page:
    """One page as fetched. `next_before` is the id before which the next older page ends, None at the beginning."""

    where: str
    digest: str
    session: Mapping[str, Any]
    rows: Sequence[object]
    has_more: bool
    next_before: int | None
    oldest: int | None
    newest: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """A message row and the number by which it is sorted; `where` is the page that it came from."""

    number: int
    where: str
    value: object


def number_of(value: object) -> int | None:
    """An id as a whole number, be it written as a number or as a string; None when it is neither."""
    id_ = as_id(value)
    return int(id_) if id_ is not None and WHOLE_NUMBER.fullmatch(id_) else None


def make_page(payload: Mapping[str, Any], rows: Sequence[object], where: str, digest: str) -> Page:
    """A page from its payload. `where` is the file's name, `digest` tells pages apart that are otherwise equal."""
    session = payload.get("session")
    numbers = [number for row in rows if (number := _row_number(row)) is not None]
    return Page(
        where=where,
        digest=digest,
        session=session if isinstance(session, dict) else {},
        rows=rows,
        has_more=payload.get("hasMore") is True,
        next_before=number_of(payload.get("nextBeforeMessageId")),
        oldest=min(numbers, default=None),
        newest=max(numbers, default=None),
    )


def oldest_first(pages: Sequence[Page]) -> list[Page]:
    """The pages in the order of their messages, whatever order they were given in."""
    return sorted(pages, key=lambda page: (page.oldest is not None, page.oldest or 0, page.digest))


def joined(pages: Sequence[Page]) -> list[Row]:
    """The rows of all pages, ascending by id, each id once. A row without a number stays behind the row before it."""
    rows: dict[str, Row] = {}
    for page in pages:
        number = page.oldest or 0
        for value in page.rows:
            own = _row_number(value)
            number = number if own is None else own
            id_ = as_id(value.get("id")) if isinstance(value, dict) else None
            rows.setdefault(f"row {len(rows)}" if id_ is None else f"id {id_}", Row(number, page.where, value))
    return sorted(rows.values(), key=lambda row: row.number)


def missing_before(pages: Sequence[Page]) -> Iterator[Problem]:
    """What the oldest page says: that the share began earlier."""
    first = next((page for page in pages if page.oldest is not None), pages[0])
    if first.has_more:
        before = first.oldest if first.next_before is None else first.next_before
        place = "" if before is None else f" (before message {before})"
        yield Problem(first.where, None, f"earlier messages of this share are missing{place}", notice="earlier_missing")


def missing_between(pages: Sequence[Page]) -> list[tuple[int, Problem]]:
    """Where a page begins later than the older ones end: the id of its beginning, and the Problem.

    Ids may have gaps of their own, so it is only said that messages may be missing.
    """
    found: list[tuple[int, Problem]] = []
    newest: int | None = None
    for page in pages:
        begins = page.oldest if page.next_before is None else page.next_before
        if newest is not None and begins is not None and page.has_more and newest < begins - 1:
            what = f"messages between {newest} and {begins} may be missing"
            found.append((begins, Problem(page.where, None, what, notice="maybe_missing")))
        newest = page.newest if newest is None else max(newest, page.newest or newest)
    return sorted(found, key=lambda gap: gap[0])


def _row_number(row: object) -> int | None:
    return number_of(row.get("id")) if isinstance(row, dict) else None
