"""The files that a conversation changed, one entry each, where the file gives them message by message."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from renderer.model import FileChange, FileChanges, Round


def changes_of(round_: Round) -> Iterator[FileChange]:
    """What the messages of a round changed."""
    for message in round_.messages:
        for block in message.blocks:
            if isinstance(block, FileChanges):
                yield from block.changes


def merge_changes(known: dict[str, FileChange], changes: Iterable[FileChange]) -> None:
    """Add `changes` to `known`, which holds changes by path."""
    for change in changes:
        first = known.get(change.path)
        known[change.path] = change if first is None else _merged(first, change)


def _merged(first: FileChange, second: FileChange) -> FileChange:
    """One entry for a file that was changed twice: lines added up, the kind of the first unless it is gone now."""
    return replace(
        first,
        kind=second.kind if second.kind == "DELETED" else first.kind,
        lines_added=_sum(first.lines_added, second.lines_added),
        lines_deleted=_sum(first.lines_deleted, second.lines_deleted),
        unavailable=first.unavailable or second.unavailable,
    )


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None and b is None else (a or 0) + (b or 0)
