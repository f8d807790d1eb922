"""A passage on the page: kept within a budget, around what supports the answer, and bound to its digest."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.citations.claims import sentence_spans
from renderer.citations.passages import keep_passage
from tests.pages.making import Page, attribute, one, words
from tests.readers.making import encoded
from tests.retrieval.making import (
    cited,
    digest_of,
    entries,
    entry,
    marked,
    page,
    paragraphs,
    passage,
    source,
)
from tests.writers.running import Citepage

# Sentences that share no word.
SENTENCES = [
    "Aachen paints all bridges green each spring.",
    "Berlin closed two swimming pools last year.",
    "Bremen sells old trams to museums abroad.",
    "Dessau rebuilt one theatre after long debate.",
    "Erfurt counts visitors by small cameras.",
    "Kassel moved its archive into a castle.",
    "Minden opened locks for wider barges.",
    "Passau measures water levels every hour.",
    "Weimar prints tickets on recycled paper.",
    "Zittau lends bicycles without any deposit.",
]
TEXT = " ".join(SENTENCES)
CLAIM = "The archive of Kassel moved into a castle"
SUPPORT = "Kassel moved its archive into a castle."


def kept(text: str, claim: str = "", **options: Any) -> Page:
    """The page of an answer that says `claim` and cites a passage of this text."""
    return page(cited(f"{claim or 'It rains'}[1].", source(1, text)), **options)


def said_cut(made: Page) -> list[int]:
    """The figures in the sentence that says that a passage was cut."""
    (sentence,) = [words(tag) for tag in made.all(".passage-cut")]
    return [int(word) for word in sentence.replace(",", "").split() if word.isdigit()]


# --- Within the budget -----------------------------------------------------------------------------------------


def test_a_short_passage_is_whole() -> None:
    """What is within the budget is kept to the letter, and nothing says that it was cut."""
    made = kept(TEXT, CLAIM)
    assert passage(entry(made)) == TEXT
    assert made.all(".passage-cut") == []


@pytest.mark.parametrize(("budget", "count"), [(80, 1), (125, 2), (300, 6)])
def test_a_long_passage_is_cut_at_sentence_ends_around_its_support(budget: int, count: int) -> None:
    """Whole sentences are kept, the one that the answer rests on among them, as many as the budget lets."""
    made = kept(TEXT, CLAIM, passage_budget=budget)
    shown = passage(entry(made))
    assert marked(entry(made)) == [SUPPORT]
    assert shown in [" ".join(SENTENCES[place : place + length]) for place in range(10) for length in range(1, 11)]
    assert len(shown) <= budget
    assert shown.count(".") >= count


@pytest.mark.parametrize("budget", [100, 125, 200, 400])
def test_the_page_says_that_a_passage_was_cut(budget: int) -> None:
    """A sentence says how much is kept of how much, in the page's language."""
    made = kept(TEXT, CLAIM, passage_budget=budget)
    first, second = said_cut(made)
    assert second == len(TEXT)
    assert len(passage(entry(made))) <= first <= budget
    chinese = words(kept(TEXT, CLAIM, passage_budget=budget, lang="zh-CN").one(".passage-cut"))
    assert str(len(TEXT)) in chinese
    assert str(first) in chinese


WEAK = "The archive of Kassel is not in this part of town."


@pytest.mark.parametrize("budget", [60, 100, 200, 400])
def test_the_best_sentence_is_kept_and_not_the_first(budget: int) -> None:
    """A sentence that shares a little with the answer and stands far before what it rests on costs that nothing."""
    made = kept(" ".join([WEAK, *SENTENCES]), CLAIM, passage_budget=budget)
    assert SUPPORT in marked(entry(made))
    assert len(passage(entry(made))) <= budget


@pytest.mark.parametrize(
    ("places", "budget", "expected"),
    [
        ((0, 5, 8), 150, "5"),
        ((0, 5, 8), 170, "5 8"),
        ((2, 5, 8, 9), 215, "5 8 9"),
        ((0, 1, 5, 9), 250, "0 1 5"),
        ((0, 5, 9), 500, "0 5 9"),
    ],
)
def test_as_much_of_the_other_support_as_fits_is_kept(places: tuple[int, ...], budget: int, expected: str) -> None:
    """Around the best sentence the run is taken that holds most of the others."""
    texts = ["Trams run along the river all day long."] * 10
    for place in places:
        texts[place] = f"The archive of Kassel has hall number {place}."
    texts[5] = SUPPORT
    result = keep_passage(" ".join(texts), [CLAIM], budget)
    shown = "".join(part for part, _ in result.parts)
    assert SUPPORT in shown
    found = [str(place) for place in places if texts[place] in shown]
    assert " ".join(found) == expected


