"""What must hold for any rows: nothing made up is linked, numbers have no gaps, citing and marking change nothing else.

What is expected is worked out here from the rows themselves, by code of our own that is as plain as the design's words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from bs4 import BeautifulSoup, Tag
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from renderer import cite_rows
from renderer.markdown.parse import Tokens, parse
from tests.engine.making import cited, decoded, metadata_of
from tests.pages.making import (
    Page,
    Row,
    answer,
    attribute,
    call,
    entry,
    open_page_rows,
    page_of,
    question,
    result,
    search,
    words,
)
from tests.readers.making import encoded, header, jsonl

WEB = [f"https://found.example/{n}" for n in range(1, 5)] + [
    "http://found.example/1",
    "https://FOUND.example/1?a=1&b=2",
]
NEVER_LINKED = ["javascript:alert(1)", "ftp://found.example/", "/relative", "data:text/html,x", ""]
MADE_UP = ["https://made.up/1", "https://made.up/2", "https://found.example/11"]
UPSTREAM = ("web_search", "open_web_page")

# Making a page takes its time.
USUAL = settings.default or settings()
FEWER = settings(USUAL, max_examples=USUAL.max_examples // 2)

# --- Any rows --------------------------------------------------------------------------------------------------

_URLS = st.sampled_from(WEB + NEVER_LINKED)
_TITLES = st.sampled_from(["", "One", "一", "[^1^]", "<b>"])
_HITS = st.builds(lambda url, title: {"title": title, "url": url, "content": "x"}, _URLS, _TITLES)
_SEARCHES = st.lists(_HITS, max_size=4).map(lambda hits: {"query": "q", "results": hits, "total_results": len(hits)})
# More than a registry holds.
_LONG_SEARCHES = st.integers(1, 3).map(
    lambda first: {"results": [{"title": "", "url": f"https://many.example/{n}"} for n in range(first, first + 22)]}
)
_PAGES = st.builds(lambda url, title: {"url": url, "title": title, "content": "x", "truncated": True}, _URLS, _TITLES)
_FAILURES = st.sampled_from(
    [
        {"error": f"see {MADE_UP[0]}"},
        {"error": "x", "url": MADE_UP[1]},
        {"results": [{"url": MADE_UP[0], "title": "t"}], "error": None},
        {"results": {"url": MADE_UP[0]}},
        {"results": [MADE_UP[0], None, 5, {"url": [MADE_UP[1]]}]},
        {"url": MADE_UP[1], "content": None},
        [{"url": MADE_UP[0], "title": "t"}],
        f"Title: x\nURL: {MADE_UP[0]}\nContent: y",
        "{cut",
        " ",
    ]
)
_ANSWERED = st.one_of(
    st.tuples(st.just("web_search"), st.one_of(_SEARCHES, _SEARCHES, _LONG_SEARCHES, _FAILURES, _PAGES)),
    st.tuples(st.just("open_web_page"), st.one_of(_PAGES, _PAGES, _FAILURES, _SEARCHES)),
    st.tuples(st.sampled_from(["image_search", "read_file"]), st.one_of(_SEARCHES, _PAGES)),
)

_WORDS = ["It rains", "下雨", ". ", "。", " ", "\n\n", "\n- ", "**bold** ", "[^x^]", "[^1", "1^]"]
_MARKERS = [f"[^{n}^]" for n in (1, 1, 2, 2, 3, 4, 5, 0, 20, 21, 99)]
_TRAPS = [
    "`[^1^]` ",
    "\n\n```\n[^1^]\n```\n\n",
    f"[^1^]({MADE_UP[0]}) ",
    f"\n\n[^1^]: {MADE_UP[0]}\n\n",
    f"[a[^2^]]({MADE_UP[1]}) ",
    f"{MADE_UP[1]}[^1^] ",
    f"![x[^1^]]({MADE_UP[0]}) ",
    "<a href='https://made.up/1'>[^1^]</a> ",
]
_PLAIN_TEXTS = st.lists(st.sampled_from(_WORDS + _MARKERS), min_size=1, max_size=8).map("".join)
_TEXTS = st.lists(st.sampled_from(_WORDS + _MARKERS + _TRAPS), min_size=1, max_size=8).map("".join)

_ENTRIES = st.builds(entry, st.integers(1, 6), st.sampled_from(WEB[:4] + MADE_UP + NEVER_LINKED[:2]), _TITLES)
_LISTS = st.none() | st.lists(_ENTRIES, max_size=4)


@st.composite
def _round(draw: st.DrawFn, texts: st.SearchStrategy[str], lists: st.SearchStrategy[list[Any] | None]) -> list[Row]:
    """A question, up to four calls with their answers and words between, and the rest of the round; ids come later."""
    rows = [question(0, draw(st.sampled_from(["Why?", f"See {MADE_UP[0]} [^1^]"])))]
    for number, (tool, answered) in enumerate(draw(st.lists(_ANSWERED, max_size=4))):
        if draw(st.integers(0, 5)) == 0:
            rows.append(answer(0, draw(texts), draw(lists)))
        # Call ids are the same in every round, as some agents give them.
        rows += [call(0, tool, {"query": MADE_UP[2]}, f"c{number}"), result(0, answered, f"c{number}")]
    for _ in range(draw(st.integers(0, 2))):
        rows.append(answer(0, draw(texts), draw(lists)))
    return rows


def exports(texts: st.SearchStrategy[str], lists: st.SearchStrategy[list[Any] | None]) -> st.SearchStrategy[list[Row]]:
    """The rows of exports of up to three rounds, some with rows before the first question."""
    preludes = st.lists(st.builds(lambda text, list_: answer(0, text, list_), texts, lists), max_size=1)
    rounds = st.lists(_round(texts, lists), min_size=1, max_size=3)
    return st.builds(lambda prelude, parts: _numbered([*prelude, *chain(*parts)]), preludes, rounds)


def _numbered(rows: list[Row]) -> list[Row]:
    return [{**row, "id": id_} for id_, row in enumerate(rows, 1)]


# --- What is right, in plain words -----------------------------------------------------------------------------


def rounds_of(rows: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """The rows, cut before each question; those before the first one come first."""
    parts: list[list[Any]] = [[]]
    for row in rows:
        if row["role"] == "USER":
            parts.append([])
        parts[-1].append(row)
    return parts


def allowed_in(rows: list[Row]) -> list[str]:
    """The addresses that the two tools returned in these rows, in their order: the white list of a round."""
    tools = {c["id"]: c["function"]["name"] for row in rows for c in json.loads(row["toolCalls"] or "[]")}
    found: list[str] = []
    for row in rows:
        if row["role"] == "TOOL" and tools.get(row["toolCallId"]) in UPSTREAM:
            found += _addresses(tools[row["toolCallId"]], row["content"])
    return list(dict.fromkeys(found))[:20]


def _addresses(tool: str, content: str) -> Iterator[str]:
    try:
        answered = json.loads(content)
    except ValueError:
        return
    if not isinstance(answered, dict) or "error" in answered:
        return
    if tool == "open_web_page":
        items: Any = [answered] if isinstance(answered.get("content"), str) else []
    else:
        items = answered.get("results")
    for item in items if isinstance(items, list) else []:
        if isinstance(item, dict) and isinstance(item.get("url"), str) and item["url"]:
            yield item["url"]


def answer_in(rows: list[Row]) -> Row | None:
    """The last assistant row with text, where a question was asked."""
    if not rows or rows[0]["role"] != "USER":
        return None
    return next((row for row in reversed(rows) if row["role"] == "ASSISTANT" and (row["content"] or "").strip()), None)


def recorded(rows: Iterable[Row]) -> bool:
    """Whether the file holds anything that a tool returned."""
    return any(row["role"] == "TOOL" and row["content"].strip() for row in rows)


def given_by(row: Row) -> dict[int, str] | None:
    """The list that a row brings, by n, the first of doubles; None when it brings none."""
    metadata = metadata_of(row)
    if metadata is None:
        return None
    listed: dict[int, str] = {}
    for item in metadata["citations"]:
        if item["url"]:
            listed.setdefault(item["n"], item["url"])
    return listed


def entries_of(row: Row, rows: list[Row], everything: list[Row]) -> list[tuple[int, str]]:
    """The n and address of each entry that a page lists under a row of plain text, in its order."""
    allowed = allowed_in(rows)
    listed = given_by(row)
    if listed is None:
        cited_ = {int(n) for n in re.findall(r"\[\^(\d+)\^\]", row["content"])} if row is answer_in(rows) else set()
        return [(n, url) for n, url in enumerate(allowed, 1) if n in cited_]
    checked = recorded(everything) and rows[0]["role"] == "USER"
    return [(n, url) for n, url in sorted(listed.items()) if not checked or url in allowed]


def looked_at(page: Page, rows: list[Row]) -> Iterator[tuple[list[Row], Tag]]:
    """Each round's rows with the part of the page that shows it."""
    parts = [part for part in rounds_of(rows) if part]
    sections = page.all("section.round")
    assert len(parts) == len(sections)
    return zip(parts, sections, strict=True)


