"""From the bytes of a known format to conversations: the list of readers, and the choice of one from the content.

A new format is a module that ends in `READER = Reader(…)`, and one name in `READERS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from renderer.errors import RendererError
from renderer.model import Conversation
from renderer.readers import rag_answer, upstream_jsonl, upstream_share
from renderer.readers._input import Input, Readable
from renderer.readers._reader import Reader, Sample, sample_of
from renderer.readers._records import BadJson

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
    return readers[0].read(inputs)


def reader_of(source: Input, format: str | None = None) -> Reader:
    """The reader of the format named, which the content must be of; without a name, the one that recognises it.

    Raises `RendererError` when there is none.
    """
    if format is None:
        return _recognised(source)
    reader = _named(format)
    _check_matches(reader, source)
    return reader


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
