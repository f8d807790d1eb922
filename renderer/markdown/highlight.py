"""Code → pieces with the class that colours them, by the label of its fence and never by a guess.

Pygments does the reading. A block stays plain when its language is not in `LANGUAGES`, when it is too big, when the
lexer does not understand it, and when what the lexer gives back is not to the letter what went in.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer

Piece = tuple[str, str]

# What a span of code may be: keyword, name, type, string, number, comment; inserted and deleted lines.
CODE_CLASSES = frozenset("kftsncid")

# Pygments' own first names. Only lexers whose time was measured to grow with the length of hostile code: others (there
# are 600) may take minutes for a few kilobytes.
_NAMES = """
ada awk bash batch bibtex c clojure cmake coffeescript common-lisp console cpp cr csharp css cuda cython d dart delphi
diff django docker elixir elm emacs-lisp erlang fortran fsharp gas gdscript gherkin glsl go graphql graphviz groovy
haskell html html+django ini java javascript json json5 jsx julia kotlin less llvm lua make markdown matlab mysql nasm
nginx nimrod nixos objective-c ocaml perl php postgresql powershell prolog promql properties protobuf pycon pytb
python racket restructuredtext ruby rust sass scheme scss sml solidity sparql splus sql swift systemd tcl terraform
tex toml tsql tsx typescript typst vb.net verilog vhdl vim vue wast xml yaml zig
"""
LANGUAGES = frozenset(_NAMES.split())

# Labels that models write and Pygments does not know.
_ALIASES = {
    "cc": "cpp",
    "cjs": "javascript",
    "dotenv": "properties",
    "gradle": "groovy",
    "h": "c",
    "hpp": "cpp",
    "htm": "html",
    "jsonc": "json",
    "jsonl": "json",
    "kt": "kotlin",
    "kts": "kotlin",
    "mjs": "javascript",
    "mts": "typescript",
    "ndjson": "json",
    "node": "javascript",
    "patch": "diff",
    "plsql": "sql",
    "shellsession": "console",
    "sol": "solidity",
    "sqlite": "sql",
    "svg": "xml",
    "terminal": "console",
    "vb": "vb.net",
}

# Lexers look far ahead from places that they do not understand, from blanks, and from words with nothing but blanks
# between: there their time grows with the square of the length. So there are bounds: code points of a block, of all
# blocks of a text, of a line, of a run of blanks; words of a run; and places not understood. No clock: a page does not
# depend on how busy a machine was.
MAX_CODE = 16 * 1024
MAX_COLOURED = 2 * MAX_CODE
MAX_LINE = 512
MAX_BLANKS = 256
MAX_WORDS = 128
MAX_ERRORS = 32

_WORD = r"[\w.\[\]$<>?]"
_TOO_LONG = re.compile(
    rf"[^\n]{{{MAX_LINE + 1}}}|\s{{{MAX_BLANKS + 1}}}|(?<!{_WORD})(?:{_WORD}++\s++){{{MAX_WORDS + 1}}}"
)

# The token types of https://pygments.org/docs/tokens/; a type that is not here is as the one above it.
_CLASS_OF = {
    "Keyword": "k",
    "Keyword.Constant": "n",
    "Keyword.Type": "t",
    "Operator.Word": "k",
    "Name.Attribute": "t",
    "Name.Builtin": "t",
    "Name.Class": "f",
    "Name.Decorator": "f",
    "Name.Entity": "n",
    "Name.Exception": "t",
    "Name.Function": "f",
    "Name.Tag": "f",
    "Literal.String": "s",
    "Literal.Number": "n",
    "Literal.Date": "n",
    "Comment": "c",
    "Comment.Preproc": "k",
    "Comment.PreprocFile": "s",
    "Generic.Heading": "f",
    "Generic.Subheading": "c",
    "Generic.Prompt": "c",
    "Generic.Inserted": "i",
    "Generic.Deleted": "d",
}

_LANGUAGE = re.compile(r"""[{.\s]*([^\s{}()\[\],:;="']+)""")


def language_of(info: str) -> str:
    """The language that the info string of a fence names, in lower case, "" for none: `{.Python .x}` is "python"."""
    match = _LANGUAGE.match(info)
    return match[1].lower() if match else ""


def code_html(code: str, language: str) -> str:
    """`code` as HTML text with its colours; all of it is escaped."""
    parts = ((name, html.escape(part, quote=True)) for name, part in pieces(code, language))
    return "".join(f'<span class="{name}">{part}</span>' if name else part for name, part in parts)


def is_known(language: str) -> bool:
    """Whether code in a language can be coloured."""
    return bool(language) and _lexer(language) is not None


def pieces(code: str, language: str) -> list[Piece]:
    """`code` in pieces, each with one of `CODE_CLASSES` or "". Together they are `code` to the letter; never raises."""
    plain = [("", code)]
    lexer = _lexer(language)
    if lexer is None or len(code) > MAX_CODE or _TOO_LONG.search(code):
        return plain
    try:
        found = _joined(_understood(lexer.get_tokens(code)))
    except Exception:  # a defect of a lexer must not cost the colours of the other blocks, nor a word of this one
        return plain
    return found if "".join(text for _, text in found) == code else plain


@lru_cache
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import find_lexer_class_by_name, get_all_lexers

    name = _ALIASES.get(language, language)
    # Not the lexers of other packages that happen to be installed: a page does not depend on where it was made.
    aliases = next((aliases for _, aliases, _, _ in get_all_lexers(plugins=False) if name in aliases), ("",))
    if aliases[0] not in LANGUAGES:
        return None
    # Nothing stripped or added, no code inside Markdown by further labels, and PHP also without its opening tag.
    options = {"stripnl": False, "ensurenl": False, "handlecodeblocks": False, "startinline": True}
    lexer: Lexer = find_lexer_class_by_name(name)(**options)
    return lexer


def _understood(tokens: Iterable[tuple[tuple[str, ...], str]]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The tokens up to the error that is one too many: what is left out makes the block plain."""
    errors = 0
    for kind, text in tokens:
        errors += kind == ("Error",)
        if errors > MAX_ERRORS:
            return
        yield kind, text


def _joined(tokens: Iterable[tuple[tuple[str, ...], str]]) -> list[Piece]:
    """Neighbours of one class as one piece."""
    named = ((_class_of(kind), text) for kind, text in tokens)
    return [(name, "".join(text for _, text in group)) for name, group in groupby(named, key=lambda piece: piece[0])]


@cache
def _class_of(kind: tuple[str, ...]) -> str:
    while kind:
        if found := _CLASS_OF.get(".".join(kind)):
            return found
        kind = kind[:-1]
    return ""
