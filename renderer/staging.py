"""Files of a folder that wait under a hidden name until they take their place, so that a reader sees old or new.

A program that is killed leaves such names behind: `clear_waiting` takes them away.
"""

from __future__ import annotations

import contextlib
import filecmp
import io
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO

from renderer.errors import RendererError
from renderer.output import is_ours

# The hidden names of this module and of `output`.
_HIDDEN = re.compile(r"\.citepage-[0-9a-f]{32}")


def waiting_name(folder: Path) -> Path:
    """A hidden name in `folder` that nothing has."""
    return folder / f".citepage-{secrets.token_hex(16)}"


@contextmanager
def waiting_file(path: Path) -> Iterator[BinaryIO]:
    """A new file at the hidden name `path`: whole on the disk when the block ends well, gone otherwise."""
    try:
        with path.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        discard(path)
        raise RendererError(str(path.parent), f"cannot be written: {error.strerror or error}", "see -o") from error
    except BaseException:
        discard(path)
        raise


@contextmanager
def waiting_text(path: Path) -> Iterator[TextIO]:
    """The same as `waiting_file`, for text in UTF-8; a lone surrogate is written as "?"."""
    with waiting_file(path) as binary:
        text = io.TextIOWrapper(binary, encoding="utf-8", errors="replace", newline="")
        try:
            yield text
            text.flush()
        finally:
            text.detach()


@contextmanager
def waiting_bytes(path: Path) -> Iterator[BinaryIO]:
    """A waiting file, open to be read."""
    with path.open("rb") as file:
        yield file


def take_place(waiting: Path, target: Path) -> bool:
    """Put a waiting file in the place of `target`. Returns false when `target` has the same bytes: it is left alone.

    Raises RendererError when something is there that citepage did not make.
    """
    if os.path.lexists(target) and not is_ours(target):
        what = "a file of this name is there, and citepage did not make it"
        raise RendererError(str(target), what, "move it away, or choose another folder with -o")
    try:
        if target.exists() and filecmp.cmp(waiting, target, shallow=False):
            waiting.unlink()
            return False
        waiting.replace(target)
    except OSError as error:
        raise RendererError(str(target), f"cannot be written: {error.strerror or error}", "see -o") from error
    return True


def discard(path: Path) -> None:
    """Take a waiting file away, if it is there."""
    with contextlib.suppress(OSError):
        path.unlink()


def remove_ours(folder: Path, name: str) -> bool:
    """Remove the page `name` of `folder`. Returns false when it is not there, or citepage did not make it."""
    path = folder / name
    if Path(name).name != name or not is_ours(path):
        return False
    discard(path)
    return True


def clear_waiting(folder: Path) -> None:
    """Take away what a run that was killed has left under hidden names; a folder that is not there has nothing."""
    if not folder.is_dir():
        return
    for entry in os.scandir(folder):
        if _HIDDEN.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
            discard(folder / entry.name)


def make_folder(folder: Path) -> None:
    """Make the folder of a site, and those above it. Raises RendererError when that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise RendererError(str(folder), "this is a file", "name a folder with -o") from None
    except OSError as error:
        what = f"the folder cannot be made: {error.strerror or error}"
        raise RendererError(str(folder), what, "choose another place with -o") from error


def sizes_in(folder: Path) -> dict[str, int]:
    """The names of the files in a folder, and their sizes in bytes."""
    with os.scandir(folder) as entries:
        return {entry.name: entry.stat().st_size for entry in entries if entry.is_file(follow_symlinks=False)}


def size_of(path: Path) -> int:
    """The size of a file in bytes, -1 when it is not there."""
    try:
        return path.stat().st_size
    except OSError:
        return -1
