"""Whether the markers of a generated answer name sources that there are (second design, §4)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from renderer.citations.markers import DIALECTS
from renderer.errors import RendererError


@dataclass(frozen=True, slots=True)
class Validation:
    """The check of one answer. `invalid_ids` and `unused_ids` ascend; `citation_count` counts different numbers.

    It is about numbers, as the second design has it: `[5-9]` is five. Audit and page count it as the one marker that
    the model wrote.
    """

    valid: bool
    invalid_ids: tuple[int, ...]
    unused_ids: tuple[int, ...]
    citation_count: int


def validate_citations(answer: str, n_sources: int, *, dialect: str = "bracket") -> Validation:
    """Check the markers of `answer` against sources 1…`n_sources`.

    `dialect` is the marker syntax: "bracket" (`[1]`, `[1,3]`, `[2-4]`) or "caret" (`[^1^]`). Every marker counts, in
    code too. Raises RendererError for a dialect that there is not.
    """
    if dialect not in DIALECTS:
        raise RendererError("", f"there is no marker dialect {dialect!r}", f"choose one of: {', '.join(DIALECTS)}")
    syntax = DIALECTS[dialect]
    cited = {number for raw in re.findall(syntax.pattern, answer) for number in syntax.numbers(raw)}
    sources = set(range(1, n_sources + 1))
    invalid = cited - sources
    return Validation(not invalid, tuple(sorted(invalid)), tuple(sorted(sources - cited)), len(cited))
