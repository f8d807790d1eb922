"""The language that is set on a quoted title or passage, so that the right glyphs and the right voice are chosen."""

from __future__ import annotations

import pytest
from bs4 import Tag

from renderer.pages.language import language_of_quote
from tests.pages.making import answer, hit, one, page_of, question, search
from tests.readers.making import header, jsonl
from tests.retrieval.making import cited, entry, page, source

CHINESE = "任何一方违约，应支付合同总额 5% 的违约金。"
ENGLISH = "Either party pays 5% of the total."


def langs(item: Tag) -> tuple[object, object]:
    """What is set on the title and on the passage of an entry; None where nothing is."""
    return one(item, ".source-title > bdi").get("lang"), one(item, ".passage-text").get("lang")


@pytest.mark.parametrize(
    ("lang", "title", "text", "expected"),
    [
        ("en", "采购合同_v3.pdf", CHINESE, ("zh-CN", "zh-CN")),
        ("en", "Contract v3", CHINESE, (None, "zh-CN")),
        ("en", "契約書のひな形", "違約金は総額の五パーセントとする。", ("ja", "ja")),
        ("en", "계약서", "위약금은 총액의 5%로 한다.", ("ko", "ko")),
        ("en", "Contract v3", ENGLISH, (None, None)),
        ("zh-CN", "采购合同_v3.pdf", CHINESE, (None, None)),
        ("zh-CN", "Contract v3", ENGLISH, ("en", "en")),
        ("zh-CN", "contract_v3.pdf", "Vertragsstrafe in Höhe von 5 % der Summe.", (None, None)),
        ("zh-CN", "Договор", "Штраф составляет 5 % от суммы.", (None, None)),
    ],
)
def test_a_quote_in_another_language_says_so(
    lang: str, title: str, text: str, expected: tuple[str | None, str | None]
) -> None:
    """The language that the script shows is set where it is not the page's; where it shows none, nothing is claimed."""
    item = entry(page(cited("5%[1]", source(1, text, title)), lang=lang))
    assert langs(item) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("5 %", ""),
        ("example.com/path", ""),
        ("GitHub", ""),
        ("两国贸易额 US-China trade in goods 增长", "zh-CN"),
        ("A long English sentence that quotes one word, 合同, and goes on for a good while after it.", ""),
        ("鲜の每日坚果旗舰店官方正品介绍", "zh-CN"),
        ("東京タワー", "ja"),
        ("서울 特別市 안내", "ko"),
    ],
)
def test_only_what_the_script_shows_is_claimed(text: str, expected: str) -> None:
    """Of a text in two scripts the one that carries it decides, and an address or a figure is in no language."""
    assert language_of_quote(text, "fr") == expected


def test_a_cut_title_and_a_step_say_their_language_too() -> None:
    """The title that a search returned is a quote, in the list of steps as in the list of sources."""
    url = "https://a.example/one"
    rows = [question(1, "Rain?"), *search(2, hit(url, "雨天出行指南" * 20, "下雨。")), answer(4, "Rain[^1^].")]
    made = page_of(jsonl(header(), *rows))
    assert one(entry(made), "a.source-title > bdi").get("lang") == "zh-CN"
    assert [tag.get("lang") for tag in made.all(".step-results bdi")] == ["zh-CN", None]
