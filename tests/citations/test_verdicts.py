"""What holds of each citation, which are listed under which number, and which markers go (contract §4 and §6)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from renderer.citations.registry import build_registry
from renderer.citations.verdicts import Evidence, answer_of, check_message, holds_tool_results
from renderer.model import (
    Citation,
    Marker,
    Message,
    Passage,
    Removal,
    Role,
    Round,
    Source,
    Text,
    Thinking,
    ToolCall,
    Verdict,
)
from tests.citations.building import (
    NOON,
    answered,
    called,
    conversation_of,
    given,
    hit,
    markers,
    message,
    registry_of,
    round_of,
    said,
    search,
    searched,
)

A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"


def evidence(*urls: str, recorded: bool = True) -> Evidence:
    """What a round whose tools returned these addresses has to show."""
    return Evidence(registry_of(*urls), recorded=recorded)


def listed(sources: tuple[Source, ...]) -> list[tuple[int, int, str, Verdict]]:
    """The entries of a list as (display number, marker's number, address, verdict)."""
    return [(source.k, source.n, source.url, source.verdict) for source in sources]


# --- Which row is the answer -----------------------------------------------------------------------------------


def test_the_answer_is_the_last_assistant_row_with_text() -> None:
    """Earlier remarks are not the answer, and neither are rows after it that say nothing."""
    last = said("the answer")
    round_ = round_of(
        said("let me search"),
        called("c1", "web_search"),
        answered("c1", search(hit(A))),
        last,
        message(Role.ASSISTANT, ToolCall("c2", "todo", {})),
        answered("c2", "ok"),
        message(Role.ASSISTANT, Text(" \n\t")),
        message(Role.ASSISTANT, Thinking("the answer was good")),
        message(Role.SYSTEM, Text("a system's row")),
        message(Role.OTHER, Text("another's row")),
    )
    assert answer_of(round_) is last


def test_a_row_with_text_and_calls_can_be_the_answer() -> None:
    """Text beside a tool call is text."""
    last = message(Role.ASSISTANT, Text("the answer"), ToolCall("c1", "todo", {}))
    assert answer_of(round_of(last, answered("c1", "ok"))) is last


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param((), id="no rows"),
        pytest.param((message(Role.ASSISTANT),), id="no blocks"),
        pytest.param((said("  \n "),), id="only blanks"),
        pytest.param(searched("c1", A), id="only tools"),
        pytest.param((message(Role.SYSTEM, Text("x")), message(Role.TOOL, Text("y"))), id="no assistant"),
    ],
)
def test_a_round_may_have_no_answer(rows: tuple[Message, ...]) -> None:
    """Without an assistant's text there is no answer."""
    assert answer_of(round_of(*rows)) is None


def test_rows_before_the_first_question_have_no_answer() -> None:
    """Nothing is built for what was said before anything was asked."""
    assert answer_of(round_of(said("welcome"), asked=False)) is None


# --- Whether the file records results --------------------------------------------------------------------------


def test_a_file_with_a_tool_result_has_something_to_check_against() -> None:
    """One result of any tool, in any round, says that the file records what tools returned."""
    silent = round_of(said("hello"))
    assert holds_tool_results(conversation_of((silent, round_of(called("c", "todo"), answered("c", "done"))))) is True
    assert holds_tool_results(conversation_of((round_of(answered("c", "done"), asked=False), silent))) is True
    assert holds_tool_results(conversation_of((silent, round_of(answered(None, "an answer to nothing"))))) is True


def test_a_file_without_tool_results_has_nothing_to_check_against() -> None:
    """Calls alone are no results, and neither are results without content."""
    rounds = (
        round_of(said("hello"), called("c1", "web_search"), answered("c1", "")),
        round_of(called("c2", "web_search"), answered("c2", " \n")),
    )
    assert holds_tool_results(conversation_of(rounds)) is False
    assert holds_tool_results(conversation_of(())) is False


def test_the_first_result_is_enough() -> None:
    """A long file is read only up to its first tool result."""

    class Rounds:
        def __iter__(self) -> Iterator[Round]:
            yield round_of(answered("c", "found"))
            raise AssertionError("read on")

    assert holds_tool_results(conversation_of(Rounds())) is True


# --- The list that is built ------------------------------------------------------------------------------------


def test_citations_are_built_from_the_markers_of_the_answer() -> None:
    """The answer's markers choose entries of the registry: ascending by n, each once, display numbers without gaps."""
    checked = check_message(said("x"), markers(5, 2, 5, 2), evidence(A, B, C, "d", "e"), is_answer=True)
    assert listed(checked.sources) == [(1, 2, B, Verdict.RETURNED), (2, 5, "e", Verdict.RETURNED)]
    assert checked.removals == ()
    assert checked.removed_markers == 0
    assert {n: source.k for n, source in checked.by_n.items()} == {2: 1, 5: 2}


