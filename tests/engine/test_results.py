"""What the tools of the table answer, and which addresses, titles and passages that gives.

The answers are made up after the shapes that the tools document: https://docs.tavily.com, https://docs.exa.ai,
https://api-dashboard.search.brave.com, https://docs.searxng.org/dev/search_api.html, https://docs.firecrawl.dev,
https://jina.ai/reader, https://github.com/modelcontextprotocol/servers, and Claude Code's session files.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from renderer.citations.results import Result, results_of
from renderer.citations.tools import COMMON_TOOLS, UPSTREAM_TOOLS
from renderer.model import SourceTool
from tests.pages.making import A, B

TOOLS: dict[str, SourceTool] = {tool.name: tool for tool in (*UPSTREAM_TOOLS, *COMMON_TOOLS)}

TAVILY = (
    "tavily_search",
    "tavily-search",
    "tavily",
    "tavily_search_results_json",
    "TavilySearch",
    "TavilySearchResults",
)
TAVILY_EXTRACT = ("tavily_extract", "tavily-extract")
EXA = ("exa_search", "web_search_exa", "exa-search", "web_search_advanced_exa")
EXA_CONTENTS = ("exa_get_contents", "crawling_exa")
BRAVE = ("brave_web_search", "brave_search")
SEARXNG = ("searxng_search", "searxng_web_search", "searxng")
JINA = ("jina_search", "search_web")
JINA_READER = ("jina_reader", "jina_read", "read_url")
FETCH = ("fetch", "fetch_url", "fetch_markdown", "fetch_txt", "fetch_html")

ASKED = {"url": A, "prompt": "What does it say?"}


@dataclass(frozen=True)
class Case:
    """What each of the tools `names` answers to a call, and what must come of it."""

    names: tuple[str, ...]
    answer: Any
    results: tuple[Result, ...] | None
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.answer if isinstance(self.answer, str) else json.dumps(self.answer, ensure_ascii=False)


def every(cases: dict[str, Case]) -> list[Any]:
    """Each case once for each of its tools."""
    return [pytest.param(case, name, id=f"{name}: {id_}") for id_, case in cases.items() for name in case.names]


def got(case: Case, name: str, text: str | None = None) -> tuple[Result, ...] | None:
    """What the program makes of a case's answer (or of `text` in its place), as an answer of the tool `name`."""
    return results_of(TOOLS[name], case.arguments, case.text if text is None else text)


# --- Answers in JSON -------------------------------------------------------------------------------------------

UPSTREAM = {
    "an upstream search": Case(
        ("web_search",),
        {
            "query": "rain",
            "results": [
                {"title": "一号", "url": A, "content": "snippet one"},
                {"title": "", "url": B, "content": ""},
                {"title": "no address", "url": "", "content": "x"},
            ],
            "total_results": 3,
        },
        (Result(A, "一号", "snippet one"), Result(B, "", ""), Result("", "no address", "x")),
        {"query": "rain"},
    ),
    "an upstream page": Case(
        ("open_web_page",),
        {
            "url": A,
            "title": "One",
            "content": "# One",
            "content_length": 99_999,
            "truncated": True,
            "full_content_file": "/home/u/full.md",
            "message": "cut",
        },
        (Result(A, "One", "# One"),),
        {"url": A},
    ),
}

