"""What an archive is made of: the files that were named, and those in the folders that were named."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from renderer.errors import RendererError
from renderer.readers.files import cannot_read


@dataclass(frozen=True, slots=True)
class ArchiveInput:
    """A file to read. `name` is what the user calls it, and opens it; `path` is what it is known by from run to run.

    `size` is in bytes. `named` is true for a file that was named itself: then it must be an export.
    """

    path: str
    name: str
    size: int
    mtime_ns: int
    named: bool


@dataclass(frozen=True, slots=True)
class FoundInputs:
    """The files to read, sorted by path, and an error for each name or folder that cannot be looked into."""

    inputs: tuple[ArchiveInput, ...]
    errors: tuple[RendererError, ...]


def find_inputs(names: Sequence[str], site: Path) -> FoundInputs:
    """All files that `names` stand for, each once.

    Folders are searched through to the bottom. What is hidden in them, symbolic links and the folder `site` are passed
    over.
    """
    errors: list[RendererError] = []
    found: dict[str, ArchiveInput] = {}
    for name in names:
        for item in _inputs_at(name, os.path.abspath(site), errors):
            known = found.get(item.path)
            found[item.path] = item if known is None or item.named else known
    return FoundInputs(tuple(found[path] for path in sorted(found)), tuple(errors))


def _inputs_at(name: str, site: str, errors: list[RendererError]) -> Iterator[ArchiveInput]:
    try:
        status = os.stat(name)
    except (OSError, ValueError) as error:
        errors.append(cannot_read(name, error))
        return
    if stat.S_ISDIR(status.st_mode):
        yield from _inputs_below(name, site, errors)
    elif stat.S_ISREG(status.st_mode):
        yield _input(name, status, named=True)
    else:
        errors.append(RendererError(name, "it is neither a file nor a folder", "name a file or a folder"))


def _inputs_below(top: str, site: str, errors: list[RendererError]) -> Iterator[ArchiveInput]:
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        if os.path.abspath(folder) == site:
            continue
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            errors.append(cannot_read(folder, error))
            continue
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            elif entry.is_file(follow_symlinks=False):
                yield _input(entry.path, entry.stat(), named=False)


def _input(name: str, status: os.stat_result, *, named: bool) -> ArchiveInput:
    # A name that is no UTF-8 can be opened, but not be written down.
    path = os.path.abspath(name).encode("utf-8", "backslashreplace").decode()
    return ArchiveInput(path, name, status.st_size, status.st_mtime_ns, named)
