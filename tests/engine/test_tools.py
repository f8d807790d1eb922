"""Which tools give sources: the two upstream ones, the common ones of other agents, or those that the user names."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from renderer import RendererError
from renderer.citations.registry import build_registry
from renderer.citations.tools import COMMON_TOOLS, UPSTREAM_TOOLS, load_tools
from renderer.model import SourceTool
from renderer.readers.rows import message_of_row
from tests.engine.making import citations_of, decoded
from tests.pages.making import A, B, C, Row, answer, call, entry, hit, question, result, search
from tests.readers.making import header, jsonl
from tests.writers.running import Citepage

FOUND = {"results": [{"title": "One", "url": A, "content": "snippet"}]}


def used(tool: str, answered: object, arguments: dict[str, Any] | None = None, call_id: str = "x1") -> list[Row]:
    """A call of a tool and what it answered."""
    return [call(90, tool, arguments or {}, call_id), result(91, answered, call_id)]


def registry(*rows: Row | list[Row], tools: tuple[SourceTool, ...] | None = None) -> list[str]:
    """The addresses of a round's registry, after a look at their numbers."""
    flat = [row for item in rows for row in ([item] if isinstance(item, dict) else item)]
    messages = [message for row in flat if (message := message_of_row(row)) is not None]
    entries = build_registry(messages, tools)
    assert [one.n for one in entries] == list(range(1, len(entries) + 1))
    return [one.url for one in entries]


# --- Known and unknown -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(tool.name for tool in COMMON_TOOLS))
def test_a_common_tool_gives_sources(name: str) -> None:
    """Every tool of the table gives sources under its own name and behind the name of an MCP server."""
    tool = next(tool for tool in COMMON_TOOLS if tool.name == name)
    place = tool.results[0] or "page"
    page = {"url": A, "title": "One", "markdown": "text", "content": "text", "text": "text", "raw_content": "text"}
    answered: Any = page if place == "page" else page if tool.opens and place == "data" else [page]
    for key in reversed([] if place == "page" else place.split(".")):
        answered = {key: answered}
    assert registry(question(1), used(name, answered, {"url": A})) == [A]
    assert registry(question(1), used(f"mcp__some-server__{name}", answered, {"url": A})) == [A]
    assert registry(question(1), used(f"mcp__a__b__{name}", answered, {"url": A})) == [A]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "calculator",
        "generate_image",
        "read_file",
        "Web_Search",
        "websearch",
        "webfetch",
        "WEBSEARCH",
        "tavily_search2",
        "my_tavily_search",
        "tavily_search ",
        "tavily_search__x",
        "mcp_tavily_search",
        "mcp__x__web_search",
        "mcp__x__open_web_page",
        "fetch_image",
        "fetch__",
        "bash",
    ],
)
def test_an_unknown_tool_never_gives_sources(name: str) -> None:
    """A tool that is not in the table gives no source, whatever it answers and however its name looks."""
    page = {"url": A, "title": "One", "content": "text", "markdown": "text"}
    for answered in (FOUND, page, [page], f"Title: One\nURL: {A}\nContent: x", f'Links: [{{"title":"x","url":"{A}"}}]'):
        assert registry(question(1), used(name, answered, {"url": A})) == []


def test_every_name_is_in_the_table_once() -> None:
    """No two rows of the table speak of one tool, and no common tool has the name of an upstream one."""
    names = [tool.name for tool in (*UPSTREAM_TOOLS, *COMMON_TOOLS)]
    assert len(names) == len(set(names))
    assert {"web_search", "open_web_page", "WebSearch", "WebFetch", "fetch"} <= set(names)
    for provider in ("tavily", "exa", "brave", "searxng", "firecrawl", "jina"):
        assert any(provider in name for name in names)


# --- Which table holds in a round ------------------------------------------------------------------------------


def test_beside_an_upstream_tool_the_upstream_rule_holds() -> None:
    """Once one of the two upstream tools was called in a round, no other tool gives sources there, before or after."""
    other = used("tavily_search", {"results": [hit(B, "Two")]}, call_id="x2")
    assert registry(question(1), other, search(2, A)) == [A]
    assert registry(question(1), search(2, A), other) == [A]
    assert registry(question(1), used("open_web_page", {"url": A, "content": "x"}), other) == [A]


def test_a_failed_upstream_call_is_a_call_all_the_same() -> None:
    """The upstream rule holds in a round whose upstream tool failed, or was called and never answered."""
    other = used("tavily_search", {"results": [hit(B, "Two")]}, call_id="x2")
    assert registry(question(1), used("web_search", {"error": "offline"}), other) == []
    assert registry(question(1), call(2, "web_search", {}), other) == []


