"""What a reader hands over: a conversation, its rounds, and their messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from renderer.errors import Problem
from renderer.model.blocks import Block, FileChange, Text
from renderer.model.citations import Citation
from renderer.model.media import Media, no_media


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


@dataclass(frozen=True, slots=True)
class Origin:
    """What the input was: `format` is the reader's name, `names` the files as the user gave them.

    `digest` is the SHA-256 (hex) of the input's bytes, decompressed.
    """

    format: str
    names: tuple[str, ...]
    digest: str


class Rounds(Protocol):
    """Rounds that can be iterated again and again, and that read as they go."""

    def __iter__(self) -> Iterator[Round]: ...


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


class Role(StrEnum):
    """Who wrote a message. `OTHER` is a role that we do not know; its own word is in `Message.role_name`."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    OTHER = "other"
