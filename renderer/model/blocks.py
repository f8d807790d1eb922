"""What a message is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


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
