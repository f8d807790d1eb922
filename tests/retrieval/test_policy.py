"""What holds of a stored passage, and what happens to an answer with made-up numbers (`contract.md` §4)."""

from __future__ import annotations

import pytest

from renderer.options import OnInvalid
from tests.pages.making import Page, attribute, one, words
from tests.retrieval.making import cited, data_of, entries, entry, page, removed, shown, source, sources, the_answer
from tests.writers.running import Citepage

POLICIES: tuple[OnInvalid, ...] = ("strip", "mark", "plain")
URL = "https://a.example/one"


def struck(made: Page) -> str:
    """All that is struck in the one answer."""
    return " ".join(words(tag) for tag in the_answer(made).select("del"))


# --- Verdicts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "verdict"),
    [
        ({"text": "It rains."}, "returned"),
        ({"text": "", "snippet": "It rains."}, "returned"),
        ({"text": "It rains.", "url": URL}, "returned"),
        ({"text": "It rains.", "url": URL, "status": "gone"}, "returned"),
        ({"text": ""}, "unchecked"),
        ({"text": " \n\t "}, "unchecked"),
        ({"text": None, "url": URL}, "unchecked"),
        ({"text": "", "url": URL, "status": "ok", "page": 7, "section": "3.2"}, "unchecked"),
    ],
)
def test_a_stored_passage_is_the_evidence(keys: dict[str, object], verdict: str) -> None:
    """A source is `returned` when its passage is stored with the answer, and `unchecked` when it is not."""
    item = entry(page(cited("It rains[1].", source(1, **{"text": "", **keys}))))
    assert attribute(item, "data-verdict") == verdict
    said = words(one(item, ".source-verdict"))
    assert said.startswith("not checked") == (verdict == "unchecked")


def test_an_unchecked_source_is_linked_and_marked() -> None:
    """Without a passage the source stands, linked, with its number in the text, and says that it was not checked."""
    made = page(cited("It rains[1].", source(1, "", url=URL)))
    item = entry(made)
    assert shown(made) == "It rains⟨1⟩."
    assert attribute(one(item, "a.source-title"), "href") == URL
    assert item.select(".passage, .source-open, .passage-text") == []


def test_a_source_that_nothing_cites_is_listed() -> None:
    """An entry that no number uses has its place in the list, its passage, and no way back."""
    made = page(cited("It rains[2].", *sources(3)))
    assert [attribute(item, "data-n") for item in entries(made)] == ["1", "2", "3"]
    assert [len(item.select(".source-back")) for item in entries(made)] == [0, 1, 0]
    assert len(made.all(".passage-text")) == 3


# --- The three policies ----------------------------------------------------------------------------------------

MADE_UP = cited("It rains[1]. It snows[7]. `arr[7]` [8](http://x.example/)", source(1), source(2))


@pytest.mark.parametrize("policy", POLICIES)
def test_a_faultless_answer_is_the_same_under_each_policy(policy: OnInvalid) -> None:
    """Where no number is made up, the policy changes not a byte."""
    answer = cited("It rains[1]. It snows[2].", *sources(2))
    assert page(answer, on_invalid=policy).html == page(answer).html


def test_strip_removes_what_is_made_up() -> None:
    """strip: the made-up number is gone and said; the others stay, and so do code and links."""
    made = page(MADE_UP, on_invalid="strip")
    assert shown(made) == "It rains⟨1⟩. It snows. arr[7] 8"
    assert removed(made) == 1
    assert struck(made) == ""
    assert len(entries(made)) == 2
    assert words(made.one(".removed-note")) == "1 marker was removed: it names no source."


def test_mark_shows_it_struck_with_a_reason() -> None:
    """mark: the made-up number is struck and leads nowhere, with its reason for the eye and for a screen reader."""
    made = page(MADE_UP, on_invalid="mark")
    (tag,) = the_answer(made).select("del")
    assert words(tag).startswith("[7]")
    assert "names no source" in words(tag)
    assert "names no source" in attribute(tag, "title")
    assert tag.select("a") == []
    assert shown(made).startswith("It rains⟨1⟩. It snows[7]")
    assert removed(made) == 0
    assert words(made.one(".removed-note")) == "1 marker names no source; it is struck."
    assert len(entries(made)) == 2


def test_mark_in_chinese() -> None:
    """mark: the reason is in the page's language."""
    made = page(cited("下雨[7]。", source(1)), lang="zh-CN", on_invalid="mark")
    assert "没有对应的来源" in struck(made)
    assert words(made.one(".removed-note")) == "有 1 个标记没有对应的来源，已用删除线标出。"


