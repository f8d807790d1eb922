"""Text → tokens: the Markdown parser of one dialect, with our rules in it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from mistune import BlockParser, BlockState, InlineParser, Markdown
from mistune.plugins.formatting import strikethrough
from mistune.plugins.task_lists import task_lists

from renderer.citations.markers import DIALECTS, Dialect
from renderer.markdown import rules
from renderer.markdown.emphasis import Token, resolve_emphasis
from renderer.markdown.tables import tables


@dataclass(frozen=True, slots=True)
class Tokens:
    """A parsed text: its block tokens, and its footnotes (key → block tokens) in the order of their numbers."""

    blocks: list[Token]
    footnotes: dict[str, list[Token]]


def parse(text: str, dialect: str) -> Tokens:
    """Parse cleaned `text`. `dialect` is the name of a marker dialect, "" for none."""
    return parse_with(text, DIALECTS.get(dialect))


def parse_with(text: str, dialect: Dialect | None) -> Tokens:
    """The same for a dialect that need not be a named one."""
    md = _parser(dialect)
    state = BlockState()
    blocks, _ = md.parse(text, state)
    assert isinstance(blocks, list)
    footnotes = _footnotes(md, state, blocks)
    return Tokens([*blocks, *_unused_definitions(state, [*blocks, *chain(*footnotes.values())])], footnotes)


@lru_cache
def _parser(dialect: Dialect | None) -> Markdown:
    block = BlockParser()
    md = Markdown(renderer=None, block=block, inline=_Inline(max_nested_level=block.max_nested_level))
    for plugin in (tables, strikethrough, task_lists):
        plugin(md)
    rules.register_footnotes(md)
    rules.register_math(md)
    rules.register_bare_urls(md, dialect)
    rules.keep_second_definitions(md)
    if dialect:
        rules.register_markers(md, dialect)
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


def _unused_definitions(state: BlockState, tokens: list[Token]) -> list[Token]:
    """Link definitions that no link uses, as text: a list of addresses at the end is often written so."""
    used = _used_labels(tokens)
    unused = [definition for key, definition in state.env["ref_links"].items() if key not in used]
    return [{"type": "paragraph", "children": _definition(definition)} for definition in unused]


def _definition(definition: dict[str, str]) -> list[Token]:
    url, title = definition["url"], definition.get("title")
    link = {"type": "link", "children": [{"type": "text", "raw": url, "_emphasis": False}], "attrs": {"url": url}}
    after = [{"type": "text", "raw": f" “{title}”"}] if title else []
    return [{"type": "text", "raw": f"[{definition['label']}]: "}, link, *after]


def _used_labels(tokens: list[Token]) -> set[str]:
    found: set[str] = set()
    for token in tokens:
        if "ref" in token:
            found.add(token["ref"])
        found |= _used_labels(token.get("children", []))
    return found


def _references(tokens: list[Token]) -> list[str]:
    found: list[str] = []
    for token in tokens:
        if token["type"] == "footnote_ref":
            found.append(token["key"])
        found.extend(_references(token.get("children", [])))
    return found
