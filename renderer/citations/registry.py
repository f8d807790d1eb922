"""The numbered addresses that a round's tools returned.

The rule is the upstream platform's, to the letter (first design, §5.2): rows in order, results without an address
skipped, addresses compared as exact strings, the first one wins, 20 at most. Nothing is normalised before numbering:
an address that cannot be linked keeps its number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from renderer.model import Message, Registry, RegistryEntry, ToolCall, ToolResult

MAX_ENTRIES = 20

SEARCH_TOOL = "web_search"
OPEN_TOOL = "open_web_page"


def build_registry(messages: Iterable[Message]) -> Registry:
    """The registry of one round, from its messages in order (the question may be among them)."""
    rows = tuple(messages)
    names = tool_names(rows)
    entries: dict[str, RegistryEntry] = {}
    for message in rows:
        for block in message.blocks:
            if isinstance(block, ToolResult):
                for entry in _entries_of(block, names, message):
                    _add(entries, entry)
    return tuple(entries.values())


def tool_names(messages: Iterable[Message]) -> dict[str, str]:
    """Call id → tool name, for the calls that have an id. A later call of the same id wins, as upstream."""
    return {
        block.id: block.name
        for message in messages
        for block in message.blocks
        if isinstance(block, ToolCall) and block.id is not None
    }


def returned_entries(tool: str, text: str) -> list[dict[str, str]] | None:
    """What one tool result returned, as `{"url", "title", "passage"}` each; None when it is no success.

    A failure is an answer with a top-level `error`, one of another shape, or one of a tool that gives no sources.
    """
    answer = _decode(text)
    if answer is None or "error" in answer:
        return None
    if tool == SEARCH_TOOL and isinstance(answer.get("results"), list):
        return [_fields(item) for item in answer["results"] if isinstance(item, dict)]
    if tool == OPEN_TOOL and isinstance(answer.get("content"), str):
        return [_fields(answer)]
    return None


def _entries_of(result: ToolResult, names: dict[str, str], message: Message) -> Iterator[RegistryEntry]:
    tool = names.get(result.call_id or "")
    if tool is None or result.call_id is None:
        return
    for item in returned_entries(tool, result.text) or ():
        if item["url"]:
            yield RegistryEntry(
                n=0,
                url=item["url"],
                title=item["title"],
                passage=item["passage"],
                call_id=result.call_id,
                retrieved_at=message.created_at,
                opened=tool == OPEN_TOOL,
            )


def _add(entries: dict[str, RegistryEntry], entry: RegistryEntry) -> None:
    known = entries.get(entry.url)
    if known is None:
        if len(entries) < MAX_ENTRIES:
            entries[entry.url] = replace(entry, n=len(entries) + 1)
    elif entry.opened and not known.opened:
        entries[entry.url] = replace(known, opened=True)


def _decode(text: str) -> dict[str, Any] | None:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def _fields(item: dict[str, Any]) -> dict[str, str]:
    return {
        field: _string(item.get(key)) for field, key in (("url", "url"), ("title", "title"), ("passage", "content"))
    }


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