def test_chinese_is_cut_at_sentence_ends_too() -> None:
    """A Chinese passage is cut after 。 and counted in characters."""
    text = "".join(f"第{town}条规定办公时间为上午九时。" for town in "甲乙丙丁戊己庚辛壬癸") * 2
    made = kept(text, "第己条规定办公时间", passage_budget=90, lang="zh-CN")
    assert passage(entry(made)).endswith("。")
    assert passage(entry(made)).startswith("第")
    assert len(passage(entry(made))) <= 90


def test_a_sentence_longer_than_the_budget_is_cut() -> None:
    """Where one sentence is more than the budget, its beginning is kept."""
    text = "rain and " * 100
    made = kept(text, "Rain and rain and rain", passage_budget=120)
    shown = passage(entry(made))
    assert 100 <= len(shown) <= 120
    assert text.startswith(shown)


def test_a_small_budget_of_a_passage_still_keeps_something() -> None:
    """A budget of fifty characters is fifty characters: the sentence that the answer rests on fits."""
    made = kept(TEXT, CLAIM, passage_budget=50)
    assert passage(entry(made)) == SUPPORT


def test_a_budget_of_nothing_keeps_nothing() -> None:
    """With a budget of 0 sources are listed without passages."""
    for budgets in ({"passage_budget": 0}, {"page_budget": 0}):
        made = kept(TEXT, CLAIM, **budgets)
        assert made.all(".passage, .passage-text, .source-open") == []
        assert len(entries(made)) == 1


def test_the_page_has_a_budget_for_all_its_passages() -> None:
    """All passages together stay within the page's budget; those that come first are whole."""
    made = page(cited("a[1] b[2] c[3] d[4]", *(source(n, TEXT) for n in range(1, 5))), page_budget=1000)
    lengths = [len(passage(item)) for item in entries(made) if item.select(".passage-text")]
    assert lengths[:2] == [len(TEXT), len(TEXT)]
    assert sum(lengths) <= 1000
    assert [attribute(item, "data-n") for item in entries(made)] == ["1", "2", "3", "4"]


def test_the_budget_is_the_pages_and_not_an_answers() -> None:
    """A second answer has what the first one left."""
    made = page(cited("a[1]", source(1, TEXT)), cited("b[1]", source(1, TEXT)), page_budget=len(TEXT))
    first, second = entries(made)
    assert passage(first) == TEXT
    assert second.select(".passage, .source-open") == []


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Its passage is left out: the room that this page has for passages is used up."),
        ("zh-CN", "其原文段未收录：本页可用于原文段的篇幅已用完。"),
    ],
)
def test_a_passage_without_room_is_said_to_be_missing(lang: str, sentence: str) -> None:
    """A source whose passage found no room stays listed and says so; one that never had a passage does not."""
    first, second, third = entries(
        page(
            cited("a[1] b[2] c[3]", source(1, TEXT), source(2, TEXT, page=7), source(3, "")),
            lang=lang,
            page_budget=len(TEXT),
        )
    )
    assert passage(first) == TEXT
    assert [words(tag) for tag in second.select(".passage-missing")] == [sentence]
    assert [item.select(".passage-missing") for item in (first, third)] == [[], []]
    assert second.select(".passage, .source-open") == []


def test_without_its_passage_a_pdf_is_opened_at_the_page() -> None:
    """Where the passage found no room its title leads to the page of the document."""
    made = page(cited("a[1]", source(1, TEXT, url="https://a.example/x.pdf", page=7)), page_budget=0)
    assert attribute(one(entry(made), "a.source-title"), "href") == "https://a.example/x.pdf#page=7"


@pytest.mark.parametrize("option", ["--passage-limit", "--passages-limit"])
def test_the_budgets_are_options(citepage: Citepage, option: str) -> None:
    """Both budgets can be chosen on the command line, and are no negative numbers."""
    data = encoded(cited(f"{CLAIM}[1].", source(1, TEXT)))
    run = citepage("render", "-", "-o", "-", option, "125", stdin=data)
    assert len(words(run.soup.select(".passage-text")[0])) <= 125
    assert len(words(citepage("render", "-", "-o", "-", stdin=data).soup.select(".passage-text")[0])) == len(TEXT)
    assert citepage("render", "-", "-o", "-", option, "-1", stdin=data).code == 2


def test_ordinary_passages_are_whole_by_default() -> None:
    """A passage of eight hundred characters and a hundred such passages are kept without being asked for."""
    text = " ".join([TEXT, TEXT])
    made = page(cited("a[1]", *(source(n, text) for n in range(1, 101))))
    assert len(made.all(".passage-text")) == 100
    assert made.all(".passage-cut") == []


_PASSAGES = st.lists(
    st.sampled_from(["下雨。", "It rains.", "雪", " ", "\n\n", "5%", "a" * 30, "!", "Snow! "]), max_size=20
)


