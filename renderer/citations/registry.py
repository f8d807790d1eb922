"""The numbered addresses that a round's tools returned.

The rule is the upstream platform's, to the letter (first design, §5.2): rows in order, results without an address
skipped, addresses compared as exact strings, the first one wins, 20 at most. Nothing is normalised before numbering:
an address that cannot be linked keeps its number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from renderer.citations.results import Result, results_of
from renderer.citations.tools import Tools, tools_of
from renderer.model import Message, Registry, RegistryEntry, Role, SourceTool, ToolCall, ToolResult

MAX_ENTRIES = 20


def build_registry(messages: Iterable[Message], tools: tuple[SourceTool, ...] | None = None) -> Registry:
    """The registry of one round, from its messages in order (the question may be among them).

    `tools` are the tools whose answers give sources, None for those that citepage knows.
    """
    rows = tuple(messages)
    known = tools_of(rows, tools)
    calls = calls_by_id(rows)
    entries: dict[str, RegistryEntry] = {}
    for message in rows:
        for block in message.blocks:
            if isinstance(block, ToolResult):
                for entry in _entries_of(block, calls, known, message):
                    _add(entries, entry)
    return tuple(entries.values())


def calls_by_id(messages: Iterable[Message]) -> dict[str, ToolCall]:
    """The assistant's calls that have an id, by it. A later call of the same id wins, as upstream."""
    return {
        block.id: block
        for message in messages
        if message.role is Role.ASSISTANT
        for block in message.blocks
        if isinstance(block, ToolCall) and block.id is not None
    }


def results_of_call(call: ToolCall, result: ToolResult, tools: Tools) -> tuple[Result, ...] | None:
    """What one call returned, in order; None when it failed, or when its tool gives no sources."""
    tool = tools.get(call.name)
    return None if tool is None else results_of(tool, call.arguments, result.text)


def _entries_of(
    result: ToolResult, calls: dict[str, ToolCall], tools: Tools, message: Message
) -> Iterator[RegistryEntry]:
    call = calls.get(result.call_id or "")
    if call is None or call.id is None:
        return
    for item in results_of_call(call, result, tools) or ():
        if item.url:
            yield RegistryEntry(
                n=0,
                url=item.url,
                title=item.title,
                passage=item.passage,
                call_id=call.id,
                retrieved_at=message.created_at,
                opened=tools[call.name].opens,
            )


def _add(entries: dict[str, RegistryEntry], entry: RegistryEntry) -> None:
    known = entries.get(entry.url)
    if known is None:
        if len(entries) < MAX_ENTRIES:
            entries[entry.url] = replace(entry, n=len(entries) + 1)
    elif entry.opened and not known.opened:
        # The page says more than the snippet that led to it.
        entries[entry.url] = replace(
            known, opened=True, passage=entry.passage or known.passage, retrieved_at=entry.retrieved_at
        )
