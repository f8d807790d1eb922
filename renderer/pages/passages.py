"""The passage of a source as it is shown: within the budget, what supports the answer marked, and the way out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from renderer.citations.locate import way_to_passage
from renderer.citations.passages import KeptPassage, keep_passage
from renderer.citations.urls import Address
from renderer.i18n import Catalog
from renderer.markdown.hygiene import clean
from renderer.model import Passage, Source
from renderer.pages.digests import passage_digest
from renderer.pages.identifiers import passage_id
from renderer.pages.language import language_of_quote
from renderer.pages.views import PassageView

if TYPE_CHECKING:
    from renderer.pages.context import PageContext

# What became of a document whose original cannot be opened any more.
CLOSED = ("gone", "forbidden")

_AT_PAGE = re.compile(r"#page=(\d+)\Z")
_PARAGRAPH = re.compile(r"\n\s*\n|\n")
# Too little left of the page's budget to show anything of use (code points).
_LEAST = 80


@dataclass(slots=True)
class Budget:
    """What may still be kept: code points of one passage, and of the page, which shrink while it is written."""

    passage: int
    page: int

    def take(self, wanted: int) -> int:
        """How much of `wanted` code points may be kept now; 0 when nothing is left."""
        granted = min(wanted, self.passage)
        return min(granted, self.page) if self.page >= min(granted, _LEAST) else 0


def passage_view(
    mid: str, source: Source, claims: Sequence[str], address: Address | None, page: PageContext
) -> PassageView | None:
    """The view of a source's passage; None when it has none, or the page has no room for it any more.

    `claims` are the sentences that cite the source; `address` is where it can be read, None when it cannot.
    """
    text = source.passage.text.strip() if source.passage else ""
    granted = page.budget.take(len(text))
    if source.passage is None or not granted:
        return None
    kept = keep_passage(text, claims, granted)
    page.budget.page -= kept.kept
    paragraphs = _paragraphs(kept.parts)
    moment = source.passage.retrieved_at
    shown = moment.astimezone(page.where) if moment else None
    href = _way_out(source.passage, address, kept)
    say = page.catalog.say
    return PassageView(
        id=passage_id(mid, source.k),
        paragraphs=paragraphs,
        cut_text=say("passage_cut", kept=kept.kept, whole=kept.whole) if kept.kept < kept.whole else "",
        retrieved_text=page.catalog.date_time(shown) if shown else "",
        retrieved_iso=shown.isoformat() if shown else "",
        href=href,
        link_text=_link_text(href, page.catalog) if href else "",
        digest=passage_digest(clean("".join(text for text, _ in paragraph)) for paragraph in paragraphs),
        lang=language_of_quote("".join(text for text, _ in kept.parts), page.catalog.lang),
    )


def _way_out(passage: Passage, address: Address | None, kept: KeptPassage) -> str | None:
    if address is None or passage.status in CLOSED:
        return None
    marked = [text for text, is_marked in kept.parts if is_marked]
    return way_to_passage(address, passage.page, passage.text, marked)


def _link_text(href: str, catalog: Catalog) -> str:
    """What a link opens: this passage, a page of the original, or only the original."""
    if page := _AT_PAGE.search(href):
        return catalog.say("passage_open_page", page=page[1])
    return catalog.say("passage_open" if "#" in href else "passage_open_bare")


def place_of(source: Source, catalog: Catalog) -> str:
    """Page or pages and section, as the second design writes them: `P7 · 3.2 违约责任`."""
    passage = source.passage
    if passage is None:
        return ""
    page = passage.pages or str(passage.page or "")
    # "7-8" is P7-8; "P7" and "第7页" say themselves that they are pages.
    place = catalog.say("passage_page", page=page) if page[:1].isdigit() else page
    return " · ".join(part for part in (place, passage.section.strip()) if part)


def _paragraphs(parts: Sequence[tuple[str, bool]]) -> tuple[tuple[tuple[str, bool], ...], ...]:
    """The parts, cut into paragraphs at line ends."""
    paragraphs: list[list[tuple[str, bool]]] = [[]]
    for text, is_marked in parts:
        first, *others = _PARAGRAPH.split(text)
        paragraphs[-1].append((first, is_marked))
        paragraphs += [[(other, is_marked)] for other in others]
    full = (tuple(piece for part in paragraph for piece in _pieces(*part) if piece[0]) for paragraph in paragraphs)
    return tuple(paragraph for paragraph in full if any(text.strip() for text, _ in paragraph))


def _pieces(text: str, is_marked: bool) -> tuple[tuple[str, bool], ...]:
    """A part; the blank before a sentence is not marked with it."""
    words = text.lstrip()
    return ((text[: len(text) - len(words)], False), (words, True)) if is_marked else ((text, False),)
