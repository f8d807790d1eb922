"""What the indexes of a site know of one conversation: enough for every list, and no text of the conversation."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A source that an answer lists: where it leads ("" when it is not linked), and the answers that list it.

    `answers` are addresses inside the site, such as "rain-0a1b2c3d4e.html#m-42".
    """

    href: str
    title: str
    host: str
    verdict: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One conversation of a site.

    `key` is the first 10 hex digits of its digest. `created_at` is ISO 8601 with an offset, "" when unknown. `pages`
    are the names of its pages in their order; `removed` counts the markers taken out of its answers.
    """

    key: str
    title: str
    agent: str
    format: str
    lang: str
    created_at: str
    pages: tuple[str, ...]
    questions: int
    removed: int
    sources: tuple[CitedSource, ...]
