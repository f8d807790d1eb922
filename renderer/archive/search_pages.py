"""What the search holds of each page of a conversation."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from renderer.archive.entry import Entry
from renderer.archive.search_files import Level, number_of
from renderer.markdown.hygiene import clean

# What a page has to be found by: (address, "title" | "question" | "answer" | "source", text).
Documents = Callable[[str], Iterable[tuple[str, str, str]]]


@dataclass(frozen=True, slots=True)
class Found:
    """What the search knows of a conversation besides its texts: shown title and date, and the day it was written."""

    entry: Entry
    title: str
    date: str
    day: int


# A page in a file of texts: its number, key, file, title, date, and what can be found as [fragment, kind, text].
Page = list[Any]


def pages_of(one: Found, documents: Iterable[tuple[str, str, str]], level: Level) -> list[Page]:
    """The pages of a conversation in their order, each with the documents that stand on it."""
    entry = one.entry
    texts: dict[str, list[list[str]]] = {name: [] for name in entry.pages}
    for href, kind, text in documents:
        name, _, fragment = href.partition("#")
        texts[name].append([fragment, kind, clean(text)])
    return [
        [number_of(entry.key, place, level), entry.key, name, one.title, one.date, texts[name]]
        for place, name in enumerate(entry.pages)
    ]
