"""Small pictures and zips, made by code."""

from __future__ import annotations

import base64
import io
import random
import struct
import zipfile
import zlib
from collections.abc import Mapping


def png(width: int = 3, height: int = 2, *, noise: int | None = None) -> bytes:
    """A PNG in one colour; with `noise`, a seed, in colours that do not pack (about 3 bytes a pixel)."""
    colours = random.Random(noise)
    line = width * 3
    lines = [b"\0" + (b"\x80" * line if noise is None else colours.randbytes(line)) for _ in range(height)]
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(b"".join(lines))) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def data_address(data: bytes, media_type: str = "image/png") -> str:
    """The bytes as a `data:` address that says it is of this type."""
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def zip_of(members: Mapping[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip with these members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, packing)
    return file.getvalue()
