"""Small messages, tool answers and registries, for the tests of the citations stage."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime

from renderer.model import (
    Block,
    Citation,
    Conversation,
    Marker,
    Message,
    Origin,
    Registry,
    RegistryEntry,
    Role,
    Round,
    Text,
    ToolCall,
    ToolResult,
)

NOON = datetime(2026, 10, 12, 12, 0, tzinfo=UTC)


def message(role: Role, *blocks: Block, citations: tuple[Citation, ...] | None = None, id_: str = "1") -> Message:
    """A message of these blocks."""
    return Message(id=id_, role=role, blocks=blocks, citations=citations)


def said(text: str, *citations: Citation, given: bool = False) -> Message:
    """An assistant's message; with `given` (or any citation) the file gives it a list, even an empty one."""
    return message(Role.ASSISTANT, Text(text), citations=citations if citations or given else None)


def called(call_id: str | None, tool: str) -> Message:
    """An assistant's message that calls a tool."""
    return message(Role.ASSISTANT, ToolCall(call_id, tool, {}))


def answered(call_id: str | None, text: str, at: datetime | None = None) -> Message:
    """A tool's message that answers a call."""
    return Message(id="2", role=Role.TOOL, blocks=(ToolResult(call_id, text),), created_at=at)


def hit(url: object, title: object = "", content: object = "") -> dict[str, object]:
    """One result of a search."""
    return {"title": title, "url": url, "content": content}


def search(*results: object, **more: object) -> str:
    """What `web_search` answers."""
    return json.dumps({"query": "q", "results": list(results), "total_results": len(results), **more})


def page(url: object, title: object = "", content: object = "text", **more: object) -> str:
    """What `open_web_page` answers."""
    return json.dumps({"url": url, "title": title, "content": content, "content_length": 4, "truncated": False, **more})


def searched(call_id: str, *urls: str) -> tuple[Message, Message]:
    """A search that returned these addresses."""
    return called(call_id, "web_search"), answered(call_id, search(*(hit(url) for url in urls)))


def opened(call_id: str, url: str) -> tuple[Message, Message]:
    """A page that was opened."""
    return called(call_id, "open_web_page"), answered(call_id, page(url))


def registry_of(*urls: str) -> Registry:
    """A registry of these addresses; the tool gave the n-th one the title "tool's n"."""
    return tuple(RegistryEntry(n, url, f"tool's {n}", "", "c") for n, url in enumerate(urls, 1))


def given(n: int, url: str, title: str = "") -> Citation:
    """An entry of the list that a file gives."""
    return Citation(n, url, title)


def markers(*numbers: int) -> list[Marker]:
    """The markers `[^n^]` of these numbers, in order."""
    return [Marker(f"[^{n}^]", (n,)) for n in numbers]


def round_of(*messages: Message, asked: bool = True) -> Round:
    """A round of these messages, with a question or (the rows before the first one) without."""
    question = message(Role.USER, Text("why?"), id_="0") if asked else None
    return Round(index=1 if asked else 0, question=question, messages=messages)


def conversation_of(rounds: Iterable[Round]) -> Conversation:
    """A conversation of these rounds, which may be lazy."""
    origin = Origin("upstream-jsonl", ("a.jsonl",), "0" * 64)
    return Conversation(id="1", title="t", origin=origin, rounds=rounds)
