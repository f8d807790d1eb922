"""Retrieval answers are read from JSON and JSON Lines, and what cannot be read is said (`contract.md` §1 and §5)."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from renderer import RendererError, Round, read
from renderer.model import Citation, Conversation, Passage
from tests.pages.making import one, page_of, words
from tests.readers.making import encoded, problems, the_one
from tests.retrieval.making import Record, cited, entries, lines_of, page, saved, shown, source, sources, the_answer
from tests.writers.running import Citepage

ONE = cited("It rains[1].", source(1), question="Will it rain?")
TWO = cited("It snows[1].", source(1, "It snows on the hill."), question="And tomorrow?")


def rounds(conversation: Conversation) -> list[tuple[str, str]]:
    """The question and the answer of each round."""
    return [_asked_and_said(round_) for round_ in conversation.rounds]


def _asked_and_said(round_: Round) -> tuple[str, str]:
    (message,) = round_.messages
    return round_.question.text if round_.question else "", message.text


def citations(data: bytes) -> tuple[Citation, ...]:
    """The citations of the one answer in `data`."""
    (round_,) = the_one(data).rounds
    (message,) = round_.messages
    return message.citations or ()


def citation(**keys: object) -> Citation:
    """What the reader makes of one entry with these keys, which has an id."""
    (found,) = citations(encoded(cited("It rains[1].", {"id": 1, **keys}, question="q")))
    return found


def stored(**keys: object) -> Passage:
    """The passage that the reader makes of one entry with these keys."""
    found = citation(**keys).passage
    assert found is not None
    return found


def warnings(data: bytes) -> list[str]:
    """All that is wrong, as it would be said."""
    return [str(problem) for problem in problems(the_one(data))]


# --- One answer and many ---------------------------------------------------------------------------------------

BOTH = [("Will it rain?", "It rains[1]."), ("And tomorrow?", "It snows[1].")]


@pytest.mark.parametrize(
    "data",
    [
        encoded([ONE, TWO]),
        json.dumps([ONE, TWO], indent=2).encode(),
        lines_of(ONE, TWO),
        lines_of(ONE, b"", b"  ", TWO, b""),
        lines_of(ONE, TWO).replace(b"\n", b"\r\n"),
        lines_of(ONE, TWO).rstrip(b"\n"),
        b"\xef\xbb\xbf" + lines_of(ONE, TWO),
        b"\xef\xbb\xbf" + encoded([ONE, TWO]),
        lines_of(ONE, TWO).decode().encode("utf-16"),
        gzip.compress(lines_of(ONE, TWO), mtime=0),
        gzip.compress(encoded([ONE, TWO]), mtime=0),
    ],
)
def test_answers_come_as_json_or_one_a_line(data: bytes) -> None:
    """A list and lines give the same rounds in the same order, whatever the bytes around them."""
    assert the_one(data).origin.format == "rag-answer"
    assert rounds(the_one(data)) == BOTH
    assert warnings(data) == []


def test_one_object_is_one_round() -> None:
    """A single answer, on one line or on many, is a conversation of one round."""
    assert rounds(the_one(encoded(ONE))) == BOTH[:1]
    assert rounds(the_one(json.dumps(ONE, indent=4, ensure_ascii=False).encode())) == BOTH[:1]


def test_the_rounds_can_be_read_again() -> None:
    """Iterating twice gives the same rounds twice, of lines as of a list."""
    for data in (lines_of(ONE, TWO), encoded([ONE, TWO])):
        conversation = the_one(data)
        assert list(conversation.rounds) == list(conversation.rounds)


def test_a_question_is_optional() -> None:
    """An answer without a question is shown without one, and nothing is put in its place."""
    made = page(cited("It rains[1].", source(1)))
    assert made.all("h2.question") == []
    assert shown(made) == "It rains⟨1⟩."
    assert "Will it rain?" in words(page(ONE).one("h2.question"))


def test_citations_are_optional_with_a_question() -> None:
    """A question and an answer without `citations` are a retrieval answer: without sources a number is text."""
    made = page({"question": "Will it rain?", "answer": "It rains[1]."})
    assert words(one(the_answer(made), ".prose")) == "It rains[1]."
    assert entries(made) == []


@pytest.mark.parametrize(
    ("given", "moment"),
    [
        ("2026-11-30T08:05:00Z", datetime(2026, 11, 30, 8, 5, tzinfo=UTC)),
        ("2026-11-30T08:05:00+08:00", datetime(2026, 11, 30, 0, 5, tzinfo=UTC)),
        ("2026-11-30 08:05:00", datetime(2026, 11, 30, 8, 5, tzinfo=UTC)),
        ("2026-11-30T08:05", datetime(2026, 11, 30, 8, 5, tzinfo=UTC)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (86_400, datetime(1970, 1, 2, tzinfo=UTC)),
        ("yesterday", None),
        ("2026-13-30T08:05:00Z", None),
        ("", None),
        (None, None),
        (True, None),
        ([], None),
        (1e300, None),
    ],
)
def test_times_are_read_or_left_out(given: object, moment: datetime | None) -> None:
    """`created_at` and `retrieved_at` are moments, UTC where they have no zone; what is no time is as if absent."""
    (round_,) = the_one(encoded(cited("It rains[1].", source(1, retrieved_at=given), created_at=given))).rounds
    (message,) = round_.messages
    assert message.created_at == moment
    assert message.citations is not None
    assert message.citations[0].passage is not None
    assert message.citations[0].passage.retrieved_at == moment


def test_the_time_of_an_answer_is_on_the_page() -> None:
    """The head says when the conversation was; an answer with `created_at` says it."""
    made = page(cited("It rains[1].", source(1), created_at="2026-11-30T08:05:00Z"))
    assert "30 Nov 2026" in words(made.one(".page-meta"))


# --- Citations -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("id_", "n"), [(1, 1), ("2", 2), (3.0, 3), ("007", 7), (999, 999)])
def test_an_id_is_a_number_or_a_string_of_digits(id_: object, n: int) -> None:
    """Ids come as numbers and as strings."""
    (found,) = citations(encoded(cited("x", source(id_))))
    assert found.n == n


@pytest.mark.parametrize("id_", [0, -1, 1.5, True, None, "", "a", "1a", "1.0", "-1", "１", "٣", [1], {"n": 1}, 10**12])
def test_a_bad_id_costs_its_entry_only(id_: object) -> None:
    """An entry whose id is no number from 1 is passed over with one warning; the others are there."""
    data = encoded(cited("It rains[2].", source(id_), source(2)))
    assert [found.n for found in citations(data)] == [2]
    (warning,) = warnings(data)
    assert warning.startswith("<bytes>: a citation was passed over")


def test_an_entry_without_id_is_passed_over() -> None:
    """Without an id no number can mean it."""
    data = encoded(cited("It rains[1].", {"doc_title": "Doc", "text": "t"}, source(1)))
    assert len(citations(data)) == 1
    assert len(warnings(data)) == 1


@pytest.mark.parametrize("first", [1, "1"])
def test_the_first_of_double_ids_wins(first: object) -> None:
    """The first entry of an id is the one, and each further one is said."""
    data = encoded(cited("x[1]", source(first, title="First"), source(1, title="Second"), source("1", title="Third")))
    assert [found.title for found in citations(data)] == ["First"]
    assert len(warnings(data)) == 2


@pytest.mark.parametrize("wrong", [1, "x", None, [], [source(2)], True])
def test_an_entry_of_another_shape_is_passed_over(wrong: object) -> None:
    """What is no object is passed over with one warning."""
    data = encoded(cited("It rains[1].", wrong, source(1)))
    assert [found.n for found in citations(data)] == [1]
    assert len(warnings(data)) == 1


@pytest.mark.parametrize("wrong", [{"1": source(1)}, "none", 5, True])
def test_citations_of_another_shape_are_said(wrong: object) -> None:
    """`citations` that are no list are as if absent, and a warning says so: nothing is dropped in silence."""
    data = encoded({"question": "Will it rain?", "answer": "It rains[1].", "citations": wrong})
    assert words(one(the_answer(page_of(data)), ".prose")) == "It rains[1]."
    assert len(warnings(data)) == 1


def test_citations_that_are_null_are_none() -> None:
    """null is the usual way to say that there are none, and nothing is wrong."""
    data = encoded({"question": "Will it rain?", "answer": "It rains.", "citations": None})
    assert citations(data) == ()
    assert warnings(data) == []


@pytest.mark.parametrize(
    ("keys", "title"),
    [
        ({"doc_title": "合同.pdf"}, "合同.pdf"),
        ({"source": "合同.pdf"}, "合同.pdf"),
        ({"doc_title": "合同.pdf", "source": "kb"}, "合同.pdf"),
        ({"doc_title": "", "source": "kb"}, "kb"),
        ({"doc_title": 5, "source": "kb"}, "kb"),
        ({"doc_title": None}, ""),
    ],
)
def test_the_title_is_doc_title_or_source(keys: Record, title: str) -> None:
    """Both names of the title are read."""
    assert citation(**keys).title == title


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ({"snippet": "short"}, "short"),
        ({"text": "the whole passage"}, "the whole passage"),
        ({"snippet": "short", "text": "the whole passage"}, "the whole passage"),
        ({"snippet": "short", "text": ""}, "short"),
        ({"snippet": ["a"], "text": 7}, ""),
        ({}, ""),
    ],
)
def test_the_passage_is_text_or_snippet(keys: Record, text: str) -> None:
    """Both names of the passage are read; of two, the whole text is the passage."""
    assert stored(**keys).text == text


@pytest.mark.parametrize(("given", "page_number"), [(7, 7), ("7", 7), (7.0, 7), (1, 1), ("012", 12)])
def test_a_page_is_a_number_or_a_string_of_digits(given: object, page_number: int) -> None:
    """Pages come as numbers and as strings."""
    assert stored(page=given).page == page_number


@pytest.mark.parametrize("given", [0, -3, "0", "-3", 7.5, True, None, "", [], {"p": 7}, "７"])
def test_what_is_no_page_is_none(given: object) -> None:
    """Pages count from 1: anything else names no page, and none is shown."""
    assert stored(page=given).page is None
    made = page(cited("It rains[1].", source(1, page=given)))
    assert made.all(".source-place") == []


@pytest.mark.parametrize("given", [0, "0", 7.5, True, [], {"p": 7}, "７", "page " * 9])
def test_a_page_that_is_none_is_said(given: object) -> None:
    """What names no page is not dropped in silence: one warning has the entry and what it gives."""
    data = encoded(cited("It rains[3].", source(3, page=given)))
    (warning,) = warnings(data)
    assert warning.startswith("<bytes>: citation 3 is shown without a page: ")
    assert stored(page=given).pages == ""


@pytest.mark.parametrize(
    ("given", "first", "place"),
    [
        ("7-8", 7, "P7-8"),
        (" 7–8 ", 7, "P7–8"),
        ("7, 9", 7, "P7, 9"),
        ("P7", 7, "P7"),
        ("p. 7", 7, "p. 7"),
        ("pp. 7-8", 7, "pp. 7-8"),
        ("第7页", 7, "第7页"),
        ("7a", 7, "P7a"),
        ("xii", None, "xii"),
        ("A-12", None, "A-12"),
        (7, 7, "P7"),
        (" 7 ", 7, "P7"),
    ],
)
def test_pages_are_shown_as_the_file_writes_them(given: object, first: int | None, place: str) -> None:
    """A span of pages or a page with its word is shown as it is given, and its first page is known."""
    data = encoded(cited("It rains[1].", source(1, page=given, section="3.2 Rain")))
    assert stored(page=given).page == first
    assert warnings(data) == []
    assert words(page_of(data).one(".source-place")) == f"{place} · 3.2 Rain"


def test_pages_are_text() -> None:
    """What a file gives as pages is no markup."""
    made = page(cited("It rains[1].", source(1, page="7-<b>8</b>")))
    assert made.one(".source-place").find("b") is None
    assert words(made.one(".source-place")) == "P7-<b>8</b>"


@pytest.mark.parametrize("given", ["burnt", "deleted", 404, True, ["gone"]])
def test_an_unknown_status_is_said(given: object) -> None:
    """A word that is none of the contract's is named in a warning, and nothing is said on the page."""
    data = lines_of(ONE, cited("It rains[3].", source(3, status=given)))
    (warning,) = warnings(data)
    name = given if isinstance(given, str) else json.dumps(given)
    assert warning == (
        f"<bytes>:2: citation 3 has the status {name}, which is none of ok, gone, forbidden; it was ignored"
    )


