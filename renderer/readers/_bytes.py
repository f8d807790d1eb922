"""From the bytes of a file to lines of UTF-8: pure functions over pieces of bytes, none of which holds a whole file."""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain

CHUNK = 256 * 1024

GZIP = b"\x1f\x8b"
GZIP_WRAPPED = 31  # zlib's window bits for "gzip, largest window"

# UTF-32 first: its little-endian mark begins with that of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

WIDE_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_gzip(first: bytes) -> bool:
    """Whether the bytes are the first ones of a gzip file."""
    return first.startswith(GZIP)


def gunzip(first: bytes, pieces: Iterable[bytes], damage: list[str]) -> Iterator[bytes]:
    """The decompressed bytes of all members of a gzip file, as far as they can be read.

    A cut or broken file ends early: one sentence is then put into `damage`. Zeros after a member are padding.
    """
    unzip, begun = zlib.decompressobj(GZIP_WRAPPED), False
    for piece in chain((first,), pieces):
        piece = piece if begun else piece.lstrip(b"\0")
        while piece:
            before, begun = unzip.copy(), True
            try:
                data = unzip.decompress(piece, CHUNK)
            except zlib.error:
                yield from _some(_up_to_the_fault(before, piece))
                damage.append("the gzip file is broken here; what follows cannot be read")
                return
            yield from _some(data)
            piece = unzip.unconsumed_tail
            if unzip.eof:  # another member may follow
                piece = unzip.unused_data.lstrip(b"\0")
                unzip, begun = zlib.decompressobj(GZIP_WRAPPED), False
    if begun:
        yield from _some(unzip.flush())
    if begun and not unzip.eof:
        damage.append("the gzip file is cut off here; what follows is missing")


def _some(data: bytes) -> tuple[bytes, ...]:
    return (data,) if data else ()


def _up_to_the_fault(unzip: zlib._Decompress, piece: bytes) -> bytes:
    """zlib gives nothing of a call that fails, so the good bytes before the fault are asked for one at a time."""
    data = bytearray()
    try:
        for at in range(len(piece)):
            data += unzip.decompress(piece[at : at + 1])
    except zlib.error:
        pass
    return bytes(data)


def as_utf8(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same text in UTF-8 without a byte order mark. Without a mark, and for UTF-8, bytes stay as they are."""
    pieces = iter(pieces)
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= 4:
            break
    mark, encoding = next(((mark, name) for mark, name in BYTE_ORDER_MARKS if head.startswith(mark)), (b"", "utf-8"))
    if encoding != "utf-8":
        yield from _transcoded(chain((head,), pieces), encoding)
        return
    yield head[len(mark) :]
    yield from pieces


def _transcoded(pieces: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for piece in pieces:
        yield decoder.decode(piece).encode("utf-8")
    yield decoder.decode(b"", True).encode("utf-8")


def split_lines(pieces: Iterable[bytes], limit: int) -> Iterator[bytes | None]:
    r"""The lines without their end (`\n` or `\r\n`); None for a line of more than `limit` bytes, which is not held."""
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        first, *others = piece.split(b"\n")
        size += len(first)
        held.append(first)
        if size > limit:
            held.clear()
        for part in others:
            yield _line(held, size, limit)
            held, size = [part], len(part)
    if size:
        yield _line(held, size, limit)


def split_raw_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    r"""The lines to the byte, with their ends (`\n`, `\r\n`, or none at the very end)."""
    held: list[bytes] = []
    for piece in pieces:
        first, *others = piece.split(b"\n")
        held.append(first)
        for part in others:
            yield b"".join((*held, b"\n"))
            held = [part]
    rest = b"".join(held)
    if rest:
        yield rest


def _line(held: list[bytes], size: int, limit: int) -> bytes | None:
    return None if size > limit else b"".join(held).removesuffix(b"\r")
