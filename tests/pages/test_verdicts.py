"""What of an answer's citations is shown, numbered and linked: `contract.md` §4 and §6, row by row."""

from __future__ import annotations

import json

import pytest

from tests.pages.making import (
    A,
    B,
    C,
    D,
    E,
    Page,
    answer,
    attribute,
    call,
    entry,
    hit,
    one,
    open_page_rows,
    page,
    page_of,
    question,
    result,
    search,
    words,
)
from tests.readers.making import jsonl

FTP = "ftp://files.example/rain.txt"


def listed(made: Page, message_id: object) -> list[tuple[int, int, str, str | None]]:
    """The entries under a message: display number, own number, verdict, and the address that the title links to."""
    found = []
    for item in made.sources(message_id):
        links = item.select("a.source-title")
        address = attribute(links[0], "href") if links else None
        found.append(
            (int(attribute(item, "data-k")), int(attribute(item, "data-n")), attribute(item, "data-verdict"), address)
        )
    return found


def numbers(made: Page, message_id: object) -> list[str]:
    """The numbers in a message's text, as they are read."""
    return [words(sup) for sup in made.article(message_id).select("sup.cite-ref")]


def removed(made: Page, message_id: object) -> int:
    """How many markers the page says were taken out of a message."""
    return int(attribute(made.article(message_id), "data-removed"))


# --- Numbering -------------------------------------------------------------------------------------------------


def test_numbers_have_no_gaps() -> None:
    """A registry of five of which the second and the fifth are cited is shown as [1] and [2]."""
    made = page(question(1), search(2, A, B, C, D, E), answer(4, "First[^5^], then[^2^], again[^5^]."))
    assert listed(made, 4) == [(1, 2, "returned", B), (2, 5, "returned", E)]
    assert numbers(made, 4) == ["[2]", "[1]", "[2]"]


def test_an_entry_without_marker_has_its_place() -> None:
    """An entry that no marker uses is listed, counts in the numbering, and has no way back."""
    given = [entry(1, A), entry(2, B), entry(3, C)]
    made = page(question(1), search(2, A, B, C), answer(4, "x[^1^] y[^3^]", given))
    assert listed(made, 4) == [(1, 1, "returned", A), (2, 2, "returned", B), (3, 3, "returned", C)]
    assert numbers(made, 4) == ["[1]", "[3]"]
    assert [len(item.select("a.source-back")) for item in made.sources(4)] == [1, 0, 1]


def test_the_files_own_order_of_entries_does_not_matter() -> None:
    """Display numbers follow the markers' own numbers, ascending, in whatever order the entries stand."""
    made = page(question(1), search(2, A, B, C), answer(4, "x[^3^] y[^1^]", [entry(3, C), entry(1, A)]))
    assert listed(made, 4) == [(1, 1, "returned", A), (2, 3, "returned", C)]
    assert numbers(made, 4) == ["[2]", "[1]"]


def test_each_answer_counts_from_one() -> None:
    """Numbers are an answer's own: the second round begins again, with its own registry."""
    made = page(
        question(1),
        search(2, A, B),
        answer(4, "x[^2^]"),
        question(5),
        search(6, C, D, call_id="c2"),
        answer(8, "y[^2^]"),
    )
    assert listed(made, 4) == [(1, 2, "returned", B)]
    assert listed(made, 8) == [(1, 2, "returned", D)]


def test_a_marker_with_leading_zeros_is_its_number() -> None:
    """`[^02^]` names source 2."""
    made = page(question(1), search(2, A, B), answer(4, "x[^02^]"))
    assert numbers(made, 4) == ["[1]"]
    assert listed(made, 4) == [(1, 2, "returned", B)]


# --- Which rows cite -------------------------------------------------------------------------------------------


def test_citations_are_built_for_the_last_row_with_text() -> None:
    """The answer is the round's last assistant row with text: markers in rows before it are removed."""
    made = page(
        question(1),
        search(2, A, B),
        answer(4, "Let me look further[^1^]."),
        search(5, C, call_id="c2"),
        answer(7, "It rains[^1^][^3^]."),
        call(8, "todo", {}, "c3"),
        result(9, "done", "c3"),
    )
    assert listed(made, 4) == []
    assert (removed(made, 4), made.prose(4)) == (1, "Let me look further.")
    assert listed(made, 7) == [(1, 1, "returned", A), (2, 3, "returned", C)]


