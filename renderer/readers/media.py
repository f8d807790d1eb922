"""Files that a conversation names: from the export's own zip, or from one folder, and from nowhere else.

A name from an export is never made into a path. It is looked up among the names of the files that are there, so
nothing leads out: no `..`, no absolute path, no symbolic link, no other case of a letter.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeAlias
from urllib.parse import unquote
from zipfile import ZipInfo

from renderer.errors import RendererError
from renderer.model import Media, MediaFile
from renderer.readers._zip import member_pieces, open_zip, plain_members

MAX_FILES = 10_000

_LOCAL = re.compile(r"\A(?:(?:file|sandbox):(?://)?)?(?:/?[A-Za-z]:(?=[/\\]))?", re.IGNORECASE)
_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:|//|\\\\")
# Never wait for a pipe, never follow a link that took a file's place. Windows has not all of these.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))

_ByName: TypeAlias = Mapping[str, Sequence[str]]


def folder_media(folder: str | os.PathLike[str]) -> Media:
    """The files below `folder`; links and hidden files are left out.

    Raises RendererError when it cannot be read, or holds more than 10,000 files.
    """
    root = Path(folder)
    try:
        names = _first_files(_files_below(root), str(root))
    except OSError as error:
        raise RendererError(str(root), f"the folder cannot be read: {error.strerror}", "check the path") from None
    return partial(_found, _by_name(names), partial(_file_at, root))


def zip_media(opened: Callable[[], BinaryIO], where: str) -> Media:
    """The files in a zip, which `opened` opens anew each time; `where` is its name. Raises RendererError."""
    with opened() as file, open_zip(file, where) as archive:
        members = plain_members(archive)
    return partial(_found, _by_name(members), partial(_member_at, opened, where, members))


def first_of(sources: Sequence[Media]) -> Media:
    """The files of several sources; the first one that has a file gives it."""
    return partial(_first_found, sources)


def last_part(path: str) -> str:
    r"""The name at the end of a path of any system: `C:\a\b.png` and `/a/b.png` are `b.png`."""
    parts = re.split(r"[/\\]", path.rstrip("/\\"))
    return re.sub(r"\A[A-Za-z]:", "", parts[-1])


# --- Names -----------------------------------------------------------------------------------------------------


def _found(names: _ByName, file_at: Callable[[str], MediaFile | None], asked: str) -> MediaFile | None:
    """The file that `asked` names, as written or percent-encoded.

    It is the one with this path, else the only one whose path ends so, else the only one with this name.
    """
    for written in (asked, unquote(asked)):
        path = _asked_path(written)
        name = _matching(names, path) if path else None
        if name is not None:
            return file_at(name)
    return None


def _asked_path(written: str) -> str | None:
    """The path in `written`, without drive and first slash; None for an address and for what leads upwards."""
    path = _LOCAL.sub("", written)
    if _ELSEWHERE.match(path):
        return None
    parts = [part for part in re.split(r"[/\\]", path) if part not in ("", ".")]
    return None if ".." in parts else "/".join(parts)


def _matching(names: _ByName, path: str) -> str | None:
    same_name = names.get(path.rpartition("/")[2], ())
    for closer in (
        [name for name in same_name if name == path],
        [name for name in same_name if name.endswith(f"/{path}")],
        same_name,
    ):
        if len(closer) == 1:
            return closer[0]
    return None


def _by_name(paths: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def _first_found(sources: Sequence[Media], asked: str) -> MediaFile | None:
    return next((file for source in sources if (file := source(asked)) is not None), None)


# --- Folder ----------------------------------------------------------------------------------------------------


def _files_below(root: Path) -> Iterator[str]:
    waiting = [""]
    while waiting:
        inside = waiting.pop()
        with os.scandir(root / inside) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{inside}{entry.name}/")
                elif entry.is_file(follow_symlinks=False):
                    yield inside + entry.name


def _first_files(names: Iterator[str], where: str) -> list[str]:
    found: list[str] = []
    for name in names:
        found.append(name)
        if len(found) > MAX_FILES:
            raise RendererError(where, f"the folder holds more than {MAX_FILES:,} files", "name a smaller one")
    return found


def _file_at(root: Path, name: str) -> MediaFile | None:
    path = root / name
    try:
        return MediaFile(last_part(name), os.lstat(path).st_size, partial(_start_of_file, path))
    except OSError:  # it went meanwhile
        return None


def _start_of_file(path: Path, size: int) -> bytes:
    try:
        with os.fdopen(os.open(path, _FLAGS), "rb") as file:
            return file.read(size) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except OSError:
        return b""


# --- Zip -------------------------------------------------------------------------------------------------------


def _member_at(opened: Callable[[], BinaryIO], where: str, members: Mapping[str, ZipInfo], name: str) -> MediaFile:
    return MediaFile(last_part(name), members[name].file_size, partial(_start_of_member, opened, where, name))


def _start_of_member(opened: Callable[[], BinaryIO], where: str, name: str, size: int) -> bytes:
    damage: list[str] = []
    data = bytearray()
    try:
        with opened() as file:
            for piece in member_pieces(file, name, where, damage):
                data += piece
                if len(data) >= size:
                    break
    except (OSError, RendererError):
        return b""
    return b"" if damage else bytes(data[:size])
