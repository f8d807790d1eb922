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
    """Choices that change a page. The same input, version and options give the same bytes.

    `lang`: "auto", or the name of a locale. `theme`: the name of a theme. `title`: replaces the file's title when not
    None. `time_zone`: an IANA name, None for the zone of the file. `steps`: the tool calls folded into one line per
    round, not shown, or shown open with their arguments. `indexable`: whether search engines may list the page.
    `tools`: the tools whose answers give sources, None for those that citepage knows. `click`: what activating a number
    does, None for the usual: the drawer in retrieval answers, the list elsewhere. `source_base`: the absolute
    http(s) address that relative ones are joined to, "" to leave them unlinked. `on_invalid`: markers of retrieval
    answers that name no source are removed, shown struck with a reason, or (plain) all citations of such an answer are
    dropped. The budgets are code points kept of a passage, and of all passages of a page. `highlight`: whether code whose language is
    named gets its colours. `media`: the folder
    with the files that the export names, None without one. `picture_bytes`: how big a picture may be that the page
    carries, `pictures_bytes`: all of them together.
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


DEFAULTS = Options()
