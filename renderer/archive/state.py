"""What a site knows of its last build, in one file of its folder: an SQLite database, safe to delete.

While it is open no other run can open it. What is written counts from `commit` on, also when the program is killed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from renderer.archive.documents import texts_in
from renderer.archive.entries import Entries, entry_json
from renderer.archive.entry import Entry
from renderer.errors import RendererError
from renderer.staging import discard
from renderer.version import VERSION

FILE_NAME = ".citepage-state.sqlite"

# Another number means other tables: such a file counts as deleted.
_TABLES_VERSION = 1

_TABLES = """
CREATE TABLE inputs (path TEXT PRIMARY KEY, fingerprint TEXT, size INT, mtime_ns INT, digest TEXT, is_export INT,
  error TEXT, warnings TEXT, more INT);
CREATE TABLE holds (path TEXT, key TEXT, PRIMARY KEY (path, key)) WITHOUT ROWID;
CREATE INDEX holders ON holds (key);
CREATE TABLE conversations (key TEXT PRIMARY KEY, digest TEXT, by_content INT, owners TEXT, records INT, format TEXT,
  moment TEXT, entry TEXT);
CREATE INDEX newest ON conversations (moment DESC, key);
CREATE TABLE pages (key TEXT, place INT, name TEXT, size INT, PRIMARY KEY (key, place)) WITHOUT ROWID;
CREATE TABLE documents (key TEXT, place INT, frame BLOB, PRIMARY KEY (key, place));
CREATE TABLE leftovers (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE indexes (name TEXT PRIMARY KEY, size INT) WITHOUT ROWID;
CREATE TABLE indexed (fingerprint TEXT);
CREATE TABLE searched (version TEXT);
CREATE TABLE unsearched (key TEXT PRIMARY KEY) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class KnownInput:
    """An input as it was when it was read. `warnings` are lines, `more` counts those that are not named."""

    size: int
    mtime_ns: int
    digest: str
    is_export: bool
    error: str
    warnings: tuple[str, ...]
    more: int


@dataclass(frozen=True, slots=True)
class KnownConversation:
    """A conversation that has pages: those of the inputs `owners`. `records` as in `work.Made`."""

    digest: str
    owners: tuple[str, ...]
    records: int


class State:
    """The tables, and what is asked of them. Close it, or use it as a context."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE_NAME
        try:
            self._db = _opened(self._path)
        except sqlite3.OperationalError as error:
            what = f"the state of the site cannot be opened: {error}"
            remedy = "wait until the other run has ended, or check the access rights"
            raise RendererError(str(self._path), what, remedy) from None
        except sqlite3.DatabaseError:  # broken: as if it had been deleted
            discard(self._path)
            self._db = _opened(self._path)

    def __enter__(self) -> State:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def commit(self) -> None:
        """Make what was written count."""
        self._db.commit()

    # --- Inputs ------------------------------------------------------------------------------------------------

    def inputs(self, fingerprint: str) -> dict[str, KnownInput]:
        """The inputs that were read with these options, by their paths."""
        rows = self._db.execute(
            "SELECT path, size, mtime_ns, digest, is_export, error, warnings, more FROM inputs WHERE fingerprint = ?",
            (fingerprint,),
        )
        return {
            path: KnownInput(size, mtime_ns, digest, bool(is_export), error, tuple(json.loads(warnings)), more)
            for path, size, mtime_ns, digest, is_export, error, warnings, more in rows
        }

    def put_input(self, path: str, fingerprint: str, known: KnownInput, keys: Iterable[str]) -> None:
        """Remember an input, and the conversations that it holds."""
        warnings = json.dumps(known.warnings)
        row = (path, fingerprint, known.size, known.mtime_ns, known.digest, known.is_export, known.error, warnings)
        self._db.execute("REPLACE INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, known.more))
        self._db.execute("DELETE FROM holds WHERE path = ?", (path,))
        self._db.executemany("INSERT OR IGNORE INTO holds VALUES (?, ?)", [(path, key) for key in keys])

    def touch_input(self, path: str, mtime_ns: int) -> None:
        """Remember that an input has a new time and its old content."""
        self._db.execute("UPDATE inputs SET mtime_ns = ? WHERE path = ?", (mtime_ns, path))

    def must_read(self, paths: Iterable[str]) -> None:
        """Inputs that count as changed until they are put again."""
        self._db.executemany("UPDATE inputs SET fingerprint = '' WHERE path = ?", [(path,) for path in paths])

    def forget_input(self, path: str) -> None:
        """Forget an input that is no more."""
        self._db.execute("DELETE FROM inputs WHERE path = ?", (path,))
        self._db.execute("DELETE FROM holds WHERE path = ?", (path,))

    def holds(self, path: str) -> bool:
        """Whether an input held a conversation when it was read last."""
        return self._db.execute("SELECT 1 FROM holds WHERE path = ?", (path,)).fetchone() is not None

    def all_paths(self) -> list[str]:
        """The paths of all inputs that are remembered."""
        return [path for (path,) in self._db.execute("SELECT path FROM inputs ORDER BY path")]

    def sharing(self, path: str) -> list[str]:
        """The inputs that hold a conversation which this one holds too; itself among them."""
        rows = self._db.execute(
            "SELECT DISTINCT path FROM holds WHERE key IN (SELECT key FROM holds WHERE path = ?)", (path,)
        )
        return [other for (other,) in rows]

    def holders(self, key: str) -> tuple[str, ...]:
        """The inputs that hold a conversation, sorted."""
        rows = self._db.execute("SELECT path FROM holds WHERE key = ? ORDER BY path", (key,))
        return tuple(path for (path,) in rows)

    def held_by_several(self) -> list[tuple[str, str]]:
        """The key and the format of each conversation that several inputs hold."""
        return self._db.execute(
            "SELECT key, format FROM conversations WHERE (SELECT count(*) FROM holds WHERE holds.key ="
            " conversations.key) > 1 ORDER BY key"
        ).fetchall()

    # --- Conversations -----------------------------------------------------------------------------------------

    def conversation(self, key: str) -> KnownConversation | None:
        """The conversation of this key, if there is one."""
        row = self._db.execute("SELECT digest, owners, records FROM conversations WHERE key = ?", (key,)).fetchone()
        return None if row is None else KnownConversation(row[0], tuple(json.loads(row[1])), row[2])

    def put_conversation(
        self,
        entry: Entry,
        known: KnownConversation,
        *,
        by_content: bool,
        pages: Sequence[tuple[str, int]],
        frames: Iterable[bytes],
    ) -> None:
        """Remember a conversation: its pages with their sizes, and its texts for search."""
        key = entry.key
        self._drop(key)
        moment, text = entry_json(entry)
        row = (key, known.digest, by_content, json.dumps(known.owners), known.records, entry.format, moment, text)
        self._db.execute("INSERT INTO conversations VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        rows = [(key, place, name, size) for place, (name, size) in enumerate(pages)]
        self._db.executemany("INSERT INTO pages VALUES (?, ?, ?, ?)", rows)
        for place, frame in enumerate(frames):
            self._db.execute("INSERT INTO documents VALUES (?, ?, ?)", (key, place, frame))
        self._db.execute("INSERT OR IGNORE INTO unsearched VALUES (?)", (key,))

    def drop_unheld(self, *, all_: bool) -> None:
        """Forget the conversations that no input holds: all of them, or those without an id of their own."""
        rows = self._db.execute(
            "SELECT key FROM conversations WHERE (by_content OR ?) AND key NOT IN (SELECT key FROM holds)", (all_,)
        ).fetchall()
        if rows:
            self.indexes_are_old()
        for (key,) in rows:
            self.expect(name for (name,) in self._db.execute("SELECT name FROM pages WHERE key = ?", (key,)).fetchall())
            self._drop(key)

    def entries(self) -> Entries:
        """All conversations, newest first, read as they are asked for."""
        return Entries(self._db)

    def documents(self, key: str) -> Iterator[tuple[str, str, str]]:
        """The texts of a conversation for search: where each leads, its kind (`collect.KINDS`), and its words."""
        for (frame,) in self._db.execute("SELECT frame FROM documents WHERE key = ? ORDER BY place", (key,)):
            yield from texts_in(frame)

    def _drop(self, key: str) -> None:
        for table in ("conversations", "pages", "documents"):
            self._db.execute(f"DELETE FROM {table} WHERE key = ?", (key,))

    # --- Indexes -----------------------------------------------------------------------------------------------

    def indexes(self, fingerprint: str) -> dict[str, int] | None:
        """The names and sizes of the indexes; None when they were not made with these options, or do not list all."""
        if self._db.execute("SELECT 1 FROM indexed WHERE fingerprint = ?", (fingerprint,)).fetchone() is None:
            return None
        return dict(self._db.execute("SELECT name, size FROM indexes"))

    def unsearched(self) -> set[str] | None:
        """The keys of the conversations that came or changed since the search was last made; None: all of them."""
        if self._db.execute("SELECT 1 FROM searched WHERE version = ?", (VERSION,)).fetchone() is None:
            return None
        return {key for (key,) in self._db.execute("SELECT key FROM unsearched")}

    def index_names(self) -> set[str]:
        """The names of the indexes that the last run wrote, whether they are up to date or not."""
        return {name for (name,) in self._db.execute("SELECT name FROM indexes")}

    def indexes_are_old(self) -> None:
        """Note that the indexes must be made again."""
        self._db.execute("DELETE FROM indexed")

    def put_indexes(self, fingerprint: str, sizes: Mapping[str, int]) -> None:
        """Note that the indexes list all that is there."""
        self._db.execute("DELETE FROM indexes")
        self._db.executemany("INSERT INTO indexes VALUES (?, ?)", sizes.items())
        self._db.execute("DELETE FROM indexed")
        self._db.execute("INSERT INTO indexed VALUES (?)", (fingerprint,))
        self._db.execute("DELETE FROM searched")
        self._db.execute("INSERT INTO searched VALUES (?)", (VERSION,))
        self._db.execute("DELETE FROM unsearched")

    # --- Pages -------------------------------------------------------------------------------------------------

    def pages(self) -> dict[str, int]:
        """The names of all pages, and their sizes."""
        return dict(self._db.execute("SELECT name, size FROM pages"))

    def pages_of(self, key: str) -> list[str]:
        """The names of a conversation's pages."""
        return [name for (name,) in self._db.execute("SELECT name FROM pages WHERE key = ? ORDER BY place", (key,))]

    def owners_of_page(self, name: str) -> tuple[str, ...]:
        """The inputs that a page was made from."""
        query = "SELECT owners FROM conversations JOIN pages USING (key) WHERE name = ?"
        row = self._db.execute(query, (name,)).fetchone()
        return tuple(json.loads(row[0])) if row else ()

    def expect(self, names: Iterable[str]) -> None:
        """Names that may be in the folder without a page of theirs being listed; see `leftovers`."""
        self._db.executemany("INSERT OR IGNORE INTO leftovers VALUES (?)", [(name,) for name in names])

    def leftovers(self) -> list[str]:
        """The names that were expected and are no page's."""
        query = "SELECT name FROM leftovers WHERE name NOT IN (SELECT name FROM pages) ORDER BY name"
        return [name for (name,) in self._db.execute(query)]

    def clear_leftovers(self) -> None:
        """Forget the names that were expected."""
        self._db.execute("DELETE FROM leftovers")


def _opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=1)
    try:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        # A lost second of work is done again; a broken file counts as deleted.
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN EXCLUSIVE")
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version != _TABLES_VERSION:
            tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for (table,) in tables:
                db.execute(f'DROP TABLE "{table}"')
            for statement in _TABLES.strip().rstrip(";").split(";\n"):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {_TABLES_VERSION}")
        db.commit()
    except BaseException:
        db.close()
        raise
    return db
