"""The upstream JSONL export: what it says is in the model, word for word, and what cannot be read is named."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from itertools import islice

import pytest

from renderer.errors import Problem, RendererError
from renderer.model import (
    Attachment,
    Block,
    Citation,
    FileChange,
    FileChanges,
    Image,
    Message,
    Origin,
    Role,
    Round,
    Stub,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from renderer.readers import Input, read, read_inputs
from renderer.readers._ids import SeenIds
from tests.readers.making import encoded, first_message, header, jsonl, messages, problems, row, the_one

SHANGHAI = timezone(timedelta(hours=8))


def blocks(**keys: object) -> tuple[Block, ...]:
    return first_message(**keys).blocks


# --- The conversation ------------------------------------------------------------------------------------------


def test_the_header_names_the_conversation() -> None:
    """Title, agent, time, id and changed files of the header are those of the conversation."""
    change = {"path": "a.py", "type": "MODIFIED", "linesAdded": 3, "linesDeleted": 1}
    first = header(agentName="Agent", createdAt="2026-10-07T09:00:00") | {"fileChanges": [change]}
    data = jsonl(first, row(1))
    conversation = the_one(data)
    assert (conversation.id, conversation.title, conversation.agent, conversation.owner) == (
        "11",
        "Weather",
        "Agent",
        "",
    )
    assert conversation.created_at == datetime(2026, 10, 7, 9, tzinfo=SHANGHAI)
    assert conversation.time_zone == "Asia/Shanghai"
    assert conversation.file_changes == (FileChange("a.py", "MODIFIED", 3, 1),)
    assert conversation.problems == ()


def test_the_origin_is_the_file() -> None:
    """Format, name and digest of the origin are those of the one file."""
    conversation = next(read_inputs([Input(jsonl(b'{"id":1,"role":"USER","content":"q"}'), "a.jsonl")]))
    digest = "303362948b555e9d85c99649eb070c1327319538f8e14f427b7bbc13a1aa5902"
    assert conversation.origin == Origin("upstream-jsonl", ("a.jsonl",), digest)
    assert conversation.id == digest[:12]


def test_an_archive_without_header_is_read() -> None:
    """A compaction archive has messages and no header: no title, and the beginning of the digest as its id."""
    conversation = the_one(jsonl(row(5), row(6, "ASSISTANT")))
    assert (conversation.title, conversation.agent, conversation.created_at) == ("", "", None)
    assert [message.id for message in messages(conversation)] == ["5", "6"]
    assert conversation.problems == ()


@pytest.mark.parametrize("session", [None, [], "x", {"id": None, "title": 5, "agentName": [], "createdAt": {}}])
def test_a_header_with_odd_values_says_nothing(session: object) -> None:
    """Header values of the wrong kind are as if absent."""
    conversation = the_one(jsonl({"type": "session_export", "session": session}, row(1)))
    assert (conversation.title, conversation.agent, conversation.created_at) == ("", "", None)
    assert len(conversation.id) == 12


# --- Rounds ----------------------------------------------------------------------------------------------------


def shape(rounds: list[Round]) -> list[tuple[int, str | None, list[str]]]:
    return [(r.index, r.question.id if r.question else None, [m.id for m in r.messages]) for r in rounds]


def test_a_round_is_a_question_and_what_follows() -> None:
    """Each USER message begins a round, and rows before the first one are round 0 without a question."""
    rows = [row(1, "SYSTEM"), row(2, "USER"), row(3, "ASSISTANT"), row(4, "TOOL"), row(5, "user"), row(6, "User")]
    assert shape(list(the_one(jsonl(*rows)).rounds)) == [
        (0, None, ["1"]),
        (1, "2", ["3", "4"]),
        (2, "5", []),
        (3, "6", []),
    ]


def test_rounds_can_be_iterated_again() -> None:
    """Two iterations give equal rounds, also when one is made in the middle of the other."""
    conversation = the_one(jsonl(header(), row(1), row(2, "ASSISTANT"), b"{", row(3), row(4, "ASSISTANT")))
    first = iter(conversation.rounds)
    one = next(first)
    everything = list(conversation.rounds)
    assert [one, *first] == everything == list(conversation.rounds)


def test_the_order_of_the_file_is_kept() -> None:
    """Rows whose ids do not rise stay where they are."""
    conversation = the_one(jsonl(row(9), row(3, "ASSISTANT"), row(5, "ASSISTANT")))
    assert [message.id for message in messages(conversation)] == ["9", "3", "5"]
    assert problems(conversation) == []


def test_the_first_round_does_not_read_the_rest() -> None:
    """Of a stream of rows without end, the first rounds come, and only as much as they need is read."""
    taken = 0

    class Endless(Input):
        def _chunks(self, damage: list[str]) -> Iterator[bytes]:
            nonlocal taken
            for number in range(1, 10**9):
                taken += 1
                yield jsonl(row(2 * number), row(2 * number + 1, "ASSISTANT"))

        def digest(self) -> str:
            return "0" * 64

    conversation = next(read_inputs([Endless(b"")]))
    taken = 0
    assert [r.index for r in islice(conversation.rounds, 3)] == [1, 2, 3]
    assert taken <= 5


def test_memory_is_bounded_by_a_round() -> None:
    """Iterating over 24 MB of rounds holds less than 4 MB at any time."""
    rows = jsonl(*(row(n, "USER" if n % 2 else "ASSISTANT", "x" * 20_000) for n in range(1, 1201)))
    compressed = gzip.compress(rows, 1)
    tracemalloc.start()
    count = sum(1 for _ in the_one(compressed).rounds)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 600
    assert peak < 4 << 20


# --- Lines that cannot be read ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"id": 2, "role": "ASSISTANT", "content": "half a sen', "the line was left out: its JSON is cut off"),
        (b"hello", "the line was left out: it is no JSON (column 1)"),
        (b"\0" * 100, "the line was left out: it holds nothing but NUL bytes"),
        (b"[1, 2]", "the line was left out: it is no JSON object"),
        (b"42", "the line was left out: it is no JSON object"),
        (b"null", "the line was left out: it is no JSON object"),
        (b'{"type": "footer"}', "the line was left out: it has no role"),
        (b'{"id": 2, "role": null, "content": "x"}', "the line was left out: it has no role"),
        (b'{"id": 2, "role": 7, "content": "x"}', "the line was left out: it has no role"),
        (b"[" * 100_000, "the line was left out: its lists and objects are nested too deep"),
        (b'{"id": ' + b"9" * 5000 + b"}", "the line was left out: it holds a number of too many digits"),
    ],
)
def test_a_line_that_cannot_be_read_costs_that_line_only(line: bytes, why: str) -> None:
    """One bad line is one problem with its number, in its round, and the other lines are read."""
    rounds = list(the_one(jsonl(row(1), b"", line, row(3, "ASSISTANT"), row(4))).rounds)
    assert shape(rounds) == [(1, "1", ["3"]), (2, "4", [])]
    assert rounds[0].problems == (Problem("<bytes>", 3, why, left_out=1),)
    assert rounds[1].problems == ()


def test_a_cut_last_line_is_in_the_last_round() -> None:
    """A file that was cut off keeps what is whole, and the last round says what is not."""
    whole = jsonl(row(1), row(2, "ASSISTANT", "a long answer"))
    (only,) = the_one(whole[:-40]).rounds
    assert only.messages == ()
    assert only.problems == (Problem("<bytes>", 2, "the line was left out: its JSON is cut off", left_out=1),)


def test_problems_before_the_first_message_are_the_conversations() -> None:
    """A problem before the first message stands in the conversation, once, and in no round."""
    conversation = the_one(jsonl(b"oops", header(), b"again", row(1)))
    assert conversation.title == "Weather"
    assert [problem.line for problem in conversation.problems] == [1, 3]
    assert [r.problems for r in conversation.rounds] == [()]


def test_blank_lines_are_no_problem() -> None:
    """Blank lines are passed over in silence."""
    conversation = the_one(jsonl(b"", header(), b"  \t", row(1), b"\r", b""))
    assert len(messages(conversation)) == 1
    assert problems(conversation) == []


def test_lines_have_the_numbers_of_the_file() -> None:
    """A message's line is its line in the file, blank ones counted, CRLF or LF."""
    data = jsonl(header(), b"", row(1), row(2)).replace(b"\n", b"\r\n")
    assert [message.line for message in messages(the_one(data))] == [3, 4]


