"""An answer's headings, formulas and pictures in the way that other programs read them; code is left as it is.

As in `occurrences`, numbered tags go where the source looks like one, and the parser says which of them are some.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from renderer.markdown.emphasis import Token
from renderer.markdown.html_blocks import page_level
from renderer.markdown.hygiene import clean
from renderer.markdown.occurrences import TAG, TAG_END, TAG_START
from renderer.markdown.parse import parse
from renderer.markdown.transforms import decode_entities, plain_text

# The words that stand for a picture, given its description, its address, and whether it stands in a link.
PictureWords = Callable[[str, str, bool], str]
Edit = tuple[int, int, str]

_LEAD = r"^(?: {0,3}(?:[>*+-]|[0-9]{1,9}[.)]))*+ {0,4}"
_PIECE = re.compile(
    rf"(?P<heading>{_LEAD}#{{1,6}}[ \t]+)|(?P<picture>(?<!\\)!\[)"
    r"|(?P<closer>(?=\\[)\]]))|(?<=[^\s`~|$\]])(?P<under>(?=[ \t]*\n {0,3}(?:=+|-+)[ \t]*$))",
    re.MULTILINE,
)
_UNDER = re.compile(r"[ \t]*\n[ =-]+")
_BRACKETED = r"\[(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*+\]"
_TARGET = r"\(\s*(?:<[^<>\n]*>|(?:[^\s()\\]|\\.|\([^\s()]*\))*+)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
_PICTURE = re.compile(rf"!{_BRACKETED}{_TARGET}")
_ANGLE = re.compile(r"<(?=[A-Za-z/!?])")


def retold(text: str, picture: PictureWords) -> str:
    """Cleaned `text` with headings from ### on, formulas between dollars, and pictures as `picture` words them."""
    pieces = list(_PIECE.finditer(text))
    if not pieces:
        return text
    numbers = iter(range(len(pieces)))
    tokens = parse(_PIECE.sub(lambda piece: f"{piece[0]}{TAG_START}{next(numbers)}{TAG_END}", text), "")
    open_levels: list[int] = []
    edits: list[Edit] = []
    for token, in_link in _walked([*tokens.blocks, *chain(*tokens.footnotes.values())], in_link=False):
        match token["type"]:
            case "heading":
                edits += _heading(token, pieces, page_level(token["attrs"]["level"], open_levels))
            case "math" | "math_block":
                edits += _formula(token["raw"], pieces)
            case "image":
                edits += _picture(token, pieces, picture, in_link=in_link)
    return _edited(text, edits)


def _walked(siblings: list[Token], *, in_link: bool) -> Iterator[tuple[Token, bool]]:
    for token in siblings:
        yield token, in_link
        yield from _walked(token.get("children", []), in_link=in_link or token["type"] == "link")


def _tagged(token: Token, pieces: list[re.Match[str]], *kinds: str) -> re.Match[str] | None:
    """The first piece of one of these kinds whose tag is in the words of `token`."""
    raws = "".join(str(inner.get("raw", "")) for inner, _ in _walked([token], in_link=False))
    found = (pieces[int(number)] for number in TAG.findall(raws))
    return next((piece for piece in found if piece.lastgroup in kinds), None)


def _heading(token: Token, pieces: list[re.Match[str]], level: int) -> Iterator[Edit]:
    piece = _tagged(token, pieces, "heading", "under")
    if piece is None:
        return
    text, signs = piece.string, "#" * level
    if piece.lastgroup == "heading":
        start = text.index("#", piece.start())
        yield start, piece.end(), f"{signs} "
    elif not any(child["type"] == "softbreak" for child in token["children"]):
        start = text.rfind("\n", 0, piece.end()) + 1
        lead = re.match(_LEAD, text[start : piece.end()])
        at = start + (lead.end() if lead else 0)
        yield at, at, f"{signs} "
        if line := _UNDER.match(text, piece.end()):
            yield *line.span(), ""


def _formula(raw: str, pieces: list[re.Match[str]]) -> Iterator[Edit]:
    numbers = TAG.findall(raw)
    written = TAG.sub("", raw)
    if not numbers or written[:2] not in ("\\(", "\\[") or "$" in written:
        return
    end = pieces[int(numbers[-1])].end() + 2
    start, text = end - len(written), pieces[0].string
    if text[max(start, 0) : end] != written or not written[2:-2].strip():
        return  # in a quote, whose signs stand between its lines
    tex = _ANGLE.sub("< ", written[2:-2])
    if written[1] == "[":
        yield start, end, f"$${tex}$$"
    elif not re.match(r"[A-Za-z0-9$]", text[end : end + 1]) and not re.search(r"[A-Za-z0-9$\\]$", text[:start][-1:]):
        yield start, end, f"${' '.join(tex.split())}$"


def _picture(token: Token, pieces: list[re.Match[str]], words: PictureWords, *, in_link: bool) -> Iterator[Edit]:
    piece = _tagged(token, pieces, "picture")
    whole = _PICTURE.match(piece.string, piece.start()) if piece else None
    if whole is None:
        return  # by a reference: what comes after makes it a link
    alt = clean(TAG.sub("", plain_text(token["children"])))
    title = decode_entities(token["attrs"].get("title") or "")
    url = clean(TAG.sub("", token["attrs"]["url"]))
    said = words(f"{alt} ({title})" if alt and title else alt or title, url, in_link)
    before, after = whole.string[: whole.start()][-1:], whole.string[whole.end() : whole.end() + 1]
    blanks = " " if before.strip(" \n[(") else "", " " if after.isalnum() or after == "*" else ""
    yield *whole.span(), said.join(blanks)


def _edited(text: str, edits: list[Edit]) -> str:
    done, position = [], 0
    for start, end, words in sorted(edits):
        if start >= position:
            done += [text[position:start], words]
            position = end
    return "".join([*done, text[position:]])
