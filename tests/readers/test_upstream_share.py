"""The upstream share snapshot: pages that are given together are one conversation, and what is missing is said."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from itertools import permutations

import pytest

from renderer.errors import Problem, RendererError
from renderer.model import Conversation, Image, Text, Thinking
from renderer.readers import Input, read_inputs
from renderer.readers.upstream_share import READER
from tests.readers.making import encoded, messages, page, problems, row, the_one

SHANGHAI = timezone(timedelta(hours=8))


def pages(*values: object) -> Conversation:
    """The conversation of pages that are called page-1, page-2 …"""
    inputs = [Input(encoded(value), f"page-{number}") for number, value in enumerate(values, 1)]
    (conversation,) = read_inputs(inputs)
    return conversation


def ids(conversation: Conversation) -> list[str]:
    return [message.id for message in messages(conversation)]


def test_the_session_names_the_conversation() -> None:
    """Title, agent, owner, time and id of the session are those of the conversation."""
    session = {"id": 11, "title": "T", "agentName": "A", "ownerName": "O", "createdAt": "2026-10-07T09:00:00"}
    conversation = the_one(encoded(page(row(1), session=session)))
    assert (conversation.id, conversation.title, conversation.agent, conversation.owner) == ("11", "T", "A", "O")
    assert conversation.created_at == datetime(2026, 10, 7, 9, tzinfo=SHANGHAI)
    assert conversation.time_zone == "Asia/Shanghai"
    assert conversation.problems == ()


@pytest.mark.parametrize("session", [None, [], {}, {"id": None, "title": 7}])
def test_a_session_with_odd_values_says_nothing(session: object) -> None:
    """Session values of the wrong kind are as if absent."""
    conversation = the_one(encoded(page(row(1), session=session)))
    assert (conversation.title, conversation.agent, conversation.owner, conversation.created_at) == ("", "", "", None)
    assert conversation.id == conversation.origin.digest[:12]


def test_the_envelope_changes_nothing() -> None:
    """A page in the envelope of its interface gives the same rounds as the bare page."""
    bare = page(row(1), row(2, "ASSISTANT"))
    for envelope in ({"code": 0, "data": bare}, {"code": 0, "msg": "ok", "data": bare}, {"code": "0", "data": bare}):
        assert list(the_one(encoded(envelope)).rounds) == list(the_one(encoded(bare)).rounds)


@pytest.mark.parametrize("data", [None, {}, page(row(1))])
def test_no_such_share_is_a_clear_error(data: object) -> None:
    """Code 3041 says that the share is gone, whatever else is there."""
    with pytest.raises(RendererError) as error:
        the_one(encoded({"code": 3041, "data": data}))
    assert str(error.value) == (
        "<bytes>: the share service says that there is no such share (code 3041); "
        "check the link: the share may have been withdrawn"
    )


def test_any_other_code_is_a_clear_error() -> None:
    """Another code is told with the service's own words, made fit for one line."""
    with pytest.raises(RendererError) as error:
        the_one(encoded({"code": 500, "message": "try\nlater", "data": None}))
    assert error.value.what == "the share service answered with error code 500 (try�later)"
    with pytest.raises(RendererError, match=r"answered with error code -1; fetch the share again"):
        the_one(encoded({"code": -1, "data": page(row(1))}))


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"[", "it is no share snapshot: its JSON is cut off"),
        (b"{}", "it is no share snapshot"),
        (b"5", "it is no share snapshot"),
    ],
)
def test_the_reader_alone_refuses_what_is_no_share(data: bytes, what: str) -> None:
    """The reader, asked without recognition, answers with a clear error as well."""
    with pytest.raises(RendererError) as error:
        READER.read([Input(data)])
    assert error.value.what == what


def test_messages_are_like_those_of_an_export() -> None:
    """Pictures and thinking text of a share's message become blocks; the view count is nowhere."""
    message = row(1, images=["https://a.example/1.png"], thinkingContent="hm", updatedAt=None)
    (found,) = messages(the_one(encoded(page(message))))
    assert found.blocks == (Thinking("hm"), Text("hello"), Image("https://a.example/1.png"))
    assert found.line is None
    assert found.created_at == datetime(2026, 10, 7, 9, 0, 17, tzinfo=SHANGHAI)


def test_messages_are_sorted_and_doubles_dropped() -> None:
    """Messages are sorted by id as numbers, and one that comes twice is shown once, without a word."""
    conversation = the_one(encoded(page(row(10), row("9"), row(2), row(10), row(2.0), row("10"))))
    assert ids(conversation) == ["2", "9", "10"]
    assert problems(conversation) == []


def test_messages_without_a_number_keep_their_place() -> None:
    """A message without a number stays behind the one before it; without any id it is named by its row."""
    conversation = the_one(encoded(page(row(5), row(None), row("abc"), row(7), row(True))))
    assert ids(conversation) == ["5", "row-2", "abc", "7", "row-5"]


def test_rounds_can_be_iterated_again() -> None:
    """Two iterations give equal rounds."""
    conversation = the_one(encoded(page(row(1), row(2, "ASSISTANT"), 5, row(3))))
    assert list(conversation.rounds) == list(conversation.rounds)
    assert [r.index for r in conversation.rounds] == [1, 2]


