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

from renderer.model import SourceTool


@dataclass(frozen=True, slots=True)
class Result:
    """One address that a tool returned, "" when the result has none; with its title and the text that came with it."""

    url: str
    title: str
    passage: str


def results_of(tool: SourceTool, arguments: Mapping[str, Any] | str, text: str) -> tuple[Result, ...] | None:
    """What the answer `text` to a call with `arguments` returned, in its order; None when it is a failure.

    A failure is an answer with a top-level `error` (or one that says `"success": false`), or of another shape.
    """
    if tool.strict:
        answer = _decoded_once(text)
        return _from_json(tool, answer) if isinstance(answer, dict) and "error" not in answer else None
    answer = _decoded(text)
    asked = _string(arguments.get(tool.asked)) if tool.asked and isinstance(arguments, Mapping) else ""
    found = _from_text(tool, answer, asked) if isinstance(answer, str) else _from_tolerant_json(tool, answer)
    return None if found is None else tuple(Result(r.url or asked, r.title, r.passage) for r in found)


def _decoded(text: str) -> Any:
    """The JSON object or list of an answer, else the text. Text blocks of the protocol are taken apart."""
    value = _decoded_once(text)
    blocks = value.get("content") if isinstance(value, dict) and "url" not in value else value
    if not (isinstance(blocks, list) and blocks and all(_is_text_block(block) for block in blocks)):
        return value
    if isinstance(value, dict) and value.get("isError") is True:
        return {"error": True}
    return _decoded_once("\n\n".join(block["text"] for block in blocks))


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


# NaN and Infinity are no JSON, though Python reads them.
_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def _decoded_once(text: str) -> Any:
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
        return tuple(_result(tool, item) for item in answer if isinstance(item, dict))
    failed = not isinstance(answer, dict) or "error" in answer or answer.get("success") is False
    return None if failed else _from_json(tool, answer)


def _from_json(tool: SourceTool, answer: Mapping[str, Any]) -> tuple[Result, ...] | None:
    for place in tool.results:
        found = _at(answer, place)
        if isinstance(found, list):
            return tuple(_result(tool, item) for item in found if isinstance(item, dict))
        # A page was opened only when its text came back.
        if isinstance(found, dict) and tool.opens:
            return (_result(tool, found),) if _has_text(tool, found) else None
    return None


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
_LABEL = re.compile(r"^(?:\[\d+\] )?(Title|URL|URL Source|Link|Description|Content|Text|Snippet|Summary): ?(.*)$")
_PASSAGES = ("Content", "Text", "Description", "Snippet", "Summary")
_ERROR = re.compile(r"\s*(?:Error\b|Failed to\b|<error>|API Error\b|Web search error\b)", re.IGNORECASE)


def _from_text(tool: SourceTool, text: str, asked: str) -> tuple[Result, ...] | None:
    if _ERROR.match(text) or not text.strip():
        return None
    links = _LINKS.search(text)
    if links:
        listed = _decoded_once(links[1])
        return tuple(_result(tool, item) for item in listed if isinstance(item, dict)) if listed != links[1] else None
    if tool.opens:
        return (Result(asked, "", text),) if asked else None
    return tuple(_labelled(text)) or None


def _labelled(text: str) -> Iterator[Result]:
    """Results that each begin with `Title: …`; an address counts only in the lines of labels under it."""
    for part in re.split(r"^(?=(?:\[\d+\] )?Title: )", text, flags=re.MULTILINE):
        fields: dict[str, str] = {}
        lines = part.split("\n")
        for number, line in enumerate(lines):
            label = _LABEL.match(line)
            if label is None or label[1] in fields:
                break
            fields[label[1]] = label[2].strip()
            if label[1] in ("Content", "Text"):
                fields[label[1]] = "\n".join([label[2], *lines[number + 1 :]]).strip()
                break
        url = next((fields[key] for key in ("URL", "URL Source", "Link") if fields.get(key)), "")
        if "Title" in fields and url:
            passage = next(
                (v for k in ("Content", "Text", "Description", "Snippet", "Summary") if (v := fields.get(k))), ""
            )
            yield Result(url, fields["Title"], passage)