def test_a_source_shows_what_the_tool_returned() -> None:
    """A built entry carries the tool's title, the registry's entry and its passage."""
    registry = build_registry([called("c1", "web_search"), answered("c1", search(hit(A, "Title", "snippet")), NOON)])
    (source,) = check_message(said("x"), markers(1), Evidence(registry, True), is_answer=True).sources
    assert source == Source(1, 1, A, "Title", Verdict.RETURNED, registry[0], Passage("snippet", NOON))


@pytest.mark.parametrize("n", [0, 3, 21, 10**18])
def test_a_marker_out_of_range_is_removed(n: int) -> None:
    """A number that no entry of the registry has is `no-source`, and the good markers stay."""
    checked = check_message(said("x"), markers(1, n, 2), evidence(A, B), is_answer=True)
    assert listed(checked.sources) == [(1, 1, A, Verdict.RETURNED), (2, 2, B, Verdict.RETURNED)]
    assert checked.removals == (Removal(f"[^{n}^]", n, Verdict.NO_SOURCE),)
    assert checked.removed_markers == 1


def test_every_marker_out_of_range_leaves_an_answer_without_sources() -> None:
    """Markers that all point nowhere are all removed, each counted as often as it stands in the text."""
    checked = check_message(said("x"), markers(7, 8, 7), evidence(A), is_answer=True)
    assert checked.sources == ()
    assert [removal.marker for removal in checked.removals] == ["[^7^]", "[^8^]", "[^7^]"]
    assert checked.removed_markers == 3


def test_an_answer_without_markers_lists_nothing() -> None:
    """What was searched and not cited is no source of the answer."""
    checked = check_message(said("x"), [], evidence(A, B), is_answer=True)
    assert (checked.sources, checked.removals) == ((), ())


def test_a_cited_address_that_is_never_linked_is_listed() -> None:
    """A returned address that is not http(s) is a source like any other here; only a page does not link it."""
    checked = check_message(said("x"), markers(2), evidence(A, "ftp://b.example/"), is_answer=True)
    assert listed(checked.sources) == [(1, 2, "ftp://b.example/", Verdict.RETURNED)]


def test_without_results_there_is_nothing_to_build_from() -> None:
    """In a file that records no results the markers of an answer without a list have no source."""
    checked = check_message(said("x"), markers(1), evidence(recorded=False), is_answer=True)
    assert checked.sources == ()
    assert checked.removals == (Removal("[^1^]", 1, Verdict.NO_SOURCE),)


def test_a_marker_that_names_several_numbers_loses_each_of_them_alone() -> None:
    """Of the numbers of one marker those with a source are listed and the others are removals of that marker."""
    both = [Marker("[1,9]", (1, 9))]
    checked = check_message(said("x"), both, evidence(A), is_answer=True)
    assert listed(checked.sources) == [(1, 1, A, Verdict.RETURNED)]
    assert checked.removals == (Removal("[1,9]", 9, Verdict.NO_SOURCE),)


# --- Other rows ------------------------------------------------------------------------------------------------


def test_the_markers_of_a_remark_are_removed() -> None:
    """Nothing is built for an assistant's row that is not the answer, even when its numbers are in the registry."""
    checked = check_message(said("x"), markers(1, 2), evidence(A, B), is_answer=False)
    assert checked.sources == ()
    assert checked.removals == (
        Removal("[^1^]", 1, Verdict.NO_SOURCE),
        Removal("[^2^]", 2, Verdict.NO_SOURCE),
    )


def test_a_remark_with_a_list_of_its_own_shows_it() -> None:
    """Another assistant's row that brings its own citations is checked like the answer."""
    checked = check_message(said("x", given(1, A), given(2, C)), markers(1, 2), evidence(A, B), is_answer=False)
    assert listed(checked.sources) == [(1, 1, A, Verdict.RETURNED)]
    assert checked.removals == (Removal("[^2^]", 2, Verdict.NOT_RETURNED),)


# --- The list that is given ------------------------------------------------------------------------------------


def test_a_given_list_is_the_list() -> None:
    """Where the file gives a list nothing is built beside it: a marker without an entry there has no source."""
    checked = check_message(said("x", given(2, B)), markers(1, 2), evidence(A, B), is_answer=True)
    assert listed(checked.sources) == [(1, 2, B, Verdict.RETURNED)]
    assert checked.removals == (Removal("[^1^]", 1, Verdict.NO_SOURCE),)


def test_an_empty_list_is_a_list() -> None:
    """An answer whose file says that it cites nothing cites nothing."""
    checked = check_message(said("x", given=True), markers(1), evidence(A), is_answer=True)
    assert checked.sources == ()
    assert checked.removals == (Removal("[^1^]", 1, Verdict.NO_SOURCE),)


