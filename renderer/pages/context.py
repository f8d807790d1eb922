"""What is the same for all rounds of a page, and what its rounds share while it is written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, tzinfo

from renderer.citations.urls import parse_address
from renderer.errors import RendererError
from renderer.i18n import Catalog
from renderer.model import Conversation
from renderer.options import Options
from renderer.pages.head import zone
from renderer.pages.identifiers import Identifiers
from renderer.pages.passages import Budget
from renderer.pages.pictures import Pictures, pictures_of


@dataclass(frozen=True, slots=True)
class PageContext:
    """The choices, the words, the zone of times and the day of the conversation; the ids that are taken, and the room
    that is left for passages and pictures.

    `retrieval` is true for a page of answers that carry their own passages.
    """

    options: Options
    catalog: Catalog
    where: tzinfo
    day: date | None
    retrieval: bool
    identifiers: Identifiers
    budget: Budget
    pictures: Pictures


def page_context(conversation: Conversation, options: Options, catalog: Catalog) -> PageContext:
    """The context of a page that is about to be written.

    Raises RendererError for an unknown time zone, for a base of relative addresses that is no address itself, and when
    the folder of media cannot be read.
    """
    if options.source_base and parse_address(options.source_base) is None:
        what = f"the source base {options.source_base!r} is no absolute http(s) address"
        raise RendererError("", what, "give one such as https://example.com/docs/")
    where = zone(conversation, options)
    return PageContext(
        options,
        catalog,
        where,
        conversation.created_at.astimezone(where).date() if conversation.created_at else None,
        conversation.retrieval,
        Identifiers(),
        Budget(options.passage_budget, options.page_budget),
        pictures_of(conversation, options),
    )
