"""The picture that chats show for a link: the title, who answered, how many sources. Needs `citepage[picture]`."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import BinaryIO

from renderer.errors import RendererError

try:
    from PIL import Image, ImageDraw
    from PIL.ImageFont import FreeTypeFont
    from PIL.PngImagePlugin import PngInfo

    from renderer.writers.fonts import font_for
except ImportError:
    raise RendererError(
        "", "--preview-picture needs the library Pillow", "install it with: pip install 'citepage[picture]'"
    ) from None

from renderer.model import Conversation, Verdict
from renderer.options import Options
from renderer.pages.context import PageContext
from renderer.pages.excerpts import one_line
from renderer.pages.head import GENERATOR, page_title
from renderer.resources import asset_text
from renderer.version import VERSION
from renderer.writers.beside import PlainAnswer, checked_rounds, context_of, plain_messages

# Pixels: the size that https://ogp.me/ cards are cut to least, and the layout inside.
WIDTH, HEIGHT = 1200, 630
_MARGIN = 88
_SIZES = (76, 68, 60, 52)
_SMALL = 30
_LINES = 4
_LEADING = 1.3
_ROOM = 316  # for the title, between what stands above it and the line below

# Marks that change how the character before them is drawn, and take no place of their own.
_SILENT = re.compile("[\u200b-\u200f\u2060\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_RIGHT_TO_LEFT = ("R", "AL")


@dataclass(frozen=True, slots=True)
class _Words:
    title: str
    above: str
    counts: str
    date: str


def write_picture(conversation: Conversation, file: BinaryIO, *, options: Options, font: str | None) -> None:
    """Write a PNG of 1200 × 630 pixels in the theme's light colours; the same font gives the same bytes.

    `font` is the path of a font file, None for one of those that systems bring. Raises RendererError when no font has
    the characters.
    """
    words = _words(conversation, context_of(conversation, options), options)
    small = font_for(words.above + words.counts + words.date, font, _SMALL)
    title, lines = _fitted(words.title, font)
    picture = _drawn(words, small, title, lines, options.theme)
    note = PngInfo()
    note.add_text("Software", f"{GENERATOR} {VERSION}")  # by which `output` knows the file as ours
    picture.save(file, "PNG", pnginfo=note, optimize=True)


def _words(conversation: Conversation, page: PageContext, options: Options) -> _Words:
    verdicts = [
        source.verdict
        for checked in checked_rounds(conversation, options)
        for message in plain_messages(checked, page)
        if isinstance(message, PlainAnswer)
        for source in message.sources
    ]
    returned = sum(verdict == Verdict.RETURNED.value for verdict in verdicts)
    say = page.catalog.say
    counts = [say("source_count", n=len(verdicts))] if verdicts else []
    counts += [say("checked_count", n=returned)] if returned else []
    created = conversation.created_at
    return _Words(
        title=_settable(page_title(conversation, options) or say("untitled")),
        above=_settable(conversation.agent)[:60],
        counts=" · ".join(counts),
        date=page.catalog.date_time(created.astimezone(page.where)) if created else "",
    )


def _settable(text: str) -> str:
    text = _SILENT.sub("", one_line(text))
    if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text):
        raise RendererError(
            "", "the preview picture cannot set text that runs from right to left", "give another --title"
        )
    return text


# --- Layout ----------------------------------------------------------------------------------------------------


def _fitted(title: str, chosen: str | None) -> tuple[FreeTypeFont, list[str]]:
    """The largest font in which the title fits into its lines; in the smallest one it is cut."""
    for size in _SIZES:
        font = font_for(title + "…", chosen, size)
        lines = _wrapped(title, font)
        if round(size * _LEADING) * len(lines) <= _ROOM and len(lines) <= _LINES:
            return font, lines
    shown = lines[:_LINES]
    while font.getlength(f"{shown[-1]}…") > WIDTH - 2 * _MARGIN:
        shown[-1] = shown[-1][:-1]
    return font, [*shown[:-1], f"{shown[-1].rstrip()}…"]


# A line breaks at blanks and on both sides of a CJK character, but not before punctuation that closes.
_PIECES = re.compile(
    "[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef][、。，．：；！？）」』】〉》”’…]*|[^\\s\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]+|\\s+"
)


def _wrapped(title: str, font: FreeTypeFont) -> list[str]:
    lines = [""]
    for piece in _PIECES.findall(title):
        for part in _parts(piece, font):
            if font.getlength(lines[-1] + part.rstrip()) <= WIDTH - 2 * _MARGIN:
                lines[-1] += part
            else:
                lines.append(part.lstrip())
            if len(lines) > _LINES:
                return lines
    return [line.rstrip() for line in lines]


def _parts(piece: str, font: FreeTypeFont) -> list[str]:
    """A word, or its characters when it is wider than a line."""
    return [piece] if font.getlength(piece) <= WIDTH - 2 * _MARGIN else list(piece)


def _drawn(words: _Words, small: FreeTypeFont, title: FreeTypeFont, lines: list[str], theme: str) -> Image.Image:
    paper, ink, muted, line, accent = (_colour(theme, name) for name in ("paper", "ink", "muted", "line", "accent"))
    picture = Image.new("RGB", (WIDTH, HEIGHT), paper)
    draw = ImageDraw.Draw(picture)
    draw.text((_MARGIN, _MARGIN), words.above, muted, small, anchor="ls")
    leading = round(title.size * _LEADING)
    top = (HEIGHT - leading * len(lines)) // 2
    for place, text in enumerate(lines):
        draw.text((_MARGIN, top + place * leading + leading // 2), text, ink, title, anchor="lm")
    draw.line((_MARGIN, HEIGHT - _MARGIN - 56, WIDTH - _MARGIN, HEIGHT - _MARGIN - 56), line, 2)
    draw.text((_MARGIN, HEIGHT - _MARGIN), words.counts, accent, small, anchor="ls")
    draw.text((WIDTH - _MARGIN, HEIGHT - _MARGIN), words.date, muted, small, anchor="rs")
    return picture


def _colour(theme: str, name: str) -> str:
    """The light colour of a theme's property."""
    found = re.search(rf"--{name}:\s*(?:light-dark\()?(#[0-9a-fA-F]{{3,8}})", asset_text(f"themes/{theme}.css"))
    return found[1] if found else "#808080"
