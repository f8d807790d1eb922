"""What a site says to programs: a feed (RFC 4287), a map (sitemaps.org) and what robots may do (RFC 9309).

Feed and map need absolute addresses, so there are none without `--base-url`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC
from xml.sax.saxutils import escape, quoteattr

from renderer.archive.dated import Dated
from renderer.i18n import Catalog
from renderer.markdown.hygiene import clean
from renderer.version import VERSION

_IN_THE_FEED = 50
# https://www.sitemaps.org/protocol.html#index
_IN_A_MAP = 50_000
_HEAD = f'<?xml version="1.0" encoding="utf-8"?>\n<!-- citepage {VERSION} -->\n'
# What XML 1.0 does not allow and `clean` leaves in.
_NO_XML = re.compile("[\ufffe\uffff]")

# The absolute address of a file of the site.
Address = Callable[[str], str]


def feed(dated: Sequence[Dated], title: str, address: Address, catalog: Catalog) -> str:
    """The newest conversations as Atom; one without a date is in no feed, as each must say when it was."""
    shown = [one for one in dated if one.moment][:_IN_THE_FEED]
    updated = max((_utc(one) for one in shown), default="1970-01-01T00:00:00Z")
    entries = "".join(_feed_entry(one, address) for one in shown)
    return (
        f'{_HEAD}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang={_quoted(catalog.lang)}>\n'
        f"<id>{_text(address('index.html'))}</id>\n<title>{_text(title)}</title>\n<updated>{updated}</updated>\n"
        f'<link rel="self" type="application/atom+xml" href={_quoted(address("feed.xml"))}/>\n'
        f'<link rel="alternate" type="text/html" href={_quoted(address("index.html"))}/>\n'
        f'<generator version="{VERSION}">citepage</generator>\n{entries}</feed>\n'
    )


def site_maps(names: Sequence[str], dated: Sequence[Dated], address: Address) -> Iterator[tuple[str, str]]:
    """The map as (file, text): `names` are the index pages. One of more than 50,000 addresses comes in parts."""
    urls = [_url(address(name)) for name in names]
    urls += [_url(address(page), _utc(one)) for one in dated for page in one.entry.pages]
    if len(urls) <= _IN_A_MAP:
        yield "sitemap.xml", _map("urlset", urls)
        return
    starts = range(0, len(urls), _IN_A_MAP)
    parts = [f"sitemap-{count}.xml" for count, _ in enumerate(starts, start=1)]
    yield (
        "sitemap.xml",
        _map("sitemapindex", [f"<sitemap><loc>{_text(address(name))}</loc></sitemap>\n" for name in parts]),
    )
    for name, start in zip(parts, starts, strict=True):
        yield name, _map("urlset", urls[start : start + _IN_A_MAP])


def robots(indexable: bool, site_map: str) -> str:
    """What search engines may look at: all, with the address of the map ("" for none), or nothing."""
    rule = "Allow: /" if indexable else "Disallow: /"
    said = f"Sitemap: {site_map}\n" if indexable and site_map else ""
    return f"# citepage {VERSION}\nUser-agent: *\n{rule}\n{said}"


def _feed_entry(one: Dated, address: Address) -> str:
    href = address(one.entry.pages[0])
    author = _text(one.entry.agent).strip() or "citepage"
    return (
        f"<entry>\n<id>{_text(href)}</id>\n<title>{_text(one.title)}</title>\n<updated>{_utc(one)}</updated>\n"
        f"<author><name>{author}</name></author>\n<link href={_quoted(href)}/>\n</entry>\n"
    )


def _map(tag: str, items: Sequence[str]) -> str:
    return f'{_HEAD}<{tag} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{"".join(items)}</{tag}>\n'


def _url(address: str, modified: str = "") -> str:
    return f"<url><loc>{_text(address)}</loc>" + (f"<lastmod>{modified}</lastmod>" if modified else "") + "</url>\n"


def _utc(one: Dated) -> str:
    return f"{one.moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}" if one.moment else ""


def _text(text: str) -> str:
    return escape(_NO_XML.sub("", clean(text)))


def _quoted(text: str) -> str:
    return quoteattr(_NO_XML.sub("", clean(text)))
