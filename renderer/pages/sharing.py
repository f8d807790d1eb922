"""What a head says to other programs: a description, a card for chats, linked data, and what stands beside the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import tzinfo
from typing import Any
from urllib.parse import quote

from markupsafe import Markup

from renderer.citations.urls import joined, parse_address
from renderer.errors import RendererError
from renderer.i18n import Catalog
from renderer.model import Conversation, Role
from renderer.options import Place
from renderer.pages.excerpts import Excerpts, Told, beginning, one_line
from renderer.pages.views import ShareView

# Code points: what search engines show of a description, and how much of it a long question may take.
_DESCRIPTION = 160
_QUESTION = 100
_HEADLINE = 80


def share_view(
    title: str,
    conversation: Conversation,
    excerpts: Excerpts,
    place: Place,
    catalog: Catalog,
    where: tzinfo,
    site: str,
) -> ShareView:
    """What the head of a page tells others; `site` is the name used where the agent has none."""
    created = conversation.created_at
    return ShareView(
        title=one_line(title),
        description=_description(title, excerpts),
        site=one_line(conversation.agent) or site,
        locale=catalog.texts["locale"],
        published=created.astimezone(where).isoformat() if created else "",
        address=place.address,
        markdown=quote(place.markdown),
        data=quote(place.data),
        picture=joined(quote(place.picture), place.address) if place.picture and place.address else "",
        linked_data=_linked_data(title, conversation, excerpts, place, where),
    )


def page_address(base_url: str, name: str) -> str:
    """The address of a page whose file is `name` ("" for none), published at `base_url`; "" where that is not known.

    `base_url` is a folder's address, or (ending in .html) that of a page: then `name` stands beside it. Raises
    RendererError when it is no absolute http(s) address or has a query or a fragment.
    """
    address = parse_address(base_url)
    if address is None or set(base_url) & set("?#"):
        raise RendererError(
            "", f"--base-url {base_url!r} is no address to publish at", "give one such as https://example.org/chats/"
        )
    is_page = address.href.endswith(".html")
    if not name:
        return address.href if is_page else ""
    return joined(quote(name), address.href if is_page or address.href.endswith("/") else address.href + "/")


def _description(title: str, excerpts: Excerpts) -> str:
    """The first question, and how its answer begins."""
    parts = (beginning(excerpts.question, _QUESTION), excerpts.answer)
    return beginning(" — ".join(part for part in parts if part) or one_line(title), _DESCRIPTION)


# --- Linked data (https://schema.org/Conversation) -------------------------------------------------------------


def _linked_data(title: str, conversation: Conversation, excerpts: Excerpts, place: Place, where: tzinfo) -> Markup:
    """The conversation, its first messages without their texts, and the linked sources. No id of the file is in it."""
    created = conversation.created_at
    return _in_script(
        _held(
            {
                "@context": "https://schema.org",
                "@type": "Conversation",
                "name": one_line(title),
                "url": place.address,
                "dateCreated": created.astimezone(where).isoformat() if created else "",
                "hasPart": [_message(told, conversation.agent, where) for told in excerpts.messages],
                "citation": [
                    {"@type": "CreativeWork", "name": one_line(name), "url": url}
                    for url, name in excerpts.sources.items()
                ],
            }
        )
    )


def _message(told: Told, agent: str, where: tzinfo) -> dict[str, Any]:
    is_user = told.role is Role.USER
    return _held(
        {
            "@type": "Message",
            "author": {
                "@type": "Person" if is_user else "Organization",
                "name": "user" if is_user else one_line(agent) or "assistant",
            },
            "dateCreated": told.created_at.astimezone(where).isoformat() if told.created_at else "",
            "headline": beginning(told.beginning, _HEADLINE),
        }
    )


def _held(members: Mapping[str, Any]) -> dict[str, Any]:
    """The members that say something."""
    return {key: value for key, value in members.items() if value}


# In a script element only these can end it, begin another or be read otherwise by a parser of JavaScript.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def _in_script(value: object) -> Markup:
    """`value` as JSON that may stand in a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.translate(_ESCAPES))