@pytest.mark.parametrize("given", ["ok", "gone", "Forbidden", "", None])
def test_a_known_status_is_no_problem(given: object) -> None:
    """The words of the contract, and none, are silent."""
    assert warnings(encoded(cited("It rains[1].", source(1, status=given)))) == []


@pytest.mark.parametrize(
    ("given", "status"),
    [("ok", "ok"), ("gone", "gone"), ("forbidden", "forbidden"), ("GONE", "gone"), ("burnt", ""), (404, ""), ("", "")],
)
def test_a_status_is_one_of_three(given: object, status: str) -> None:
    """What became of the document is one of the words of the contract, or not known."""
    assert stored(status=given).status == status


def test_all_that_an_entry_says_is_read() -> None:
    """Document, place and address go with the passage."""
    found = citation(doc_id="doc_123", section="3.2 违约责任", url="/docs/doc_123?page=7#sec-3.2", text="t", page=7)
    assert found.url == "/docs/doc_123?page=7#sec-3.2"
    assert found.passage == Passage("t", document="doc_123", page=7, section="3.2 违约责任")
    assert stored(doc_id=123).document == "123"


# --- What cannot be read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken",
    [b"{", b'{"answer": "It', b"nope", b"[1]", b"7", b'"text"', b"null", b'{"answer": 5}', b'{"question": "q"}'],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_broken_line_is_one_warning_and_a_notice(
    citepage: Citepage, tmp_path: Path, broken: bytes, place: int
) -> None:
    """A line that is no answer is named by file and line, counted in the page, and costs no other line."""
    lines: list[Any] = [ONE, TWO]
    lines.insert(place, broken)
    file = saved(tmp_path, "answers.jsonl", lines_of(*lines))
    run = citepage("render", "answers.jsonl", "-o", "-")
    (warning,) = run.lines
    assert warning.startswith(f"citepage: warning: answers.jsonl:{place + 1}: ")
    assert run.code == 0
    (notice,) = run.soup.select(".notice")
    assert words(notice).startswith("1 record of this file could not be read")
    assert rounds(the_one(file)) == BOTH
    assert citepage("render", "answers.jsonl", "-o", "-", "--strict").code == 1