# --- Laws of pages ---------------------------------------------------------------------------------------------


@FEWER
@given(exports(_TEXTS, _LISTS))
def test_no_made_up_address_is_ever_linked(rows: list[Row]) -> None:
    """Every link of a round is one that its tools returned, or stands as it is in the text of the message around it."""
    page = page_of(jsonl(header(), *rows))
    texts = {str(row["id"]): row["content"] or "" for row in rows}
    for part, section in looked_at(page, rows):
        allowed = {url for url in allowed_in(part) if url.startswith(("http://", "https://"))}
        unchecked = {
            url
            for row in part
            for url in (given_by(row) or {}).values()
            if not recorded(rows) or part[0]["role"] != "USER"
        }
        for link in section.select("a[href]"):
            href = attribute(link, "href")
            article = link.find_parent("article")
            if href.startswith("#"):
                continue
            assert href.startswith(("http://", "https://"))
            if link.find_parent(class_="prose") is not None:
                assert article is not None
                assert href in texts[attribute(article, "data-message-id")]
            else:
                assert href in allowed or href in unchecked
        for sup in section.select("sup.cite-ref a"):
            assert attribute(sup, "href").startswith("#src-")


@FEWER
@given(exports(_PLAIN_TEXTS, _LISTS))
def test_numbers_have_no_gaps_and_follow_the_registry(rows: list[Row]) -> None:
    """The entries of a message are numbered 1…K in the order of n, and its text shows those numbers and no others."""
    page = page_of(jsonl(header(), *rows))
    for part, _ in looked_at(page, rows):
        for row in part:
            if row["role"] != "ASSISTANT" or not (row["content"] or "").strip():
                continue
            expected = entries_of(row, part, rows)
            items = page.sources(row["id"])
            assert [attribute(item, "data-k") for item in items] == [str(k) for k in range(1, len(expected) + 1)]
            assert [attribute(item, "data-n") for item in items] == [str(n) for n, _ in expected]
            places = {n: k for k, (n, _) in enumerate(expected, 1)}
            cited_ = [int(n) for n in re.findall(r"\[\^(\d+)\^\]", row["content"])]
            shown = [words(sup) for sup in page.article(row["id"]).select("sup.cite-ref")]
            assert shown == [f"[{places[n]}]" for n in cited_ if n in places]
            for item, (_, url) in zip(items, expected, strict=True):
                links = [attribute(a, "href") for a in item.select("a.source-title")]
                assert links == ([url] if url.startswith(("http://", "https://")) else [])