IN_JSON = {
    "results": Case(
        TAVILY,
        {
            "query": "rain",
            "answer": "See https://answer.example/",
            "images": [{"url": "https://image.example/a.png", "description": "rain"}],
            "results": [
                {"title": "One", "url": A, "content": "snippet one", "score": 0.98, "raw_content": None, "favicon": B},
                {"title": "Two", "url": B, "content": "snippet two", "score": 0.51, "raw_content": "page two"},
            ],
            "response_time": "1.67",
            "request_id": "123e4567",
        },
        (Result(A, "One", "snippet one"), Result(B, "Two", "snippet two")),
    ),
    "pages, one of them failed": Case(
        TAVILY_EXTRACT,
        {
            "results": [{"url": A, "raw_content": "page one", "images": []}],
            "failed_results": [{"url": B, "error": "timeout"}],
            "response_time": 0.02,
        },
        (Result(A, "", "page one"),),
        {"urls": [A, B]},
    ),
    "results with text, a summary, highlights": Case(
        EXA,
        {
            "requestId": "b5947044",
            "resolvedSearchType": "neural",
            "results": [
                {"id": A, "title": "One", "url": A, "publishedDate": "2026-10-01", "author": "Ann", "text": "text one"},
                {"id": B, "title": "Two", "url": B, "highlights": ["first", "second"], "highlightScores": [0.4, 0.2]},
                {"id": "c", "title": None, "url": "https://c.example/", "summary": "short", "image": B},
            ],
            "costDollars": {"total": 0.005},
        },
        (
            Result(A, "One", "text one"),
            Result(B, "Two", "first\n\nsecond"),
            Result("https://c.example/", "", "short"),
        ),
    ),
    "contents": Case(
        EXA_CONTENTS,
        {
            "requestId": "e492118c",
            "results": [{"id": A, "title": "One", "url": A, "text": "page one"}],
            "statuses": [{"id": A, "status": "success", "source": "cached"}, {"id": B, "status": "error"}],
        },
        (Result(A, "One", "page one"),),
        {"urls": [A, B]},
    ),
    "web results": Case(
        BRAVE,
        {
            "type": "search",
            "query": {"original": "rain", "more_results_available": True},
            "news": {"results": [{"title": "News", "url": "https://news.example/"}]},
            "web": {
                "type": "search",
                "results": [
                    {"title": "One", "url": A, "description": "snippet one", "profile": {"url": "https://p.example/"}},
                    {"title": "Two", "url": B, "description": "snippet two"},
                ],
            },
        },
        (Result(A, "One", "snippet one"), Result(B, "Two", "snippet two")),
    ),
    "SearXNG's results": Case(
        SEARXNG,
        {
            "query": "rain",
            "number_of_results": 0,
            "results": [
                {"url": A, "title": "One", "content": "snippet one", "engine": "duckduckgo", "score": 4.0},
                {"url": B, "title": "Two", "content": "", "engine": "mojeek", "img_src": "https://image.example/"},
            ],
            "answers": [],
            "infoboxes": [{"infobox": "Rain", "urls": [{"title": "W", "url": "https://w.example/"}]}],
            "suggestions": ["rain today"],
        },
        (Result(A, "One", "snippet one"), Result(B, "Two", "")),
    ),
    "data by kind": Case(
        ("firecrawl_search",),
        {
            "success": True,
            "data": {
                "web": [{"url": A, "title": "One", "description": "snippet one", "position": 1}],
                "images": [{"imageUrl": "https://image.example/", "url": "https://image-page.example/"}],
            },
            "creditsUsed": 2,
        },
        (Result(A, "One", "snippet one"),),
    ),
    "data as a list of pages": Case(
        ("firecrawl_search",),
        {
            "success": True,
            "data": [
                {"title": "One", "description": "snippet one", "url": A, "markdown": "page one"},
                {"markdown": "page two", "metadata": {"title": "Two", "sourceURL": B, "statusCode": 200}},
            ],
        },
        (Result(A, "One", "snippet one"), Result(B, "Two", "page two")),
    ),
    "web alone": Case(
        ("firecrawl_search",),
        {"web": [{"url": A, "title": "One", "description": "snippet one"}]},
        (Result(A, "One", "snippet one"),),
    ),
    "a page in an envelope": Case(
        ("firecrawl_scrape",),
        {
            "success": True,
            "data": {
                "markdown": "# One",
                "links": [B],
                "metadata": {"title": "One", "sourceURL": A, "statusCode": 200},
            },
        },
        (Result(A, "One", "# One"),),
        ASKED,
    ),
    "a page": Case(
        ("firecrawl_scrape",),
        {"markdown": "# One", "metadata": {"title": "One", "url": A, "ogImage": "https://image.example/"}},
        (Result(A, "One", "# One"),),
        ASKED,
    ),
    "Jina's data": Case(
        JINA,
        {
            "code": 200,
            "status": 20000,
            "data": [
                {"title": "One", "url": A, "description": "snippet one", "content": "page one", "usage": {"tokens": 9}},
                {"title": "Two", "url": B, "description": "snippet two", "content": ""},
            ],
            "meta": {"usage": {"tokens": 9}},
        },
        (Result(A, "One", "page one"), Result(B, "Two", "snippet two")),
    ),
    "Jina's page": Case(
        JINA_READER,
        {
            "code": 200,
            "status": 20000,
            "data": {"title": "One", "url": A, "content": "page one", "links": {"Two": B}, "usage": {"tokens": 9}},
        },
        (Result(A, "One", "page one"),),
        ASKED,
    ),
    "a page that names its address": Case(
        FETCH, {"url": A, "title": "One", "content": "page one"}, (Result(A, "One", "page one"),), ASKED
    ),
    "a page that does not": Case(FETCH, {"text": "page one"}, (Result(A, "", "page one"),), ASKED),
    "results of one query": Case(
        ("WebSearch",),
        {"query": "rain", "results": [{"title": "One", "url": A}, {"title": "Two", "url": B}], "durationSeconds": 2.5},
        (Result(A, "One", ""), Result(B, "Two", "")),
    ),
    "the record of a session file": Case(
        ("WebSearch",),
        {
            "query": "rain",
            "results": [{"tool_use_id": "srv_1", "content": [{"title": "One", "url": A}]}, "It rains, says the web."],
            "durationSeconds": 2.5,
            "searchCount": 1,
        },
        (Result(A, "One", ""),),
    ),
    "the record of a page": Case(
        ("WebFetch",),
        {"url": A, "code": 200, "codeText": "OK", "bytes": 1234, "result": "It rains.", "durationMs": 900},
        (Result(A, "", "It rains."),),
        ASKED,
    ),
}


