"""Entries as they are kept in the state of a site, and all of them as a sequence that holds one at a time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, overload

from renderer.archive.entry import CitedSource, Entry

# Newest first, those without a time last. The key decides between two of one moment. There is an index for this order:
# nothing is sorted, and so nothing is held.
_ORDER = "SELECT entry FROM conversations ORDER BY moment DESC, key"


class Entries(Sequence[Entry]):
    """The entries of a site, newest first: read from the state as they are asked for, so that no site is too big."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __len__(self) -> int:
        (count,) = self._db.execute("SELECT count(*) FROM conversations").fetchone()
        return int(count)

    def __iter__(self) -> Iterator[Entry]:
        for (text,) in self._db.execute(_ORDER):
            yield entry_of(text)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        place = index + len(self) if index < 0 else index
        row = self._db.execute(f"{_ORDER} LIMIT 1 OFFSET ?", (place,)).fetchone() if place >= 0 else None
        if row is None:
            raise IndexError(index)
        return entry_of(row[0])


def entry_json(entry: Entry) -> tuple[str, str]:
    """The moment of a conversation in UTC, as it sorts, and its entry as JSON."""
    moment = datetime.fromisoformat(entry.created_at).astimezone(UTC).isoformat() if entry.created_at else ""
    head = {field.name: getattr(entry, field.name) for field in fields(entry) if field.name != "sources"}
    # Source by source: a long conversation has tens of thousands, and the encoder takes many times their size.
    names = [field.name for field in fields(CitedSource)]
    sources = ",".join(_json({name: getattr(source, name) for name in names}) for source in entry.sources)
    return moment, f'{_json(head)[:-1]},"sources":[{sources}]}}'


def entry_of(text: str) -> Entry:
    """The entry in what `entry_json` made of it."""
    entry: Entry = json.loads(text, object_hook=_record)
    return entry


def _json(value: dict[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _record(value: dict[str, Any]) -> Entry | CitedSource:
    """The record of these fields; each as soon as it is read, so that a long list is not held twice."""
    values: dict[str, Any] = {name: tuple(field) if isinstance(field, list) else field for name, field in value.items()}
    return CitedSource(**values) if "answers" in values else Entry(**values)
