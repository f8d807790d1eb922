"""The JSON beside a page: what the page shows, for programs."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

from renderer import Options, read
from renderer.version import VERSION
from renderer.writers.conversation_json import write_conversation_json
from tests.pages.making import A, B, answer, entry, hit, question, search
from tests.readers.making import header, jsonl
from tests.retrieval.making import cited, data_of, source


def data(*rows: object, **session: object) -> dict[str, Any]:
    """The JSON of an export with these rows."""
    (found,) = read(jsonl(header(**session), *rows))
    file = StringIO(newline="")
    write_conversation_json(found, file, options=Options(lang="en"))
    made: dict[str, Any] = json.loads(file.getvalue())
    return made


def test_a_conversation_is_one_object() -> None:
    """Facts, rounds, answers with display numbers in the text, and sources with verdicts: every key by its name."""
    made = data(
        question(1, "Will it rain?", createdAt="2026-10-07T09:00:01"),
        *search(2, hit(A, "Forecast"), hit(B, "Radar")),
        answer(4, "**Yes**[^2^], `[^1^]`[^9^].", createdAt="2026-10-07T09:00:09"),
        title="Rain",
        agentName="Desk",
        createdAt="2026-10-07T09:00:00",
    )
    results = [
        {"n": 1, "title": "Forecast", "url": A, "domain": "a.example"},
        {"n": 2, "title": "Radar", "url": B, "domain": "b.example"},
    ]
    assert made == {
        "version": 1,
        "generator": f"citepage {VERSION}",
        "title": "Rain",
        "agent": "Desk",
        "owner": "",
        "created_at": "2026-10-07T09:00:00+08:00",
        "format": "upstream-jsonl",
        "rounds": [
            {
                "question": {
                    "id": "1",
                    "role": "user",
                    "text": "Will it rain?",
                    "created_at": "2026-10-07T09:00:01+08:00",
                },
                "answers": [
                    {
                        "id": "4",
                        "text": "**Yes**[1], `[^1^]`.",
                        "created_at": "2026-10-07T09:00:09+08:00",
                        "remark": False,
                        "sources": [
                            {
                                "k": 1,
                                "n": 2,
                                "title": "Radar",
                                "url": B,
                                "domain": "b.example",
                                "verdict": "returned",
                            }
                        ],
                        "removed": 1,
                    }
                ],
                "steps": [{"what": "Searched", "argument": "rain", "failed": False, "results": results}],
            }
        ],
        "left_out": 0,
    }


def test_what_is_not_linked_has_no_address() -> None:
    """An address that no tool returned is nowhere, and one that is no web address is null."""
    given = [entry(1, "https://made-up.example/"), entry(2, "javascript:alert(1)", "S")]
    made = data(question(1), *search(2, "javascript:alert(1)"), answer(4, "a[^1^] b[^2^]", given))
    assert [source["url"] for source in made["rounds"][0]["answers"][0]["sources"]] == [None]
    assert "made-up.example" not in json.dumps(made)


def test_nothing_is_dropped_without_a_word() -> None:
    """Rows of other roles are listed, records that could not be read are counted."""
    made = data({**question(1, "Hello"), "role": "REVIEWER"}, b"no json", question(2, "\x00<a>"))
    assert made["left_out"] == 1
    assert made["rounds"][0]["others"][0]["text"] == "Hello"
    assert made["rounds"][-1]["question"]["text"] == "<a>"


def test_a_struck_marker_stays_in_the_text() -> None:
    """Where wrong markers are marked the text has them struck, and their number is told; else there is no such key."""
    (found,) = read(data_of(cited("Rain[1][9].", source("1", "It rains.", url=A))))
    answers = {}
    for policy in ("mark", "strip"):
        file = StringIO(newline="")
        write_conversation_json(found, file, options=Options(lang="en", on_invalid=policy))
        (answers[policy],) = json.loads(file.getvalue())["rounds"][0]["answers"]
    assert (answers["mark"]["text"], answers["mark"]["marked"]) == ("Rain[1]~~[9]~~.", 1)
    assert (answers["strip"]["text"], answers["strip"]["removed"]) == ("Rain[1].", 1)
    assert "marked" not in answers["strip"]
