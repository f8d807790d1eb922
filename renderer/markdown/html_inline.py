"""Tokens within a line → HTML: words, markers, formulas, links, pictures."""

from __future__ import annotations

import re

from renderer.citations.urls import parse_address
from renderer.markdown.emphasis import Token
from renderer.markdown.html_context import Context, Writer, escape
from renderer.markdown.hygiene import clean
from renderer.markdown.inserts import CiteRef, FootnoteRef, Insert, InvalidRef, Picture
from renderer.markdown.math import tex_of
from renderer.markdown.transforms import decode_entities, plain_text


def _text(token: Token, _context: Context) -> str:
    return escape(token["raw"])


def _wrapped(tag: str) -> Writer:
    def write(token: Token, context: Context) -> str:
        # What held nothing but a removed marker leaves nothing behind.
        inner = context.children(token)
        return f"<{tag}>{inner}</{tag}>" if inner.strip() else inner

    return write


def _html_tag(token: Token, context: Context) -> str:
    return f"<{token['tag']}>{context.children(token)}</{token['tag']}>"


def _codespan(token: Token, _context: Context) -> str:
    return f"<code>{escape(token['raw'])}</code>"


def _marker(token: Token, context: Context) -> str:
    pairs = context.listed.get(token["raw"], ())
    if all(k is None for _, k in pairs):
        return context.put(InvalidRef(token["raw"]))
    return "".join(context.put(_reference(n, k, context)) for n, k in pairs)


def _reference(n: int, k: int | None, context: Context) -> Insert:
    if k is None:
        return InvalidRef(f"[{n}]")
    context.places[k] += 1
    return CiteRef(k=k, n=n, place=context.places[k])


def _math(token: Token, context: Context) -> str:
    made = context.formula(tex_of(token["raw"]), is_block=token["display"])
    return made or f'<span class="math">{escape(token["raw"])}</span>'


_MAILTO = re.compile(r"mailto:[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+", re.IGNORECASE)


def _link(token: Token, context: Context) -> str:
    url = clean(token["attrs"]["url"])
    title = decode_entities(token["attrs"].get("title") or "")
    # A link without words would be one that nobody sees.
    text = context.children(token) if plain_text(token["children"]).strip() else escape(url)
    if _MAILTO.fullmatch(url):
        href = url
    elif address := parse_address(url):
        href = address.href
    else:
        # Not an address that we link: the words stay, and so does what they pointed to.
        details = [url if text != escape(url) else "", f"“{title}”" if title else ""]
        said = " ".join(detail for detail in details if detail)
        return f"{text} ({escape(said)})" if said else text
    extra = f' title="{escape(title)}"' if title else ""
    return f'<a href="{escape(href)}"{extra}>{text}</a>'


def _image(token: Token, context: Context) -> str:
    title = decode_entities(token["attrs"].get("title") or "")
    return context.put(Picture(plain_text(token["children"]), clean(token["attrs"]["url"]), title))


def _footnote_ref(token: Token, context: Context) -> str:
    number = context.notes[token["key"]]
    context.note_places[number] += 1
    return context.put(FootnoteRef(number, context.note_places[number]))


INLINE: dict[str, Writer] = {
    "text": _text,
    "emphasis": _wrapped("em"),
    "strong": _wrapped("strong"),
    "strikethrough": _wrapped("del"),
    "html_tag": _html_tag,
    "codespan": _codespan,
    "linebreak": lambda _token, _context: "<br>\n",
    "softbreak": lambda _token, _context: "\n",
    "inline_html": _text,
    "marker": _marker,
    "math": _math,
    "link": _link,
    "image": _image,
    "footnote_ref": _footnote_ref,
}
