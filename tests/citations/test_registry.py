"""The registry of a round: upstream's rule to the letter (first design, §5.2 and §8; contract §6 "registry")."""

from __future__ import annotations

import json

import pytest

from renderer.citations.registry import build_registry, results_of_call
from renderer.citations.results import Result
from renderer.citations.tools import tools_of
from renderer.model import Message, RegistryEntry, Role, Text, ToolCall, ToolResult
from tests.citations.building import NOON, answered, called, hit, message, opened, page, search, searched


def urls(*messages: Message) -> list[str]:
    """The registry's addresses, after a look at their numbers."""
    registry = build_registry(messages)
    assert [entry.n for entry in registry] == list(range(1, len(registry) + 1))
    return [entry.url for entry in registry]


# --- What the two tools return ---------------------------------------------------------------------------------


def test_a_search_gives_its_results_in_order() -> None:
    """Each result of a search is an entry with its address, title, snippet, call and time."""
    answer = search(hit("https://a.example/", "A", "snippet a"), hit("https://b.example/", "B", "snippet b"))
    assert build_registry([called("c1", "web_search"), answered("c1", answer, NOON)]) == (
        RegistryEntry(1, "https://a.example/", "A", "snippet a", "c1", NOON, opened=False),
        RegistryEntry(2, "https://b.example/", "B", "snippet b", "c1", NOON, opened=False),
    )


def test_an_opened_page_is_an_entry() -> None:
    """A page that was opened is an entry with the page as its passage."""
    answer = page("https://a.example/", "A", "# The page")
    assert build_registry([called("c1", "open_web_page"), answered("c1", answer, NOON)]) == (
        RegistryEntry(1, "https://a.example/", "A", "# The page", "c1", NOON, opened=True),
    )


def test_a_truncated_page_is_a_success() -> None:
    """A page that was cut counts, and the local file of its whole text is neither a source nor shown."""
    answer = page("https://a.example/", content="cut", truncated=True, full_content_file="/home/u/full.md", message="m")
    (entry,) = build_registry([called("c1", "open_web_page"), answered("c1", answer)])
    assert entry.url == "https://a.example/"
    assert "full.md" not in repr(entry)


def test_a_page_of_no_text_is_a_success() -> None:
    """`content` only has to be a string: an empty page was opened all the same."""
    assert urls(called("c1", "open_web_page"), answered("c1", page("https://a.example/", content=""))) == [
        "https://a.example/"
    ]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"error": "no network"}', id="error"),
        pytest.param(search(hit("https://a.example/"), error="partly failed"), id="error beside results"),
        pytest.param(search(hit("https://a.example/"), error=None), id="error null beside results"),
        pytest.param(search(hit("https://a.example/"), error=""), id="error empty beside results"),
        pytest.param('{"query": "q"}', id="no results"),
        pytest.param('{"results": null}', id="results null"),
        pytest.param('{"results": {"url": "https://a.example/"}}', id="results an object"),
        pytest.param('{"results": "https://a.example/"}', id="results a string"),
        pytest.param('{"results": 3}', id="results a number"),
        pytest.param('{"data": {"results": [{"url": "https://a.example/"}]}}', id="results deeper down"),
        pytest.param('[{"url": "https://a.example/"}]', id="a list"),
        pytest.param('"https://a.example/"', id="a string"),
        pytest.param("null", id="null"),
        pytest.param("1", id="a number"),
        pytest.param("", id="empty"),
        pytest.param("Found: https://a.example/", id="no JSON"),
        pytest.param('{"results": [{"url": "https://a.example/"}]', id="cut JSON"),
        pytest.param(search(hit("https://a.example/")) + " trailing", id="words after the JSON"),
        pytest.param('{"results": [{"url": "https://a.example/"}], "score": NaN}', id="NaN is no JSON"),
        pytest.param(page("https://a.example/"), id="the other tool's answer"),
    ],
)
def test_a_failed_search_gives_nothing(text: str) -> None:
    """An answer with a top-level `error`, without a list of results, or that is no JSON object, is no success."""
    assert urls(called("c1", "web_search"), answered("c1", text)) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"error": "404", "url": "https://a.example/"}', id="error"),
        pytest.param(page("https://a.example/", error="half"), id="error beside content"),
        pytest.param('{"url": "https://a.example/"}', id="no content"),
        pytest.param('{"url": "https://a.example/", "content": null}', id="content null"),
        pytest.param('{"url": "https://a.example/", "content": ["text"]}', id="content a list"),
        pytest.param('{"url": "https://a.example/", "content": 5}', id="content a number"),
        pytest.param("<html>https://a.example/</html>", id="no JSON"),
        pytest.param(search(hit("https://a.example/")), id="the other tool's answer"),
    ],
)
def test_a_page_that_was_not_opened_gives_nothing(text: str) -> None:
    """An open call is a success only when its answer has a `content` that is a string, and no `error`."""
    assert urls(called("c1", "open_web_page"), answered("c1", text)) == []


