"""Plain text → Markdown that shows it as it is: nothing in it becomes structure, a link or a reference."""

from __future__ import annotations

import re
from itertools import pairwise

from renderer.markdown.hygiene import clean
from renderer.pages.excerpts import one_line

# An address is left whole, as programs make links of bare ones; only signs that can mean nothing else are part of it.
_ADDRESS = re.compile(r"(https?://[A-Za-z0-9/_.~%?&=#:+,@-]+)")
_SIGNS = re.compile(r"[\\`*_\[\]<>&~$|!^]")
_LINE_START = re.compile(r"^(?:([#+=:-])|([0-9]{1,9})([.)]))")
_ENTITY = re.compile(r"&(?=#?[A-Za-z0-9]+;)")


def escaped(text: str) -> str:
    """`text` in one line, as Markdown."""
    return _escaped_line(one_line(text))


def quoted(text: str) -> str:
    """`text` as a block quote that keeps its lines and the blanks that they begin with."""
    lines = [_escaped_line(line) for line in clean(text).strip("\n").expandtabs(4).split("\n")]
    ends = [*("\\" if line and after else "" for line, after in pairwise(lines)), ""]
    return "\n".join(f"> {line}{end}".rstrip(" ") for line, end in zip(lines, ends, strict=True))


def destination(href: str) -> str:
    """An address, as the target of a Markdown link."""
    href = _ENTITY.sub("&amp;", href.replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E").replace(" ", "%20"))
    return f"<{href}>" if "(" in href or ")" in href else href


def _escaped_line(line: str) -> str:
    solid = line.lstrip(" ")
    parts = _ADDRESS.split(solid)
    written = "".join(part if place % 2 else _SIGNS.sub(r"\\\g<0>", part) for place, part in enumerate(parts))
    return "\u00a0" * (len(line) - len(solid)) + _LINE_START.sub(_escaped_start, written)


def _escaped_start(match: re.Match[str]) -> str:
    return f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}"
