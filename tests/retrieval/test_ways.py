"""Where a link goes: anchor, page of a PDF, text fragment, the bare address, or nowhere (`page.md` 2.7)."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer import RendererError
from renderer.citations.locate import distinctive_runs, way_to_passage
from renderer.citations.urls import parse_address
from tests.pages.making import attribute, one, words
from tests.retrieval.making import cited, data_of, entries, entry, page, passage, source, squeezed, way_out
from tests.writers.running import Citepage

URL = "https://a.example/report"
PDF = "https://a.example/files/contract.pdf"
TEXT = "The annual report is out. Heavy rain will reach Hamburg on Monday evening. Trains may be late."
CLAIM = "Heavy rain reaches Hamburg on Monday"
CLAUSE = "第一条说明定义。任何一方违约的应支付合同总额百分之五的违约金。因本合同引起的争议提交上海仲裁委员会。"


def way(text: str = TEXT, claim: str = CLAIM, **keys: Any) -> str | None:
    """Where the passage of a source with these keys leads."""
    return way_out(entry(page(cited(f"{claim}[1].", source(1, text, **keys)))))


def directive(address: str | None) -> str:
    """The text directive of an address, as it is encoded."""
    assert address is not None
    _, found, encoded = address.partition("#:~:text=")
    assert found, address
    return encoded


# --- The order -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"url": f"{URL}#sec-3.2"}, f"{URL}#sec-3.2"),
        ({"url": f"{URL}?page=7#sec-3.2", "page": 7}, f"{URL}?page=7#sec-3.2"),
        ({"url": f"{PDF}#page=3", "page": 7}, f"{PDF}#page=3"),
        ({"url": PDF, "page": 7}, f"{PDF}#page=7"),
        ({"url": PDF, "page": "7"}, f"{PDF}#page=7"),
        ({"url": PDF, "page": "7-8"}, f"{PDF}#page=7"),
        ({"url": PDF, "page": "P7"}, f"{PDF}#page=7"),
        ({"url": PDF, "page": "pp. 7–8"}, f"{PDF}#page=7"),
        ({"url": PDF, "page": "第7页"}, f"{PDF}#page=7"),
        ({"url": PDF, "page": "xii"}, PDF),
        ({"url": PDF, "page": "A-12"}, PDF),
        ({"url": URL, "page": "7-8", "text": "Rain."}, URL),
        ({"url": f"{PDF}?v=3", "page": 7}, f"{PDF}?v=3#page=7"),
        ({"url": PDF.upper().replace("HTTPS", "https"), "page": 1}, "https://A.EXAMPLE/FILES/CONTRACT.PDF#page=1"),
        ({"url": PDF, "page": 99_999}, f"{PDF}#page=99999"),
        ({"url": PDF, "page": 100_000}, PDF),
        ({"url": PDF}, PDF),
        ({"url": PDF, "page": 0}, PDF),
        ({"url": URL, "page": 7, "text": "Rain."}, URL),
        ({"url": f"{URL}?file=a.pdf", "page": 7, "text": "Rain."}, f"{URL}?file=a.pdf"),
    ],
)
def test_anchor_before_page_before_the_bare_address(keys: dict[str, Any], expected: str) -> None:
    """An anchor that is given stays; a PDF is opened at its page; where neither helps the address is bare."""
    assert way(**{"text": TEXT, **keys}) == expected


def test_an_ordinary_page_is_searched_for_the_supporting_words() -> None:
    """Without anchor and page the browser is asked for words of the sentence that the answer rests on."""
    found = way(url=URL)
    assert found is not None
    assert found.startswith(f"{URL}#:~:text=")
    assert unquote(directive(found)) in "Heavy rain will reach Hamburg on Monday evening."


def test_a_chinese_page_is_searched_too() -> None:
    """Chinese words are found and encoded as UTF-8."""
    found = way(CLAUSE, "违约应支付合同总额百分之五的违约金", url=URL)
    run = unquote(directive(found))
    assert run in "任何一方违约的应支付合同总额百分之五的违约金。"
    assert 8 <= len(run) <= 40
    assert directive(found).isascii()


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"url": ""},
        {"url": "/docs/doc_123?page=7#sec-3.2"},
        {"url": "docs/doc_123"},
        {"url": "ftp://a.example/x"},
        {"url": "javascript:alert(1)"},
        {"url": "data:text/html,x"},
        {"url": "file:///etc/passwd"},
        {"url": "https://"},
        {"url": 7},
    ],
)
def test_without_an_address_the_passage_stands_alone(keys: dict[str, object]) -> None:
    """What is no http(s) address is never linked; the passage is there all the same."""
    item = entry(page(cited(f"{CLAIM}[1].", source(1, TEXT, **keys))))
    assert item.select("a:not(.source-back)") == []
    assert passage(item) == TEXT


@pytest.mark.parametrize("base", ["https://kb.example/", "https://kb.example/app/"])
def test_a_source_without_address_is_not_given_the_bases(base: str) -> None:
    """--source-base joins relative addresses; a source that has none does not get one."""
    item = entry(page(cited(f"{CLAIM}[1].", source(1, TEXT)), source_base=base))
    assert item.select("a:not(.source-back)") == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/docs/1#a", "https://kb.example/docs/1#a"),
        ("docs/1#a", "https://kb.example/app/docs/1#a"),
        ("../docs/1#a", "https://kb.example/docs/1#a"),
        ("?id=1#a", "https://kb.example/app/?id=1#a"),
        ("https://other.example/1#a", "https://other.example/1#a"),
        ("/files/contract.pdf", "https://kb.example/files/contract.pdf#page=7"),
    ],
)
def test_relative_addresses_are_joined_as_browsers_do(url: str, expected: str) -> None:
    """A relative address is read from the base; an absolute one stays what it is; the order of places is the same."""
    item = entry(page(cited("a[1]", source(1, "Rain.", url=url, page=7)), source_base="https://kb.example/app/"))
    assert way_out(item) == expected


BAD_BASES = ["kb.example/docs/", "/docs/", "//kb.example/", "ftp://kb.example/", "javascript:alert(1)", "https://", " "]


@pytest.mark.parametrize("base", BAD_BASES)
def test_a_base_that_is_no_address_is_an_error(citepage: Citepage, tmp_path: Path, base: str) -> None:
    """A base that could join nothing is refused in one line, before any page is written."""
    answer = cited("a[1]", source(1, url="/docs/1"))
    with pytest.raises(RendererError) as error:
        page(answer, source_base=base)
    assert error.value.what == f"the source base {base!r} is no absolute http(s) address"
    run = citepage("render", "-", "-o", "page.html", "--source-base", base, stdin=data_of(answer))
    assert run.error.startswith("citepage: error: the source base")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "\tjavascript:alert(1)"])
def test_no_base_makes_a_script_an_address(url: str) -> None:
    """Joining never makes a link of what is none."""
    item = entry(page(cited("a[1]", source(1, url=url)), source_base="https://kb.example/app/"))
    assert [attribute(link, "href") for link in item.select("a:not(.source-back)")] == []


@pytest.mark.parametrize(("keys", "expected"), [({"url": PDF, "page": 7}, f"{PDF}#page=7"), ({"url": URL}, URL)])
def test_a_source_without_passage_still_leads_to_its_place(keys: dict[str, object], expected: str) -> None:
    """A contract whose passage was not stored is opened at its page all the same."""
    item = entry(page(cited("a[1]", source(1, "", **keys))))
    assert expected in [attribute(link, "href") for link in item.select("a:not(.source-back)")]


# --- Gone and forbidden ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "lang", "sentence"),
    [
        ("gone", "zh-CN", "原文已下线，以下为检索时快照"),
        ("forbidden", "zh-CN", "以下为检索时快照"),
        ("gone", "en", "The original is gone"),
        ("forbidden", "en", "You may not open the original"),
    ],
)
def test_a_document_that_cannot_be_opened_is_not_linked(status: str, lang: str, sentence: str) -> None:
    """The stored passage stands with the document's words, and nothing leads to what is not there."""
    item = entry(page(cited("a[1]", source(1, TEXT, url=f"{URL}#sec", status=status, page=7)), lang=lang))
    assert item.select("a:not(.source-back)") == []
    assert sentence in words(item)
    assert attribute(item, "data-status") == status
    assert passage(item) == TEXT


