"""Citations as a file states them, what its tools returned, and what the check makes of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation as the file states it, not yet checked. `n` is the marker's number, 1 or more.

    `passage` is what the file stores with it, in formats that store the passage and not the tool's answer.
    """

    n: int
    url: str
    title: str
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    """The text that came from a source, as it was then, and its place there.

    `document` is the document's id, `page` counts from 1, `section` is its heading. `pages` is how the file writes the
    page where that is no plain number, such as "7-8", of which `page` is the first. `status` says what became of the
    document since: "" or "ok", "gone", or "forbidden" (the reader may not open it).
    """

    text: str
    retrieved_at: datetime | None = None
    document: str = ""
    page: int | None = None
    section: str = ""
    status: str = ""
    pages: str = ""


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as it stands in a text: `raw` as written, and the numbers that it names, in order."""

    raw: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SourceTool:
    """A tool whose answers give sources, and where in an answer they stand.

    `name` is the tool's name; a name with a server before it (`mcp__fetch__fetch`) ends in it. `opens` is true for a
    tool that opens a page, false for a search. In a JSON answer, `results` are the places (dotted keys, "" the answer
    itself) of the list of results or of the one result, and `url`, `title`, `passage` the places inside a result; the
    first that is there counts. `asked` is the argument that holds the address where the answer does not repeat it.
    `strict` is true for a tool that answers with a JSON object and nothing else: any other answer is a failure.
    """

    name: str
    opens: bool = False
    results: tuple[str, ...] = ("results",)
    url: tuple[str, ...] = ("url",)
    title: tuple[str, ...] = ("title",)
    passage: tuple[str, ...] = ("content",)
    asked: str = ""
    strict: bool = False


@dataclass(frozen=True, slots=True)
class RegistryEntry:
    """An address that a tool returned. `n` is its place in the round's registry, from 1.

    `passage` is the text that came with it: a search's snippet, or the page. `call_id` is the call that returned it
    first. `opened` is true when a successful call opened the page itself.
    """

    n: int
    url: str
    title: str
    passage: str
    call_id: str
    retrieved_at: datetime | None = None
    opened: bool = False


Registry: TypeAlias = tuple[RegistryEntry, ...]


class Verdict(StrEnum):
    """What the file records about a cited address (the values of `data-verdict`)."""

    RETURNED = "returned"
    OPENED = "opened"
    UNCHECKED = "unchecked"
    NOT_RETURNED = "not-returned"
    NO_SOURCE = "no-source"

    @property
    def shown(self) -> bool:
        """Whether an entry of this verdict is listed and its markers become numbers."""
        return self in (Verdict.RETURNED, Verdict.OPENED, Verdict.UNCHECKED)


@dataclass(frozen=True, slots=True)
class Source:
    """A checked citation that is listed: display number `k`, the marker's own number `n`, and what the file records."""

    k: int
    n: int
    url: str
    title: str
    verdict: Verdict
    entry: RegistryEntry | None = None
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """A marker that was taken out of a text, or (marker None) an entry dropped that no marker used.

    A marker is what the model wrote: of `[5-9]` there is one removal, with the first number that it lost. So it is of
    `[1,9]`, whose 1 stays.
    """

    marker: str | None
    n: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One message's citations after the check. `sources` are numbered 1…K; `removals` in the order of the text.

    `marked` are wrong markers that stay in the text, struck. `unconfirmed` is true for an answer that lost all its
    citations for the sake of a wrong one.
    """

    sources: tuple[Source, ...] = ()
    removals: tuple[Removal, ...] = ()
    by_n: Mapping[int, Source] = field(default_factory=dict)
    marked: tuple[Removal, ...] = ()
    unconfirmed: bool = False

    @property
    def removed_markers(self) -> int:
        """How many markers were taken out of the text, each counted once, whole or in part."""
        return sum(removal.marker is not None for removal in self.removals)
