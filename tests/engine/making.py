"""Lines of an export to the byte, for tests in which no writer of JSON may stand between the test and the program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from typing import Any

from renderer.errors import Problem
from renderer.model import SourceTool
from renderer.readers import Input
from renderer.writers.cite import cite_lines

HEADER = b'{"type":"session_export","schemaVersion":1,"session":{"id":11,"title":"Rain"}}'
QUESTION = b'{"id":1,"role":"USER","content":"Will it rain?"}'
CALL = (
    rb'{"id":2,"role":"ASSISTANT","content":null,"toolCalls":'
    rb'"[{\"id\":\"c1\",\"name\":\"web_search\",\"input\":{\"query\":\"rain\"}}]"}'
)
# Three results: the second one has no title, and the third one is no address of the web.
FOUND = (
    rb'{"id":3,"role":"TOOL","toolCallId":"c1","content":"{\"query\":\"rain\",\"results\":['
    rb"{\"title\":\"One\",\"url\":\"https://a.example/1\",\"content\":\"\"},"
    rb"{\"title\":\"\",\"url\":\"https://b.example/2\",\"content\":\"\"},"
    rb'{\"title\":\"Three\",\"url\":\"ftp://c.example/3\",\"content\":\"\"}]}"}'
)

# `metadata` as a string of JSON, when the first result is cited, the second, or both.
CITED_1 = rb'"{\"citations\":[{\"n\":1,\"url\":\"https://a.example/1\",\"title\":\"One\"}]}"'
CITED_2 = rb'"{\"citations\":[{\"n\":2,\"url\":\"https://b.example/2\",\"title\":\"\"}]}"'
CITED_1_2 = (
    rb'"{\"citations\":[{\"n\":1,\"url\":\"https://a.example/1\",\"title\":\"One\"},'
    rb'{\"n\":2,\"url\":\"https://b.example/2\",\"title\":\"\"}]}"'
)
# The list itself, for `metadata` that is an object.
LIST_1 = b'[{"n":1,"url":"https://a.example/1","title":"One"}]'


def answer_line(text: bytes, metadata: bytes | None = None, id_: int = 4) -> bytes:
    """An answer whose content and metadata are these bytes of JSON; without metadata the key is not there."""
    tail = b"" if metadata is None else b',"metadata":' + metadata
    return b'{"id":%d,"role":"ASSISTANT","content":%s%s}' % (id_, text, tail)


def export(*lines: bytes) -> bytes:
    """These lines, each with its end."""
    return b"".join(line + b"\n" for line in lines)


def asked(*lines: bytes) -> bytes:
    """An export in which a search is made and these lines follow."""
    return export(HEADER, QUESTION, CALL, FOUND, *lines)


def cited(data: bytes, tools: tuple[SourceTool, ...] | None = None) -> tuple[bytes, list[Problem]]:
    """What `citepage cite` makes of an export, and what it warns of."""
    problems: list[Problem] = []
    with Input(BytesIO(data), "in.jsonl") as source:
        lines = b"".join(cite_lines(source, problems.append, tools=tools))
    return lines, problems


def decoded(data: bytes) -> Iterator[Any]:
    """The value of every line that holds JSON."""
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        try:
            yield json.loads(line.removeprefix(b"\xef\xbb\xbf"))
        except ValueError:
            continue


def metadata_of(row: Mapping[str, Any]) -> Any:
    """The metadata of a row, unpacked when it is a string."""
    metadata = row.get("metadata")
    return json.loads(metadata) if isinstance(metadata, str) else metadata


def citations_of(rows: Iterable[Mapping[str, Any]]) -> dict[Any, Any]:
    """The lists of citations of the rows that have one, by the rows' ids."""
    found = {}
    for row in rows:
        metadata = metadata_of(row)
        if isinstance(metadata, dict) and "citations" in metadata:
            found[row["id"]] = metadata["citations"]
    return found
