"""Tokens → tokens: what is the same for every output, before any HTML is written.

Each transform is a function on a list of sibling tokens and gives a new list; `TRANSFORMS` is their order.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html.entities import html5

from renderer.citations.claims import MARKER
from renderer.citations.markers import DIALECTS
from renderer.citations.strip import BLANKS, CLOSING
from renderer.markdown.emphasis import Token
from renderer.markdown.hygiene import clean
from renderer.markdown.parse import Tokens
from renderer.markdown.rules import honoured_tag
from renderer.model import Marker

Transform = Callable[[list[Token]], list[Token]]


def transform(tokens: Tokens) -> Tokens:
    """All transforms, over every list of siblings, inner ones first."""
    return Tokens(_apply(tokens.blocks), {key: _apply(blocks) for key, blocks in tokens.footnotes.items()})


def markers_of(tokens: Tokens, dialect: str) -> tuple[Marker, ...]:
    """The markers of a transformed text, in the order of the page (footnotes last)."""
    if not dialect:
        return ()
    numbers = DIALECTS[dialect].numbers
    lists = (tokens.blocks, *tokens.footnotes.values())
    return tuple(Marker(token["raw"], numbers(token["raw"])) for siblings in lists for token in _markers(siblings))


def tidy_markers(tokens: Tokens, is_removed: Callable[[str], bool]) -> Tokens:
    """`tokens` without the markers that `is_removed` (given the marker as written), and without a blank left behind.

    The blanks before a marker that stays go too: a line could break there, and a number must not begin a line.
    """

    def remove(siblings: list[Token]) -> list[Token]:
        return _join_cjk_lines(_tidied(siblings, is_removed))

    footnotes = {key: _each_list(blocks, remove) for key, blocks in tokens.footnotes.items()}
    return Tokens(_each_list(tokens.blocks, remove), footnotes)


def plain_text(tokens: list[Token]) -> str:
    """The words of inline tokens, without markers: for an image's description."""
    return "".join(_words(token) for token in tokens)


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, list item or table row: its words, `claims.MARKER` for each listed marker, and those as written."""

    text: str
    markers: tuple[str, ...]


def prose_of(tokens: Tokens, is_listed: Callable[[str], bool], *, formulas: bool = True) -> Iterator[Prose]:
    """The running text. Headings, code and formulas on lines of their own claim nothing and are not in it.

    `formulas` is whether those within a line are.
    """
    for siblings in (tokens.blocks, *tokens.footnotes.values()):
        for spoken in _spoken(siblings):
            listed = tuple(token["raw"] for token in _markers(spoken) if is_listed(token["raw"]))
            yield Prose("".join(_said(token, is_listed, formulas) for token in spoken), listed)


def _spoken(siblings: list[Token]) -> Iterator[list[Token]]:
    for token in siblings:
        if token["type"] in ("paragraph", "block_text"):
            yield token["children"]
        elif token["type"] == "table_row":
            yield [part for cell in token["children"] for part in (*cell["children"], {"type": "softbreak"})]
        elif token["type"] not in ("heading", "table_head"):
            yield from _spoken(token.get("children", []))


def _said(token: Token, is_listed: Callable[[str], bool], formulas: bool) -> str:
    if token["type"] == "marker":
        return MARKER if is_listed(token["raw"]) else ""
    if token["type"] == "image" or (token["type"] == "math" and not formulas):
        return ""
    if token["type"] == "linebreak":
        return "\n"
    if "children" in token:
        return "".join(_said(child, is_listed, formulas) for child in token["children"])
    return _words(token)


# --- The transforms --------------------------------------------------------------------------------------------

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def decode_entities(text: str) -> str:
    """`&copy;` → ©, only with its semicolon (https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references).

    What comes out is cleaned again: an entity can name a control character or a sentinel.
    """
    return clean(_ENTITY.sub(_character, text)) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    written = entity[0]
    if written.startswith("&#"):
        return html.unescape(written)
    # Not html.unescape(), which reads &notanentity; as ¬anentity;
    return html5.get(written[1:], written)


def _decode_text(siblings: list[Token]) -> list[Token]:
    return [
        {**token, "raw": decode_entities(token["raw"])}
        if token["type"] == "text" and token.get("_emphasis", True)
        else token
        for token in siblings
    ]


# What becomes a link of ours, and so cannot stand inside one.
_LINKING = ("marker", "footnote_ref", "image")


def _hoist_links(siblings: list[Token]) -> list[Token]:
    """A marker, footnote or image inside a link goes after it: there is no link in a link. In an image none is left."""
    result: list[Token] = []
    for token in siblings:
        if token["type"] not in ("link", "image"):
            result.append(token)
            continue
        hoisted = list(_linking(token["children"])) if token["type"] == "link" else []
        result += [{**token, "children": _each_list(token["children"], _without_links)}, *hoisted]
    return result


def _linking(siblings: list[Token]) -> Iterator[Token]:
    for token in siblings:
        if token["type"] in _LINKING:
            yield token
        else:
            yield from _linking(token.get("children", []))


def _without_links(siblings: list[Token]) -> list[Token]:
    return [token for token in _tidied(siblings, lambda _raw: True) if token["type"] not in _LINKING]


# Deeper nesting of tags is no writing; it would only make the tree deep.
_MAX_PAIRED = 8


def _pair_tags(siblings: list[Token]) -> list[Token]:
    """Exact `<br>`, and `<sub> <sup> <kbd>` closed among their siblings, become tokens; other HTML stays text."""
    result: list[Token] = []
    opened: list[tuple[int, str]] = []
    for token in siblings:
        tag = honoured_tag(token["raw"]) if token["type"] == "inline_html" else None
        if tag == "br":
            result.append({"type": "linebreak"})
        elif tag and tag[0] == "/" and opened and opened[-1][1] == tag[1:]:
            start, name = opened.pop()
            result[start:] = [{"type": "html_tag", "tag": name, "children": result[start + 1 :]}]
        else:
            if tag and tag[0] != "/" and len(opened) < _MAX_PAIRED:
                opened.append((len(result), tag))
            result.append(token)
    return result


_CJK_WIDE = re.compile("[\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60]")


def _join_cjk_lines(siblings: list[Token]) -> list[Token]:
    """A line end between two CJK characters is no blank: the languages are written without."""
    return [
        token
        for index, token in enumerate(siblings)
        if not (token["type"] == "softbreak" and 0 < index < len(siblings) - 1 and _cjk_around(siblings, index))
    ]


def _cjk_around(siblings: list[Token], index: int) -> bool:
    before, after = siblings[index - 1], siblings[index + 1]
    return (
        before["type"] == after["type"] == "text"
        and bool(_CJK_WIDE.match(before["raw"][-1:]))
        and bool(_CJK_WIDE.match(after["raw"][:1]))
    )


TRANSFORMS: tuple[Transform, ...] = (_decode_text, _join_cjk_lines, _hoist_links, _pair_tags)


# --- Walking ---------------------------------------------------------------------------------------------------


def _apply(siblings: list[Token]) -> list[Token]:
    def all_transforms(tokens: list[Token]) -> list[Token]:
        for step in TRANSFORMS:
            tokens = step(tokens)
        return tokens

    return _each_list(siblings, all_transforms)


def _each_list(siblings: list[Token], change: Transform) -> list[Token]:
    inner = [
        {**token, "children": _each_list(token["children"], change)} if "children" in token else token
        for token in siblings
    ]
    return change(inner)


def _markers(siblings: list[Token]) -> Iterator[Token]:
    for token in siblings:
        if token["type"] == "marker":
            yield token
        elif token["type"] != "image":
            yield from _markers(token.get("children", []))


def _tidied(siblings: list[Token], is_removed: Callable[[str], bool]) -> list[Token]:
    result: list[Token] = []
    after_removed = False
    for place, token in enumerate(siblings):
        is_marker = token["type"] == "marker"
        if is_marker and is_removed(token["raw"]):
            after_removed = True
            continue
        if is_marker or (after_removed and _may_close_up(token)):
            _trim_end(result, across_lines=is_marker and not _begins_entry(siblings, place))
        if after_removed and token["type"] == "softbreak" and (not result or result[-1]["type"] == "softbreak"):
            continue  # the marker had a line of its own
        if after_removed:
            token = _without_empty_brackets(result, token)
        after_removed = False
        result.append(token)
    if after_removed:
        _trim_end(result)
    return result


_BRACKET_PAIRS = {"(": ")", "（": "）", "[": "]", "【": "】"}


def _without_empty_brackets(result: list[Token], token: Token) -> Token:
    """`token` without the bracket that closes what held a removed marker alone; the opening one leaves `result`."""
    before = result[-1] if result and result[-1]["type"] == "text" else None
    if before is None or token["type"] != "text" or not before["raw"]:
        return token
    opening = before["raw"][-1]
    if not token["raw"].startswith(_BRACKET_PAIRS.get(opening, "\0")):
        return token
    result[-1] = {**before, "raw": before["raw"][:-1].rstrip(BLANKS)}
    return {**token, "raw": token["raw"][1:]}


def _begins_entry(siblings: list[Token], place: int) -> bool:
    """Whether the marker at `place` begins a line of a list of references: `[^1^]: first`."""
    after = siblings[place + 1] if place + 1 < len(siblings) else None
    return after is not None and after["type"] == "text" and after["raw"].startswith((":", "："))


def _may_close_up(token: Token) -> bool:
    return token["type"] in ("softbreak", "linebreak") or (
        token["type"] == "text" and bool(CLOSING.match(token["raw"]))
    )


def _trim_end(result: list[Token], *, across_lines: bool = False) -> None:
    if across_lines and result and result[-1]["type"] == "softbreak":
        result.pop()
    if result and result[-1]["type"] == "text":
        result[-1] = {**result[-1], "raw": result[-1]["raw"].rstrip(BLANKS)}


def _words(token: Token) -> str:
    if token["type"] in ("text", "codespan", "math", "inline_html", "footnote_ref"):
        return str(token["raw"])
    if token["type"] in ("softbreak", "linebreak"):
        return " "
    return plain_text(token.get("children", []))