def test_a_record_that_is_no_message_is_named() -> None:
    """What is no message is left out, and the round in which it stood says so."""
    first, second = the_one(encoded(page(row(1), 5, row(2), row(3, None)))).rounds
    assert first.problems == (Problem("<bytes>", None, "a record was left out: it is no JSON object", left_out=1),)
    assert second.problems == (Problem("<bytes>", None, "a record was left out: it has no role", left_out=1),)


@pytest.mark.parametrize("rows", [[], None, {}, "x", [5], [None]])
def test_a_share_without_messages_is_an_error(rows: object) -> None:
    """A share in which there is no message is an error at once."""
    with pytest.raises(RendererError, match="no messages"):
        the_one(encoded(page() | {"messages": rows}))


def test_bytes_that_are_no_utf_8_are_named() -> None:
    """A share with bytes that are no UTF-8 is shown with replacement characters, and that is said once."""
    data = encoded(page(row(1, content="caf\xe9"))).replace("\xe9".encode(), b"\xe9")
    conversation = the_one(data)
    assert messages(conversation)[0].text == "caf�"
    assert problems(conversation) == [Problem("<bytes>", None, "some bytes are no UTF-8; they are shown as �")]


# --- Pages -----------------------------------------------------------------------------------------------------

NEWEST = page(row(7), row(8, "ASSISTANT"), hasMore=True, nextBeforeMessageId=7)
MIDDLE = {"code": 0, "data": page(row(4), row(5, "ASSISTANT"), row(6), hasMore=True, nextBeforeMessageId=4)}
OLDEST = page(row(1), row(2, "ASSISTANT"), row(3))


def test_pages_are_joined_in_any_order() -> None:
    """The pages of a share are one conversation, whatever order they are given in."""
    conversations = [pages(*order) for order in permutations((NEWEST, MIDDLE, OLDEST))]
    for conversation in conversations:
        assert ids(conversation) == ["1", "2", "3", "4", "5", "6", "7", "8"]
        assert problems(conversation) == []
    assert len({conversation.origin.digest for conversation in conversations}) == 1


def test_the_digest_of_pages_is_made_of_theirs() -> None:
    """The digest of one page is its own; of several, the SHA-256 of their sorted digests, one a line."""
    one = b'{"hasMore":false,"messages":[{"id":1,"role":"USER","content":"q"}]}'
    two = b'{"hasMore":false,"messages":[{"id":2,"role":"USER","content":"q"}]}'
    (conversation,) = read_inputs([Input(one, "a"), Input(two, "b")])
    assert conversation.origin.names == ("a", "b")
    assert conversation.origin.digest == "23f2d1c818f3d35e4c83114284bf25a5a4dad1713dc4cce6be0493ddb3913048"


def test_one_page_of_many_says_that_it_begins_late() -> None:
    """A page with older ones before it says so, and before which message."""
    conversation = pages(MIDDLE)
    expected = Problem(
        "page-1", None, "earlier messages of this share are missing (before message 4)", notice="earlier_missing"
    )
    assert conversation.problems == (expected,)


def test_without_the_id_the_first_message_is_named() -> None:
    """A page that does not say where the older ones end is named by its own first message."""
    conversation = pages(page(row(9), hasMore=True))
    assert [p.what for p in conversation.problems] == ["earlier messages of this share are missing (before message 9)"]


def test_the_oldest_of_several_pages_says_that_they_begin_late() -> None:
    """When the oldest page is not the first of the share, that is said once."""
    conversation = pages(NEWEST, MIDDLE)
    expected = Problem(
        "page-2", None, "earlier messages of this share are missing (before message 4)", notice="earlier_missing"
    )
    assert problems(conversation) == [expected]


def test_a_page_that_is_missing_in_between_is_named_where_it_is_missing() -> None:
    """Between two pages that do not meet, the round before the gap says what may be missing."""
    conversation = pages(NEWEST, OLDEST)
    gap = Problem("page-1", None, "messages between 3 and 7 may be missing", notice="maybe_missing")
    assert [r.problems for r in conversation.rounds] == [(), (gap,), ()]


def test_pages_that_overlap_have_no_gap() -> None:
    """Pages that share messages are joined without a word."""
    overlapping = page(row(3), row(4), row(5, "ASSISTANT"), row(6), row(7), hasMore=True, nextBeforeMessageId=3)
    conversation = pages(NEWEST, overlapping, OLDEST)
    assert ids(conversation) == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert problems(conversation) == []


def test_the_same_page_twice_is_one_page() -> None:
    """A page that is given twice changes nothing."""
    conversation = pages(OLDEST, OLDEST)
    assert ids(conversation) == ["1", "2", "3"]
    assert problems(conversation) == []


def test_an_empty_page_is_no_harm() -> None:
    """A page without messages among others is passed over."""
    conversation = pages(OLDEST, page(), MIDDLE)
    assert ids(conversation) == ["1", "2", "3", "4", "5", "6"]
    assert problems(conversation) == []


def test_pages_of_two_shares_are_an_error() -> None:
    """Pages whose sessions differ are not mixed."""
    other = page(row(1), session={"id": 12})
    with pytest.raises(RendererError) as error:
        pages(NEWEST, other)
    assert error.value.what in (
        "a page of another share: session 12, but page-1 has session 11",
        "a page of another share: session 11, but page-2 has session 12",
    )


def test_a_page_without_a_session_may_be_of_any_share() -> None:
    """A page that does not say of which session it is is taken for one of the others'."""
    assert pages(page(row(1), session=None), page(row(2))).title == "Weather"
