"""Which inputs must be read: what has not changed costs a look at its size and time, or at most its digest."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from renderer.archive.inputs import ArchiveInput
from renderer.archive.state import KnownInput, State
from renderer.errors import RendererError
from renderer.readers.files import file_digest
from renderer.staging import sizes_in


def to_read(
    inputs: Sequence[ArchiveInput], state: State, fingerprint: str, folder: Path, *, prune: bool
) -> list[ArchiveInput]:
    """The inputs that are new or have changed, whose pages are gone, or that hold a conversation which such one holds.

    They come biggest first, so that no process is left alone with a big one at the end. With `prune` the inputs that
    are no more are forgotten.
    """
    known = state.inputs(fingerprint)
    present = {item.path: item for item in inputs}
    changed = {item.path for item in inputs if _has_changed(item, known.get(item.path), state)}
    changed |= _with_lost_pages(state, folder) & present.keys()
    if prune:
        for path in state.all_paths():
            if path not in present:
                changed.update(other for other in state.sharing(path) if other != path)
                state.forget_input(path)
    together = {other for path in changed for other in state.sharing(path)}
    todo = [present[path] for path in (changed | together) & present.keys()]
    if todo:
        state.must_read(item.path for item in todo)
        state.indexes_are_old()
    state.commit()
    return sorted(todo, key=lambda item: (-item.size, item.path))


def _has_changed(item: ArchiveInput, known: KnownInput | None, state: State) -> bool:
    if known is None or item.size != known.size:
        return True
    if item.named and not known.is_export:
        return True  # it is an error that it is none, and that is found by reading it
    if item.mtime_ns == known.mtime_ns:
        return False
    try:
        same = file_digest(item.name) == known.digest
    except RendererError:
        return True
    if same:
        state.touch_input(item.path, item.mtime_ns)
    return not same


def _with_lost_pages(state: State, folder: Path) -> set[str]:
    """The inputs of which a page is gone or has another size."""
    sizes = sizes_in(folder)
    lost = [name for name, size in state.pages().items() if sizes.get(name) != size]
    return {path for name in lost for path in state.owners_of_page(name)}
