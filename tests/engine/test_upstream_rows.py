"""A share snapshot as rows of the upstream exporter, so that what went through us opens upstream."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from renderer import Conversation, read, render_page
from renderer.model import Attachment, Text
from renderer.readers import reader_of
from renderer.readers._input import Input
from tests.engine.making import citations_of, decoded, metadata_of
from tests.pages.making import A, B, Row, answer, entry, hit, page_of, question, search
from tests.readers.making import encoded, messages
from tests.readers.making import page as share
from tests.writers.running import Citepage

FIELDS = ["id", "role", "content", "toolCallId", "toolCalls", "metadata", "tokenCount", "modelId", "createdAt"]
HEADER_FIELDS = ["type", "schemaVersion", "session", "exportedAt", "messageCount", "userRoundCount", "fileChanges"]
SESSION_FIELDS = [
    "id",
    "title",
    "sessionType",
    "parentSessionId",
    "agentName",
    "executionMode",
    "workspace",
    "createdAt",
]
CHANGE_FIELDS = ["path", "type", "linesAdded", "linesDeleted"]

PNG = "data:image/png;base64,iVBORw0KGgo="
OMITTED = "[image data URI omitted: image/png]"


def row_of(id_: int, role: str, content: object, **more: object) -> Row:
    """A message as a share has it: with thinking and an update time, without a model."""
    keys = {"toolCallId": None, "toolCalls": None, "metadata": None, "tokenCount": None, "createdAt": None}
    return {"id": id_, "role": role, "content": content, "thinkingContent": None, "updatedAt": "x", **keys, **more}


def cite_share(citepage: Citepage, *rows: object, **more: object) -> tuple[Row, list[Row], bytes]:
    """The header and the message rows that `cite` makes of a share with these messages, and its output as it is."""
    run = citepage("cite", "-", stdin=encoded(share(*rows, **more)))
    assert (run.code, run.err) == (0, "")
    head, *lines = decoded(run.out)
    return head, lines, run.out


# --- The shape of lines ----------------------------------------------------------------------------------------


def test_the_header_is_the_exporters(citepage: Citepage) -> None:
    """The first line has the exporter's keys in their order, with null for what a share does not tell."""
    session = {"id": 11, "title": "雨", "agentName": "Agent", "ownerName": "Ann", "createdAt": "2026-10-07T09:00:00"}
    rows = [question(1), *search(2, A), answer(4, "a[^1^]"), question(5), answer(6, "b")]
    head, lines, _ = cite_share(citepage, *rows, session={**session, "sessionType": "MAIN"})
    assert list(head) == HEADER_FIELDS
    assert list(head["session"]) == SESSION_FIELDS
    assert (head["type"], head["schemaVersion"], head["messageCount"], head["userRoundCount"]) == (
        "session_export",
        1,
        6,
        2,
    )
    assert head["session"] == {
        "id": 11,
        "title": "雨",
        "sessionType": "MAIN",
        "parentSessionId": None,
        "agentName": "Agent",
        "executionMode": None,
        "workspace": None,
        "createdAt": "2026-10-07T09:00:00",
    }
    assert head["fileChanges"] == []
    assert len(lines) == 6


def test_a_row_has_the_exporters_fields_in_their_order(citepage: Citepage) -> None:
    """Every row has the nine keys in the exporter's order, with null where there is nothing, and no other key."""
    rows = [
        {"content": "q", "id": 1, "role": "user"},
        row_of(2, "ASSISTANT", "a", modelId=None, tokenCount=7, createdAt="2026-10-07T09:00:17"),
        row_of(3, "Tool", None, toolCallId="c1", images=[]),
    ]
    _, lines, _ = cite_share(citepage, *rows)
    assert [list(line) for line in lines] == [FIELDS] * 3
    assert lines[0] == {**dict.fromkeys(FIELDS), "id": 1, "role": "USER", "content": "q"}
    assert lines[1] == {
        **dict.fromkeys(FIELDS),
        "id": 2,
        "role": "ASSISTANT",
        "content": "a",
        "tokenCount": 7,
        "createdAt": "2026-10-07T09:00:17",
    }
    assert lines[2] == {**dict.fromkeys(FIELDS), "id": 3, "role": "TOOL", "toolCallId": "c1"}