def test_each_round_is_looked_at_alone(citepage: Citepage) -> None:
    """A round without upstream tools is read by the common table, whatever other rounds of the file called."""
    rows = [
        question(1),
        *search(2, A),
        *used("tavily_search", {"results": [hit(C, "Three")]}, call_id="x2"),
        answer(4, "a[^1^]b[^2^]"),
        question(5),
        *used("tavily_search", {"results": [hit(B, "Two")]}, call_id="x2"),
        answer(6, "c[^1^]d[^2^]"),
    ]
    run = citepage("cite", "-", stdin=jsonl(header(), *rows))
    assert citations_of(decoded(run.out)) == {4: [entry(1, A, "one")], 6: [entry(1, B, "Two")]}


def test_common_tools_are_numbered_together() -> None:
    """Several common tools of one round share one numbering, in the order of their answers, doubles dropped."""
    assert registry(
        question(1),
        used("WebSearch", f'Links: [{{"title":"One","url":"{A}"}},{{"title":"Two","url":"{B}"}}]', call_id="x1"),
        used("WebFetch", "It rains.", {"url": B}, "x2"),
        used("WebFetch", "It snows.", {"url": C}, "x3"),
        used("calculator", FOUND, call_id="x4"),
    ) == [A, B, C]


def test_a_page_opened_by_a_common_tool_is_opened() -> None:
    """An address that was found and then opened is marked as opened, as for the upstream tools."""
    rows = [
        question(1),
        *used("WebSearch", f'Links: [{{"title":"One","url":"{A}"}}]', call_id="x1"),
        *used("WebFetch", "It rains.", {"url": A}, "x2"),
    ]
    (one,) = build_registry([message for row in rows if (message := message_of_row(row)) is not None])
    assert (one.url, one.title, one.opened) == (A, "One", True)


# --- Tools that the user names ---------------------------------------------------------------------------------

ALL_FIELDS = """
[[tool]]
name = "kb_search"
results = ["data.hits", "hits"]
url = ["link.href", "uri"]
title = "headline"
passage = ["quote", "body"]

[[tool]]
name = "kb_open"
opens = true
results = ""
passage = "body"
asked = "address"
strict = false
"""


def test_a_file_names_the_tools() -> None:
    """A `[[tool]]` table each, a place written as a string or as a list of strings; what is left out is the default."""
    assert load_tools('[[tool]]\nname = "a"', "f.toml") == (SourceTool("a"),)
    assert load_tools(ALL_FIELDS, "f.toml") == (
        SourceTool(
            "kb_search",
            results=("data.hits", "hits"),
            url=("link.href", "uri"),
            title=("headline",),
            passage=("quote", "body"),
        ),
        SourceTool("kb_open", opens=True, results=("",), passage=("body",), asked="address"),
    )


def test_named_tools_are_read_as_they_are_described() -> None:
    """Places are dotted keys, the first one that is there counts, and a page may have the address asked for."""
    tools = load_tools(ALL_FIELDS, "f.toml")
    found = {"data": {"hits": [{"link": {"href": A}, "headline": "One", "body": "b"}, {"uri": B, "url": C}]}}
    assert registry(question(1), used("kb_search", found), tools=tools) == [A, B]
    assert registry(question(1), used("kb_search", {"hits": [{"uri": B}]}), tools=tools) == [B]
    assert registry(question(1), used("kb_open", {"body": "text"}, {"address": C}), tools=tools) == [C]
    assert registry(question(1), used("kb_open", {"other": "text"}, {"address": C}), tools=tools) == []
    assert registry(question(1), used("mcp__kb__kb_search", {"hits": [{"uri": B}]}), tools=tools) == [B]


def test_named_tools_take_the_place_of_both_tables() -> None:
    """With a file, the tools that citepage knows give no sources unless the file names them."""
    tools = load_tools('[[tool]]\nname = "kb_search"', "f.toml")
    rows = [question(1), *search(2, A), *used("tavily_search", {"results": [hit(B, "Two")]}, call_id="x2")]
    assert registry(*rows, tools=tools) == []
    assert registry(*rows, used("kb_search", {"results": [hit(C, "Three")]}, call_id="x3"), tools=tools) == [C]
    named = load_tools('[[tool]]\nname = "web_search"\n[[tool]]\nname = "tavily_search"', "f.toml")
    assert registry(*rows, tools=named) == [A, B]


def test_a_strict_tool_answers_with_an_object_only() -> None:
    """`strict = true` makes a failure of every answer that is not a JSON object of the described shape."""
    lists = json.dumps([hit(A, "One")])
    for strict, expected in (("true", []), ("false", [A])):
        tools = load_tools(f'[[tool]]\nname = "t"\nstrict = {strict}', "f.toml")
        assert registry(question(1), used("t", lists), tools=tools) == expected
        assert registry(question(1), used("t", {"results": [hit(A, "One")]}), tools=tools) == [A]


