"""The only code that writes to disk: a file is written whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from renderer.errors import RendererError

# A page that we made says so in its first bytes.
_OUR_MARK = re.compile(rb'<meta name="generator" content="citepage[ "]')
# The files beside a page say so too, by the endings of their names.
_MARKS_BESIDE = {
    ".md": re.compile(rb"\A---\ngenerator: citepage "),
    ".json": re.compile(rb'\A\{"version":1,"generator":"citepage '),
    ".png": re.compile(rb"\A\x89PNG\r\n\x1a\n.{25}.{4}tEXtSoftware\0citepage ", re.DOTALL),
}
MARK_WITHIN = 4096

_MEMORY_FIRST = 1024 * 1024
_CHUNK = 64 * 1024

_NO_SPACE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_ELSEWHERE = "choose another place with -o"
_WORDS = {
    errno.ENOENT: ("there is no such folder", "make the folder first, or choose another place with -o"),
    errno.ENOTDIR: ("a part of this path is not a folder", _ELSEWHERE),
    errno.EISDIR: ("this is a folder", "name a file with -o"),
    errno.EACCES: ("no permission to write here", _ELSEWHERE),
    errno.EPERM: ("no permission to write here", _ELSEWHERE),
    errno.EROFS: ("this file system is read-only", _ELSEWHERE),
    errno.ENAMETOOLONG: ("the name is too long", "choose a shorter one with -o"),
    **dict.fromkeys(_NO_SPACE, ("no space left on the device", "free some space, or choose another place with -o")),
}


def target_of(argument: str) -> Path | None:
    """What `-o ARGUMENT` names: a file, or (None) standard output for "-"."""
    if not argument:
        raise RendererError("", "the name of the output is empty", "name a file with -o")
    return None if argument == "-" else Path(argument)


@contextmanager
def replacing(target: Path | None) -> Iterator[TextIO]:
    """A UTF-8 text file that takes the place of `target` when the block ends well, and leaves no trace otherwise.

    None is standard output. Line ends are written as they are. A lone surrogate, which UTF-8 cannot hold, is
    written as "?". What cannot be written raises RendererError; BrokenPipeError passes, for `cli` to keep quiet about.
    """
    with replacing_bytes(target) as binary, _as_text(binary) as text:
        yield text


@contextmanager
def replacing_bytes(target: Path | None) -> Iterator[BinaryIO]:
    """The same as `replacing`, for bytes."""
    where = "standard output" if target is None else str(target)
    with _in_one_line(where, only=_NO_SPACE):
        if target is None:
            writing = _written_to_stdout(where)
        elif _is_special(target):
            writing = _written_directly(target)
        else:
            writing = _written_beside(target)
        with writing as file:
            yield file


@contextmanager
def spool() -> Iterator[TextIO]:
    """A temporary text file, in memory while it is small: it holds a page's body until its head is known."""
    with _Spool(max_size=_MEMORY_FIRST) as binary, _as_text(cast(BinaryIO, binary)) as text:
        yield text


def copy_spool(spooled: TextIO, target: TextIO) -> None:
    """Write all that a spool holds to `target`, a piece at a time."""
    spooled.seek(0)
    shutil.copyfileobj(spooled, target, _CHUNK)


