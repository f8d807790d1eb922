"""The texts that search needs, on their way from the worker that wrote a conversation to the state of the site.

A file of frames: the length of a frame in four bytes (big-endian), then a JSON list of [href, kind, text], packed with
zlib. A frame holds about a page, so that nobody ever holds a whole conversation.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import BinaryIO

_FRAME = 256 * 1024


class DocumentsFile:
    """Writes texts to a file, frame by frame; `finish` writes the last one."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._waiting: list[tuple[str, str, str]] = []
        self._size = 0

    def __call__(self, href: str, kind: str, text: str) -> None:
        """Take one text."""
        self._waiting.append((href, kind, text))
        self._size += len(text)
        if self._size > _FRAME:
            self.finish()

    def finish(self) -> None:
        """Write what waits."""
        if self._waiting:
            data = json.dumps(self._waiting, ensure_ascii=False, separators=(",", ":"))
            frame = zlib.compress(data.encode("utf-8", "replace"), 3)
            self._file.write(len(frame).to_bytes(4, "big") + frame)
        self._waiting, self._size = [], 0


def frames_in(file: BinaryIO) -> Iterator[bytes]:
    """The frames of a file, packed as they are."""
    while length := file.read(4):
        yield file.read(int.from_bytes(length, "big"))


def texts_in(frame: bytes) -> Iterator[tuple[str, str, str]]:
    """The texts of a frame: where each leads, its kind, and its words."""
    return map(tuple, json.loads(zlib.decompress(frame)))