def test_what_is_no_result_is_passed_over() -> None:
    """Items that are no objects, and addresses that are no strings, are skipped without taking a number."""
    items = [None, 1, "https://s.example/", ["https://l.example/"], hit(7), hit(None), hit(["https://x.example/"]), {}]
    answer = search(*items, hit("https://a.example/"))
    assert urls(called("c1", "web_search"), answered("c1", answer)) == ["https://a.example/"]


@pytest.mark.parametrize("value", [None, 5, True, ["x"], {"a": "x"}])
def test_a_title_or_snippet_that_is_no_string_is_empty(value: object) -> None:
    """Only the address decides: a title or snippet of a wrong type is taken as an empty one."""
    answer = search(hit("https://a.example/", value, value))
    (entry,) = build_registry([called("c1", "web_search"), answered("c1", answer)])
    assert (entry.title, entry.passage) == ("", "")


def test_a_result_without_title_or_snippet_is_an_entry() -> None:
    """Title and snippet may be missing."""
    (entry,) = build_registry([called("c1", "web_search"), answered("c1", search({"url": "https://a.example/"}))])
    assert (entry.url, entry.title, entry.passage) == ("https://a.example/", "", "")


# --- Numbering -------------------------------------------------------------------------------------------------


def test_addresses_are_compared_as_exact_strings() -> None:
    """Nothing is normalised: what differs in one character is another address with a number of its own."""
    written = [
        "https://a.example",
        "https://a.example/",
        "https://A.example/",
        "http://a.example/",
        "https://a.example/#x",
        "https://a.example:443/",
        "https://a.example/?",
        "https://a.example/%C3%A9",
        "https://a.example/é",
        "https://a.example/e\u0301",
        " https://a.example/",
        "https://a.example/\n",
    ]
    assert urls(*searched("c1", *written)) == written


def test_the_first_of_doubles_wins() -> None:
    """An address that comes again keeps its first number, title, passage, call and time."""
    registry = build_registry(
        [
            called("c1", "web_search"),
            answered("c1", search(hit("https://a.example/", "first", "one"), hit("https://b.example/")), NOON),
            called("c2", "web_search"),
            answered("c2", search(hit("https://c.example/"), hit("https://a.example/", "second", "two"))),
        ]
    )
    assert [entry.url for entry in registry] == ["https://a.example/", "https://b.example/", "https://c.example/"]
    assert registry[0] == RegistryEntry(1, "https://a.example/", "first", "one", "c1", NOON)


def test_doubles_within_one_search_are_dropped() -> None:
    """The same address twice in one answer is one entry."""
    assert urls(*searched("c1", "https://a.example/", "https://a.example/", "https://b.example/")) == [
        "https://a.example/",
        "https://b.example/",
    ]


def test_an_empty_address_is_skipped() -> None:
    """A result or a page without an address takes no number."""
    assert urls(*searched("c1", "", "https://a.example/", ""), *opened("c2", ""), *searched("c3", "https://b/")) == [
        "https://a.example/",
        "https://b/",
    ]


@pytest.mark.parametrize("url", ["ftp://a/", "javascript:alert(1)", "mailto:a@b", "/relative", "no address", " "])
def test_an_address_that_is_never_linked_keeps_its_place(url: str) -> None:
    """What is not http(s) is numbered like every other address, or all numbers after it would be wrong."""
    assert urls(*searched("c1", "https://a.example/", url, "https://b.example/")) == [
        "https://a.example/",
        url,
        "https://b.example/",
    ]


def test_twenty_addresses_at_most() -> None:
    """The twenty-first address has no number, whichever tool returned it."""
    written = [f"https://a.example/{n}" for n in range(1, 31)]
    assert urls(*searched("c1", *written)) == written[:20]
    assert urls(*searched("c1", *written[:20]), *opened("c2", written[20])) == written[:20]


def test_doubles_and_empty_ones_do_not_use_up_the_twenty() -> None:
    """The limit counts different addresses, not results."""
    written = [f"https://a.example/{n}" for n in range(1, 21)]
    assert urls(*searched("c1", *written[:10], *written[:10], ""), *searched("c2", *written)) == written


def test_two_tools_in_turn_are_numbered_in_the_order_of_their_answers() -> None:
    """Numbers follow the rows, not the tools and not the calls."""
    both = message(Role.ASSISTANT, ToolCall("c1", "web_search", {}), ToolCall("c2", "open_web_page", {}))
    assert urls(
        both,
        answered("c2", page("https://second-call.example/")),
        answered("c1", search(hit("https://first-call.example/"))),
        *opened("c3", "https://third.example/"),
        *searched("c4", "https://fourth.example/"),
    ) == [
        "https://second-call.example/",
        "https://first-call.example/",
        "https://third.example/",
        "https://fourth.example/",
    ]