def test_a_line_over_the_limit_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is too long to be read is a problem, and the rest is read."""
    monkeypatch.setattr(Input.lines, "__defaults__", (300,))
    conversation = the_one(jsonl(row(1), row(2, "ASSISTANT", "x" * 300), row(3, "ASSISTANT")))
    assert [message.id for message in messages(conversation)] == ["1", "3"]
    what = "the line was left out: it is longer than 300 bytes"
    assert problems(conversation) == [Problem("<bytes>", 2, what, left_out=1)]


def test_a_line_of_twenty_megabytes_is_read() -> None:
    """A message of 20 MB is read whole."""
    (message,) = messages(the_one(jsonl(row(1, content="天" * 7_000_000))))
    assert message.text == "天" * 7_000_000


def test_a_cut_gzip_is_read_as_far_as_it_goes() -> None:
    """Of a cut gzip file the whole lines are shown, and the last round names the damage."""
    rows = [row(n, "USER" if n == 1 else "ASSISTANT", f"{n} {hash_like(n)}") for n in range(1, 400)]
    data = gzip.compress(jsonl(*rows), mtime=0)
    (only,) = the_one(data[: len(data) // 2]).rounds
    assert 100 < len(only.messages) < 300
    assert only.problems[-1].what == "the gzip file is cut off here; what follows is missing"
    assert [problem.left_out for problem in only.problems] in ([0], [1, 0])


def hash_like(number: int) -> str:
    """Text that hardly shrinks, so that half of the compressed bytes are about half of the lines."""
    return "".join(f"{number * prime % 1_000_003:x}" for prime in range(7, 900, 13))


def test_bytes_that_are_no_utf_8_are_shown_repaired() -> None:
    """A line with bytes that are no UTF-8 is shown with replacement characters, and named."""
    data = jsonl(row(1, content="caf\xe9 x")).replace("\xe9".encode(), b"\xe9")
    conversation = the_one(data)
    assert messages(conversation)[0].text == "caf� x"
    assert conversation.problems == (Problem("<bytes>", 1, "some bytes are no UTF-8; they are shown as �"),)


def test_many_problems_are_counted_and_not_listed() -> None:
    """A hundred problems of a round are named, the rest is one problem with their number."""
    conversation = the_one(jsonl(row(1), *[b"oops"] * 1000))
    found = problems(conversation)
    assert len(found) == 101
    assert found[-1] == Problem("<bytes>", None, "900 more problems like these", left_out=900)
    assert sum(problem.left_out for problem in found) == 1000


# --- The file as a whole ---------------------------------------------------------------------------------------


def test_a_file_without_messages_is_an_error() -> None:
    """An export without any message is an error at once."""
    with pytest.raises(RendererError, match=r"^<bytes>: there are no messages in it; export the conversation again"):
        read(jsonl(header(), b""))


def test_a_file_without_a_readable_message_says_what_is_wrong() -> None:
    """When no line can be read, the error names the first one and how many there were."""
    with pytest.raises(RendererError) as error:
        read(jsonl(header(), b"oops", b"\0\0"))
    assert error.value.where == "<bytes>:2"
    assert error.value.what == (
        "no messages can be read (2 left out, this is the first): the line was left out: it is no JSON (column 1)"
    )


def test_a_second_header_is_named() -> None:
    """Two exports in one file are shown as one, and it is said."""
    conversation = the_one(jsonl(header(), row(1), header(title="Other"), row(2)))
    assert conversation.title == "Weather"
    assert len(messages(conversation)) == 2
    what = "a second export header: the file seems to hold two exports; shown as one"
    assert problems(conversation) == [Problem("<bytes>", 3, what)]


def test_a_wrong_message_count_is_named() -> None:
    """A header that promises another number of messages is named at the end, with both numbers."""
    conversation = the_one(jsonl(header() | {"messageCount": 5}, row(1), row(2)))
    last = list(conversation.rounds)[-1]
    what = "the header says 5 messages, but 2 could be read"
    expected = Problem("<bytes>", None, what, notice="count_differs", values={"said": 5, "count": 2})
    assert last.problems == (expected,)


@pytest.mark.parametrize("count", [2, None, "5", True, 2.0])
def test_a_right_or_odd_message_count_is_no_problem(count: object) -> None:
    """A count that is right, or that is no number, is not worth a word."""
    assert problems(the_one(jsonl(header() | {"messageCount": count}, row(1), row(2)))) == []


def test_an_id_that_comes_twice_is_named() -> None:
    """Messages with the same id are both shown, and it is said, whatever the order of the ids."""
    conversation = the_one(jsonl(row(5), row(9), row(5), row("x"), row("x"), row(7), row(7), row("9")))
    assert [message.id for message in messages(conversation)] == ["5", "9", "5", "x", "x", "7", "7", "9"]
    what = "a message with an id that another one has; both are shown"
    assert problems(conversation) == [Problem("<bytes>", line, what) for line in (3, 5, 7, 8)]


def test_rising_ids_cost_little_memory() -> None:
    """A hundred thousand rising ids with gaps are remembered in about a megabyte, and each is known again."""
    tracemalloc.start()
    seen = SeenIds()
    assert not any(seen.add(str(number)) for number in range(1000, 100_001_000, 1000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 << 20
    assert [seen.add(id_) for id_ in ("1000", "1500", "50000000", "100000000", "1500")] == [
        True,
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("id_", "expected"),
    [(42, "42"), ("a-1", "a-1"), (42.0, "42"), (None, "line-2"), ("", "line-2"), (True, "line-2"), ([], "line-2")],
)
def test_every_message_has_an_id(id_: object, expected: str) -> None:
    """Ids are kept as text, and a message without one is named by its line."""
    assert messages(the_one(jsonl(header(), row(id_))))[0].id == expected


# --- Messages --------------------------------------------------------------------------------------------------


def test_a_message_has_its_role_time_and_text() -> None:
    """A plain row becomes a plain message."""
    assert first_message() == Message(
        id="1",
        role=Role.USER,
        blocks=(Text("hello"),),
        created_at=datetime(2026, 10, 7, 9, 0, 17, tzinfo=SHANGHAI),
        citations=None,
        role_name="",
        line=1,
    )


@pytest.mark.parametrize(
    ("role", "expected"),
    [("USER", Role.USER), ("Assistant", Role.ASSISTANT), ("tool", Role.TOOL), ("SYSTEM", Role.SYSTEM)],
)
def test_roles_are_compared_without_case(role: str, expected: Role) -> None:
    """A role may be written in any case."""
    assert first_message(role=role).role is expected


def test_an_unknown_role_is_shown_and_named() -> None:
    """A message of a role that we do not know keeps its word and its text, and is named."""
    conversation = the_one(jsonl(row(1), row(2, "Critic\n", "hm")))
    message = messages(conversation)[1]
    assert (message.role, message.role_name, message.text) == (Role.OTHER, "Critic\n", "hm")
    assert problems(conversation) == [Problem("<bytes>", 2, "a role that is not known: Critic�")]


@pytest.mark.parametrize("created_at", [None, "", "yesterday", True, [], "99999-01-01 00:00:00"])
def test_a_time_that_cannot_be_read_is_no_time(created_at: object) -> None:
    """A message without a readable time has none."""
    assert first_message(createdAt=created_at).created_at is None


def test_text_is_kept_exactly() -> None:
    """Line separators, control characters, lone surrogates and noncharacters stay in the text."""
    text = "a\u2028b\u2029c\u0085d\x00e\ufdd0f\r\n  "
    assert blocks(content=text) == (Text(text),)
    line = b'{"id":1,"role":"USER","content":"\\ud83d lone","toolCalls":null}'
    assert messages(the_one(jsonl(line)))[0].blocks == (Text("\ud83d lone"),)


@pytest.mark.parametrize("content", [None, ""])
def test_no_content_is_no_block(content: object) -> None:
    """A message without content has no text."""
    assert blocks(content=content) == ()


@pytest.mark.parametrize(
    "content",
    [
        "[1] says so",
        "[]",
        "[1, 2]",
        '["text"]',
        '[{"text": "no type"}]',
        '[{"type": "text", "text": "x"}, "y"]',
        '[{"type": "bicycle"}]',
        '[{"type": "text", "text": "cut',
        "[link](https://a.example)",
    ],
)
def test_text_that_merely_begins_with_a_bracket_is_text(content: str) -> None:
    """Only an array of known parts is a message with pictures; all else is shown as it stands."""
    assert blocks(content=content) == (Text(content),)


def test_a_message_with_pictures_is_unpacked() -> None:
    """The parts of a multimodal message become blocks, in each of the shapes that rows have had."""
    parts = [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "https://a.example/1.png"}},
        {"type": "image_url", "imageUrl": {"url": "https://a.example/2.png"}},
        {"type": "image_url", "url": "https://a.example/3.png"},
        {"type": "image_url", "image_url": "data:image/png;base64,AAAA"},
        {"type": "text", "text": ""},
        {"type": "text", "text": None},
    ]
    expected = (
        Text("look"),
        Image("https://a.example/1.png"),
        Image("https://a.example/2.png"),
        Image("https://a.example/3.png"),
        Image("data:image/png;base64,AAAA"),
    )
    assert blocks(content=json.dumps(parts)) == expected
    assert blocks(content=parts) == expected


def test_a_picture_that_the_export_left_out_is_named() -> None:
    """Where the export left a picture out, a file without a name says of which kind it was."""
    left_out = "[image data URI omitted: image/png]"
    parts = [{"type": "image_url", "image_url": {"url": left_out}}]
    assert blocks(content=json.dumps(parts)) == (Attachment("", "image/png"),)
    assert blocks(content=None, images=[left_out, "[image data URI omitted]"]) == (
        Attachment("", "image/png"),
        Attachment("", "image/*"),
    )


def test_parts_of_unknown_kinds_are_stubs() -> None:
    """A part that we cannot show is named and keeps its content."""
    audio = '{"type": "input_audio", "data": "x"}'
    assert blocks(content=f"[{audio}]") == (Stub("input_audio", audio),)
    assert blocks(content=[{"type": "bicycle", "wheels": 2}]) == (Stub("bicycle", '{"type": "bicycle", "wheels": 2}'),)
    assert blocks(content=[{"type": "text", "text": 5}]) == (Stub("text", '{"type": "text", "text": 5}'),)
    assert blocks(content=[{"type": "image_url", "image_url": {"url": ""}}]) == (Stub("image", '{"url": ""}'),)
    assert blocks(content=[{"type": "image_url"}]) == (Stub("image", '{"type": "image_url"}'),)


@pytest.mark.parametrize("content", [5, True, {"a": 1}, [1]])
def test_content_of_another_kind_is_a_stub(content: object) -> None:
    """Content that is no text is shown as what it is."""
    assert blocks(content=content) == (Stub("content", json.dumps(content)),)


def test_pictures_beside_the_text_are_shown() -> None:
    """The addresses under `images` become pictures; what is none is named."""
    assert blocks(images=["https://a.example/1.png", {"url": "https://a.example/2.png"}, None, 7]) == (
        Text("hello"),
        Image("https://a.example/1.png"),
        Image("https://a.example/2.png"),
        Stub("image", "7"),
    )
    assert blocks(content="", images="https://a.example/1.png") == (Image("https://a.example/1.png"),)


def test_thinking_is_kept_apart() -> None:
    """Thinking text is a block of its own kind, before the text, even when it is no string."""
    assert blocks(thinkingContent="hm") == (Thinking("hm"), Text("hello"))
    assert blocks(thinkingContent={"a": 1}) == (Thinking('{"a": 1}'), Text("hello"))
    assert blocks(thinkingContent=None) == (Text("hello"),)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/ann/secret/report.pdf", "report.pdf"),
        ("C:\\Users\\ann\\report.pdf", "report.pdf"),
        ("C:report.pdf", "report.pdf"),
        ("\\\\server\\share\\a/b\\报告 1.pdf", "报告 1.pdf"),
        ("report.pdf", "report.pdf"),
        ("/home/ann/folder/", "folder"),
        ("", ""),
        (None, ""),
        (5, ""),
    ],
)
def test_an_attachment_is_named_without_its_path(path: object, name: str) -> None:
    """Of an attachment's path only the name is kept, never where it lay."""
    metadata = {"attachments": [{"mime": "application/pdf", "path": path, "data_uri": None}]}
    assert blocks(metadata=json.dumps(metadata)) == (Text("hello"), Attachment(name, "application/pdf"))


