"""What the writers of tokens share: what writing one text collects, and the way to what stands inside a token."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from renderer.markdown.emphasis import Token
from renderer.markdown.inserts import SENTINEL_END, SENTINEL_START, Formula, Insert
from renderer.markdown.math import Budget

# k is None for a number that names no source.
Listed: TypeAlias = Mapping[str, tuple[tuple[int, int | None], ...]]


@dataclass(slots=True)
class Context:
    """What writing one text collects. `listed` maps a marker as written to the (n, k) of its numbers to be seen.

    `writers` is the table of all writers, by token type. `notes` maps a note's key to its number. `colours` is how
    much code (code points) may still be coloured.
    """

    writers: Mapping[str, Writer]
    nonce: str
    listed: Listed
    notes: dict[str, int]
    colours: int
    inserts: list[Insert | Formula] = field(default_factory=list)
    math: Budget = field(default_factory=Budget)
    places: Counter[int] = field(default_factory=Counter)
    note_places: Counter[int] = field(default_factory=Counter)
    headings: list[int] = field(default_factory=list)

    def write(self, tokens: list[Token]) -> str:
        """The HTML of `tokens`, each by its writer in the table."""
        return "".join(self.writers.get(token["type"], _unknown)(token, self) for token in tokens)

    def children(self, token: Token) -> str:
        """The HTML of what stands inside `token`."""
        return self.write(token.get("children", []))

    def put(self, insert: Insert | Formula) -> str:
        """The sentinel where `insert` will stand."""
        self.inserts.append(insert)
        return f"{SENTINEL_START}{self.nonce}.{len(self.inserts) - 1}{SENTINEL_END}"

    def formula(self, tex: str, *, is_block: bool) -> str | None:
        """The sentinel where a formula will stand; None if its source is to be shown."""
        mathml = self.math.to_mathml(tex)
        return self.put(Formula(tex, mathml, is_block)) if mathml else None


# Writes one token.
Writer: TypeAlias = Callable[[Token, Context], str]


def escape(text: str) -> str:
    """`text` as HTML text or attribute value."""
    return html.escape(text, quote=True)


def _unknown(token: Token, context: Context) -> str:
    """A token of a type that is not in the table: its words are kept."""
    return context.children(token) if "children" in token else escape(token.get("raw", ""))
