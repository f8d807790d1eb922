"""Text → tokens: the Markdown parser of one dialect, with our rules in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from mistune import BlockParser, BlockState, InlineParser, Markdown
from mistune.plugins.formatting import strikethrough
from mistune.plugins.table import table, table_in_list, table_in_quote
from mistune.plugins.task_lists import task_lists

from renderer.citations.markers import DIALECTS
from renderer.markdown import rules
from renderer.markdown.emphasis import Token, resolve_emphasis


@dataclass(frozen=True, slots=True)
class Tokens:
    """A parsed text: its block tokens, and its footnotes (key → block tokens) in the order of their numbers."""

    blocks: list[Token]
    footnotes: dict[str, list[Token]]


def parse(text: str, dialect: str) -> Tokens:
    """Parse cleaned `text`. `dialect` is the name of a marker dialect, "" for none."""
    md = _parser(dialect)
    state = BlockState()
    blocks, _ = md.parse(text, state)
    assert isinstance(blocks, list)
    return Tokens(blocks, _footnotes(md, state, blocks))


@lru_cache
def _parser(dialect: str) -> Markdown:
    block = BlockParser()
    md = Markdown(renderer=None, block=block, inline=_Inline(max_nested_level=block.max_nested_level))
    for plugin in (table, table_in_quote, table_in_list, strikethrough, task_lists):
        plugin(md)
    rules.register_footnotes(md)
    rules.register_math(md)
    rules.register_bare_urls(md, DIALECTS.get(dialect))
    if dialect:
        rules.register_markers(md, DIALECTS[dialect])
    for nested in (md.block.block_quote_rules, md.block.list_rules):
        nested.insert(nested.index("ref_link"), "ref_footnote")
        nested.insert(nested.index("list"), "math_block")
    return md


class _Inline(InlineParser):
    """The parser's inline part with our emphasis."""

    def finalize_tokens(self, tokens: list[Token], depth: int) -> list[Token]:
        return resolve_emphasis(tokens, self.max_nested_level - depth)


def _footnotes(md: Markdown, state: BlockState, blocks: list[Token]) -> dict[str, list[Token]]:
    """The defined footnotes, those referred to first and in that order; notes may refer to further notes."""
    definitions: dict[str, str] = state.env.get("footnotes", {})
    notes: dict[str, list[Token]] = {}
    waiting = [*_references(blocks), *(key for key in definitions)] if definitions else []
    while waiting:
        key = waiting.pop(0)
        if key not in notes:
            notes[key] = _parse_note(md, state, definitions[key])
            waiting[:0] = _references(notes[key])
    return notes


def _parse_note(md: Markdown, state: BlockState, text: str) -> list[Token]:
    lines = text.split("\n")
    body = "\n".join([lines[0], *(line[4:] if line.startswith("    ") else line.lstrip("\t") for line in lines[1:])])
    child = state.child_state(body.strip() + "\n")
    md.block.parse(child)
    rendered = md.render_state(child)
    assert isinstance(rendered, list)
    return rendered


def _references(tokens: list[Token]) -> list[str]:
    found: list[str] = []
    for token in tokens:
        if token["type"] == "footnote_ref":
            found.append(token["key"])
        found.extend(_references(token.get("children", [])))
    return found