def test_attachments_of_odd_kinds_are_named() -> None:
    """An attachment that is no object is a stub; one without a type has none."""
    metadata = {"attachments": ["/home/ann/x", None, {"path": "a.png"}]}
    assert blocks(metadata=metadata) == (Text("hello"), Stub("attachment"), Attachment("a.png", ""))


# --- Tools -----------------------------------------------------------------------------------------------------


def test_both_shapes_of_tool_calls_are_read() -> None:
    """Calls with `function` and calls with `input` or `arguments` are read alike, with or without an id."""
    calls = [
        {"id": "c1", "type": "function", "function": {"name": "web_search", "arguments": '{"query": "天气"}'}},
        {"id": "c2", "name": "open_web_page", "summary": "reads", "input": {"url": "https://a.example"}},
        {"name": "list", "arguments": '{"path": "."}'},
        {"id": None, "name": "none", "input": None},
        {"id": 7, "function": {"name": "raw", "arguments": "{broken"}},
        {"id": "c5", "function": {"name": "list", "arguments": [1]}},
    ]
    expected = (
        ToolCall("c1", "web_search", {"query": "天气"}),
        ToolCall("c2", "open_web_page", {"url": "https://a.example"}, "reads"),
        ToolCall(None, "list", {"path": "."}),
        ToolCall(None, "none", {}),
        ToolCall("7", "raw", "{broken"),
        ToolCall("c5", "list", "[1]"),
    )
    assert blocks(role="ASSISTANT", content=None, toolCalls=json.dumps(calls)) == expected
    assert blocks(role="ASSISTANT", content=None, toolCalls=calls) == expected


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        (None, ()),
        ("", ()),
        ("[]", ()),
        ("[broken", (Stub("tool call", "[broken"),)),
        ([5, None], (Stub("tool call", "5"), Stub("tool call", ""))),
        ('{"id": "c", "name": "one"}', (ToolCall("c", "one", {}),)),
        ([{}], (ToolCall(None, "", {}),)),
    ],
)
def test_tool_calls_that_cannot_be_read_are_stubs(calls: object, expected: tuple[Block, ...]) -> None:
    """What stands where tool calls should be is never dropped."""
    assert blocks(role="ASSISTANT", content=None, toolCalls=calls) == expected


