"""What a caller may choose about a page."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Literal

from renderer.model import SourceTool

Steps = Literal["folded", "hidden", "full"]
OnInvalid = Literal["strip", "mark", "plain"]


@dataclass(frozen=True, slots=True)
class Options:
    """What a caller may choose about a page.

    lang           BCP 47 tag of a language of the catalog, or "auto": from the conversation
    theme, title   the name of a theme; a title in place of the conversation's own, unless None
    time_zone      an IANA name, None for the zone of the file
    steps          the tool calls: folded into one line per round, hidden, or shown in full with their arguments
    show_thinking  whether the model's thinking is shown
    indexable      whether search engines may list the page
    tools          the tools whose answers give sources, None for those that citepage knows
    click          what activating a number does, None for the usual: the drawer in retrieval answers, else the list
    source_base    the absolute http(s) address that relative ones are joined to, "" to leave them unlinked
    on_invalid     markers of retrieval answers that name no source: removed (strip), struck with a reason (mark), or
                   all citations of such an answer are dropped (plain)
    highlight      whether code whose language is named gets its colours
    passage_budget, page_budget     how much is kept of a passage, and of all passages of a page (code points)
    media          the folder with the files that the export names, None without one
    picture_bytes, pictures_bytes   how big a picture of the page may be, and all of them together (bytes)
    base_url       the absolute http(s) address of the folder where the page will be published, or of the page itself
                   when it ends in .html; "" where that is not known
    """

    lang: str = "auto"
    theme: str = "paper"
    title: str | None = None
    time_zone: str | None = None
    steps: Steps = "folded"
    show_thinking: bool = False
    indexable: bool = False
    tools: tuple[SourceTool, ...] | None = None
    click: Literal["list", "drawer"] | None = None
    source_base: str = ""
    on_invalid: OnInvalid = "strip"
    highlight: bool = True
    passage_budget: int = 2_000
    page_budget: int = 200_000
    media: str | PathLike[str] | None = None
    picture_bytes: int = 2_000_000
    pictures_bytes: int = 10_000_000
    base_url: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page will stand: its own absolute `address`, and the names of the files beside it; "" for none."""

    address: str = ""
    markdown: str = ""
    data: str = ""
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The files to write beside a page: `formats` of its conversation (of `FORMATS`), and a picture of its title.

    `font` is the path of the picture's font, None to find one.
    """

    formats: tuple[str, ...] = ()
    picture: bool = False
    font: str | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What a page of a series may hold: so many `rounds`, and `size` bytes of HTML, head and foot aside.

    One round is never cut, however big. A page that is at nine tenths of the size takes no further round.
    """

    size: int = 950_000
    rounds: int = 500


# By the ending of the file's name.
FORMATS = ("md", "json")
NOTHING = Wanted()
NOWHERE = Place()
LIMITS = Limits()
DEFAULTS = Options()
