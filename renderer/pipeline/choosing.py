"""Which conversation of an export is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from renderer.errors import RendererError
from renderer.model import Conversation

# How many conversations an error lists before it says how many more there are.
_LISTED = 10


def choose(conversations: Iterator[Conversation], select: str | None, name: str) -> Conversation:
    """The conversation of the id `select`, or the only one. Raises RendererError, with a list, when there is none."""
    if select is None:
        first = list(islice(conversations, 2))
        if len(first) == 1:
            return first[0]
        listed = _listed(chain(first, conversations))
        what = f"it holds several conversations: {listed}" if first else "it holds no conversation"
        raise RendererError(name, what, "choose one with --select ID, or make a site of all with `citepage archive`")
    seen: list[Conversation] = []
    for conversation in conversations:
        if conversation.id == select:
            return conversation
        seen.append(replace(conversation, rounds=()))
    raise RendererError(name, f"there is no conversation {select!r} in it", f"it holds: {_listed(iter(seen))}")


def _listed(conversations: Iterator[Conversation]) -> str:
    shown = [
        f"{conversation.id} ({conversation.title or 'no title'})" for conversation in islice(conversations, _LISTED)
    ]
    more = sum(1 for _ in conversations)
    return ", ".join(shown) + (f" and {more} more" if more else "")
