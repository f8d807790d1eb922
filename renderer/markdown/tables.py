"""Tables as GitHub reads them: https://github.github.com/gfm/#tables-extension-

The parser's own plugin undoes a whole table when one row has a cell too many. Here a short row is filled up, and the
cells that are too many stay in the row: no word is lost.
"""

from __future__ import annotations

import re
from re import Match
from typing import Any

from mistune import BlockParser, BlockState, Markdown

Token = dict[str, Any]

_FIRST_LINE = r"^ {0,3}(?=[^\s>])[^\n]*\|[^\n]*(?:\n|$)"
_DELIMITERS = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n?")
_ESCAPED_OR_BAR = re.compile(r"\\.|\|", re.DOTALL)
# A line that begins one of these ends a table, though it holds a bar.
_BREAKING = ["fenced_code", "atx_heading", "thematic_break", "block_quote", "list"]


def tables(md: Markdown) -> None:
    """A plugin: tables in the text, in lists and in block quotes. Its tokens are those of the parser's own plugin."""
    md.block.register("table", _FIRST_LINE, _parse_table, before="paragraph")
    for rules in (md.block.block_quote_rules, md.block.list_rules):
        rules.append("table")


def _parse_table(block: BlockParser, match: Match[str], state: BlockState) -> int | None:
    delimiters = state.get_line(match.end())
    head = _cells(match[0])
    if not _DELIMITERS.fullmatch(delimiters) or len(_cells(delimiters)) != len(head):
        return None
    aligns = [_align(cell) for cell in _cells(delimiters)]
    position = match.end() + len(delimiters)
    breaking = block.compile_sc(_BREAKING)
    filled = 0
    rows: list[Token] = []
    while position < state.cursor_max and not breaking.match(state.src, position):
        line = state.get_line(position)
        if "|" not in line:
            break
        cells = _cells(line)
        filled += max(0, len(aligns) - len(cells))
        rows.append({"type": "table_row", "children": _row(cells, aligns if filled <= _MAX_FILLED else [], head=False)})
        position += len(line)
    children = [{"type": "table_head", "children": _row(head, aligns, head=True)}]
    state.append_token({"type": "table", "children": [*children, {"type": "table_body", "children": rows}]})
    return position


# Empty cells that are filled into the short rows of one table, at most: a wide head over many short rows is an attack.
_MAX_FILLED = 5_000


def _row(cells: list[str], aligns: list[str | None], *, head: bool) -> list[Token]:
    filled = [*cells, *[""] * (len(aligns) - len(cells))]
    padded = [*aligns, *[None] * (len(filled) - len(aligns))]
    return [
        {"type": "table_cell", "text": text, "attrs": {"align": align, "head": head}}
        for text, align in zip(filled, padded, strict=True)
    ]


def _cells(line: str) -> list[str]:
    """The cells of a row: cut at bars, but not at `\\|`, which stands for a bar in a cell, in code too."""
    text = line.strip().removeprefix("|")
    bars = [found.start() for found in _ESCAPED_OR_BAR.finditer(text) if found[0] == "|"]
    starts, ends = [0, *(bar + 1 for bar in bars)], [*bars, len(text)]
    cells = [text[start:end].strip().replace("\\|", "|") for start, end in zip(starts, ends, strict=True)]
    return cells[:-1] if bars and not cells[-1] else cells


def _align(delimiter: str) -> str | None:
    left, right = delimiter.startswith(":"), delimiter.endswith(":")
    return "center" if left and right else "left" if left else "right" if right else None
