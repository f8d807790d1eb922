"""The folded line under a question: how the answer was found, in `page.md`'s words."""

from __future__ import annotations

import json

import pytest

from tests.pages.making import (
    A,
    B,
    C,
    Row,
    answer,
    attribute,
    call,
    hit,
    one,
    open_page_rows,
    page,
    question,
    result,
    search,
    words,
)


def test_the_line_says_how_often_and_how_long() -> None:
    """Searches and opened pages are counted, and the time runs from the question to the round's last row."""
    made = page(
        question(1, createdAt="2026-10-07T09:00:00"),
        search(2, A, call_id="s1"),
        search(4, B, call_id="s2"),
        search(6, C, call_id="s3"),
        open_page_rows(8, A, call_id="o1"),
        open_page_rows(10, B, call_id="o2"),
        answer(12, "Rain.", createdAt="2026-10-07T09:00:41"),
    )
    assert words(one(made.one("details.steps"), "summary")) == "Searched 3 times, opened 2 pages · 41 s"
    assert not made.one("details.steps").has_attr("open")


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ([search(2, A)], "Searched 1 time"),
        ([open_page_rows(2, A)], "Opened 1 page"),
        ([search(2, A), open_page_rows(4, A)], "Searched 1 time, opened 1 page"),
    ],
)
def test_one_is_said_as_one(rows: list[list[dict[str, object]]], line: str) -> None:
    """Where something was done once the words are in the singular, and what was not done is not mentioned."""
    made = page(question(1), *rows, answer(9, "Rain."))
    assert words(one(made.one("details.steps"), "summary")).partition(" · ")[0] == line


def test_the_line_in_chinese() -> None:
    """A Chinese page says the same in Chinese."""
    made = page(
        question(1, createdAt="2026-10-07T09:00:00"),
        search(2, A),
        open_page_rows(4, B),
        answer(6, "Rain.", createdAt="2026-10-07T09:01:05"),
        lang="zh-CN",
    )
    line = words(one(made.one("details.steps"), "summary"))
    assert "搜索 1 次" in line
    assert "打开 1 个" in line
    assert line.endswith("1 分 5 秒")


@pytest.mark.parametrize(
    ("end", "said"), [("09:00:00", "0 s"), ("09:02:00", "2 min"), ("10:01:07", "1 h 1 min"), ("08:59:00", "")]
)
def test_a_duration_is_said_in_two_units(end: str, said: str) -> None:
    """The two greatest units are enough; a clock that ran backwards gives no duration."""
    made = page(
        question(1, createdAt="2026-10-07T09:00:00"),
        *(dict(one_row, createdAt=None) for one_row in search(2, A)),
        answer(4, "Rain.", createdAt=f"2026-10-07T{end}"),
    )
    assert words(one(made.one("details.steps"), "summary")) == f"Searched 1 time · {said}".removesuffix(" · ")


def test_the_list_has_the_queries_and_pages_in_order() -> None:
    """Unfolded there is each query with what came back, each page, and what failed, in the order of the round."""
    made = page(
        question(1),
        search(2, hit(A, "One"), hit("ftp://b.example/", "Two"), query="rain in Bergen"),
        call(4, "open_web_page", {"url": C}, "o1"),
        result(5, {"error": "timeout", "url": C}, "o1"),
        call(6, "web_search", {"query": "and never answered"}, "s9"),
        answer(7, "Rain[^1^]."),
    )
    steps = made.one("details.steps")
    items = [words(item) for item in steps.select("ol.step-list > li")]
    assert len(items) == 3
    assert "rain in Bergen" in items[0]
    assert "2 results" in items[0]
    assert C in items[1]
    assert "failed" in items[1]
    assert "and never answered" in items[2]
    assert [(words(a), attribute(a, "href")) for a in steps.select("a[href]")] == [("One", A)]
    assert "Two" in items[0]


def test_internal_tools_are_not_told() -> None:
    """The platform's own tools are in no step list and in no count."""
    internal = ["todo", "task_create", "task_update", "task_list", "task_delete"]
    rows: list[list[Row]] = [
        [call(10 + i, name, {"x": 1}, f"t{i}"), result(20 + i, "done", f"t{i}")] for i, name in enumerate(internal)
    ]
    with_search = page(question(1), *rows, search(2, A), answer(40, "Rain."))
    assert words(one(with_search.one("details.steps"), "summary")).partition(" · ")[0] == "Searched 1 time"
    assert len(with_search.all("ol.step-list > li")) == 1
    without = page(question(1), *rows, answer(40, "Rain."), steps="full")
    assert without.all("details.steps") == []
    assert not any(name in without.main_text for name in internal)


def test_another_tool_is_named() -> None:
    """Any other tool is named with how often it was used."""
    rows = [[call(2 + 2 * i, "run_python", {}, f"p{i}"), result(3 + 2 * i, "ok", f"p{i}")] for i in range(2)]
    made = page(question(1), *rows, answer(9, "Rain."))
    line = words(one(made.one("details.steps"), "summary"))
    assert "run_python" in line
    assert "2 times" in line


def test_the_summary_of_a_call_is_shown() -> None:
    """Of a tool that we do not know the summary that the file gives stands in the list."""
    calls = json.dumps([{"id": "x", "name": "draw_map", "summary": "Map of the fjord", "input": {"path": "/srv/map"}}])
    made = page(question(1), answer(2, None, toolCalls=calls), result(3, "ok", "x"), answer(4, "Done."))
    assert "Map of the fjord" in words(made.one("ol.step-list > li"))
    assert "/srv/map" not in made.html


def test_steps_can_be_hidden_or_shown_in_full() -> None:
    """`hidden` leaves them out, `full` shows them unfolded with the arguments of each call; sources stay."""
    rows = [question(1), *search(2, A, query="rain"), answer(4, "Rain[^1^].")]
    hidden = page(*rows, steps="hidden")
    assert hidden.all("details.steps, .step") == []
    assert len(hidden.sources(4)) == 1
    full = page(*rows, steps="full")
    assert full.one("details.steps").has_attr("open")
    assert '"query": "rain"' in full.one("details.steps").get_text()


def test_a_round_without_tools_has_no_line() -> None:
    """Where no tool was called there is nothing to unfold."""
    assert page(question(1), answer(2, "Rain.")).all("details.steps") == []


def test_steps_stand_between_question_and_answer() -> None:
    """In a round come the question, the steps, the answer with its sources."""
    made = page(question(1), search(2, A), answer(4, "Rain[^1^]."))
    (inside,) = made.all("main section.round")
    order = [tag.get("id") or tag.name for tag in inside.find_all(["article", "details"], recursive=False)]
    assert order == ["m-1", "details", "m-4"]


def test_queries_and_names_are_text() -> None:
    """Markup in a query, a tool's name or a title that came back is shown as the characters that it is."""
    nasty = "<img src=x onerror=alert(1)>"
    made = page(
        question(1),
        search(2, hit(A, nasty), query=nasty),
        call(4, nasty, {"a": nasty}, "n"),
        result(5, "ok", "n"),
        answer(6, "Rain."),
        steps="full",
    )
    assert made.all("main img") == []
    assert made.main_text.count(nasty) >= 3
