"""The stage as its callers see it: read a text once, ask for its markers, write it as a safe fragment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import Markup

from renderer.markdown.html import write_html
from renderer.markdown.hygiene import clean
from renderer.markdown.inserts import Insert
from renderer.markdown.long_data import restored, shortened
from renderer.markdown.parse import Tokens, parse
from renderer.markdown.sanitize import as_written, finish
from renderer.markdown.transforms import markers_of, tidy_markers, transform
from renderer.model import CheckedAnswer, Marker

# A longer text (bytes of UTF-8, without the bytes of pictures in it) is shown as it was written: laying it out would
# take longer than a reader waits.
MAX_TEXT = 256 * 1024


@dataclass(frozen=True, slots=True)
class Document:
    """A text that was read. `tokens` is None when it is shown as written; then it has no markers.

    `markers` are those in text tokens, in the order of the page.
    """

    text: str
    tokens: Tokens | None
    markers: tuple[Marker, ...]


def read_markdown(text: str, dialect: str) -> Document:
    """Parse `text`, whose markers are of `dialect` ("" for none). Never raises: what it cannot read stays as it is."""
    text = clean(text)
    short, long_data = shortened(text)
    if len(short.encode()) > MAX_TEXT:
        return Document(text, None, ())
    try:
        tokens = transform(restored(parse(short, dialect), long_data))
        return Document(text, tokens, markers_of(tokens, dialect))
    except Exception:  # a defect of a parser must not cost the page; the notice says that the text is as written
        return Document(text, None, ())


def write_fragment(
    document: Document,
    checked: CheckedAnswer,
    render: Callable[[Insert], Markup],
    *,
    keep_invalid: bool = False,
    highlight: bool = True,
) -> Markup:
    """The safe HTML of `document`: `render` writes the listed markers, all others leave nothing behind.

    With `keep_invalid` what names no source is given to `render` too: a marker, or a number of one that names others.
    `highlight` is whether code gets its colours.
    """
    if document.tokens is None:
        return as_written(document.text)
    listed = {
        marker.raw: tuple(
            (n, source.k if source else None)
            for n, source in ((n, checked.by_n.get(n)) for n in marker.numbers)
            if source or keep_invalid
        )
        for marker in document.markers
    }
    tokens = tidy_markers(document.tokens, lambda raw: not listed.get(raw))
    return finish(write_html(tokens, listed, document.text, highlight=highlight), render)
