"""What a file change did to its file, as parts of a unified diff.

https://www.gnu.org/software/diffutils/manual/html_node/Detailed-Unified.html
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice

from renderer.markdown.hygiene import clean
from renderer.model import FileChange

# How much of one diff is shown (code points).
MAX_DIFF = 256 * 1024

# Lines before × lines after that are compared. Beyond, all lines between the first and the last difference count as
# exchanged: the time of a comparison grows with this product.
MAX_WORK = 4_000_000
_CONTEXT = 3

Part = tuple[str, str]

_HUNK = re.compile(r"@@ -[0-9]{1,9}(?:,([0-9]{1,9}))? \+[0-9]{1,9}(?:,([0-9]{1,9}))? @@")
_NO_LINE_END = "\\ No newline at end of file\n"


def diff_text(change: FileChange) -> str:
    """The diff of a change: the file's own, or one of what was before and after. "" when there is none."""
    if change.patch is not None:
        return clean(change.patch)
    if change.before is None and change.after is None:
        return ""
    return "".join(_compared(_lines(clean(change.before or "")), _lines(clean(change.after or ""))))


def cut(text: str, room: int) -> str:
    """The whole lines of `text` that fit into `room` code points."""
    return text if len(text) <= room else text[: text.rfind("\n", 0, max(room, 0)) + 1]


def parts_of(diff: str) -> tuple[Part, ...]:
    """A diff as runs of lines, together the whole of it.

    A run is "added", "deleted", "place" (which file, which lines), or "" (the lines around).
    """
    runs = groupby(_named(_lines(diff)), key=lambda part: part[0])
    return tuple((name, "".join(line for _, line in run)) for name, run in runs)


def counts(parts: Iterable[Part]) -> tuple[int, int]:
    """How many lines a diff adds and deletes."""
    lines = {"added": 0, "deleted": 0}
    for name, text in parts:
        if name in lines:
            lines[name] += len(_lines(text))
    return lines["added"], lines["deleted"]


_SIGNS = {"+": "added", "-": "deleted", "@": "place"}


def _named(lines: list[str]) -> Iterator[Part]:
    """Inside a hunk the sign decides: `--- a` is a deleted line there, and the name of a file outside."""
    has_hunks = any(_HUNK.match(line) for line in lines)
    before = after = 0
    for line in lines:
        sign = line[:1]
        if before > 0 or after > 0:
            before -= sign not in ("+", "\\")
            after -= sign not in ("-", "\\")
            yield _SIGNS.get(sign, "") if sign != "@" else "", line
        elif match := _HUNK.match(line):
            before, after = (int(count or 1) if count != "0" else 0 for count in match.groups())
            yield "place", line
        else:
            yield "place" if has_hunks else _SIGNS.get(sign, ""), line


def _lines(text: str) -> list[str]:
    """Lines with their ends; only a line feed ends a line."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _compared(before: list[str], after: list[str]) -> Iterator[str]:
    if len(before) * len(after) <= MAX_WORK:
        # Its first two lines are the names of the files.
        diff: Iterable[str] = islice(difflib.unified_diff(before, after, n=_CONTEXT), 2, None)
    else:
        diff = _exchanged(before, after)
    for line in diff:
        yield line if line.endswith("\n") else f"{line}\n{_NO_LINE_END}"


def _exchanged(before: list[str], after: list[str]) -> Iterator[str]:
    """One hunk from the first difference to the last."""
    head = _same(before, after)
    if head == len(before) == len(after):
        return
    tail = min(_same(before[::-1], after[::-1]), min(len(before), len(after)) - head)
    start, end = max(head - _CONTEXT, 0), min(tail, _CONTEXT)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    around = head - start + end
    yield f"@@ -{start + 1},{len(old) + around} +{start + 1},{len(new) + around} @@\n"
    yield from (f" {line}" for line in before[start:head])
    yield from chain((f"-{line}" for line in old), (f"+{line}" for line in new))
    yield from (f" {line}" for line in before[len(before) - tail : len(before) - tail + end])


def _same(a: list[str], b: list[str]) -> int:
    """How many lines are the same from the start on."""
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count]:
        count += 1
    return count
