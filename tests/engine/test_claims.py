"""Sentences and claims in Chinese and English, as a careful reader would count them (contract §4, `citation_rate`)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.citations.claims import MARKER, ClaimCount, count_claims, is_claim, sentences


def marked(text: str) -> str:
    """A text with `¶` written for a marker."""
    return text.replace("¶", MARKER)


# --- Sentences -------------------------------------------------------------------------------------------------


def cut(text: str) -> tuple[str, list[str]]:
    """A text without the `|` between its sentences, and the sentences."""
    text = marked(text)
    return text.replace("|", ""), [part.strip() for part in text.split("|")]


@pytest.mark.parametrize(
    "text",
    [
        # English
        "It rains.",
        "It rains",
        "It rains.| It snows.",
        "It rains!| Does it snow?| It does.",
        "Really?!| Yes.",
        "It fell to -3.5 degrees.| Then it rose.",
        "Version 1.2.3 is out.| Get it at https://example.org/a.b today.| Done.",
        "See e.g. Basel.| Or Bern, i.e. the capital.| Or Olten.",
        "Dr. Smith met Mrs. Jones.| They left.",
        "J. R. Smith wrote it.| It sold well.",
        "The U.S. economy grew.| Prices fell.",
        "Acme Inc. sold Fig. 3 to Foo Ltd. for cash.| It paid.",
        "It cost 5 EUR.| 3 people came.",
        "He said “It rains.”| Then he left.",
        'He said "It rains."| Then he left.',
        "(It rains.)| Then it stops.",
        "Well... maybe it rains.| Or not.",
        "It **rains.**| Then it stops.",
        # Chinese
        "今天下雨。|明天放晴。",
        "今天下雨！|明天呢？|放晴。",
        "他说：“今天下雨。”|明天放晴。",
        "他说：「今天下雨。」|明天放晴。",
        "（今天下雨。）|明天放晴。",
        "气温 3.5 度。|风大；雨小，雪无。",
        "见 https://example.org/a.html 的说明。|完。",
        # Both
        "GDP 增长 3.5%。| See Fig. 2 for more.| 下一句。",
        "It rains.|然后放晴。",
        # Lines
        "First line\n|second line",
        "今天下雨。\n|明天放晴。",
    ],
)
def test_a_text_falls_into_its_sentences(text: str) -> None:
    """Sentences end at the ends of Chinese and English ones, and not in numbers, addresses and abbreviations."""
    whole, parts = cut(text)
    assert list(sentences(whole)) == parts


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("It rains¶.| It snows.", id="before the full stop"),
        pytest.param("It rains.¶| It snows.", id="after the full stop"),
        pytest.param("It rains.¶¶| It snows.", id="two after the full stop"),
        pytest.param("It rains. ¶| It snows.", id="after the full stop and a blank"),
        pytest.param("It rains. ¶ ¶| It snows.", id="two with blanks"),
        pytest.param('He said "It rains."¶| He left.', id="after the quote"),
        pytest.param('He said "It rains¶."| He left.', id="inside the quote"),
        pytest.param("(It rains.)¶| It snows.", id="after the bracket"),
        pytest.param("今天下雨¶。|明天放晴。", id="Chinese, before"),
        pytest.param("今天下雨。¶|明天放晴。", id="Chinese, after"),
        pytest.param("他说：“下雨。”¶|明天放晴。", id="Chinese, after the quote"),
        pytest.param("It rains in Basel¶ and in Bern.", id="in the middle"),
        pytest.param("It fell by 3.5¶ points.", id="after a decimal"),
    ],
)
def test_a_marker_belongs_to_the_sentence_it_follows(text: str) -> None:
    """A marker at a sentence's end is part of it, on either side of the full stop and of a closing quote."""
    whole, parts = cut(text)
    assert list(sentences(whole)) == parts


@given(st.text(st.sampled_from('a字.。?？!…"” \n' + MARKER + "3:："), max_size=40))
def test_no_character_is_lost(text: str) -> None:
    """Sentences hold all that is no blank, in its order, and none is empty."""
    parts = list(sentences(text))
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(part.strip() for part in parts)


# --- Claims ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sentence",
    [
        "It rains.",
        "It rains",
        "It rains¶.",
        "“It rains.”¶",
        "**It rains.**",
        "5.",
        "今天下雨。",
        "今天下雨。¶",
        "“今天下雨。”",
        "Prices: 5 EUR.",
        "价格：5 元。",
        "The question is open.",
        "The report does not mention prices in 2025 as a risk¶.",
        "研究没有发现风险。",
        "公司并未提高价格。",
    ],
)
def test_what_says_something_is_a_claim(sentence: str) -> None:
    """A statement is a claim, with or without a marker, in quotes or not."""
    assert is_claim(marked(sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        # Nothing is said
        "",
        "¶",
        "…",
        "---",
        "。",
        "** **",
        "“”",
        # Questions
        "Does it rain?",
        "Does it rain?¶",
        "“Does it rain?”",
        "明天呢？",
        "“明天下雨吗？”",
        # What leads into a list
        "The main points:",
        "**The main points:**",
        "The main points¶:",
        "要点如下：",
        "要点如下¶：",
        # Refusals
        "资料中未提及。",
        "资料中未提及价格。",
        "资料中未提及¶。",
        "文档中没有相关信息。",
        "搜索结果中没有提到价格。",
        "上下文未包含该信息。",
        "没有找到相关信息。",
        "未在资料中找到价格。",
        "The sources do not mention prices.",
        "The provided documents don't say anything about prices.",
        "The search results did not contain the price.",
        "Prices are not mentioned in the material.",
        "I could not find any prices.",
        "I couldn't find any prices.",
        "I couldn’t find any prices.",
        "The price could not be found.",
        "No relevant information was found.",
        "No information about prices is available.",
    ],
)
def test_what_claims_nothing_is_none(sentence: str) -> None:
    """Questions, lead-ins to lists, refusals to answer and signs without a word are no claims."""
    assert not is_claim(marked(sentence))


@pytest.mark.parametrize(
    ("texts", "claims", "cited"),
    [
        pytest.param([], 0, 0, id="nothing"),
        pytest.param(["", " ", "¶"], 0, 0, id="no words"),
        pytest.param(["It rains¶. It snows. Why? The list:"], 2, 1, id="one paragraph"),
        pytest.param(["It rains.¶", "今天下雨。¶明天放晴。", "资料中未提及¶。"], 3, 2, id="several"),
        pytest.param(["It rains¶ and snows¶.¶"], 1, 1, id="three markers in one sentence"),
        pytest.param(["Why?¶ It rains."], 1, 0, id="a question's marker is not the next sentence's"),
        pytest.param(["A | 5 ¶"], 1, 1, id="a table's row"),
    ],
)
def test_claims_are_counted(texts: list[str], claims: int, cited: int) -> None:
    """Each claim counts once, and once more as cited when a marker is in it, however many there are."""
    assert count_claims(map(marked, texts)) == ClaimCount(claims, cited)