def test_another_row_shows_the_list_that_it_brings() -> None:
    """A row that is not the answer but has citations of its own shows them, checked against the same registry."""
    made = page(
        question(1),
        search(2, A, B),
        answer(4, "So far[^2^].", [entry(2, B)]),
        answer(5, "Rain[^1^].", [entry(1, A)]),
    )
    assert listed(made, 4) == [(1, 2, "returned", B)]
    assert numbers(made, 4) == ["[1]"]
    assert listed(made, 5) == [(1, 1, "returned", A)]


def test_a_later_rounds_answer_cannot_use_an_earlier_search() -> None:
    """Tools of another round do not count: the address is not among those that this answer could use."""
    made = page(question(1), search(2, A), answer(4, "x[^1^]"), question(5), answer(6, "y[^1^]", [entry(1, A)]))
    assert listed(made, 6) == []
    assert (removed(made, 6), made.prose(6)) == (1, "y")


def test_a_search_after_the_answer_counts_for_its_round() -> None:
    """The registry is the whole round's, whichever row of it is the answer."""
    made = page(question(1), answer(2, "x[^1^]"), search(3, A))
    assert listed(made, 2) == [(1, 1, "returned", A)]


# --- Verdicts --------------------------------------------------------------------------------------------------


def test_an_address_that_no_tool_returned_goes() -> None:
    """An entry whose address differs by a letter is removed with its markers, and the rest are numbered anew."""
    given = [entry(1, A), entry(2, B.replace("two", "twa")), entry(3, C)]
    made = page(question(1), search(2, A, B, C), answer(4, "x[^1^] y[^2^] z[^3^] w[^2^]", given))
    assert listed(made, 4) == [(1, 1, "returned", A), (2, 3, "returned", C)]
    assert (removed(made, 4), made.prose(4)) == (2, "x[1] y z[2] w")
    assert "twa" not in made.html


@pytest.mark.parametrize(
    "other",
    ["https://A.example/one", "http://a.example/one", "https://a.example/one/", "https://a.example/one#x", " " + A],
)
def test_addresses_are_compared_as_exact_strings(other: str) -> None:
    """An address that a browser would take for the same one is another one."""
    made = page(question(1), search(2, A), answer(4, "x[^1^]", [entry(1, other)]))
    assert listed(made, 4) == []
    assert removed(made, 4) == 1


def test_a_number_that_is_not_the_place_of_its_address_is_none_of_our_business() -> None:
    """The white list is about addresses: an entry is returned if its address is in the registry, whatever its n."""
    made = page(question(1), search(2, A, B), answer(4, "x[^9^]", [entry(9, A)]))
    assert listed(made, 4) == [(1, 9, "returned", A)]
    assert numbers(made, 4) == ["[1]"]


@pytest.mark.parametrize("marker", ["[^0^]", "[^3^]", "[^99999999999999999999^]"])
def test_a_marker_out_of_range_goes(marker: str) -> None:
    """A marker that names no source leaves nothing behind in the text, and is counted."""
    made = page(question(1), search(2, A, B), answer(4, f"Rain{marker}, says one[^1^]."))
    assert made.prose(4) == "Rain, says one[1]."
    assert removed(made, 4) == 1
    assert marker not in made.html


def test_a_removed_marker_leaves_no_blank_behind() -> None:
    """Neither a double blank nor one before the punctuation stays where a marker stood alone."""
    made = page(question(1), search(2, A), answer(4, "Rain [^7^]. Then [^8^] sun [^9^]"))
    assert one(made.article(4), ".prose p").get_text() == "Rain. Then sun"


def test_an_entry_dropped_without_a_marker_is_said_too() -> None:
    """An entry that goes although no marker used it is told to the reader, and is no removed marker."""
    made = page(question(1), search(2, A), answer(4, "x[^1^]", [entry(1, A), entry(2, B)]))
    assert listed(made, 4) == [(1, 1, "returned", A)]
    assert made.article(4).get("data-removed") in (None, "0")
    assert "1 listed source" in words(made.article(4))
    assert len(made.warnings) == 1


