"""Text without any marker, for channels that show no page (first design, §5.1 and §5.6).

All markers go, in code too. A blank before a marker goes with it where it would be left before punctuation, another
blank or a line end. What a removal joins into a marker goes as well, so that stripping twice changes nothing.
"""

from __future__ import annotations

import re

# What may stand after a removed marker without a blank before it: closing punctuation, a blank, a line end.
CLOSING = re.compile(r"[\s.,;:!?)\]}'\"’”…、。〃〉》」』】〕〗〙〛！），．：；？］｝｠｡｣､]")
# The blanks that go with it.
BLANKS = " \t\u00a0\u3000"

_HALF_MARKER = re.compile(r"\[(?:\^(?:[0-9]+\^?)?)?")


def strip_citation_markers(text: str) -> str:
    """`text` without any `[^n^]`."""
    if "^]" not in text:
        return text
    stripper = MarkerStripper()
    return stripper.feed(text) + stripper.finish()


class MarkerStripper:
    """`strip_citation_markers` for text that arrives in pieces.

    `feed` gives what is certain and holds back what may be half a marker; `finish` gives the rest. All that they give,
    joined, is the stripped text, wherever the pieces were cut.
    """

    def __init__(self) -> None:
        self._certain: list[str] = []
        self._held: list[str] = []
        self._half = 0  # where the last half marker in `_held` begins
        self._after_removed = False
        self._sent = "\n"  # the last character that is certain: the blanks after a line feed indent

    def feed(self, piece: str) -> str:
        """Take in the next piece; returns the text that can be sent on."""
        for part in re.split(r"(?<=\])", piece):
            self._take(part)
        return self._release()

    def finish(self) -> str:
        """The text that was held back. The stripper can be used for another text after that."""
        if self._after_removed:
            self._trim()
        rest = self._release() + "".join(self._held)
        self.__init__()  # type: ignore[misc]  # as new
        return rest

    def _take(self, part: str) -> None:
        """Add a part that holds no `]` but at its end."""
        if self._after_removed:
            part = self._closed_up(part)
        if not part:
            return
        body = part.removesuffix("]")
        self._add(body)
        if body != part:
            self._held.append("]")
            self._remove_marker()

    def _closed_up(self, part: str) -> str:
        """What follows a removed marker: the blanks before it go, or those after it when it began a line."""
        if self._begins_line():
            part = part.lstrip(BLANKS)
            self._after_removed = not part
            return part.removeprefix("\n") if not self._indent() else part
        if part and CLOSING.match(part):
            self._trim()
        self._after_removed = not part
        return part

    def _begins_line(self) -> bool:
        indent = self._indent()
        before = self._held[len(self._held) - indent - 1] if indent < len(self._held) else self._sent
        return before == "\n"

    def _indent(self) -> int:
        """How many blanks stand at the end of what is held."""
        end = len(self._held)
        while end and self._held[end - 1] in BLANKS:
            end -= 1
        return len(self._held) - end

    def _add(self, body: str) -> None:
        """Hold what may still become a marker, and make certain all that stands before it."""
        tail = "".join(self._held[self._half :]) + body
        undecided = _undecided_from(tail)
        if undecided:
            self._settle("".join(self._held[: self._half]) + tail[:undecided])
            self._held = list(tail[undecided:])
            self._half = 0
        else:
            self._held.extend(body)
        self._half += _last_half(tail[undecided:])

    def _settle(self, text: str) -> None:
        self._certain.append(text)
        self._sent = text[-1:] or self._sent

    def _remove_marker(self) -> None:
        held = self._held
        start = len(held) - 2
        digits_end = start
        while start > 0 and held[start - 1] in "0123456789":
            start -= 1
        is_marker = digits_end > 0 and held[digits_end] == "^" and start < digits_end and start >= 2
        if is_marker and held[start - 1] == "^" and held[start - 2] == "[":
            del held[start - 2 :]
            self._find_half()
            self._after_removed = True
        else:
            self._settle("".join(held))
            self._held, self._half = [], 0

    def _find_half(self) -> None:
        start = len(self._held)
        while start and self._held[start - 1] != "[":
            start -= 1
        self._half = start - 1 if start else len(self._held)

    def _trim(self) -> None:
        """Take away the blanks at the end, unless they indent a line."""
        if not self._begins_line():
            del self._held[len(self._held) - self._indent() :]
            self._find_half()

    def _release(self) -> str:
        text = "".join(self._certain)
        self._certain = []
        return text


def _undecided_from(text: str) -> int:
    """Where the end of `text` begins that more text can still turn into a marker, the blanks before it included."""
    end = len(text)
    while True:
        start = end
        while start and text[start - 1] in BLANKS:
            start -= 1
        half = text.rfind("[", 0, start)
        if half < 0 or not _HALF_MARKER.fullmatch(text, half, start):
            return start
        end = half


def _last_half(undecided: str) -> int:
    """Where the last half marker of an undecided text begins; its end when there is none."""
    found = undecided.rfind("[")
    return found if found >= 0 else len(undecided)