@pytest.mark.parametrize("status", ["ok", "", "burnt", None])
def test_any_other_status_leaves_the_link(status: object) -> None:
    """A document that is there is linked, and nothing is said about it."""
    item = entry(page(cited("a[1]", source(1, TEXT, url=f"{URL}#sec", status=status))))
    assert way_out(item) == f"{URL}#sec"
    assert item.select(".source-status") == []


@pytest.mark.parametrize("status", ["gone", "forbidden"])
@pytest.mark.parametrize(("lang", "promise"), [("en", "below is the passage"), ("zh-CN", "以下为")])
def test_no_snapshot_is_promised_where_none_is(status: str, lang: str, promise: str) -> None:
    """Where no passage is stored, or the page has no room for it, no words say that it stands below."""
    none_stored = page(cited("a[1]", source(1, "", url=URL, status=status)), lang=lang)
    no_room = page(cited("a[1]", source(1, TEXT, url=URL, status=status)), lang=lang, page_budget=0)
    assert [words(entry(made)) for made in (none_stored, no_room) if promise in words(entry(made))] == []


# --- Text fragments --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "encoded"),
    [
        ("a well-known, rain & wind storm", "a%20well%2Dknown%2C%20rain%20%26%20wind%20storm"),
        ("it is 50% of all = much+more", "it%20is%2050%25%20of%20all%20%3D%20much%2Bmore"),
        ("see item 1 of a/b rain", "see%20item%201%20of%20a%2Fb%20rain"),
        ("caf\u00e9 cr\u00e8me in the rain", "caf%C3%A9%20cr%C3%A8me%20in%20the%20rain"),
        ("雨雨雪雪雨雪雨雪", "%E9%9B%A8%E9%9B%A8%E9%9B%AA%E9%9B%AA%E9%9B%A8%E9%9B%AA%E9%9B%A8%E9%9B%AA"),
    ],
)
def test_signs_of_the_directive_are_encoded(text: str, encoded: str) -> None:
    """Hyphen, comma and ampersand mean something in a text directive, so they are encoded, and so is all else."""
    assert directive(way(text, text, url=URL)) == encoded


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        CLAUSE,
        "Rain falls in town. Rain falls in town. The mayor was not amused about all this.",
        "短。短。违约金为合同总额的百分之五，自逾期之日起算，另有约定的除外。",
        "| a | b |\n|---|---|\n| one two three four | five six seven eight |",
        "snippet one is here ... snippet two is there … snippet three is gone",
        "A [link](http://x.example/) to **bold words that say something** of note.",
    ],
)
def test_a_run_stands_exactly_once_in_the_passage(text: str) -> None:
    """The words that the browser looks for are in the passage, once, and of a length that makes them distinctive."""
    runs = list(distinctive_runs(text))
    assert runs
    for run in runs:
        assert squeezed(text).count(run) == 1
        assert len(run) >= 8
        assert len(run.split()) <= 12
        assert run == run.strip()


