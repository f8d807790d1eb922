"""The files that a conversation names, where they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A file that is at hand: its `name` without folders, its `size` in bytes.

    `read` gives its first bytes, as many as asked for at most; none when it cannot be read.
    """

    name: str
    size: int
    read: Callable[[int], bytes]


# What an export names → the file, None when it is not at hand.
Media: TypeAlias = Callable[[str], MediaFile | None]


def no_media(_asked: str) -> MediaFile | None:
    """No file is at hand."""
    return None
