"""The tool calls and the file changes of an upstream message row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from renderer.model import Block, FileChange, FileChanges, Stub, ToolCall
from renderer.readers._records import as_count, as_id, as_many, as_object, as_text, text_of


def tool_calls(value: object) -> Iterator[Block]:
    """The calls under `toolCalls`: a list, one call alone, or a string that holds either. Stubs for what is neither."""
    for call in as_many(value):
        yield _tool_call(call) if isinstance(call, dict) else Stub("tool call", as_text(call))


def _tool_call(call: Mapping[str, Any]) -> ToolCall:
    """Two shapes live side by side: `function: {name, arguments}`, and `name` with `input` or `arguments`."""
    function = as_object(call.get("function")) or {}
    given = (function.get("arguments"), call.get("arguments"), call.get("input"))
    return ToolCall(
        id=as_id(call.get("id")),
        name=text_of(function, "name") or text_of(call, "name"),
        arguments=_arguments(next((value for value in given if value is not None), {})),
        summary=text_of(call, "summary"),
    )


def _arguments(value: object) -> Mapping[str, Any] | str:
    decoded = as_object(value)
    return as_text(value) if decoded is None else decoded


def file_changes(value: object) -> Iterator[Block]:
    """One block for the files under `fileChanges`, none when there are none; Stubs for entries that are no object."""
    changes = changed_files(value)
    if changes:
        yield FileChanges(changes)
    for entry in as_many(value):
        if entry is not None and not isinstance(entry, dict):
            yield Stub("file change", as_text(entry))


def changed_files(value: object) -> tuple[FileChange, ...]:
    """The changed files in a list of upstream's `fileChanges` entries; what is no object is passed over."""
    return tuple(_file_change(entry) for entry in as_many(value) if isinstance(entry, dict))


def _file_change(entry: Mapping[str, Any]) -> FileChange:
    mode = text_of(entry, "diffMode").upper()
    whole, patched = mode in ("", "SNAPSHOT"), mode in ("", "PATCH")
    return FileChange(
        path=text_of(entry, "path"),
        kind=text_of(entry, "type"),
        lines_added=as_count(entry.get("linesAdded")),
        lines_deleted=as_count(entry.get("linesDeleted")),
        patch=_content(entry, "patchContent") if patched else None,
        patch_truncated=entry.get("patchTruncated") is True,
        before=_content(entry, "beforeContent") if whole else None,
        after=_content(entry, "afterContent") if whole else None,
        unavailable=text_of(entry, "diffUnavailableReason"),
    )


def _content(entry: Mapping[str, Any], key: str) -> str | None:
    value = entry.get(key)
    return value if isinstance(value, str) else None