# --- Which results count ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tool", ["image_generate", "mcp__web_search", "web_search2", "Web_Search", " web_search", "openWebPage", "todo", ""]
)
def test_other_tools_give_no_sources(tool: str) -> None:
    """Only `web_search` and `open_web_page` by their exact names return sources, whatever another tool answers."""
    assert urls(called("c1", tool), answered("c1", search(hit("https://a.example/")))) == []
    assert urls(called("c1", tool), answered("c1", page("https://a.example/"))) == []


@pytest.mark.parametrize("tool", ["fetch", "tavily_search", "mcp__fetch__fetch", "WebSearch"])
def test_beside_an_upstream_tool_no_other_tool_counts(tool: str) -> None:
    """Where the platform's own tools were called its rule numbers the round, and knows no other tool."""
    rows = [called("c0", tool), answered("c0", search(hit("https://other.example/")))]
    assert urls(*rows, *searched("c1", "https://a.example/"), *rows) == ["https://a.example/"]
    assert urls(*rows, called("c1", "open_web_page"), answered("c1", '{"error": "no", "url": "x"}')) == []


def test_addresses_in_questions_and_texts_are_no_sources() -> None:
    """What a person pasted or a model wrote is not what a tool returned."""
    pasted = message(Role.USER, Text(search(hit("https://pasted.example/"))))
    written = message(Role.ASSISTANT, Text("https://written.example/"))
    assert urls(pasted, written, *searched("c1", "https://a.example/")) == ["https://a.example/"]


@pytest.mark.parametrize(
    ("call_id", "answer_id"),
    [
        pytest.param("c1", None, id="the answer has no id"),
        pytest.param(None, "c1", id="the call has no id"),
        pytest.param(None, None, id="neither has an id"),
        pytest.param("c1", "c2", id="no such call"),
        pytest.param("c1", "C1", id="case counts"),
    ],
)
def test_an_answer_without_its_call_gives_nothing(call_id: str | None, answer_id: str | None) -> None:
    """Whose answer it is must be recorded: nothing is guessed from what it looks like."""
    assert urls(called(call_id, "web_search"), answered(answer_id, search(hit("https://a.example/")))) == []


def test_the_call_of_an_earlier_round_does_not_count() -> None:
    """A round's registry is made of that round's rows alone."""
    first = searched("c1", "https://old.example/")
    second = [answered("c1", search(hit("https://late.example/"))), *searched("c2", "https://new.example/")]
    assert urls(*first) == ["https://old.example/"]
    assert urls(*second) == ["https://new.example/"]


def test_of_two_calls_with_one_id_the_later_one_names_the_tool() -> None:
    """A doubled call id means what it means upstream, where the later call overwrites the earlier one."""
    answer = answered("c1", search(hit("https://a.example/")))
    assert urls(called("c1", "todo"), called("c1", "web_search"), answer) == ["https://a.example/"]
    assert urls(called("c1", "web_search"), called("c1", "todo"), answer) == []


def test_two_answers_to_one_call_both_count() -> None:
    """Every row that answers a call is read."""
    assert urls(
        called("c1", "web_search"),
        answered("c1", search(hit("https://a.example/"))),
        answered("c1", search(hit("https://b.example/"))),
    ) == ["https://a.example/", "https://b.example/"]


def test_several_answers_in_one_message_are_read_in_order() -> None:
    """A message may hold more than one tool result."""
    both = message(Role.ASSISTANT, ToolCall("c1", "web_search", {}), ToolCall("c2", "web_search", {}))
    answers = message(
        Role.TOOL,
        ToolResult("c2", search(hit("https://b.example/"))),
        ToolResult("c1", search(hit("https://a.example/"))),
    )
    assert urls(both, answers) == ["https://b.example/", "https://a.example/"]


def test_a_round_without_tools_has_an_empty_registry() -> None:
    """No rows, or none of a tool: no entries."""
    assert build_registry([]) == ()
    assert build_registry([message(Role.USER, Text("hi")), message(Role.ASSISTANT, Text("[^1^]"))]) == ()


# --- Opened ----------------------------------------------------------------------------------------------------


def test_an_address_that_was_searched_and_then_opened_is_opened() -> None:
    """The entry keeps the number, title and call of the search, and says that the page was opened."""
    registry = build_registry(
        [
            called("c1", "web_search"),
            answered("c1", search(hit("https://a.example/", "A", "snippet"), hit("https://b.example/"))),
            *opened("c2", "https://a.example/"),
        ]
    )
    assert [(entry.n, entry.title, entry.call_id) for entry in registry] == [(1, "A", "c1"), (2, "", "c1")]
    assert [entry.opened for entry in registry] == [True, False]


