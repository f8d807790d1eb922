"""Whatever bytes come in, what comes out is rounds or one clear error, never another exception."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from renderer.errors import RendererError
from renderer.readers import read
from tests.readers.making import encoded, header, jsonl, page, row

SEARCH = {"id": "c1", "type": "function", "function": {"name": "web_search", "arguments": '{"query": "天气"}'}}
CHANGE = {"path": "a.py", "type": "MODIFIED", "linesAdded": 1, "linesDeleted": 2, "diffMode": "PATCH"}
ROWS: list[Any] = [
    row(1, content='[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"u"}}]', images=["u"]),
    row(2, "ASSISTANT", None, toolCalls=json.dumps([SEARCH]), thinkingContent="hm"),
    row(3, "TOOL", '{"query":"q","results":[{"title":"t","url":"https://a.example","content":"c"}]}', toolCallId="c1"),
    row(4, "ASSISTANT", "sunny[^1^]", metadata='{"citations":[{"n":1,"url":"https://a.example","title":"t"}]}'),
    row(5, "USER", [{"type": "text", "text": "and"}], metadata={"attachments": [{"mime": "a/b", "path": "/x/y"}]}),
    row(6, "ASSISTANT", "x", toolCalls=[SEARCH], fileChanges=[CHANGE], metadata={"citations": [{"n": 1, "url": "u"}]}),
]
EXPORT = [header() | {"messageCount": 6, "fileChanges": [CHANGE]}, *ROWS]
SHARE: dict[str, Any] = {"code": 0, "data": page(*ROWS, hasMore=True, nextBeforeMessageId=1)}

VALUES = [
    "null", "true", "false", "0", "-1", "1.5", "1e300", "9" * 400, "[]", "{}", "[[]]", "[null]", '{"a":1}', '""', '"x"',
    '"["', '"[]"', '"{}"', '"[null]"', '"[{}]"', '"[{\\"type\\":\\"text\\"}]"', '"\\ud800"', '"\\u0000"',
    '"9999-12-31T23:59:59"', '[{"function":{"name":3,"arguments":[]}}]', '{"citations":[{"n":true,"url":"u"}]}',
]  # fmt: skip
SNIPPETS = [b"\n", b"\0\0", b"\xef\xbb\xbf", b"{", b"]", b'"', b"\\", b"\xff", b"NaN", b"1e999", b"\xed\xa0\x80"]

Mutation = Callable[[random.Random], bytes]


def test_mutated_input_is_read_or_refused() -> None:
    """Hundreds of damaged inputs of both formats are rounds or a RendererError of one line."""
    chance = random.Random(20261007)
    mutations: list[Mutation] = [damaged_bytes, export_with_odd_values, share_with_odd_values]
    outcomes = [outcome(mutation(chance)) for _ in range(200) for mutation in mutations]
    assert set(outcomes) == {"read", "refused"}
    assert outcomes.count("read") > 300


@pytest.mark.parametrize("value", VALUES)
def test_every_value_may_be_anything(value: str, full: bool) -> None:
    """Each value of each record, replaced by one of every kind, is read or refused."""
    step = 1 if full else 5
    for document, joined in ((EXPORT, jsonl_of), (SHARE, encoded_with_surrogates)):
        for path in list(paths(document))[VALUES.index(value) % step :: step]:
            assert outcome(joined(replaced(document, path, json.loads(value)))) in ("read", "refused")


def test_a_file_cut_anywhere_is_read_or_refused() -> None:
    """An export and a share, plain and compressed, may end at any byte."""
    for data in (jsonl(*EXPORT), encoded(SHARE)):
        for whole in (data, gzip.compress(data, mtime=0)):
            for end in range(0, len(whole), 17):
                assert outcome(whole[:end]) in ("read", "refused")


def outcome(data: bytes) -> str:
    """What happens to an input: its rounds are read twice and alike, or it is refused in one line."""
    try:
        conversations = list(read(data))
    except RendererError as refusal:
        return "refused" if "\n" not in str(refusal) else "refused in several lines"
    for conversation in conversations:
        rounds = list(conversation.rounds)
        assert rounds
        assert repr(rounds) == repr(list(conversation.rounds))
    return "read"


def damaged_bytes(chance: random.Random) -> bytes:
    data = bytearray(chance.choice((jsonl(*EXPORT), encoded(SHARE))))
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data))
        if chance.random() < 0.5:
            data[at] = chance.randrange(256)
        else:
            data[at : at + chance.randint(0, 200)] = chance.choice(SNIPPETS)
    if chance.random() < 0.8:
        return bytes(data)
    packed = bytearray(gzip.compress(bytes(data), mtime=0))
    packed[chance.randrange(len(packed))] = chance.randrange(256)
    return bytes(packed)


def export_with_odd_values(chance: random.Random) -> bytes:
    return jsonl_of(with_odd_values(EXPORT, chance))


def share_with_odd_values(chance: random.Random) -> bytes:
    return encoded_with_surrogates(with_odd_values(SHARE, chance))


def with_odd_values(document: Any, chance: random.Random) -> Any:
    for _ in range(chance.randint(1, 4)):
        path = chance.choice(list(paths(document)))
        document = replaced(document, path, json.loads(chance.choice(VALUES)))
    return document


def jsonl_of(values: Any) -> bytes:
    """The items of a list as lines; anything else as the only line."""
    return b"\n".join(encoded_with_surrogates(value) for value in (values if isinstance(values, list) else [values]))


def encoded_with_surrogates(value: object) -> bytes:
    return json.dumps(value).encode()


def paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each value in a document, the document itself first."""
    yield before
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from paths(item, (*before, key))


def replaced(value: Any, path: tuple[Any, ...], by: object) -> Any:
    """A copy of `value` with another value at the end of `path`."""
    if not path:
        return by
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], by)
    return copy
