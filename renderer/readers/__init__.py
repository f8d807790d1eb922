"""From the bytes of a known format to conversations: the list of readers, and the choice of one from the content.

A new format is a module that ends in `READER = Reader(…)`, and one name in `READERS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from renderer.errors import RendererError
from renderer.model import Conversation, Media
from renderer.readers import rag_answer, upstream_jsonl, upstream_share
from renderer.readers._input import Input, Readable
from renderer.readers._reader import Reader, Sample, sample_of
from renderer.readers._records import BadJson
from renderer.readers.media import first_of

__all__ = [
    "READERS",
    "BadJson",
    "Input",
    "Readable",
    "Reader",
    "Sample",
    "read",
    "read_inputs",
    "reader_of",
    "sample_of",
]

# The first one that matches reads.
READERS: tuple[Reader, ...] = (upstream_jsonl.READER, upstream_share.READER, rag_answer.READER)

# How many files of a zip are looked at for the export in it, and how many exports an error names.
_LOOKED_AT, _NAMED = 100, 3
_ONE_OF_THEM = "unpack it and give one of them, or make a site of all with `citepage archive`"


def read(source: Readable, *, format: str | None = None) -> Iterator[Conversation]:
    """The conversations in `source`: a path (`-` is standard input), the bytes themselves, or an open binary file.

    `format` is the name of a reader; without it the format is recognised from the content. Raises `RendererError` at
    once when the source cannot be read, is in no format that we know, or holds no message.
    """
    return read_inputs((Input(source),), format=format)


def read_inputs(inputs: Sequence[Input], *, format: str | None = None) -> Iterator[Conversation]:
    """The conversations in one input, or in several that belong together (the pages of one share).

    The inputs must stay open while the rounds are iterated. Raises `RendererError` as `read` does.
    """
    if not inputs:
        raise RendererError("", "there is nothing to read", "name a file")
    readers = [reader_of(source, format) for source in inputs]
    for reader, source in zip(readers, inputs, strict=True):
        if reader is not readers[0]:
            what = f"it is {reader.name}, but {inputs[0].name} is {readers[0].name}"
            raise RendererError(source.name, what, "give one conversation at a time")
    media = first_of([source.media() for source in inputs])
    return map(partial(_with_media, media), readers[0].read(inputs))


def _with_media(media: Media, conversation: Conversation) -> Conversation:
    return replace(conversation, media=media)


def reader_of(source: Input, format: str | None = None) -> Reader:
    """The reader of the format named, which the content must be of; without a name, the one that recognises it.

    Of a zip it is the reader of the one export in it, which is what is read of the zip from then on. Raises
    `RendererError` when there is none.
    """
    if source.is_zip():
        _enter_export(source, format)
    if format is None:
        return _recognised(source)
    reader = _named(format)
    _check_matches(reader, source)
    return reader


def _enter_export(source: Input, format: str | None) -> None:
    """Choose the one member of a zip that is an export."""
    readers = READERS if format is None else (_named(format),)
    members = source.members()
    if len(members) > _LOOKED_AT:
        raise RendererError(source.name, f"the zip file holds {len(members)} files that may be exports", _ONE_OF_THEM)
    found: list[str] = []
    for member in members:
        source.enter(member)
        sample = sample_of(source)
        if any(reader.matches(sample) for reader in readers):
            found.append(member)
        if len(found) > _NAMED:
            break
    source.enter(found[0] if len(found) == 1 else None)
    if not found:
        what = "the zip file holds no export that citepage reads"
        raise RendererError(source.name, what, "see `citepage formats`, or unpack it")
    if len(found) > 1:
        what = f"the zip file holds several exports: {', '.join(found[:_NAMED])}{' and more' * (len(found) > _NAMED)}"
        raise RendererError(source.name, what, _ONE_OF_THEM)


def _named(name: str) -> Reader:
    for reader in READERS:
        if reader.name == name:
            return reader
    names = ", ".join(reader.name for reader in READERS)
    raise RendererError("", f"there is no format {name!r}", f"the formats are {names}")


def _recognised(source: Input) -> Reader:
    sample = sample_of(source)
    for reader in READERS:
        if reader.matches(sample):
            return reader
    what = f"not a format that citepage reads: it looks like {sample.looks_like}"
    raise RendererError(source.name, what, "see `citepage formats`, or name it with --format")


def _check_matches(reader: Reader, source: Input) -> None:
    sample = sample_of(source)
    if not reader.matches(sample):
        what = f"it is not {reader.name}: it looks like {sample.looks_like}"
        raise RendererError(source.name, what, "leave --format out to have it recognised, or see `citepage formats`")
