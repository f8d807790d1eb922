"""Whole files, for who must know whether one has changed: its bytes while they are few, and its digest."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from renderer.readers._input import cannot_read

__all__ = ["cannot_read", "file_digest", "small_file"]


def file_digest(path: str | os.PathLike[str]) -> str:
    """The SHA-256 (hex) of a file's bytes as they are on the disk. Raises RendererError."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        raise cannot_read(os.fspath(path), error) from error


def small_file(path: str | os.PathLike[str], limit: int) -> bytes | None:
    """The bytes of a file of at most `limit` bytes, None for a bigger one. Raises RendererError."""
    try:
        if os.stat(path).st_size > limit:
            return None
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise cannot_read(os.fspath(path), error) from error
