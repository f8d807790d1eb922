"""Whether passages and lists of sources of a page are as they were when it was made, by the digests that it carries."""

from __future__ import annotations

from dataclasses import dataclass
from html.parser import HTMLParser

from renderer.pages.digests import BOUND, PASSAGE_CLASS, passage_digest, said_digest


@dataclass(frozen=True, slots=True)
class PassageCheck:
    """One passage of a page: its id, and whether its text has the digest that it carries.

    Where something else of the page was changed, `id` says what, in words.
    """

    id: str
    intact: bool


def check_passages(html: str) -> list[PassageCheck]:
    """Every passage of a page that we made, in order; then each list of sources that was changed.

    A list was changed when a passage or an entry was added or removed, or anything said or linked in it was changed.
    """
    passages, lists = _Passages(), _Lists()
    for parser in (passages, lists):
        parser.feed(html)
        parser.close()
    return [*passages.finished(), *lists.finished()]


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


class _Lists(HTMLParser):
    """Gathers what the list of sources of each article says, and compares its digest with that of the article."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.changed: list[PassageCheck] = []
        self._article: dict[str, str | None] = {}
        self._said: list[str] = []
        # How deep the parser is in sections of a list, and in divisions of a passage.
        self._list = 0
        self._passage = 0

    def finished(self) -> list[PassageCheck]:
        """The lists that were changed; one that the page ends in was cut off."""
        self._compare()
        return self.changed

    def _compare(self) -> None:
        """Close the article that is open, if there is one."""
        if self._article.get("data-sources-digest") != (said_digest(self._said) if self._said else None):
            article = self._article.get("id") or "no message"
            self.changed.append(PassageCheck(f"the sources of {article}", False))
        self._article, self._said, self._list, self._passage = {}, [], 0, 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        classes = (values.get("class") or "").split()
        if tag == "article":
            self._compare()
            self._article = values
        self._list += tag == "section" and (self._list > 0 or "sources" in classes)
        # A browser that saves a page may write the ways back in full.
        if self._list and not self._passage and values.get("role") != "doc-backlink":
            self._said += [f'{name}="{value}"' for name, value in values.items() if BOUND.fullmatch(name)]
        self._passage += tag == "div" and self._list > 0 and (self._passage > 0 or PASSAGE_CLASS in classes)

    def handle_endtag(self, tag: str) -> None:
        self._list -= tag == "section" and self._list > 0
        self._passage -= tag == "div" and self._passage > 0
        if tag == "article":
            self._compare()

    def handle_data(self, data: str) -> None:
        if self._list and not self._passage:
            self._said.append(data)
