"""How wide and high a raster picture is, by its header: the page keeps its place before it is decoded."""

from __future__ import annotations

import re
import struct

# https://www.w3.org/TR/png-3/#11IHDR
_PNG = re.compile(rb"\x89PNG\r\n\x1a\n.{4}IHDR(.{4})(.{4})", re.DOTALL)
# JPEG (ITU-T T.81, B.2.2): segments with a length each, up to the one that begins a frame.
_SEGMENT = re.compile(rb"\xff+([\xc0-\xfe])(..)", re.DOTALL)
_NO_FRAME = (0xC4, 0xC8, 0xCC)
# Exif 2.32, 4.6.4: entry 0x0112, one short number; from 5 on the picture is shown turned by a quarter.
_TURNED = re.compile(
    rb"Exif\x00\x00(?:II.{6,200}?\x12\x01\x03\x00\x01\x00{3}[\x05-\x08]|MM.{6,200}?\x01\x12\x00\x03\x00{3}\x01\x00[\x05-\x08])",
    re.DOTALL,
)


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels of a PNG, GIF, JPEG or WebP; None where the header does not tell, and for AVIF."""
    if png := _PNG.match(data):
        return _number(png[1]), _number(png[2])
    if data[:3] == b"GIF" and len(data) >= 10:
        return struct.unpack("<HH", data[6:10])
    if data[:2] == b"\xff\xd8":
        return _jpeg_size(data)
    return _webp_size(data) if data[:4] == b"RIFF" and len(data) >= 30 else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    place, is_turned = 2, False
    while segment := _SEGMENT.match(data, place):
        kind, start, length = segment[1][0], segment.end(), _number(segment[2])
        if 0xC0 <= kind <= 0xCF and kind not in _NO_FRAME:
            height, width = _number(data[start + 1 : start + 3]), _number(data[start + 3 : start + 5])
            return (height, width) if is_turned else (width, height)
        is_turned = is_turned or bool(kind == 0xE1 and _TURNED.match(data, start))
        place = start + max(length, 2) - 2
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """https://developers.google.com/speed/webp/docs/riff_container: extended, lossless, lossy."""
    match data[12:16]:
        case b"VP8X":
            return _number(data[24:27], "little") + 1, _number(data[27:30], "little") + 1
        case b"VP8L":
            bits = _number(data[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            return _number(data[26:28], "little") & 0x3FFF, _number(data[28:30], "little") & 0x3FFF
    return None


def _number(data: bytes, order: str = "big") -> int:
    return int.from_bytes(data, "little" if order == "little" else "big")