@pytest.mark.parametrize("command", ["cite", "audit", "render"])
def test_every_command_that_checks_takes_the_file(citepage: Citepage, command: str) -> None:
    """`--sources FILE` is known to cite, audit and render, and changes what each takes for a source."""
    rows = [question(1), *used("kb_search", {"results": [hit(A, "One")]}), answer(3, "a[^1^]")]
    Path("rows.jsonl").write_bytes(jsonl(header(), *rows))
    Path("tools.toml").write_text('[[tool]]\nname = "kb_search"\n', "utf-8")
    output = () if command == "audit" else ("-o", "-")
    json_ = ("--json",) if command == "audit" else ()
    without = citepage(command, "rows.jsonl", *output, *json_)
    run = citepage(command, "rows.jsonl", *output, *json_, "--sources", "tools.toml")
    assert run.code == 0
    assert A.encode() in run.out
    if command == "cite":
        assert citations_of(decoded(without.out)) == {}
        assert citations_of(decoded(run.out)) == {3: [entry(1, A, "One")]}
    elif command == "audit":
        assert json.loads(without.out)["totals"]["kept"] == 0
        assert json.loads(run.out)["totals"]["kept"] == 1
    else:
        assert [attr.get("href") for attr in without.soup.select("li.source a.source-title")] == []
        assert [attr.get("href") for attr in run.soup.select("li.source a.source-title")] == [A]


BAD = {
    "no TOML": b"tool = [",
    "JSON": b'{"tool": [{"name": "x"}]}',
    "not UTF-8": b'[[tool]]\nname = "caf\xe9"',
    "a key twice": b'[[tool]]\nname = "x"\nname = "y"',
    "empty": b"",
    "a remark only": b"# tools\n",
    "another table": b'[[tools]]\nname = "x"',
    "a number": b"tool = 1",
    "a list of names": b'tool = ["x"]',
    "an empty list": b"tool = []",
    "one table and no list": b'[tool]\nname = "x"',
    "no name": b"[[tool]]\nopens = true",
    "an empty name": b'[[tool]]\nname = ""',
    "a name that is a number": b"[[tool]]\nname = 5",
    "names": b'[[tool]]\nname = ["x", "y"]',
    "the second one without a name": b'[[tool]]\nname = "x"\n[[tool]]\nurl = "u"',
    "an unknown field": b'[[tool]]\nname = "x"\nadress = "u"',
    "a table as a field": b'[[tool]]\nname = "x"\n[tool.url]\na = "b"',
    "a place that is a number": b'[[tool]]\nname = "x"\nresults = 1',
    "places that are numbers": b'[[tool]]\nname = "x"\nurl = ["u", 1]',
    "a title that is true": b'[[tool]]\nname = "x"\ntitle = true',
    "a passage that is a list of lists": b'[[tool]]\nname = "x"\npassage = [["a"]]',
    "opens in words": b'[[tool]]\nname = "x"\nopens = "yes"',
    "opens as a number": b'[[tool]]\nname = "x"\nopens = 1',
    "strict in words": b'[[tool]]\nname = "x"\nstrict = "true"',
    "asked as a list": b'[[tool]]\nname = "x"\nasked = ["url"]',
    "asked as true": b'[[tool]]\nname = "x"\nasked = true',
}


@pytest.mark.parametrize("content", BAD.values(), ids=BAD)
def test_a_bad_file_is_one_line(citepage: Citepage, content: bytes) -> None:
    """Whatever is wrong with the file, one line names it and says what to do, and nothing is written."""
    Path("rows.jsonl").write_bytes(jsonl(header(), question(1)))
    Path("tools.toml").write_bytes(content)
    run = citepage("cite", "rows.jsonl", "-o", "out.jsonl", "--sources", "tools.toml")
    assert run.error.startswith("citepage: error: tools.toml: ")
    assert sorted(os.listdir()) == ["rows.jsonl", "tools.toml"]
    for command in ("audit", "render"):
        assert citepage(command, "rows.jsonl", "--sources", "tools.toml").error == run.error


@pytest.mark.parametrize("name", ["nothing.toml", "."])
def test_a_file_that_cannot_be_read_is_one_line(citepage: Citepage, name: str) -> None:
    """A file that is not there, or a folder, is one line that names it."""
    Path("rows.jsonl").write_bytes(jsonl(header(), question(1)))
    assert citepage("audit", "rows.jsonl", "--sources", name).error.startswith(f"citepage: error: {name}: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[tool]]\nname = "kb"\nadress = "u"', r"'kb'.*'adress'.*asked.*opens.*url"),
        ('[[tool]]\nname = "kb"\nopens = 1', r"'kb'.*'opens'.*true or false"),
        ('[[tool]]\nname = "a"\n[[tool]]\nurl = "u"', r"name"),
    ],
)
def test_an_error_says_which_tool_and_field(text: str, said: str) -> None:
    """An error names the tool and the field that is wrong, and lists the fields that there are."""
    with pytest.raises(RendererError, match=f"^f.toml: .*{said}"):
        load_tools(text, "f.toml")
