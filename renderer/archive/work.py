"""The work of one process: an input → the pages of its conversations under hidden names, and what is known of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TextIO

from renderer.archive.collect import Collector
from renderer.archive.documents import DocumentsFile
from renderer.archive.entry import Entry
from renderer.archive.names import INDEX, KEY_LENGTH, digest_of, is_named_by_content, page_name
from renderer.errors import Problem, RendererError
from renderer.markdown.hygiene import clean
from renderer.model import Conversation
from renderer.options import LIMITS, Limits, Options
from renderer.pages.head import page_title, zone
from renderer.readers import Input, read_inputs, reader_of
from renderer.readers.files import file_digest, small_file
from renderer.staging import discard, waiting_file, waiting_name, waiting_text
from renderer.writers.series import Series, write_series

# An input of at most so many bytes is read from the disk once, and its rounds are held: they are needed twice.
HELD = 8 << 20

# How many problems of one input are named.
NAMED = 100


@dataclass(frozen=True, slots=True)
class Job:
    """The names of inputs that are read as one: a file, or the pages of one share."""

    names: tuple[str, ...]
    folder: Path
    options: Options
    format: str | None = None
    limits: Limits = LIMITS


@dataclass(frozen=True, slots=True)
class Made:
    """A conversation whose pages wait: (hidden name, name) of each, and the hidden file of its texts for search.

    `digest` stands for the conversation. Of two exports of it the one with more `records` counts.
    """

    digest: str
    by_content: bool
    records: int
    entry: Entry
    pages: tuple[tuple[Path, str], ...]
    documents: Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a job. `digests` are the SHA-256 (hex) of the files' bytes, in the order of `job.names`.

    `warnings` are lines; `more` counts those that are not named. `is_export` is false for a file in no known format;
    `error` says in a line why nothing was read, "" when something was.
    """

    job: Job
    digests: tuple[str, ...] = ()
    made: tuple[Made, ...] = ()
    warnings: tuple[str, ...] = ()
    more: int = 0
    is_export: bool = True
    error: str = ""


def work(job: Job) -> Outcome:
    """Write the pages of all conversations in a job's inputs. Raises nothing that an input can cause."""
    done = _Done()
    digests: tuple[str, ...] = ()
    try:
        files = [_file(name) for name in job.names]
        digests = tuple(digest for _, digest in files)
        with ExitStack() as stack:
            sources = [
                stack.enter_context(Input(name if data is None else data, name))
                for name, (data, _) in zip(job.names, files, strict=True)
            ]
            for export in _read(job, sources, held=all(data is not None for data, _ in files)):
                done.take(export, job)
    except RendererError as error:
        done.errors.append(str(error))
        done.exports += 1
    return done.outcome(job, digests)


@dataclass(frozen=True, slots=True)
class _Export:
    """A conversation, or why there is none; `is_export` is false where nothing that we know was found."""

    is_export: bool
    found: Conversation | RendererError


@dataclass(slots=True)
class _Done:
    """What a job has come to so far."""

    made: list[Made] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    more: int = 0
    exports: int = 0
    foreign: str = ""

    def take(self, export: _Export, job: Job) -> None:
        """Make the pages of a conversation; what goes wrong with it costs the others nothing."""
        self.exports += export.is_export
        if not export.is_export:
            self.foreign = self.foreign or str(export.found)
            return
        try:
            if isinstance(export.found, RendererError):
                raise export.found
            made, problems = _make(export.found, job)
        except RendererError as error:
            self.errors.append(str(error))
        except Exception as error:  # a defect of ours costs this conversation, not the site
            what = f"citepage itself failed on it ({type(error).__name__}: {error}); please report it"
            self.errors.append(f"{job.names[0]}: {what}")
        else:
            self.made.append(made)
            self._warn([str(problem) for problem in problems])

    def outcome(self, job: Job, digests: tuple[str, ...]) -> Outcome:
        """All that the parent is told. An error beside a conversation that was made is a warning."""
        error = ""
        if self.made:
            self._warn(self.errors)
        else:
            error = next(iter(self.errors), self.foreign or f"{job.names[0]}: there is no export in it")
        return Outcome(job, digests, tuple(self.made), tuple(self.warnings), self.more, bool(self.exports), error)

    def _warn(self, lines: list[str]) -> None:
        room = NAMED - len(self.warnings)
        self.warnings += lines[:room]
        self.more += len(lines[room:])


def _file(name: str) -> tuple[bytes | None, str]:
    data = small_file(name, HELD)
    return data, file_digest(name) if data is None else hashlib.sha256(data).hexdigest()


def _read(job: Job, sources: list[Input], *, held: bool) -> Iterator[_Export]:
    """The conversations of each export in the inputs; an error in place of one that cannot be read."""
    for together in _exports(sources):
        try:
            reader = reader_of(together[0], job.format)
        except RendererError as error:
            yield _Export(False, error)
            continue
        try:
            for conversation in read_inputs(together, format=reader.name):
                yield _Export(True, _held(conversation) if held else conversation)
        except RendererError as error:
            yield _Export(True, error)


def _exports(sources: list[Input]) -> Iterator[list[Input]]:
    """The inputs; in place of a zip each file in it that may be an export."""
    if len(sources) > 1 or not sources[0].is_zip():
        yield sources
        return
    for member in sources[0].members():
        sources[0].enter(member)
        yield sources


def _held(conversation: Conversation) -> Conversation:
    return replace(conversation, rounds=tuple(conversation.rounds))


def _make(conversation: Conversation, job: Job) -> tuple[Made, tuple[Problem, ...]]:
    """Write the pages of one conversation under hidden names; all of them go when one cannot be written."""
    digest = digest_of(conversation)
    key, title = digest[:KEY_LENGTH], page_title(conversation, job.options)
    waiting: dict[str, Path] = {}
    texts = waiting_name(job.folder)

    def opened(name: str) -> AbstractContextManager[TextIO]:
        waiting[name] = waiting_name(job.folder)
        return waiting_text(waiting[name])

    try:
        with waiting_file(texts) as file:
            documents = DocumentsFile(file)
            documents(page_name(title, key), "title", clean(title))
            collector = Collector(documents)
            series = Series(lambda number: page_name(title, key, number), opened, collector, INDEX)
            summary = write_series(conversation, series, options=job.options, limits=job.limits)
            documents.finish()
    except BaseException:
        for path in waiting.values():
            discard(path)
        raise
    created = conversation.created_at
    entry = Entry(
        key=key,
        title=clean(title),
        agent=clean(conversation.agent),
        format=conversation.origin.format,
        lang=summary.lang,
        created_at=created.astimezone(zone(conversation, job.options)).isoformat() if created else "",
        pages=summary.pages,
        questions=summary.questions,
        removed=summary.removed,
        sources=collector.sources(),
    )
    pages = tuple((waiting[name], name) for name in summary.pages)
    made = Made(digest, is_named_by_content(conversation), summary.records, entry, pages, texts)
    return made, summary.problems
