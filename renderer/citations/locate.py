"""The way from a source to the very place in it: an anchor, a page of a PDF, or a text fragment.

Text fragments: https://wicg.github.io/scroll-to-text-fragment/ ; pages of a PDF: RFC 8118.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from renderer.citations.urls import Address

MAX_PAGE = 99_999
# A run that is searched for on the page: long enough to be the only one, short enough to survive small edits.
_MIN_WORDS, _MAX_WORDS = 4, 12
_MIN_CJK, _MAX_CJK = 8, 40

# Runs that are looked for before the bare address has to do: each look costs a pass over the passage.
_MAX_TRIED = 40

# Every combining character is one of these.
_NO_LETTER = re.compile(r"[^\w\x00-\x7f]")
# Browsers look for whole words, so a run begins with one.
_NO_WORD_FIRST = re.compile(r"\A[\W_]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
# Between these a run reads on a page as it reads here: not across marks of Markdown, nor what snippets are joined with.
_BREAKS = re.compile(r"[\n\r\t*_`#|<>\[\]{}\\…·•]+|\.{2,}|!\[|\s{2,}|[。！？!?；;]|(?<=[A-Za-z]{3})\.\s")


def way_to_passage(address: Address, page: int | None, passage: str, preferred: Sequence[str] = ()) -> str:
    """The address to link, as far into the document as it can be told.

    An address with an anchor stays; a PDF is opened at `page`; else the browser is asked to find a distinctive run of
    `passage` (of one of the `preferred` sentences, if there are any). Without either it is the bare address.
    """
    href = address.href
    if "#" in href:
        return href
    if _is_pdf(address):
        return f"{href}#page={page}" if page is not None and 1 <= page <= MAX_PAGE else href
    run = next(distinctive_runs(passage, preferred), "")
    return f"{href}#:~:text={_encoded(run)}" if run else href


def distinctive_runs(passage: str, preferred: Sequence[str] = ()) -> Iterator[str]:
    """Runs of words that stand exactly once in `passage` as browsers compare, those of the `preferred` sentences first.

    They compare base characters only, without case and accents (Scroll to Text Fragment, "find a range from a node
    list").
    """
    flat = _base_characters(" ".join(passage.split()))
    tried = 0
    for text in (*preferred, passage):
        for clause in _BREAKS.split(text):
            run = _run_of(clause)
            if not run or tried > _MAX_TRIED:
                continue
            tried += 1
            looked_for = _base_characters(run)
            first = flat.find(looked_for)
            if first >= 0 and flat.find(looked_for, first + 1) < 0:
                yield run


def _base_characters(text: str) -> str:
    return _NO_LETTER.sub(_unless_combining, unicodedata.normalize("NFKD", text)).casefold()


def _unless_combining(char: re.Match[str]) -> str:
    return "" if unicodedata.combining(char[0]) else char[0]


def _run_of(clause: str) -> str:
    """The clause, or its first words; "" when it is too short to be the only one of its kind."""
    words = _NO_WORD_FIRST.sub("", " ".join(clause.split()).rstrip(" ,，、:：\"“”'‘’()（）"))
    if _CJK.search(words):
        return _cjk_run(words)
    parts = words.split(" ")
    return " ".join(parts[:_MAX_WORDS]) if len(parts) >= _MIN_WORDS else ""


def _cjk_run(words: str) -> str:
    # A browser matches whole words only, and cuts Chinese into words itself: so a run ends where a clause ends.
    if _MIN_CJK <= len(words) <= _MAX_CJK:
        return words
    parts = re.split("[，、：,:]", words)
    return next((part.strip() for part in parts if _MIN_CJK <= len(part.strip()) <= _MAX_CJK), "")


def _is_pdf(address: Address) -> bool:
    return address.path.split("?", 1)[0].lower().endswith(".pdf")


def _encoded(run: str) -> str:
    # The hyphen, the comma and the ampersand mean something in a text directive.
    return quote(run, safe="", errors="replace").replace("-", "%2D")
