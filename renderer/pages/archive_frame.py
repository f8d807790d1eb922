"""What stands around the lists of an archive: head, policy, style and script of its index pages."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from renderer.i18n import Catalog
from renderer.options import Options
from renderer.pages.environment import render
from renderer.pages.head import GENERATOR, hash_source
from renderer.themes import archive_script, archive_style
from renderer.version import VERSION

# What templates give: escaped, and to be put into other templates as it is.
Html = Markup


@dataclass(frozen=True, slots=True)
class Link:
    """A link of an index page to another part of the site."""

    href: str
    label: str
    here: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """What an index page says besides its list: `facts` and `links` stand below the heading."""

    title: str
    heading: str
    facts: tuple[str, ...]
    links: tuple[Link, ...]
    address: str = ""
    feed: str = ""


@dataclass(frozen=True, slots=True)
class _FrameView:
    lang: str
    direction: str
    policy: Markup
    style: Markup
    script: Markup
    generator: str
    made_of: str
    indexable: bool
    title: str
    heading: str
    facts: tuple[str, ...]
    links: tuple[Link, ...]
    address: str
    feed: str
    skip_label: str
    made_with: str


def framed(main: Markup, frame: Frame, made_of: str, catalog: Catalog, options: Options) -> str:
    """The whole HTML of an index page; `made_of` is a digest of what it shows, for the next run to go by."""
    style, script = archive_style(options.theme, catalog.lang), archive_script()
    view = _FrameView(
        lang=catalog.lang,
        direction=catalog.direction,
        policy=Markup(_policy(style, script)),
        style=Markup(style),
        script=Markup(script),
        generator=f"{GENERATOR} {VERSION}",
        made_of=made_of,
        indexable=options.indexable,
        title=frame.title,
        heading=frame.heading,
        facts=frame.facts,
        links=frame.links,
        address=frame.address,
        feed=frame.feed,
        skip_label=catalog.say("archive_skip"),
        made_with=catalog.say("made_with", version=VERSION),
    )
    return render("archive/frame", frame=view, main=main)


def _policy(style: str, script: str) -> str:
    """Only our own script and style run, and our script may load the search's files, from disk as from a server.

    'self' would do in Chromium, but it lets a page from disk load any file of the disk, and elements of the markup load
    too. 'strict-dynamic' trusts no address at all: only what the script itself asks for; and Trusted Types let that be
    nothing but `search/NAME.js`, checked in one place of the script. Tried in Chromium 156 from file: and http:;
    `script-src file:` fails over http, and so does a hash without 'strict-dynamic' everywhere.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src '{hash_source(script)}' 'strict-dynamic'",
            f"style-src '{hash_source(style)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types citepage-search",
        )
    )