@pytest.mark.parametrize(
    ("lang", "words_of_it"), [("en", ["2 markers", "removed", "1 marker"]), ("zh-CN", ["2 个标记", "移除", "1 个标记"])]
)
def test_removals_are_said_in_words(lang: str, words_of_it: list[str]) -> None:
    """Under the answer stands how many markers were removed and why, and nothing in it is hidden."""
    given = [entry(1, A), entry(2, "https://made.up/")]
    made = page(question(1), search(2, A), answer(4, "x[^1^] y[^2^] z[^2^] w[^3^]", given), lang=lang)
    (note,) = [tag for tag in made.article(4).select('[role="note"]') if words_of_it[1] in words(tag)]
    assert all(part in words(note) for part in words_of_it)
    assert note.find_parent("details") is None
    assert not note.has_attr("hidden")
    assert removed(made, 4) == 3


def test_markers_in_code_are_no_markers() -> None:
    """In code a marker stays as it is written; it is neither linked nor removed nor counted."""
    text = "Write `[^1^]`:\n\n```\nclaim [^9^]\n```\n\nas here[^1^]."
    made = page(question(1), search(2, A), answer(4, text))
    assert numbers(made, 4) == ["[1]"]
    assert "Write [^1^]:" in made.prose(4)
    assert "claim [^9^]" in made.prose(4)
    assert made.article(4).get("data-removed") in (None, "0")


def test_without_any_tool_result_nothing_was_checked() -> None:
    """A file that holds no tool results has its entries shown and linked, and marked as not checked."""
    made = page(question(1), answer(2, "x[^1^] y[^4^] z[^5^]", [entry(1, A, "One"), entry(4, B, "Two")]))
    assert listed(made, 2) == [(1, 1, "unchecked", A), (2, 4, "unchecked", B)]
    assert numbers(made, 2) == ["[1]", "[2]"]
    assert removed(made, 2) == 1
    for item in made.sources(2):
        assert "not checked: this export holds no tool results" in words(item)


def test_one_tool_result_anywhere_is_something_to_check_against() -> None:
    """Once the file records what any tool returned, an address of a round without tools was not returned."""
    made = page(question(1), answer(2, "x[^1^]", [entry(1, A)]), question(3), search(4, B), answer(6, "y"))
    assert listed(made, 2) == []
    assert removed(made, 2) == 1


def test_what_was_returned_says_so() -> None:
    """The verdict is said in words: what a search returned, and what was opened."""
    made = page(question(1), search(2, A), open_page_rows(4, B, "Two"), answer(6, "x[^1^] y[^2^]"))
    first, second = made.sources(6)
    assert "returned by a search in this conversation" in words(first)
    assert "opened" in words(second)
    assert [v for _, _, v, _ in listed(made, 6)] == ["returned", "returned"]


# --- The registry ----------------------------------------------------------------------------------------------


def test_only_search_and_opened_pages_are_sources() -> None:
    """Addresses in answers of other tools, in the question and in calls are none."""
    made = page(
        question(1, f"See {A}"),
        call(2, "bash", {"command": f"curl {B}"}, "x1"),
        result(3, {"results": [hit(B, "B")], "url": B, "content": B}, "x1"),
        search(4, C),
        answer(6, "x[^1^] y[^2^]"),
    )
    assert listed(made, 6) == [(1, 1, "returned", C)]
    assert removed(made, 6) == 1


def test_failures_return_nothing() -> None:
    """A search or an opened page that answers with an error adds no address, even if one stands in it."""
    made = page(
        question(1),
        call(2, "web_search", {"query": "x"}, "f1"),
        result(3, {"error": "timeout", "results": [hit(A, "A")]}, "f1"),
        call(4, "open_web_page", {"url": B}, "f2"),
        result(5, {"error": "404", "url": B}, "f2"),
        search(6, C),
        answer(8, "x[^1^]"),
    )
    assert listed(made, 8) == [(1, 1, "returned", C)]


def test_a_truncated_page_is_a_success() -> None:
    """A page that was opened but cut is a source all the same."""
    made = page(
        question(1), open_page_rows(2, A, "One", truncated=True, full_content_file="/tmp/x.md"), answer(4, "x[^1^]")
    )
    assert listed(made, 4) == [(1, 1, "returned", A)]


