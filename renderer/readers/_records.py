"""From the bytes of a record to plain values: JSON (RFC 8259) that never fails but in one way, and clock times.

Strings are kept exactly as they are, lone surrogates too: addresses are compared as exact strings.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, NoReturn

MAX_DEPTH = 200  # of nested lists and objects: later stages may walk a value by recursion
MILLISECONDS_FROM = 1e11  # a number above it counts milliseconds: as seconds it would be the year 5138

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CLOCK_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?) ?([Zz]|[+-]\d\d:?\d\d)?",
    re.ASCII,
)


class BadJson(ValueError):
    """What was to be JSON is not. The text says why; `line` and `column` (from 1) where, when that is known."""

    def __init__(self, why: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(why)
        self.line = line
        self.column = column


@dataclass(frozen=True, slots=True)
class Decoded:
    """A JSON value; `repaired` when bytes that are no UTF-8 had to be replaced to get it."""

    value: Any
    repaired: bool = False


def decode_json(data: bytes | str) -> Decoded:
    """The JSON value that `data` holds. Raw control characters in strings are accepted.

    Raises `BadJson` and nothing else: for text that is no JSON, NaN and Infinity, numbers that are too long or too
    large, and nesting deeper than 200.
    """
    text, repaired = (data, False) if isinstance(data, str) else _decoded(data)
    text = text.removeprefix("\ufeff")
    try:
        value = DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadJson(_why(text, error), error.lineno, error.colno) from None
    except RecursionError:
        raise BadJson("its lists and objects are nested too deep") from None
    except BadJson:
        raise
    except ValueError:
        raise BadJson("it holds a number of too many digits") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _too_deep(value):
        raise BadJson("its lists and objects are nested too deep")
    return Decoded(value, repaired)


def as_object(value: object) -> dict[str, Any] | None:
    """The object that `value` is, or that it holds as a string of JSON; None when it is neither."""
    value = _unpacked(value, "{") if isinstance(value, str) else value
    return value if isinstance(value, dict) else None


def as_list(value: object) -> list[Any] | None:
    """The list that `value` is, or that it holds as a string of JSON; None when it is neither."""
    value = _unpacked(value, "[") if isinstance(value, str) else value
    return value if isinstance(value, list) else None


def as_many(value: object) -> list[Any]:
    """A list, or what a string holds as one; nothing for null and ""; anything else is the one item."""
    if value is None or value == "":
        return []
    items = as_list(value)
    return [as_object(value) or value] if items is None else items


def as_text(value: object) -> str:
    """A string as it is, "" for null, and any other value as JSON, so that nothing is lost."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def text_of(record: Mapping[str, Any], key: str) -> str:
    """The string under `key`; "" when there is none, or something else."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int | None:
    """A whole number, or None. `true` is no number."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_id(value: object) -> str | None:
    """An id as a string: a string that is not empty, or a number (1001.0 is 1001). Anything else is no id."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        value = int(value)
    return str(value) or None


def parse_time(value: object, zone: tzinfo) -> datetime | None:
    """The moment that `value` names, or None. Never raises.

    A string is `YYYY-MM-DD HH:MM[:SS[.fraction]]`, with `T` or a blank, and an offset or none: then it is the clock
    time in `zone`. A number counts seconds since 1970, or milliseconds when it is above 1e11.
    """
    try:
        moment = _moment(value, zone)
    except (ValueError, OverflowError):
        return None
    # A page shows a moment in any zone: the first and the last year that `datetime` knows would not survive that.
    return moment if moment is not None and 1 < moment.year < 9999 else None


def shown(value: object, limit: int = 60) -> str:
    """A value from a file, made fit for one line of a message: cut at `limit` characters, no control characters."""
    text = value if isinstance(value, str) else as_text(value)
    text = "".join(char if char.isprintable() else "�" for char in text[: limit + 1])
    return text if len(text) <= limit else text[:limit] + "…"


def _decoded(data: bytes) -> tuple[str, bool]:
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace"), True


def _why(text: str, error: json.JSONDecodeError) -> str:
    if not text.strip("\0 \t\r\n"):
        return "it holds nothing but NUL bytes" if "\0" in text else "it is empty"
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return "its JSON is cut off"
    return f"it is no JSON (column {error.colno})"


def _no_constant(name: str) -> NoReturn:
    raise BadJson(f"it holds {name}, which is no JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise BadJson("it holds a number that is too large")
    return number


# The decoder keeps no state between calls.
DECODER = json.JSONDecoder(strict=False, parse_constant=_no_constant, parse_float=_finite)


def _too_deep(value: object) -> bool:
    """Level by level, not by recursion: the value may be deeper than the stack."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [item for parent in level for item in _items(parent) if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def _items(parent: object) -> list[Any]:
    if isinstance(parent, dict):
        return list(parent.values())
    return parent if isinstance(parent, list) else []


def _unpacked(text: str, opening: str) -> object:
    if not text.lstrip().startswith(opening):
        return None
    try:
        return decode_json(text).value
    except BadJson:
        return None


def _moment(value: object, zone: tzinfo) -> datetime | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        seconds = value / 1000 if abs(value) > MILLISECONDS_FROM else value
        return (EPOCH + timedelta(seconds=seconds)).astimezone(zone)
    match = CLOCK_TIME.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    date, clock, offset = match.groups(default="")
    moment = datetime.fromisoformat(f"{date}T{clock}{offset.upper()}")
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
