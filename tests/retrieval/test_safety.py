"""Whatever a retrieval answer holds, it comes out as text: no element, no attribute and no address of its own."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from renderer import strip_citation_markers
from tests.pages.making import Page, attribute, words
from tests.retrieval.making import cited, entries, page, passage, source, squeezed

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "'><svg onload=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "</p></div></details></li></ol></section></main><h1>Forged</h1>",
    "</title></style></script><script>alert(1)</script>",
    "<!-- --><!-- <b>",
    "]]><![CDATA[<script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#xFDD0;0&#xFDD1;",
    "\ufdd00.0\ufdd1 \ufdd2",
    "{{ 7 * 7 }} {% raw %} ${7*7}",
    "[1](javascript:alert(1)) [^1^] [1] <sup class=cite-ref>[1]</sup>",
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "\x00\x1b[31m\u202ereversed\u2066",
    "half \ud83d a pair",
]
FIELDS = ("question", "answer", "doc_title", "section", "url", "text", "snippet", "doc_id", "page", "status", "id")
TIMES = ("created_at", "retrieved_at")

SEEN = re.compile(r"<(?:script|img|svg|h1|b|sup)\b", re.IGNORECASE)


def answer_with(field: str, value: object) -> dict[str, Any]:
    """An answer in which one field has this value."""
    entry = source(1, "It rains.", url="https://a.example/x", page=7, section="3.2", status="ok", doc_id="d")
    record = cited("It rains[1].", entry, question="Will it rain?", created_at="2026-11-30T08:00:00Z")
    if field in record:
        record[field] = value
    elif field == "id":
        record["citations"] = [{**entry, "id": value}, source(1, "It rains.", url="https://a.example/x")]
    else:
        record["citations"] = [{**entry, field: value}]
    return record


def outline(made: Page) -> list[tuple[str, tuple[str, ...]]]:
    """Every element of the page with the names of its attributes; marks and what parts prose are not counted."""
    return [
        (tag.name, tuple(sorted(tag.attrs)))
        for tag in made.soup.find_all(True)
        if tag.name not in ("mark", "p", "a", "sup", "pre", "code")
    ]


def assert_harmless(made: Page) -> None:
    """One script that runs and one style, both ours; no handler, no address but http(s), mailto and inside the page."""
    assert len(made.all("script:not([type])")) == len(made.all("style")) == 1
    assert json.loads(made.one("script[type]").get_text())["@type"] == "Conversation"
    assert made.all("img, svg, iframe, object, embed, form, input, base, meta[http-equiv=refresh]") == []
    for tag in made.soup.find_all(True):
        assert isinstance(tag, Tag)
        assert [name for name in tag.attrs if name.startswith("on") or name in ("style", "srcdoc", "src")] == []
        if tag.has_attr("href"):
            assert re.match(r"https?://|#|data:,$", attribute(tag, "href")), tag
    assert re.search("[\ufdd0-\ufdef\ud800-\udfff\x00-\x08\x0b-\x1f]", made.html) is None


@pytest.mark.parametrize("field", [*FIELDS, *TIMES])
@pytest.mark.parametrize("value", HOSTILE)
def test_a_hostile_value_makes_nothing(field: str, value: str) -> None:
    """In no field does a text make an element, an attribute, a script or an address that it must not."""
    assert_harmless(page(answer_with(field, value)))


@pytest.mark.parametrize("field", ["doc_title", "section", "text", "snippet", "question"])
@pytest.mark.parametrize("value", HOSTILE[:10])
def test_a_hostile_value_leaves_the_page_as_it_was(field: str, value: str) -> None:
    """The page has the same elements with the same attributes as with a harmless value."""
    harmless = page(answer_with(field, "x" * len(value)))
    assert outline(page(answer_with(field, value))) == outline(harmless)


@pytest.mark.parametrize(
    ("field", "selector"),
    [
        ("doc_title", ".source-title"),
        ("section", ".source-place"),
        ("text", ".passage-text"),
        ("question", "h2.question"),
    ],
)
@pytest.mark.parametrize("value", [text for text in HOSTILE if text.isprintable() and "\ufdd0" not in text])
def test_a_hostile_value_is_shown_as_it_was_written(field: str, selector: str, value: str) -> None:
    """Its characters are all there to be read, entities as they were typed."""
    made = page(answer_with(field, value))
    (shown,) = made.all(selector)
    whole = attribute(shown, "title") if shown.has_attr("title") else words(shown)
    assert squeezed(value) in whole


@pytest.mark.parametrize(
    "value",
    [
        "javascript:alert(1)",
        "JAVASCRIPT:alert(1)",
        " javascript:alert(1)",
        "java\tscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "//evil.example/x",
        "\\\\evil.example\\x",
        'https://a.example/"onmouseover="alert(1)',
        "https://a.example/'><script>alert(1)</script>",
        "https://user:secret@a.example/",
        "https://a.example@evil.example/",
        "https://a.example/" + "x" * 3000,
        "#m-a1",
        "?x",
    ],
)
def test_a_hostile_address_is_no_trap(value: str) -> None:
    """What is linked is an http(s) address without a name and a password, quoted; all else is not linked."""
    made = page(answer_with("url", value))
    assert_harmless(made)
    for link in made.all("li.source a:not(.source-back)"):
        href = attribute(link, "href")
        assert re.fullmatch(r"https?://[^\s\"<>@]+", href)
        host = href.split("/")[2]
        assert host in words(made.one(".source-domain"))


@pytest.mark.parametrize("value", [5, 1.5, True, None, [], {}, ["<script>"], {"a": "<script>"}, 10**30, -1, "", " "])
@pytest.mark.parametrize("field", [*FIELDS, *TIMES])
def test_a_value_of_another_type_costs_no_more_than_itself(field: str, value: object) -> None:
    """A value of a type that was not meant is as if absent; the answer is on the page."""
    record = answer_with(field, value)
    if field == "answer":
        record["answer"], record["note"] = "It rains[1].", value
    made = page(record)
    assert_harmless(made)
    assert "It rains" in words(made.one(".prose"))


def test_hostile_answers_are_harmless_under_each_policy() -> None:
    """Struck markers, too, are our own markup and hold nothing of the text's."""
    text = 'It rains[7]. <del class="cite-invalid">[1]</del> [8]"><script>alert(1)</script>'
    for policy in ("strip", "mark", "plain"):
        made = page(cited(text, source(1)), on_invalid=policy)
        assert_harmless(made)
        assert len(made.all("del")) == (2 if policy == "mark" else 0)


