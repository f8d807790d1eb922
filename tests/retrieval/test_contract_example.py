"""The second design's own example gives what that design draws (§5), on the page and from the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from renderer import Options
from tests.pages.making import Page, attribute, one, page_of, words
from tests.retrieval.making import (
    CONTRACT,
    CONTRACT_JSON,
    entries,
    entry,
    marked,
    page,
    paragraphs,
    removed,
    saved,
    shown,
    the_answer,
    way_out,
)
from tests.writers.running import Citepage

BASE = "https://kb.example.cn/app/"


@pytest.fixture(scope="module")
def drawn() -> Page:
    """The page of the example, with the usual options."""
    return page_of(CONTRACT_JSON.encode())


def test_the_answer_reads_as_it_was_written(drawn: Page) -> None:
    """The numbers stand in the sentence where the model put them, as real text."""
    assert words(one(the_answer(drawn), ".prose")) == "违约金比例是 5%[1]，争议解决地为上海[2]。"
    assert shown(drawn) == "违约金比例是 5%⟨1⟩，争议解决地为上海⟨2⟩。"
    assert removed(drawn) == 0


def test_each_number_is_a_superscript_that_leads_to_its_source(drawn: Page) -> None:
    """`[1]` becomes a link in a superscript, and leads to the entry of the same number."""
    numbers = the_answer(drawn).select("sup.cite-ref")
    assert [attribute(number, "data-n") for number in numbers] == ["1", "2"]
    for number, n in zip(numbers, (1, 2), strict=True):
        link = one(number, 'a[role="doc-biblioref"]')
        assert link.get_text() == f"[{n}]"
        assert attribute(link, "href") == f"#{attribute(entry(drawn, n), 'id')}"


def test_the_heading_is_the_documents(drawn: Page) -> None:
    """The list is called 参考来源, for the eye and for a screen reader."""
    section = drawn.one("section.sources")
    assert words(one(section, ".sources > details > summary")).startswith("参考来源")
    assert attribute(section, "aria-label") == "参考来源"


@pytest.mark.parametrize(
    ("n", "line"), [(1, "[1] 采购合同_v3.pdf P7 · 3.2 违约责任"), (2, "[2] 采购合同_v3.pdf P12 · 8.1 争议解决")]
)
def test_a_source_line_is_the_documents(drawn: Page, n: int, line: str) -> None:
    """Number, title, page and section stand in one line as the document writes them."""
    parts = entry(drawn, n).select(".source-number, .source-title, .source-place")
    assert " ".join(words(part) for part in parts) == line


def test_the_passages_stand_whole(drawn: Page) -> None:
    """Each source has its snippet with it, to the letter, and the sentence that the answer rests on is marked."""
    first, second = entries(drawn)
    assert paragraphs(first) == ["任何一方违约，应支付合同总额 5% 的违约金……"]
    assert paragraphs(second) == ["因本合同引起的争议，提交上海仲裁委员会……"]
    assert marked(first) == ["任何一方违约，应支付合同总额 5% 的违约金……"]
    assert marked(second) == ["因本合同引起的争议，提交上海仲裁委员会……"]


def test_both_sources_were_stored_with_the_answer(drawn: Page) -> None:
    """The verdict is that of a stored passage, and is said in words."""
    for item in entries(drawn):
        assert attribute(item, "data-verdict") == "returned"
        assert words(one(item, ".source-verdict"))


def test_a_number_opens_the_drawer(drawn: Page) -> None:
    """In a retrieval answer a number opens the drawer, and so does a button of each entry with a passage."""
    assert attribute(drawn.one("body"), "data-click") == "drawer"
    for item in entries(drawn):
        assert attribute(one(item, "button.source-open"), "aria-haspopup") == "dialog"


@pytest.mark.parametrize(
    ("lang", "name"), [("zh-CN", "[1] 来源 1：采购合同_v3.pdf"), ("en", "[1] Source 1: 采购合同_v3.pdf")]
)
def test_a_number_is_named_by_its_source(lang: str, name: str) -> None:
    """A screen reader says the number and the title, and nothing where there is no host."""
    link = page(CONTRACT, lang=lang).all("sup.cite-ref a")[0]
    assert attribute(link, "aria-label") == name


def test_relative_addresses_are_not_linked_by_themselves(drawn: Page) -> None:
    """Without --source-base nothing leads out of the page; the passages stand all the same."""
    assert [
        attribute(link, "href") for link in drawn.all("main a") if not attribute(link, "href").startswith("#")
    ] == []
    assert [way_out(item) for item in entries(drawn)] == [None, None]


def test_relative_addresses_are_joined_to_the_base() -> None:
    """With --source-base each source leads to its anchor under that base."""
    first, second = entries(page(CONTRACT, source_base=BASE))
    assert way_out(first) == "https://kb.example.cn/docs/doc_123?page=7#sec-3.2"
    assert way_out(second) == "https://kb.example.cn/docs/doc_123?page=12#sec-8.1"
    assert attribute(one(first, "a.source-title"), "href") == "https://kb.example.cn/docs/doc_123?page=7#sec-3.2"


def test_a_joined_address_shows_its_host() -> None:
    """Wherever a source leads, its host is shown: also when the base gave it."""
    item = entry(page(CONTRACT, source_base=BASE))
    assert words(one(item, ".source-domain")) == "kb.example.cn"


def test_the_page_is_in_the_answers_language(drawn: Page) -> None:
    """A Chinese answer without a question makes a Chinese page; on an English one the list is called Sources."""
    assert attribute(drawn.one("html"), "lang") == "zh-CN"
    assert words(page(CONTRACT, lang="en").one(".sources > details > summary")).startswith("Sources")


def test_no_question_is_counted_where_none_was_asked(drawn: Page) -> None:
    """The head says what the file holds: two sources, and no question."""
    counts = words(drawn.one(".page-meta"))
    assert "2 个来源" in counts
    assert "1 个问题" not in counts


def test_the_foot_counts_answers() -> None:
    """A record is what the file has as one: an answer with its question is one record, not two."""
    assert re.search(r"\b1 record\b", words(page(CONTRACT).one(".page-foot")))
    three = page(*[{**CONTRACT, "question": f"Question {n}?"} for n in range(3)])
    assert "3 records" in words(three.one(".page-foot"))


def test_the_program_renders_it(citepage: Citepage, tmp_path: Path) -> None:
    """`citepage render` takes the example as it stands, in one piece or on one line, and has nothing to complain of."""
    whole = saved(tmp_path, "answer.json", CONTRACT_JSON)
    run = citepage("render", whole, "-o", "-", "--strict", "--source-base", BASE)
    assert (run.code, run.err) == (0, "")
    links = run.soup.select(".passage-link")
    assert attribute(links[0], "href") == "https://kb.example.cn/docs/doc_123?page=7#sec-3.2"
    line = json.dumps(CONTRACT, ensure_ascii=False).encode() + b"\n"
    again = citepage("render", "-", "-o", "-", "--strict", "--source-base", BASE, stdin=line + line)
    assert (again.code, again.err) == (0, "")
    assert len(again.soup.select("li.source")) == 4


def test_the_click_is_the_readers_to_choose(citepage: Citepage) -> None:
    """--click list makes numbers scroll to their entries, as in other pages."""
    run = citepage("render", "-", "-o", "-", "--click", "list", stdin=CONTRACT_JSON.encode())
    assert attribute(run.soup.select("body")[0], "data-click") == "list"
    assert page_of(CONTRACT_JSON.encode(), Options(click="list")).html == run.out.decode()
