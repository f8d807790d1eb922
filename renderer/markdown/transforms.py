"""Tokens → tokens: what is the same for every output, before any HTML is written.

Each transform is a function on a list of sibling tokens and gives a new list; `TRANSFORMS` is their order.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

from renderer.citations.claims import MARKER
from renderer.citations.markers import DIALECTS
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


def remove_markers(tokens: Tokens, is_removed: Callable[[str], bool]) -> Tokens:
    """`tokens` without the markers that `is_removed` (given the marker as written), and without a blank left behind."""

    def remove(siblings: list[Token]) -> list[Token]:
        return _without_markers(siblings, is_removed)

    footnotes = {key: _each_list(blocks, remove) for key, blocks in tokens.footnotes.items()}
    return Tokens(_each_list(tokens.blocks, remove), footnotes)


def plain_text(tokens: list[Token]) -> str:
    """The words of inline tokens, without markers: for an image's description."""
    return "".join(_words(token) for token in tokens)


def prose_of(tokens: Tokens, is_listed: Callable[[str], bool]) -> Iterator[str]:
    """The running text, one paragraph, list item or table row at a time, with `claims.MARKER` for listed markers.

    Headings, code and formulas on lines of their own claim nothing and are not in it.
    """
    for siblings in (tokens.blocks, *tokens.footnotes.values()):
        yield from _prose(siblings, is_listed)


def _prose(siblings: list[Token], is_listed: Callable[[str], bool]) -> Iterator[str]:
    for token in siblings:
        if token["type"] in ("paragraph", "block_text"):
            yield _all_said(token, is_listed)
        elif token["type"] == "table_row":
            yield " ".join(_all_said(cell, is_listed) for cell in token["children"])
        elif token["type"] not in ("heading", "table_head"):
            yield from _prose(token.get("children", []), is_listed)


def _all_said(token: Token, is_listed: Callable[[str], bool]) -> str:
    return "".join(_said(child, is_listed) for child in token["children"])


def _said(token: Token, is_listed: Callable[[str], bool]) -> str:
    if token["type"] == "marker":
        return MARKER if is_listed(token["raw"]) else ""
    if token["type"] == "linebreak":
        return "\n"
    if "children" in token:
        return _all_said(token, is_listed)
    return _words(token)


# --- The transforms --------------------------------------------------------------------------------------------

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


def decode_entities(text: str) -> str:
    """`&copy;` → ©, only with its semicolon (https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references).

    What comes out is cleaned again: an entity can name a control character or a sentinel.
    """
    return clean(_ENTITY.sub(lambda match: html.unescape(match.group(0)), text)) if "&" in text else text


def _decode_text(siblings: list[Token]) -> list[Token]:
    return [
        {**token, "raw": decode_entities(token["raw"])}
        if token["type"] == "text" and token.get("_emphasis", True)
        else token
        for token in siblings
    ]


def _hoist_markers(siblings: list[Token]) -> list[Token]:
    """A marker inside a link goes after it: there is no link in a link. Inside an image it is dropped."""
    result: list[Token] = []
    for token in siblings:
        if token["type"] in ("link", "image"):
            hoisted = list(_markers([token])) if token["type"] == "link" else []
            token = {**token, "children": _each_list(token["children"], _drop_markers)}
            result.extend([token, *hoisted])
        else:
            result.append(token)
    return result


def _drop_markers(siblings: list[Token]) -> list[Token]:
    return [token for token in siblings if token["type"] != "marker"]


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
        and bool(_CJK_WIDE.match(before["raw"][-1]))
        and bool(_CJK_WIDE.match(after["raw"][0]))
    )


TRANSFORMS: tuple[Transform, ...] = (_decode_text, _pair_tags, _join_cjk_lines, _hoist_markers)


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


# What may follow a removed marker without a blank before it.
_CLOSING = re.compile(
    r"[\s.,;:!?)\]}'\"\u2019\u201d\u2026\u3001-\u3003\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]"
)


def _without_markers(siblings: list[Token], is_removed: Callable[[str], bool]) -> list[Token]:
    result: list[Token] = []
    after_removed = False
    for token in siblings:
        if token["type"] == "marker" and is_removed(token["raw"]):
            after_removed = True
            continue
        if after_removed and _may_close_up(token):
            _trim_end(result)
        after_removed = False
        result.append(token)
    if after_removed:
        _trim_end(result)
    return result


def _may_close_up(token: Token) -> bool:
    return token["type"] in ("softbreak", "linebreak") or (
        token["type"] == "text" and bool(_CLOSING.match(token["raw"]))
    )


def _trim_end(result: list[Token]) -> None:
    if result and result[-1]["type"] == "text":
        result[-1] = {**result[-1], "raw": result[-1]["raw"].rstrip(" ")}


def _words(token: Token) -> str:
    if token["type"] in ("text", "codespan", "math", "inline_html", "footnote_ref"):
        return str(token["raw"])
    if token["type"] in ("softbreak", "linebreak"):
        return " "
    return plain_text(token.get("children", []))