@pytest.mark.parametrize(("case", "name"), every(UPSTREAM | IN_JSON))
def test_an_answer_in_json_gives_its_results(case: Case, name: str) -> None:
    """Address, title and passage stand where the table says, and no other address in the answer counts."""
    assert got(case, name) == case.results


@pytest.mark.parametrize(("case", "name"), every(IN_JSON))
def test_an_answer_in_blocks_gives_the_same(case: Case, name: str) -> None:
    """JSON inside the text block of an MCP answer, or in such a block alone, is read like the JSON itself."""
    block = {"type": "text", "text": case.text}
    assert got(case, name, json.dumps({"content": [block]})) == case.results
    assert got(case, name, json.dumps({"content": [block], "isError": False})) == case.results
    assert got(case, name, json.dumps([block])) == case.results


@pytest.mark.parametrize(("case", "name"), every(IN_JSON))
def test_an_answer_that_says_it_failed_gives_none(case: Case, name: str) -> None:
    """`isError` and a top-level `error` make a failure of an answer, whatever else is in it."""
    block = {"type": "text", "text": case.text}
    assert got(case, name, json.dumps({"content": [block], "isError": True})) is None
    assert got(case, name, json.dumps({**case.answer, "error": "half of it failed"})) is None
    assert got(case, name, json.dumps({**case.answer, "success": False})) is None


@pytest.mark.parametrize(("case", "name"), every(UPSTREAM))
def test_the_upstream_tools_are_taken_to_the_letter(case: Case, name: str) -> None:
    """The two upstream tools answer with a JSON object: blocks, lists and text around it are failures."""
    block = {"type": "text", "text": case.text}
    for text in (json.dumps({"content": [block]}), json.dumps([block]), f"[{case.text}]", f"Result: {case.text}"):
        assert got(case, name, text) is None


