"""Shared wording: which sentences of a passage a claim may rest on. It is never called truth."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.citations.claims import sentence_spans, sentences
from renderer.citations.support import passage_sentences, support_of
from tests.pages.making import words
from tests.retrieval.making import cited, entries, entry, marked, page, source

CONTRACT = [
    "本合同自双方签字之日起生效。",
    "任何一方违约，应支付合同总额 5% 的违约金。",
    "卖方应当在签字后三十日内完成交付。",
    "因本合同引起的争议，提交上海仲裁委员会仲裁。",
]
WEATHER = [
    "The office publishes a forecast every morning.",
    "Heavy rain will reach Hamburg on Monday evening.",
    "Winds from the north-west reach 70 km/h on the coast.",
    "Trains may be late.",
]


# --- Which sentences -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "places"),
    [
        ("违约金比例是 5%", (1,)),
        ("违约方应支付合同总额 5% 的违约金", (1,)),
        ("卖方在签字后三十日内交付", (2,)),
        ("争议提交上海仲裁委员会", (3,)),
        ("合同自签字之日起生效", (0,)),
        ("天气晴朗", ()),
    ],
)
def test_chinese_is_compared_by_pairs_of_characters(claim: str, places: tuple[int, ...]) -> None:
    """Chinese is written without blanks: a claim finds the sentence whose pairs of characters it shares."""
    assert support_of(claim, CONTRACT).places == places


@pytest.mark.parametrize(
    ("claim", "places"),
    [
        ("Heavy rain reaches Hamburg on Monday", (1,)),
        ("HEAVY RAIN REACHES HAMBURG ON MONDAY", (1,)),
        ("On Monday evening, heavy rain is to reach Hamburg", (1,)),
        ("On the coast, north-west winds reach 70 km/h", (2,)),
        ("Nobody saw the elephant", ()),
        ("It is on the", ()),
    ],
)
def test_english_is_compared_by_words(claim: str, places: tuple[int, ...]) -> None:
    """A claim finds the sentence whose words it shares, in any order and case; a word such as "the" is none."""
    assert support_of(claim, WEATHER).places == places


def test_the_same_characters_in_another_order_are_not_the_same_words() -> None:
    """A sentence written backwards has the same characters, and no pair of them: what is compared is wording."""
    assert support_of("价格上涨百分之三", ["三之分百涨上格价。"]).places == ()


def test_full_width_letters_and_digits_are_the_same() -> None:
    """５％ and 5% are the same wording."""
    assert support_of("违约金为５％", ["违约金为 5%。"]).score == 100


def test_a_sentence_with_all_the_words_scores_full_and_one_with_none_scores_nothing() -> None:
    """Scores are 0…100."""
    assert support_of("Heavy rain will reach Hamburg on Monday evening", WEATHER).score == 100
    assert support_of("Nobody saw the elephant", WEATHER).score == 0
    assert support_of("违约金", []).score == 0
    assert support_of("", WEATHER).score == 0
    assert support_of("", WEATHER).places == ()


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("总价2.5万元", "总价：25,000 元。"),
        ("签订日期是2024年11月5日", "日期 2024-11-05。"),
        ("Data are as of March 3, 2024", "as of 2024-03-03"),
        ("There is an 8% chance of precipitation", "8% Precip."),
        ("逾期30天解除", "逾期超过三十日的，守约方有权解除合同。"),
        ("The penalty is five days, or 5 percent", "Penalty of 5%."),
    ],
)
def test_equal_numbers_and_dates_are_shared_words(claim: str, sentence: str) -> None:
    """A number or date counts by its value: 2.5万 is 25,000, and a sentence that states it is marked for it."""
    found = support_of(claim, [sentence, "Nothing of it 7.", "别的话。"])
    assert found.places == (0,)
    assert found.score >= 60


@pytest.mark.parametrize(("claim", "sentence"), [("The fee is 3 EUR", "3 cats came."), ("价格是 12 元", "第 12 页")])
def test_a_short_number_alone_is_no_shared_wording(claim: str, sentence: str) -> None:
    """A small number stands in many sentences: alone it says nothing."""
    assert support_of(claim, [sentence]).places == ()


# --- Threshold and nearest -------------------------------------------------------------------------------------


def test_all_sentences_that_reach_the_threshold_are_marked() -> None:
    """Two sentences that say the same are both found, in their order."""
    passage = ["Heavy rain will reach Hamburg.", "Trains may be late.", "Hamburg: heavy rain will reach the city."]
    assert support_of("Heavy rain will reach Hamburg", passage).places == (0, 2)


def test_the_threshold_can_be_chosen() -> None:
    """What shares some wording is found under a low threshold and not under a high one, where something better is."""
    passage = ["Heavy rain will reach Hamburg.", "Heavy rain is bad for trains and for ships at sea."]
    claim = "Heavy rain will reach Hamburg"
    assert support_of(claim, passage, threshold=99).places == (0,)
    assert support_of(claim, passage, threshold=10).places == (0, 1)


def test_the_nearest_sentence_is_taken_when_none_reaches_the_threshold() -> None:
    """Where no sentence shares enough, the one that shares most is still found, and no other."""
    passage = ["Trains may be late.", "Heavy rain is bad for trains in the whole of the north."]
    found = support_of("Heavy rain stops all traffic near Hamburg", passage, threshold=90)
    assert found.score < 90
    assert support_of("Heavy rain stops all traffic near Hamburg", passage, threshold=2 * found.score).places == (1,)


def test_nothing_is_taken_when_even_the_nearest_is_far() -> None:
    """Half the threshold is the least: below it nothing is marked."""
    passage = ["Heavy rain is bad for trains in the whole of the north."]
    score = support_of("Heavy rain stops all traffic near Hamburg", passage).score
    assert 0 < score < 100
    assert support_of("Heavy rain stops all traffic near Hamburg", passage, threshold=2 * score + 1).places == ()


@given(
    st.text(alphabet="雨雪风5% 3.。!a bc\n", max_size=40), st.lists(st.text(alphabet="雨雪风5% 3.。a bc", max_size=20))
)
def test_a_score_is_between_nothing_and_all(claim: str, passage: list[str]) -> None:
    """Whatever the texts: a score is 0…100, and places are places of the passage, ascending."""
    found = support_of(claim, passage)
    assert 0 <= found.score <= 100
    assert list(found.places) == sorted(set(found.places))
    assert all(0 <= place < len(passage) for place in found.places)


@pytest.mark.parametrize(
    "claim",
    [
        "The contract price is payable within thirty days after receipt of the invoice",
        "The contract price must be paid within thirty days",
        "The contract price is 5 million euros",
    ],
)
def test_a_heading_holds_no_long_claim(claim: str) -> None:
    """Two words that a claim shares with a sentence of two words are below the threshold: it cannot hold the claim."""
    assert 0 < support_of(claim, ["Contract price."]).score < 60


def test_two_sentences_may_hold_a_claim_between_them() -> None:
    """A claim that joins two sentences has both of them marked."""
    claim = "Heavy rain reaches Hamburg Monday, strong winds reach Bremen Tuesday"
    passage = ["Heavy rain reaches Hamburg on Monday.", "Strong winds reach Bremen on Tuesday.", "Trains may be late."]
    assert support_of(claim, passage).places == (0, 1)


def test_the_documents_second_claim_finds_its_sentence() -> None:
    """争议解决地为上海 shares few words with its clause, less than the threshold; being nearest it is marked."""
    found = support_of("争议解决地为上海", CONTRACT)
    assert 30 <= found.score < 60
    assert found.places == (3,)


# --- Sentences -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("一。二！三？四", ["一。", "二！", "三？", "四"]),
        ("他说：“下雨了。”然后走了。", ["他说：“下雨了。”", "然后走了。"]),
        ("It rains. It snows! Does it?", ["It rains.", "It snows!", "Does it?"]),
        ("It rose by 3.5 mm, see example.org and v1.2 of it.", ["It rose by 3.5 mm, see example.org and v1.2 of it."]),
        ("Dr. No came, e.g. on Monday.", ["Dr. No came, e.g. on Monday."]),
        ("one line\nanother line", ["one line", "another line"]),
        ("  ", []),
        ("", []),
    ],
)
def test_a_passage_is_cut_at_sentence_ends(text: str, expected: list[str]) -> None:
    """Sentences end at their punctuation or at a line's end, not inside a number, an address or an abbreviation."""
    assert passage_sentences(text) == expected


