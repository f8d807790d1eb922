"""`metadata.citations` built anew, and not one other byte changed (first design, §2.1, §5.2 and §8; contract §6)."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from renderer import cite_rows, read
from tests.engine.making import (
    CALL,
    CITED_1,
    CITED_1_2,
    CITED_2,
    FOUND,
    HEADER,
    LIST_1,
    QUESTION,
    answer_line,
    asked,
    citations_of,
    cited,
    decoded,
    export,
    metadata_of,
)
from tests.pages.making import A, B, C, answer, call, entry, hit, open_page_rows, question, result, search
from tests.readers.making import header, jsonl
from tests.writers.running import Citepage, start

RAINS = b'"It rains.[^1^]"'
DRY = b'"It is dry."'
ODD = rb' { "id" : 4.0 , "role":"assistant", "content" : "caf\u00e9 \/[^1^]" , "e": 1E+2, "e": -0.0 , "metadata" : '

# --- Rows that change ------------------------------------------------------------------------------------------

CHANGED = {
    "metadata absent": (answer_line(RAINS), answer_line(RAINS, CITED_1)),
    "metadata null": (answer_line(RAINS, b"null"), answer_line(RAINS, CITED_1)),
    "metadata an empty string": (answer_line(RAINS, b'""'), answer_line(RAINS, CITED_1)),
    "metadata the word null": (answer_line(RAINS, b'"null"'), answer_line(RAINS, CITED_1)),
    "metadata an empty object in a string": (answer_line(RAINS, b'"{}"'), answer_line(RAINS, CITED_1)),
    "metadata an empty object": (answer_line(RAINS, b"{}"), answer_line(RAINS, b'{"citations":' + LIST_1 + b"}")),
    "two cited, one without title": (answer_line(b'"a[^2^]b[^1^]"'), answer_line(b'"a[^2^]b[^1^]"', CITED_1_2)),
    "the same one cited twice": (answer_line(b'"a[^1^]b[^1^]"'), answer_line(b'"a[^1^]b[^1^]"', CITED_1)),
    "some out of range": (answer_line(b'"[^0^]a[^2^]b[^4^]"'), answer_line(b'"[^0^]a[^2^]b[^4^]"', CITED_2)),
    "an address that is not of the web": (answer_line(b'"a[^3^]b[^2^]"'), answer_line(b'"a[^3^]b[^2^]"', CITED_2)),
    "one of two in code": (answer_line(b'"`[^1^]` b[^2^]"'), answer_line(b'"`[^1^]` b[^2^]"', CITED_2)),
    "leading zeros": (answer_line(b'"a[^002^]"'), answer_line(b'"a[^002^]"', CITED_2)),
    "other keys of a string stay to the letter": (
        answer_line(RAINS, rb'"{ \"approvalMark\" : 1.50, \"x\":\"\\u00e9\" }"'),
        answer_line(
            RAINS,
            rb'"{ \"approvalMark\" : 1.50, \"x\":\"\\u00e9\",'
            rb"\"citations\":[{\"n\":1,\"url\":\"https://a.example/1\",\"title\":\"One\"}] }" + b'"',
        ),
    ),
    "other keys of an object stay to the letter": (
        answer_line(RAINS, rb'{ "cost" : 1.50 , "x" : "\u00e9\/" , "big" : 123456789012345678901234567890 }'),
        answer_line(
            RAINS,
            rb'{ "cost" : 1.50 , "x" : "\u00e9\/" , "big" : 123456789012345678901234567890,"citations":'
            + LIST_1
            + b" }",
        ),
    ),
    "a wrong list is replaced where it stands": (
        answer_line(RAINS, b'{"a":1,"citations":[{"n":1,"url":"https://made.up/","title":""}],"z":2}'),
        answer_line(RAINS, b'{"a":1,"citations":' + LIST_1 + b',"z":2}'),
    ),
    "a list with an entry too many": (answer_line(RAINS, CITED_1_2), answer_line(RAINS, CITED_1)),
    "a list with a title that no tool gave": (
        answer_line(RAINS, b'{"citations":[{"n":1,"url":"https://a.example/1","title":"Mine"}]}'),
        answer_line(RAINS, b'{"citations":' + LIST_1 + b"}"),
    ),
    "a list that is none": (
        answer_line(RAINS, b'{"citations":"soon"}'),
        answer_line(RAINS, b'{"citations":' + LIST_1 + b"}"),
    ),
    "citations twice: the last one counts": (
        answer_line(RAINS, b'{"citations":[],"a":1,"citations":null}'),
        answer_line(RAINS, b'{"citations":[],"a":1,"citations":' + LIST_1 + b"}"),
    ),
    "metadata twice: the last one counts": (
        answer_line(RAINS, b'{"a":1},"metadata":null'),
        answer_line(RAINS, b'{"a":1},"metadata":' + CITED_1),
    ),
    "a key written with escapes": (
        b'{"id":4,"role":"ASSISTANT","content":"a[^1^]","meta\\u0064ata":null,"z":1}',
        b'{"id":4,"role":"ASSISTANT","content":"a[^1^]","meta\\u0064ata":' + CITED_1 + b',"z":1}',
    ),
    "odd JSON all around": (
        ODD + b'null , "tokenCount":1.50 }  ',
        ODD + CITED_1 + b' , "tokenCount":1.50 }  ',
    ),
    "a text of parts": (
        answer_line(rb'"[{\"type\":\"text\",\"text\":\"a[^1^]\"}]"'),
        answer_line(rb'"[{\"type\":\"text\",\"text\":\"a[^1^]\"}]"', CITED_1),
    ),
    "nothing cited any more, the only key": (answer_line(DRY, CITED_1), answer_line(DRY, b'"{}"')),
    "nothing cited any more, the first key": (
        answer_line(DRY, b'{"citations": [] , "a":1.50}'),
        answer_line(DRY, b'{"a":1.50}'),
    ),
    "nothing cited any more, the last key": (
        answer_line(DRY, b'{"a":1.50, "citations":[{"n":1,"url":"https://a.example/1","title":"One"}]}'),
        answer_line(DRY, b'{"a":1.50}'),
    ),
    "nothing cited any more, a key between": (
        answer_line(DRY, rb'"{\"a\": 1.50, \"citations\": null, \"b\": \"\\u00e9\"}"'),
        answer_line(DRY, rb'"{\"a\": 1.50, \"b\": \"\\u00e9\"}"'),
    ),
    "nothing cited any more, every one of two": (
        answer_line(DRY, b'{"citations":[1],"a":1,"citations":[2]}'),
        answer_line(DRY, b'{"a":1}'),
    ),
}


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_only_the_list_is_changed(before: bytes, after: bytes) -> None:
    """The key `citations` is added, replaced or taken away where it stands, and every other byte stays."""
    assert cited(asked(before)) == (asked(after), [])


@pytest.mark.parametrize("after", [after for _, after in CHANGED.values()], ids=CHANGED)
def test_a_second_run_changes_nothing(after: bytes) -> None:
    """What was cited once comes out of a second run byte for byte."""
    assert cited(asked(after)) == (asked(after), [])


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_rows_are_cited_like_lines(before: bytes, after: bytes) -> None:
    """The library gives for decoded rows what the command writes, and leaves the rows that it was given alone."""
    rows = list(decoded(asked(before)))
    kept = deepcopy(rows)
    made = list(cite_rows(rows))
    expected = list(decoded(asked(after)))
    assert rows == kept
    assert [{**row, "metadata": metadata_of(row)} for row in made] == [
        {**row, "metadata": metadata_of(row)} for row in expected
    ]
    # A string stays a string and an object an object; without metadata it is a string, as upstream.
    assert [type(row.get("metadata")) for row in made] == [type(row.get("metadata")) for row in expected]


def test_other_keys_of_a_string_are_untouched_in_rows_too() -> None:
    """Where a row holds its metadata as a string, numbers and escapes of other keys stay as they were written."""
    (*_, row) = cite_rows(decoded(asked(answer_line(RAINS, rb'"{\"cost\": 1.50, \"x\": \"\\u00e9\"}"'))))
    assert row["metadata"].startswith(r'{"cost": 1.50, "x": "\u00e9"')


# --- Rows that do not ------------------------------------------------------------------------------------------

UNCHANGED = {
    "no marker": answer_line(DRY),
    "no marker, metadata of its own": answer_line(DRY, rb'"{ \"approvalMark\": 1.50 }"'),
    "every marker out of range, metadata null": answer_line(b'"a[^9^]b[^0^]"', b"null"),
    "a number of ten thousand digits": answer_line(b'"a[^' + b"9" * 10_000 + b'^]"'),
    "only an address that is not of the web": answer_line(b'"a[^3^]"'),
    "a marker in a code span": answer_line(b'"`a[^1^]`"'),
    "a marker in a code block": answer_line(rb'"```\na[^1^]\n```"'),
    "half a marker": answer_line(b'"a[^1^ b[^1] c[1]"'),
    "a made-up address without a marker": answer_line(b'"See https://made.up/now"'),
    "cited already": answer_line(RAINS, CITED_1),
    "cited already, written otherwise": answer_line(
        RAINS, rb'"{ \"citations\" : [ {\"title\":\"\\u004fne\", \"n\":1, \"url\":\"https:\\/\\/a.example\\/1\"} ] }"'
    ),
    "cited already, in an object": answer_line(RAINS, b'{"z":0, "citations": ' + LIST_1 + b"}"),
    "an empty text": answer_line(b'"  "', CITED_1),
    "no text": answer_line(b"null", CITED_1),
}


@pytest.mark.parametrize("line", UNCHANGED.values(), ids=UNCHANGED)
def test_a_row_without_a_change_is_the_same_bytes(line: bytes) -> None:
    """Nothing is written where nothing is cited and where the list is right already."""
    assert cited(asked(line)) == (asked(line), [])


@pytest.mark.parametrize("line", UNCHANGED.values(), ids=UNCHANGED)
def test_a_row_without_a_change_is_the_same_object(line: bytes) -> None:
    """The library gives back a row that does not change as it is, not a copy."""
    rows = list(decoded(asked(line)))
    assert all(made is row for made, row in zip(cite_rows(rows), rows, strict=True))


UNREADABLE = {
    "cut off": answer_line(RAINS, rb'"{\"a\": "'),
    "plain words": answer_line(RAINS, b'"approved"'),
    "a list": answer_line(RAINS, b"[1]"),
    "a list in a string": answer_line(RAINS, b'"[1]"'),
    "a number": answer_line(RAINS, b"1.50"),
    "true": answer_line(RAINS, b"true"),
}


@pytest.mark.parametrize("line", UNREADABLE.values(), ids=UNREADABLE)
def test_metadata_that_cannot_be_read_are_not_replaced(line: bytes) -> None:
    """Where metadata hold no object there is no place for a list: the row stays to the byte, with a warning."""
    made, (problem,) = cited(asked(line))
    assert made == asked(line)
    assert (problem.where, problem.line) == ("in.jsonl", 5)
    rows = list(decoded(asked(line)))
    assert all(after is row for after, row in zip(cite_rows(rows), rows, strict=True))


PASSED_ON = {
    "blank lines": (b"", b"  ", b"\t"),
    "broken lines": (b"<oops>", b'{"id":9,"role":"ASSISTANT","content":"x[^1^]"', b"\x00\x00", b"[" * 5000),
    "lines of another shape": (b"[1, 2]", b'"text"', b"7.0", b"null", b'{"a": 1.50}', b'{"role": 1}'),
    "a second header": (HEADER.replace(b"Rain", b"Snow"),),
    "other roles": (
        b'{"id":7,"role":"SYSTEM","content":"x[^1^]"}',
        b'{"id":8,"role":"ORACLE","content":"x[^1^]","metadata":null}',
    ),
}


@pytest.mark.parametrize("lines", PASSED_ON.values(), ids=PASSED_ON)
def test_every_other_line_goes_through_as_it_is(lines: tuple[bytes, ...]) -> None:
    """Headers, blank lines and lines that cannot be read stay where they are, to the byte, and disturb no answer."""
    before, after = answer_line(RAINS), answer_line(RAINS, CITED_1)
    data = export(*lines, HEADER, *lines, QUESTION, *lines, CALL, *lines, FOUND, *lines, before, *lines)
    made, _ = cited(data)
    assert made == export(*lines, HEADER, *lines, QUESTION, *lines, CALL, *lines, FOUND, *lines, after, *lines)


def test_a_line_that_cannot_be_read_is_named() -> None:
    """Each line that went through unread is a warning with its number; blank lines and other JSON are none."""
    _, problems = cited(export(HEADER, b"<oops>", QUESTION, b"", b"[1]", CALL, FOUND, b'{"a":', answer_line(RAINS)))
    assert [(problem.where, problem.line) for problem in problems] == [("in.jsonl", 2), ("in.jsonl", 8)]


def test_a_line_that_is_no_utf_8_is_passed_on_and_named() -> None:
    """An answer with bytes that are no UTF-8 cannot be written again without loss, so it stays and is warned of."""
    line = answer_line(b'"caf\xe9[^1^]"')
    made, (problem,) = cited(asked(line))
    assert made == asked(line)
    assert problem.line == 5


ENDS = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "no end at the end": lambda data: data.removesuffix(b"\n"),
    "CRLF, no end at the end": lambda data: data.replace(b"\n", b"\r\n").removesuffix(b"\r\n"),
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "a byte order mark in the middle": lambda data: data.replace(b'{"id":4', b'\xef\xbb\xbf{"id":4'),
    "U+2028 in a text": lambda data: data.replace(b"It rains", "It\u2028rains".encode()),
    "a line feed alone before the first line": lambda data: b"\n" + data,
}


@pytest.mark.parametrize("packed", ENDS.values(), ids=ENDS)
def test_line_ends_and_marks_stay(packed: Any) -> None:
    """Line ends, a missing last one and byte order marks come out as they went in, changed lines included."""
    before, after = packed(asked(answer_line(RAINS))), packed(asked(answer_line(RAINS, CITED_1)))
    assert cited(before) == (after, [])
    assert cited(after) == (after, [])


def test_a_lone_surrogate_is_written_as_an_escape() -> None:
    """A title that UTF-8 cannot hold goes into the list as an escape, and a second run changes nothing."""
    found = FOUND.replace(b"One", rb"One\\ud800")
    before = export(HEADER, QUESTION, CALL, found, answer_line(RAINS))
    made, problems = cited(before)
    expected = answer_line(RAINS, CITED_1.replace(b"One", rb"One\\ud800"))
    assert (made, problems) == (export(HEADER, QUESTION, CALL, found, expected), [])
    assert cited(made) == (made, [])


def test_an_answer_of_any_length_is_cited() -> None:
    """An answer too long to be laid out on a page keeps the list that it has, and gets the one that it lacks."""
    long = b'"' + b"It rains. " * 30_000 + b'[^1^]"'
    assert cited(asked(answer_line(long, CITED_1)))[0] == asked(answer_line(long, CITED_1))
    assert cited(asked(answer_line(long)))[0] == asked(answer_line(long, CITED_1))


# --- Which row, and of which results ---------------------------------------------------------------------------


def test_the_last_row_with_text_is_cited() -> None:
    """Citations are built for the round's last assistant row with text, whatever stands after it."""
    rows = [question(1), answer(2, "Wait[^1^]"), *search(3, A), answer(5, "Yes[^1^]"), answer(6, " "), answer(7, None)]
    assert citations_of(cite_rows(rows)) == {5: [entry(1, A, "one")]}


