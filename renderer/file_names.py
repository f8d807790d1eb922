"""Names of files that every system takes, made from titles that anyone may have written."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

# Names that Windows keeps for devices, whatever their case.
# https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file#naming-conventions
_RESERVED = frozenset(
    ["CON", "PRN", "AUX", "NUL", *(f"{device}{digit}" for device in ("COM", "LPT") for digit in "0123456789¹²³")]
)

# Far more than any name can hold. Longer titles are not looked at: normalising a long run of combining marks is slow.
_LOOKED_AT = 4096


def safe_name(title: str, fallback: str, limit_bytes: int = 100) -> str:
    """The title as a file name without an ending: letters, digits and their marks, and "-" for all else.

    At most `limit_bytes` bytes of UTF-8. A title without any letter or digit gives `fallback`, made safe too.
    """
    name = _slug(title, limit_bytes) or _slug(fallback, limit_bytes) or "conversation"
    return f"{name}-file" if name.upper() in _RESERVED else name


def _slug(text: str, limit_bytes: int) -> str:
    slug, size = "", 0
    for cluster in _clusters(unicodedata.normalize("NFC", text[:_LOOKED_AT])):
        size += len(cluster.encode("utf-8"))
        if size > limit_bytes:
            break
        slug += cluster
    return slug.rstrip("-")


def _clusters(text: str) -> Iterator[str]:
    """The parts that a cut may fall between: a letter or digit with all its marks, or one "-" for a run of all else."""
    cluster = "-"
    started = False
    for char in text:
        kind = unicodedata.category(char)[0]
        if kind == "M":
            # A mark on a character that was left out goes with it, as it would land on the "-".
            cluster += "" if cluster == "-" else char
        elif kind in "LN":
            if started:
                yield cluster
            cluster, started = char, True
        elif cluster != "-":
            yield cluster
            cluster = "-"
    if started:
        yield cluster
