"""Tokens → HTML: one small function per token type, in the table `WRITERS`.

Everything from the text is escaped here (code in `highlight`). Our own markup is not written here: where it goes, a
sentinel stands, and `inserts` says what belongs there (see `sanitize`).
"""

from __future__ import annotations

import hashlib
import html
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from renderer.citations.urls import parse_address
from renderer.markdown.emphasis import Token
from renderer.markdown.highlight import MAX_COLOURED, code_html, is_known, language_of
from renderer.markdown.hygiene import clean
from renderer.markdown.inserts import (
    SENTINEL_END,
    SENTINEL_START,
    CiteRef,
    Close,
    CodeEnd,
    CodeStart,
    FootnoteAnchor,
    FootnoteBacks,
    FootnoteRef,
    Formula,
    Insert,
    InvalidRef,
    Open,
    Picture,
    TaskBox,
)
from renderer.markdown.math import Budget, tex_of
from renderer.markdown.parse import Tokens
from renderer.markdown.rules import honoured_tag
from renderer.markdown.transforms import decode_entities, plain_text

# k is None for a number that names no source.
Listed: TypeAlias = Mapping[str, tuple[tuple[int, int | None], ...]]


@dataclass(slots=True)
class _Context:
    """What writing one text collects. `listed` maps a marker as written to the (n, k) of its numbers to be seen.

    `colours` is how much code (code points) may still be coloured.
    """

    nonce: str
    listed: Listed
    notes: dict[str, int]
    colours: int
    inserts: list[Insert | Formula] = field(default_factory=list)
    math: Budget = field(default_factory=Budget)
    places: Counter[int] = field(default_factory=Counter)
    note_places: Counter[int] = field(default_factory=Counter)
    headings: list[int] = field(default_factory=list)

    def put(self, insert: Insert | Formula) -> str:
        self.inserts.append(insert)
        return f"{SENTINEL_START}{self.nonce}.{len(self.inserts) - 1}{SENTINEL_END}"


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
    context = _Context(nonce, listed, notes, MAX_COLOURED if highlight else 0)
    body = _write(tokens.blocks, context)
    footnotes = _footnotes(tokens, context)
    return Unsafe(body + footnotes, nonce, tuple(_with_places(insert, context) for insert in context.inserts))


def _with_places(insert: Insert | Formula, context: _Context) -> Insert | Formula:
    """Notes may refer to notes, so how often one is referred to is known only at the end."""
    if isinstance(insert, FootnoteBacks):
        return FootnoteBacks(insert.number, context.note_places[insert.number])
    return insert


def escape(text: str) -> str:
    """`text` as HTML text or attribute value."""
    return html.escape(text, quote=True)


def _write(tokens: list[Token], context: _Context) -> str:
    return "".join(WRITERS.get(token["type"], _unknown)(token, context) for token in tokens)


def _children(token: Token, context: _Context) -> str:
    return _write(token.get("children", []), context)


# --- Inline ----------------------------------------------------------------------------------------------------


def _text(token: Token, _context: _Context) -> str:
    return escape(token["raw"])


def _wrapped(tag: str) -> Callable[[Token, _Context], str]:
    def write(token: Token, context: _Context) -> str:
        # What held nothing but a removed marker leaves nothing behind.
        inner = _children(token, context)
        return f"<{tag}>{inner}</{tag}>" if inner.strip() else inner

    return write


def _html_tag(token: Token, context: _Context) -> str:
    return f"<{token['tag']}>{_children(token, context)}</{token['tag']}>"


def _codespan(token: Token, _context: _Context) -> str:
    return f"<code>{escape(token['raw'])}</code>"


def _marker(token: Token, context: _Context) -> str:
    pairs = context.listed.get(token["raw"], ())
    if all(k is None for _, k in pairs):
        return context.put(InvalidRef(token["raw"]))
    return "".join(context.put(_reference(n, k, context)) for n, k in pairs)


def _reference(n: int, k: int | None, context: _Context) -> Insert:
    if k is None:
        return InvalidRef(f"[{n}]")
    context.places[k] += 1
    return CiteRef(k=k, n=n, place=context.places[k])


def _formula(tex: str, context: _Context, *, is_block: bool) -> str | None:
    """A formula's place; None if its source is to be shown."""
    mathml = context.math.to_mathml(tex)
    return context.put(Formula(tex, mathml, is_block)) if mathml else None


def _math(token: Token, context: _Context) -> str:
    made = _formula(tex_of(token["raw"]), context, is_block=token["display"])
    return made or f'<span class="math">{escape(token["raw"])}</span>'


_MAILTO = re.compile(r"mailto:[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+", re.IGNORECASE)


def _link(token: Token, context: _Context) -> str:
    url = clean(token["attrs"]["url"])
    title = decode_entities(token["attrs"].get("title") or "")
    # A link without words would be one that nobody sees.
    text = _children(token, context) if plain_text(token["children"]).strip() else escape(url)
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


def _image(token: Token, context: _Context) -> str:
    title = decode_entities(token["attrs"].get("title") or "")
    return context.put(Picture(plain_text(token["children"]), clean(token["attrs"]["url"]), title))


