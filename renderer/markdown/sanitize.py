"""HTML → safe HTML, and only then our own markup.

The policy is data (`TAGS`, `DROPPED`, `ATTRIBUTES`, `CLASSES`); it is never skipped, whatever made the HTML. What is
allowed is exactly what `html` writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import nh3
from markupsafe import Markup

from renderer.markdown.highlight import CODE_CLASSES
from renderer.markdown.html import Unsafe
from renderer.markdown.html_context import escape
from renderer.markdown.inserts import SENTINEL_END, SENTINEL_START, Formula, Insert

TAGS = frozenset(
    [
        "a",
        "blockquote",
        "br",
        "code",
        "del",
        "em",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "kbd",
        "li",
        "ol",
        "p",
        "pre",
        "span",
        "strong",
        "sub",
        "sup",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
DROPPED = frozenset(
    [
        "script",
        "style",
        "template",
        "noscript",
        "iframe",
        "object",
        "embed",
        "applet",
        "svg",
        "math",
        "xmp",
        "noembed",
        "noframes",
        "plaintext",
        "textarea",
        "select",
        "title",
        "frameset",
        "annotation",
        "annotation-xml",
    ]
)

ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_ALIGNMENTS = {"ta-l", "ta-c", "ta-r"}
CLASSES = {
    "td": _ALIGNMENTS,
    "th": _ALIGNMENTS,
    "li": {"task"},
    "span": {"math", *CODE_CLASSES},
    "p": {"math", "raw-html"},
}
SCHEMES = {"http", "https", "mailto"}

# Formulas have a policy of their own: MathML Core without what links, loads, styles, hides or holds HTML.
MATH_TAGS = frozenset(
    [
        "math",
        "mfrac",
        "mi",
        "mn",
        "mo",
        "mover",
        "mroot",
        "mrow",
        "mspace",
        "msqrt",
        "mstyle",
        "msub",
        "msubsup",
        "msup",
        "mtable",
        "mtd",
        "mtext",
        "mtr",
        "munder",
        "munderover",
    ]
)
MATH_ATTRIBUTES = {
    "math": {"alttext", "display"},
    "mfrac": {"linethickness"},
    "mi": {"mathvariant"},
    "mo": {"form", "lspace", "maxsize", "minsize", "movablelimits", "rspace", "stretchy"},
    "mspace": {"width"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mtable": {"displaystyle"},
    "mtd": {"columnalign"},
}
MATH_CLASSES = {"mrow": {"boxed", "overline", "underline"}, "mtext": {"bold", "italic"}}

_TAG = re.compile(r"(<[^<>]*>)")
_SENTINEL = re.compile(f"{SENTINEL_START}([0-9a-f]+)\\.([0-9]+){SENTINEL_END}")
# Numbers that touch, which fingers must tell apart. The text's own tags have no class.
_BESIDE = re.compile(r'(</sup><sup class="[a-z-]+)"')
# A block of code scrolls, so it must be reachable by keyboard. No attribute of the text's can be in such a tag.
_OWN_TAGS = {"<pre>": '<pre tabindex="0">'}


def finish(unsafe: Unsafe, render: Callable[[Insert], Markup]) -> Markup:
    """Sanitize `unsafe` and put what `render` makes of each insert, and each formula, at its sentinel, in text only."""
    parts = _TAG.split(_cleaner().clean(unsafe.html))

    def fill(match: re.Match[str]) -> str:
        if match[1] != unsafe.nonce:
            return ""
        insert = unsafe.inserts[int(match[2])]
        return str(_formula(insert) if isinstance(insert, Formula) else render(insert))

    for index, part in enumerate(parts):
        # Odd parts are tags: a sentinel in an attribute is not ours, and nothing is put there.
        parts[index] = _OWN_TAGS.get(part, part) if index % 2 else _SENTINEL.sub(fill, part)
        if part == "<pre>" and parts[index + 1].startswith("\n"):
            parts[index] += "\n"  # HTML drops a line feed right after the tag
    return Markup(_BESIDE.sub(r'\1 beside"', "".join(parts)))


def as_written(text: str) -> Markup:
    """`text` in a block that keeps its line ends."""
    # HTML drops a line feed right after <pre>.
    return finish(Unsafe(f"<pre>\n{escape(text)}</pre>", "", ()), lambda _insert: Markup(""))


# A formula of more characters is wider than the line of a phone, and browsers do not break it.
_LINE = 28
# One of more may be wider than paper, which cannot scroll.
_PAPER = 60


def _formula(formula: Formula) -> Markup:
    """A formula in an element that keeps it with what follows; a wide one scrolls, so the keyboard must reach it."""
    kind = "block" if formula.is_block else "inline"
    math = f'<math display="{kind}" alttext="{escape(formula.tex)}">{formula.mathml}</math>'
    cleaned = Markup(_math_cleaner().clean(math))
    length = len(_TAG.sub("", cleaned))
    name = "formula-block" if formula.is_block else "formula-scroll"
    # The first class brings its part of the style along.
    name = f"formula-long {name}" if length > _PAPER else name
    box = Markup('<span class="{}" tabindex="0">{{}}</span>').format(name)
    if not formula.is_block and length > _LINE:
        cleaned = box.format(cleaned)
    made = Markup('<span class="formula">{}</span>').format(cleaned)
    return box.format(made) if formula.is_block else made


@lru_cache(maxsize=1)
def _math_cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(MATH_TAGS),
        clean_content_tags=set(DROPPED - MATH_TAGS),
        attributes={"*": set(), **MATH_ATTRIBUTES},
        allowed_classes=MATH_CLASSES,
        url_schemes=set(),
        url_relative="deny",
        strip_comments=True,
        generic_attribute_prefixes=set(),
        link_rel=None,
    )


@lru_cache(maxsize=1)
def _cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(TAGS),
        clean_content_tags=set(DROPPED),
        # Without "*" the sanitizer lets lang and title through everywhere.
        attributes={"*": set(), **ATTRIBUTES},
        allowed_classes=CLASSES,
        url_schemes=SCHEMES,
        url_relative="deny",
        strip_comments=True,
        generic_attribute_prefixes=set(),
        link_rel="noopener noreferrer nofollow ugc",
        set_tag_attribute_values={"a": {"target": "_blank"}},
        id_prefix="u-",
    )