def test_a_tools_answer_is_the_string_that_the_model_saw() -> None:
    """A TOOL row is a result with the id of its call; its content is not taken apart."""
    text = '[{"type": "text", "text": "x"}]'
    assert blocks(role="TOOL", content=text, toolCallId="c1") == (ToolResult("c1", text),)
    assert blocks(role="TOOL", content=None) == (ToolResult(None, ""),)
    assert blocks(role="TOOL", content={"a": 1}, toolCallId=7) == (ToolResult("7", '{"a": 1}'),)


def test_changed_files_are_read_with_their_diffs() -> None:
    """Changed files keep their counts, and the diff in the way that the row gives it."""
    changes = [
        {"path": "a", "type": "MODIFIED", "linesAdded": 3, "linesDeleted": 0},
        {"path": "b", "type": "MODIFIED", "diffMode": "PATCH", "patchContent": "@@", "patchTruncated": True},
        {"path": "c", "type": "CREATED", "diffMode": "SNAPSHOT", "beforeContent": None, "afterContent": "new"},
        {"path": "d", "type": "DELETED", "diffMode": "UNSUPPORTED", "diffUnavailableReason": "binary"},
        {"path": None, "type": 5, "linesAdded": True, "linesDeleted": "3"},
    ]
    assert blocks(fileChanges=changes) == (
        Text("hello"),
        FileChanges(
            (
                FileChange("a", "MODIFIED", 3, 0),
                FileChange("b", "MODIFIED", patch="@@", patch_truncated=True),
                FileChange("c", "CREATED", after="new"),
                FileChange("d", "DELETED", unavailable="binary"),
                FileChange("", ""),
            )
        ),
    )
    assert blocks(fileChanges=[]) == blocks(fileChanges=None) == (Text("hello"),)
    assert blocks(fileChanges=["x"]) == (Text("hello"), Stub("file change", "x"))