def _footnote_ref(token: Token, context: _Context) -> str:
    number = context.notes[token["key"]]
    context.note_places[number] += 1
    return context.put(FootnoteRef(number, context.note_places[number]))


# --- Blocks ----------------------------------------------------------------------------------------------------


def _heading(token: Token, context: _Context) -> str:
    inner = _children(token, context)
    if not inner.strip():
        return ""
    level = _level(token["attrs"]["level"], context.headings)
    return f"<h{level}>{inner}</h{level}>\n"


def _level(written: int, open_levels: list[int]) -> int:
    """The page's title is h1 and a question h2: a text's headings begin at h3, and go down by one whatever it skips."""
    while open_levels and open_levels[-1] >= written:
        open_levels.pop()
    open_levels.append(written)
    return min(2 + len(open_levels), 6)


def _paragraph(token: Token, context: _Context) -> str:
    inner = _children(token, context)
    return f"<p>{inner}</p>\n" if inner.strip() else ""


def _list(token: Token, context: _Context) -> str:
    start = token["attrs"].get("start")
    tag = "ol" if token["attrs"]["ordered"] else "ul"
    attribute = f' start="{int(start)}"' if start is not None else ""
    return f"<{tag}{attribute}>\n{_children(token, context)}</{tag}>\n"


def _task(token: Token, context: _Context) -> str:
    box = context.put(TaskBox(token["attrs"]["checked"]))
    return f'<li class="task">{box}{_children(token, context)}</li>\n'


def _block_code(token: Token, context: _Context) -> str:
    info = " ".join(clean(decode_entities(token.get("attrs", {}).get("info", ""))).split())
    if info == "math" and (made := _formula(token["raw"].strip(), context, is_block=True)):
        return f"<p>{made}</p>\n"
    code = token["raw"]
    lines = code.rstrip("\n").count("\n") + 1
    start = context.put(CodeStart(info, lines))
    return f"{start}<pre><code>{_coloured(code, info, context)}</code></pre>{context.put(CodeEnd(lines))}\n"


def _coloured(code: str, info: str, context: _Context) -> str:
    language = language_of(info)
    if not is_known(language) or len(code) > context.colours:
        return escape(code)
    context.colours -= len(code)
    return code_html(code, language)


def _block_html(token: Token, _context: _Context) -> str:
    raw = token["raw"].strip()
    return "<br>" if honoured_tag(raw) == "br" else f'<p class="raw-html">{escape(raw)}</p>\n'


def _math_block(token: Token, context: _Context) -> str:
    made = _formula(tex_of(token["raw"]), context, is_block=True)
    return f"<p>{made}</p>\n" if made else f'<p class="math">{escape(token["raw"])}</p>\n'


def _table(token: Token, context: _Context) -> str:
    return f"{context.put(Open('table'))}<table>{_children(token, context)}</table>{context.put(Close('table'))}\n"


def _table_head(token: Token, context: _Context) -> str:
    return f"<thead><tr>{_children(token, context)}</tr></thead>"


_ALIGN = {"left": ' class="ta-l"', "center": ' class="ta-c"', "right": ' class="ta-r"'}


def _table_cell(token: Token, context: _Context) -> str:
    tag = "th" if token["attrs"]["head"] else "td"
    return f"<{tag}{_ALIGN.get(token['attrs']['align'], '')}>{_children(token, context)}</{tag}>"


def _block_text(token: Token, context: _Context) -> str:
    return _children(token, context)


def _unknown(token: Token, context: _Context) -> str:
    """A token of a type that is not in the table: its words are kept."""
    return _children(token, context) if "children" in token else escape(token.get("raw", ""))


def _footnotes(tokens: Tokens, context: _Context) -> str:
    if not tokens.footnotes:
        return ""
    start = context.put(Open("footnotes"))
    items = [_footnote(number, blocks, context) for number, blocks in enumerate(tokens.footnotes.values(), 1)]
    return f"{start}<ol>\n{''.join(items)}</ol>{context.put(Close('footnotes'))}\n"


def _footnote(number: int, blocks: list[Token], context: _Context) -> str:
    anchor = context.put(FootnoteAnchor(number))
    return f"<li>{anchor}{_write(blocks, context)}{context.put(FootnoteBacks(number, 0))}</li>\n"


WRITERS: dict[str, Callable[[Token, _Context], str]] = {
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
    "paragraph": _paragraph,
    "heading": _heading,
    "blank_line": lambda _token, _context: "",
    "thematic_break": lambda _token, _context: "<hr>\n",
    "block_text": _block_text,
    "block_code": _block_code,
    "block_quote": lambda token, context: f"<blockquote>\n{_children(token, context)}</blockquote>\n",
    "block_html": _block_html,
    "list": _list,
    "list_item": lambda token, context: f"<li>{_children(token, context)}</li>\n",
    "task_list_item": _task,
    "math_block": _math_block,
    "table": _table,
    "table_head": _table_head,
    "table_body": lambda token, context: f"<tbody>{_children(token, context)}</tbody>",
    "table_row": lambda token, context: f"<tr>{_children(token, context)}</tr>",
    "table_cell": _table_cell,
}