def test_doubles_and_empty_addresses_take_no_number() -> None:
    """An address that came before, and a result without one, are skipped in the numbering."""
    made = page(
        question(1),
        search(2, A, hit("", "nowhere"), A, B),
        search(4, B, C, call_id="c2"),
        answer(6, "x[^1^] y[^2^] z[^3^] w[^4^]"),
    )
    assert listed(made, 6) == [(1, 1, "returned", A), (2, 2, "returned", B), (3, 3, "returned", C)]
    assert removed(made, 6) == 1


def test_the_registry_ends_at_twenty() -> None:
    """The twenty-first address of a round is no source, cited by number or listed by the file."""
    many = [f"https://many.example/{n}" for n in range(1, 23)]
    built = page(question(1), search(2, *many), answer(4, "x[^20^] y[^21^]"))
    assert listed(built, 4) == [(1, 20, "returned", many[19])]
    given = page(question(1), search(2, *many), answer(4, "x[^21^]", [entry(21, many[20])]))
    assert listed(given, 4) == []


@pytest.mark.parametrize("address", [FTP, "javascript:alert(1)", "file:///etc/passwd", "/relative", "data:text/html,x"])
def test_an_address_that_is_not_http_keeps_its_number_and_is_never_linked(address: str) -> None:
    """Such a source is listed with its title and its place in the numbering, but nothing on the page leads to it."""
    made = page(question(1), search(2, hit(address, "Rain table"), B), answer(4, "x[^1^] y[^2^]"))
    assert listed(made, 4) == [(1, 1, "returned", None), (2, 2, "returned", B)]
    assert words(one(made.sources(4)[0], ".source-title")) == "Rain table"
    assert address not in [attribute(a, "href") for a in made.all("[href]")]


def test_results_are_found_by_the_id_of_their_call() -> None:
    """An answer of a tool counts by the call that it names; one that names no call counts for nothing."""
    made = page(
        question(1),
        call(2, "web_search", {"query": "x"}, "real"),
        result(3, {"results": [hit(A, "A")]}, "another"),
        result(4, {"results": [hit(B, "B")]}, None),
        result(5, {"results": [hit(C, "C")]}, "real"),
        answer(6, "x[^1^]"),
    )
    assert listed(made, 6) == [(1, 1, "returned", C)]


def test_both_shapes_of_calls_are_known() -> None:
    """A call of the second shape (name, input) gives sources just as one of the first."""
    calls = json.dumps([{"id": "c9", "name": "web_search", "summary": "rain", "input": {"query": "rain"}}])
    made = page(
        question(1),
        answer(2, None, toolCalls=calls),
        result(3, {"query": "rain", "results": [hit(A, "A")], "total_results": 1}, "c9"),
        answer(4, "x[^1^]"),
    )
    assert listed(made, 4) == [(1, 1, "returned", A)]


# --- What the file gives ---------------------------------------------------------------------------------------


def test_an_empty_list_is_the_list() -> None:
    """Where the file gives a list without entries nothing is built, and all markers are removed."""
    made = page(question(1), search(2, A), answer(4, "x[^1^]", []))
    assert listed(made, 4) == []
    assert (removed(made, 4), made.prose(4)) == (1, "x")


@pytest.mark.parametrize("metadata", [None, "", "{", "not json", '"text"', "[1]", '{"citations": "none"}', "{}", 7])
def test_unreadable_metadata_are_as_if_absent(metadata: object) -> None:
    """Without a list that can be read, one is built from the registry when the text has markers."""
    made = page(question(1), search(2, A, B), answer(4, "x[^2^]", metadata=metadata))
    assert listed(made, 4) == [(1, 2, "returned", B)]


def test_metadata_may_be_the_object_itself() -> None:
    """The list counts as well when metadata is no string but a JSON object."""
    made = page(question(1), search(2, A, B), answer(4, "x[^5^]", metadata={"citations": [entry(5, B)]}))
    assert listed(made, 4) == [(1, 5, "returned", B)]


def test_bad_entries_are_skipped() -> None:
    """Entries without a positive whole number or without an address are passed over, one by one."""
    bad: list[object] = [
        None,
        3,
        "x",
        [],
        {},
        entry(0, A),
        entry(-1, A),
        entry("2", B),
        entry(True, A),
        entry(1.5, A),
        entry(4, None),
    ]
    made = page(question(1), search(2, A, B), answer(4, "x[^3^]", [*bad, entry(3, B)]))
    assert listed(made, 4) == [(1, 3, "returned", B)]


