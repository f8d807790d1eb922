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
        self._held: list[str] = []
        self._after_removed = False
        self._sent = "\n"  # the last character given: the blanks after a line feed indent

    def feed(self, piece: str) -> str:
        """Take in the next piece; returns the text that can be sent on."""
        for part in re.split(r"(?<=\])", piece):
            self._take(part)
        return self._release()

    def finish(self) -> str:
        """The text that was held back. The stripper can be used for another text after that."""
        if self._after_removed:
            self._trim()
        rest = "".join(self._held)
        self._held, self._after_removed, self._sent = [], False, "\n"
        return rest

    def _take(self, part: str) -> None:
        """Add a part that holds no `]` but at its end."""
        if not part:
            return
        if self._after_removed and CLOSING.match(part):
            self._trim()
        self._after_removed = False
        self._held.extend(part)
        if part[-1] == "]":
            self._remove_marker()

    def _remove_marker(self) -> None:
        held = self._held
        start = len(held) - 2
        if start < 0 or held[start] != "^":
            return
        digits_end = start
        while start > 0 and held[start - 1] in "0123456789":
            start -= 1
        if start < digits_end and start >= 2 and held[start - 1] == "^" and held[start - 2] == "[":
            del held[start - 2 :]
            self._after_removed = True

    def _trim(self) -> None:
        """Take away the blanks at the end, unless they indent a line."""
        end = len(self._held)
        while end and self._held[end - 1] in BLANKS:
            end -= 1
        if (self._held[end - 1] if end else self._sent) != "\n":
            del self._held[end:]

    def _release(self) -> str:
        text = "".join(self._held)
        certain = _undecided_from(text)
        self._held = list(text[certain:])
        self._sent = text[certain - 1] if certain else self._sent
        return text[:certain]


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
