"""All the words of a text that was read as Markdown, for who looks for words: a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from renderer.markdown.hygiene import clean
from renderer.markdown.parse import Tokens
from renderer.markdown.transforms import tidy_markers

_NO_WORDS = frozenset(("marker", "footnote_ref"))
_BREAKS = frozenset(("softbreak", "linebreak", "thematic_break", "blank_line"))
_INLINE = frozenset(("text", "codespan", "math", "inline_html", "strong", "emphasis", "strikethrough", "link", "image"))


def all_words(tokens: Tokens) -> str:
    """The words in one line: of headings, paragraphs, lists, tables, code and footnotes, without marks and markers."""
    tidy = tidy_markers(tokens, lambda _raw: True)
    parts = [part for blocks in (tidy.blocks, *tidy.footnotes.values()) for part in _parts(blocks)]
    return " ".join(clean("".join(parts)).split())


def _parts(siblings: Sequence[dict[str, Any]]) -> Iterator[str]:
    for token in siblings:
        kind = token["type"]
        if kind in _NO_WORDS:
            continue
        if kind in _BREAKS:
            yield " "
        elif "children" in token:
            yield from _parts(token["children"])
        else:
            yield str(token.get("raw", ""))
        if kind not in _INLINE:
            yield " "
