"""Our own markup inside a text, as data: what is put in at the sentinels once the text is safe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class CiteRef:
    """The number of source `k`, at the `place`-th place (from 1) that cites it; `n` is the marker's own number."""

    k: int
    n: int
    place: int


@dataclass(frozen=True, slots=True)
class InvalidRef:
    """A marker that names no source and is to be seen all the same; `raw` as written."""

    raw: str


@dataclass(frozen=True, slots=True)
class FootnoteRef:
    """The `place`-th reference (from 1) to footnote `number`."""

    number: int
    place: int


@dataclass(frozen=True, slots=True)
class FootnoteAnchor:
    """Where footnote `number` begins; its id goes here."""

    number: int


@dataclass(frozen=True, slots=True)
class FootnoteBacks:
    """The back links of footnote `number`, one for each of its `places`."""

    number: int
    places: int


@dataclass(frozen=True, slots=True)
class Open:
    """The start of a wrapper of ours: "table", "footnotes"."""

    kind: str


@dataclass(frozen=True, slots=True)
class Close:
    """The end of the wrapper that the last `Open` of this kind began."""

    kind: str


@dataclass(frozen=True, slots=True)
class CodeStart:
    """Where a block of code of so many `lines` begins; `info` is what stands after its fence, in one line."""

    info: str
    lines: int


@dataclass(frozen=True, slots=True)
class CodeEnd:
    """Where a block of code of so many `lines` ends."""

    lines: int


@dataclass(frozen=True, slots=True)
class TaskBox:
    """The box of a task list's item."""

    checked: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that the text names by an address or as a file; `url` as written. It is never loaded from afar."""

    alt: str
    url: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula: its TeX without delimiters, and the inside of its `math` element, which is not sanitized yet."""

    tex: str
    mathml: str
    is_block: bool


Insert: TypeAlias = (
    CiteRef
    | InvalidRef
    | FootnoteRef
    | FootnoteAnchor
    | FootnoteBacks
    | Open
    | Close
    | CodeStart
    | CodeEnd
    | TaskBox
    | Picture
)

SENTINEL_START = "\ufdd0"
SENTINEL_END = "\ufdd1"