@pytest.mark.parametrize(
    ("text", "seen", "wrong"),
    [
        ("It rains[1,7].", "It rains⟨1⟩[7].", ["[7]"]),
        ("It rains[7，1].", "It rains[7]⟨1⟩.", ["[7]"]),
        ("It rains[1-3].", "It rains⟨1⟩⟨2⟩[3].", ["[3]"]),
        ("It rains [0,2,9].", "It rains[0]⟨2⟩[9].", ["[0]", "[9]"]),
        ("It rains[7,8].", "It rains[7,8].", ["[7,8]"]),
    ],
)
def test_mark_strikes_the_wrong_number_of_a_list(text: str, seen: str, wrong: list[str]) -> None:
    """mark: in a list or range the right numbers are numbers and each wrong one is struck with its reason."""
    made = page(cited(text, *sources(2)), on_invalid="mark")
    tags = the_answer(made).select("del")
    assert [words(tag) for tag in tags] == [f"{number} (names no source)" for number in wrong]
    assert [attribute(tag, "title") for tag in tags] == ["names no source"] * len(wrong)
    assert shown(made).replace(" (names no source)", "") == seen


@pytest.mark.parametrize(
    ("policy", "lost", "kept_wrong", "counted", "warning"),
    [
        ("strip", 2, 0, 2, "message a1: 2 markers removed: there is no source of that number"),
        ("mark", 0, 2, 2, "message a1: 2 markers marked: there is no source of that number"),
        ("plain", 3, 0, 0, "message a1: all citations removed (3 markers): not all of them name a source"),
    ],
)
def test_what_is_counted_is_what_is_shown(
    policy: OnInvalid, lost: int, kept_wrong: int, counted: int, warning: str
) -> None:
    """The head's sources, the markers removed or struck, and the warning are those of the page under each policy."""
    made = page(cited("It rains[1,7]. It snows[2][8].", *sources(2)), on_invalid=policy)
    summary = made.summary
    assert (summary.sources, summary.removed, summary.marked) == (counted, lost, kept_wrong)
    assert removed(made) == lost
    assert len(entries(made)) == counted
    assert ("2 sources" in words(made.one(".page-meta"))) == (counted == 2)
    (problem,) = summary.problems
    assert str(problem).endswith(warning)


def test_plain_drops_all_citations_and_says_so() -> None:
    """plain: an answer with a made-up number keeps no number and no source, and a sentence says why."""
    made = page(MADE_UP, on_invalid="plain")
    assert shown(made) == "It rains. It snows. arr[7] 8"
    assert made.all("sup.cite-ref, section.sources, .passage, del") == []
    assert removed(made) == 2
    assert "could not be confirmed" in words(made.one(".removed-note"))
    chinese = page(cited("下雨[7]。", source(1)), lang="zh-CN", on_invalid="plain")
    assert "无法确认" in words(chinese.one(".removed-note"))


@pytest.mark.parametrize(("policy", "count"), [("strip", 2), ("plain", 3)])
def test_each_policy_counts_markers_as_they_were_written(policy: OnInvalid, count: int) -> None:
    """A list of numbers in one pair of brackets is one marker, whatever becomes of it."""
    made = page(cited("It rains[1,2]. It snows[1,7]. It hails[5-9].", *sources(2)), on_invalid=policy)
    assert removed(made) == count
    assert made.summary.removed == count


def test_plain_spares_the_other_answers() -> None:
    """plain: each answer is judged by itself; one that is right keeps its citations."""
    made = page(MADE_UP, cited("It hails[1].", source(1)), on_invalid="plain")
    first, second = made.all('[data-role="assistant"]')
    assert first.select("section.sources") == []
    assert len(second.select("section.sources li.source")) == 1
    assert second.select(".removed-note") == []


@pytest.mark.parametrize("policy", POLICIES)
def test_an_answer_without_sources_is_text_under_each_policy(policy: OnInvalid) -> None:
    """Without any source there is nothing to be wrong: all numbers are text."""
    made = page(cited("It rains[1]."), on_invalid=policy)
    assert shown(made) == "It rains[1]."
    assert made.all(".removed-note, del") == []


@pytest.mark.parametrize("policy", POLICIES)
def test_the_program_takes_the_policy(citepage: Citepage, policy: OnInvalid) -> None:
    """`--on-invalid` chooses on the command line; --strict then fails where a number is wrong."""
    run = citepage("render", "-", "-o", "-", "--lang", "en", "--on-invalid", policy, stdin=data_of(MADE_UP))
    assert run.code == 0
    assert run.out.decode() == page(MADE_UP, on_invalid=policy).html
    strict = citepage("render", "-", "-o", "-", "--strict", "--on-invalid", policy, stdin=data_of(MADE_UP))
    assert strict.code == 1


def test_an_unknown_policy_is_wrong_usage(citepage: Citepage) -> None:
    """Any other word is refused."""
    assert citepage("render", "-", "-o", "-", "--on-invalid", "ignore", stdin=data_of(MADE_UP)).code == 2