@given(
    _PASSAGES.map("".join), st.lists(st.sampled_from(["It rains", "下雨5%", "Snow", "a" * 30, ""])), st.integers(0, 80)
)
def test_what_is_kept_is_one_run_of_the_passage(text: str, claims: list[str], budget: int) -> None:
    """Whatever the texts: what is kept is one run of the passage, never over the budget, of whole sentences if of two.

    A passage within the budget is kept whole, and what is said about lengths is so.
    """
    result = keep_passage(text, claims, budget)
    joined = "".join(part for part, _ in result.parts)
    assert joined in text
    assert len(joined) <= budget
    assert (result.whole, result.kept) == (len(text), len(joined))
    if len(text) <= budget:
        assert joined == text
    spans = sentence_spans(text)
    whole_runs = [text[first:last] for first, _ in spans for _, last in spans if first < last]
    assert joined in ("", *whole_runs) or any(text[first:].startswith(joined) for first, _ in spans)
    flags = [is_marked for _, is_marked in result.parts]
    assert all(one_flag != next_flag for one_flag, next_flag in pairwise(flags))


# --- As it is shown --------------------------------------------------------------------------------------------


def test_paragraphs_stay_paragraphs() -> None:
    """Line ends of a passage part its paragraphs; blank lines are no paragraphs."""
    made = kept("One line.\nAnother line.\n\n\nA last one.")
    assert paragraphs(entry(made)) == ["One line.", "Another line.", "A last one."]


def test_markdown_in_a_passage_is_text() -> None:
    """A passage is shown as it was: its signs are no markup."""
    text = "# Title **bold** [1] [x](http://x.example/) `code` | a | b |"
    made = kept(text)
    assert passage(entry(made)) == text
    assert made.all(".passage-text a, .passage-text strong, .passage-text sup, .passage-text code") == []


def test_the_time_of_retrieval_is_with_the_passage() -> None:
    """A passage says when it was retrieved, for people and for programs, in the zone that is wanted."""
    answer = cited("a[1]", source(1, retrieved_at="2026-11-30T23:30:00Z"))
    moment = entry(page(answer)).select(".passage time")[0]
    assert attribute(moment, "datetime") == "2026-11-30T23:30:00+00:00"
    assert words(moment) == "30 Nov 2026, 23:30 (UTC)"
    there = entry(page(answer, time_zone="Asia/Shanghai", lang="zh-CN")).select(".passage time")[0]
    assert attribute(there, "datetime") == "2026-12-01T07:30:00+08:00"
    assert words(there) == "2026 年 12 月 1 日 07:30（UTC+8）"
    assert entry(page(cited("a[1]", source(1)))).select("time") == []


def test_the_passage_opens_in_place() -> None:
    """Without any script there is a fold with the passage in it, closed at first, and a summary to open it."""
    fold = one(entry(kept(TEXT)), "details.passage")
    assert words(one(fold, "summary")) == "Passage"
    assert not fold.has_attr("open")
    assert one(fold, ".passage-text")
    assert words(one(entry(kept("下雨。", lang="zh-CN")), "details.passage > summary")) == "原文段"


# --- The digest ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "It rains.",
        "任何一方违约，应支付合同总额 5% 的违约金……",
        "One.\nTwo.\n\nThree & four < five > six \"seven\" 'eight'.",
        "  blanks around  \n and\ttabs ",
        "line\r\nends\rof all kinds",
        "half a pair \ud83d, a whole one \U0001f327, NUL \x00, bell \x07, sentinel \ufdd0 \ufdd2",
        "&amp; &lt; &#65; </p></div>",
        "a\u2028b\u00a0c\u200dd\u202ee",
    ],
)
def test_the_digest_is_that_of_the_shown_text(text: str) -> None:
    """Each passage carries the SHA-256 of its text as it is shown, its paragraphs a line each."""
    made = kept(text, "It rains")
    shown = one(entry(made), ".passage-text")
    assert attribute(shown, "data-digest") == digest_of(paragraphs(entry(made)))


def test_the_digest_can_be_computed_by_anyone() -> None:
    """For a passage of one paragraph it is the SHA-256 of the passage itself, in UTF-8."""
    text = "任何一方违约，应支付合同总额 5% 的违约金……"
    expected = hashlib.sha256(text.encode("utf-8")).hexdigest()
    assert attribute(one(entry(kept(text)), ".passage-text"), "data-digest") == expected


def test_the_digest_is_of_what_was_kept() -> None:
    """Of a passage that was cut the digest is that of the part on the page."""
    made = kept(TEXT, CLAIM, passage_budget=125)
    assert attribute(one(entry(made), ".passage-text"), "data-digest") == digest_of(paragraphs(entry(made)))


@settings(max_examples=40)
@given(st.text(alphabet="ab 。.\n\r\t<>&\"'\x00\ufdd0\ufdd2\ud83d\ude00雨\u2028!", min_size=1, max_size=40))
def test_every_passage_has_its_digest(text: str) -> None:
    """Whatever the text: if the passage is shown, its digest is that of what is shown."""
    made = kept(text, "雨 ab")
    for item in entries(made):
        if item.select(".passage-text"):
            assert attribute(one(item, ".passage-text"), "data-digest") == digest_of(paragraphs(item))
