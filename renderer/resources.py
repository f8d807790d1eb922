"""Finds the templates and assets that ship with the program.

An installed wheel carries them beside this file; in a checkout (and an editable install) they are one folder up.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePosixPath

from renderer.errors import RendererError

_REMEDY = "install citepage again"


def template_folder() -> Path:
    """The folder that holds the templates."""
    return _folder("templates")


@cache
def asset_text(name: str) -> str:
    """The text of one asset; `name` is its path inside `assets/`, such as "css/page.css"."""
    path = _inside(_folder("assets"), name)
    try:
        # Not `read_text`, which translates line ends: pages must be the same bytes on every system.
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise RendererError(f"assets/{name}", "this part of the program cannot be read", _REMEDY) from None


def asset_names(folder: str) -> tuple[str, ...]:
    """The names of the files in one folder of `assets/`, without the folder, sorted."""
    path = _inside(_folder("assets"), folder)
    try:
        return tuple(sorted(entry.name for entry in path.iterdir() if entry.is_file()))
    except OSError:
        raise RendererError(f"assets/{folder}", "this part of the program cannot be read", _REMEDY) from None


def _folder(name: str) -> Path:
    here = Path(__file__).parent
    for place in (here, here.parent):
        if (place / name).is_dir():
            return place / name
    raise RendererError(f"{name}/", "this part of the program is missing", _REMEDY)


def _inside(folder: Path, name: str) -> Path:
    """`name` below `folder`. Theme and language names come from the command line and must not lead elsewhere."""
    parts = PurePosixPath(name).parts
    if not parts or any(part == ".." or set(part) & set("/\\:\0") for part in parts):
        raise RendererError(f"assets/{name}", "this is no name of an asset", "choose another name")
    return folder.joinpath(*parts)
