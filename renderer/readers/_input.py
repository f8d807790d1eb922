"""One thing to read: a file, bytes or a stream, which can be opened any number of times.

Here the outside of a file is taken off before a reader sees it: zip, gzip (RFC 1952), byte order marks, UTF-16 and
UTF-32 (what a Windows shell's `>` writes), and the cutting into lines. Lines end at LF only, as JSON Lines says; U+2028
and the other line ends of Unicode may stand inside a JSON string.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from itertools import chain
from typing import Any, BinaryIO, TypeAlias

from renderer.errors import Problem, RendererError
from renderer.model import Media, no_media
from renderer.readers import _zip
from renderer.readers._bytes import CHUNK, WIDE_MARKS, as_utf8, gunzip, is_gzip, split_lines, split_raw_lines
from renderer.readers._records import BadJson, decode_json
from renderer.readers.media import zip_media

Readable: TypeAlias = str | os.PathLike[str] | bytes | BinaryIO

MAX_RECORD = 64 * 1024 * 1024
MAX_DOCUMENT = 256 * 1024 * 1024
KEPT_IN_MEMORY = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Document:
    """The whole content as one JSON value, and what was met on the way."""

    value: Any
    problems: tuple[Problem, ...]


class Input:
    """One thing to read. `name` is what the user calls it: the path as given, `<stdin>`, `<bytes>` or `<stream>`.

    A stream (`-` is standard input) and anything that can be read only once, such as a pipe, is kept: in memory when
    small, else in a temporary file, which goes when the Input is closed, collected, or the program ends.
    Of a zip one member is read, once it was chosen with `enter`.
    Every method that reads raises `RendererError` when there is nothing to read from.
    """

    def __init__(self, source: Readable, name: str | None = None) -> None:
        self.name = _name(source) if name is None else name
        self._source = source
        self._kept: bytes | str | None = None
        self._member: str | None = None
        self._digest: str | None = None
        self._document: Document | None = None
        self._clean_up: weakref.finalize[[str, int], Input] | None = None

    def is_zip(self) -> bool:
        """Whether this is a zip of which no member was chosen yet."""
        if self._member is not None:
            return False
        with self._readable(), self._open() as file:
            return file.read(len(_zip.SIGNATURE)) == _zip.SIGNATURE

    def members(self) -> list[str]:
        """The names of the files in a zip that may be an export, sorted."""
        with self._readable(), self._open() as file, _zip.open_zip(file, self.name) as archive:
            names = _zip.plain_members(archive)
        return sorted(name for name in names if name.lower().endswith(_zip.EXPORT_ENDINGS))

    def enter(self, member: str | None) -> None:
        """Read this member of the zip from now on; None for the zip itself."""
        self._member, self._digest, self._document = member, None, None

    def media(self) -> Media:
        """The files beside the export in its zip."""
        return no_media if self._member is None else zip_media(self._open, self.name)

    def digest(self) -> str:
        """The SHA-256 (hex) of the decompressed bytes. Read through once, then remembered."""
        if self._digest is None:
            hashed = hashlib.sha256()
            for piece in self._chunks([]):
                hashed.update(piece)
            self._digest = hashed.hexdigest()
        return self._digest

    def lines(self, limit: int = MAX_RECORD) -> Iterator[tuple[int, bytes | Problem]]:
        """Every line with its number from 1, as UTF-8 without its line end; a Problem where there is no line to give.

        A line of more than `limit` bytes is passed over without holding it. Of a gzip file that is broken, the lines
        that can be read come first and then the Problem.
        """
        damage: list[str] = []
        number = 0
        for number, line in enumerate(split_lines(as_utf8(self._chunks(damage)), limit), 1):
            yield number, self._too_long(number, limit) if line is None else line
        for what in damage:
            yield number, Problem(self.name, number, what, notice="input_damaged")

    def raw_lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line with its number from 1, to the byte: line ends and a byte order mark stay. UTF-16 comes as UTF-8.

        Raises `RendererError` after the last line that can be read of a gzip file that is broken.
        """
        damage: list[str] = []
        pieces = self._chunks(damage)
        first = next(pieces, b"")
        rest = chain((first,), pieces)
        is_utf8 = not first.startswith(WIDE_MARKS)
        yield from enumerate(split_raw_lines(rest if is_utf8 else as_utf8(rest)), 1)
        if damage:
            raise RendererError(self.name, damage[0], "make or fetch the file again")

    def document(self) -> Document:
        """The whole content as one JSON value; decoded once, then remembered.

        Raises `BadJson` when it is none, or has more than 256 MiB.
        """
        if self._document is None:
            damage: list[str] = []
            decoded = decode_json(self._content(damage))
            problems = [Problem(self.name, None, what, notice="input_damaged") for what in damage]
            if decoded.repaired:
                problems.append(Problem(self.name, None, "some bytes are no UTF-8; they are shown as �"))
            self._document = Document(decoded.value, tuple(problems))
        return self._document

    def head(self, size: int = 1024) -> bytes:
        """The first bytes, as UTF-8 when they are text."""
        found = b""
        for piece in as_utf8(self._chunks([])):
            found += piece
            if len(found) >= size:
                break
        return found[:size]

    def close(self) -> None:
        """Delete the temporary file, if there is one. What is then read of it is an error."""
        if self._clean_up is not None:
            self._clean_up()

    def __enter__(self) -> Input:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _content(self, damage: list[str]) -> bytes:
        content = bytearray()
        for piece in as_utf8(self._chunks(damage)):
            content += piece
            if len(content) > MAX_DOCUMENT:
                raise BadJson(f"it is one JSON document of more than {MAX_DOCUMENT >> 20} MiB")
        return bytes(content)

    def _too_long(self, number: int, limit: int) -> Problem:
        return Problem(self.name, number, f"the line was left out: it is longer than {_size(limit)}", left_out=1)

    def _chunks(self, damage: list[str]) -> Iterator[bytes]:
        """The decompressed bytes, piece by piece. What is wrong with a packed file is put into `damage` at its end."""
        some = False
        with self._readable(), self._open() as file:
            for piece in _plain(self._pieces(file, damage), damage):
                some = True
                yield piece
        if damage and not some:
            kind = "gzip" if self._member is None else "zip"
            raise RendererError(self.name, f"the {kind} file is broken from its start", "make or fetch the file again")

    def _pieces(self, file: BinaryIO, damage: list[str]) -> Iterator[bytes]:
        if self._member is None:
            return iter(partial(file.read, CHUNK), b"")
        return _zip.member_pieces(file, self._member, self.name, damage)

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            raise cannot_read(self.name, error) from error

    def _open(self) -> BinaryIO:
        if self._kept is None:
            self._kept = self._keep()
        return BytesIO(self._kept) if isinstance(self._kept, bytes) else open(self._kept, "rb")

    def _keep(self) -> bytes | str:
        """Bytes, or the path of a file that can be opened again and again."""
        if isinstance(self._source, bytes):
            return self._source
        if not isinstance(self._source, str | os.PathLike):
            return self._spool(self._source)
        if self._source == "-":
            return self._spool(_standard_input())
        path = os.fspath(self._source)
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(path)
        if stat.S_ISREG(mode):
            return path
        with open(path, "rb") as pipe:
            return self._spool(pipe)

    def _spool(self, stream: BinaryIO) -> bytes | str:
        pieces = _read_on(stream)
        first = bytearray()
        for piece in pieces:
            first += piece
            if len(first) > KEPT_IN_MEMORY:
                break
        else:
            return bytes(first)
        handle, path = tempfile.mkstemp(prefix="citepage-")
        self._clean_up = weakref.finalize(self, _delete, path, os.getpid())
        with os.fdopen(handle, "wb") as file:
            file.write(first)
            file.writelines(pieces)
        return path