def test_a_passage_cannot_forge_a_number() -> None:
    """A passage that looks like our own markup is words: no number, no badge and no link comes of it."""
    forged = '<sup class="cite-ref" data-n="1"><a href="#src-a1-1">[1]</a></sup> <i class="source-verdict">returned</i>'
    made = page(cited("It rains.", source(1, forged)))
    assert made.all("sup.cite-ref") == []
    assert len(made.all(".source-verdict")) == 1
    assert passage(entries(made)[0]) == forged


def test_a_passage_cannot_forge_a_sentinel() -> None:
    """Characters that serve inside the program as signs are removed wherever they come from, entities too."""
    made = page(cited("It rains[1]. &#xFDD0;0&#xFDD1; \ufdd2", source(1, "a \ufdd0 b \ufdd2 c &#xFDD2;")))
    assert_harmless(made)
    assert passage(entries(made)[0]) == "a b c &#xFDD2;"


def test_a_title_has_no_markers_of_the_other_design() -> None:
    """A long title is cut at sixty characters on the page, and whole in its tip."""
    title = "合同" * 50
    made = page(cited("a[1]", source(1, title=title)))
    shown = made.one(".source-title")
    assert words(shown) == title[:60] + "…"
    assert attribute(shown, "title") == title
    assert strip_citation_markers(title) == title


def test_the_page_parses_as_it_was_meant() -> None:
    """The strictest reading of a hostile page gives each entry once, inside its list."""
    made = page(cited("a[1] b[2]", *(source(n, value, value, section=value) for n, value in enumerate(HOSTILE, 1))))
    soup = BeautifulSoup(made.html, "html.parser")
    lists = soup.select("section.sources > details > ol > li.source")
    assert len(lists) == len(soup.select("li.source")) == len(HOSTILE)
