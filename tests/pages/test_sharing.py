"""What a head tells other programs: description, card, addresses, linked data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from renderer import Options, RendererError
from renderer.options import Place
from renderer.pages.excerpts import MAX_MESSAGES, MAX_SOURCES
from renderer.pages.sharing import page_address
from tests.pages.making import A, B, C, Page, answer, attribute, entry, open_page_rows, page, question, search, words
from tests.readers.making import header


def meta(made: Page, name: str) -> str:
    """The content of the one meta of this name or property."""
    return attribute(made.one(f'head meta[name="{name}"], head meta[property="{name}"]'), "content")


def linked_data(made: Page) -> dict[str, Any]:
    """The linked data of a page."""
    data: dict[str, Any] = json.loads(made.one('head script[type="application/ld+json"]').get_text())
    return data


# --- Description and card --------------------------------------------------------------------------------------


def test_the_description_is_the_first_question_and_how_its_answer_begins() -> None:
    """Plain words: no marker, no Markdown, no blank where a marker was, nothing of what was said on the way."""
    made = page(
        question(1, "Will it\nrain?"),
        *search(2, A),
        answer(4, "## Short\n\n**Yes**[^1^], `[^1^]` says [so](https://x.example/).[^9^]"),
        question(5, "And later?"),
    )
    assert meta(made, "description") == "Will it rain? — Yes, [^1^] says so."


def test_a_long_description_is_cut() -> None:
    """At most 160 characters, with room for the answer, cut between words."""
    made = page(question(1, "why " * 90), answer(2, "because " * 90))
    said = meta(made, "description")
    assert len(said) <= 160
    assert said.startswith("why why")
    assert "why… — because" in said
    assert said.endswith("because…")


def test_without_words_the_title_is_the_description() -> None:
    """A conversation that says nothing is described by its title."""
    assert meta(page(question(1, " "), head=header(title="Rain")), "description") == "Rain"


def test_the_card_says_what_the_page_is() -> None:
    """Title, kind, description, site, language and time of the card are those of the page."""
    session = header(title="Rain", agentName="Weather desk", createdAt="2026-10-07T09:00:00")
    made = page(question(1, "雨？"), answer(2, "无雨。"), head=session, lang="zh-CN")
    assert meta(made, "og:title") == "Rain"
    assert meta(made, "og:type") == "article"
    assert meta(made, "og:description") == meta(made, "description") == "雨？ — 无雨。"
    assert meta(made, "og:site_name") == "Weather desk"
    assert meta(made, "og:locale") == "zh_CN"
    assert meta(made, "article:published_time") == "2026-10-07T09:00:00+08:00"
    assert meta(made, "twitter:card") == "summary"


def test_what_nobody_asked_for_is_not_said() -> None:
    """Without a base URL there is no address in the head, and without files beside the page no link to one."""
    made = page(question(1), answer(2, "Rain."))
    assert made.all('link[rel="canonical"], link[rel="alternate"]') == []
    assert made.all('[property="og:url"], [property^="og:image"], [name="twitter:image"]') == []
    assert meta(made, "robots") == "noindex"


def test_times_say_their_moment() -> None:
    """The date tells its exact moment, with its offset, when it is pointed at."""
    made = page(question(1), head=header(createdAt="2026-10-07T01:30:00"), time_zone="America/New_York")
    time = made.one(".page-meta time")
    assert attribute(time, "title") == attribute(time, "datetime") == "2026-10-06T13:30:00-04:00"
    assert "UTC-4" in words(time)


# --- Addresses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "name", "address"),
    [
        ("https://x.example", "a.html", "https://x.example/a.html"),
        ("https://x.example/chats", "a.html", "https://x.example/chats/a.html"),
        ("https://x.example/chats/", "a.html", "https://x.example/chats/a.html"),
        ("https://x.example/old.html", "a.html", "https://x.example/a.html"),
        ("http://x.example/c/", "雨 #1?.html", "http://x.example/c/%E9%9B%A8%20%231%3F.html"),
        ("https://x.example/", "https:evil.html", "https://x.example/https%3Aevil.html"),
        ("https://me:secret@x.example/", "a.html", "https://x.example/a.html"),
        ("https://x.example/page.html", "", "https://x.example/page.html"),
        ("https://x.example/chats/", "", ""),
    ],
)
def test_the_address_is_the_base_and_the_name(base: str, name: str, address: str) -> None:
    """A base is a folder, or a page beside which the file stands; without a file only a page's address is known."""
    assert page_address(base, name) == address


@pytest.mark.parametrize(
    "base",
    [
        "x.example",
        "/chats",
        "//x.example/",
        "ftp://x.example/",
        "javascript:alert(1)",
        "https://",
        "file:///a",
        " ",
        "https://x/?a",
    ],
)
def test_a_base_that_is_no_address_is_an_error(base: str) -> None:
    """Only an absolute http(s) address without query and fragment can be published at."""
    with pytest.raises(RendererError, match="base-url"):
        page_address(base, "a.html")
    with pytest.raises(RendererError, match="base-url"):
        page(question(1), base_url=base)


def test_the_address_is_told_once_it_is_known() -> None:
    """A base URL gives the canonical address, which card and linked data repeat."""
    made = page(question(1), base_url="https://x.example/page.html")
    assert attribute(made.one('link[rel="canonical"]'), "href") == "https://x.example/page.html"
    assert meta(made, "og:url") == linked_data(made)["url"] == "https://x.example/page.html"


