"""What a reader is, and the sample of an input by which readers recognise their format.

A format is recognised from content alone, never from a file's name: exports get renamed, and many end in `.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from renderer.model import Conversation
from renderer.readers._input import Input
from renderer.readers._looks_like import describe, is_binary
from renderer.readers._records import BadJson, decode_json

SAMPLE_LINES = 20
SAMPLE_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Sample:
    """What recognition looks at.

    `values` are the JSON values of the first lines (up to 20, those that can be read), or the one value when the
    whole content is one JSON document; then it is in `document` too. A file of a single line is both.
    `head` is the first kilobyte, as UTF-8 when it is text. `broken` says why content that begins like a JSON document
    is none.
    """

    head: bytes
    values: tuple[Any, ...]
    document: Any | None = None
    broken: BadJson | None = field(default=None, compare=False)

    @property
    def looks_like(self) -> str:
        """What the content seems to be, in words that end the sentence "it looks like …"."""
        return describe(self.head, self.values, self.document, self.broken)


@dataclass(frozen=True, slots=True)
class Reader:
    """One input format.

    `name` is what `--format` takes. `what` says in a sentence what the format is, `recognised_by` how it is known.
    `matches` decides from a sample. `read` gives the conversations of one or more inputs that belong together; it
    raises `RendererError` at once, before the first conversation, when there is nothing to show.
    """

    name: str
    what: str
    recognised_by: str
    matches: Callable[[Sample], bool]
    read: Callable[[Sequence[Input]], Iterator[Conversation]]


def sample_of(source: Input) -> Sample:
    """Look at the start of an input; at all of it when it seems to be one JSON document.

    Raises `RendererError` when the input cannot be read.
    """
    head = source.head()
    lines = [] if is_binary(head) else _first_lines(source)
    values = [_value(line) for line in lines] if len(lines) > 1 else []
    objects = sum(isinstance(value, dict) for value in values)
    if values and (objects > 1 or values[0] is not None):
        return Sample(head, tuple(value for value in values if value is not None))
    readable = tuple(value for value in values if value is not None)
    if head.lstrip()[:1] not in (b"", b"{", b"["):  # a film or a book need not be read to its end
        return Sample(head, readable)
    try:
        document = source.document().value
    except BadJson as broken:
        return Sample(head, readable, broken=broken)
    return Sample(head, (document,), document)


def _first_lines(source: Input) -> list[bytes | None]:
    """The first lines that are not blank, None for one that is too long: at least two, if there are two."""
    found: list[bytes | None] = []
    size = 0
    for _, line in source.lines():
        if not isinstance(line, bytes):
            found.append(None)
        elif line.strip():
            found.append(line)
            size += len(line)
        if len(found) >= SAMPLE_LINES or (len(found) > 1 and size > SAMPLE_BYTES):
            break
    return found


def _value(line: bytes | None) -> Any | None:
    if line is None:
        return None
    try:
        return decode_json(line).value
    except BadJson:
        return None