def test_other_rows_keep_the_lists_that_they_bring() -> None:
    """A list in a row that is not the answer is not ours to change."""
    rows = [question(1), *search(2, A), answer(4, "a[^1^]", [entry(7, "https://made.up/")]), answer(5, "b[^1^]")]
    assert citations_of(cite_rows(rows)) == {4: [entry(7, "https://made.up/")], 5: [entry(1, A, "one")]}


def test_each_round_has_its_own_numbers() -> None:
    """In every round the numbers begin with one, and an earlier round's results are none of its sources."""
    rows = [
        question(1),
        *search(2, A, B),
        answer(4, "a[^2^]"),
        question(5),
        *search(6, C),
        answer(8, "b[^1^]c[^2^]"),
        question(9),
        call(10, "calculator", {}),
        result(11, "4"),
        answer(12, "d[^1^]"),
    ]
    assert citations_of(cite_rows(rows)) == {4: [entry(2, B, "two")], 8: [entry(1, C, "three")]}


def test_the_list_is_in_the_order_of_the_registry() -> None:
    """Whatever the order and number of markers, entries ascend by n, each once, with the tools' own titles."""
    rows = [
        question(1),
        *search(2, hit(A, "of A"), hit(B, "of B")),
        *open_page_rows(4, C, "of C"),
        answer(6, "x[^3^] y[^1^][^3^] z[^2^][^1^]"),
    ]
    assert citations_of(cite_rows(rows)) == {6: [entry(1, A, "of A"), entry(2, B, "of B"), entry(3, C, "of C")]}


