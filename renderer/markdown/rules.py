"""Our own Markdown rules, beside those of the parser: markers, formulas, bare addresses, footnotes.

Each `register_*` function adds one rule. A rule gives the characters it can begin with, so that the parser's fast path
stays on. Inline rules take tokens of these types: `marker`, `math`, `link`, `footnote_ref`, `html_tag`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match

from mistune import BlockParser, BlockState, InlineParser, InlineState, Markdown
from mistune.util import unikey

from renderer.citations.markers import Dialect

# How far a formula on lines of its own may reach (code points); it bounds the search where nothing closes it.
_MAX_FORMULA = 8_000


# --- Markers ---------------------------------------------------------------------------------------------------


def register_markers(md: Markdown, dialect: Dialect) -> None:
    """Markers, tried before every other rule; and no definition whose label has a marker's shape."""

    def parse(_inline: InlineParser, match: Match[str], state: InlineState) -> int:
        state.append_token({"type": "marker", "raw": match.group(0)})
        return match.end()

    # `Yes![^1^]` begins no picture: the marker comes first, though the exclamation mark stands before it.
    md.inline.specification["link"] = rf"(?!!{dialect.pattern})!?\["
    md.inline.register(
        "marker", dialect.pattern, parse, before=md.inline.rules[0], start_chars=tuple(dialect.start_chars)
    )
    label = re.compile(dialect.label)
    _refuse(md.block, "ref_link", lambda match, _state: bool(label.fullmatch(match.group("reflink_1").strip())))
    _refuse(md.block, "ref_footnote", lambda match, _state: bool(label.fullmatch("^" + match.group("footnote_key"))))


def keep_second_definitions(md: Markdown) -> None:
    """A label is defined once; a second definition stays in the text, where it can be read."""
    _refuse(md.block, "ref_link", lambda match, state: unikey(match.group("reflink_1")) in state.env["ref_links"])
    _refuse(md.block, "ref_footnote", lambda match, state: _footnote_key(match) in state.env.get("footnotes", {}))


def _refuse(block: BlockParser, rule: str, refused: Callable[[Match[str], BlockState], bool]) -> None:
    """What `refused` says is no definition stays text: `[^1^]: http://made.up` would turn every marker into a link."""
    define = block._methods[rule]

    def parse(_block: BlockParser, match: Match[str], state: BlockState) -> int | None:
        return None if refused(match, state) else define(match, state)

    block.register(rule, None, parse)


# --- Formulas --------------------------------------------------------------------------------------------------

