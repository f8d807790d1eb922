"""Small inputs in the two upstream formats, for the tests of the readers."""

from __future__ import annotations

import json
from typing import Any

from renderer.errors import Problem
from renderer.model import Conversation, Message
from renderer.readers import Readable, read


def row(id_: object, role: object = "USER", content: object = "hello", **more: object) -> dict[str, Any]:
    """A message row with the keys that the exporter always writes."""
    keys = {"toolCallId": None, "toolCalls": None, "metadata": None, "tokenCount": None, "modelId": 4}
    return {"id": id_, "role": role, "content": content, **keys, "createdAt": "2026-10-07T09:00:17", **more}


def header(**session: object) -> dict[str, Any]:
    """An export's header line."""
    return {"type": "session_export", "schemaVersion": 1, "session": {"id": 11, "title": "Weather", **session}}


def page(*rows: object, **more: object) -> dict[str, Any]:
    """A page of a share, without envelope."""
    session = {"id": 11, "title": "Weather", "agentName": "Agent", "ownerName": "Ann", "createdAt": None}
    ends = {"hasMore": False, "nextBeforeMessageId": None}
    return {"session": session, "share": {"viewCount": 3}, "messages": list(rows), **ends, **more}


def jsonl(*values: object) -> bytes:
    """One value a line; bytes are a line as they are."""
    return b"".join((value if isinstance(value, bytes) else encoded(value)) + b"\n" for value in values)


def encoded(value: object) -> bytes:
    """A value as JSON in UTF-8."""
    return json.dumps(value, ensure_ascii=False).encode()


def the_one(source: Readable, format_: str | None = None) -> Conversation:
    """The conversation that `source` holds, and it holds one only."""
    (conversation,) = read(source, format=format_)
    return conversation


def messages(conversation: Conversation) -> list[Message]:
    """All messages in order, questions too."""
    found: list[Message] = []
    for round_ in conversation.rounds:
        found += [round_.question] if round_.question else []
        found += round_.messages
    return found


def problems(conversation: Conversation) -> list[Problem]:
    """All problems in order."""
    return [*conversation.problems, *(problem for round_ in conversation.rounds for problem in round_.problems)]


def first_message(**keys: object) -> Message:
    """The message that the reader makes of one row with these keys."""
    return messages(the_one(jsonl(row(1, **keys))))[0]
