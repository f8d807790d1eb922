"""What one tool answered, as sources: read by the tool's row in the table of tools.

An answer is JSON, or JSON inside the text blocks of the Model Context Protocol, or text in which each result begins
with lines such as `Title: …` and `URL: …`, or (Claude Code) a line `Links: [{…}]`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from renderer.citations.result_text import is_failure, labelled_results, page_header
from renderer.model import SourceTool


@dataclass(frozen=True, slots=True)
class Result:
    """One address that a tool returned, "" when the result has none; with its title and the text that came with it."""

    url: str
    title: str
    passage: str


def results_of(tool: SourceTool, arguments: Mapping[str, Any] | str, text: str) -> tuple[Result, ...] | None:
    """What the answer `text` to a call with `arguments` returned, in its order; None when it is a failure.

    A failure is an answer with a top-level `error`, one that says so in another way, or one of another shape. Of a tool
    with `asked` the address is the one that was asked for: what a page says of itself names no other source.
    """
    if tool.strict:
        answer = _decoded(text)
        return _from_json(tool, answer) if isinstance(answer, dict) and "error" not in answer else None
    asked = _string(arguments.get(tool.asked)) if tool.asked and isinstance(arguments, Mapping) else ""
    answer = _unwrapped(text)
    if tool.opens and asked:
        return _opened(tool, answer, asked)
    if isinstance(answer, str):
        return _from_text(tool, answer)
    return _from_tolerant_json(tool, answer)


def _unwrapped(text: str) -> Any:
    """The JSON object or list of an answer, else the text. Text blocks of the protocol are taken apart."""
    value = _decoded(text)
    blocks = value.get("content") if isinstance(value, dict) and "url" not in value else value
    if not (isinstance(blocks, list) and blocks and all(_is_text_block(block) for block in blocks)):
        return value
    if isinstance(value, dict) and value.get("isError") is True:
        return {"error": True}
    parts = [_decoded(block["text"]) for block in blocks]
    if len(parts) > 1 and all(isinstance(part, dict) for part in parts):
        return parts
    return _decoded("\n\n".join(block["text"] for block in blocks))


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


# NaN and Infinity are no JSON, though Python reads them.
_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def _decoded(text: str) -> Any:
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return text
    return value if isinstance(value, dict | list) else text


def _is_text_block(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "text" and isinstance(block.get("text"), str)


# --- JSON ------------------------------------------------------------------------------------------------------


def _from_tolerant_json(tool: SourceTool, answer: Any) -> tuple[Result, ...] | None:
    if isinstance(answer, list):
        return tuple(_results(tool, answer))
    return None if not isinstance(answer, dict) or _says_failed(answer) else _from_json(tool, answer)


_STATUSES = ("code", "statusCode", "metadata.statusCode", "data.metadata.statusCode")


def _says_failed(answer: Mapping[str, Any]) -> bool:
    statuses = (_at(answer, place) for place in _STATUSES)
    return (
        "error" in answer
        or answer.get("success") is False
        or any(isinstance(status, int) and 400 <= status < 600 for status in statuses)
    )


def _opened(tool: SourceTool, answer: Any, asked: str) -> tuple[Result, ...] | None:
    """The page that was asked for; None when it did not come."""
    if isinstance(answer, str):
        return None if is_failure(answer) else (Result(asked, page_header(answer)[0], answer),)
    if isinstance(answer, dict) and _says_failed(answer):
        return None
    found = _from_json(tool, answer) if isinstance(answer, dict) else None
    if found and found[0].passage.strip():
        # Its own title, when it is the page that was asked for and not one that the page speaks of.
        title = found[0].title if found[0].url in ("", asked) else ""
        return None if is_failure(found[0].passage) else (Result(asked, title, found[0].passage),)
    return None


def _from_json(tool: SourceTool, answer: Mapping[str, Any]) -> tuple[Result, ...] | None:
    for place in tool.results:
        found = _at(answer, place)
        if isinstance(found, list):
            return tuple(_results(tool, found))
        # A page was opened only when its text came back.
        if isinstance(found, dict) and tool.opens:
            return (_result(tool, found),) if _has_text(tool, found) else None
    return None


def _results(tool: SourceTool, items: list[Any]) -> Iterator[Result]:
    for item in items:
        if not isinstance(item, dict):
            continue
        # A session file of Claude Code keeps the results of each search under its own record.
        inner = item.get("content")
        if isinstance(inner, list) and not tool.strict and not _first(item, tool.url):
            yield from (_result(tool, part) for part in inner if isinstance(part, dict))
        else:
            yield _result(tool, item)


def _result(tool: SourceTool, item: Mapping[str, Any]) -> Result:
    passage = _first(item, tool.passage)
    if isinstance(passage, list) and not tool.strict:
        passage = "\n\n".join(part for part in passage if isinstance(part, str))
    return Result(_string(_first(item, tool.url)), _string(_first(item, tool.title)), _string(passage))


def _has_text(tool: SourceTool, item: Mapping[str, Any]) -> bool:
    return any(isinstance(_at(item, place), str) for place in tool.passage)


def _first(item: Mapping[str, Any], places: tuple[str, ...]) -> Any:
    return next((value for place in places if (value := _at(item, place))), "")


def _at(value: Any, place: str) -> Any:
    for key in place.split(".") if place else ():
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""


# --- Text ------------------------------------------------------------------------------------------------------

_LINKS = re.compile(r"^Links: (\[.*\])$", re.MULTILINE)


def _from_text(tool: SourceTool, text: str) -> tuple[Result, ...] | None:
    if is_failure(text):
        return None
    lists = [_decoded(found) for found in _LINKS.findall(text)]
    if lists and not tool.opens:
        return tuple(_results(tool, [item for items in lists if isinstance(items, list) for item in items]))
    found = labelled_results(text)
    return None if found is None else tuple(Result(*fields) for fields in found)
