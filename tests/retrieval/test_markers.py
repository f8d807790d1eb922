"""Bare numbers in brackets: which are citations, which are text, which are removed (`contract.md` §6)."""

from __future__ import annotations

import time

import pytest

from renderer import render_page
from renderer.citations.markers import DIALECTS
from tests.pages.making import attribute, one, words
from tests.readers.making import encoded, the_one
from tests.retrieval.making import cited, entries, page, removed, shown, source, sources, the_answer

LINK = "http://x.example/a"


def of_four(text: str) -> tuple[str, int]:
    """What an answer with the sources 1…4 shows, with each number as ⟨n⟩, and how many markers it lost."""
    made = page(cited(text, *sources(4)))
    return shown(made), removed(made)


# --- What is a citation ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It rains[1].", "It rains⟨1⟩."),
        ("下雨[1]。", "下雨⟨1⟩。"),
        ("It rains.[1] It snows.[2]", "It rains.⟨1⟩ It snows.⟨2⟩"),
        ("It rains [1].", "It rains⟨1⟩."),
        ("It rains[1][3].", "It rains⟨1⟩⟨3⟩."),
        ("It rains [1] [3].", "It rains⟨1⟩⟨3⟩."),
        ("It rains[1,3].", "It rains⟨1⟩⟨3⟩."),
        ("下雨[1，3]。", "下雨⟨1⟩⟨3⟩。"),
        ("It rains[1, 3].", "It rains⟨1⟩⟨3⟩."),
        ("It rains[3, 1].", "It rains⟨3⟩⟨1⟩."),
        ("It rains[2-4].", "It rains⟨2⟩⟨3⟩⟨4⟩."),
        ("It rains[2–4].", "It rains⟨2⟩⟨3⟩⟨4⟩."),
        ("It rains[1,3-4].", "It rains⟨1⟩⟨3⟩⟨4⟩."),
        ("It rains[2-2].", "It rains⟨2⟩."),
        ("It rains[1,1].", "It rains⟨1⟩."),
        ("It rains[001].", "It rains⟨1⟩."),
        ("**It rains[1]**, it _snows[2]_.", "It rains⟨1⟩, it snows⟨2⟩."),
        ("# Weather[1]\n\nRain[2].", "Weather⟨1⟩ Rain⟨2⟩."),
        ("- Rain[1]\n- Snow[2]", "Rain⟨1⟩ Snow⟨2⟩"),
        ("> Rain[1]", "Rain⟨1⟩"),
        ("arr[1] is no code here.", "arr⟨1⟩ is no code here."),
        ("[1] says so.", "⟨1⟩ says so."),
        ("It rains[1](see the annex).", "It rains⟨1⟩(see the annex)."),
        ("It rains[1]: much.", "It rains⟨1⟩: much."),
        (f"See {LINK}[1].", f"See {LINK}⟨1⟩."),
        (f"[the report[2]]({LINK}) says so.", "the report⟨2⟩ says so."),
        ("It rains![1]", "It rains!⟨1⟩"),
        ("Note[^1^] and [1].", "Note[^1^] and⟨1⟩."),
    ],
)
def test_numbers_in_brackets_cite(text: str, expected: str) -> None:
    """Single numbers, lists and ranges become the numbers that they name, in the order of the text."""
    assert of_four(text) == (expected, 0)


@pytest.mark.parametrize("text", ["It rains[4-2].", "It rains[4–2]."])
def test_a_range_that_runs_backwards_invents_nothing(text: str) -> None:
    """A backwards range names its two ends at least, and no number is out of it."""
    result, lost = of_four(text)
    assert result in ("It rains⟨4⟩⟨2⟩.", "It rains⟨2⟩⟨4⟩.", "It rains⟨4⟩⟨3⟩⟨2⟩.", "It rains⟨2⟩⟨3⟩⟨4⟩.")
    assert lost == 0


def test_cells_of_a_table_cite() -> None:
    """A number in a table is a citation like any other."""
    assert of_four("| Town | Rain |\n|---|---|\n| A[1] | 5 mm[2] |")[0] == "TownRainA⟨1⟩5 mm⟨2⟩"


