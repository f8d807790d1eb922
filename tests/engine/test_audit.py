"""What holds of every citation: figures counted by hand, the JSON, the table, the exit codes (contract §1 and §4)."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

from renderer import CitationReport, audit, read
from tests.pages.making import A, B, C, answer, entry, hit, question, search
from tests.readers.making import encoded, header, jsonl
from tests.readers.making import page as share
from tests.writers.running import Citepage, Run

# --- Three conversations, counted by hand ----------------------------------------------------------------------

ENGLISH = jsonl(
    header(id=1, title="Rain"),
    question(1, "Will it rain?"),
    *search(2, A, B, C),
    answer(
        4,
        # 1 cited, 2 cited (a decimal and an abbreviation inside), a question, a lead-in
        "Rain is expected on Friday.[^1^] Some 3.5 cm fell, e.g. near Basel[^2^]. Is it safe? The main points:\n\n"
        # 3 with a marker that goes, 4 without any
        "- Roads are wet.[^9^]\n- Trains run on time.\n\n"
        # a refusal, 5 cited (the marker after the quote), and code, which claims nothing
        'The sources do not mention prices. He said "It pours."[^1^]\n\n```\nx = 1. y = 2[^2^]\n```\n',
    ),
)

CHINESE = jsonl(
    header(id=2, title="天气"),
    question(1, "会下雨吗？"),
    *search(2, hit(A, "甲"), hit(B, "乙")),
    answer(
        4,
        # 标题不算；1 有引用（小数），2 有引用（标记在句号和引号之后），疑问句，引出列表的句子
        "# 天气预报\n\n最低气温为 -3.5 度[^1^]。他说：“风会很大。”[^2^]会下雪吗？要点如下：\n\n"
        # 3 无引用，4 有引用，两个标记；拒答不算
        "1. 道路湿滑。\n2. 列车准点[^2^][^1^]。\n\n资料中未提及票价[^1^]。",
    ),
)

# Two rounds: the first one's list is the file's own, with an address that no tool returned and one that nothing uses.
MIXED = jsonl(
    header(id="3", title=""),
    question(1, "Rain, 雨?"),
    *search(2, A, B),
    answer(
        4,
        # 1 with a marker that stays and one that goes, 2 with one that goes only
        "Rain 下雨[^1^][^5^]. 明天放晴[^5^]。",
        [entry(1, A, "mine"), entry(5, "https://made.up/"), entry(7, "https://made.up/too")],
    ),
    question(5, "And 雪?"),
    *search(6, C),
    answer(8, "Why not? 资料中未提及。"),
)


def report_of(run: Run) -> Any:
    """The JSON that went to standard output, and it is one line."""
    assert run.out.count(b"\n") == 1
    return json.loads(run.out)


def test_an_english_conversation(citepage: Citepage) -> None:
    """Markers, removals, unused sources and claims of an English answer are those that a reader counts."""
    Path("english.jsonl").write_bytes(ENGLISH)
    run = citepage("audit", "english.jsonl", "--json")
    assert (run.code, run.err) == (0, "")
    assert report_of(run) == {
        "version": 1,
        "inputs": [
            {
                "path": "english.jsonl",
                "format": "upstream-jsonl",
                "conversations": [
                    {
                        "id": "1",
                        "title": "Rain",
                        "answers": [
                            {
                                "message_id": "4",
                                "markers": 4,
                                "citations": [
                                    {"n": 1, "k": 1, "url": A, "title": "one", "verdict": "returned"},
                                    {"n": 2, "k": 2, "url": B, "title": "two", "verdict": "returned"},
                                ],
                                "removed": [{"marker": "[^9^]", "reason": "no-source"}],
                                "unused": [3],
                                "claims": 5,
                                "cited_claims": 3,
                            }
                        ],
                    }
                ],
            }
        ],
        "totals": {
            "answers": 1,
            "answers_with_citations": 1,
            "markers": 4,
            "kept": 3,
            "removed": 1,
            "validity_rate": 0.75,
            "citation_rate": 0.6,
        },
    }


def test_a_chinese_conversation(citepage: Citepage) -> None:
    """Chinese sentence ends, quotes, decimals, questions, lead-ins and refusals are known."""
    report = report_of(citepage("audit", "-", "--json", stdin=CHINESE))
    (only,) = report["inputs"]
    (conversation,) = only["conversations"]
    assert (only["path"], conversation["id"], conversation["title"]) == ("<stdin>", "2", "天气")
    assert conversation["answers"] == [
        {
            "message_id": "4",
            "markers": 5,
            "citations": [
                {"n": 1, "k": 1, "url": A, "title": "甲", "verdict": "returned"},
                {"n": 2, "k": 2, "url": B, "title": "乙", "verdict": "returned"},
            ],
            "removed": [],
            "unused": [],
            "claims": 4,
            "cited_claims": 3,
        }
    ]
    assert report["totals"] == {
        "answers": 1,
        "answers_with_citations": 1,
        "markers": 5,
        "kept": 5,
        "removed": 0,
        "validity_rate": 1.0,
        "citation_rate": 0.75,
    }


def test_a_conversation_in_two_languages(citepage: Citepage) -> None:
    """Of a list that the file gives, each removed marker is listed, and an entry dropped without one has none."""
    report = report_of(citepage("audit", "-", "--json", stdin=MIXED))
    assert report["inputs"][0]["conversations"] == [
        {
            "id": "3",
            "title": "",
            "answers": [
                {
                    "message_id": "4",
                    "markers": 3,
                    "citations": [{"n": 1, "k": 1, "url": A, "title": "one", "verdict": "returned"}],
                    "removed": [
                        {"marker": "[^5^]", "reason": "not-returned"},
                        {"marker": "[^5^]", "reason": "not-returned"},
                        {"marker": None, "reason": "not-returned"},
                    ],
                    "unused": [2],
                    "claims": 2,
                    "cited_claims": 1,
                },
                {
                    "message_id": "8",
                    "markers": 0,
                    "citations": [],
                    "removed": [],
                    "unused": [1],
                    "claims": 0,
                    "cited_claims": 0,
                },
            ],
        }
    ]
    assert report["totals"] == {
        "answers": 2,
        "answers_with_citations": 1,
        "markers": 3,
        "kept": 1,
        "removed": 2,
        "validity_rate": pytest.approx(1 / 3),
        "citation_rate": 0.5,
    }


def test_the_totals_are_over_all_files(citepage: Citepage) -> None:
    """Several inputs are reported one after the other, as they were named, and added up once each time named."""
    for name, data in (("a.jsonl", ENGLISH), ("b.jsonl", CHINESE), ("c.jsonl", MIXED)):
        Path(name).write_bytes(data)
    report = report_of(citepage("audit", "b.jsonl", "./a.jsonl", "c.jsonl", "b.jsonl", "--json"))
    assert [one["path"] for one in report["inputs"]] == ["b.jsonl", "./a.jsonl", "c.jsonl", "b.jsonl"]
    assert report["inputs"][0]["conversations"] == report["inputs"][3]["conversations"]
    # 4 + 5 + 3 + 5 markers, of them 1 + 0 + 2 + 0 removed; 5 + 4 + 2 + 4 claims, of them 3 + 3 + 1 + 3 cited.
    assert report["totals"] == {
        "answers": 5,
        "answers_with_citations": 4,
        "markers": 17,
        "kept": 14,
        "removed": 3,
        "validity_rate": pytest.approx(14 / 17),
        "citation_rate": pytest.approx(10 / 15),
    }


# --- Single figures --------------------------------------------------------------------------------------------


def answers_of(*rows: Any) -> Any:
    """The answers of the report on an export with these rows, as JSON has them, and its totals."""
    (conversation,) = read(jsonl(header(), *rows))
    report = audit(conversation)
    return report.answers, report.totals


def test_rates_are_null_where_there_is_nothing_to_divide_by(citepage: Citepage) -> None:
    """Without markers there is no validity rate, and without claims no citation rate; zero is something else."""
    data = jsonl(header(), question(1), answer(2, "Why? 资料中未提及。"))
    totals = report_of(citepage("audit", "-", "--json", stdin=data))["totals"]
    assert (totals["validity_rate"], totals["citation_rate"]) == (None, None)
    data = jsonl(header(), question(1), *search(2, A), answer(4, "It rains[^9^]."))
    totals = report_of(citepage("audit", "-", "--json", stdin=data))["totals"]
    assert (totals["validity_rate"], totals["citation_rate"]) == (0.0, 0.0)


def test_a_conversation_without_answers(citepage: Citepage) -> None:
    """Questions alone have no answers to report."""
    report = report_of(citepage("audit", "-", "--json", stdin=jsonl(header(), question(1))))
    assert report["inputs"][0]["conversations"][0]["answers"] == []
    assert report["totals"] == {
        "answers": 0,
        "answers_with_citations": 0,
        "markers": 0,
        "kept": 0,
        "removed": 0,
        "validity_rate": None,
        "citation_rate": None,
    }


def test_markers_of_a_remark_are_reported() -> None:
    """Another assistant row with markers is in the report, as they are removed; one without says nothing."""
    answers, totals = answers_of(
        question(1), answer(2, "Wait[^1^]"), *search(3, A), answer(5, "Hm."), answer(6, "Yes.")
    )
    assert [(one.message_id, one.markers, len(one.removed)) for one in answers] == [("2", 1, 1), ("6", 0, 0)]
    assert (totals.markers, totals.removed) == (1, 1)


def test_markers_in_code_are_not_counted() -> None:
    """What stands in code is no marker, neither kept nor removed."""
    ((one,), totals) = answers_of(question(1), *search(2, A), answer(4, "`[^1^]` and [^1^]\n\n    [^9^]"))
    assert (one.markers, totals.kept, totals.removed) == (1, 1, 0)


def test_an_export_without_tool_results_is_unchecked() -> None:
    """Entries that cannot be checked are listed as unchecked, count as sources, and their markers are kept."""
    ((one,), totals) = answers_of(question(1), answer(2, "It rains[^1^]. It snows[^2^].", [entry(1, A, "mine")]))
    assert [(s.n, s.url, s.title, s.verdict.value) for s in one.sources] == [(1, A, "mine", "unchecked")]
    assert [(r.marker, r.verdict.value) for r in one.removed] == [("[^2^]", "no-source")]
    assert (totals.markers, totals.kept, totals.claims, totals.cited_claims) == (2, 1, 2, 1)


def test_what_counts_as_text_that_claims() -> None:
    """Paragraphs, list items, quotes and table rows claim; headings, code, formulas and a table's head do not."""
    text = (
        "# It rains.\n\nOne[^1^].\n\n> Two[^1^].\n\n- Three.\n  - Four[^1^].\n\n"
        "| place | rain |\n| --- | --- |\n| Basel | 5 mm[^1^] |\n| Bern | 7 mm |\n\n"
        "```\nfive.\n```\n\n$$x = 1.$$\n\n**Six[^1^].** ~~Seven.~~\n\n[Eight](https://x.example/).[^1^]"
    )
    ((one,), _) = answers_of(question(1), *search(2, A), answer(4, text))
    # One, Two, Three, Four, Basel, Bern, Six, Seven, Eight; of them One, Two, Four, Basel, Six, Eight are cited.
    assert (one.claims, one.cited_claims) == (9, 6)