def test_words_that_repeat_are_not_searched_for() -> None:
    """Words that stand twice in the passage lead to the wrong place half of the time: then the address is bare."""
    assert way("Rain falls in the town. Rain falls in the town.", "Rain falls in the town", url=URL) == URL


@pytest.mark.parametrize(
    "text",
    [
        "Rain falls in the town. RAIN FALLS IN THE TOWN.",
        "rain falls in the town. Rain Falls In The Town.",
        "Café crème is for all. Cafe creme is for all.",
        "Straße ist im Regen nass. STRASSE IST IM REGEN NASS.",
    ],
)
def test_browsers_search_without_case_and_accents(text: str) -> None:
    """Words that differ in case or accents only are the same to a browser, so they are not distinctive."""
    assert list(distinctive_runs(text)) == []


def test_words_are_searched_for_as_they_stand() -> None:
    """What is distinctive is given to the letter."""
    assert list(distinctive_runs("Café CRÈME in the rain")) == ["Café CRÈME in the rain"]


def test_a_long_table_is_searched_in_linear_time() -> None:
    """Four times the rows take about four times as long, though no row is like no other."""
    rows = "one two three four five\n" * 500
    assert _seconds(rows * 4) < 8 * _seconds(rows)


def _seconds(text: str) -> float:
    """The better of three runs."""
    runs = []
    for _ in range(3):
        start = time.process_time()
        assert list(distinctive_runs(text)) == []
        runs.append(time.process_time() - start)
    return min(runs)


@pytest.mark.parametrize("text", ["Rain.", "雨。", "1 2 3", "!!! ???", "a b c"])
def test_too_few_words_are_not_searched_for(text: str) -> None:
    """A word or two are on every page."""
    assert way(text, url=URL) == URL


