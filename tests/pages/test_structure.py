"""The names in a page that other programs rely on: `contract.md` §3, to the letter."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest

from renderer.version import VERSION
from tests.pages.making import (
    A,
    B,
    C,
    D,
    E,
    Page,
    answer,
    attribute,
    entry,
    hit,
    one,
    page,
    question,
    search,
    words,
)


@pytest.fixture(scope="module")
def cited() -> Page:
    """Five addresses returned, the second and the fifth cited, the fifth at two places."""
    return page(
        question(41, "Will it rain?"),
        search(42, A, hit(B, "The Second"), C, D, hit(E, "The Fifth")),
        answer(44, "Yes[^2^], and it will be cold[^5^].\n\nVery cold[^5^]."),
    )


def test_a_page_begins_as_html_does(cited: Page) -> None:
    """The first bytes are the doctype, without a byte order mark, and the language and direction are stated."""
    assert cited.html.startswith("<!doctype html>\n<html ")
    assert (attribute(cited.one("html"), "lang"), attribute(cited.one("html"), "dir")) == ("en", "ltr")
    assert attribute(cited.one("meta[charset]"), "charset").lower() == "utf-8"


def test_a_page_says_what_made_it(cited: Page) -> None:
    """The generator's name and version are in the head, near enough to the start for a page to be known as ours."""
    assert attribute(cited.one("meta[name=generator]"), "content") == f"citepage {VERSION}"
    assert len(cited.html.partition('name="generator"')[0].encode()) < 4096


@pytest.mark.parametrize(("lang", "label", "summary"), [("en", "Sources", "Sources 2"), ("zh-CN", "来源", "来源 2")])
def test_the_sources_section_is_a_bibliography(lang: str, label: str, summary: str) -> None:
    """The section bears the role and its label, `details` bears none, and the summary says how many there are."""
    made = page(question(1), search(2, A, B), answer(4, "Yes[^1^][^2^]."), lang=lang)
    section = one(made.article(4), "section.sources")
    assert attribute(section, "role") == "doc-bibliography"
    assert attribute(section, "aria-label") == label
    details = one(section, "details")
    assert details.get("role") is None
    assert words(one(details, "summary")).startswith(summary)
    assert re.match(rf"{summary}\b", words(one(details, "summary")))
    assert [child.name for child in one(details, "ol").find_all(recursive=False)] == ["li", "li"]


@pytest.mark.parametrize(("count", "unfolded"), [(1, True), (3, True), (4, False), (5, False)])
def test_up_to_three_sources_are_unfolded(count: int, unfolded: bool) -> None:
    """The list is open when it holds three entries or fewer, and closed when it holds more."""
    markers = "".join(f"[^{n}^]" for n in range(1, count + 1))
    made = page(question(1), search(2, *(A, B, C, D, E)[:count]), answer(4, f"Yes{markers}."))
    assert one(made.article(4), "section.sources details").has_attr("open") is unfolded
    assert len(made.sources(4)) == count


def test_entries_count_for_the_fold_and_not_markers() -> None:
    """Four entries are folded although the text cites only one of them, and one cited at four places is not."""
    listed = [entry(1, A), entry(2, B), entry(3, C), entry(4, D)]
    many = page(question(1), search(2, A, B, C, D), answer(4, "Yes[^1^].", listed))
    few = page(question(1), search(2, A, B, C, D), answer(4, "Yes[^1^][^1^][^1^][^1^]."))
    assert one(many.article(4), "section.sources details").has_attr("open") is False
    assert one(few.article(4), "section.sources details").has_attr("open") is True


def test_a_message_is_an_article(cited: Page) -> None:
    """A message is an article with the id of its place in the page, its role, and its own id as the file has it."""
    articles = [(attribute(a, "id"), attribute(a, "data-role")) for a in cited.all("main article.message")]
    assert articles == [("m-41", "user"), ("m-44", "assistant")]
    assert [attribute(a, "data-message-id") for a in cited.all("article.message")] == ["41", "44"]


