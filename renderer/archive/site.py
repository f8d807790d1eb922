"""The files of a site besides its conversations: lists, sources, search, feed, map."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from renderer.archive.dated import Dated, date_name, month_name, newest_first
from renderer.archive.entry import Entry
from renderer.archive.feeds import feed, robots, site_maps
from renderer.archive.list_pages import list_pages
from renderer.archive.search import Documents, Found, write_search
from renderer.archive.source_pages import source_facts, source_pages
from renderer.i18n import CHINESE, DEFAULT_LANGUAGE, Catalog, catalog
from renderer.options import Options
from renderer.output import replace_if_changed
from renderer.pages.archive_frame import Frame, Link, framed
from renderer.pages.excerpts import one_line
from renderer.pages.sharing import page_address

_EPOCH = date(1970, 1, 1).toordinal()


def write_site(
    entries: Sequence[Entry],
    documents: Documents,
    folder: Path,
    options: Options,
    changed: Collection[str] | None = None,
) -> list[str]:
    """Write all files of a site in `folder` that are no conversations, and return their names, sorted.

    `documents(key)` yields what a conversation can be found by, as (address, kind, text): the address inside the site,
    the kind "title", "question", "answer" or "source". They are asked for only for the keys in `changed` where the last
    run's search is there; None: for all. A file whose bytes would be the same is left as it is. The same entries, in
    any order, give the same bytes. Raises RendererError for an unknown language, theme or time zone, for a base URL
    that is none, and for what cannot be written.
    """
    words = catalog(_language(entries) if options.lang == "auto" else options.lang)
    dated = newest_first(entries, words, options)
    files = _pages(dated, words, options) | _for_programs(dated, words, options)
    for name, text in files.items():
        replace_if_changed(folder / name, text)
    return sorted([*files, *write_search(_found(dated, words), documents, folder, changed)])


def _language(entries: Sequence[Entry]) -> str:
    """That of most conversations."""
    chinese = sum(entry.lang == CHINESE for entry in entries)
    return CHINESE if chinese * 2 > len(entries) else DEFAULT_LANGUAGE


def _pages(dated: Sequence[Dated], words: Catalog, options: Options) -> dict[str, str]:
    sources, hosts = source_facts(dated)
    heading = one_line(options.title or "") or words.say("archive_title")
    lists = Frame(
        title=heading,
        heading=heading,
        facts=tuple(fact for fact in (words.say("archive_conversations", n=len(dated)), _span(dated, words)) if fact),
        links=(Link("sources.html", words.say("archive_source_count", n=sources)),),
    )
    about_sources = Frame(
        title=f"{words.say('archive_sources')} · {heading}",
        heading=words.say("archive_sources"),
        facts=(words.say("archive_source_count", n=sources), words.say("archive_hosts", n=hosts)),
        links=(Link("index.html", heading),),
    )
    pages = {}
    for group, frame in ((list_pages(dated, words), lists), (source_pages(dated, words), about_sources)):
        for page in group:
            pages[page.name] = framed(page.main, _placed(frame, page.name, page.label, options), words, options)
    return pages


def _placed(frame: Frame, name: str, label: str, options: Options) -> Frame:
    """The frame of one page of a group."""
    return replace(
        frame,
        title=f"{label} · {frame.title}" if label else frame.title,
        links=frame.links if not label or name.startswith("sources") else (Link("index.html", label), *frame.links),
        address=_address(name, options),
        feed=_address("feed.xml", options),
    )


def _for_programs(dated: Sequence[Dated], words: Catalog, options: Options) -> dict[str, str]:
    if not options.base_url:
        return {"robots.txt": robots(options.indexable, "")}
    title = one_line(options.title or "") or words.say("archive_title")
    maps = dict(site_maps(["index.html", "sources.html"], dated, lambda name: _address(name, options)))
    return {
        "feed.xml": feed(dated, title, lambda name: _address(name, options), words),
        "robots.txt": robots(options.indexable, _address("sitemap.xml", options)),
        **maps,
    }


def _address(name: str, options: Options) -> str:
    return page_address(options.base_url, name) if options.base_url else ""


def _span(dated: Sequence[Dated], words: Catalog) -> str:
    """The first and the last month of the archive."""
    months = [one.month for one in dated if one.month]
    if not months:
        return ""
    first, last = month_name(min(months), words), month_name(max(months), words)
    return first if first == last else words.say("archive_span", first=first, last=last)


def _found(dated: Sequence[Dated], words: Catalog) -> list[Found]:
    return [
        Found(
            one.entry,
            one.title,
            date_name(one.moment, words),
            max(0, one.moment.toordinal() - _EPOCH) if one.moment else 0,
        )
        for one in dated
    ]