def test_a_round_without_tool_results_is_left_alone() -> None:
    """Where nothing came back there is nothing to build from: a list that is there stays, and none is made."""
    rows = [
        question(1),
        answer(2, "a[^1^]", [entry(1, "https://asserted.example/")]),
        question(3),
        call(4, "web_search", {"query": "rain"}),
        answer(5, "b[^1^]", [entry(1, "https://asserted.example/")]),
        question(6),
        call(7, "web_search", {"query": "rain"}),
        result(8, "  "),
        answer(9, "c[^1^]", [entry(1, "https://asserted.example/")]),
    ]
    assert all(made is row for made, row in zip(cite_rows(rows), rows, strict=True))


def test_a_round_whose_tools_gave_nothing_loses_its_list() -> None:
    """Where tools answered and no address came back, a list confirms nothing and goes."""
    rows = [question(1), call(2, "web_search", {}), result(3, {"error": "offline"}), answer(4, "a[^1^]", [entry(1, A)])]
    assert citations_of(cite_rows(rows)) == {}


def test_rows_before_the_first_question_are_left_alone() -> None:
    """Before the first question nothing is built and nothing is taken away."""
    rows = [*search(1, A), answer(3, "a[^1^]"), answer(4, "b[^1^]", [entry(1, "https://made.up/")]), question(5)]
    assert all(made is row for made, row in zip(cite_rows(rows), rows, strict=True))