def is_ours(path: Path) -> bool:
    """Whether the file is one that citepage made. A symbolic link is not: it may lead anywhere."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        with path.open("rb") as file:
            mark = _MARKS_BESIDE.get(path.suffix.lower(), _OUR_MARK)
            return mark.search(file.read(MARK_WITHIN)) is not None
    except OSError:
        return False


def is_ours_head(head: bytes) -> bool:
    """Whether a file that begins so (its first `MARK_WITHIN` bytes) is a page that citepage made."""
    return _OUR_MARK.search(head) is not None


def refuse_foreign(path: Path) -> None:
    """Raise when something is at `path` that citepage did not make: only a file that the user named is replaced."""
    if os.path.lexists(path) and not is_ours(path):
        what = "a file of this name is there, and citepage did not make it"
        raise RendererError(str(path), what, "move it away, or choose a name with -o")


def replace_if_changed(path: Path, text: str) -> None:
    """Give a file of a site this text, whole or not at all; a file that has it already is left as it is."""
    if kept_text(path) != text:
        with _in_one_line(str(path.parent)):
            path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(text)


def kept_head(path: Path) -> bytes:
    """The first `MARK_WITHIN` bytes of a file of a site as an earlier run left it, b"" where there is none."""
    try:
        with path.open("rb") as file:
            return file.read(MARK_WITHIN)
    except OSError:
        return b""


def kept_text(path: Path) -> str | None:
    """The text of a file of a site as an earlier run left it, None where there is none."""
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def names_in(folder: Path) -> list[str]:
    """The names of the files in one folder of a site, sorted."""
    try:
        return sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError:
        return []


def remove(path: Path) -> None:
    """Remove a file of a site; what cannot be removed stays."""
    with contextlib.suppress(OSError):
        path.unlink()


@contextmanager
def _in_one_line(where: str, only: frozenset[int] | None = None, remedy: str = "") -> Iterator[None]:
    """Turn errors of the system into RendererError: all of them, or those in `only` around a block that also reads."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        number = error.errno or 0
        if only is not None and number not in only:
            raise
        what, usual_remedy = _WORDS.get(number, (f"cannot be written ({error.strerror or error})", _ELSEWHERE))
        raise RendererError(where, what, remedy or usual_remedy) from error


def _is_special(target: Path) -> bool:
    """Whether `target` is a device or a pipe, which can be written to but not replaced."""
    with _in_one_line(str(target)):
        try:
            mode = target.stat().st_mode
        except FileNotFoundError:
            return False
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return not stat.S_ISREG(mode)


@contextmanager
def _written_beside(target: Path) -> Iterator[BinaryIO]:
    """A new file in the folder of `target` that takes its place, and its permissions, at the end."""
    where = str(target)
    real = target.resolve()
    temporary = real.with_name(f".citepage-{secrets.token_hex(16)}")
    try:
        with _in_one_line(where):
            file = _created(temporary)
        with _closed_after(file):
            with contextlib.suppress(FileNotFoundError):
                shutil.copymode(real, temporary)
            yield file
            with _in_one_line(where):
                file.flush()
                os.fsync(file.fileno())
        with _in_one_line(where):
            temporary.replace(real)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _created(path: Path) -> BinaryIO:
    """A file that was not there before, with the permissions that the user's umask gives."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o666), "wb")


@contextmanager
def _written_directly(target: Path) -> Iterator[BinaryIO]:
    with _in_one_line(str(target)):
        file = target.open("wb")
    with _closed_after(file):
        yield file
        with _in_one_line(str(target)):
            file.flush()


@contextmanager
def _written_to_stdout(where: str) -> Iterator[BinaryIO]:
    """Standard output through a buffer of our own: nothing stays in Python's buffer to fail again when it exits."""
    sys.stdout.flush()
    descriptor = _descriptor_of(sys.stdout)
    if descriptor is None:
        yield sys.stdout.buffer
        return
    file = os.fdopen(descriptor, "wb", closefd=False)
    with _closed_after(file):
        yield file
        with _in_one_line(where):
            file.flush()


def _descriptor_of(stream: TextIO) -> int | None:
    """The stream's file descriptor; None for a stand-in in memory, such as a test's."""
    try:
        return stream.fileno()
    except OSError:
        return None


@contextmanager
def _closed_after(file: BinaryIO) -> Iterator[None]:
    """Close the file without a word: what matters was flushed, and after an error closing would fail once more."""
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            file.close()


class _Spool(tempfile.SpooledTemporaryFile[bytes]):
    """A spool whose errors name its folder: around the same block another file may run out of space."""

    def write(self, data: Any) -> int:
        with _in_one_line(tempfile.gettempdir(), remedy="free some space, or name another folder in TMPDIR"):
            return super().write(data)


@contextmanager
def _as_text(binary: BinaryIO) -> Iterator[TextIO]:
    text = io.TextIOWrapper(binary, encoding="utf-8", errors="replace", newline="")
    try:
        yield text
        text.flush()
    finally:
        # After an error this writes what is left once more, and fails once more.
        with contextlib.suppress(OSError, RendererError):
            text.detach()
