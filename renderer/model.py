"""Every type that crosses a stage: what a reader hands over, and what the citations stage makes of it.

All are frozen. Strings are kept exactly as the file has them (addresses are compared as exact strings); cleaning
happens where text becomes HTML. Times are aware `datetime`s, or None where the file says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

from renderer.errors import Problem


class Role(StrEnum):
    """Who wrote a message. `OTHER` is a role that we do not know; its own word is in `Message.role_name`."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    OTHER = "other"


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


# --- Blocks: what a message is made of -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """Text as it was written: Markdown in an assistant's message, plain text in a user's."""

    text: str


@dataclass(frozen=True, slots=True)
class Thinking:
    """The model's reasoning. Never shown unless asked for."""

    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A picture by its address, `data:` or remote, or by the name of its file. `alt` is "" when the file has none."""

    url: str
    alt: str = ""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message, named and not embedded. `size` is in bytes, None when the file has none."""

    name: str
    media_type: str = ""
    size: int | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call of a tool. `id` is None when the file has none: its result cannot be found then.

    `arguments` is the decoded object, or the raw string when it is no JSON object.
    """

    id: str | None
    name: str
    arguments: Mapping[str, Any] | str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered, as the string that the model saw."""

    call_id: str | None
    text: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that the agent changed. `kind` is CREATED, MODIFIED, DELETED, RENAMED, COPIED, or the file's own word.

    Of a diff, `patch` (unified) or `before`/`after` (whole files) is set, or neither: then `unavailable` may say why.
    """

    path: str
    kind: str
    lines_added: int | None = None
    lines_deleted: int | None = None
    patch: str | None = None
    patch_truncated: bool = False
    before: str | None = None
    after: str | None = None
    unavailable: str = ""


@dataclass(frozen=True, slots=True)
class FileChanges:
    """The files that one message changed."""

    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class Stub:
    """Something of a kind that we do not know: named, never dropped. `text` is its content, "" when it has none."""

    kind: str
    text: str = ""


Block: TypeAlias = Text | Thinking | Image | Attachment | ToolCall | ToolResult | FileChanges | Stub


# --- Files that a conversation names ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A file that is at hand: its `name` without folders, its `size` in bytes.

    `read` gives its first bytes, as many as asked for at most; none when it cannot be read.
    """

    name: str
    size: int
    read: Callable[[int], bytes]


# What an export names → the file, None when it is not at hand.
Media: TypeAlias = Callable[[str], MediaFile | None]


def no_media(_asked: str) -> MediaFile | None:
    """No file is at hand."""
    return None


# --- Conversation ----------------------------------------------------------------------------------------------


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
class Citation:
    """A citation as the file states it, not yet checked. `n` is the marker's number, 1 or more.

    `passage` is what the file stores with it, in formats that store the passage and not the tool's answer.
    """

    n: int
    url: str
    title: str
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One record of the conversation.

    `citations` is the list that the file gives for this message (even an empty one), or None when it gives none.
    `line` is the 1-based line of the record in its file, None where lines mean nothing.
    """

    id: str
    role: Role
    blocks: tuple[Block, ...]
    created_at: datetime | None = None
    citations: tuple[Citation, ...] | None = None
    role_name: str = ""
    line: int | None = None

    @property
    def text(self) -> str:
        """All `Text` blocks, a blank line between them."""
        return "\n\n".join(block.text for block in self.blocks if isinstance(block, Text))


@dataclass(frozen=True, slots=True)
class Round:
    """A user message and all that follows up to the next one; the rows before the first one have `question` None.

    `messages` does not hold the question. `problems` are those met while this round was read. `index` is 1-based
    among the rounds that have a question; the rows before the first one are round 0.
    """

    index: int
    question: Message | None
    messages: tuple[Message, ...]
    problems: tuple[Problem, ...] = ()


class Rounds(Protocol):
    """Rounds that can be iterated again and again, and that read as they go."""

    def __iter__(self) -> Iterator[Round]: ...


@dataclass(frozen=True, slots=True)
class Origin:
    """What the input was: `format` is the reader's name, `names` the files as the user gave them.

    `digest` is the SHA-256 (hex) of the input's bytes, decompressed.
    """

    format: str
    names: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation whose rounds are read as they are asked for.

    `time_zone` is the IANA name of the zone that the file's clock times are in. `dialect` is the name of the marker
    dialect of its answers. `retrieval` is true for answers that carry their own passages. `file_changes` are those of
    the whole conversation. `problems` are those met before the first round; the rest are in the rounds. `media` finds
    the files that came with it.
    """

    id: str
    title: str
    origin: Origin
    rounds: Rounds | tuple[Round, ...]
    agent: str = ""
    owner: str = ""
    created_at: datetime | None = None
    time_zone: str = "UTC"
    dialect: str = "caret"
    retrieval: bool = False
    file_changes: tuple[FileChange, ...] = ()
    problems: tuple[Problem, ...] = ()
    media: Media = field(default=no_media, compare=False, repr=False)


# --- Citations -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as it stands in a text: `raw` as written, and the numbers that it names, in order."""

    raw: str
    numbers: tuple[int, ...]


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