def test_nothing_but_rows_is_needed() -> None:
    """No rows, rows without a question and rows without tools are no error."""
    assert list(cite_rows([])) == []
    assert list(cite_rows([{"type": "session_export"}, {"a": 1}])) == [{"type": "session_export"}, {"a": 1}]
    assert list(cite_rows([answer(1, "a[^1^]")])) == [answer(1, "a[^1^]")]


def test_rows_are_taken_a_round_at_a_time() -> None:
    """The rows of the first round come out before a row of the third one was asked for."""
    taken: list[int] = []

    def rows() -> Iterator[dict[str, Any]]:
        for id_ in range(1, 100):
            taken.append(id_)
            yield question(id_)

    assert next(iter(cite_rows(rows())))["id"] == 1
    assert max(taken) <= 3


def test_what_cite_writes_is_what_a_page_shows() -> None:
    """The list built for the rows has the entries that a page of the uncited rows shows."""
    rows = [question(1), *search(2, A, B, C), answer(5, "x[^3^] y[^1^] z[^9^] `[^2^]`")]
    (conversation,) = read(jsonl(header(), *cite_rows(rows)))
    (round_,) = conversation.rounds
    assert [(c.n, c.url) for c in round_.messages[-1].citations or ()] == [(1, A), (3, C)]


