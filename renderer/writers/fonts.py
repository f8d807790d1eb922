"""A font for the preview picture: one that has every character, from a short list of what systems bring."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PIL import ImageFont
from PIL.ImageFont import FreeTypeFont

from renderer.errors import RendererError

# Serif faces first, as in the theme; with the place of the Simplified Chinese face in a collection.
_KNOWN = (
    ("/usr/share/fonts/truetype/noto/NotoSerif-Regular.ttf", 0),
    ("/System/Library/Fonts/Supplemental/Georgia.ttf", 0),
    ("C:/Windows/Fonts/georgia.ttf", 0),
    ("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf", 0),
    ("/usr/share/fonts/opentype/noto/NotoSerifCJK-Regular.ttc", 2),
    ("/usr/share/fonts/noto-cjk/NotoSerifCJK-Regular.ttc", 2),
    ("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", 2),
    ("/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc", 2),
    ("/System/Library/Fonts/PingFang.ttc", 0),
    ("/System/Library/Fonts/Hiragino Sans GB.ttc", 0),
    ("C:/Windows/Fonts/msyh.ttc", 0),
    ("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 0),
)
# A character that no font has: what is drawn for it is drawn for every one that is missing.
_MISSING = "\U0010fffd"


def font_for(text: str, chosen: str | None, size: int) -> FreeTypeFont:
    """A font of `size` pixels with every character of `text`: the file `chosen`, or None for one that is found.

    Raises RendererError where there is none.
    """
    if chosen is not None:
        font = _opened(chosen, 0, size)
        if font is None:
            raise RendererError(chosen, "this is no font that can be read", "name another file with --preview-font")
        candidates = iter((font,))
    else:
        candidates = _found(size)
    fitting = next((font for font in candidates if not _lacking(font, text)), None)
    if fitting is None:
        what = "the preview picture's words have characters that " + (
            f"{chosen} does not hold" if chosen else "no font that was found holds"
        )
        raise RendererError("", what, "name a font that does with --preview-font FILE")
    return fitting


def _found(size: int) -> Iterator[FreeTypeFont]:
    for name, index in _KNOWN:
        font = _opened(name, index, size) if Path(name).is_file() else None
        if font is not None:
            yield font


def _opened(name: str, index: int, size: int) -> FreeTypeFont | None:
    try:
        # The basic layout is part of the library, so a picture is the same on every machine that has the font.
        return ImageFont.truetype(name, size, index=index, layout_engine=ImageFont.Layout.BASIC)
    except (OSError, ValueError):
        return None


def _lacking(font: FreeTypeFont, text: str) -> set[str]:
    missing = bytes(font.getmask(_MISSING))
    return {char for char in set(text) if not char.isspace() and bytes(font.getmask(char)) == missing}
