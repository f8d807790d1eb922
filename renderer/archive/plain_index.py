"""The plainest index of a site: a list of its conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path

from renderer.archive.entry import Entry
from renderer.archive.names import INDEX
from renderer.options import Options
from renderer.staging import take_place, waiting_name, waiting_text
from renderer.version import VERSION

# A conversation's key → its texts for search: where each leads, its kind (`collect.KINDS`), and its words.
Texts = Callable[[str], Iterator[tuple[str, str, str]]]


def write_site(entries: Sequence[Entry], folder: Path, options: Options, texts: Texts) -> tuple[str, ...]:
    """Write the indexes of a site. Returns the names of its files; one whose bytes are the same is left alone."""
    waiting = waiting_name(folder)
    with waiting_text(waiting) as file:
        title = escape(options.title or "Conversations")
        file.write('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n')
        file.write(f'<meta name="generator" content="citepage {VERSION}">\n<title>{title}</title>\n</head>\n<body>\n')
        file.write(f"<h1>{title}</h1>\n<ul>\n")
        for entry in entries:
            name = escape(entry.title or entry.pages[0])
            file.write(f'<li><a href="{escape(entry.pages[0])}">{name}</a></li>\n')
        file.write("</ul>\n</body>\n</html>\n")
    take_place(waiting, folder / INDEX)
    return (INDEX,)