# --- The command -----------------------------------------------------------------------------------------------

PLAIN, MADE = asked(answer_line(RAINS)), asked(answer_line(RAINS, CITED_1))


def test_the_command_writes_to_standard_output(citepage: Citepage) -> None:
    """`citepage cite` writes the cited lines, and nothing else, to standard output."""
    Path("rows.jsonl").write_bytes(PLAIN)
    run = citepage("cite", "rows.jsonl")
    assert (run.code, run.out, run.err) == (0, MADE, "")
    assert os.listdir() == ["rows.jsonl"]


def test_the_command_writes_to_a_file(citepage: Citepage) -> None:
    """With -o they go to that file, and nothing is printed."""
    run = citepage("cite", "-", "-o", "cited.jsonl", stdin=PLAIN)
    assert (run.code, run.out, run.err) == (0, b"", "")
    assert Path("cited.jsonl").read_bytes() == MADE


def test_an_export_can_be_cited_in_place(citepage: Citepage) -> None:
    """The output may be the input: it is replaced when all of it was read."""
    Path("rows.jsonl").write_bytes(PLAIN)
    assert citepage("cite", "rows.jsonl", "-o", "rows.jsonl").code == 0
    assert Path("rows.jsonl").read_bytes() == MADE
    assert citepage("cite", "rows.jsonl", "-o", "rows.jsonl").code == 0
    assert Path("rows.jsonl").read_bytes() == MADE