def cannot_read(name: str, error: Exception) -> RendererError:
    """The error that says in one line why the file `name` cannot be read."""
    match error:
        case FileNotFoundError():
            return RendererError(name, "no such file", "check the path")
        case IsADirectoryError():
            return RendererError(name, "it is a folder", "name a file in it")
        case PermissionError():
            return RendererError(name, "no permission to read it", "check its access rights")
        case OSError(strerror=str(why)):
            return RendererError(name, f"it cannot be read: {why}", "check the file and the disk")
        case _:
            return RendererError(name, f"it cannot be read: {error}", "check the name and the file")


def _name(source: Readable) -> str:
    if isinstance(source, bytes):
        return "<bytes>"
    if isinstance(source, str | os.PathLike):
        return "<stdin>" if source == "-" else os.fspath(source)
    name = getattr(source, "name", None)
    return name if isinstance(name, str) else "<stream>"


def _standard_input() -> BinaryIO:
    stream: BinaryIO | None = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise ValueError("there is no standard input")
    return stream


def _size(count: int) -> str:
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count} bytes"


def _plain(pieces: Iterator[bytes], damage: list[str]) -> Iterator[bytes]:
    first = next(pieces, b"")
    if is_gzip(first):
        yield from gunzip(first, pieces, damage)
    elif first:
        yield first
        yield from pieces


def _read_on(stream: BinaryIO) -> Iterator[bytes]:
    while piece := stream.read(CHUNK):
        if not isinstance(piece, bytes):
            raise ValueError("it is open as text, not as bytes")
        yield piece


def _delete(path: str, owner: int) -> None:
    """Delete a temporary file, but not from a forked child: the file is its parent's."""
    if os.getpid() == owner:
        with suppress(OSError):  # it is gone already, or still open on Windows: nothing to add
            os.unlink(path)
