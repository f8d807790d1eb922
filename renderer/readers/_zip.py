"""A zip as an input: its members are read one at a time, by name, and never extracted.

Limits are those of a hostile file: how many members, how much they unpack to, and how much better than any text or
picture packs. Only what the zip's own directory lists is read, and a member never gives more than it says there.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from io import SEEK_END
from pathlib import PurePosixPath
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from renderer.errors import RendererError
from renderer.readers._bytes import CHUNK

SIGNATURE = b"PK\x03\x04"

MAX_MEMBERS = 10_000
MAX_TOTAL = 2 << 30
MAX_RATIO = 100
# Bytes unpacked: small members may pack as well as they like.
RATIO_COUNTS_FROM = 16 << 20

# Endings of files that may be an export; what they are is told from their content.
EXPORT_ENDINGS = (".json", ".jsonl", ".ndjson", ".html", ".htm")

# All that the zip module raises for a file that is none, or a broken one.
_BROKEN = (BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError)

# The end of a zip (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.15 and 4.3.16).
_END, _END_SIZE, _MAX_COMMENT = b"PK\x05\x06", 22, 0xFFFF
_END_64, _END_64_SIZE = b"PK\x06\x07", 20
_MAX_DIRECTORY = 8 << 20
_REMEDY = "unpack it, and give the export that is in it"
_AGAIN = "make or fetch the file again"


def open_zip(file: BinaryIO, where: str) -> ZipFile:
    """The zip in `file`, within the limits. Raises RendererError, with the name `where`, when it is beyond them."""
    _check_directory(file, where)
    try:
        archive = ZipFile(file)
    except _BROKEN:
        raise RendererError(where, "the zip file is broken or cut off", _AGAIN) from None
    _check_members(archive.infolist(), where)
    return archive


def member_pieces(file: BinaryIO, name: str, where: str, damage: list[str]) -> Iterator[bytes]:
    """The bytes of a member, piece by piece. Of a broken one the good pieces; then a sentence is put into `damage`."""
    with open_zip(file, where) as archive:
        try:
            with archive.open(name) as member:
                yield from iter(partial(member.read, CHUNK), b"")
        except _BROKEN:
            damage.append("the zip file is broken here; what follows cannot be read")


def plain_members(archive: ZipFile) -> dict[str, ZipInfo]:
    """The files of a zip by their names. Left out is what leads elsewhere, is hidden, or is a system's own."""
    return {info.filename: info for info in archive.infolist() if _is_plain(info)}


def _is_plain(info: ZipInfo) -> bool:
    name = info.filename
    parts = PurePosixPath(name).parts
    if info.is_dir() or name.startswith("/") or "\\" in name or ":" in name or not parts:
        return False
    return parts[0] != "__MACOSX" and not any(part.startswith(".") for part in parts)


def _check_directory(file: BinaryIO, where: str) -> None:
    """The zip module reads a directory whole, however many members it lists, so its size is looked at first."""
    size = file.seek(0, SEEK_END)
    file.seek(max(0, size - _END_SIZE - _MAX_COMMENT - _END_64_SIZE))
    tail = file.read()
    last = len(tail) - _END_SIZE
    place = last if tail[last:].startswith(_END) and tail.endswith(b"\0\0") else tail.rfind(_END)
    end = tail[place : place + _END_SIZE] if place >= 0 else b""
    if len(end) == _END_SIZE:
        is_64 = tail[max(0, place - _END_64_SIZE) : place].startswith(_END_64)
        if is_64 or int.from_bytes(end[12:16], "little") > _MAX_DIRECTORY:
            raise RendererError(where, f"the zip file is too big: more than {MAX_MEMBERS:,} files, or 4 GiB", _REMEDY)
    file.seek(0)


def _check_members(members: Sequence[ZipInfo], where: str) -> None:
    what = ""
    if len(members) > MAX_MEMBERS:
        what = f"the zip file holds more than {MAX_MEMBERS:,} files"
    elif sum(info.file_size for info in members) > MAX_TOTAL:
        what = f"the zip file unpacks to more than {MAX_TOTAL >> 30} GiB"
    elif any(_is_bomb(info) for info in members):
        what = f"the zip file holds a file that unpacks to more than {MAX_RATIO} times its size"
    elif any(info.flag_bits & 1 for info in members):
        what = "the zip file is encrypted"
    elif any(info.compress_type not in (ZIP_STORED, ZIP_DEFLATED) for info in members):
        what = "the zip file is packed in a way that citepage does not read"
    if what:
        raise RendererError(where, what, _REMEDY)


def _is_bomb(info: ZipInfo) -> bool:
    return info.file_size > RATIO_COUNTS_FROM and info.file_size > MAX_RATIO * info.compress_size
