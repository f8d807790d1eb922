"""What binds the sources of an answer to a page: digests that the page carries, and by which `verify` knows changes.

A digest finds accidents and careless edits; whoever changes a page on purpose can change its digests too.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterable

PASSAGE_CLASS = "passage-text"

# Of a list of sources, beside its words: what names things, where it leads, times for programs, digests.
BOUND = re.compile(r"id|title|href|datetime|data-[a-z-]+")

# For HTML of our own templates, where every attribute is in double quotes and no text holds a raw sign of markup.
_PASSAGE_WORDS = re.compile(rf'(<div class="{PASSAGE_CLASS}"[^>]*>).*?</div>', re.DOTALL)
_WAY_BACK = re.compile(r'<a [^>]*role="doc-backlink"[^>]*>')
_SAID = re.compile(rf' ((?:{BOUND.pattern})="[^"]*")|>([^<]+)')


def passage_digest(paragraphs: Iterable[str]) -> str:
    """The SHA-256 (hex) of a passage as a page shows it: its paragraphs, joined by line feeds, as UTF-8."""
    return _sha256("\n".join(paragraphs))


def sources_digest(list_html: str) -> str:
    """The SHA-256 (hex) of a list of sources that was just written: see `said_digest`."""
    # A plain string: what is put into a Markup is escaped, here too.
    bare = _WAY_BACK.sub("<a>", _PASSAGE_WORDS.sub(r"\1", str(list_html)))
    return said_digest(html.unescape(attribute or words) for attribute, words in _SAID.findall(bare))


def said_digest(said: Iterable[str]) -> str:
    """The SHA-256 (hex) of what a list of sources says, in its order: words, and attributes as `name="value"`.

    The words of passages are not among them, they have digests of their own, which are; nor are ways back to the text.
    """
    return _sha256(" ".join(" ".join(said).split()))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
