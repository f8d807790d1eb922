"""Block tokens → HTML: paragraphs, headings, lists, code, tables, and the notes at the end."""

from __future__ import annotations

from renderer.markdown.emphasis import Token
from renderer.markdown.highlight import code_html, is_known, language_of
from renderer.markdown.html_context import Context, Writer, escape
from renderer.markdown.hygiene import clean
from renderer.markdown.inserts import Close, CodeEnd, CodeStart, FootnoteAnchor, FootnoteBacks, Open, TaskBox
from renderer.markdown.math import tex_of
from renderer.markdown.parse import Tokens
from renderer.markdown.rules import honoured_tag
from renderer.markdown.transforms import decode_entities


def footnotes(tokens: Tokens, context: Context) -> str:
    """The notes of a text as a list, in the order of their numbers; "" when it has none."""
    if not tokens.footnotes:
        return ""
    start = context.put(Open("footnotes"))
    items = [_footnote(number, blocks, context) for number, blocks in enumerate(tokens.footnotes.values(), 1)]
    return f"{start}<ol>\n{''.join(items)}</ol>{context.put(Close('footnotes'))}\n"


def _footnote(number: int, blocks: list[Token], context: Context) -> str:
    anchor = context.put(FootnoteAnchor(number))
    return f"<li>{anchor}{context.write(blocks)}{context.put(FootnoteBacks(number, 0))}</li>\n"


def _heading(token: Token, context: Context) -> str:
    inner = context.children(token)
    if not inner.strip():
        return ""
    level = page_level(token["attrs"]["level"], context.headings)
    return f"<h{level}>{inner}</h{level}>\n"


def page_level(written: int, open_levels: list[int]) -> int:
    """The page's title is h1 and a question h2: a text's headings begin at h3, and go down by one whatever it skips."""
    while open_levels and open_levels[-1] >= written:
        open_levels.pop()
    open_levels.append(written)
    return min(2 + len(open_levels), 6)


def _paragraph(token: Token, context: Context) -> str:
    inner = context.children(token)
    return f"<p>{inner}</p>\n" if inner.strip() else ""


def _list(token: Token, context: Context) -> str:
    start = token["attrs"].get("start")
    tag = "ol" if token["attrs"]["ordered"] else "ul"
    attribute = f' start="{int(start)}"' if start is not None else ""
    return f"<{tag}{attribute}>\n{context.children(token)}</{tag}>\n"


def _task(token: Token, context: Context) -> str:
    box = context.put(TaskBox(token["attrs"]["checked"]))
    return f'<li class="task">{box}{context.children(token)}</li>\n'


def _block_code(token: Token, context: Context) -> str:
    info = " ".join(clean(decode_entities(token.get("attrs", {}).get("info", ""))).split())
    if info == "math" and (made := context.formula(token["raw"].strip(), is_block=True)):
        return f"<p>{made}</p>\n"
    code = token["raw"]
    lines = code.rstrip("\n").count("\n") + 1
    start = context.put(CodeStart(info, lines))
    return f"{start}<pre><code>{_coloured(code, info, context)}</code></pre>{context.put(CodeEnd(lines))}\n"


def _coloured(code: str, info: str, context: Context) -> str:
    language = language_of(info)
    if not is_known(language) or len(code) > context.colours:
        return escape(code)
    context.colours -= len(code)
    return code_html(code, language)


def _block_html(token: Token, _context: Context) -> str:
    raw = token["raw"].strip()
    return "<br>" if honoured_tag(raw) == "br" else f'<p class="raw-html">{escape(raw)}</p>\n'


def _math_block(token: Token, context: Context) -> str:
    made = context.formula(tex_of(token["raw"]), is_block=True)
    return f"<p>{made}</p>\n" if made else f'<p class="math">{escape(token["raw"])}</p>\n'


def _table(token: Token, context: Context) -> str:
    return f"{context.put(Open('table'))}<table>{context.children(token)}</table>{context.put(Close('table'))}\n"


def _table_head(token: Token, context: Context) -> str:
    return f"<thead><tr>{context.children(token)}</tr></thead>"


_ALIGN = {"left": ' class="ta-l"', "center": ' class="ta-c"', "right": ' class="ta-r"'}


def _table_cell(token: Token, context: Context) -> str:
    tag = "th" if token["attrs"]["head"] else "td"
    return f"<{tag}{_ALIGN.get(token['attrs']['align'], '')}>{context.children(token)}</{tag}>"


def _block_text(token: Token, context: Context) -> str:
    return context.children(token)


BLOCKS: dict[str, Writer] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "blank_line": lambda _token, _context: "",
    "thematic_break": lambda _token, _context: "<hr>\n",
    "block_text": _block_text,
    "block_code": _block_code,
    "block_quote": lambda token, context: f"<blockquote>\n{context.children(token)}</blockquote>\n",
    "block_html": _block_html,
    "list": _list,
    "list_item": lambda token, context: f"<li>{context.children(token)}</li>\n",
    "task_list_item": _task,
    "math_block": _math_block,
    "table": _table,
    "table_head": _table_head,
    "table_body": lambda token, context: f"<tbody>{context.children(token)}</tbody>",
    "table_row": lambda token, context: f"<tr>{context.children(token)}</tr>",
    "table_cell": _table_cell,
}
