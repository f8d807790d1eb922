"""The ways between the pages of one conversation, and from a page to the site that it belongs to.

A link to a message, `page.html#m-42`, must lead there even when the conversation grows and is cut elsewhere: the first
page carries for each page the hashes of its messages' ids, and a page that does not hold a message asks the first one
(`assets/js/05-series-end.if.js`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from renderer.i18n import Catalog
from renderer.pages.environment import render
from renderer.pages.views import PageRefView, RoundView, SeriesView

# FNV-1a in 32 bits: https://datatracker.ietf.org/doc/html/rfc9923
_OFFSET, _PRIME, _MASK = 0x811C9DC5, 0x01000193, 0xFFFFFFFF


def series_html(series: SeriesView, catalog: Catalog) -> Markup:
    """The ways at the top of a page."""
    return render("series", series=series, say=catalog.say)


def series_end_html(series: SeriesView, catalog: Catalog) -> Markup:
    """The ways at its end; nothing on a page that stands alone."""
    return render("series-end", series=series, say=catalog.say) if series.number else Markup("")


def range_words(first: int, questions: int, catalog: Catalog) -> str:
    """Which questions a page holds: so many, from the number `first`."""
    if not questions:
        return catalog.say("series_no_question")
    return catalog.say("series_questions", n=questions, first=first, last=first + questions - 1)


def page_ref(href: str, words: str, beginning: str, mids: Iterable[str]) -> PageRefView:
    """A page in the list of pages; `mids` are the ids of its messages, without their `m-`."""
    return PageRefView(href, words, beginning, "".join(f"{_hash(mid):08x}" for mid in mids))


def message_ids(view: RoundView) -> Sequence[str]:
    """The ids of a round's messages, without their `m-`."""
    articles = (view.question, *view.articles)
    return [article.id.removeprefix("m-") for article in articles if article is not None]


def _hash(text: str) -> int:
    value = _OFFSET
    for byte in text.encode("ascii"):
        value = ((value ^ byte) * _PRIME) & _MASK
    return value