def test_of_two_entries_of_one_number_the_first_counts() -> None:
    """The first entry of a number wins, right or wrong."""
    right_first = page(question(1), search(2, A, B), answer(4, "x[^1^]", [entry(1, A), entry(1, B)]))
    assert listed(right_first, 4) == [(1, 1, "returned", A)]
    wrong_first = page(question(1), search(2, A, B), answer(4, "x[^1^]", [entry(1, "https://made.up/"), entry(1, B)]))
    assert listed(wrong_first, 4) == []
    assert removed(wrong_first, 4) == 1


def test_without_markers_nothing_is_built() -> None:
    """An answer without a list and without markers cites nothing, whatever the tools returned."""
    made = page(question(1), search(2, A), answer(4, "It rains."))
    assert listed(made, 4) == []


# --- Before the first question ---------------------------------------------------------------------------------


def test_rows_before_the_first_question_are_unchecked() -> None:
    """A cut-off beginning keeps its citations, linked and marked as not checked, although the file holds results."""
    made = page_of(
        jsonl(
            *search(1, A),
            answer(3, "Earlier[^1^] and[^2^] more[^7^].", [entry(1, A, "One"), entry(2, B, "Two")]),
            question(4),
            *search(5, C, call_id="c2"),
            answer(7, "Now[^1^]."),
        )
    )
    assert listed(made, 3) == [(1, 1, "unchecked", A), (2, 2, "unchecked", B)]
    assert (removed(made, 3), made.prose(3)) == (1, "Earlier[1] and[2] more.")
    assert all("not checked" in words(item) for item in made.sources(3))
    assert listed(made, 7) == [(1, 1, "returned", C)]


def test_nothing_is_built_before_the_first_question() -> None:
    """There an answer without a list of its own has no sources, and its markers go."""
    made = page_of(jsonl(*search(1, A), answer(3, "Earlier[^1^]."), question(4), answer(5, "Now.")))
    assert listed(made, 3) == []
    assert (removed(made, 3), made.prose(3)) == (1, "Earlier.")


# --- Titles ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 59, 60])
def test_a_title_of_up_to_sixty_characters_is_whole(length: int) -> None:
    """A title that fits is shown as it is."""
    made = page(question(1), search(2, hit(A, "雨" * length)), answer(4, "x[^1^]"))
    assert words(one(made.sources(4)[0], ".source-title")) == "雨" * length


@pytest.mark.parametrize("address", [A, FTP])
def test_a_longer_title_is_cut_and_the_whole_one_is_there(address: str) -> None:
    """Of a longer title sixty characters are shown, and all of it can be read by pointing at it or hearing it."""
    title = "".join(chr(0x4E00 + n) for n in range(61))
    made = page(question(1), search(2, hit(address, title)), answer(4, "x[^1^]"))
    shown = one(made.sources(4)[0], ".source-title")
    assert words(shown) == title[:60] + "…"
    assert title in (shown.get("title"), shown.get("aria-label"))


def test_without_title_host_and_path_are_shown() -> None:
    """A source without a title is called by its host and path, as it was returned."""
    address = "https://a.example/reports/rain?day=2"
    made = page(question(1), search(2, hit(address, ""), hit("https://b.example/", " ")), answer(4, "x[^1^] y[^2^]"))
    titles = [words(one(item, ".source-title")) for item in made.sources(4)]
    assert titles[0].startswith("a.example/reports/rain")
    assert titles[1].rstrip("/") == "b.example"


def test_titles_are_text() -> None:
    """Markup in a title is shown as the characters that it is, in the list and in the number's name."""
    title = '<img src=x onerror=alert(1)> & "quoted" [^1^] **bold**'
    made = page(question(1), search(2, hit(A, title)), answer(4, "x[^1^]"))
    assert words(one(made.sources(4)[0], ".source-title")) == title
    assert title in attribute(made.one("sup.cite-ref a"), "aria-label")
    assert made.all("main img") == []


def test_the_host_shown_is_where_the_link_leads() -> None:
    """An address that is made to look like another shows the host that a browser would go to."""
    tricky = "https://good.example@evil.example/login"
    made = page(question(1), search(2, hit(tricky, "Good")), answer(4, "x[^1^]"))
    (item,) = made.sources(4)
    assert words(one(item, ".source-domain")) == "evil.example"
    assert "good.example" not in attribute(one(item, "a.source-title"), "href")
