"""Pictures: carried by the page as `data:` addresses within a budget, or named in their place. None is ever loaded."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from renderer.citations.urls import parse_address
from renderer.model import Conversation, Media, MediaFile
from renderer.options import Options
from renderer.pages.picture_size import picture_size
from renderer.pages.views import PictureView
from renderer.readers.media import first_of, folder_media, last_part

if TYPE_CHECKING:
    from renderer.pages.context import PageContext

# How raster pictures begin, and their media types. SVG is not among them: it is a document that can do things.
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)
_AVIF_BRANDS = (b"avif", b"avis")
# Bytes of a file's beginning that tell its kind; a list of AVIF's brands is hardly longer.
_TELLING = 64
# A picture of few bytes can be made to fill the memory of a browser: pixels of a side, and of all.
_MOST_SIDE, _MOST_PIXELS = 20_000, 100_000_000


@dataclass(slots=True)
class Pictures:
    """The files at hand, and the bytes that one picture may have, and all that are still to come; these shrink."""

    media: Media
    each: int
    all: int


def pictures_of(conversation: Conversation, options: Options) -> Pictures:
    """What the pictures of a page share. Raises RendererError when the folder of media cannot be read."""
    folder = [folder_media(options.media)] if options.media is not None else []
    return Pictures(first_of([conversation.media, *folder]), options.picture_bytes, options.pictures_bytes)


def picture_view(url: str, alt: str, page: PageContext) -> PictureView:
    """The view of the picture at `url`, which is a web address, a `data:` address, or the name of a file."""
    say, alt = page.catalog.say, alt.strip()
    if address := parse_address(url):
        return PictureView("", alt, say("picture_not_loaded", host=address.host), address)
    if url[:5].lower() == "data:":
        file = _in_address(url)
        return _embedded(file, alt, alt, page) if file else PictureView("", alt, say("picture_unreadable"))
    file, name = page.pictures.media(url), alt or last_part(url)
    return _embedded(file, alt, name, page) if file else PictureView("", name, say("picture_not_here"))


def _embedded(file: MediaFile, alt: str, name: str, page: PageContext) -> PictureView:
    """A file as a picture in the page; one that is too big is not even read. `name` stands in its place then."""
    pictures, say = page.pictures, page.catalog.say
    if file.size > min(pictures.each, pictures.all):
        return PictureView("", name, say("picture_too_big", size=size_text(file.size)))
    data = file.read(file.size)
    media_type = raster_type(data)
    if not media_type:
        return PictureView("", name, say("picture_unreadable"))
    width, height = picture_size(data) or (0, 0)
    if max(width, height) > _MOST_SIDE or width * height > _MOST_PIXELS:
        return PictureView("", name, say("picture_too_big", size=f"{width} × {height} px"))
    pictures.all -= len(data)
    src = f"data:{media_type};base64,{base64.b64encode(data).decode()}"
    return PictureView(src, alt, width=width if height else 0, height=height)


def raster_type(data: bytes) -> str:
    """The media type of a raster picture by its first bytes, "" for everything else."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    # https://aomediacodec.github.io/av1-avif/#brands-overview: a box "ftyp" with its brands, four bytes each.
    if data[4:8] == b"ftyp":
        end = min(int.from_bytes(data[:4], "big"), _TELLING)
        brands = [data[place : place + 4] for place in (8, *range(16, end, 4))]
        return "image/avif" if any(brand in _AVIF_BRANDS for brand in brands) else ""
    return next((media_type for beginning, media_type in _BEGINNINGS if data.startswith(beginning)), "")


def size_text(size: int) -> str:
    """A size in bytes as people read it: "12 kB", "1.9 MB"."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1e3:.0f} kB" if size < 999_500 else f"{size / 1e6:.1f} MB"


def _in_address(url: str) -> MediaFile | None:
    """The bytes in a `data:` address (RFC 2397) in base64; None for any other one. Not decoded before it is read."""
    head, comma, coded = url.partition(",")
    if not comma or not head.lower().rstrip().endswith(";base64"):
        return None
    coded = "".join((unquote(coded) if "%" in coded else coded).split()).rstrip("=")
    return MediaFile("", len(coded) * 3 // 4, lambda _size: _decoded(coded))


def _decoded(coded: str) -> bytes:
    try:
        return base64.b64decode(coded + "=" * (-len(coded) % 4), validate=True)
    except ValueError:
        return b""
