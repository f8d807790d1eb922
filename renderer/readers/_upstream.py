"""A message row as the upstream platform writes it, in its JSONL export and in its share snapshot alike.

Many values are strings that hold JSON (`toolCalls`, `metadata`, the content of a message with pictures); old rows,
and rows that went through other tools, hold the value itself. Both are read. What a row holds that we do not know
becomes a `Stub`, and what had to be passed over is a `Problem`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta, timezone
from typing import Any

from renderer.errors import Problem
from renderer.model import Attachment, Block, Citation, Image, Message, Role, Stub, Text, Thinking, ToolResult
from renderer.readers._records import (
    as_count,
    as_id,
    as_list,
    as_many,
    as_object,
    as_text,
    parse_time,
    shown,
    text_of,
)
from renderer.readers._rounds import Event
from renderer.readers._upstream_tools import file_changes, tool_calls
from renderer.readers.media import last_part

# The platform writes the wall clock of Shanghai without a zone. No summer time since 1991, so no tables are needed.
TIME_ZONE = "Asia/Shanghai"
SHANGHAI = timezone(timedelta(hours=8), TIME_ZONE)

ROLES = {role.value: role for role in Role if role is not Role.OTHER}
ROW_KEYS = ("toolCallId", "toolCalls")

# The exporter leaves these words where a picture's bytes were.
PICTURE_LEFT_OUT = re.compile(r"\[image data URI omitted(?::\s*([^\]\s]*))?\s*\]")

PICTURE_PARTS = ("image_url", "imageUrl", "image")
# Part types that chat interfaces send and that we only name. A list of other things is text that begins with "[".
PART_TYPES = ("text", *PICTURE_PARTS, "input_audio", "audio", "audio_url", "video", "video_url", "file", "file_url")


def is_row(value: object) -> bool:
    """Whether a JSON value has the shape of an upstream message row."""
    if not isinstance(value, dict) or not isinstance(value.get("role"), str) or "content" not in value:
        return False
    if any(key in value for key in ROW_KEYS):
        return True
    return value["role"].lower() in ROLES and as_count(value.get("id")) is not None


def read_row(row: object, where: str, line: int | None, default_id: str) -> Iterator[Event]:
    """The message of one row, then the problems met in it; a Problem alone when it is no message.

    `where` and `line` are its place in the input. `default_id` is the id of a row that has none.
    """
    if not isinstance(row, dict) or not isinstance(row.get("role"), str):
        yield Problem(where, line, _not_a_message(row, line), left_out=1)
        return
    role = ROLES.get(row["role"].lower(), Role.OTHER)
    metadata = as_object(row.get("metadata"))
    yield Message(
        id=as_id(row.get("id")) or default_id,
        role=role,
        blocks=tuple(_blocks(row, role, metadata or {})),
        created_at=parse_time(row.get("createdAt"), SHANGHAI),
        citations=_citations(metadata or {}),
        role_name=row["role"] if role is Role.OTHER else "",
        line=line,
    )
    if role is Role.OTHER:
        yield Problem(where, line, f"a role that is not known: {shown(row['role'])}")
    if metadata is None and row.get("metadata") not in (None, ""):
        yield Problem(where, line, "the message's metadata cannot be read; it is shown without them")


def _not_a_message(row: object, line: int | None) -> str:
    what = "a record" if line is None else "the line"
    why = "it has no role" if isinstance(row, dict) else "it is no JSON object"
    return f"{what} was left out: {why}"


def _blocks(row: Mapping[str, Any], role: Role, metadata: Mapping[str, Any]) -> Iterator[Block]:
    if row.get("thinkingContent"):
        yield Thinking(as_text(row["thinkingContent"]))
    if role is Role.TOOL:
        yield ToolResult(as_id(row.get("toolCallId")), as_text(row.get("content")))
    else:
        yield from _content(row.get("content"))
    for picture in as_many(row.get("images")):
        yield from _picture(picture)
    for attachment in as_many(metadata.get("attachments")):
        yield from _attachment(attachment)
    yield from tool_calls(row.get("toolCalls"))
    yield from file_changes(row.get("fileChanges"))


def _content(content: object) -> Iterator[Block]:
    """Text; or the parts of a message with pictures, as the string of a JSON array or as the array itself."""
    parts = as_list(content)
    if parts and _are_parts(parts, any_type=not isinstance(content, str)):
        for part in parts:
            yield from _part(part)
    elif isinstance(content, str):
        yield from (Text(content),) if content else ()
    elif content is not None:
        yield Stub("content", as_text(content))


def _are_parts(parts: Sequence[object], any_type: bool) -> bool:
    types = [part.get("type") if isinstance(part, dict) else None for part in parts]
    return all(isinstance(type_, str) and (any_type or type_ in PART_TYPES) for type_ in types)


def _part(part: Mapping[str, Any]) -> Iterator[Block]:
    kind = part["type"]
    if kind == "text" and isinstance(part.get("text"), str | None):
        yield from (Text(part["text"]),) if part.get("text") else ()
    elif kind in PICTURE_PARTS:
        yield from _picture(next((part[key] for key in (*PICTURE_PARTS, "url") if part.get(key)), part))
    else:
        yield Stub(kind, as_text(part))


def _picture(value: Any) -> Iterator[Block]:
    """A picture's address, or the object around it. One that the export left out is a file without a name."""
    url = value.get("url") if isinstance(value, dict) else value
    if not isinstance(url, str) or not url:
        yield from (Stub("image", as_text(value)),) if value else ()
    elif left_out := PICTURE_LEFT_OUT.fullmatch(url.strip()):
        yield Attachment(name="", media_type=left_out[1] or "image/*")
    else:
        yield Image(url)


def _attachment(value: object) -> Iterator[Block]:
    """A file by its name, or the picture itself where its bytes were left in.

    Where it lies on somebody's disk is nobody's business, so only the last part of its path is kept.
    """
    if not isinstance(value, dict):
        yield from (Stub("attachment"),) if value else ()
        return
    name = last_part(text_of(value, "path") or text_of(value, "name"))
    data, media_type = text_of(value, "data_uri"), text_of(value, "mime")
    if data.startswith("data:") and media_type.startswith("image/"):
        yield Image(data, name)
    else:
        yield Attachment(name, media_type, as_count(value.get("size")))


def _citations(metadata: Mapping[str, Any]) -> tuple[Citation, ...] | None:
    """The list that the row brings, even an empty one; None when it brings none. Bad entries are skipped."""
    entries = as_list(metadata.get("citations"))
    if entries is None:
        return None
    found: dict[int, Citation] = {}
    for entry in entries:
        citation = _citation(entry)
        if citation is not None:
            found.setdefault(citation.n, citation)
    return tuple(found.values())


def _citation(entry: object) -> Citation | None:
    if not isinstance(entry, dict):
        return None
    n, url = as_count(entry.get("n")), text_of(entry, "url")
    return Citation(n, url, text_of(entry, "title")) if n is not None and n >= 1 and url else None