@given(st.text(alphabet='一二。！？…. \n\t"”)A1a,\ufdd2', max_size=60))
def test_sentences_partition_the_text(text: str) -> None:
    """Whatever the text: its sentences follow one another from start to end, without gap and without overlap."""
    spans = sentence_spans(text)
    assert "".join(text[start:end] for start, end in spans) == text
    assert all(start < end for start, end in spans)
    assert [end for _, end in spans[:-1]] == [start for start, _ in spans[1:]]
    assert list(sentences(text)) == [text[start:end].strip() for start, end in spans if text[start:end].strip()]


# --- On the page -----------------------------------------------------------------------------------------------


def test_each_source_has_its_own_sentence_marked() -> None:
    """Of one and the same passage, under each source that sentence is marked whose claim cites it."""
    text = "".join(CONTRACT)
    made = page(
        cited("违约金比例是 5%[1]，争议提交上海仲裁委员会[2]。", source(1, text), source(2, text)), lang="zh-CN"
    )
    first, second = entries(made)
    assert marked(first) == [CONTRACT[1]]
    assert marked(second) == [CONTRACT[3]]


def test_a_source_cited_twice_has_both_sentences_marked() -> None:
    """Two claims that cite one source mark two sentences of it."""
    made = page(cited("违约金比例是 5%[1]。卖方在签字后三十日内交付[1]。", source(1, "".join(CONTRACT))))
    assert "".join(marked(entry(made))) == CONTRACT[1] + CONTRACT[2]


