"""Where the markers of a text stand in its source: what the parser alone knows, and does not tell.

Each piece of the source that looks like a marker gets a number of its own, in sentinels that no text can hold, and the
text is parsed once more: those numbers that come out as markers tell which pieces are some. So a marker in code stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from renderer.citations.markers import DIALECTS, Dialect
from renderer.citations.strip import BLANKS, CLOSING
from renderer.markdown.emphasis import Token
from renderer.markdown.fragment import Document
from renderer.markdown.parse import parse_with

# Beside the sentinels of `inserts`: text that was cleaned holds none of them.
TAG_START, TAG_END = "\ufdd2", "\ufdd3"
TAG = re.compile(f"{TAG_START}([0-9]+){TAG_END}")


def replace_markers(document: Document, dialect: str, write: Callable[[str], str]) -> str:
    """The source of `document` with each marker, given to `write` as written, replaced; "" leaves nothing behind.

    What `write` gives is guarded: nothing that follows can turn it into a link or a definition. Where the source and
    the tokens cannot be brought together, all that looks like a marker goes.
    """
    if document.tokens is None or dialect not in DIALECTS:
        return document.text
    try:
        found = _found(document, DIALECTS[dialect])
    except Exception:  # a defect of a parser must not cost the document
        found = None
    if found is None:
        return re.sub(DIALECTS[dialect].pattern, "", document.text)
    return _written(document.text, found, write)


@dataclass(frozen=True, slots=True)
class _Found:
    """A marker of the source; one in the description of a picture is shown nowhere."""

    start: int
    end: int
    raw: str
    in_picture: bool


def _found(document: Document, dialect: Dialect) -> list[_Found] | None:
    pieces = list(re.finditer(dialect.pattern, document.text))
    numbers = iter(range(len(pieces)))
    tagged = re.sub(
        dialect.pattern, lambda piece: f"{piece[0][0]}{TAG_START}{next(numbers)}{TAG_END}{piece[0][-1]}", document.text
    )
    tokens = parse_with(tagged, _tagged(dialect))
    numbered = [
        (int(TAG.search(raw)[1]), in_picture)  # type: ignore[index]  # the dialect's pattern holds a tag
        for blocks in (tokens.blocks, *tokens.footnotes.values())
        for raw, in_picture in _markers(blocks, in_picture=False)
    ]
    spoken = Counter(pieces[number][0] for number, in_picture in numbered if not in_picture)
    if spoken != Counter(marker.raw for marker in document.markers):
        return None
    return [_Found(*pieces[number].span(), pieces[number][0], in_picture) for number, in_picture in sorted({*numbered})]


def _tagged(dialect: Dialect) -> Dialect:
    return replace(
        dialect,
        name=f"tagged {dialect.name}",
        pattern=rf"[{re.escape(dialect.start_chars)}]{TAG_START}[0-9]+{TAG_END}[^\n]",
        label=f"{TAG_START}[0-9]+{TAG_END}",
    )


def _markers(siblings: list[Token], *, in_picture: bool) -> Iterator[tuple[str, bool]]:
    for token in siblings:
        if token["type"] == "marker":
            yield token["raw"], in_picture
        else:
            yield from _markers(token.get("children", []), in_picture=in_picture or token["type"] == "image")


# --- Writing ---------------------------------------------------------------------------------------------------

# What would make a removed marker's line something else, now that it stands first.
_STRUCTURE = re.compile(r"[#>+\-*=~`_|]")
_BARE = re.compile(r"(?:https?://|www\.)[^\s<>]*$")
_MAX_BARE = 4096
_EMPTY = {"(": ")", "（": "）", "【": "】"}


def _written(text: str, found: list[_Found], write: Callable[[str], str]) -> str:
    done: list[str] = []
    position = 0
    starts = {one.start for one in found}
    for one in found:
        done.append(text[position : one.start])
        position = one.end
        marker = "" if one.in_picture else write(one.raw)
        if marker:
            _trim(done)
            # Programs that make links of bare addresses read them up to the next blank.
            done.append(" " if done and _BARE.search(done[-1][-_MAX_BARE:]) else "")
            done += [marker, "" if position in starts else _guard(text[position : position + 1])]
            position += text.startswith(":", position)
        else:
            position = _close_up(done, text, position)
    return "".join([*done, text[position:]])


def _guard(following: str) -> str:
    """What keeps a reference from becoming a link or a definition."""
    return "\\:" if following == ":" else " " if following and following in "([" else ""


def _close_up(done: list[str], text: str, position: int) -> int:
    """Leave no blanks, no empty brackets and no new structure where a marker went; returns where the text goes on."""
    if _begins_line(done):
        while text[position : position + 1] and text[position] in BLANKS:
            position += 1
        if _STRUCTURE.match(text, position):
            done.append("\\")
        return position
    opening = done[-1][-1:] if done else ""
    if opening in _EMPTY and text.startswith(_EMPTY[opening], position):
        done[-1] = done[-1][:-1]
        position += 1
    if position == len(text) or CLOSING.match(text, position):
        _trim(done)
    return position


def _trim(done: list[str]) -> None:
    """Take away the blanks at the end, unless they indent a line."""
    while done and not _begins_line(done):
        done[-1] = done[-1].rstrip(BLANKS)
        if done[-1]:
            return
        done.pop()


def _begins_line(done: list[str]) -> bool:
    for part in reversed(done):
        solid = part.rstrip(BLANKS)
        if solid:
            return solid.endswith("\n")
    return True