def test_each_number_of_a_list_leads_to_its_own_source() -> None:
    """Of `[1,3]` each number is a link of its own, with its own source and its own place."""
    made = page(cited("It rains[1,3] and rains[3].", *sources(4)))
    numbers = made.all("sup.cite-ref")
    assert [number.get_text() for number in numbers] == ["[1]", "[3]", "[3]"]
    targets = [attribute(one(number, "a"), "href") for number in numbers]
    ids = [attribute(item, "id") for item in entries(made)]
    assert targets == [f"#{ids[0]}", f"#{ids[2]}", f"#{ids[2]}"]
    assert len({attribute(one(number, "a"), "id") for number in numbers}) == 3


# --- What is text ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In [2024] it rained.", "In [2024] it rained."),
        ("See [12345].", "See [12345]."),
        ("In [1,2024] it rained.", "In [1,2024] it rained."),
        ("In [2020-2024] it rained.", "In [2020-2024] it rained."),
        (r"\[1\] is escaped.", "[1] is escaped."),
        (r"So is \[1].", "So is [1]."),
        ("全角［1］是文字。", "全角［1］是文字。"),
        ("全角[１]是文字。", "全角[１]是文字。"),
        ("方头【1】是文字。", "方头【1】是文字。"),
        ("Arabic [٣] digits.", "Arabic [٣] digits."),
        ("[-1] and [1.5] and [1a] and [a]", "[-1] and [1.5] and [1a] and [a]"),
        ("[] and [ ] and [1,] and [,1]", "[] and [ ] and [1,] and [,1]"),
        ("A footnote [^1] without definition.", "A footnote [^1] without definition."),
    ],
)
def test_what_only_looks_like_a_citation_is_text(text: str, expected: str) -> None:
    """Years, escapes, full-width brackets and digits, and brackets without a number stay as they were written."""
    assert of_four(text) == (expected, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Use `arr[1]` and `arr[7]`.",
        "```python\nx = arr[1] + arr[7]\n```",
        "    x = arr[1] + arr[7]",
        "The formula $x[1] = y[7]$ holds.",
    ],
)
def test_code_and_formulas_are_left_alone(text: str) -> None:
    """`arr[1]` in code is code: neither a link nor removed, and out of range nothing is lost."""
    made = page(cited(text, *sources(4)))
    assert made.all("sup.cite-ref") == []
    assert removed(made) == 0
    assert "[1]" in words(one(the_answer(made), ".prose"))
    assert "[7]" in words(one(the_answer(made), ".prose"))


@pytest.mark.parametrize("number", [1, 7])
def test_a_markdown_link_stays_a_link(number: int) -> None:
    """`[1](url)` is the model's own link, whatever number it bears, and no citation."""
    made = page(cited(f"See [{number}]({LINK}).", *sources(4)))
    (link,) = made.all(".prose a")
    assert (attribute(link, "href"), words(link)) == (LINK, str(number))
    assert shown(made) == f"See {number}."
    assert removed(made) == 0


def test_a_label_of_marker_shape_defines_nothing() -> None:
    """`[1]: url` cannot turn every `[1]` into a link to an address that nothing returned."""
    made = page(cited("It rains[1].\n\n[1]: http://made.up/", *sources(4)))
    number = made.all("sup.cite-ref a")[0]
    assert attribute(number, "href") == f"#{attribute(entries(made)[0], 'id')}"
    assert [words(link) for link in made.all(".prose a") if attribute(link, "href") == "http://made.up/"] in (
        [],
        ["http://made.up/"],
    )


def test_a_footnote_is_a_footnote() -> None:
    """`[^1]` that the answer defines is a footnote beside the citations, not one of them."""
    made = page(cited("It rains[1][^1].\n\n[^1]: As in autumn[2].", *sources(4)))
    assert len(made.all(".footnote-ref")) == 1
    assert len(made.all("section.footnotes li")) == 1
    assert [attribute(number, "data-n") for number in made.all("sup.cite-ref")] == ["1", "2"]
    assert removed(made) == 0


def test_boxes_of_a_task_list_are_boxes() -> None:
    """`[ ]` and `[x]` stay task boxes, with citations beside them."""
    made = page(cited("- [ ] rain[1]\n- [x] snow[2]", *sources(4)))
    assert len(made.all(".task-box")) == 2
    assert len(made.all("sup.cite-ref")) == 2


