"""An index page before it is rendered: most runs change few of them, and rendering is what they cost."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from renderer.pages.archive_frame import Html


@dataclass(frozen=True, slots=True)
class IndexPage:
    """`name` is its file, `label` what it is of ("" for the first of its kind), `made_of` a digest of what it shows.

    `count` is how many conversations it lists, 0 where that is not said.
    """

    name: str
    label: str
    made_of: str
    main: Callable[[], Html]
    count: int = 0


def digest(value: object) -> str:
    """A short digest of plain data: equal for equal data."""
    return hashlib.sha256(repr(value).encode("utf-8", "backslashreplace")).hexdigest()[:20]
