"""A text as the Markdown stage shows it, with a visible token for each insert, for the tests of that stage.

The tokens stand in ⟦ ⟧, and hold no letter unless the text itself does:
⟦2⟧ the number of source 2 · ⟦^1.2⟧ the second reference to footnote 1 · ⟦#1⟧ where footnote 1 begins ·
⟦↩1×2⟧ its two back links · ⟦+:python⟧ and ⟦-⟧ around a block of code · ⟦|⟧ and ⟦/|⟧ around a table ·
⟦^⟧ and ⟦/^⟧ around the footnotes · ⟦✓⟧ and ⟦ ⟧ a task's box · ⟦!description address title⟧ a picture · ⟦?[^9^]⟧ a
marker without a source, where those are to be seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from bs4 import BeautifulSoup, Tag
from markupsafe import Markup

from renderer.markdown.fragment import Document, read_markdown, write_fragment
from renderer.markdown.inserts import (
    CiteRef,
    Close,
    CodeEnd,
    CodeStart,
    FootnoteAnchor,
    FootnoteBacks,
    FootnoteRef,
    Insert,
    InvalidRef,
    Open,
    Picture,
    TaskBox,
)
from renderer.model import CheckedAnswer, Source, Verdict

A = TypeVar("A")

# What every link carries; left out of `Shown.markup`.
LINK_EXTRAS = ' target="_blank" rel="noopener noreferrer nofollow ugc"'
_OPEN = {"table": "|", "footnotes": "^"}
_CLOSE = {"table": "/|", "footnotes": "/^"}
_BLOCK_END = re.compile(r"(</?(?:p|ul|ol|li|blockquote|h[1-6]|hr|br|pre|table)\b[^<>]*>|⟦(?:-|/\||/\^)⟧)\n")


@dataclass(frozen=True)
class Shown:
    """A text that was read and written: its safe HTML, and the inserts in the order of the page."""

    html: str
    inserts: tuple[Insert, ...]
    document: Document

    @property
    def markup(self) -> str:
        """The HTML without the line ends between blocks and without what every link and every `pre` carries."""
        return _BLOCK_END.sub(r"\1", self.html.replace(LINK_EXTRAS, "").replace(' tabindex="0"', ""))

    @property
    def text(self) -> str:
        """What a reader sees, blanks as in HTML: one for any number, none at either end."""
        return " ".join(BeautifulSoup(self.html, "html.parser").get_text().split())

    @property
    def dense(self) -> str:
        """What a reader sees, without any blank."""
        return self.text.replace(" ", "")

    @property
    def tags(self) -> list[Tag]:
        """All elements."""
        return list(BeautifulSoup(self.html, "html.parser").find_all(True))

    @property
    def links(self) -> list[tuple[str, str]]:
        """(address, text) of each link."""
        return [(str(tag["href"]), tag.get_text()) for tag in self.tags if tag.name == "a"]

    @property
    def code(self) -> list[str]:
        """The text of each code span and code block."""
        return [tag.get_text() for tag in self.tags if tag.name == "code"]

    @property
    def raw_markers(self) -> list[str]:
        """The markers that were found, as written."""
        return [marker.raw for marker in self.document.markers]

    def of(self, kind: type[A]) -> list[A]:
        """The inserts of one type."""
        return [insert for insert in self.inserts if isinstance(insert, kind)]


def show(text: str, *, listed: Iterable[int] = (1, 2, 3), dialect: str = "caret", keep_invalid: bool = False) -> Shown:
    """Read and write `text`. The sources of the numbers `listed` are the answer's, in ascending order."""
    inserts: list[Insert] = []

    def write(insert: Insert) -> Markup:
        inserts.append(insert)
        return token(insert)

    document = read_markdown(text, dialect)
    return Shown(
        str(write_fragment(document, checked(listed), write, keep_invalid=keep_invalid)), tuple(inserts), document
    )


def checked(listed: Iterable[int]) -> CheckedAnswer:
    """An answer whose sources have these numbers."""
    sources = tuple(
        Source(k, n, f"https://source.example/{n}", "", Verdict.RETURNED) for k, n in enumerate(sorted(listed), 1)
    )
    return CheckedAnswer(sources, (), {source.n: source for source in sources})


def token(insert: Insert) -> Markup:
    """The visible token of an insert."""
    return Markup("⟦{}⟧").format(_WRITE[type(insert)](insert))


_WRITE: dict[type[Insert], Callable[..., str]] = {
    CiteRef: lambda insert: str(insert.k),
    InvalidRef: lambda insert: f"?{insert.raw}",
    FootnoteRef: lambda insert: f"^{insert.number}.{insert.place}",
    FootnoteAnchor: lambda insert: f"#{insert.number}",
    FootnoteBacks: lambda insert: f"↩{insert.number}×{insert.places}",
    Open: lambda insert: _OPEN[insert.kind],
    Close: lambda insert: _CLOSE[insert.kind],
    CodeStart: lambda insert: f"+:{insert.info}" if insert.info else "+",
    CodeEnd: lambda insert: "-",
    TaskBox: lambda insert: "✓" if insert.checked else " ",
    Picture: lambda insert: " ".join([f"!{insert.alt}", insert.url, *([insert.title] if insert.title else [])]),
}


def words(text: str) -> list[str]:
    """The runs of letters in a text."""
    return re.findall(r"[^\W\d_]+", text)
