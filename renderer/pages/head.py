"""What stands around the rounds: title, facts, policy, style and script before and after them."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from datetime import tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from markupsafe import Markup

from renderer.citations.strip import strip_citation_markers
from renderer.errors import RendererError
from renderer.i18n import Catalog
from renderer.model import Conversation
from renderer.options import Options, Place
from renderer.pages.environment import render
from renderer.pages.excerpts import Excerpts
from renderer.pages.notices import notices
from renderer.pages.sharing import share_view
from renderer.pages.views import FootView, HeadView
from renderer.themes import script, style_sheet

GENERATOR = "citepage"


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What is known of a page once it is written.

    `records` counts those shown or used, `left_out` those that are not; `parts` are the classes in it that bring
    a part of style or script with them.
    """

    questions: int = 0
    sources: int = 0
    records: int = 0
    left_out: int = 0
    parts: frozenset[str] = frozenset()


def head_view(
    conversation: Conversation,
    facts: PageFacts,
    excerpts: Excerpts,
    place: Place,
    options: Options,
    catalog: Catalog,
    version: str,
) -> HeadView:
    """The head of a page."""
    style = style_sheet(options.theme, catalog.lang, facts.parts)
    created = conversation.created_at
    where = zone(conversation, options)
    shown = created.astimezone(where) if created else None
    title = page_title(conversation, options) or catalog.say("untitled")
    return HeadView(
        lang=catalog.lang,
        direction=catalog.direction,
        title=title,
        generator=f"{GENERATOR} {version}",
        share=share_view(title, conversation, excerpts, place, catalog, where, GENERATOR),
        policy=Markup(_policy(style, script(facts.parts))),
        style=Markup(style),
        click=options.click or ("drawer" if conversation.retrieval else "list"),
        indexable=options.indexable,
        skip_label=catalog.say("skip_to_content"),
        facts=_facts(conversation, catalog),
        counts=_counts(facts, catalog),
        date_text=catalog.date_time(shown) if shown else "",
        date_iso=shown.isoformat() if shown else "",
        notices=notices(conversation.problems, catalog),
    )


def foot_view(conversation: Conversation, facts: PageFacts, catalog: Catalog, version: str) -> FootView:
    """The foot of a page."""
    input_facts = catalog.say("list_comma").join(
        (conversation.origin.format, catalog.say("records", n=facts.records), catalog.say("left_out", n=facts.left_out))
    )
    return FootView(
        facts=(catalog.say("made_with", version=version), input_facts),
        digest=conversation.origin.digest,
        close_label=catalog.say("close"),
    )


def end_html(facts: PageFacts) -> Markup:
    """What ends a page: the script whose hash its head names, once all that the page holds is known."""
    return render("end", script=Markup(script(facts.parts)))


def page_title(conversation: Conversation, options: Options) -> str:
    """The title of a page in one line and without markers, "" when there is none."""
    title = conversation.title if options.title is None else options.title
    return " ".join(strip_citation_markers(title).split())


def zone(conversation: Conversation, options: Options) -> tzinfo:
    """The time zone that times are shown in. Raises RendererError for a name that there is not."""
    return zone_named(options.time_zone or conversation.time_zone)


def zone_named(name: str) -> tzinfo:
    """The time zone of an IANA name. Raises RendererError for a name that there is not."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise RendererError("", f"there is no time zone {name!r}", "name one such as Asia/Shanghai or UTC") from None


def _policy(style: str, script: str) -> str:
    """Nothing is loaded, and only our own script and style run, known by their hashes."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{hash_source(script)}'",
            f"style-src '{hash_source(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def hash_source(text: str) -> str:
    """What a policy calls a style or script that is known by its bytes."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _facts(conversation: Conversation, catalog: Catalog) -> tuple[str, ...]:
    owner = catalog.say("shared_by", owner=conversation.owner) if conversation.owner else ""
    return tuple(fact for fact in (conversation.agent, owner) if fact)


def _counts(facts: PageFacts, catalog: Catalog) -> str:
    counts = (("questions", facts.questions), ("source_count", facts.sources))
    return " · ".join(catalog.say(key, n=n) for key, n in counts if n) or catalog.say("questions", n=0)
