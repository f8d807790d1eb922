"""Which tools give sources, as data: the upstream platform's two, and the common ones of other agents.

A round in which one of the upstream tools was called is numbered by the upstream rule, which knows no other tool. A
file that the user names (`--sources FILE`) replaces both tables.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from renderer.errors import RendererError
from renderer.model import Message, SourceTool, ToolCall

UPSTREAM_TOOLS = (
    SourceTool("web_search", strict=True),
    SourceTool("open_web_page", opens=True, results=("",), strict=True),
)

_TAVILY = (
    "tavily_search",
    "tavily-search",
    "tavily",
    "tavily_search_results_json",
    "TavilySearch",
    "TavilySearchResults",
)
_SNIPPET = ("content", "snippet", "description", "text", "summary")
_PAGE = ("markdown", "content", "text", "raw_content", "result")

COMMON_TOOLS = (
    # https://docs.tavily.com/documentation/api-reference/endpoint/search, and extract
    *(SourceTool(name, passage=_SNIPPET) for name in _TAVILY),
    *(SourceTool(n, opens=True, passage=("raw_content", "content")) for n in ("tavily_extract", "tavily-extract")),
    # https://docs.exa.ai/reference/search, and contents
    *(
        SourceTool(name, passage=("text", "summary", "highlights"))
        for name in ("exa_search", "web_search_exa", "exa-search", "web_search_advanced_exa")
    ),
    *(SourceTool(name, opens=True, passage=("text",)) for name in ("exa_get_contents", "crawling_exa")),
    # https://api-dashboard.search.brave.com/app/documentation/web-search/responses
    *(
        SourceTool(name, results=("web.results", "results"), passage=("description",))
        for name in ("brave_web_search", "brave_search")
    ),
    # https://docs.searxng.org/dev/search_api.html
    *(SourceTool(name, passage=_SNIPPET) for name in ("searxng_search", "searxng_web_search", "searxng")),
    # https://docs.firecrawl.dev/api-reference/endpoint/search, and scrape
    SourceTool(
        "firecrawl_search",
        results=("data.web", "data", "web", "results"),
        url=("url", "metadata.sourceURL"),
        title=("title", "metadata.title"),
        passage=("description", "markdown", "snippet"),
    ),
    SourceTool(
        "firecrawl_scrape",
        opens=True,
        results=("data", ""),
        url=("metadata.sourceURL", "metadata.url", "url"),
        title=("metadata.title", "title"),
        passage=_PAGE,
        asked="url",
    ),
    # https://jina.ai/reader: search and reader
    *(SourceTool(name, results=("data", "results"), passage=_SNIPPET) for name in ("jina_search", "search_web")),
    *(
        SourceTool(name, opens=True, results=("data", ""), passage=_PAGE, asked="url")
        for name in ("jina_reader", "jina_read", "read_url")
    ),
    # https://github.com/modelcontextprotocol/servers/tree/main/src/fetch
    *(
        SourceTool(name, opens=True, results=("",), passage=_PAGE, asked="url")
        for name in ("fetch", "fetch_url", "fetch_markdown", "fetch_txt", "fetch_html")
    ),
    # The search and page tools of Claude Code; their answers are text.
    SourceTool("WebSearch", passage=("snippet", "content")),
    SourceTool("WebFetch", opens=True, results=("",), passage=_PAGE, asked="url"),
)

Tools = Mapping[str, SourceTool]


def tools_of(messages: Iterable[Message], chosen: tuple[SourceTool, ...] | None) -> Tools:
    """The tools that give sources in a round, by the names under which they were called.

    `chosen` are the tools that the user named, None for those that citepage knows.
    """
    called = {block.name for message in messages for block in message.blocks if isinstance(block, ToolCall)}
    if chosen is not None:
        return _called(called, chosen)
    return _called(called, UPSTREAM_TOOLS, exact=True) or _called(called, COMMON_TOOLS)


def load_tools(text: str, where: str) -> tuple[SourceTool, ...]:
    """The tools that a TOML file names: a `[[tool]]` table each, with the fields of `SourceTool`.

    With `keep_known = true` the tools that citepage knows stay beside them. `where` is the file's name, for errors.
    Raises RendererError when it is no TOML or a field is not as it must be.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RendererError(where, f"this is no TOML: {error}", "correct the file") from None
    tables = document.pop("tool", None)
    keep_known = document.pop("keep_known", False)
    if document or not isinstance(keep_known, bool):
        raise RendererError(where, f"there is no field {next(iter(document), 'keep_known')!r} here", _FIELDS)
    if not isinstance(tables, list) or not tables:
        raise RendererError(where, "it names no tool", 'write a table [[tool]] with name = "…" for each')
    tools = tuple(_tool(table, where) for table in tables)
    names = [tool.name for tool in tools]
    doubled = next((name for name in names if names.count(name) > 1), None)
    if doubled is not None:
        raise RendererError(where, f"tool {doubled!r} stands there twice", "name each tool once")
    known = (*UPSTREAM_TOOLS, *COMMON_TOOLS) if keep_known else ()
    return (*tools, *(tool for tool in known if tool.name not in names))


def _called(names: Iterable[str], tools: Iterable[SourceTool], *, exact: bool = False) -> dict[str, SourceTool]:
    by_name = {tool.name: tool for tool in reversed(tuple(tools))}
    found = {name: by_name.get(name if exact else _own_name(name, by_name)) for name in names}
    return {name: tool for name, tool in found.items() if tool is not None}


def _own_name(name: str, known: Mapping[str, SourceTool]) -> str:
    # An MCP client puts the server's name before the tool's: mcp__fetch__fetch.
    return name if name in known else name.rsplit("__", 1)[-1]


_PLACES = ("results", "url", "title", "passage")


def _tool(table: Any, where: str) -> SourceTool:
    if not isinstance(table, dict) or not isinstance(table.get("name"), str) or not table["name"]:
        raise RendererError(where, "a tool has no name", 'give each [[tool]] a name = "…"')
    name = table["name"]
    fields: dict[str, Any] = {}
    for key, value in table.items():
        if key in _PLACES:
            value = [value] if isinstance(value, str) else value
            good = isinstance(value, list) and value and all(isinstance(place, str) for place in value)
            fields[key] = tuple(value) if good else None
        elif key in ("opens", "strict"):
            fields[key] = value if isinstance(value, bool) else None
        elif key in ("name", "asked"):
            fields[key] = value if isinstance(value, str) else None
        else:
            raise RendererError(where, f"tool {name!r}: there is no field {key!r}", _FIELDS)
        if fields[key] is None:
            raise RendererError(where, f"tool {name!r}: {key!r} is not as it must be", _FIELDS)
    return SourceTool(**fields)


_FIELDS = 'the fields are name, asked ("…"), opens, strict (true or false), results, url, title, passage (["…"])'