def test_every_tool_of_the_table_is_tried() -> None:
    """Each row of the table has an answer here that gives sources."""
    tried = {name for case in (UPSTREAM | IN_JSON).values() if case.results for name in case.names}
    assert tried == set(TOOLS)


# --- Answers in text -------------------------------------------------------------------------------------------

IN_TEXT = {
    "Tavily's text": Case(
        TAVILY,
        f"Answer: See https://answer.example/\nDetailed Results:\n\nTitle: One\nURL: {A}\nContent: snippet one\n"
        f"goes on at https://inside.example/\n\nTitle: Two\nURL: {B}\nContent: snippet two\nRaw Content: page two",
        (
            Result(A, "One", "snippet one\ngoes on at https://inside.example/"),
            Result(B, "Two", "snippet two\nRaw Content: page two"),
        ),
    ),
    "Tavily's text with ids": Case(
        TAVILY,
        f"Request ID: 123e4567\nDetailed Results:\n\nTitle: One\nID: r1\nURL: {A}\nContent: snippet one\n\n"
        f"Title: Two\nID: r2\nURL: {B}\nContent: snippet two",
        (Result(A, "One", "snippet one"), Result(B, "Two", "snippet two")),
    ),
    "Exa's text": Case(
        EXA,
        f"Title: One\nURL: {A}\nText: text one\n\nwith a second paragraph\n\nTitle: Two\nURL: {B}\nText: text two",
        (Result(A, "One", "text one\n\nwith a second paragraph"), Result(B, "Two", "text two")),
    ),
    "Exa's text with authors": Case(
        EXA,
        f"Title: One\nAuthor: Ann\nPublished Date: 2026-10-01T00:00:00.000Z\nURL: {A}\nText: text one\n\n"
        f"Title: Two\nPublished Date: 2026-10-02\nURL: {B}\nText: text two",
        (Result(A, "One", "text one"), Result(B, "Two", "text two")),
    ),
    "titles, descriptions, addresses": Case(
        (*BRAVE, *SEARXNG),
        f"Title: One\nDescription: snippet one\nURL: {A}\n\nTitle: Two\nDescription: snippet two\nURL: {B}",
        (Result(A, "One", "snippet one"), Result(B, "Two", "snippet two")),
    ),
    "SearXNG's text": Case(
        SEARXNG,
        "Suggestions: rain today\n\nInfobox: Rain\nW: https://w.example/\n\n---\n\n"
        f"Title: One\nDescription: snippet one\nURL: {A}\nRelevance Score: 4.000\nThumbnail: https://image.example/\n\n"
        f"Title: Two\nDescription: \nURL: {B}\nRelevance Score: 0.500",
        (Result(A, "One", "snippet one"), Result(B, "Two", "")),
    ),
    "Jina's text": Case(
        JINA,
        f"[1] Title: One\n[1] URL Source: {A}\n[1] Description: snippet one\n[1] Published Time: 2026-10-01\n\n"
        f"[2] Title: Two\n[2] URL Source: {B}\n[2] Description: snippet two\n\n[A link](https://inside.example/)",
        (Result(A, "One", "snippet one"), Result(B, "Two", "snippet two")),
    ),
    "a list of links": Case(
        ("WebSearch",),
        f'Web search results for query: "rain"\n\nLinks: [{{"title":"One","url":"{A}"}},{{"title":"Two","url":"{B}"}}]'
        "\n\nIt rains, says https://summary.example/.\n\n\nREMINDER: You MUST include the sources above.",
        (Result(A, "One", ""), Result(B, "Two", "")),
    ),
    "two lists of links": Case(
        ("WebSearch",),
        f'Web search results for query: "rain"\n\nLinks: [{{"title":"One","url":"{A}"}}]\n\nIt rains.\n\n'
        f'Links: [{{"title":"Two","url":"{B}"}}]\n\nIt snows.',
        (Result(A, "One", ""), Result(B, "Two", "")),
    ),
}

