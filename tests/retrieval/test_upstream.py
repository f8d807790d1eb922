"""Passages of the agent platform's answers: what the tool returned is the passage of its source."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import unquote

import pytest

from tests.pages.making import (
    A,
    B,
    C,
    Page,
    Row,
    answer,
    attribute,
    call,
    entry,
    hit,
    one,
    open_page_rows,
    page,
    question,
    result,
    search,
    words,
)
from tests.retrieval.making import digest_of, marked, paragraphs, passage, way_out

Rows = list[Row | list[Row]]

SNIPPET = "A forecast. Heavy rain will reach Hamburg on Monday evening. More below."
PAGE_TEXT = (
    "All of the forecast.\n\nHeavy rain will reach Hamburg on Monday evening, says the office.\n\nTrains may be late."
)
CLAIM = "Heavy rain reaches Hamburg on Monday[^1^]."


def searched(*more: Row | list[Row], text: str = CLAIM, **options: Any) -> Page:
    """A round that searched, and whatever else it did, and answered."""
    rows: Rows = [
        question(1),
        search(2, hit(A, "Forecast", SNIPPET), hit(B, "Other", "The secret of another result.")),
    ]
    return page(*rows, *more, answer(90, text), **options)


def test_a_snippet_is_the_passage() -> None:
    """What the search returned with an address is the passage of that source, with the supporting sentence marked."""
    (item,) = searched().sources(90)
    assert passage(item) == SNIPPET
    assert marked(item) == ["Heavy rain will reach Hamburg on Monday evening."]
    assert attribute(one(item, ".passage-text"), "data-digest") == digest_of(paragraphs(item))


def test_the_text_of_an_opened_page_wins_over_the_snippet() -> None:
    """A page that was opened says more than the snippet that led to it: its text is the passage."""
    (item,) = searched(open_page_rows(4, A, content=PAGE_TEXT)).sources(90)
    assert paragraphs(item) == [
        "All of the forecast.",
        "Heavy rain will reach Hamburg on Monday evening, says the office.",
        "Trains may be late.",
    ]


def test_a_later_snippet_does_not_win_over_the_page() -> None:
    """The page's text stays the passage when the same address is found once more."""
    rows = [open_page_rows(4, A, content=PAGE_TEXT), search(6, hit(A, "Again", "Another snippet."), call_id="c9")]
    (item,) = searched(*rows).sources(90)
    assert paragraphs(item)[0] == "All of the forecast."


def test_a_page_that_failed_to_open_leaves_the_snippet() -> None:
    """An error is no text of the page."""
    rows = [call(4, "open_web_page", {"url": A}, "o1"), result(5, {"error": "timeout", "url": A}, "o1")]
    (item,) = searched(rows).sources(90)
    assert passage(item) == SNIPPET


def test_a_page_that_was_opened_alone_has_its_text() -> None:
    """No search is needed for a passage."""
    made = page(question(1), open_page_rows(2, A, "Forecast", content=PAGE_TEXT), answer(90, CLAIM))
    (item,) = made.sources(90)
    assert paragraphs(item)[2] == "Trains may be late."


@pytest.mark.parametrize("content", ["", "  \n ", None])
def test_a_result_without_text_has_no_passage(content: object) -> None:
    """Where the tool returned an address and no text the source stands without passage and without button."""
    found = {"title": "Forecast", "url": A, "content": content}
    made = page(question(1), search(2, found), answer(90, CLAIM))
    (item,) = made.sources(90)
    assert attribute(item, "data-verdict") == "returned"
    assert item.select(".passage, .source-open") == []


def test_nothing_of_other_results_is_in_the_page() -> None:
    """What was returned and is not cited leaves no word of its text in the page, not even where nobody sees it."""
    made = searched(open_page_rows(4, C, "Third", content="The secret of a page."))
    assert "secret" not in made.html
    assert len(made.sources(90)) == 1


def test_the_time_is_that_of_the_tools_answer() -> None:
    """The passage was retrieved when the tool answered, in the zone of the platform."""
    (item,) = searched().sources(90)
    assert attribute(one(item, ".passage time"), "datetime") == "2026-10-07T09:00:17+08:00"


