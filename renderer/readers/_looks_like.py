"""What a file seems to be, in words: for the message that says that citepage does not read it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from renderer.readers._records import BadJson, shown

# The first bytes of a file, and what the file then is.
SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip file inside a gzip file"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with Zstandard"),
    (b"\xfd7zXZ\x00", "a file compressed with xz"),
    (b"BZh", "a file compressed with bzip2"),
    (b"SQLite format 3\x00", "an SQLite database"),
)
KEYS_NAMED = 6


def describe(head: bytes, values: Sequence[Any], document: Any | None, broken: BadJson | None) -> str:
    """What the content seems to be. `head` are its first bytes; for the rest see `Sample`."""
    if not head:
        return "an empty file"
    if known := _signed(head):
        return known
    objects = [value for value in values if isinstance(value, dict)]
    if document is None and objects:
        return "JSON lines of another shape, " + _keys(objects[0])
    return _json_or_text(head.lstrip(), document, broken)


def is_binary(head: bytes) -> bool:
    """Whether the first bytes are those of a file kind that is never text."""
    return bool(_signed(head))


def _signed(head: bytes) -> str:
    return next((what for signature, what in SIGNATURES if head.startswith(signature)), "")


def _json_or_text(text: bytes, document: Any | None, broken: BadJson | None) -> str:
    if not text:
        return "a file with nothing but blanks"
    if text[:14].lower() == b"<!doctype html" or text[:5].lower() == b"<html":
        return "a web page (HTML)"
    if text.startswith(b"<?xml"):
        return "an XML document"
    if document is not None:
        return "JSON of another shape, " + _shape(document)
    if broken is not None:
        return _broken(broken)
    return "plain text" if _is_text(text) else "binary data"


def _shape(document: dict[str, Any] | list[Any]) -> str:
    if isinstance(document, dict):
        return _keys(document)
    first = next((item for item in document if isinstance(item, dict)), None)
    return f"a list of {len(document)}" + (f", its items {_keys(first)}" if first is not None else "")


def _keys(record: dict[str, Any]) -> str:
    if not record:
        return "without any key"
    named = ", ".join(shown(key, 30) for key in list(record)[:KEYS_NAMED])
    return f"with the keys {named}" + (" and more" if len(record) > KEYS_NAMED else "")


def _broken(broken: BadJson) -> str:
    if broken.line is None:
        return f"JSON that cannot be read: {broken}"
    return f"JSON that is cut off or broken at line {broken.line} column {broken.column}"


def _is_text(text: bytes) -> bool:
    if b"\0" in text:
        return False
    # The first bytes may end inside a character.
    return "�" not in text.decode("utf-8", "replace")[:-1]