def test_each_broken_line_is_counted() -> None:
    """Three lines that cannot be read are three warnings, and the page says three."""
    data = lines_of(b"{", ONE, b"nope", TWO, b"[]")
    assert [warning.split(": ")[0] for warning in warnings(data)] == ["<bytes>:1", "<bytes>:3", "<bytes>:5"]
    notices = [words(notice) for notice in page_of(data).all(".notice")]
    assert sum(int(notice.split()[0]) for notice in notices) == 3


def test_what_is_no_answer_in_a_list_is_left_out() -> None:
    """A list may hold other things: each is one warning, and counted."""
    data = encoded([ONE, 3, {"answer": None}, TWO])
    assert rounds(the_one(data)) == BOTH
    assert len(warnings(data)) == 2
    assert sum(problem.left_out for problem in problems(the_one(data))) == 2


def test_a_line_says_where_its_citations_are_wrong() -> None:
    """A warning about an entry names the line that it stands in."""
    (warning,) = warnings(lines_of(ONE, cited("x[1]", source(0), source(1))))
    assert warning.startswith("<bytes>:2: ")


@pytest.mark.parametrize(
    "data", [b"", b" \n \n", b"[]", b"{}", b"[[]]", b'{"answer": null, "citations": []}', b'{"citations": []}']
)
def test_nothing_to_show_is_an_error(citepage: Citepage, data: bytes) -> None:
    """Without any answer there is one line that says so, and no page."""
    assert citepage("render", "-", "-o", "-", stdin=data).error.startswith("citepage: error: <stdin>: ")
    assert citepage("render", "-", "-o", "-", "--format", "rag-answer", stdin=data).code == 2


