"""Whether the passages of a page are as they were when it was made, by the digest that each carries.

A digest finds accidents and careless edits; whoever changes a passage on purpose can change its digest too.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from html.parser import HTMLParser

PASSAGE_CLASS = "passage-text"


@dataclass(frozen=True, slots=True)
class PassageCheck:
    """One passage of a page: its id, and whether its text has the digest that it carries."""

    id: str
    intact: bool


def passage_digest(paragraphs: list[str]) -> str:
    """The SHA-256 (hex) of a passage as a page shows it: its paragraphs, joined by line feeds, as UTF-8."""
    return hashlib.sha256("\n".join(paragraphs).encode("utf-8", "replace")).hexdigest()


def check_passages(html: str) -> list[PassageCheck]:
    """Every passage of a page that we made, in order."""
    parser = _Passages()
    parser.feed(html)
    parser.close()
    return parser.finished()


class _Passages(HTMLParser):
    """Collects the paragraphs inside each element of the passage class."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.checks: list[PassageCheck] = []
        self._id = ""
        self._digest: str | None = None
        self._depth = 0
        self._paragraphs: list[str] = []
        self._in_paragraph = False

    def finished(self) -> list[PassageCheck]:
        """The checks; a passage that the page ends in was cut off."""
        return [*self.checks, PassageCheck(self._id, False)] if self._depth else self.checks

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        classes = (values.get("class") or "").split()
        if tag == "details" and "passage" in classes:
            self._id = values.get("id") or ""
        if self._depth:
            self._depth += tag == "div"
            if tag == "p":
                self._paragraphs.append("")
                self._in_paragraph = True
        elif tag == "div" and PASSAGE_CLASS in classes:
            self._depth, self._digest, self._paragraphs = 1, values.get("data-digest"), []

    def handle_endtag(self, tag: str) -> None:
        if not self._depth:
            return
        if tag == "p":
            self._in_paragraph = False
        if tag == "div":
            self._depth -= 1
            if not self._depth:
                self.checks.append(PassageCheck(self._id, passage_digest(self._paragraphs) == self._digest))

    def handle_data(self, data: str) -> None:
        if self._depth and self._in_paragraph:
            self._paragraphs[-1] += data
        elif self._depth and data.strip():
            self._paragraphs.append(data)  # text that was put between the paragraphs
