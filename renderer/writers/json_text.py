"""JSON text with one member changed and every other byte left as it was.

Decoding and writing again would change numbers, escapes and doubled keys that are none of our business.
"""

from __future__ import annotations

import json
import re

_BLANKS = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder(strict=False)


def with_member(text: str, key: str, value: str | None) -> str:
    """The JSON object `text` with the member `key` set to the JSON text `value`; None takes the member away.

    A new member goes to the end. Of a doubled key the last one, which counts, is changed. Raises ValueError when
    `text` is no JSON object.
    """
    members, end = _members(text)
    found = [(start, value_start, stop) for name, start, value_start, stop in members if name == key]
    if found and value is not None:
        _, value_start, stop = found[-1]
        return text[:value_start] + value + text[stop:]
    if found:
        for start, _, stop in reversed(found):
            text = _without(text, start, stop)
        return text
    if value is None:
        return text
    last = members[-1][3] if members else end
    comma = "," if members else ""
    return f"{text[:last]}{comma}{json.dumps(key, ensure_ascii=False)}:{value}{text[last:]}"


def member_text(text: str, key: str) -> str:
    """The JSON text of the member `key` of the object `text`, as written. Raises KeyError when there is none."""
    found = [text[value_start:stop] for name, _, value_start, stop in _members(text)[0] if name == key]
    if not found:
        raise KeyError(key)
    return found[-1]


def _members(text: str) -> tuple[list[tuple[str, int, int, int]], int]:
    """Each member as (key, start, start of its value, end), and where the object's content ends."""
    position = _skip(text, 0)
    if text[position : position + 1] != "{":
        raise ValueError("no JSON object")
    members: list[tuple[str, int, int, int]] = []
    position = _skip(text, position + 1)
    while text[position : position + 1] != "}":
        if members:
            if text[position : position + 1] != ",":
                raise ValueError("no JSON object")
            position = _skip(text, position + 1)
        start = position
        key, position = _DECODER.raw_decode(text, start)
        position = _skip(text, position)
        if not isinstance(key, str) or text[position : position + 1] != ":":
            raise ValueError("no JSON object")
        value_start = _skip(text, position + 1)
        _, stop = _DECODER.raw_decode(text, value_start)
        members.append((key, start, value_start, stop))
        position = _skip(text, stop)
    return members, position


def _without(text: str, start: int, stop: int) -> str:
    """`text` without the member, and without the comma before it (or after it, when it is the first)."""
    before = text[:start].rstrip(" \t\n\r")
    if before.endswith(","):
        return before[:-1] + text[stop:]
    after = _skip(text, stop)
    if text[after : after + 1] == ",":
        return text[:start] + text[_skip(text, after + 1) :]
    return text[:start] + text[stop:]


def _skip(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position