def test_a_compressed_export_comes_out_as_lines(citepage: Citepage) -> None:
    """Gzip is taken off, and an archive without a header is cited like an export."""
    headless = PLAIN.removeprefix(export(HEADER))
    run = citepage("cite", "-", stdin=gzip.compress(headless))
    assert (run.code, run.out, run.err) == (0, MADE.removeprefix(export(HEADER)), "")


def test_a_broken_gzip_leaves_no_file(citepage: Citepage) -> None:
    """Output is written whole or not at all: of an input that breaks off midway there is none."""
    Path("rows.jsonl.gz").write_bytes(gzip.compress(PLAIN)[:-20])
    run = citepage("cite", "rows.jsonl.gz", "-o", "out.jsonl")
    assert run.error.startswith("citepage: error: rows.jsonl.gz: ")
    assert os.listdir() == ["rows.jsonl.gz"]


def test_unread_lines_are_warned_of(citepage: Citepage) -> None:
    """A line that could not be read is one warning and, with --strict, exit code 1; the output is whole either way."""
    Path("rows.jsonl").write_bytes(PLAIN + b"oops\n")
    run = citepage("cite", "rows.jsonl")
    (line,) = run.lines
    assert line.startswith("citepage: warning: rows.jsonl:6: ")
    assert (run.code, run.out) == (0, MADE + b"oops\n")
    strict = citepage("cite", "rows.jsonl", "--strict")
    assert (strict.code, strict.out, strict.err) == (1, run.out, run.err)
    quiet = citepage("cite", "rows.jsonl", "--quiet")
    assert (quiet.code, quiet.out, quiet.err) == (0, run.out, "")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("cite", "nothing.jsonl"), id="no file"),
        pytest.param(("cite", "."), id="a folder"),
        pytest.param(("cite", "other.json"), id="another format"),
        pytest.param(("cite", "answer.json"), id="a format without rows"),
        pytest.param(("cite", "rows.jsonl", "--format", "upstream-share"), id="not of the format named"),
        pytest.param(("cite", "rows.jsonl", "--format", "nope"), id="a format that there is not"),
        pytest.param(("cite", "rows.jsonl", "--sources", "nothing.toml"), id="no file of sources"),
        pytest.param(("cite", "rows.jsonl", "-o", "no/such/folder"), id="nowhere to write"),
        pytest.param(("cite",), id="no input"),
        pytest.param(("cite", "rows.jsonl", "rows.jsonl"), id="two inputs"),
    ],
)
def test_what_cannot_be_cited_is_one_line(citepage: Citepage, arguments: tuple[str, ...]) -> None:
    """Wrong usage and what cannot be read are one line on standard error and exit code 2, and make no file."""
    Path("rows.jsonl").write_bytes(PLAIN)
    Path("other.json").write_bytes(b'{"a": 1}')
    Path("answer.json").write_bytes(
        b'{"question": "q", "answer": "a[1]",\n"citations": [{"id": 1, "doc_title": "One"}]}'
    )
    assert citepage(*arguments).error
    assert sorted(os.listdir()) == ["answer.json", "other.json", "rows.jsonl"]


# --- Pipes and memory ------------------------------------------------------------------------------------------


