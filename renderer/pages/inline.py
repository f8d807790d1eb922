"""Our own markup inside a text: what stands at each sentinel once the text is safe."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from markupsafe import Markup

from renderer.i18n import Catalog
from renderer.markdown.hygiene import clean
from renderer.markdown.inserts import (
    CiteRef,
    Close,
    CodeEnd,
    CodeStart,
    FootnoteAnchor,
    FootnoteBacks,
    FootnoteRef,
    Insert,
    InvalidRef,
    Open,
    Picture,
    TaskBox,
)
from renderer.model import CheckedAnswer
from renderer.pages.code import code_end, code_start
from renderer.pages.context import PageContext
from renderer.pages.environment import render
from renderer.pages.identifiers import footnote_id, footnote_reference_id, reference_id, source_id
from renderer.pages.pictures import picture_view
from renderer.pages.sources import source_heading

_CITE = Markup(
    '<sup class="cite-ref" data-n="{n}">'
    '<a id="{id}" href="#{target}" role="doc-biblioref" aria-label="{name}">[{k}]</a></sup>'
)


def insert_renderer(mid: str, checked: CheckedAnswer, page: PageContext) -> Callable[[Insert], Markup]:
    """The function that writes the inserts of the message whose HTML id is `mid`."""
    catalog = page.catalog
    names = {source.k: source_heading(source) for source in checked.sources}

    def write(insert: Insert) -> Markup:
        match insert:
            case CiteRef(k, n, place):
                title, host = names[k]
                where = f"{title}{catalog.say('list_comma')}{host}" if host else title
                name = clean(catalog.say("cite_name", k=k, source=where))
                return _CITE.format(n=n, id=reference_id(mid, k, place), target=source_id(mid, k), name=name, k=k)
            case InvalidRef(raw):
                return render("inline/invalid", raw=raw, say=catalog.say)
            case FootnoteRef() | FootnoteAnchor() | FootnoteBacks():
                return _footnote(insert, mid, catalog)
            case CodeStart(info, lines):
                return code_start(info, lines, catalog)
            case CodeEnd(lines):
                return code_end(lines)
            case Open(kind):
                return render(f"inline/{kind}-open", say=catalog.say)
            case Close(kind):
                return _CLOSE[kind]
            case TaskBox(checked=done):
                return render("inline/task", done=done, say=catalog.say)
            case Picture(alt, url, title):
                alt = f"{alt} ({title})" if alt and title else alt or title
                return render("inline/picture", picture=picture_view(url, alt, page), say=catalog.say)
        assert_never(insert)

    return write


_CLOSE = {"table": Markup("</div>"), "footnotes": Markup("</section>")}


def _footnote(insert: FootnoteRef | FootnoteAnchor | FootnoteBacks, mid: str, catalog: Catalog) -> Markup:
    number = insert.number
    match insert:
        case FootnoteRef(place=place):
            return Markup(
                '<sup class="footnote-ref"><a id="{}" href="#{}" role="doc-noteref" aria-label="{}">{}</a></sup>'
            ).format(
                footnote_reference_id(mid, number, place),
                footnote_id(mid, number),
                catalog.say("footnote_name", number=number),
                number,
            )
        case FootnoteAnchor():
            return Markup('<span class="footnote-anchor" id="{}"></span>').format(footnote_id(mid, number))
        case FootnoteBacks(places=places):
            return Markup(" ").join(
                Markup('<a class="footnote-back" href="#{}" role="doc-backlink" aria-label="{}">↩</a>').format(
                    footnote_reference_id(mid, number, place),
                    catalog.say("footnote_back_name", number=number, place=place),
                )
                for place in range(1, places + 1)
            )
    assert_never(insert)