# --- Citations -------------------------------------------------------------------------------------------------


def citations(metadata: object) -> tuple[Citation, ...] | None:
    return first_message(role="ASSISTANT", metadata=metadata).citations


def test_citations_are_read_from_the_metadata() -> None:
    """Given citations keep their numbers, addresses and titles, be the metadata a string or an object."""
    metadata = {
        "citations": [{"n": 2, "url": "https://a.example/x y", "title": "A"}, {"n": 1, "url": "u", "title": ""}]
    }
    expected = (Citation(2, "https://a.example/x y", "A"), Citation(1, "u", ""))
    assert citations(json.dumps(metadata)) == citations(metadata) == expected
    assert citations({"citations": json.dumps(metadata["citations"])}) == expected


def test_bad_citations_are_skipped() -> None:
    """Entries without a number from 1 or an address are skipped, and of equal numbers the first stays."""
    entries = [
        None,
        "x",
        {"n": 0, "url": "u"},
        {"n": -1, "url": "u"},
        {"n": True, "url": "u"},
        {"n": 1.0, "url": "u"},
        {"n": "1", "url": "u"},
        {"n": 3, "url": ""},
        {"n": 3, "url": None},
        {"n": 3, "url": "first", "title": 5},
        {"n": 3, "url": "second", "title": "S"},
    ]
    assert citations({"citations": entries}) == (Citation(3, "first", ""),)


