"""Emphasis: CommonMark's delimiter algorithm, in linear time, with the flanking rule that Chinese needs.

By CommonMark's own rule `**注意：**正文` is not bold: `：` is punctuation with a letter after it. The rule here is
that of https://github.com/tats-u/markdown-cjk-friendly (its specification.md): a CJK character beside a delimiter run,
letter or punctuation, counts as a boundary. The algorithm is that of
https://spec.commonmark.org/0.31.2/#phase-2-inline-structure.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

Token = dict[str, Any]

_RUN = re.compile(r"\*+|_+")
_CJK = re.compile(
    "[\u1100-\u11ff\u2e80-\u303f\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\ufe30-\ufe4f\uff01-\uffee\U00016fe0-\U00018cff\U0001aff0-\U0001b16f\U0001f200-\U0001f2ff\U00020000-\U0003ffff]"
)
# What stands for a token that is neither text nor a line break when a neighbour is looked at: code, a link, a formula.
_OBJECT = "\ufffc"


@dataclass(slots=True, eq=False)
class _Node:
    """A piece of the inline sequence, in a doubly linked list: a token, or a run of delimiters (`run` not "")."""

    token: Token
    run: str = ""
    length: int = 0
    original: int = 0
    opens: bool = False
    closes: bool = False
    depth: int = 0
    before: _Node | None = None
    after: _Node | None = None


def resolve_emphasis(tokens: list[Token], max_depth: int) -> list[Token]:
    """`tokens` of one inline sequence with `emphasis` and `strong` tokens made of their `*` and `_`.

    Text tokens with `_emphasis` False are literal (they were escaped). Nothing is nested deeper than `max_depth`
    (levels); what would be stays text. Neighbouring text tokens are merged.
    """
    tokens = _merge_text(tokens)
    if max_depth <= 0 or not any(_may_hold_delimiters(token) for token in tokens):
        return tokens
    head = _link(_split(tokens))
    _match(head, max_depth)
    return _merge_text(_tokens_of(head))


def _may_hold_delimiters(token: Token) -> bool:
    return token["type"] == "text" and token.get("_emphasis", True) and ("*" in token["raw"] or "_" in token["raw"])


def _merge_text(tokens: list[Token]) -> list[Token]:
    merged: list[Token] = []
    chunks: list[str] = []
    for token in tokens:
        if token["type"] == "text" and token.get("_emphasis", True):
            chunks.append(token["raw"])
            continue
        if chunks:
            merged.append({"type": "text", "raw": "".join(chunks)})
            chunks = []
        merged.append(token)
    if chunks:
        merged.append({"type": "text", "raw": "".join(chunks)})
    return [token for token in merged if token["type"] != "text" or token["raw"]]


# --- From tokens to nodes --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Sides:
    """What stands before and after a token: the nearest characters, and the nearest that are no blanks."""

    before: str
    solid_before: str
    after: str
    solid_after: str


def _split(tokens: list[Token]) -> list[_Node]:
    nodes: list[_Node] = []
    for token, sides in zip(tokens, _sides(tokens), strict=True):
        if _may_hold_delimiters(token):
            _split_text(token["raw"], sides, nodes)
        else:
            nodes.append(_Node(token, depth=_depth(token)))
    return nodes


def _split_text(raw: str, sides: _Sides, nodes: list[_Node]) -> None:
    position = 0
    for match in _RUN.finditer(raw):
        start, end = match.span()
        if start > position:
            nodes.append(_Node({"type": "text", "raw": raw[position:start]}))
        around = _Sides(
            raw[start - 1] if start else sides.before,
            raw[start - 1] if start else sides.solid_before,
            raw[end] if end < len(raw) else sides.after,
            raw[end] if end < len(raw) else sides.solid_after,
        )
        opens, closes = _flanking(raw[start], around)
        nodes.append(_Node({}, raw[start], end - start, end - start, opens, closes))
        position = end
    if position < len(raw):
        nodes.append(_Node({"type": "text", "raw": raw[position:]}))


def _sides(tokens: list[Token]) -> list[_Sides]:
    """What stands beside each token. A marker is looked through: it must not change what is emphasised."""
    before = _seen_before(tokens, -1)
    after = _seen_before(tokens[::-1], 0)[::-1]
    return [_Sides(*left, *right) for left, right in zip(before, after, strict=True)]


def _seen_before(tokens: list[Token], edge: int) -> list[tuple[str, str]]:
    """The character before each token, and the one that is seen through markers and the blanks beside them.

    `edge` is where the character stands in a text: -1 its end, 0 its start.
    """
    seen: list[tuple[str, str]] = []
    char = solid = through = "\n"
    for token in tokens:
        kind = token["type"]
        seen.append((char, through))
        if kind == "marker":
            through = solid
            continue
        if kind == "text":
            char = through = token["raw"][edge]
            solid = (token["raw"].strip(" \t") or solid)[edge]
        else:
            char = through = solid = "\n" if kind in ("softbreak", "linebreak") else _OBJECT
    return seen


def _flanking(char: str, sides: _Sides) -> tuple[bool, bool]:
    """Whether a run opens and closes. Towards what it would emphasise, the blanks beside a marker do not count."""
    left = _is_left(sides.before, sides.solid_after)
    right = _is_left(sides.after, sides.solid_before)
    if char == "*":
        return left, right
    plain_left = _is_left(sides.before, sides.after)
    plain_right = _is_left(sides.after, sides.before)
    opens = left and (not plain_right or _is_any_punctuation(sides.before))
    return opens, right and (not plain_left or _is_any_punctuation(sides.after))


def _is_left(outer: str, inner: str) -> bool:
    """Left-flanking, seen from its own side; mirrored, right-flanking."""
    if inner.isspace():
        return False
    return not _is_punctuation(inner) or outer.isspace() or _is_punctuation(outer) or bool(_CJK.match(outer))


def _is_punctuation(char: str) -> bool:
    """Punctuation that is not CJK: what makes CommonMark's rule refuse."""
    return _is_any_punctuation(char) and not _CJK.match(char)