def test_it_works_in_a_pipe(tmp_path: Path) -> None:
    """Two runs in a row of pipes give what one run gives."""
    first = start("cite", "-", cwd=tmp_path, stdin=subprocess.PIPE)
    second = start("cite", "-", cwd=tmp_path, stdin=first.stdout)
    assert first.stdin is not None
    assert first.stdout is not None
    first.stdin.write(PLAIN)
    first.stdin.close()
    first.stdout.close()
    out, err = second.communicate(timeout=30)
    assert first.stderr is not None
    assert (first.stderr.read(), err, out) == (b"", b"", MADE)
    first.stderr.close()
    assert (first.wait(timeout=30), second.returncode) == (0, 0)


def test_a_closed_pipe_is_silent(tmp_path: Path) -> None:
    """A reader that has seen enough, such as `head`, is no error."""
    (tmp_path / "rows.jsonl").write_bytes(PLAIN + export(*[answer_line(DRY)] * 20_000))
    process = start("cite", "rows.jsonl", cwd=tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == HEADER + b"\n"
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(timeout=30) == 0


# Of the process as it is now: `ru_maxrss` would count what its parent had before.
_PEAK = """
import atexit, pathlib, re
def peak():
    text = pathlib.Path("/proc/self/status").read_text()
    pathlib.Path("peak").write_text(re.search(r"VmHWM:\\s+(\\d+) kB", text)[1])
atexit.register(peak)
"""


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An export of 60 MB of 300 rounds, and what `cite` must make of it."""
    folder = tmp_path_factory.mktemp("big")
    found = FOUND.replace(rb"\"content\":\"\"", rb"\"content\":\"" + b"It rains in Basel. " * 3_500 + rb"\"")
    plain, expected = folder / "big.jsonl", folder / "expected.jsonl"
    for path, metadata in ((plain, None), (expected, CITED_1)):
        with path.open("wb") as file:
            file.write(export(HEADER))
            for number in range(300):
                row = answer_line(b'"Round %d: it rains.[^1^]"' % number, metadata)
                file.write(export(QUESTION, CALL, found, row))
    assert plain.stat().st_size > 59_000_000
    return plain, expected


@pytest.mark.parametrize("piped", [False, True], ids=["a file", "a pipe"])
def test_memory_is_bounded_by_a_round(tmp_path: Path, big: tuple[Path, Path], piped: bool) -> None:
    """An export of 60 MB takes at most 32 MiB more than a small one, from a file and through a pipe."""
    plain, expected = big
    (tmp_path / "small.jsonl").write_bytes(PLAIN)
    least = _peak_of(tmp_path / "small.jsonl", tmp_path, piped=False)
    most = _peak_of(plain, tmp_path, piped=piped)
    assert most - least <= 32 * 1024, f"{least} kB, then {most} kB"
    with (tmp_path / "out").open("rb") as made, expected.open("rb") as right:
        assert all(line == other for line, other in zip(made, right, strict=True))


def _peak_of(file: Path, folder: Path, *, piped: bool) -> int:
    """Cite a file into `out`; returns the most memory that the process had, in kB."""
    with (folder / "out").open("wb") as out:
        cat = subprocess.Popen(["cat", file], stdout=subprocess.PIPE) if piped else None
        stdin = cat.stdout if cat else subprocess.DEVNULL
        process = start("cite", "-" if piped else file, cwd=folder, before=_PEAK, stdin=stdin, stdout=out)
        if cat and cat.stdout:
            cat.stdout.close()
        _, err = process.communicate(timeout=60)
        if cat:
            cat.wait(timeout=30)
    assert (process.returncode, err) == (0, b"")
    return int((folder / "peak").read_text())


def test_the_lines_of_these_tests_are_what_they_seem() -> None:
    """The lines written by hand are JSON, and hold what the tests say they hold."""
    rows = list(decoded(asked(answer_line(RAINS, CITED_1_2))))
    assert [row.get("role") for row in rows] == [None, "USER", "ASSISTANT", "TOOL", "ASSISTANT"]
    assert [item["url"] for item in json.loads(rows[3]["content"])["results"]] == [
        "https://a.example/1",
        "https://b.example/2",
        "ftp://c.example/3",
    ]
    assert citations_of(rows) == {4: [entry(1, "https://a.example/1", "One"), entry(2, "https://b.example/2")]}
