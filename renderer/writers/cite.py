"""`metadata.citations` for rows that have none yet: what the upstream platform does when a task ends, for an archive.

First design, §5.2: the round's last assistant row with text gets the cited entries of the round's registry. The text is
never changed; a round without tool results is left alone; rows that do not change come out as they went in.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from renderer.citations.markers import CARET, extract_citation_markers
from renderer.citations.registry import build_registry as registry_of
from renderer.errors import Problem
from renderer.markdown.fragment import read_markdown
from renderer.model import Message, Registry, Role, SourceTool, ToolResult
from renderer.readers import Input
from renderer.readers.rows import as_object, decode_line, message_of_row
from renderer.writers.json_text import member_text, with_member

Citations = list[dict[str, Any]]
T = TypeVar("T")

_LINKABLE = re.compile(r"https?://", re.IGNORECASE)


def cite_rows(
    rows: Iterable[Mapping[str, Any]], *, tools: tuple[SourceTool, ...] | None = None
) -> Iterator[Mapping[str, Any]]:
    """The rows (as decoded from upstream JSONL, in order) with `metadata.citations` built anew from the tool results.

    A row that does not change is given as it is. One that does is a new dict, its metadata a string or an object as it
    was. `tools` are the tools whose answers give sources, None for those that citepage knows.
    """
    items = (_Item(row, message_of_row(row)) for row in rows)
    yield from _cited(items, tools, _changed_row)


def build_registry(
    rows: Iterable[Message | Mapping[str, Any]], *, tools: tuple[SourceTool, ...] | None = None
) -> Registry:
    """The registry of one round, from its messages or its rows (as decoded from upstream JSONL), in order.

    `tools` are the tools whose answers give sources, None for those that citepage knows.
    """
    messages = (row if isinstance(row, Message) else message_of_row(row) for row in rows)
    return registry_of([message for message in messages if message is not None], tools)


def cite_lines(
    source: Input, report: Callable[[Problem], None], *, tools: tuple[SourceTool, ...] | None = None
) -> Iterator[bytes]:
    """The lines of an upstream JSONL export, cited like `cite_rows`; lines that do not change are the same bytes.

    `report` is called with each line that could not be read and went through as it was.
    """
    yield from _cited(_items(source, report), tools, _changed_line)


# --- Rounds ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Item(Generic[T]):
    """A row or a line, with the message that it holds; None when it holds none."""

    value: T
    message: Message | None


def _cited(
    items: Iterable[_Item[T]], tools: tuple[SourceTool, ...] | None, change: Callable[[T, Citations], T]
) -> Iterator[T]:
    """Each value, the answers' through `change`; holds one round at a time."""
    round_: list[_Item[T]] = []
    for item in items:
        if item.message is not None and item.message.role is Role.USER:
            yield from _cited_round(round_, tools, change)
            round_ = []
        round_.append(item)
    yield from _cited_round(round_, tools, change)


def _cited_round(
    items: Sequence[_Item[T]], tools: tuple[SourceTool, ...] | None, change: Callable[[T, Citations], T]
) -> Iterator[T]:
    messages = [item.message for item in items if item.message is not None]
    answer = _answer(messages)
    for item in items:
        if answer is not None and item.message is answer:
            yield change(item.value, _citations(answer, messages, tools))
        else:
            yield item.value


def _answer(messages: Sequence[Message]) -> Message | None:
    """The row to cite; None in a round without tool results, and before the first question."""
    if not messages or messages[0].role is not Role.USER or not any(_has_result(message) for message in messages):
        return None
    return next((m for m in reversed(messages) if m.role is Role.ASSISTANT and m.text.strip()), None)


def _has_result(message: Message) -> bool:
    return any(isinstance(block, ToolResult) and block.text.strip() for block in message.blocks)


def _citations(answer: Message, messages: Sequence[Message], tools: tuple[SourceTool, ...] | None) -> Citations:
    document = read_markdown(answer.text, CARET.name)
    # In a text that is too long to be laid out a page shows no markers; the rows still say what it cites.
    too_long = extract_citation_markers(answer.text) if document.tokens is None else []
    cited = {n for marker in document.markers for n in marker.numbers} | set(too_long)
    return [
        {"n": entry.n, "url": entry.url, "title": entry.title}
        for entry in registry_of(messages, tools)
        if entry.n in cited and _LINKABLE.match(entry.url)
    ]


# --- Rows ------------------------------------------------------------------------------------------------------


def _changed_row(row: Mapping[str, Any], citations: Citations) -> Mapping[str, Any]:
    metadata = row.get("metadata")
    known = _known(metadata)
    if known is None or _is_same(known, citations):
        return row
    if isinstance(metadata, Mapping):
        changed = {key: value for key, value in metadata.items() if key != "citations" or citations}
        return {**row, "metadata": {**changed, "citations": citations} if citations else changed}
    text = metadata if isinstance(metadata, str) and known else "{}"
    return {**row, "metadata": with_member(text, "citations", _dumped(citations) if citations else None)}


def _known(metadata: Any) -> Mapping[str, Any] | None:
    """The metadata of a row; {} when it has none, None when they cannot be read and so must not be replaced."""
    if metadata is None or (isinstance(metadata, str) and metadata.strip() in ("", "null")):
        return {}
    return as_object(metadata)


def _is_same(known: Mapping[str, Any], citations: Citations) -> bool:
    if not citations:
        return "citations" not in known
    return json.dumps(known.get("citations"), sort_keys=True) == json.dumps(citations, sort_keys=True)


# --- Lines -----------------------------------------------------------------------------------------------------


def _items(source: Input, report: Callable[[Problem], None]) -> Iterator[_Item[bytes]]:
    for number, line in source.raw_lines():
        value, problem = decode_line(line, source.name, number)
        if problem is not None:
            report(problem)
        if isinstance(value, dict) and _known(value.get("metadata")) is None:
            report(Problem(source.name, number, "the metadata cannot be read; the row stays as it is"))
        yield _Item(line, message_of_row(value, number))


def _changed_line(line: bytes, citations: Citations) -> bytes:
    row, problem = decode_line(line, "", 0)
    metadata = row.get("metadata")
    known = _known(metadata)
    if problem is not None or known is None or _is_same(known, citations):
        return line
    mark = b"\xef\xbb\xbf" if line.startswith(b"\xef\xbb\xbf") else b""
    text = line[len(mark) :].decode("utf-8")
    inner = metadata if isinstance(metadata, str) and known else member_text(text, "metadata") if known else "{}"
    inner = with_member(inner, "citations", _dumped(citations) if citations else None)
    changed = with_member(text, "metadata", inner if isinstance(metadata, dict) else _dumped(inner))
    return mark + changed.encode("utf-8")


def _dumped(value: object) -> str:
    """Compact JSON as the exporter writes it; with escapes where a lone surrogate could not be encoded."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if _encodes(text) else json.dumps(value, separators=(",", ":"))


def _encodes(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