def test_a_number_leads_to_its_entry(cited: Page) -> None:
    """Each marker is a superscript with its own number in data-n, and a link with the display number as its text."""
    found = [
        (
            attribute(sup, "data-n"),
            attribute(one(sup, "a"), "id"),
            attribute(one(sup, "a"), "href"),
            attribute(one(sup, "a"), "role"),
            sup.get_text(),
        )
        for sup in cited.article(44).select("sup.cite-ref")
    ]
    assert found == [
        ("2", "ref-44-1-1", "#src-44-1", "doc-biblioref", "[1]"),
        ("5", "ref-44-2-1", "#src-44-2", "doc-biblioref", "[2]"),
        ("5", "ref-44-2-2", "#src-44-2", "doc-biblioref", "[2]"),
    ]


def test_a_number_is_real_text(cited: Page) -> None:
    """Copied, read aloud or seen in a text browser, the answer has its numbers in brackets at their places."""
    assert cited.prose(44) == "Yes[1], and it will be cold[2]. Very cold[2]."


@pytest.mark.parametrize(
    ("lang", "names"),
    [
        ("en", ["[1] Source 1: The Second, b.example", "[2] Source 2: The Fifth, e.example"]),
        ("zh-CN", ["[1] 来源 1：The Second，b.example", "[2] 来源 2：The Fifth，e.example"]),
    ],
)
def test_a_number_has_a_name_that_says_where_it_leads(lang: str, names: list[str]) -> None:
    """The accessible name begins with the visible number and goes on with the source's title and host."""
    made = page(
        question(1), search(2, A, hit(B, "The Second"), C, D, hit(E, "The Fifth")), answer(4, "x[^2^][^5^]"), lang=lang
    )
    assert [attribute(a, "aria-label") for a in made.all("sup.cite-ref a")] == names


@pytest.mark.parametrize(("lang", "name"), [("en", "[1] Source 1: Rain table"), ("zh-CN", "[1] 来源 1：Rain table")])
def test_the_name_of_a_number_without_a_host_ends_with_the_title(lang: str, name: str) -> None:
    """Where there is no host to name, no comma is left in its place."""
    made = page(question(1), search(2, hit("ftp://a.example/", "Rain table")), answer(4, "x[^1^]"), lang=lang)
    assert attribute(made.one("sup.cite-ref a"), "aria-label") == name


def test_an_entry_says_all_that_is_known_of_it(cited: Page) -> None:
    """An entry has its place in the page, the number in the file, the number shown and the verdict."""
    found = [
        tuple(attribute(item, name) for name in ("id", "data-n", "data-k", "data-verdict"))
        for item in cited.sources(44)
    ]
    assert found == [("src-44-1", "2", "1", "returned"), ("src-44-2", "5", "2", "returned")]


def test_an_entry_has_title_host_and_way_back(cited: Page) -> None:
    """An entry links its title to the address in a new tab, names the host, and leads back to each place."""
    first, second = cited.sources(44)
    title = one(first, "a.source-title")
    assert (words(title), attribute(title, "href"), attribute(title, "target")) == ("The Second", B, "_blank")
    assert {"noopener", "noreferrer"} <= set(attribute(title, "rel").split())
    assert words(one(first, "span.source-domain")) == "b.example"
    assert [attribute(back, "href") for back in first.select("a.source-back")] == ["#ref-44-1-1"]
    assert [attribute(back, "href") for back in second.select("a.source-back")] == ["#ref-44-2-1", "#ref-44-2-2"]
    assert {attribute(back, "role") for back in cited.all("a.source-back")} == {"doc-backlink"}
    assert [words(back) for back in first.select("a.source-back")] == ["↩"]


def test_every_way_back_has_a_name_of_its_own() -> None:
    """A source cited at thirty places has thirty back links that can be told apart, by eye and by ear."""
    made = page(question(1), search(2, A), answer(4, " ".join(f"word{i}[^1^]" for i in range(30))))
    backs = made.sources(4)[0].select("a.source-back")
    assert [attribute(back, "href") for back in backs] == [f"#ref-4-1-{i}" for i in range(1, 31)]
    assert len({words(back) for back in backs}) == 30
    assert len({attribute(back, "aria-label") for back in backs}) == 30