# --- Laws of citing --------------------------------------------------------------------------------------------


@given(exports(_PLAIN_TEXTS, _LISTS))
def test_citing_writes_what_is_right(rows: list[Row]) -> None:
    """The answer of each round gets the cited http(s) entries of the registry, and no other row or key changes."""
    for part, made in zip(rounds_of(rows), rounds_of(cite_rows(rows)), strict=True):
        chosen = answer_in(part) if recorded(part) else None
        for row, after in zip(part, made, strict=True):
            assert {**row, "metadata": None} == {**after, "metadata": None}
            if chosen is None or row is not chosen:
                assert after is row
                continue
            listed = (metadata_of(after) or {}).get("citations")
            assert [(item["n"], item["url"]) for item in listed or []] == cited_without_list(row, part)
            assert listed != []


def cited_without_list(row: Row, part: list[Row]) -> list[tuple[int, str]]:
    """The http(s) entries of the registry that the plain text of a row cites."""
    numbers = {int(n) for n in re.findall(r"\[\^(\d+)\^\]", row["content"])}
    web = ("http://", "https://")
    return [(n, url) for n, url in enumerate(allowed_in(part), 1) if n in numbers and url.startswith(web)]


@FEWER
@given(exports(_TEXTS, _LISTS))
def test_citing_twice_is_citing_once(rows: list[Row]) -> None:
    """A second run gives the same rows, the very same objects, and the same bytes."""
    once = list(cite_rows(rows))
    assert all(after is row for row, after in zip(once, cite_rows(once), strict=True))
    made, _ = cited(jsonl(header(), *rows))
    assert list(decoded(made))[1:] == once
    assert cited(made) == (made, [])


_STYLES: list[Callable[[Row], bytes]] = [
    encoded,
    lambda row: json.dumps(row).encode(),
    lambda row: json.dumps(row, separators=(" ,", " : "), sort_keys=True).encode() + b"  ",
    lambda row: encoded(row).replace(b'{"id": ', b'{"id": 0.50, "id": ', 1),
    lambda row: encoded({**row, "metadata": metadata_of(row)}),
    lambda row: encoded({key: value for key, value in row.items() if value is not None or key == "content"}),
]


