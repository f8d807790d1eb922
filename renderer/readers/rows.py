"""The upstream platform's rows as they are, for those who give them back: decoded, not taken apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from renderer.errors import Problem
from renderer.model import Message
from renderer.readers._input import Input
from renderer.readers._records import BadJson, as_list, as_object, decode_json
from renderer.readers._share_pages import joined, oldest_first
from renderer.readers._upstream import read_row
from renderer.readers.upstream_share import share_pages

__all__ = ["as_list", "as_object", "decode_line", "message_of_row", "share_rows"]


def message_of_row(row: object, line: int | None = None) -> Message | None:
    """The message that a decoded row holds; None when it holds none. `line` is its place in the file, from 1."""
    events = read_row(row, "", line, f"line-{line}")
    return next((event for event in events if isinstance(event, Message)), None)


def decode_line(line: bytes, where: str, number: int) -> tuple[Any, Problem | None]:
    """The JSON value of a line (None for a blank or unreadable one), and what is wrong with it, if anything."""
    if not line.strip():
        return None, None
    try:
        decoded = decode_json(line)
    except BadJson as why:
        return None, Problem(where, number, f"the line was passed on as it is: {why}")
    problem = Problem(where, number, "some bytes are no UTF-8") if decoded.repaired else None
    return decoded.value, problem


def share_rows(inputs: Sequence[Input]) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    """The session of a share, and the message rows of its pages in order; records that are no object are left out.

    Raises `RendererError` as reading the share does.
    """
    pages = oldest_first(share_pages(inputs))
    session = next((page.session for page in reversed(pages) if page.session), {})
    rows = (row.value for row in joined(pages))
    return session, [row for row in rows if isinstance(row, dict) and message_of_row(row) is not None]