def test_a_given_list_is_put_in_the_order_of_its_numbers() -> None:
    """Entries are listed by ascending n whatever their order in the file and in the text."""
    checked = check_message(
        said("x", given(9, C), given(2, A), given(4, B)), markers(9, 2), evidence(A, B, C), is_answer=True
    )
    assert [(source.k, source.n) for source in checked.sources] == [(1, 2), (2, 4), (3, 9)]


def test_an_entry_that_no_marker_uses_is_listed() -> None:
    """A checked entry has its place in the list, and its number, even when nothing in the text points to it."""
    checked = check_message(
        said("x", given(1, A), given(2, B), given(3, C)), markers(3), evidence(A, B, C), is_answer=True
    )
    assert [(source.k, source.n) for source in checked.sources] == [(1, 1), (2, 2), (3, 3)]
    assert checked.removals == ()


def test_the_white_list_is_about_addresses() -> None:
    """An entry whose n is not the place of its address is returned all the same, and keeps its own n."""
    checked = check_message(said("x", given(1, C), given(7, A)), markers(1, 7), evidence(A, B, C), is_answer=True)
    assert listed(checked.sources) == [(1, 1, C, Verdict.RETURNED), (2, 7, A, Verdict.RETURNED)]
    assert checked.sources[0].entry == evidence(A, B, C).registry[2]


def test_two_entries_with_one_address_are_two_entries() -> None:
    """Numbers are kept apart even when the file gives them the same address."""
    checked = check_message(said("x", given(1, A), given(2, A)), markers(1, 2), evidence(A), is_answer=True)
    assert listed(checked.sources) == [(1, 1, A, Verdict.RETURNED), (2, 2, A, Verdict.RETURNED)]


def test_an_address_that_no_tool_returned_takes_its_markers_with_it() -> None:
    """A made-up address is neither listed nor linked, every marker of it goes, and the display numbers close up."""
    message_ = said("x", given(1, A), given(2, "https://made-up.example/"), given(3, B))
    checked = check_message(message_, markers(2, 1, 3, 2), evidence(A, B), is_answer=True)
    assert listed(checked.sources) == [(1, 1, A, Verdict.RETURNED), (2, 3, B, Verdict.RETURNED)]
    assert checked.removals == (
        Removal("[^2^]", 2, Verdict.NOT_RETURNED),
        Removal("[^2^]", 2, Verdict.NOT_RETURNED),
    )
    assert checked.removed_markers == 2
    assert 2 not in checked.by_n


@pytest.mark.parametrize(
    "url",
    ["https://a.example", "https://A.example/", "http://a.example/", "https://a.example/#x", " https://a.example/", ""],
)
def test_an_address_is_returned_only_to_the_letter(url: str) -> None:
    """An address that differs from the returned one in one character was not returned."""
    checked = check_message(said("x", given(1, url)), markers(1), evidence(A), is_answer=True)
    assert checked.sources == ()
    assert checked.removals == (Removal("[^1^]", 1, Verdict.NOT_RETURNED),)


def test_a_dropped_entry_without_markers_is_named_once() -> None:
    """An entry that goes though no marker used it is one removal without a marker, and counts as no removed marker."""
    checked = check_message(said("x", given(1, A), given(2, C)), markers(1), evidence(A), is_answer=True)
    assert checked.removals == (Removal(None, 2, Verdict.NOT_RETURNED),)
    assert checked.removed_markers == 0


def test_a_round_whose_tools_returned_nothing_confirms_nothing() -> None:
    """Where the file records results, an answer of a round without any has no returned address."""
    checked = check_message(said("x", given(1, A)), markers(1), evidence(recorded=True), is_answer=True)
    assert checked.sources == ()
    assert checked.removals == (Removal("[^1^]", 1, Verdict.NOT_RETURNED),)


def test_removals_stand_in_the_order_of_the_text() -> None:
    """Removed markers are told in reading order, whatever the reason, and entries without markers after them."""
    message_ = said("x", given(1, A), given(2, C), given(3, "https://d.example/"))
    checked = check_message(message_, markers(9, 2, 1, 8, 2), evidence(A), is_answer=True)
    assert checked.removals == (
        Removal("[^9^]", 9, Verdict.NO_SOURCE),
        Removal("[^2^]", 2, Verdict.NOT_RETURNED),
        Removal("[^8^]", 8, Verdict.NO_SOURCE),
        Removal("[^2^]", 2, Verdict.NOT_RETURNED),
        Removal(None, 3, Verdict.NOT_RETURNED),
    )