@FEWER
@given(
    exports(_TEXTS, _LISTS),
    st.lists(st.sampled_from(_STYLES), min_size=1, max_size=5),
    st.sampled_from([b"\n", b"\r\n"]),
)
def test_lines_that_do_not_change_are_the_same_bytes(
    rows: list[Row], styles: list[Callable[[Row], bytes]], end: bytes
) -> None:
    """However lines are written, only those of answers change, and in them only what follows from the citations."""
    lines = [styles[index % len(styles)](row) for index, row in enumerate(rows)]
    made, problems = cited(end.join(lines) + end)
    after = made.split(end)
    assert problems == []
    assert after.pop() == b""
    chosen = [answer_in(part) for part in rounds_of(rows) if recorded(part)]
    for row, line, new in zip(rows, lines, after, strict=True):
        if line != new:
            assert any(row is one for one in chosen)
            before_, after_ = json.loads(line), json.loads(new)
            assert {**before_, "metadata": None} == {**after_, "metadata": None}
            assert (metadata_of(before_) or {}).get("citations") != (metadata_of(after_) or {}).get("citations")
            # What stands before the metadata stays to the byte; the rest of such a line is looked at in `test_cite.py`.
            assert new.startswith(line.partition(b'"metadata"')[0].rstrip(b" }"))


# --- Laws of marking -------------------------------------------------------------------------------------------

_INLINE = [
    "a",
    "字",
    " ",
    "*",
    "**",
    "_",
    "`",
    "[",
    "]",
    "(x)",
    "!",
    "\\",
    "$",
    "<b>",
    "|",
    "~~",
    ".",
    "。",
    "https://x.example/a",
]
_BLOCKS = [
    "\n",
    "\n\n",
    "\n- ",
    "\n> ",
    "\n# ",
    "\n    ",
    "\n```\n",
    "\n| a | b |\n| --- | --- |\n| ",
    "\n[a]: https://x.example/\n",
]
_MARKDOWN = st.lists(st.sampled_from([*_INLINE, *_INLINE, *_BLOCKS, "[^1^]", "[^2^]"]), max_size=20).map("".join)


def _all(tokens: Tokens) -> list[Any]:
    return [tokens.blocks, tokens.footnotes]


def _unmarked(value: Any) -> Any:
    """Tokens without the markers' own words, though not without the markers; a number in other text is taken for 3."""
    if isinstance(value, str):
        return value.replace("^1^", "^3^")
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    if isinstance(value, dict):
        if value.get("type") == "marker":
            return "marker"
        return {key: _unmarked(item) for key, item in value.items()}
    return value


@given(_MARKDOWN)
def test_a_text_without_markers_is_read_as_if_there_were_none(text: str) -> None:
    """Where no marker stands, reading with a dialect gives the tokens that reading without one gives."""
    text = text.replace("[^1^]", "m").replace("[^2^]", "n")
    assume(not re.search(r"\[\^\d+\^\]", text))
    assert _all(parse(text, "caret")) == _all(parse(text, ""))


@given(_MARKDOWN)
def test_the_number_of_a_marker_changes_no_other_token(text: str) -> None:
    """Which number a marker has is nothing to the tokens around it."""
    other = text.replace("[^1^]", "[^3^]")
    assert _unmarked(_all(parse(text, "caret"))) == _unmarked(_all(parse(other, "caret")))


@FEWER
@given(_MARKDOWN)
def test_marking_changes_nothing_else_on_the_page(text: str) -> None:
    """An answer whose markers are numbers has the elements and words that it has when they were all removed."""
    assume(text.strip())
    found = search(2, "https://found.example/1", "https://found.example/2")
    marked = page_of(jsonl(header(), question(1), *found, answer(4, text)))
    removed = page_of(jsonl(header(), question(1), *found, answer(4, text, [])))
    assert _prose(marked) == _prose(removed)


def _prose(page: Page) -> str:
    """The markup of the answer, without our numbers and without blanks."""
    soup = BeautifulSoup("".join(str(part) for part in page.article(4).select(".prose")), "html.parser")
    for sup in soup.select("sup.cite-ref"):
        sup.decompose()
    return "".join(str(soup).split())


def test_the_plans_of_these_tests_reach_what_they_are_about() -> None:
    """The plain code that says what is right agrees with a round worked out by hand."""
    rows = _numbered(
        [
            question(0),
            *search(0, WEB[0], NEVER_LINKED[0], WEB[0], ""),
            call(0, "image_search", {}, "c2"),
            result(0, {"results": [{"url": MADE_UP[0], "title": ""}]}, "c2"),
            *open_page_rows(0, WEB[1]),
            answer(0, "a[^3^]b[^1^]c[^2^]d[^4^]"),
        ]
    )
    assert allowed_in(rows) == [WEB[0], NEVER_LINKED[0], WEB[1]]
    assert entries_of(rows[-1], rows, rows) == [(1, WEB[0]), (2, NEVER_LINKED[0]), (3, WEB[1])]
    assert cited_without_list(rows[-1], rows) == [(1, WEB[0]), (3, WEB[1])]
