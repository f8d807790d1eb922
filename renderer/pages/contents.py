"""The contents of a long conversation: its questions, in a list that a bar at the top of the window opens."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from renderer.i18n import Catalog
from renderer.pages.environment import render
from renderer.pages.views import EntryView, RoundView

# A conversation of fewer questions is looked over without a list.
MIN_QUESTIONS = 3

# How much of a question is shown (code points).
_MAX_WORDS = 80


def contents_entries(round_: RoundView) -> list[EntryView]:
    """The entry of a round: one, or none for a round without a question in words."""
    if round_.question is None or round_.question.question is None:
        return []
    words = " ".join(round_.question.question.heading.split())
    shown = words if len(words) <= _MAX_WORDS else words[:_MAX_WORDS].rstrip() + "…"
    return [EntryView(f"#{round_.question.id}", shown)] if shown else []


def contents_html(title: str, entries: Sequence[EntryView], catalog: Catalog) -> Markup:
    """The bar with the title and the list; nothing for a short conversation."""
    if len(entries) < MIN_QUESTIONS:
        return Markup("")
    return render("contents", title=title, entries=entries, say=catalog.say)
