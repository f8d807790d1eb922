"""Tokens → HTML: one small function per token type, in the table `WRITERS`.

Everything from the text is escaped here (code in `highlight`). Our own markup is not written here: where it goes, a
sentinel stands, and `inserts` says what belongs there (see `sanitize`).
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from renderer.markdown.highlight import MAX_COLOURED
from renderer.markdown.html_blocks import BLOCKS, footnotes
from renderer.markdown.html_context import Context, Listed, Writer
from renderer.markdown.html_inline import INLINE
from renderer.markdown.inserts import FootnoteBacks, Formula, Insert
from renderer.markdown.parse import Tokens

# Token type → its writer. They are in `html_inline` and `html_blocks`; all are given a `html_context`.
WRITERS: dict[str, Writer] = INLINE | BLOCKS


@dataclass(frozen=True, slots=True)
class Unsafe:
    """HTML that is not sanitized yet, with the inserts that its sentinels stand for."""

    html: str
    nonce: str
    inserts: tuple[Insert | Formula, ...]


def write_html(tokens: Tokens, listed: Listed, text: str, *, highlight: bool = True) -> Unsafe:
    """The HTML of transformed `tokens`.

    `listed` maps each marker as written to its numbers, as (n, k), k None to strike it. `text` is what the tokens came
    from: the sentinels carry a nonce made of it, so that a text cannot hold one that it did not get here. `highlight`
    is whether code gets its colours.
    """
    nonce = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    notes = {key: number for number, key in enumerate(tokens.footnotes, 1)}
    context = Context(WRITERS, nonce, listed, notes, MAX_COLOURED if highlight else 0)
    body = context.write(tokens.blocks)
    ending = footnotes(tokens, context)
    return Unsafe(body + ending, nonce, tuple(_with_places(insert, context) for insert in context.inserts))


def _with_places(insert: Insert | Formula, context: Context) -> Insert | Formula:
    """Notes may refer to notes, so how often one is referred to is known only at the end."""
    if isinstance(insert, FootnoteBacks):
        return FootnoteBacks(insert.number, context.note_places[insert.number])
    return insert
