"""Rows as the upstream exporter writes them, so that what went through us opens upstream again.

The order of the fields, the nulls for what is absent, and the placeholder for the bytes of pictures are the exporter's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from renderer.readers.rows import as_list, as_object

_DATA_URI = re.compile(r"data:(image/[A-Za-z0-9.+-]+)[^,\s\"'()]*;base64,[A-Za-z0-9+/=_-]*", re.IGNORECASE)
_CHANGE_FIELDS = ("path", "type", "linesAdded", "linesDeleted")


def export_rows(session: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The header, then a row for each message of a share snapshot (as its JSON has them)."""
    rows = [export_row(message) for message in messages]
    yield _header(session, rows)
    yield from rows


def export_row(message: Mapping[str, Any]) -> dict[str, Any]:
    """One message row. Thinking is never exported."""
    is_tool = str(message.get("role")).upper() == "TOOL"
    row = {
        "id": message.get("id"),
        "role": str(message.get("role") or "").upper(),
        # What a tool answered is left alone: addresses and titles of sources stand in it.
        "content": message.get("content") if is_tool else _content(message.get("content"), message.get("images")),
        "toolCallId": message.get("toolCallId"),
        "toolCalls": _as_string(message.get("toolCalls")),
        "metadata": _metadata(message.get("metadata")),
        "tokenCount": message.get("tokenCount"),
        "modelId": message.get("modelId"),
        "createdAt": message.get("createdAt"),
    }
    changes = _changes(message.get("fileChanges"))
    return {**row, "fileChanges": changes} if changes else row


def row_line(row: Mapping[str, Any]) -> bytes:
    """A row as one line of the export."""
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:  # a lone surrogate can stand in JSON as an escape only
        return json.dumps(row, separators=(",", ":")).encode("ascii") + b"\n"


def _header(session: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    keys = ("title", "sessionType", "parentSessionId", "agentName", "executionMode", "workspace", "createdAt")
    return {
        "type": "session_export",
        "schemaVersion": 1,
        "session": {"id": session.get("id"), **{key: session.get(key) for key in keys}},
        "exportedAt": None,
        "messageCount": len(rows),
        "userRoundCount": sum(row["role"] == "USER" for row in rows),
        "fileChanges": _merged(change for row in rows for change in row.get("fileChanges", ())),
    }


def _content(content: Any, images: Any) -> Any:
    pictures = [url for image in as_list(images) or () if (url := _url_of(image))]
    parts = [{"type": "image_url", "image_url": {"url": _without_bytes(url)}} for url in pictures]
    if not parts:
        return _without_bytes_in_parts(content)
    return _as_string([*([{"type": "text", "text": content}] if content else []), *parts])


def _url_of(image: Any) -> str:
    url = image.get("url") if isinstance(image, dict) else image
    return url if isinstance(url, str) else ""


def _without_bytes_in_parts(content: Any) -> Any:
    parts = as_list(content)
    if not parts or not all(isinstance(part, dict) and isinstance(part.get("type"), str) for part in parts):
        return _without_bytes(content) if isinstance(content, str) else content
    return _as_string(_walked(parts))


def _metadata(metadata: Any) -> Any:
    known = as_object(metadata)
    if known is None:
        return metadata if isinstance(metadata, str) else None
    # Citations stay whole; only pictures lose their bytes.
    changed = {key: value if key == "citations" else _walked(value) for key, value in known.items()}
    return metadata if isinstance(metadata, str) and changed == known else _as_string(changed)


def _walked(value: Any) -> Any:
    if isinstance(value, str):
        return _without_bytes(value)
    if isinstance(value, list):
        return [_walked(item) for item in value]
    return {key: _walked(item) for key, item in value.items()} if isinstance(value, dict) else value


def _without_bytes(url: str) -> str:
    return _DATA_URI.sub(r"[image data URI omitted: \1]", url)


def _as_string(value: Any) -> Any:
    """The upstream rows hold lists and objects as strings of JSON."""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


def _changes(changes: Any) -> list[dict[str, Any]]:
    return [{key: c.get(key) for key in _CHANGE_FIELDS} for c in as_list(changes) or () if isinstance(c, dict)]


def _merged(changes: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One entry a path, lines added up, the last type."""
    merged: dict[str, dict[str, Any]] = {}
    for change in changes:
        known = merged.get(str(change["path"]))
        if known is None:
            merged[str(change["path"])] = dict(change)
            continue
        known["type"] = change["type"]
        for key in ("linesAdded", "linesDeleted"):
            if isinstance(change[key], int) or isinstance(known[key], int):
                known[key] = _number(known[key]) + _number(change[key])
    return list(merged.values())


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