# A single dollar opens a formula only before a non-blank and not after a Latin letter or digit (US$5); it is closed
# by one after a non-blank and not before a digit ($5 and $10). https://pandoc.org/MANUAL.html#extension-tex_math_dollars
_INLINE_MATH = r"\$\$(?!\$)|(?<![A-Za-z0-9\\$])\$(?![\s$])(?:[^$\\\n]|\\[^\n]){1,1000}?(?<!\s)\$(?![0-9$])|\\\(|\\\["
_CLOSERS = {"$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_LOOKS_LIKE_MATH = re.compile(r"[\\^_{}=+*/<>|]")
# Chinese, a word with blanks around, two words or a sentence's end are no formula unless a command of TeX is in it.
_WORDS_OF_TEXT = re.compile(
    r"[\u3400-\u9fff]|\s[A-Za-z]{3,}\s|[A-Za-z]{3,}\s+(?:[a-z]{2,}\s+)?[A-Za-z]{3,}|[A-Za-z]{2,}[.?!]\s+[A-Za-z]{2,}"
    # $PATH is 5$
    r"|^\$[A-Za-z_]{2,}[.,;:]?\s[^=^+*/<>|-]*\d\$$"
)
# Round brackets are rarely escaped without need: only what reads as words is none.
_WORDS_IN_BRACKETS = re.compile(r"[\u3400-\u9fff]|[A-Za-z]{4,}|[A-Za-z]{2,}\s+[A-Za-z]{2,}")
# $HOME/bin:$PATH, $(pwd)/$(date), ${a}/${b}, $('a')+$('b')
_SHELL = re.compile(r"\$(?:[A-Za-z_]{2,}[^\\]*\$[A-Za-z_]|[({][^\\]*\$[({])")


def register_math(md: Markdown) -> None:
    """Formulas: `$…$`, `$$…$$`, `\\(…\\)`, `\\[…\\]`. Their tokens keep the source as written."""
    md.inline.register("math", _INLINE_MATH, _parse_math, before="escape", start_chars=("$", "\\"))
    md.block.register("math_block", r"^ {0,3}(?:\$\$|\\\[)", _parse_math_block, before="list")


def _parse_math(inline: InlineParser, match: Match[str], state: InlineState) -> int | None:
    opener = match.group(0)
    end = match.end()
    if opener in _CLOSERS:
        close = state.delimiters.find(_CLOSERS[opener], end)
        if close is None or not _is_formula(opener, state.src[end:close]):
            # What is no formula is an escaped bracket: \[1\] in a list of references.
            escape = inline.compile_sc(["escape"]).match(state.src, match.start())
            return inline.parse_escape(escape, state) if escape else None
        end = close + 2
    elif _SHELL.fullmatch(state.src, match.start(), end + 1):
        return None
    elif opener[1].isdigit() and not _LOOKS_LIKE_MATH.search(opener[1:-1]):
        return None  # money: "$5 bills and 3$"
    elif "\\" not in opener and _WORDS_OF_TEXT.search(opener):
        return None  # a sentence between two signs: "从 $a 涨到 b$", "$HOME and $"
    source = state.src[match.start() : end]
    state.append_token({"type": "math", "raw": source, "display": opener in ("$$", "\\[")})
    return end


def _is_formula(opener: str, content: str) -> bool:
    if _LOOKS_LIKE_MATH.search(content):
        return True
    if opener == "$$":
        return bool(content.strip()) and not _WORDS_OF_TEXT.search(content)
    if opener == "\\(" and content.strip() and not _WORDS_IN_BRACKETS.search(content):
        return True
    return content[:1].isspace() and bool(content.strip())


def _parse_math_block(_block: BlockParser, match: Match[str], state: BlockState) -> int | None:
    opener = match.group(0).strip()
    start = match.end()
    close = state.src.find(_CLOSERS[opener], start, start + _MAX_FORMULA)
    line_end = state.src.find("\n", close) if close >= 0 else -1
    if close < 0 or line_end < 0 or state.src[close + 2 : line_end].strip():
        return None
    if not _is_formula(opener, state.src[start:close]):
        return None
    state.append_token({"type": "math_block", "raw": state.src[match.start() : close + 2].strip()})
    return line_end + 1


# --- Bare addresses --------------------------------------------------------------------------------------------

# Ends at blanks, at what Markdown and HTML delimit with, and at CJK punctuation: 见 https://example.com/a，然后继续。
_BARE_URL = (
    r"https?://[^\s<>\"`\x00-\x20\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u2018-\u201f\u2026]+"
)
# Punctuation at the end is the sentence's.
_TRAILING = "?!.,:;*_~'"
_OPENERS = {")": "(", "]": "[", "}": "{"}


def register_bare_urls(md: Markdown, dialect: Dialect | None) -> None:
    """Bare http(s) addresses become links, up to a marker, CJK punctuation or closing brackets."""
    marker = re.compile(dialect.pattern) if dialect else None

    def parse(inline: InlineParser, match: Match[str], state: InlineState) -> int | None:
        url = _bounded_url(match.group(0), marker, in_brackets=bool(state.brackets))
        if url.endswith("//"):
            return None
        end = match.start() + len(url)
        if state.in_link or state.depth >= inline.max_nested_level:
            inline.process_text(url, state, parse_emphasis=False)
            return end
        text = {"type": "text", "raw": url, "_emphasis": False}
        state.append_token({"type": "link", "children": [text], "attrs": {"url": url}, "_autolink": url})
        return end

    md.inline.register("url_link", _BARE_URL, parse, before="linebreak", start_chars="h")


def _bounded_url(url: str, marker: re.Pattern[str] | None, *, in_brackets: bool) -> str:
    found = marker.search(url) if marker else None
    if found:
        url = url[: found.start()]
    if in_brackets and "]" in url:
        url = url[: url.index("]")]
    # https://github.github.com/gfm/#extended-autolink-path-validation
    return url[: _first_unopened(url)].rstrip(_TRAILING)


def _first_unopened(url: str) -> int:
    """Where a bracket closes that was not opened in the address: it belongs to the sentence around it."""
    opened = dict.fromkeys(_OPENERS.values(), 0)
    for place, char in enumerate(url):
        if char in opened:
            opened[char] += 1
        elif char in _OPENERS:
            if not opened[_OPENERS[char]]:
                return place
            opened[_OPENERS[char]] -= 1
    return len(url)


# --- Footnotes -------------------------------------------------------------------------------------------------

# https://github.github.com/gfm/ has none; the syntax is that of https://pandoc.org/MANUAL.html#footnotes
_LABEL = r"(?:[^\\\[\]\s]|\\[^\n]){1,100}"
_REFERENCE = r"\[\^" + _LABEL + r"\]"
_DEFINITION = (
    r"^(?P<footnote_lead> {0,3})\[\^(?P<footnote_key>" + _LABEL + r")\]:[ \t]*"
    r"(?P<footnote_text>[^\n]*(?:\n|$)(?:(?:[ \t]*\n)*(?: {4}|\t)[^\n]*(?:\n|$))*)"
)


def register_footnotes(md: Markdown) -> None:
    """`[^label]` where the same text defines it, and `[^label]: …`; an undefined one stays what it was."""
    md.inline.register("footnote", _REFERENCE, _parse_footnote_ref, before="link", start_chars="[")
    md.block.register("ref_footnote", _DEFINITION, _parse_footnote, before="ref_link")


def _parse_footnote(_block: BlockParser, match: Match[str], state: BlockState) -> int:
    definitions = state.env.setdefault("footnotes", {})
    definitions[_footnote_key(match)] = match.group("footnote_text")
    return match.end()


def _footnote_key(match: Match[str]) -> str:
    return unikey(match.group("footnote_key"))


def _parse_footnote_ref(inline: InlineParser, match: Match[str], state: InlineState) -> int | None:
    key = unikey(match.group(0)[2:-1])
    begins_line = match.start() == 0 or state.src[match.start() - 1] == "\n"
    if begins_line and state.src.startswith(":", match.end()):
        inline.process_text(match.group(0), state, parse_emphasis=False)  # a second definition, which stays text
        return match.end()
    if key in state.env.get("footnotes", {}):
        state.append_token({"type": "footnote_ref", "key": key, "raw": match.group(0)})
        return match.end()
    bracket = inline.compile_sc(["link"]).match(state.src, match.start())
    return inline.parse_link(bracket, state) if bracket else None


# --- HTML ------------------------------------------------------------------------------------------------------

_HONOURED = re.compile(r"<(/?)(br|sub|sup|kbd)\s*(/?)>", re.IGNORECASE)


def honoured_tag(raw: str) -> str | None:
    """The tag that raw HTML may stand for, as "br", "sub", "/sub"; None for all other HTML, which is shown as text."""
    match = _HONOURED.fullmatch(raw.strip())
    if match is None or (match[3] and match[2].lower() != "br") or (match[1] and match[2].lower() == "br"):
        return None
    return match[1] + match[2].lower()