def test_a_line_is_compact_utf_8(citepage: Citepage) -> None:
    """Lines are as JavaScript writes JSON: no blanks, no escapes for what UTF-8 can hold, a line feed after each."""
    _, _, out = cite_share(citepage, row_of(1, "USER", "雨 é"))
    assert out.endswith(b'"createdAt":null}\n')
    assert '{"id":1,"role":"USER","content":"雨 é","toolCallId":null,'.encode() in out
    assert out.count(b"\n") == 2


def test_a_lone_surrogate_is_an_escape(citepage: Citepage) -> None:
    """What UTF-8 cannot hold stays as the escape that it was."""
    data = encoded(share(row_of(1, "USER", "a@b"))).replace(b"@", rb"\ud800")
    run = citepage("cite", "-", stdin=data)
    assert rb'"content":"a\ud800b"' in run.out
    assert [line.get("content") for line in decoded(run.out)] == [None, "a\ud800b"]


def test_rows_stand_in_the_order_of_their_ids(citepage: Citepage) -> None:
    """Messages ascend by id and each id is there once, as in an export."""
    rows = [answer(4, "b"), question(1), question(3), answer(2, "a"), answer(4, "double")]
    _, lines, _ = cite_share(citepage, *rows)
    assert [(line["id"], line["content"]) for line in lines] == [
        (1, "Is it raining?"),
        (2, "a"),
        (3, "Is it raining?"),
        (4, "b"),
    ]


# --- What is inside --------------------------------------------------------------------------------------------


def test_thinking_is_never_exported(citepage: Citepage) -> None:
    """Neither the thinking nor anything else that only a share has goes into a row."""
    _, _, out = cite_share(citepage, row_of(1, "ASSISTANT", "a", thinkingContent="SECRET", viewCount="SECRET"))
    assert b"SECRET" not in out
    assert b"thinking" not in out


def test_lists_and_objects_are_strings_of_json(citepage: Citepage) -> None:
    """Calls and metadata are strings that hold JSON; those that are strings already stay as they are."""
    calls = [{"id": "c1", "name": "web_search", "input": {"query": "雨"}}]
    odd = '[ {"id":"c1", "name":"x"} ]'
    _, lines, _ = cite_share(
        citepage,
        row_of(1, "ASSISTANT", None, toolCalls=calls, metadata={"approvalMark": 1}),
        row_of(2, "ASSISTANT", None, toolCalls=odd, metadata='{ "approvalMark": 1.50 }'),
        row_of(3, "ASSISTANT", None, toolCalls="", metadata=""),
    )
    assert json.loads(lines[0]["toolCalls"]) == calls
    assert json.loads(lines[0]["metadata"]) == {"approvalMark": 1}
    assert (lines[1]["toolCalls"], lines[1]["metadata"]) == (odd, '{ "approvalMark": 1.50 }')
    assert (lines[2]["toolCalls"], lines[2]["metadata"]) == ("", "")


def test_metadata_that_cannot_be_read_stay(citepage: Citepage) -> None:
    """Metadata that hold no object go through as they are, with a warning."""
    run = citepage("cite", "-", stdin=encoded(share(row_of(1, "ASSISTANT", "a", metadata="approved"))))
    assert [line.get("metadata") for line in decoded(run.out)] == [None, "approved"]
    assert (run.code, len(run.lines)) == (0, 1)


def test_pictures_become_parts(citepage: Citepage) -> None:
    """The pictures of a share stand in the content, as the string of parts that the exporter writes."""
    _, lines, _ = cite_share(
        citepage,
        row_of(1, "USER", "look", images=["https://i.example/a.png", {"url": "https://i.example/b.png"}]),
        row_of(2, "USER", "", images=["https://i.example/a.png"]),
        row_of(3, "USER", "none", images=[None, "", {}]),
    )
    assert json.loads(lines[0]["content"]) == [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "https://i.example/a.png"}},
        {"type": "image_url", "image_url": {"url": "https://i.example/b.png"}},
    ]
    assert json.loads(lines[1]["content"]) == [{"type": "image_url", "image_url": {"url": "https://i.example/a.png"}}]
    assert lines[2]["content"] == "none"


