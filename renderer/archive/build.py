"""Many exports → a site, and again when some of them have changed: find, plan, work, publish, list, clean up."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from renderer.archive.inputs import ArchiveInput, FoundInputs, find_inputs
from renderer.archive.names import INDEX
from renderer.archive.plan import to_read
from renderer.archive.publish import Publisher
from renderer.archive.report import Report, report_of
from renderer.archive.search_files import FOLDER as SEARCH
from renderer.archive.site import write_site
from renderer.archive.state import State
from renderer.options import LIMITS, Limits, Options
from renderer.output import refuse_foreign, remove
from renderer.staging import clear_waiting, make_folder, size_of
from renderer.version import VERSION

if TYPE_CHECKING:
    from renderer.archive.work import Outcome

# Of fewer bytes the reading takes less time than the start of a process.
_WORTH_PROCESSES = 1_000_000

# The one format whose conversations come in several files.
_IN_PAGES = "upstream-share"


class Progress(Protocol):
    """Is told how the work goes: `start` with the number of inputs to read and their bytes, `step` after each."""

    def start(self, inputs: int, size: int) -> None: ...

    def step(self, size: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Settings:
    """How a site is built. `format` is a reader's name; `jobs` the number of processes, None for one per core.

    With `prune` the pages of inputs that are no more are removed. `limits` are those of a page.
    """

    format: str | None = None
    jobs: int | None = None
    prune: bool = False
    limits: Limits = LIMITS


def build(names: Sequence[str], folder: Path, options: Options, settings: Settings, progress: Progress) -> Report:
    """Make the site of `names` (files and folders) in `folder`, or bring it up to date. Raises RendererError.

    At any moment the folder holds a whole site, the old one or the new one: pages take their places one by one, the
    indexes after them, and pages that are listed no more go last.
    """
    make_folder(folder)
    refuse_foreign(folder / INDEX)
    found = find_inputs(names, folder)
    if found.errors and not found.inputs:
        raise found.errors[0]
    with State(folder) as state:
        _clear(folder)
        try:
            return _Build(state, folder, options, settings).run(found, progress)
        finally:
            _clear(folder)


def _clear(folder: Path) -> None:
    clear_waiting(folder)
    clear_waiting(folder / SEARCH)


@dataclass(frozen=True, slots=True)
class _Build:
    state: State
    folder: Path
    options: Options
    settings: Settings

    def run(self, found: FoundInputs, progress: Progress) -> Report:
        # A name that cannot be looked into is no reason to think that all in it was deleted.
        prune = self.settings.prune and not found.errors
        fingerprint = _fingerprint(self._page_options(), self.settings)
        todo = to_read(found.inputs, self.state, fingerprint, self.folder, prune=prune)
        by_name = {item.name: item for item in found.inputs}
        publisher = Publisher(self.state, self.folder, fingerprint, by_name, {item.path for item in todo})
        progress.start(len(todo), sum(item.size for item in todo))
        for outcome in self._outcomes(todo):
            publisher.take(outcome)
            progress.step(sum(by_name[name].size for name in outcome.job.names))
        for outcome in self._joined(by_name):
            publisher.take(outcome)
        self.state.drop_unheld(all_=prune)
        self.state.commit()
        self._write_indexes()
        publisher.clean_up()
        return report_of(self.state, fingerprint, found, {item.path for item in todo}, publisher)

    def _page_options(self) -> Options:
        """The options of the pages: a title is that of the site."""
        return replace(self.options, title=None)

    def _outcomes(self, todo: Sequence[ArchiveInput]) -> Iterator[Outcome]:
        is_little = sum(item.size for item in todo) < _WORTH_PROCESSES
        processes = self.settings.jobs or (1 if is_little else os.cpu_count() or 1)
        return self._done([(item.name,) for item in todo], max(1, min(processes, len(todo))))

    def _done(self, names: Sequence[tuple[str, ...]], processes: int) -> Iterator[Outcome]:
        """The outcomes of the jobs over these inputs. A run without any does not load what it takes to do one."""
        if not names:
            return
        from renderer.archive.check import check_options
        from renderer.archive.pool import outcomes
        from renderer.archive.work import Job

        check_options(self._page_options())
        chosen = (self.folder, self._page_options(), self.settings.format, self.settings.limits)
        jobs: list[Job] = [Job(together, *chosen) for together in names]
        yield from outcomes(jobs, processes)

    def _joined(self, by_name: dict[str, ArchiveInput]) -> Iterator[Outcome]:
        """The shares that came in several files, each of which holds some pages of it."""
        names = {item.path: item.name for item in by_name.values()}
        for key, format_ in self.state.held_by_several():
            known = self.state.conversation(key)
            here = [path for path in self.state.holders(key) if path in names]
            if format_ == _IN_PAGES and known is not None and not set(here) <= set(known.owners):
                yield from self._done([tuple(names[path] for path in here)], 1)

    def _write_indexes(self) -> None:
        """Write the indexes when they are old, were made with other options, or are not all there."""
        fingerprint = _fingerprint(self.options, self.settings)
        sizes = self.state.indexes(fingerprint)
        if sizes and all(size_of(self.folder / name) == size for name, size in sizes.items()):
            return
        names = write_site(
            self.state.entries(), self.state.documents, self.folder, self.options, self.state.unsearched()
        )
        for name in self.state.index_names() - set(names):
            remove(self.folder / name)
        self.state.put_indexes(fingerprint, {name: size_of(self.folder / name) for name in names})
        self.state.commit()


def _fingerprint(options: Options, settings: Settings) -> str:
    """A digest of all that a page depends on beside its input."""
    text = repr((VERSION, options, settings.format, settings.limits))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
