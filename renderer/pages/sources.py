"""The list of sources under an answer, and the words that say what the file records about each."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence

from renderer.citations.locate import way_to_passage
from renderer.citations.urls import Address, joined, parse_address
from renderer.i18n import Catalog
from renderer.markdown.answers import CheckedMessage, cited_claims
from renderer.model import CheckedAnswer, Source, Verdict
from renderer.pages.context import PageContext
from renderer.pages.identifiers import message_id, reference_id, source_id, sources_id
from renderer.pages.language import language_of_quote
from renderer.pages.passages import CLOSED, passage_view, place_of
from renderer.pages.views import BackView, PassageView, SourcesView, SourceView

# First design, §2.1 (7): a title is cut at 60 characters (code points); up to 3 sources are shown unfolded.
MAX_TITLE = 60
MAX_UNFOLDED = 3

_BACK_SIGNS = "abcdefghijklmnopqrstuvwxyz"


def sources_view(
    mid: str, answer: CheckedMessage, places: Mapping[int, int], page: PageContext, *, prelude: bool
) -> SourcesView | None:
    """The view of a message's sources; None when it has none.

    `places` tells how often the text cites each display number; `prelude` is true before the first question.
    """
    checked, catalog = answer.checked, page.catalog
    if not checked.sources:
        return None
    claims = cited_claims(answer)
    items = tuple(
        _source_view(mid, source, places.get(source.k, 0), [c.text for c in claims if source.k in c.ks], page, prelude)
        for source in checked.sources
    )
    all_returned = all(source.verdict is Verdict.RETURNED for source in checked.sources)
    return SourcesView(
        id=sources_id(mid),
        message_id=message_id(mid),
        label=catalog.say("references_label" if page.retrieval else "sources_label"),
        summary=catalog.say("references" if page.retrieval else "sources", n=len(items)),
        note=catalog.say("sources_all_stored" if page.retrieval else "sources_all_returned") if all_returned else "",
        is_open=len(items) <= MAX_UNFOLDED,
        items=items,
    )


def source_heading(source: Source) -> tuple[str, str]:
    """The title to show (whole) and the host; without a title, the title is the host and the path."""
    address = parse_address(source.url)
    host = address.host if address else ""
    title = " ".join(source.title.split())
    if not title:
        title = address.host + address.path if address else source.url
    return title, host


def cut_title(title: str) -> str:
    """`title`, cut at 60 code points with an ellipsis; a base character keeps its marks or goes with them."""
    if len(title) <= MAX_TITLE:
        return title
    end = MAX_TITLE
    while end > 1 and (
        unicodedata.combining(title[end]) or title[end] in "\u200d\ufe0e\ufe0f" or title[end - 1] == "\u200d"
    ):
        end -= 1
    return title[:end].rstrip() + "…"


def removed_note(checked: CheckedAnswer, catalog: Catalog) -> str:
    """What was removed from a message or struck in it, and why, in sentences; "" when nothing was."""
    if checked.unconfirmed:
        return catalog.say("unconfirmed")
    counts = Counter((removal.marker is None, removal.verdict) for removal in checked.removals)
    sentences = [
        catalog.say(key, n=count)
        for key, count in (
            ("removed_not_returned", counts[False, Verdict.NOT_RETURNED]),
            ("removed_no_source", counts[False, Verdict.NO_SOURCE]),
            ("dropped_entry", counts[True, Verdict.NOT_RETURNED]),
            ("marked_no_source", len(checked.marked)),
        )
        if count
    ]
    return " ".join(sentences) if catalog.lang[:2] not in ("zh", "ja") else "".join(sentences)


def _source_view(
    mid: str, source: Source, places: int, claims: Sequence[str], page: PageContext, prelude: bool
) -> SourceView:
    catalog = page.catalog
    address = parse_address(joined(source.url, page.options.source_base if page.retrieval else ""))
    title, host = source_heading(source)
    shown = cut_title(title)
    status = source.passage.status if source.passage else ""
    passage = passage_view(mid, source, claims, address, page)
    href = _title_address(source, address, passage, page.retrieval) if status not in CLOSED else None
    return SourceView(
        id=source_id(mid, source.k),
        k=source.k,
        n=source.n,
        verdict=source.verdict.value,
        title=shown,
        full_title=title if shown != title else None,
        href=href,
        url=address.href if address and href else "",
        domain=address.host if address else host,
        verdict_text=catalog.say(_verdict_key(source, page.retrieval, prelude)),
        backs=tuple(_back(mid, source.k, place, places, catalog) for place in range(1, places + 1)),
        place=place_of(source, catalog),
        status=status,
        status_text=catalog.say(f"status_{status}" + ("" if passage else "_only")) if status in CLOSED else "",
        passage=passage,
        missing_text=catalog.say("passage_missing") if _has_passage(source) and passage is None else "",
        title_lang=language_of_quote(title, catalog.lang),
    )


def _has_passage(source: Source) -> bool:
    return source.passage is not None and bool(source.passage.text.strip())


def _title_address(source: Source, address: Address | None, passage: PassageView | None, retrieval: bool) -> str | None:
    """Where a title leads: in a retrieval answer to the place in the document, as its passage's link does.

    Without a passage it is the page of a PDF. A source that a search returned is linked as it was recorded.
    """
    if address is None or source.passage is None or not retrieval:
        return address.href if address else None
    if passage is not None:
        return passage.href
    return way_to_passage(address, source.passage.page, "")


def _verdict_key(source: Source, retrieval: bool, prelude: bool) -> str:
    if retrieval:
        return "verdict_stored" if source.verdict is Verdict.RETURNED else "verdict_not_stored"
    if source.verdict is Verdict.RETURNED and source.entry is not None and source.entry.opened:
        return "verdict_returned_opened"
    if source.verdict is Verdict.UNCHECKED and prelude:
        return "verdict_unchecked_prelude"
    return f"verdict_{source.verdict.value}"


def _back(mid: str, k: int, place: int, places: int, catalog: Catalog) -> BackView:
    letter = _BACK_SIGNS[place - 1] if place <= len(_BACK_SIGNS) else str(place)
    sign = "↩" if places == 1 else f"↩{letter}" if place == 1 else letter
    return BackView(f"#{reference_id(mid, k, place)}", sign, catalog.say("back_name", place=place, k=k))