@pytest.mark.parametrize(
    ("first", "second", "sources"),
    [
        pytest.param(A, B, [(1, 1, A, Verdict.RETURNED)], id="both returned"),
        pytest.param(A, C, [(1, 1, A, Verdict.RETURNED)], id="a made-up one after a returned one"),
        pytest.param(C, A, [], id="a returned one after a made-up one"),
    ],
)
def test_of_doubles_of_a_number_the_first_wins(first: str, second: str, sources: list[object]) -> None:
    """A second entry of the same n changes nothing: it is not listed, and lends its verdict to no other address."""
    checked = check_message(said("x", given(1, first), given(1, second)), markers(1), evidence(A, B), is_answer=True)
    assert listed(checked.sources) == sources
    assert checked.removed_markers == (0 if sources else 1)


# --- Titles ----------------------------------------------------------------------------------------------------


def test_the_title_of_a_returned_source_is_the_tools() -> None:
    """A returned source shows the title that came with the address, not the one in the list that is being checked."""
    checked = check_message(said("x", given(1, A, "flattering")), markers(1), evidence(A), is_answer=True)
    assert checked.sources[0].title == "tool's 1"


def test_the_title_of_an_unchecked_source_is_the_lists() -> None:
    """Where nothing was recorded the list's own title is all there is."""
    checked = check_message(said("x", given(1, A, "theirs")), markers(1), evidence(recorded=False), is_answer=True)
    assert (checked.sources[0].title, checked.sources[0].entry) == ("theirs", None)


# --- Nothing to check against ----------------------------------------------------------------------------------


def test_a_file_without_results_leaves_its_citations_unchecked() -> None:
    """A given list is shown as not checked, in its order and with its markers, where the file records no results."""
    checked = check_message(
        said("x", given(3, B), given(1, A)), markers(1, 3, 4), evidence(recorded=False), is_answer=True
    )
    assert listed(checked.sources) == [(1, 1, A, Verdict.UNCHECKED), (2, 3, B, Verdict.UNCHECKED)]
    assert checked.removals == (Removal("[^4^]", 4, Verdict.NO_SOURCE),)


def test_before_the_first_question_a_given_list_is_unchecked() -> None:
    """Rows before the first question have no round whose tools could confirm them, though the file records results."""
    prelude = Evidence(registry=(), recorded=False)
    checked = check_message(said("x", given(1, A)), markers(1), prelude, is_answer=False)
    assert listed(checked.sources) == [(1, 1, A, Verdict.UNCHECKED)]


def test_before_the_first_question_nothing_is_built() -> None:
    """A row before the first question without a list of its own loses its markers."""
    prelude = Evidence(registry=(), recorded=False)
    checked = check_message(said("x"), markers(1), prelude, is_answer=False)
    assert checked.sources == ()
    assert checked.removals == (Removal("[^1^]", 1, Verdict.NO_SOURCE),)


# --- Answers that carry their own passages ---------------------------------------------------------------------


def retrieved(*citations: Citation) -> Message:
    """A retrieval answer with these entries."""
    return message(Role.ASSISTANT, Text("x"), citations=citations)


STORED = Evidence(registry=(), recorded=False, stored=True)


def test_a_stored_passage_is_the_evidence() -> None:
    """In a retrieval answer an entry is returned when its passage is stored with it, even without an address."""
    passage = Passage("the words", document="d1", page=3)
    message_ = retrieved(Citation(1, A, "Doc", passage), Citation(2, "", "Doc 2", passage))
    checked = check_message(message_, markers(1, 2), STORED, is_answer=True)
    assert listed(checked.sources) == [(1, 1, A, Verdict.RETURNED), (2, 2, "", Verdict.RETURNED)]
    assert [source.passage for source in checked.sources] == [passage, passage]
    assert [source.title for source in checked.sources] == ["Doc", "Doc 2"]


@pytest.mark.parametrize("passage", [None, Passage(""), Passage(" \n")])
def test_an_entry_without_a_stored_passage_is_unchecked(passage: Passage | None) -> None:
    """Where nothing was stored there is nothing to check against."""
    checked = check_message(retrieved(Citation(1, A, "Doc", passage)), markers(1), STORED, is_answer=True)
    assert listed(checked.sources) == [(1, 1, A, Verdict.UNCHECKED)]


# --- Verdicts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdict", "value", "shown"),
    [
        (Verdict.RETURNED, "returned", True),
        (Verdict.OPENED, "opened", True),
        (Verdict.UNCHECKED, "unchecked", True),
        (Verdict.NOT_RETURNED, "not-returned", False),
        (Verdict.NO_SOURCE, "no-source", False),
    ],
)
def test_a_verdict_has_the_name_of_the_contract(verdict: Verdict, value: str, shown: bool) -> None:
    """The five verdicts are called as in the contract's table, and the first three are shown."""
    assert (verdict.value, verdict.shown) == (value, shown)


def test_there_are_five_verdicts() -> None:
    """No verdict exists that the contract does not name."""
    assert len(Verdict) == 5