PAGES_IN_TEXT = {
    "Jina's page": Case(
        JINA_READER, f"Title: One\n\nURL Source: {A}\n\nMarkdown Content:\n# It rains\n[Two]({B})", None, ASKED
    ),
    "a page": Case(FETCH, f"Contents of {A}:\n# It rains\n[Two]({B})", None, ASKED),
    "a page in Markdown": Case(("firecrawl_scrape", "WebFetch"), f"# It rains\n\nSee {B}.", None, ASKED),
    "a page that speaks of errors": Case((*FETCH, "WebFetch"), "# It rains\n\nError: the forecast.", None, ASKED),
}


@pytest.mark.parametrize(("case", "name"), every(IN_TEXT))
def test_an_answer_in_text_gives_its_results(case: Case, name: str) -> None:
    """In text, addresses count where the tool puts them, and none that stands in a title, a snippet or a summary."""
    assert got(case, name) == case.results
    block = {"type": "text", "text": case.text}
    assert got(case, name, json.dumps({"content": [block], "isError": False})) == case.results
    assert got(case, name, json.dumps({"content": [block], "isError": True})) is None


@pytest.mark.parametrize(("case", "name"), every(PAGES_IN_TEXT))
def test_a_page_in_text_is_the_one_asked_for(case: Case, name: str) -> None:
    """A page that comes back as text is a source under the address that was asked for, and no other one."""
    (page,) = got(case, name) or ()
    assert page.url == A
    assert "It rains" in page.passage


@pytest.mark.parametrize("name", BRAVE)
def test_a_block_for_each_result_is_read(name: str) -> None:
    """Brave's own MCP server gives every result a text block of its own."""
    items = [{"url": A, "title": "One", "description": "snippet one"}, {"url": B, "title": "Two", "description": ""}]
    blocks = [{"type": "text", "text": json.dumps(item)} for item in items]
    expected = (Result(A, "One", "snippet one"), Result(B, "Two", ""))
    assert results_of(TOOLS[name], {}, json.dumps({"content": blocks, "isError": False})) == expected


@pytest.mark.parametrize("name", TAVILY_EXTRACT)
def test_extracted_pages_in_text_are_read(name: str) -> None:
    """Tavily's own MCP server answers an extraction in text, with the address of each page."""
    text = f"Detailed Results:\n\nTitle: One\nURL: {A}\nRaw Content: page one\n\nTitle: Two\nURL: {B}\nRaw Content: two"
    assert [r.url for r in results_of(TOOLS[name], {"urls": [A, B]}, text) or ()] == [A, B]


# --- Failures --------------------------------------------------------------------------------------------------

OPENERS = tuple(name for name, tool in TOOLS.items() if tool.opens)
SEARCHES = tuple(name for name, tool in TOOLS.items() if not tool.opens)
LENIENT = tuple(tool.name for tool in COMMON_TOOLS)