def test_an_address_used_under_two_numbers_is_used() -> None:
    """`unused` are the registry's numbers whose address no entry of the list has, whatever number that has."""
    ((one,), _) = answers_of(question(1), *search(2, A, B, C), answer(4, "x[^9^]", [entry(9, B)]))
    assert one.unused == (1, 3)


def test_a_share_is_audited_too(citepage: Citepage) -> None:
    """A share snapshot is an input like an export, under its own format's name."""
    data = encoded({"code": 0, "data": share(question(1), *search(2, A), answer(4, "It rains[^1^]."))})
    report = report_of(citepage("audit", "-", "--json", stdin=data))
    assert report["inputs"][0]["format"] == "upstream-share"
    assert report["totals"]["kept"] == 1


def test_a_report_is_a_frozen_value() -> None:
    """`audit` gives a typed value that cannot be changed, and gives it again for the same conversation."""
    (conversation,) = read(ENGLISH)
    report = audit(conversation)
    assert isinstance(report, CitationReport)
    assert report == audit(conversation)
    assert report.has_findings
    with pytest.raises(FrozenInstanceError):
        report.id = "2"  # type: ignore[misc]


# --- The table for people --------------------------------------------------------------------------------------


def rows_of(run: Run) -> list[list[str]]:
    """The lines of a table, each as its words."""
    return [line.split() for line in run.out.decode().splitlines()]


