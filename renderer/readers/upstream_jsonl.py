"""The upstream exporter's JSONL: a header line, then one message a line; a compaction archive has no header.

Lines are read one at a time, each time that the rounds are iterated. A line that cannot be read costs that line only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from renderer.errors import Problem, RendererError
from renderer.model import Conversation, Message, Origin
from renderer.readers._ids import SeenIds
from renderer.readers._input import Input
from renderer.readers._reader import Reader, Sample
from renderer.readers._records import BadJson, as_count, as_id, decode_json, parse_time, text_of
from renderer.readers._rounds import Event, LazyRounds, opening_problems
from renderer.readers._upstream import SHANGHAI, TIME_ZONE, is_row, read_row
from renderer.readers._upstream_tools import changed_files

HEADER_TYPE = "session_export"


def matches(sample: Sample) -> bool:
    """Whether one of the first lines is the header or a message row."""
    return any(_is_header(value) or is_row(value) for value in sample.values)


def read(inputs: Sequence[Input]) -> Iterator[Conversation]:
    """The one conversation of an export. Raises `RendererError` when it has no message."""
    source = inputs[0]
    if len(inputs) > 1:
        what = f"{len(inputs)} JSONL exports cannot be joined; only the pages of one share can"
        raise RendererError(source.name, what, "give one export at a time")
    events = partial(_events, source)
    problems = opening_problems(events(), source.name)
    header = _header(source)
    session = header.get("session")
    session = session if isinstance(session, dict) else {}
    digest = source.digest()
    conversation = Conversation(
        id=as_id(session.get("id")) or digest[:12],
        title=text_of(session, "title"),
        origin=Origin(READER.name, (source.name,), digest),
        rounds=LazyRounds(events),
        agent=text_of(session, "agentName"),
        created_at=parse_time(session.get("createdAt"), SHANGHAI),
        time_zone=TIME_ZONE,
        file_changes=changed_files(header.get("fileChanges")),
        problems=problems,
    )
    return iter((conversation,))


def _header(source: Input) -> Mapping[str, Any]:
    """The header, if there is one before the first message."""
    for _, value in _values(source):
        if _is_header(value):
            header: Mapping[str, Any] = value
            return header
        if isinstance(value, dict) and isinstance(value.get("role"), str):
            break
    return {}


def _is_header(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == HEADER_TYPE and "role" not in value


def _events(source: Input) -> Iterator[Event]:
    """The messages of the export in the order of its lines, each problem where it is met."""
    header: Mapping[str, Any] | None = None
    seen = SeenIds()
    count = 0
    for number, value in _values(source):
        if isinstance(value, Problem):
            yield value
        elif not _is_header(value):
            for event in read_row(value, source.name, number, f"line-{number}"):
                yield event
                if isinstance(event, Message):
                    count += 1
                    yield from _double(event, seen, source.name)
        elif header is None and not count:
            header = value
        else:
            what = "a second export header: the file seems to hold two exports; shown as one"
            yield Problem(source.name, number, what)
    yield from _miscount(header or {}, count, source.name)


def _values(source: Input) -> Iterator[tuple[int, Any]]:
    """The JSON value of each line that is not blank, or the Problem why there is none."""
    for number, line in source.lines():
        if isinstance(line, Problem):
            yield number, line
        elif line.strip():
            yield from _value(line, source.name, number)


def _value(line: bytes, where: str, number: int) -> Iterator[tuple[int, Any]]:
    try:
        decoded = decode_json(line)
    except BadJson as why:
        yield number, Problem(where, number, f"the line was left out: {why}", left_out=1)
        return
    if decoded.repaired:
        yield number, Problem(where, number, "some bytes are no UTF-8; they are shown as �")
    yield number, decoded.value


def _double(message: Message, seen: SeenIds, where: str) -> Iterator[Problem]:
    if seen.add(message.id):
        yield Problem(where, message.line, "a message with an id that another one has; both are shown")


def _miscount(header: Mapping[str, Any], count: int, where: str) -> Iterator[Problem]:
    said = as_count(header.get("messageCount"))
    if said is not None and said != count:
        what = f"the header says {said} messages, but {count} could be read"
        yield Problem(where, None, what, notice="count_differs", values={"said": said, "count": count})


READER = Reader(
    name="upstream-jsonl",
    what="A session export or compaction archive of the agent platform: JSON Lines, one message a line.",
    recognised_by='A first line with "type": "session_export", or lines with role, content and toolCalls.',
    matches=matches,
    read=read,
)