@pytest.mark.parametrize(("content", "passage"), [("the whole page", "the whole page"), ("", "snippet")])
def test_the_page_that_was_opened_is_the_passage(content: str, passage: str) -> None:
    """A page says more than the snippet that led to it, unless it came back without text."""
    registry = build_registry(
        [
            called("c1", "web_search"),
            answered("c1", search(hit("https://a.example/", "A", "snippet"))),
            called("c2", "open_web_page"),
            answered("c2", page("https://a.example/", "Page", content)),
        ]
    )
    assert registry[0].passage == passage


def test_an_address_that_was_opened_and_then_searched_stays_opened() -> None:
    """A later search takes nothing away from an opened page."""
    (entry,) = build_registry([*opened("c1", "https://a.example/"), *searched("c2", "https://a.example/")])
    assert entry.opened
    assert entry.call_id == "c1"


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param('{"error": "timeout", "url": "https://a.example/"}', id="failed"),
        pytest.param(page("https://a.example"), id="another address"),
        pytest.param("", id="no answer"),
    ],
)
def test_a_page_that_failed_to_open_is_not_opened(answer: str) -> None:
    """Only a success, with exactly the same address, makes a searched address an opened one."""
    registry = build_registry(
        [*searched("c1", "https://a.example/"), called("c2", "open_web_page"), answered("c2", answer)]
    )
    assert registry[0].url == "https://a.example/"
    assert not registry[0].opened


def test_a_listed_address_is_opened_even_when_the_registry_is_full() -> None:
    """The limit keeps new addresses out; it does not hide that a listed one was opened."""
    registry = build_registry(
        [*searched("c1", *(f"https://a.example/{n}" for n in range(25))), *opened("c2", "https://a.example/0")]
    )
    assert len(registry) == 20
    assert registry[0].opened


# --- Broken and hostile answers --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"results": ' + "[" * 100_000 + "]" * 100_000 + "}", id="lists"),
        pytest.param('{"a":' * 100_000 + "1" + "}" * 100_000, id="objects"),
        pytest.param("[" * 100_000, id="never closed"),
    ],
)
def test_an_answer_nested_a_hundred_thousand_deep_costs_only_itself(text: str) -> None:
    """An answer too deep to decode is passed over, and the others keep their entries."""
    assert urls(
        *searched("c1", "https://a.example/"),
        called("c2", "web_search"),
        answered("c2", text),
        *searched("c3", "https://b.example/"),
    ) == ["https://a.example/", "https://b.example/"]


def test_a_number_of_ten_thousand_digits_costs_only_its_answer() -> None:
    """A number that Python refuses to convert raises nothing, and the other answers keep their entries."""
    answer = '{"results": [], "total_results": ' + "9" * 10_000 + "}"
    assert urls(called("c1", "web_search"), answered("c1", answer), *searched("c2", "https://a.example/")) == [
        "https://a.example/"
    ]


def test_lone_surrogates_are_kept_as_they_are() -> None:
    """Addresses are exact strings even when UTF-8 cannot hold them: cleaning comes where text becomes HTML."""
    text = json.dumps({"results": [{"url": "https://a.example/\ud800", "title": "t\udfff", "content": "\ud83d"}]})
    (entry,) = build_registry([called("c1", "web_search"), answered("c1", text)])
    assert (entry.url, entry.title, entry.passage) == ("https://a.example/\ud800", "t\udfff", "\ud83d")


# --- What one answer returned, for the list of steps -----------------------------------------------------------


def returned(tool: str, text: str) -> tuple[Result, ...] | None:
    """What one call of a tool returned, by the tools of a round that calls nothing else."""
    call = ToolCall("c1", tool, {})
    return results_of_call(call, ToolResult("c1", text), tools_of([message(Role.ASSISTANT, call)], None))


def test_a_success_without_results_is_not_a_failure() -> None:
    """A search that found nothing returned an empty list; a failure returned nothing at all."""
    assert returned("web_search", search()) == ()
    assert returned("web_search", '{"error": "no"}') is None
    assert returned("todo", search(hit("https://a.example/"))) is None


def test_the_steps_list_all_that_came_back() -> None:
    """An answer's own entries are listed with doubles and empty addresses: numbering is the registry's business."""
    answer = search(hit("https://a.example/", "A", "s"), hit("", "no address"), hit("https://a.example/", "again"))
    assert returned("web_search", answer) == (
        Result("https://a.example/", "A", "s"),
        Result("", "no address", ""),
        Result("https://a.example/", "again", ""),
    )