def test_the_way_out_is_a_text_fragment_of_the_passage() -> None:
    """The link looks for the words that the tool returned from that very address."""
    (item,) = searched().sources(90)
    address = way_out(item)
    assert address is not None
    assert address.startswith(f"{A}#:~:text=")
    assert unquote(address.partition("#:~:text=")[2]) in SNIPPET


def test_the_same_address_in_two_rounds_has_the_passage_of_each() -> None:
    """Each round has what its own tools returned."""
    made = page(
        question(1),
        search(2, hit(A, "Forecast", "Rain on Monday.")),
        answer(10, "Rain[^1^]."),
        question(11),
        search(12, hit(A, "Forecast", "Snow on Tuesday."), call_id="c2"),
        answer(20, "Snow[^1^]."),
    )
    assert passage(made.sources(10)[0]) == "Rain on Monday."
    assert passage(made.sources(20)[0]) == "Snow on Tuesday."


def test_what_no_tool_returned_has_no_passage() -> None:
    """An address that is not among the results is not listed, and the file's own words make no passage."""
    cited = [{**entry(1, A, "Forecast"), "text": "Forged.", "snippet": "Forged."}, {**entry(2, C), "text": "Forged."}]
    rows: Rows = [question(1), search(2, hit(A, "Forecast", SNIPPET)), answer(90, "Rain[^1^][^2^].", cited)]
    made = page(*rows)
    (item,) = made.sources(90)
    assert passage(item) == SNIPPET
    assert "Forged" not in made.html


def test_an_export_without_tool_results_has_no_passages() -> None:
    """Where nothing is recorded nothing is shown: the source is unchecked, linked, and without passage."""
    made = page(question(1), answer(2, "Rain[^1^].", [entry(1, A, "Forecast")]))
    (item,) = made.sources(2)
    assert attribute(item, "data-verdict") == "unchecked"
    assert item.select(".passage, .source-open") == []


def test_the_list_is_called_what_it_was() -> None:
    """Only retrieval answers have references: here the words and the click are those of before."""
    made = searched()
    assert attribute(made.one("body"), "data-click") == "list"
    assert words(made.one(".sources > details > summary")) == "Sources 1"
    assert words(searched(lang="zh-CN").one(".sources > details > summary")) == "来源 1"


def test_the_platforms_markers_are_not_brackets() -> None:
    """`[1]` in an answer of the platform is text: its markers are of the other dialect."""
    made = searched(text="Rain[1] and rain[^1^].")
    assert made.prose(90) == "Rain[1] and rain[1]."
    assert len(made.all("sup.cite-ref")) == 1


def test_passages_of_the_platform_are_within_the_budget() -> None:
    """A long page is cut around its support here too, and the page says so."""
    long = " ".join(f"Office number {n} opens at nine." for n in range(200))
    made = searched(open_page_rows(4, A, content=f"{long} {SNIPPET} {long}"), passage_budget=300)
    (item,) = made.sources(90)
    assert "Heavy rain will reach Hamburg" in passage(item)
    assert len(passage(item)) <= 300
    assert one(item, ".passage-cut")


def test_half_a_character_costs_nothing() -> None:
    """A snippet that was cut inside a surrogate pair is shown, with a sign for what cannot be, and linked."""
    broken = json.dumps({"query": "q", "results": [hit(A, "Forecast", "Heavy rain reaches Hamburg \ud83d on Monday.")]})
    made = page(question(1), [call(2, "web_search", {"query": "q"}), result(3, broken)], answer(90, CLAIM))
    (item,) = made.sources(90)
    assert passage(item) == "Heavy rain reaches Hamburg \ufffd on Monday."
    assert str(way_out(item)).startswith(A)


def test_a_relative_address_of_the_platform_is_never_linked() -> None:
    """`--source-base` is for retrieval answers: an address that is not http(s) keeps its number and is not linked."""
    rows: Rows = [question(1), search(2, hit("/docs/1", "Forecast", SNIPPET)), answer(90, CLAIM)]
    made = page(*rows, source_base="https://kb.example/")
    (item,) = made.sources(90)
    assert item.select("a:not(.source-back)") == []
    assert passage(item) == SNIPPET
