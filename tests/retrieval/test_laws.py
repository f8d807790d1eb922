"""Laws that hold for every page of retrieval answers (`contract.md` §3)."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import pytest

from renderer.options import OnInvalid
from tests.pages.making import Page, attribute, page_of, words
from tests.retrieval.making import CONTRACT, CONTRACT_JSON, Record, cited, page, source, sources

URL = "https://a.example/report"
LONG = "\n\n".join(f"Paragraph {n} says that it rains in town number {n}." for n in range(60))

CASES: dict[str, list[Record]] = {
    "the contract's example": [CONTRACT],
    "many answers": [
        cited(f"It rains[1], snows[2] and hails[9] in town {n}[1].", *sources(n % 5), question=f"Town {n}?")
        for n in range(12)
    ],
    "all places": [
        cited(
            "a[1] b[2] c[3] d[4] e[5] f[6] g[1-6]",
            source(1, LONG, url=f"{URL}#sec"),
            source(2, LONG, url=f"{URL}.pdf", page=7),
            source(3, "Heavy rain will reach Hamburg on Monday.", url=URL),
            source(4, LONG, url=URL, status="gone", retrieved_at="2026-11-30T08:00:00Z"),
            source(5, "", url="/docs/1", status="forbidden", section="3.2"),
            source(6, "雨。" * 3000, title="合同" * 40),
        )
    ],
    "markdown": [
        cited(
            "# Rain[1]\n\n- a[1]\n- b[7]\n\n| x | y |\n|---|---|\n| 1[1] | 2[2] |\n\n"
            "> q[2]\n\n`arr[1]` [1](http://x.example/) n[^1].\n\n[^1]: a note[2]\n\n```\narr[7]\n```",
            *sources(2),
        )
    ],
    "no sources": [cited("It rains[1].", question="Will it rain?"), {"question": "And?", "answer": "No[2]."}],
    "not stored": [cited("It rains[1][3].", source(1, ""), source(2, "", url=URL))],
    "hostile": [cited("a[1]", source("1", '"><script>x</script>', '"><b>', section="</li>", url="javascript:x"))],
    "the same id twice": [cited("a[1]", source(1), source("1")), cited("b[1]", source(1))],
}
POLICIES: tuple[OnInvalid, ...] = ("strip", "mark", "plain")


@cache
def made(name: str, lang: str, policy: OnInvalid) -> Page:
    """The page of a case."""
    return page(*CASES[name], lang=lang, on_invalid=policy, source_base="https://kb.example/")


@pytest.fixture(params=[(n, lang, p) for n in CASES for lang in ("en", "zh-CN") for p in POLICIES], ids="-".join)
def each(request: pytest.FixtureRequest) -> Page:
    """The page of each case, in each language and under each policy."""
    name, lang, policy = request.param
    return made(name, lang, policy)


def test_ids_are_unique(each: Page) -> None:
    """No two elements share an id."""
    ids = Counter(attribute(tag, "id") for tag in each.all("[id]"))
    assert [id_ for id_, count in ids.items() if count > 1] == []
    assert all(re.fullmatch(r"[A-Za-z0-9_-]+", id_) for id_ in ids)


def test_every_link_in_the_page_lands(each: Page) -> None:
    """Whatever leads to a place in the page leads to one that is there, and names of things refer to things."""
    ids = {attribute(tag, "id") for tag in each.all("[id]")}
    targets = [attribute(link, "href")[1:] for link in each.all('a[href^="#"]')]
    assert [target for target in targets if target not in ids] == []
    for name in ("aria-labelledby", "aria-describedby", "aria-controls"):
        assert [tag for tag in each.all(f"[{name}]") if not set(attribute(tag, name).split()) <= ids] == []


def test_there_and_back(each: Page) -> None:
    """Each number leads to an entry that leads back to it, and each way back leads to a number."""
    numbers = {attribute(tag, "id"): attribute(tag, "href")[1:] for tag in each.all("sup.cite-ref > a")}
    backs = {
        attribute(back, "href")[1:]: attribute(item, "id")
        for item in each.all("li.source")
        for back in item.select(".source-back")
    }
    assert numbers == backs


def test_numbers_run_without_gaps(each: Page) -> None:
    """In each answer display numbers are 1…K in the order of the list, and each number shows its entry's."""
    for section in each.all("section.sources"):
        items = section.select("li.source")
        assert [attribute(item, "data-k") for item in items] == [str(k) for k in range(1, len(items) + 1)]
    by_id = {attribute(item, "id"): item for item in each.all("li.source")}
    for number in each.all("sup.cite-ref"):
        item = by_id[attribute(number.select("a")[0], "href")[1:]]
        assert words(number) == f"[{attribute(item, 'data-k')}]"
        assert attribute(number, "data-n") == attribute(item, "data-n")


def test_nothing_is_loaded(each: Page) -> None:
    """No element asks for anything, and the policy would not let it."""
    assert each.all("[src], [srcset], [poster], [background], [ping], link:not([rel=icon]), iframe, object") == []
    assert [attribute(link, "href") for link in each.all("link")] == ["data:,"]
    assert "default-src 'none'" in attribute(each.one('meta[http-equiv="Content-Security-Policy"]'), "content")
    assert "url(" not in words(each.one("style"))


def test_every_verdict_is_said_in_words(each: Page) -> None:
    """No entry is told apart by its colour alone."""
    for item in each.all("li.source"):
        assert attribute(item, "data-verdict") in ("returned", "unchecked")
        assert all(words(tag) for tag in item.select(".source-verdict"))
        assert len(item.select(".source-verdict")) == 1


def test_every_passage_has_a_digest_and_a_button(each: Page) -> None:
    """An entry has a fold, a digest and a button for the drawer, or none of the three."""
    for item in each.all("li.source"):
        counts = {len(item.select(selector)) for selector in (".passage", ".passage-text[data-digest]", ".source-open")}
        assert counts in ({0}, {1})


def test_the_drawer_is_closed_and_empty(each: Page) -> None:
    """Drawer and preview hold nothing until a reader asks, and stand inside the page's main part."""
    drawer = each.one("dialog.drawer")
    assert not drawer.has_attr("open")
    assert words(drawer.select(".drawer-body")[0]) == ""
    assert words(each.one(".preview")) == ""
    assert len(each.all("main dialog.drawer")) == len(each.all("main .preview")) == 1


@pytest.mark.parametrize("name", CASES)
def test_the_same_input_gives_the_same_bytes(name: str) -> None:
    """Made twice, a page is the same to the byte."""
    first, second = (page(*CASES[name], lang="en", source_base="https://kb.example/").html for _ in range(2))
    assert first == second


def test_the_space_of_a_json_file_changes_only_its_digest() -> None:
    """The example on many lines and on one make the same page but for the digest of the input in the foot."""

    def without_digest(html: str) -> str:
        return re.sub(r"\b[0-9a-f]{64}\b|[0-9a-f]{8}…[0-9a-f]{8}", "", html)

    one_line = page(CONTRACT, lang="zh-CN")
    assert without_digest(one_line.html) == without_digest(page_of(CONTRACT_JSON.encode()).html)