def test_the_table_has_a_line_for_each_answer(citepage: Citepage) -> None:
    """A line for each answer with its figures, what was removed and why below it, then the totals and the rates."""
    Path("c.jsonl").write_bytes(MIXED)
    run = citepage("audit", "c.jsonl")
    assert (run.code, run.err) == (0, "")
    rows = rows_of(run)
    assert rows[0] == ["answer", "markers", "kept", "removed", "sources", "unused", "cited", "claims"]
    assert ["4", "3", "1", "2", "1", "1", "1", "of", "2"] in rows
    assert rows.count(["[^5^]:", "not-returned"]) == 2
    assert ["entry", "7:", "not-returned"] in rows
    assert ["8", "0", "0", "0", "0", "1", "0", "of", "0"] in rows
    assert ["total", "3", "1", "2", "1", "of", "2"] in rows
    assert "33%" in run.out.decode()
    assert "50%" in run.out.decode()
    assert b"c.jsonl" in run.out


def test_the_columns_stand_under_each_other(citepage: Citepage) -> None:
    """Figures end in the same column of the terminal in every row, with Chinese ids and titles too."""
    data = jsonl(
        header(title="雨" * 30), question(1), *search(2, A), answer("回答四", "下雨[^1^]。"), answer(5, "x[^1^]")
    )
    lines = citepage("audit", "-", stdin=data).out.decode().splitlines()
    figures = [line for line in lines if re.search(r"\d+ of \d+$|claims$", line)]
    assert len(figures) == 4
    assert len({sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) for line in figures}) == 1