def test_several_files_are_an_error(citepage: Citepage, tmp_path: Path) -> None:
    """Answers of two files are no one conversation: one line says what to do instead."""
    saved(tmp_path, "one.json", encoded(ONE))
    saved(tmp_path, "two.json", encoded(TWO))
    assert "one.json" in citepage("render", "one.json", "two.json", "-o", "-").error
    assert list(tmp_path.glob("*.html")) == []


def test_a_damaged_gzip_file_gives_what_can_be_read() -> None:
    """Of a file that is cut off the lines before the damage are shown, and the page says that it is damaged."""
    many = [{**ONE, "answer": f"Answer {n}[1]. {hash_like(n)}"} for n in range(80)]
    whole = gzip.compress(lines_of(*many), mtime=0)
    data = whole[: len(whole) // 2]
    assert 1 < len(rounds(the_one(data))) < 80
    assert any("damaged" in words(notice) for notice in page_of(data, None).all(".notice"))


def hash_like(n: int) -> str:
    """Letters that do not compress well."""
    return "".join(chr(97 + (n * k * 7919 + k) % 26) for k in range(1, 200))


def test_an_unreadable_document_is_one_error() -> None:
    """A list that is cut off holds no answer that can be trusted: one error, at once."""
    with pytest.raises(RendererError) as error:
        read(json.dumps([ONE, TWO], indent=1).encode()[:-20])
    assert "cut off" in str(error.value)


def test_lines_are_read_one_at_a_time(tmp_path: Path) -> None:
    """Reading a file of lines needs the memory of a line, not of the file: `Conversation.rounds` reads as it goes."""
    long = cited("It rains[1]. " * 200, source(1, "word " * 400), question="q")
    file = saved(tmp_path, "many.jsonl", lines_of(*[long] * 2000))
    assert file.stat().st_size > 8_000_000
    tracemalloc.start()
    try:
        assert sum(1 for _ in the_one(file).rounds) == 2000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000


def test_sources_are_listed_by_their_numbers() -> None:
    """Entries stand in ascending order of their ids and are counted 1…K, whatever their order in the file."""
    made = page(cited("b[7] a[3]", source(7), source(3), source(20)))
    assert [(item["data-n"], item["data-k"]) for item in entries(made)] == [("3", "1"), ("7", "2"), ("20", "3")]
    assert words(made.one(".prose")) == "b[2] a[1]"


def test_a_list_may_be_long() -> None:
    """Two thousand sources are read like two."""
    assert len(citations(encoded(cited("x", *sources(2000))))) == 2000
