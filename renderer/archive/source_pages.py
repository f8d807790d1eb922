"""All sources of an archive, by host, with the answers that cite them: one page, or one for each letter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby

from renderer.archive.dated import Dated
from renderer.archive.index_page import IndexPage, digest
from renderer.i18n import Catalog
from renderer.pages.archive_frame import Html, Link
from renderer.pages.environment import render
from renderer.pages.excerpts import beginning, one_line
from renderer.pages.language import language_of_quote

# Bytes of markup on a page.
_ON_A_PAGE = 800_000
# Sources in one section: a host with more has several.
_IN_A_SECTION = 500
_TOP = 100
_TITLE, _PATH, _ANSWER = 120, 80, 60


@dataclass(slots=True)
class _Cited:
    """A source of the archive: `answers` are lists of addresses by the title and first page of their conversation."""

    href: str
    title: str
    verdicts: list[str] = field(default_factory=list)
    answers: dict[tuple[str, str], list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _AnswerView:
    title: str
    href: str
    more: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _SourceView:
    href: str
    title: str
    title_lang: str
    path: str
    verdict_text: str
    answers: tuple[_AnswerView, ...]


@dataclass(frozen=True, slots=True)
class _HostView:
    id: str
    label: str
    count: str
    sources: tuple[_SourceView, ...]


@dataclass(frozen=True, slots=True)
class _Section:
    """Sources of one host, of `count` in all; `size` is about that of their markup in bytes, `made_of` their digest."""

    host: str
    id: str
    count: int
    sources: Sequence[_Cited]
    size: int
    made_of: str


@dataclass(frozen=True, slots=True)
class _Row:
    label: str
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class _Top:
    href: str
    label: str
    count: str


def source_facts(dated: Sequence[Dated]) -> tuple[int, int]:
    """How many sources and hosts the archive has."""
    known = {(source.host, source.href or source.title) for one in dated for source in one.entry.sources}
    return len(known), len({host for host, _ in known if host})


def source_pages(dated: Sequence[Dated], catalog: Catalog) -> Iterator[IndexPage]:
    """Every page of sources; `dated` are all conversations of the archive in their order."""
    hosts = _by_host(dated)
    sections = [section for host in sorted(hosts) for section in _sections(host, hosts[host])]
    if sum(section.size for section in sections) <= _ON_A_PAGE:
        yield IndexPage(
            "sources.html", "", digest([one.made_of for one in sections]), lambda: _main((), "", sections, (), catalog)
        )
        return
    parts = list(_parts(sections))
    rows, top = [(name, letter) for name, letter, _ in parts], _top(parts, hosts, catalog)
    yield IndexPage("sources.html", "", digest((rows, top)), lambda: _main(rows, "", (), top, catalog))
    for name, letter, held in parts:
        made_of = digest((rows, [one.made_of for one in held]))
        yield IndexPage(name, letter.upper(), made_of, partial(_main, rows, name, held, (), catalog))


def _by_host(dated: Sequence[Dated]) -> dict[str, list[_Cited]]:
    """The sources of each host in the order of their titles; one that several conversations cite is there once."""
    cited: dict[str, dict[str, _Cited]] = {}
    for one in dated:
        for source in one.entry.sources:
            together = cited.setdefault(source.host, {})
            name = source.href or f" {source.title}"
            held = together.get(name)
            if held is None:
                held = together[name] = _Cited(source.href, source.title)
            if source.verdict not in held.verdicts:
                held.verdicts.append(source.verdict)
            answers = held.answers.setdefault((one.title, one.entry.pages[0]), [])
            answers += [answer for answer in source.answers if answer not in answers]
    return {
        host: sorted(sources.values(), key=lambda source: (source.title.casefold(), source.title, source.href))
        for host, sources in cited.items()
    }


def _sections(host: str, sources: Sequence[_Cited]) -> Iterator[_Section]:
    for start in range(0, len(sources), _IN_A_SECTION):
        # Hosts are untrusted, and an id is part of an address.
        tag = "h-" + digest(host)[:8] + (f"-{start}" if start else "")
        held = sources[start : start + _IN_A_SECTION]
        texts = [repr((one.href, one.title, one.verdicts, one.answers)) for one in held]
        # What a page shows of a source is in its text; the rest is markup, known before it is rendered.
        size = sum(len(text.encode("utf-8", "replace")) + 450 + 60 * text.count("#") for text in texts)
        yield _Section(host, tag, len(sources), held, size, digest((tag, len(sources), texts)))


def _section(section: _Section, catalog: Catalog) -> Html:
    view = _HostView(
        id=section.id,
        label=section.host or catalog.say("archive_no_host"),
        count=catalog.say("archive_source_count", n=section.count),
        sources=tuple(_source(source, catalog) for source in section.sources),
    )
    return render("archive/host", host=view, cited_in=catalog.say("archive_cited_in"))


def _source(source: _Cited, catalog: Catalog) -> _SourceView:
    title = beginning(one_line(source.title), _TITLE)
    # An address that may be linked is plain: what follows its host is its path.
    path = "/".join(source.href.split("/")[3:])
    verdicts: Mapping[str, str] = catalog.texts["archive_verdicts"]
    words = [word for verdict, word in verdicts.items() if verdict in source.verdicts]
    answers = [
        _AnswerView(beginning(title, _ANSWER), hrefs[0], tuple(hrefs[1:]))
        for (title, _), hrefs in source.answers.items()
        if hrefs
    ]
    return _SourceView(
        href=source.href,
        title=title or source.href,
        title_lang=language_of_quote(title, catalog.lang),
        path=beginning(f"/{path}", _PATH) if path else "",
        verdict_text=catalog.say("list_comma").join(words),
        answers=tuple(answers),
    )


# --- Large archives --------------------------------------------------------------------------------------------

_Held = tuple[str, str, list[_Section]]


def _parts(sections: Sequence[_Section]) -> Iterator[_Held]:
    """The pages: name, letter and sections; sections in order, so that letters are too."""
    for letter, group in groupby(sections, key=lambda section: _letter(section.host)):
        page: list[_Section] = []
        size, count = 0, 1
        for section in group:
            if page and size + section.size > _ON_A_PAGE:
                yield _name(letter, count), letter, page
                page, size, count = [], 0, count + 1
            page.append(section)
            size += section.size
        yield _name(letter, count), letter, page


def _letter(host: str) -> str:
    first = host[:1].casefold()
    return first if first.isascii() and first.isalnum() else "–"


def _name(letter: str, count: int) -> str:
    which = "" if count == 1 else f"-{count}"
    return f"sources-{'other' if letter == '–' else letter}{which}.html"


def _top(parts: Sequence[_Held], hosts: Mapping[str, Sequence[_Cited]], catalog: Catalog) -> tuple[_Top, ...]:
    """The hosts that most answers cite."""
    cited = Counter(
        {host: sum(len(hrefs) for one in held for hrefs in one.answers.values()) for host, held in hosts.items()}
    )
    places: dict[str, str] = {}
    for name, _, sections in parts:
        for section in sections:
            places.setdefault(section.host, f"{name}#{section.id}")
    most = sorted((-count, host) for host, count in cited.items() if host)[:_TOP]
    return tuple(_Top(places[host], host, catalog.say("archive_source_count", n=len(hosts[host]))) for _, host in most)


def _main(
    parts: Sequence[tuple[str, str]],
    name: str,
    sections: Sequence[_Section],
    top: tuple[_Top, ...],
    catalog: Catalog,
) -> Html:
    links = [Link(part, _shown(part, letter), part == name) for part, letter in parts]
    rows = [_Row(catalog.say("archive_letters"), tuple(links))] if links else []
    return render(
        "archive/sources",
        parts=render("archive/parts", rows=rows, label=catalog.say("archive_letters")),
        hosts=[_section(section, catalog) for section in sections],
        top=top,
        top_label=catalog.say("archive_top_hosts"),
        empty="" if sections or parts else catalog.say("archive_no_sources"),
    )


def _shown(name: str, letter: str) -> str:
    """What a link to a page of sources says: the letter, or the page's number among several of one letter."""
    _, *which = name.removesuffix(".html").split("-")
    return which[1] if len(which) > 1 else letter.upper()