def _is_any_punctuation(char: str) -> bool:
    return char == _OBJECT or unicodedata.category(char)[0] in "PS"


def _depth(token: Token) -> int:
    depth, level = 0, [token]
    while level := [child for parent in level for child in parent.get("children", ())]:
        depth += 1
    return depth


# --- Matching --------------------------------------------------------------------------------------------------


def _link(nodes: list[_Node]) -> _Node:
    head = last = _Node({})
    for node in nodes:
        last.after, node.before = node, last
        last = node
    return head


def _match(head: _Node, max_depth: int) -> None:
    openers: list[_Node] = []
    # No opener below these places of `openers` fits a closer of this kind; without it the search is quadratic.
    bottoms: dict[tuple[str, bool, int], int] = {}
    node = head.after
    while node is not None:
        if node.closes:
            _close(node, openers, bottoms, max_depth)
        if node.length and node.opens:
            openers.append(node)
        elif not node.run:
            _note_depth(openers, node.depth)
        node = node.after


def _note_depth(openers: list[_Node], depth: int) -> None:
    """An opener's `depth` is that of what stands after it, kept as we go: measuring it again would be quadratic."""
    if openers:
        openers[-1].depth = max(openers[-1].depth, depth)


def _close(closer: _Node, openers: list[_Node], bottoms: dict[tuple[str, bool, int], int], max_depth: int) -> None:
    key = (closer.run, closer.opens, closer.original % 3)
    while closer.length:
        place = _find_opener(closer, openers, bottoms.get(key, 0))
        if place is None:
            bottoms[key] = len(openers)
            return
        while len(openers) > place + 1:
            _note_depth(openers, openers.pop().depth)
        for kind, bottom in bottoms.items():
            bottoms[kind] = min(bottom, place)
        opener = openers[place]
        opener.depth += 1
        too_deep = opener.depth > max_depth
        if not too_deep:
            _wrap(opener, closer)
        if too_deep or not opener.length:
            _note_depth(openers, openers.pop().depth)
        if too_deep:
            return


def _find_opener(closer: _Node, openers: list[_Node], bottom: int) -> int | None:
    for place in range(len(openers) - 1, bottom - 1, -1):
        if _fits(openers[place], closer):
            return place
    return None


def _fits(opener: _Node, closer: _Node) -> bool:
    if opener.run != closer.run:
        return False
    if opener.closes or closer.opens:
        # The rule of three: https://spec.commonmark.org/0.31.2/#can-open-emphasis, rules 9 and 10.
        total = opener.original + closer.original
        return total % 3 != 0 or (opener.original % 3 == 0 and closer.original % 3 == 0)
    return True


def _wrap(opener: _Node, closer: _Node) -> None:
    inner: list[_Node] = []
    node = opener.after
    while node is not None and node is not closer:
        inner.append(node)
        node = node.after
    size = 2 if opener.length >= 2 and closer.length >= 2 else 1
    children = _merge_text([_token(child) for child in inner if not child.run or child.length])
    wrapped = _Node({"type": "strong" if size == 2 else "emphasis", "children": children}, depth=opener.depth)
    opener.after, wrapped.before = wrapped, opener
    wrapped.after, closer.before = closer, wrapped
    opener.length -= size
    closer.length -= size


def _token(node: _Node) -> Token:
    return {"type": "text", "raw": node.run * node.length} if node.run else node.token


def _tokens_of(head: _Node) -> list[Token]:
    tokens: list[Token] = []
    node = head.after
    while node is not None:
        if not node.run or node.length:
            tokens.append(_token(node))
        node = node.after
    return tokens