def test_a_rate_of_nothing_is_a_dash(citepage: Citepage) -> None:
    """Where there is nothing to divide by, the table shows no figure."""
    last = citepage("audit", "-", stdin=jsonl(header(), question(1))).out.decode().splitlines()[-1]
    assert "%" not in last
    assert "nan" not in last.lower()


def test_a_title_cannot_forge_a_line(citepage: Citepage) -> None:
    """What a file holds cannot steer the terminal or begin a line of its own in the table."""
    title = "Rain\ntotal 0 0 0 0 of 0\n\x1b[2J"
    data = jsonl(header(title=title), question(1), *search(2, A), answer("4\nfake", "x[^9^]."))
    out = citepage("audit", "-", stdin=data).out.decode()
    assert "\x1b" not in out
    assert sum(line.startswith("total") for line in out.splitlines()) == 1
    assert not any(line.startswith("fake") for line in out.splitlines())


# --- Exit codes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(CHINESE, 0, id="nothing removed"),
        pytest.param(ENGLISH, 1, id="a marker removed"),
        pytest.param(MIXED, 1, id="markers and an entry removed"),
        pytest.param(
            jsonl(
                header(), question(1), *search(2, A), answer(4, "x[^1^]", [entry(1, A), entry(2, "https://made.up/")])
            ),
            1,
            id="an entry removed that no marker used",
        ),
        pytest.param(
            jsonl(header(), question(1), answer(2, "Wait[^1^]"), *search(3, A), answer(5, "x[^1^]")),
            1,
            id="a marker removed from a remark",
        ),
        pytest.param(jsonl(header(), question(1), answer(2, "x[^1^]", [entry(1, A)])), 0, id="only unchecked"),
        pytest.param(CHINESE + b"oops\n", 1, id="a line left out"),
    ],
)
def test_strict_tells_by_its_exit_code(citepage: Citepage, data: bytes, code: int) -> None:
    """With --strict the exit code is 1 when anything was removed or left out; the output is the same, and 0 without."""
    for arguments in ((), ("--json",)):
        plain = citepage("audit", "-", *arguments, stdin=data)
        strict = citepage("audit", "-", "--strict", *arguments, stdin=data)
        assert (plain.code, strict.code) == (0, code)
        assert strict.out == plain.out != b""
        assert strict.err == plain.err