def test_no_run_goes_across_a_gap() -> None:
    """What a search joined with dots, or Markdown parts by its signs, does not stand together on the page."""
    text = "heavy rain in … the north of town ... on Monday\nand **on** Tuesday | too"
    for run in distinctive_runs(text):
        assert not re.search(r"…|\.\.\.|\*|\||\n", run)


@pytest.mark.parametrize("text", ["half of a pair \ud83d is in these words", "雨雪风霜\ud83d雷电雾露冰"])
def test_half_a_character_stops_no_link(text: str) -> None:
    """JSON may hold half of a surrogate pair: the source is linked all the same, and the page is made."""
    assert str(way(text, text, url=URL)).startswith(URL)


def test_only_the_sources_own_passage_is_searched_for() -> None:
    """Each link looks for words of its own passage and of no other's; without a passage the address is bare."""
    texts = ("Heavy rain will reach Hamburg on Monday.", "Strong winds will reach Bremen on Tuesday.", "")
    made = page(
        cited(
            "Heavy rain reaches Hamburg, strong winds reach Bremen[1][2][3].",
            *(source(n, text, url=f"https://{n}.example/") for n, text in enumerate(texts, 1)),
        )
    )
    first, second, third = entries(made)
    assert unquote(directive(way_out(first))) in texts[0]
    assert unquote(directive(way_out(second))) in texts[1]
    assert attribute(one(third, "a.source-title"), "href") == "https://3.example/"


@pytest.mark.parametrize(("url", "clean"), [(URL, URL), (PDF, PDF), (f"{URL}#sec", None)])
def test_the_title_leads_to_the_passage_and_prints_clean(url: str, clean: str | None) -> None:
    """The title's link goes where the passage's goes; the address to print has nothing added."""
    item = entry(page(cited(f"{CLAIM}[1].", source(1, TEXT, url=url, page=7))))
    title = one(item, "a.source-title")
    assert attribute(title, "href") == way_out(item)
    assert str(title["href"]).startswith(url)
    assert title.get("data-url") == clean


@pytest.mark.parametrize(
    ("lang", "keys", "said"),
    [
        ("en", {"url": PDF, "page": 7}, "Open the original at page 7"),
        ("zh-CN", {"url": PDF, "page": 7}, "打开原文第 7 页"),
        ("en", {"url": PDF}, "Open the original"),
        ("zh-CN", {"url": PDF}, "打开原文"),
        ("en", {"url": URL}, "Open the original at this passage"),
        ("en", {"url": f"{URL}#sec"}, "Open the original at this passage"),
    ],
)
def test_a_link_says_what_it_opens(lang: str, keys: dict[str, object], said: str) -> None:
    """A link promises the passage only where it leads there, else the page, else the original."""
    item = entry(page(cited(f"{CLAIM}[1].", source(1, TEXT, **keys)), lang=lang))
    assert words(one(item, "a.passage-link")) == said


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("/ 0.00 °in of rain fell", "0.00 °in of rain fell"),
        ("— _ (the rain has come to stay", "the rain has come to stay"),
        ("》》违约金为合同总额", "违约金为合同总额"),
    ],
)
def test_a_run_begins_with_a_word(text: str, run: str) -> None:
    """Browsers look for whole words: signs before the first are not looked for."""
    assert list(distinctive_runs(text)) == [run]


def test_links_out_give_nothing_away() -> None:
    """A link out opens a tab of its own, without a referrer and without a handle on this page."""
    link = one(entry(page(cited(f"{CLAIM}[1].", source(1, TEXT, url=URL)))), "a.passage-link")
    assert attribute(link, "target") == "_blank"
    assert {"noopener", "noreferrer"} <= set(attribute(link, "rel").split())


@given(st.text(alphabet="ab雨雪 ，。,-&%#.\n*|…5", max_size=80), st.booleans())
def test_a_way_is_always_an_address_of_the_same_document(text: str, is_preferred: bool) -> None:
    """Whatever the passage: only a fragment is added, and it has no sign in it that a directive could trip over."""
    address = parse_address(URL)
    assert address is not None
    found = way_to_passage(address, None, text, [text] if is_preferred else ())
    if found != URL:
        run = directive(found)
        assert found.startswith(f"{URL}#:~:text=")
        assert re.fullmatch(r"(?:[A-Za-z0-9_.~]|%[0-9A-F]{2})+", run)
        assert squeezed(text).count(unquote(run)) == 1