@pytest.mark.parametrize("text", ["It rains[1].", "It rains[1,3] or [2-4] or [7].", "See [0]."])
def test_without_any_source_all_numbers_are_text(text: str) -> None:
    """In an answer without sources nothing is linked, and nothing is removed."""
    made = page(cited(text, question="Will it rain?"))
    assert shown(made) == text
    assert removed(made) == 0
    assert entries(made) == []


# --- What is removed -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected", "lost"),
    [
        ("It rains[7].", "It rains.", 1),
        ("It rains[0].", "It rains.", 1),
        ("It rains[999].", "It rains.", 1),
        ("It rains [7].", "It rains.", 1),
        ("It [7] rains.", "It rains.", 1),
        ("It rains[7][8].", "It rains.", 2),
        ("It rains[7]. It snows[1].", "It rains. It snows⟨1⟩.", 1),
        ("It rains[7][1].", "It rains⟨1⟩.", 1),
        ("下雨[7]。", "下雨。", 1),
        ("It rains[000].", "It rains.", 1),
    ],
)
def test_a_number_without_source_is_removed(text: str, expected: str, lost: int) -> None:
    """A number of up to three digits that names no source leaves nothing behind, and is counted."""
    assert of_four(text) == (expected, lost)


@pytest.mark.parametrize(
    ("text", "expected", "lost"),
    [
        ("It rains[1,7].", "It rains⟨1⟩.", 1),
        ("It rains[7,1].", "It rains⟨1⟩.", 1),
        ("It rains[3-6].", "It rains⟨3⟩⟨4⟩.", 1),
        ("It rains[0-2].", "It rains⟨1⟩⟨2⟩.", 1),
        ("It rains[6-8].", "It rains.", 1),
        ("It rains[6-8][9].", "It rains.", 2),
        ("It rains[1-999].", "It rains⟨1⟩⟨2⟩⟨3⟩⟨4⟩.", 1),
    ],
)
def test_of_a_list_what_is_valid_stays(text: str, expected: str, lost: int) -> None:
    """A list or range that is right in part keeps that part, and what the model wrote counts once."""
    assert of_four(text) == (expected, lost)


def test_the_reader_is_told_of_each_removal() -> None:
    """The answer carries the count, and a sentence below it says how many and why."""
    made = page(cited("It rains[7], it snows[8], it hails[1].", *sources(4)))
    assert attribute(the_answer(made), "data-removed") == "2"
    assert words(made.one(".removed-note")) == "2 markers were removed: they name no source."
    assert made.summary.removed == 2
    assert len(made.warnings) == 1


def test_a_number_means_an_id_and_not_a_place() -> None:
    """Numbers are the ids of the list: with ids 3 and 7, `[7]` is the second source and `[1]` names none."""
    made = page(cited("a[3] b[7] c[1]", source(3), source(7)))
    assert shown(made) == "a⟨3⟩ b⟨7⟩ c"
    assert [number.get_text() for number in made.all("sup.cite-ref")] == ["[1]", "[2]"]
    assert removed(made) == 1


def test_a_removed_number_takes_no_other_with_it() -> None:
    """In a page of several answers each is checked against its own sources only."""
    made = page(cited("a[1] b[2]", *sources(1)), cited("a[1] b[2]", *sources(2)))
    lost = [article.get("data-removed") for article in made.all('[data-role="assistant"]')]
    assert lost == ["1", None]


# --- Bounds ----------------------------------------------------------------------------------------------------


def test_wide_ranges_cost_no_more_than_their_letters() -> None:
    """A text full of `[1-999]` is no way to exhaust the machine: it costs about what other markers cost."""
    wide, narrow = (_seconds("It rains[1-999]. " * 600), _seconds("It rains[1-002]. " * 600))
    assert wide < 10 * narrow


def _seconds(text: str) -> float:
    conversation = the_one(encoded(cited(text, *sources(2))))
    start = time.process_time()
    render_page(conversation)
    return time.process_time() - start


def test_the_dialect_knows_lists_and_ranges() -> None:
    """The dialect is data: its pattern finds a marker whole, and its reading gives the numbers."""
    bracket = DIALECTS["bracket"]
    assert bracket.numbers("[2-4]") == (2, 3, 4)
    assert bracket.numbers("[1，3]") == (1, 3)
    assert bracket.numbers("[1, 3-5]") == (1, 3, 4, 5)
    assert bracket.numbers("[3,3]") == (3,)