def test_a_page_loads_nothing_by_its_policy(cited: Page) -> None:
    """The policy is that of the specification, right after the charset, and knows style and script by hash."""
    style, script = (one(cited.soup, name).get_text() for name in ("style", "script:not([type])"))
    assert attribute(cited.one("meta[http-equiv=Content-Security-Policy]"), "content") == (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    first, second = cited.one("head").find_all(recursive=False)[:2]
    assert (first.get("charset"), second.get("http-equiv")) == ("utf-8", "Content-Security-Policy")
    assert attribute(cited.one("meta[name=referrer]"), "content") == "no-referrer"
    assert attribute(cited.one("meta[http-equiv=x-dns-prefetch-control]"), "content") == "off"
    assert attribute(cited.one("link[rel=icon]"), "href") == "data:,"


def test_only_a_page_made_to_be_found_may_be_found() -> None:
    """Search engines are asked to stay away, unless the page was made for them."""
    assert attribute(page(question(1)).one("meta[name=robots]"), "content") == "noindex"
    assert page(question(1), indexable=True).all("meta[name=robots]") == []


def test_nothing_is_removed_where_nothing_was_wrong(cited: Page) -> None:
    """An answer that lost no marker says nothing of removals."""
    assert cited.article(44).get("data-removed") in (None, "0")
    assert "removed" not in cited.main_text.lower()
    assert (cited.summary.removed, cited.summary.problems) == (0, ())


def test_an_answer_without_sources_has_no_list() -> None:
    """Where nothing is cited there is no sources section at all."""
    made = page(question(1), search(2, A, B), answer(4, "I do not know."))
    assert made.all("section.sources") == []
    assert made.all(".cite-ref") == []


def test_questions_are_headings_and_speakers_are_named(cited: Page) -> None:
    """A screen reader can jump by questions, and each message says in words whose it is."""
    assert words(one(cited.article(41), "h2")).endswith("Will it rain?")
    labels = [attribute(article, "aria-label") for article in cited.all("article.message")]
    assert labels == ["Question 1", "Answer 1"]


def test_message_ids_are_made_fit_for_a_page() -> None:
    """Ids of odd characters are reduced to letters, digits, - and _, and stay as they are in data-message-id."""
    odd = ['a b"><script>', "雨", "x/../y", "a_B-9", ""]
    made = page(*(question(id_, f"number {number}") for number, id_ in enumerate(odd)))
    ids = [attribute(article, "id") for article in made.all("article.message")]
    assert all(re.fullmatch(r"m-[A-Za-z0-9_-]+", id_) for id_ in ids)
    assert len(set(ids)) == len(odd)
    assert ids[3] == "m-a_B-9"
    assert [attribute(a, "data-message-id") for a in made.all("article.message")][:4] == odd[:4]


@pytest.mark.parametrize("id_", ["1001", "-5", "V1StGXR8_Z5jdHi6B-", "--", "_x_", "msg_01-a"])
def test_an_id_that_is_fit_for_a_page_stays_as_it_is(id_: str) -> None:
    """An id of letters, digits, - and _ is the one in the page, to the letter."""
    made = page(question(1), search(2, A), answer(id_, "x[^1^]"))
    assert attribute(made.article(id_), "id") == f"m-{id_}"
    assert [attribute(li, "id") for li in made.sources(id_)] == [f"src-{id_}-1"]


def test_messages_of_one_id_are_told_apart() -> None:
    """Messages that share an id, or are alike once reduced, have numbers and entries that lead to their own."""
    ids = ["7", "7", "7-2", "a b", "a/b"]
    rows = [[question(f"q{i}"), *search(100 + 2 * i, A, B), answer(id_, "x[^1^] y[^2^]")] for i, id_ in enumerate(ids)]
    made = page(*rows)
    answers = made.all('article[data-role="assistant"]')
    assert [attribute(article, "data-message-id") for article in answers] == ids
    everywhere = [attribute(tag, "id") for tag in made.all("[id]")]
    assert len(everywhere) == len(set(everywhere))
    for article in answers:
        own = {attribute(tag, "id") for tag in article.select("[id]")}
        targets = [attribute(a, "href").removeprefix("#") for a in article.select(".cite-ref a, .source-back")]
        assert len(targets) == 4
        assert set(targets) <= own
        mid = attribute(article, "id").removeprefix("m-")
        assert [attribute(li, "id") for li in article.select("li.source")] == [f"src-{mid}-1", f"src-{mid}-2"]
        assert [attribute(a, "id") for a in article.select(".cite-ref a")] == [f"ref-{mid}-1-1", f"ref-{mid}-2-1"]


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