@pytest.mark.parametrize("metadata", [{"citations": []}, '{"citations": []}'])
def test_an_empty_list_is_a_list(metadata: object) -> None:
    """A message that says that it cites nothing is told from one that says nothing."""
    assert citations(metadata) == ()


@pytest.mark.parametrize("metadata", [None, "", "{}", {"citations": None}, {"citations": {}}, {"citations": "x"}])
def test_no_list_is_none(metadata: object) -> None:
    """A message without a list of citations has none, and that is no problem."""
    conversation = the_one(jsonl(row(1, metadata=metadata)))
    assert messages(conversation)[0].citations is None
    assert problems(conversation) == []


@pytest.mark.parametrize("metadata", ["{broken", "text", "[1]", [1], 5, True])
def test_metadata_that_cannot_be_read_is_as_if_absent(metadata: object) -> None:
    """Unreadable metadata costs the citations and not the message, and is named."""
    conversation = the_one(jsonl(row(1, metadata=metadata)))
    assert messages(conversation)[0].citations is None
    what = "the message's metadata cannot be read; it is shown without them"
    assert problems(conversation) == [Problem("<bytes>", 1, what)]


def test_every_encoding_gives_the_same_messages() -> None:
    """A byte order mark, UTF-16, gzip and Windows line ends change nothing in the messages."""
    data = jsonl(header(), row(1, content="天气 🌤"), row(2, "ASSISTANT", "晴"))
    plain = messages(the_one(data))
    assert [message.text for message in plain] == ["天气 🌤", "晴"]
    text = data.decode()
    for other in (b"\xef\xbb\xbf" + data, text.encode("utf-16"), gzip.compress(data), data.replace(b"\n", b"\r\n")):
        assert messages(the_one(other)) == plain


def test_a_line_may_be_the_whole_file() -> None:
    """A single row without a line end is a conversation."""
    assert [message.id for message in messages(the_one(encoded(row(3))))] == ["3"]
