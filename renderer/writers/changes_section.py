"""The changed files of a conversation, collected round by round; their diffs wait in a spool on disk."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TextIO

from renderer.i18n import Catalog
from renderer.model import FileChange, Round
from renderer.pages.changes import CHANGES_END, changes_start, diff_html, file_end, file_start
from renderer.writers.changed_files import changes_of, merge_changes

# How much of all diffs a page shows (code points).
MAX_DIFFS = 2 * 1024 * 1024


@dataclass(slots=True)
class ChangedFiles:
    """The files by their paths, without their contents, and where the diffs of each stand in the spool."""

    spool: TextIO
    catalog: Catalog
    files: dict[str, FileChange] = field(default_factory=dict)
    diffs: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    listed: list[FileChange] = field(default_factory=list)
    room: int = MAX_DIFFS
    size: int = 0

    def add(self, round_: Round) -> None:
        """Take the changes of a round."""
        merge_changes(self.files, map(self._keep_diff, changes_of(round_)))

    def finish(self, of_all: Iterable[FileChange]) -> None:
        """List the files, once all rounds are there.

        `of_all` are the changes that the input gives for the whole conversation: their counts go before our own sums.
        """
        for change in of_all:
            # What a message says of the same file is the same diff.
            self.listed.append(_light(change) if change.path in self.diffs else self._keep_diff(change))
        paths = {change.path for change in self.listed}
        self.listed += [change for path, change in self.files.items() if path not in paths]

    @property
    def heading(self) -> str:
        """How the section begins; "" when no file changed."""
        return changes_start(len(self.listed), self.catalog) if self.listed else ""

    def write(self, file: TextIO) -> None:
        """Write the section to `file`; nothing when no file changed."""
        if not self.listed:
            return
        file.write(self.heading)
        for change in self.listed:
            places = self.diffs.pop(change.path, [])
            file.write(file_start(change, folds=bool(places), catalog=self.catalog))
            for start, length in places:
                self.spool.seek(start)
                file.write(self.spool.read(length))
            file.write(file_end(folds=bool(places)))
        file.write(CHANGES_END)

    def _keep_diff(self, change: FileChange) -> FileChange:
        """Put the diff into the spool; the change without it, with counts taken from it where the file gives none."""
        diff = diff_html(change, self.room, self.catalog)
        light = _light(change)
        if diff is None:
            return light
        self.diffs.setdefault(change.path, []).append((self.spool.tell(), len(diff.html)))
        self.spool.write(diff.html)
        self.room -= diff.size
        self.size += len(diff.html.encode())
        if change.lines_added is None and change.lines_deleted is None:
            light = replace(light, lines_added=diff.added, lines_deleted=diff.deleted)
        return light


def _light(change: FileChange) -> FileChange:
    return replace(change, patch=None, before=None, after=None)