@pytest.mark.parametrize("marker", ["[1][2]", "[1,2]", "[1-2]"])
def test_a_claim_may_rest_on_several_sources(marker: str) -> None:
    """Each source of a claim is compared with it."""
    made = page(cited(f"Heavy rain reaches Hamburg on Monday{marker}.", source(1, WEATHER[1]), source(2, WEATHER[1])))
    assert [marked(item) for item in entries(made)] == [[WEATHER[1]], [WEATHER[1]]]


def test_a_marker_after_the_full_stop_belongs_to_its_sentence() -> None:
    """`…。[1]` cites the sentence before it."""
    made = page(cited("违约金比例是 5%。[1] 天气很好。", source(1, "".join(CONTRACT))))
    assert marked(entry(made)) == [CONTRACT[1]]


def test_nothing_is_marked_where_nothing_is_shared() -> None:
    """A passage that has nothing of the claim stands without any mark."""
    made = page(cited("Nobody saw the elephant[1].", source(1, " ".join(WEATHER))))
    assert marked(entry(made)) == []
    assert words(entry(made).select(".passage-text")[0]) == " ".join(WEATHER)


def test_a_mark_begins_at_its_first_word() -> None:
    """The blank between two sentences is not marked."""
    made = page(cited("Heavy rain reaches Hamburg on Monday[1].", source(1, " ".join(WEATHER))))
    (mark,) = entry(made).select(".passage-text mark")
    assert mark.get_text() == WEATHER[1]
    assert words(entry(made).select(".passage-text")[0]) == " ".join(WEATHER)


def test_an_uncited_source_has_no_marks() -> None:
    """What no claim cites supports none."""
    made = page(cited("Heavy rain reaches Hamburg on Monday[1].", source(1, WEATHER[1]), source(2, WEATHER[1])))
    assert marked(entry(made, 2)) == []


# --- Bounds ----------------------------------------------------------------------------------------------------


def test_a_long_passage_is_cut_in_linear_time() -> None:
    """Four times the text takes about four times as long: a page of a megabyte may have been opened."""
    text = "The rain falls. " * 4_000
    assert _seconds(text * 4) < 8 * _seconds(text)


def _seconds(text: str) -> float:
    """The better of two runs."""
    runs = []
    for _ in range(2):
        start = time.process_time()
        sentence_spans(text)
        runs.append(time.process_time() - start)
    return min(runs)