# --- Linked data -----------------------------------------------------------------------------------------------


def test_linked_data_tells_messages_and_sources() -> None:
    """Who wrote when, and the linked sources by title; no text of an answer and no id of the file."""
    made = page(
        question("q-77", "Will it rain?", createdAt="2026-10-07T09:00:01"),
        *search(2, A),
        answer("a-88", "Certainly not[^1^].", createdAt="2026-10-07T09:00:09"),
        head=header(title="Rain", createdAt="2026-10-07T09:00:00"),
    )
    assert linked_data(made) == {
        "@context": "https://schema.org",
        "@type": "Conversation",
        "name": "Rain",
        "dateCreated": "2026-10-07T09:00:00+08:00",
        "hasPart": [
            {
                "@type": "Message",
                "author": {"@type": "Person", "name": "user"},
                "dateCreated": "2026-10-07T09:00:01+08:00",
                "headline": "Will it rain?",
            },
            {
                "@type": "Message",
                "author": {"@type": "Organization", "name": "assistant"},
                "dateCreated": "2026-10-07T09:00:09+08:00",
            },
        ],
        "citation": [{"@type": "CreativeWork", "name": "one", "url": A}],
    }


def test_only_linked_sources_are_cited() -> None:
    """An address that no tool returned, or that is no web address, is nowhere in the head."""
    cited = [entry(1, A), entry(2, "https://made-up.example/"), entry(3, "javascript:alert(1)")]
    made = page(
        question(1), *search(2, A, "javascript:alert(1)"), *open_page_rows(4, B), answer(6, "a[^1^][^2^][^3^]", cited)
    )
    assert [work["url"] for work in linked_data(made)["citation"]] == [A]
    head = made.html.partition("<style>")[0]
    assert "made-up.example" not in head
    assert "javascript:" not in head
    unchecked = page(question(1), answer(2, "a[^1^]", [entry(1, C)]))
    assert [work["url"] for work in linked_data(unchecked)["citation"]] == [C]


def test_a_long_conversation_has_a_short_head() -> None:
    """However many messages and sources there are, the head tells the first ones."""
    rows = []
    for n in range(120):
        rows += [question(n * 10, "Why? " * 99), *search(n * 10 + 2, f"https://x.example/{n}/" + "y" * 300)]
        rows += [answer(n * 10 + 5, "Because[^1^]. " * 99)]
    made = page(*rows)
    assert len(linked_data(made)["hasPart"]) == MAX_MESSAGES
    assert len(linked_data(made)["citation"]) == MAX_SOURCES
    assert len(made.html.partition("<style>")[0].encode()) < 40_000


# --- Hostile words ---------------------------------------------------------------------------------------------

HOSTILE = (
    "</script><script>alert(1)</script>",
    "</title><meta http-equiv=refresh content='0;url=http://e.example'>",
    '" onload="alert(1)" \'',
    "a\u2028b\u2029c\x85d",
    "\u202egnp.exe\u2066x",
    "<!--<script>",
    "]]>&quot;&#34;\\",
    "\x00\x1b]0;x\x07\ufdd01\ufdd1",
    "{{ 7*7 }}{% raw %}",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_stay_words_in_the_head(text: str) -> None:
    """Title, agent, question, answer and source title make no element, no attribute and no script in any field."""
    made = page(
        question(1, text),
        *search(2, {"title": text, "url": A, "content": ""}),
        answer(4, f"x[^1^]\n\n{text}"),
        head=header(title=text, agentName=text),
        base_url="https://x.example/p.html",
    )
    plain = page(question(1, "x"), *search(2, A), answer(4, "x[^1^]"), base_url="https://x.example/p.html")
    assert [tag.name for tag in made.all("head *")] == [tag.name for tag in plain.all("head *")]
    data = linked_data(made)
    assert set(data) == {"@context", "@type", "name", "url", "hasPart", "citation"}
    block = made.html.partition("ld+json")[2].partition("</script>")[0]
    assert not set(block.partition(">")[2]) & set("<>&\u2028\u2029")
    head = made.html.partition("<style>")[0]
    assert not set(head) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\ufdd0")
    said = [made.one("title").get_text(), meta(made, "og:title"), data["name"]]
    assert len(set(said)) == 1


def test_files_beside_the_page_are_linked() -> None:
    """The head leads to the Markdown and the data beside the page, and shows the picture where its address is known."""
    from io import StringIO

    from bs4 import BeautifulSoup

    from renderer import read, write_page
    from tests.readers.making import jsonl

    (conversation,) = read(jsonl(header(), question(1), answer(2, "Rain.")))

    def made(address: str) -> BeautifulSoup:
        file = StringIO()
        place = Place(address, "a b.md", "a b.json", "a b.png")
        write_page(conversation, file, options=Options(), place=place)
        return BeautifulSoup(file.getvalue(), "html.parser")

    near = made("")
    assert [(a["type"], a["href"]) for a in near.select('link[rel="alternate"]')] == [
        ("text/markdown", "a%20b.md"),
        ("application/json", "a%20b.json"),
    ]
    assert near.select('[property="og:image"]') == []
    published = made("https://x.example/c/a%20b.html")
    (image,) = published.select('[property="og:image"]')
    assert image["content"] == "https://x.example/c/a%20b.png"
    assert published.select('[name="twitter:card"]')[0]["content"] == "summary_large_image"
