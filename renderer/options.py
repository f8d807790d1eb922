"""What a caller may choose about a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from renderer.model import SourceTool

Steps = Literal["folded", "hidden", "full"]


@dataclass(frozen=True, slots=True)
class Options:
    """Choices that change a page. The same input, version and options give the same bytes.

    `lang`: "auto", or the name of a locale. `theme`: the name of a theme. `title`: replaces the file's title when not
    None. `time_zone`: an IANA name, None for the zone of the file. `steps`: the tool calls folded into one line per
    round, not shown, or shown open with their arguments. `indexable`: whether search engines may list the page.
    `tools`: the tools whose answers give sources, None for those that citepage knows.
    """

    lang: str = "auto"
    theme: str = "paper"
    title: str | None = None
    time_zone: str | None = None
    steps: Steps = "folded"
    show_thinking: bool = False
    indexable: bool = False
    tools: tuple[SourceTool, ...] | None = None


DEFAULTS = Options()
