"""An answer's Markdown, made fit to stand in one document with others and be shown by other programs.

There raw HTML would be HTML, pictures would be loaded, and an open fence would swallow all that follows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from renderer.markdown.occurrences import TAG, TAG_END, TAG_START
from renderer.markdown.parse import Tokens, parse

_FORMULAS = ("math", "math_block")
_OPAQUE = ("codespan", "block_code", *_FORMULAS)
_NOT_HTML = re.compile(r"<https?://[^\s<>]*>|<br */?>", re.IGNORECASE)
_PAIR = re.compile(r"<(sub|sup|kbd)>[^<>\n]*(?P<end></\1>)", re.IGNORECASE)
_LABELLED = r"\[\^(?P<label>(?:[^\\\[\]\s]|\\[^\n]){1,100})\]"
_LOOSE = re.compile(rf"(?<!\]\()(?P<angle><[A-Za-z/!?][^<>\n]*>?)|(?P<picture>!(?=\[(?!\^)))|{_LABELLED}")
_END = f"{TAG_START}0{TAG_END}"


def portable(text: str, footnotes: frozenset[str], prefix: str) -> str:
    """Cleaned `text`, which shows the same words elsewhere and ends where it ends.

    `footnotes` are the keys of the footnotes that it defines itself; their labels get `prefix`, so that two answers
    of a document can each have a footnote 1. Code is left as it is.
    """
    return _closed(_escaped(text, footnotes, prefix))


def _escaped(text: str, footnotes: frozenset[str], prefix: str) -> str:
    honoured = {place for pair in _PAIR.finditer(text) for place in (pair.start(), pair.start("end"))}
    pieces = [p for p in _LOOSE.finditer(text) if p.start() not in honoured and _is_loose(p, footnotes)]
    tagged = "".join(_put(text, pieces, lambda number, piece: f"{TAG_START}{number}{TAG_END}"))
    kept = dict(_opaque(parse(tagged, ""))) if pieces else {}

    def write(number: int, piece: re.Match[str]) -> str:
        return _kept(piece, kept[number]) if number in kept else _loosened(piece, prefix)

    return "".join(_put(text, pieces, write))


def _is_loose(piece: re.Match[str], footnotes: frozenset[str]) -> bool:
    if _is_escaped(piece.string, piece.start()):
        return False
    if piece["label"] is not None:
        return piece["label"].upper() in footnotes
    if piece["picture"] is not None:
        return True
    return not _NOT_HTML.fullmatch(piece[0])


def _is_escaped(text: str, position: int) -> bool:
    start = position
    while start and text[start - 1] == "\\":
        start -= 1
    return (position - start) % 2 == 1


def _put(text: str, pieces: list[re.Match[str]], write: Callable[[int, re.Match[str]], str]) -> Iterator[str]:
    """`text` with what `write` gives for the start of each piece: an angle, an exclamation mark, or a whole label."""
    position = 0
    for number, piece in enumerate(pieces):
        yield text[position : piece.start()] + write(number, piece)
        position = piece.end() if piece["label"] is not None else piece.start() + 1
    yield text[position:]


def _kept(piece: re.Match[str], kind: str) -> str:
    if piece["label"] is not None:
        return piece[0]
    # Where formulas are not known `a<b` would be HTML; in a formula a blank means nothing.
    return "< " if kind in _FORMULAS and piece["angle"] is not None else piece[0][0]


def _loosened(piece: re.Match[str], prefix: str) -> str:
    return f"[^{prefix}{piece['label']}]" if piece["label"] is not None else f"\\{piece[0][0]}"


def _opaque(tokens: Tokens) -> Iterator[tuple[int, str]]:
    """The numbers of the tags that stand in code and formulas, which are never escaped, with the kind of token."""
    waiting = [*tokens.blocks, *(token for blocks in tokens.footnotes.values() for token in blocks)]
    while waiting:
        token = waiting.pop()
        waiting += token.get("children", [])
        if token["type"] in _OPAQUE:
            info = token.get("attrs", {}).get("info", "")
            yield from ((int(number), token["type"]) for number in TAG.findall(token["raw"] + info))


def _closed(text: str) -> str:
    """`text` with what it leaves open closed: a fence by its own sign, anything else by quoting it all."""
    text = text.rstrip("\n")
    if _ends(text):
        return text
    fences = re.findall(r"^ {0,3}(`{3,}|~{3,})", text, re.MULTILINE)
    closed = [f"{text}\n{fence}" for fence in dict.fromkeys(fences[::-1])][:3]
    return next((one for one in closed if _ends(one)), "\n".join(f"> {line}" for line in text.split("\n")))


def _ends(text: str) -> bool:
    """Whether a paragraph after `text` is a paragraph."""
    last = [token for token in parse(f"{text}\n\n{_END}\n", "").blocks if token["type"] != "blank_line"][-1:]
    return [token.get("children") for token in last] == [[{"type": "text", "raw": _END}]]