def test_the_bytes_of_pictures_are_left_out(citepage: Citepage) -> None:
    """A picture that stands in the snapshot itself is replaced by the exporter's words, in content and attachments."""
    parts = json.dumps([{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": PNG}}])
    picture = {"mime": "image/png", "path": "/w/a.png", "data_uri": PNG}
    attached = {"attachments": [picture], "approvalMark": 1}
    _, lines, out = cite_share(
        citepage,
        row_of(1, "USER", "look", images=[PNG, {"url": "data:image/svg+xml;base64,PHN2Zz4="}]),
        row_of(2, "USER", parts),
        row_of(3, "TOOL", "x", metadata=attached),
        row_of(4, "TOOL", "x", metadata=json.dumps(attached)),
    )
    assert [part["image_url"]["url"] for part in json.loads(lines[0]["content"])[1:]] == [
        OMITTED,
        "[image data URI omitted: image/svg+xml]",
    ]
    assert json.loads(lines[1]["content"])[1]["image_url"]["url"] == OMITTED
    for line in lines[2:]:
        assert metadata_of(line) == {**attached, "attachments": [{**picture, "data_uri": OMITTED}]}
    assert b"base64" not in out


def test_a_picture_inside_a_text_is_left_out_too(citepage: Citepage) -> None:
    """The exporter replaces an inline picture wherever it stands in the content, and so do we."""
    _, lines, _ = cite_share(citepage, row_of(1, "ASSISTANT", f"See ![rain]({PNG}) here."))
    assert lines[0]["content"] == f"See ![rain]({OMITTED}) here."


def test_citations_stay_whole(citepage: Citepage) -> None:
    """No address and no title of a citation is taken for a picture's bytes."""
    rows = [question(1), *search(2, hit(A, PNG)), answer(4, "x[^1^]")]
    _, lines, _ = cite_share(citepage, *rows)
    assert citations_of(lines) == {4: [entry(1, A, PNG)]}
    own = [entry(1, "https://i.example/", PNG)]
    metadata = {"citations": own, "attachments": [{"data_uri": PNG}]}
    _, lines, _ = cite_share(citepage, question(1), row_of(2, "ASSISTANT", "x[^1^]", metadata=metadata))
    assert metadata_of(lines[1]) == {"citations": own, "attachments": [{"data_uri": OMITTED}]}


def test_changed_files_have_no_diffs(citepage: Citepage) -> None:
    """A row names its changed files with four keys, and the header adds them up by path."""
    diff = {"diffMode": "PATCH", "patchContent": "SECRET", "beforeContent": "SECRET", "patchTruncated": False}
    _, _, out = cite_share(citepage, row_of(1, "USER", "q", fileChanges=[]))
    assert out.count(b"fileChanges") == 1
    head, lines, out = cite_share(
        citepage,
        row_of(1, "USER", "q"),
        row_of(
            2,
            "ASSISTANT",
            "a",
            fileChanges=[
                {"path": "a.py", "type": "CREATED", "linesAdded": 3, "linesDeleted": 0, **diff},
                {"type": "MODIFIED", "path": "b.py"},
            ],
        ),
        row_of(
            3, "ASSISTANT", "b", fileChanges=[{"path": "a.py", "type": "DELETED", "linesAdded": 1, "linesDeleted": 4}]
        ),
    )
    assert b"SECRET" not in out
    assert [list(change) for change in lines[1]["fileChanges"]] == [CHANGE_FIELDS] * 2
    assert list(lines[1]) == [*FIELDS, "fileChanges"]
    assert head["fileChanges"] == [
        {"path": "a.py", "type": "DELETED", "linesAdded": 4, "linesDeleted": 4},
        {"path": "b.py", "type": "MODIFIED", "linesAdded": None, "linesDeleted": None},
    ]


# --- There and back --------------------------------------------------------------------------------------------

WHOLE = share(
    question(1, "雨?", images=["https://i.example/a.png"]),
    *search(2, hit(A, "甲", "snippet"), hit(B, "乙")),
    answer(4, "下雨[^2^]。放晴[^9^]。", createdAt="2026-10-07T09:00:59"),
    question(5),
    answer(6, "b[^1^]", fileChanges=[{"path": "a.py", "type": "MODIFIED", "linesAdded": 1, "linesDeleted": 2}]),
    session={"id": 11, "title": "天气", "agentName": "Agent", "ownerName": "Ann", "createdAt": "2026-10-07T08:00:00"},
)


def said(conversation: Conversation) -> list[Any]:
    """What the messages of a conversation say, when, and what they bring."""
    return [(message.id, message.role, message.created_at, message.blocks) for message in messages(conversation)]


@pytest.mark.parametrize("data", [encoded(WHOLE), encoded({"code": 0, "data": WHOLE})], ids=["bare", "envelope"])
def test_a_share_opens_again_as_an_export(citepage: Citepage, data: bytes) -> None:
    """What comes out is read as an export and says what the share said, message by message."""
    run = citepage("cite", "-", stdin=data)
    with Input(run.out) as source:
        assert reader_of(source).name == "upstream-jsonl"
    (before,), (after,) = read(data), read(run.out)
    assert said(after) == said(before)
    assert (after.id, after.title, after.agent, after.created_at) == (
        before.id,
        before.title,
        before.agent,
        before.created_at,
    )
    assert [problem for round_ in after.rounds for problem in round_.problems] == []
    assert citations_of(decoded(run.out)) == {4: [entry(2, B, "乙")]}


def test_a_second_run_over_the_rows_changes_nothing(citepage: Citepage) -> None:
    """The rows made of a share come out of `cite` as they are."""
    made = citepage("cite", "-", stdin=encoded(WHOLE)).out
    again = citepage("cite", "-", stdin=made)
    assert (again.code, again.out, again.err) == (0, made, "")


def test_the_pages_of_share_and_rows_show_the_same_sources(citepage: Citepage) -> None:
    """A page made of the rows shows the answers and sources that a page of the share shows."""
    made = citepage("cite", "-", stdin=encoded(WHOLE)).out
    before, after = page_of(encoded(WHOLE)), page_of(made)
    for id_ in (4, 6):
        assert before.prose(id_) == after.prose(id_)
        assert [str(item) for item in before.sources(id_)] == [str(item) for item in after.sources(id_)]


def test_an_omitted_picture_is_read_as_a_picture(citepage: Citepage) -> None:
    """The words that stand for a picture's bytes are known when the rows are read again."""
    _, _, out = cite_share(citepage, row_of(1, "USER", "look", images=[PNG]))
    (conversation,) = read(out)
    assert messages(conversation)[0].blocks == (Text("look"), Attachment("", "image/png"))
    assert "iVBOR" not in render_page(conversation)


# --- What is not whole -----------------------------------------------------------------------------------------

INCOMPLETE = {
    "a record that is no object": encoded(share(question(1), "junk", answer(2, "a"))),
    "a record without a role": encoded(share(question(1), {"id": 9, "content": "x"}, answer(2, "a"))),
    "a page of a longer share": encoded(share(question(5), answer(6, "a"), hasMore=True, nextBeforeMessageId=5)),
    "bytes that are no UTF-8": encoded(share(question(1, "caf@"))).replace(b"@", b"\xe9"),
}


@pytest.mark.parametrize("data", INCOMPLETE.values(), ids=INCOMPLETE)
def test_what_is_missing_is_said(citepage: Citepage, data: bytes) -> None:
    """Records that are left out, earlier pages that are missing and repaired bytes are warned of, as by `render`."""
    Path("share.json").write_bytes(data)
    assert citepage("render", "share.json", "-o", "-").lines != []
    run = citepage("cite", "share.json")
    assert run.code == 0
    assert [line.startswith("citepage: warning: share.json") for line in run.lines] == [True]
    assert citepage("cite", "share.json", "--strict").code == 1


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b'{"code": 3041, "message": "no such share", "data": null}', id="no such share"),
        pytest.param(encoded(share()), id="no messages"),
        pytest.param(encoded(share("junk")), id="no messages that can be read"),
    ],
)
def test_a_share_with_nothing_in_it_is_an_error(citepage: Citepage, data: bytes) -> None:
    """What `render` refuses for having no message in it is refused here too, in one line."""
    assert citepage("render", "-", "-o", "-", stdin=data).error
    assert citepage("cite", "-", stdin=data).error