@pytest.mark.parametrize("strict", [(), ("--strict",)], ids=["", "strict"])
@pytest.mark.parametrize("json_", [(), ("--json",)], ids=["table", "json"])
@pytest.mark.parametrize("bad", ["nothing.jsonl", ".", "other.json", "empty.jsonl"])
def test_one_unreadable_input_does_not_hide_the_others(
    citepage: Citepage, bad: str, json_: tuple[str, ...], strict: tuple[str, ...]
) -> None:
    """An input that cannot be read is one line on standard error and exit code 2; the other ones are reported."""
    Path("a.jsonl").write_bytes(ENGLISH)
    Path("b.jsonl").write_bytes(CHINESE)
    Path("other.json").write_bytes(b'{"a": 1}')
    Path("empty.jsonl").write_bytes(b"")
    run = citepage("audit", "a.jsonl", bad, "b.jsonl", *json_, *strict)
    (line,) = run.lines
    assert line.startswith(f"citepage: error: {bad}: ")
    assert run.code == 2
    assert run.out == citepage("audit", "a.jsonl", "b.jsonl", *json_).out


def test_where_nothing_can_be_read_there_is_no_table(citepage: Citepage) -> None:
    """Where no input can be read there is no table; a program that asks for JSON gets a report without inputs."""
    run = citepage("audit", "nothing.jsonl", "none.jsonl")
    assert (run.code, run.out, len(run.lines)) == (2, b"", 2)
    as_json = citepage("audit", "nothing.jsonl", "none.jsonl", "--json")
    assert (as_json.code, as_json.err) == (2, run.err)
    assert (report_of(as_json)["inputs"], report_of(as_json)["totals"]["validity_rate"]) == ([], None)


def test_what_is_wrong_in_a_file_is_warned_of(citepage: Citepage) -> None:
    """A line that was left out is one warning with its file and line, unless --quiet."""
    Path("a.jsonl").write_bytes(ENGLISH + b"oops\n")
    (warning,) = citepage("audit", "a.jsonl").lines
    assert warning.startswith("citepage: warning: a.jsonl:6: ")
    assert citepage("audit", "a.jsonl", "--quiet").err == ""


@pytest.mark.parametrize("arguments", [(), ("a.jsonl", "--nope"), ("a.jsonl", "--format", "nope")])
def test_wrong_usage_is_one_line(citepage: Citepage, arguments: tuple[str, ...]) -> None:
    """Without an input, and with an option or a format that there is not, one line says so."""
    Path("a.jsonl").write_bytes(ENGLISH)
    assert citepage("audit", *arguments).error
    assert os.listdir() == ["a.jsonl"]