FAILURES = {
    "nothing": Case(tuple(TOOLS), "", None, ASKED),
    "blanks": Case(tuple(TOOLS), " \n\t", None, ASKED),
    "an error": Case(tuple(TOOLS), {"error": "no network"}, None, ASKED),
    "an error that is an object": Case(tuple(TOOLS), {"error": {"code": 429, "message": "slow down"}}, None, ASKED),
    "no success": Case(LENIENT, {"success": False, "message": "out of credits"}, None, ASKED),
    "an error in a block": Case(LENIENT, {"content": [{"type": "text", "text": f'{{"error":"{A}"}}'}]}, None, ASKED),
    "an error in words": Case(tuple(TOOLS), f"Error: could not reach {A}", None, ASKED),
    "an error of the client": Case(tuple(TOOLS), f"<error>{A} timed out</error>", None, ASKED),
    "the fetch server's": Case(FETCH, f"Failed to fetch {A} - status code 404", None, ASKED),
    "the fetch server's, of robots.txt": Case(
        FETCH,
        f"When fetching robots.txt ({A}robots.txt), received status 403 so assuming that autonomous fetching is not "
        "allowed, the user can try manually fetching by using the fetch prompt",
        None,
        ASKED,
    ),
    "the fetch server's, forbidden by robots.txt": Case(
        FETCH,
        f"The sites robots.txt ({A}robots.txt), specifies that autonomous fetching of this page is not allowed, "
        f"<useragent>x</useragent>\n<url>{A}</url><robots>\nDisallow: /\n</robots>",
        None,
        ASKED,
    ),
    "Claude Code's": Case(("WebFetch",), "Request failed with status code 404", None, ASKED),
    "Claude Code's record": Case(
        ("WebFetch",),
        {"url": A, "code": 404, "codeText": "Not Found", "bytes": 0, "result": "There is no page.", "durationMs": 9},
        None,
        ASKED,
    ),
    "Claude Code's model": Case(("WebFetch", "WebSearch"), "API Error: 529 overloaded", None, ASKED),
    "Exa's": Case((*EXA, *EXA_CONTENTS), "Search error (429): slow down", None, ASKED),
    "no results in words": Case(SEARCHES, "No search results found. Please try a different query.", None),
    "no links": Case(("WebSearch",), 'Web search results for query: "rain"\n\nNo links found.', None),
    "links cut off": Case(("WebSearch",), f'Links: [{{"title":"One","url":"{A}"}}', None),
    "an address without a page": Case(OPENERS, {"url": A, "title": "One"}, None, ASKED),
    "a page that is no text": Case(OPENERS, {"url": A, "content": 5, "text": None, "markdown": []}, None, ASKED),
    "JSON of another shape": Case(tuple(TOOLS), {"weather": [{"url": A}]}, None, {}),
    "JSON cut off": Case(SEARCHES, f'{{"results": [{{"title": "One", "url": "{A}"}}', None),
    "an address in words": Case(SEARCHES, f"I found {A} and https://b.example/.", None),
    "an address without title": Case(SEARCHES, f"URL: {A}\nContent: x", None),
    "a page of an unknown address": Case(OPENERS, "# It rains", None, {}),
    "a page asked for by something else": Case(OPENERS, "# It rains", None, {"url": [A], "urls": {"a": A}}),
}


@pytest.mark.parametrize(("case", "name"), every(FAILURES))
def test_a_failure_gives_none(case: Case, name: str) -> None:
    """What failed, in the tool's own way of saying so, and what cannot be read, returned no address."""
    assert not got(case, name)


@pytest.mark.parametrize("name", [name for name in OPENERS if name in LENIENT])
def test_a_failure_with_a_text_is_still_one(name: str) -> None:
    """`isError` counts for an answer whose content is a plain string, too."""
    assert not results_of(TOOLS[name], ASKED, json.dumps({"isError": True, "content": "could not be reached"}))


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_without_results_is_no_failure(name: str) -> None:
    """A search that found nothing succeeded: its list of results is there, and empty."""
    assert results_of(TOOLS[name], {}, '{"results": []}') == ()
    assert results_of(TOOLS[name], {}, "[]") == (() if name in LENIENT else None)


@pytest.mark.parametrize("name", LENIENT)
@pytest.mark.parametrize(
    "text", ["[" * 100_000, "{" * 5000, '{"results": [{"url": 1}, 2, null, "x", []]}', "9" * 5000, "\ud800", '"text"']
)
def test_no_answer_stops_the_program(name: str, text: str) -> None:
    """Whatever a tool answered, reading it raises nothing and gives no address."""
    assert [result for result in results_of(TOOLS[name], {}, text) or () if result.url] == []
