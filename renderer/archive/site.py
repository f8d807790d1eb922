"""The files of a site besides its conversations: lists, sources, search, feed, map."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path

from renderer.archive.dated import Dated, date_name, month_name, newest_first
from renderer.archive.entry import Entry
from renderer.archive.feeds import feed, robots, site_maps
from renderer.archive.index_page import IndexPage, digest
from renderer.archive.list_pages import list_pages
from renderer.archive.search import write_search
from renderer.archive.search_pages import Documents, Found
from renderer.archive.source_pages import source_facts, source_pages
from renderer.i18n import CHINESE, DEFAULT_LANGUAGE, Catalog, catalog
from renderer.options import Options
from renderer.output import kept_head, replace_if_changed
from renderer.pages.archive_frame import Frame, Link, framed
from renderer.pages.excerpts import one_line
from renderer.pages.sharing import page_address
from renderer.themes import archive_script, archive_style
from renderer.version import VERSION

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
    pages = list(_pages(dated, words, options))
    names = write_search(_found(dated, words), documents, folder, changed)
    # The first list leads to all others, so it takes its place after them.
    names += [_write_page(page, frame, folder, words, options) for page, frame in reversed(pages)]
    for name, text in _for_programs(dated, tuple(page.name for page, _ in pages), words, options):
        replace_if_changed(folder / name, text)
        names.append(name)
    return sorted(names)


def _language(entries: Sequence[Entry]) -> str:
    """That of most conversations."""
    chinese = sum(entry.lang == CHINESE for entry in entries)
    return CHINESE if chinese * 2 > len(entries) else DEFAULT_LANGUAGE


def _pages(dated: Sequence[Dated], words: Catalog, options: Options) -> Iterator[tuple[IndexPage, Frame]]:
    sources, hosts = source_facts(dated)
    heading = _title(words, options)
    to_sources = Link("sources.html", words.say("archive_sources"))
    for page in list_pages(dated, words):
        count = words.say("archive_conversations", n=page.count if page.label else len(dated))
        facts = (count, page.label or _span(dated, words))
        links = (Link("index.html", words.say("archive_all")), to_sources) if page.label else (to_sources,)
        yield page, _frame(page, heading, facts, links, options)
    to_list = (Link("index.html", heading),)
    for page in source_pages(dated, words):
        counts = (words.say("archive_source_count", n=sources), words.say("archive_hosts", n=hosts))
        # What changes with every conversation stands on the first page alone, so that the others need not change.
        yield (
            page,
            _frame(page, words.say("archive_sources"), (page.label,) if page.label else counts, to_list, options),
        )


def _frame(page: IndexPage, heading: str, facts: tuple[str, ...], links: tuple[Link, ...], options: Options) -> Frame:
    title = f"{page.label} · {heading}" if page.label else heading
    shown = tuple(fact for fact in facts if fact)
    return Frame(title, heading, shown, links, _address(page.name, options), _address("feed.xml", options))


def _write_page(page: IndexPage, frame: Frame, folder: Path, words: Catalog, options: Options) -> str:
    """Write a page, unless the one that is there was made of the same: then it is not even rendered."""
    looks = (archive_style(options.theme, words.lang), archive_script(), options.indexable, VERSION)
    made_of = digest((page.made_of, frame, words.lang, words.texts, looks))
    if f'"{made_of}"'.encode() not in kept_head(folder / page.name):
        replace_if_changed(folder / page.name, framed(page.main(), frame, made_of, words, options))
    return page.name


def _title(words: Catalog, options: Options) -> str:
    return one_line(options.title or "") or words.say("archive_title")


def _for_programs(
    dated: Sequence[Dated], pages: Sequence[str], words: Catalog, options: Options
) -> Iterator[tuple[str, str]]:
    yield "robots.txt", robots(options.indexable, _address("sitemap.xml", options))
    if options.base_url:
        address = partial(_address, options=options)
        yield "feed.xml", feed(dated, _title(words, options), address, words)
        yield from site_maps(pages, dated, address)


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
