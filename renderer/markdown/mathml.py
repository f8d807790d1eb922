"""The converter's tree → MathML Core, which is what browsers show: https://www.w3.org/TR/mathml-core/

Nothing of the tree is believed: a tag, an attribute or a character that is not expected raises `Unshowable`.
"""

from __future__ import annotations

import contextlib
import html
import re
import unicodedata
from collections.abc import Iterable
from itertools import groupby
from xml.etree.ElementTree import Element

from renderer.markdown.hygiene import clean


class Unshowable(ValueError):
    """There is something in the tree that a page may not hold, or that a browser would show wrongly."""


def tidy(element: Element, depth: int = 0) -> Element:
    """`element` as MathML Core: names told from operators and spaced as TeX spaces them, alphabets as characters."""
    if depth > _MAX_DEPTH:
        raise Unshowable("nested too deeply")
    children = [tidy(child, depth + 1) for child in element]
    if element.tag in _TOKENS:
        return _token(element) if not children else _whole_token(element, children)
    tag, attributes = _TAGS[element.tag], _attributes(element)
    if len(children) != _PARTS.get(tag, len(children)):
        raise Unshowable(f"{tag} of {len(children)} parts")
    if tag in _ROWS:
        children = _spaced(_merged([child for child in children if not _is_nothing(child)]))
    elif tag in _LIMITS and _has_limits(children[0]):
        tag = _LIMITS[tag]
        children[0].set("movablelimits", "true")
    elif tag in _LINES and children[1].text == "―":
        tag, attributes, children = "mrow", {"class": _LINES[tag]}, children[:1]
    return _made(tag, attributes, children)


def text_of(element: Element) -> str:
    """The characters that are seen."""
    return "".join(element.itertext())


def write(math: Element) -> str:
    """What is inside `math`, as HTML."""
    return "".join(_written(child) for child in math)


def _written(element: Element) -> str:
    if element.get("linebreak"):
        raise Unshowable("a line end outside a table")
    attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in element.items())
    inner = html.escape(element.text or "", quote=False) + "".join(_written(child) for child in element)
    return f"<{element.tag}{attributes}>{inner}</{element.tag}>"


def _made(tag: str, attributes: dict[str, str], children: Iterable[Element] = (), text: str = "") -> Element:
    made = Element(tag, attributes)
    made.text = text
    made.extend(children)
    return made


# --- Tags and attributes ---------------------------------------------------------------------------------------

_MAX_DEPTH = 100
_TOKENS = ("mi", "mn", "mo", "mtext")
_ROWS = ("math", "mrow", "mstyle", "msqrt", "mtd")
_SCRIPTED = ("msub", "msup", "msubsup", "munder", "mover", "munderover")
_PARTS = {**dict.fromkeys(("mfrac", "mroot", *_SCRIPTED), 2), "msubsup": 3, "munderover": 3}
_TAGS = {
    **{tag: tag for tag in (*_ROWS, *_PARTS, "mspace", "mtable", "mtr")},
    # `mpadded` would lay one thing over another; browsers no longer draw the box of `menclose`, the style sheet does.
    **dict.fromkeys(("mpadded", "menclose"), "mrow"),
}

_YES_NO = "true|false"
_LENGTH = r"-?0?\.\d+em|[0-3](?:\.\d+)?em|0"
_ATTRIBUTES = {
    "columnalign": "left|right|center",
    "displaystyle": _YES_NO,
    "form": "prefix|postfix",
    "linebreak": "newline",
    "linethickness": _LENGTH,
    "lspace": _LENGTH,
    "maxsize": _LENGTH,
    "minsize": _LENGTH,
    "movablelimits": _YES_NO,
    "rspace": _LENGTH,
    "scriptlevel": "[0-2]",
    "stretchy": _YES_NO,
    "width": _LENGTH,
}
# They embellish, and no browser or no reader needs them; a colour could hide what is said.
_LEFT_OUT = {"xmlns", "display", "accent", "fence", "separator", "mathcolor", "mathsize", "mathvariant", "depth"}
_LEFT_OUT |= {"columnspacing", "rowspacing", "columnlines", "rowlines"}
# https://www.w3.org/TR/MathML3/chapter2.html#type.namedspace
_NAMED_SPACES = {"thinmathspace": "0.167em", "mediummathspace": "0.222em", "thickmathspace": "0.278em"}


def _attributes(element: Element) -> dict[str, str]:
    if element.tag == "mpadded":
        return {}
    if element.tag == "menclose" and element.attrib == {"notation": "box"}:
        return {"class": "boxed"}
    kept = {name: _length(value) for name, value in element.items() if name not in _LEFT_OUT}
    for name, value in kept.items():
        if not re.fullmatch(_ATTRIBUTES.get(name, "(?!)"), value):
            raise Unshowable(f"{name}={value}")
    return kept


def _length(value: str) -> str:
    sign = "-" if value.startswith("negative") else ""
    space = _NAMED_SPACES.get(value.removeprefix("negative"))
    return sign + space if space else value


# --- Tokens ----------------------------------------------------------------------------------------------------

_COMMAND_LEFT = re.compile(r"[\\{}&#_^~$]")
_COMMAND_LEFT_IN_TEXT = re.compile(r"[\\{}$]")
_ESCAPED_IN_TEXT = re.compile(r"\\([_%&# ])")
_CODE = re.compile("&#x0*([0-9A-Fa-f]{1,6});")
# A single letter that \mathrm made comes as a number, and would be slanted like any other.
_UPRIGHT = re.compile("&#x000(?:[46][1-9A-F]|[57][0-9A]);")
# TeX sets them like letters, whatever their Unicode category says; and bars without space around.
_LIKE_LETTERS = tuple("∞∅⊤⊥∠°′″‴⁗")
_BARS = ("|", "‖")


def _token(element: Element) -> Element:
    """A token with its character references read, as the kind of token that TeX's spacing makes of it."""
    written = element.text or ""
    if element.tag == "mtext":
        return _text_token(element, written)
    text = _CODE.sub(lambda code: chr(int(code[1], 16)), written)
    if _COMMAND_LEFT.search(_CODE.sub("", written)) or text != clean(text):
        raise Unshowable(written)
    tag, variant, attributes = element.tag, element.get("mathvariant", ""), _attributes(element)
    if variant not in ("", "normal", "italic"):
        text = "".join(_styled(char, variant) for char in text)
    elif tag == "mi" and (variant == "normal" or _UPRIGHT.fullmatch(written)):
        attributes["mathvariant"] = "normal"
    elif text in _LIKE_LETTERS:
        tag, attributes = "mi", {}
    elif tag == "mi" and _is_operator(text):
        tag, attributes = "mo", {"stretchy": "false"}
    elif text in _BARS and element.get("fence") != "true":
        attributes |= {"stretchy": "false", "lspace": "0", "rspace": "0"}
    elif tag != "mn" and _is_name(text):
        tag, attributes = "mo", {**attributes, "lspace": "0", "rspace": "0"}
    return _made(tag, attributes, text=text)


def _text_token(element: Element, written: str) -> Element:
    text = _ESCAPED_IN_TEXT.sub(r"\1", written.replace("&#x000A0;", "\u00a0"))
    if _COMMAND_LEFT_IN_TEXT.search(text) or "⧸" in text or text != clean(text):
        raise Unshowable(written)
    variant = element.get("mathvariant", "")
    return _made("mtext", {"class": variant} if variant in ("bold", "italic") else {}, text=text)


def _whole_token(element: Element, children: list[Element]) -> Element:
    r"""`\mathop{\mathrm{argmin}}` comes as a token with elements in it, which is none; HTML would read HTML there."""
    row = _made("mrow", {}, children)
    if any(part.tag not in ("mrow", *_TOKENS) for part in row.iter()):
        return row
    return _token(_made(element.tag, {}, text="".join(f"&#x{ord(char):X};" for char in text_of(row))))


def _is_operator(text: str) -> bool:
    return len(text) == 1 and (unicodedata.category(text) in ("Sm", "Ps", "Pe") or text in ":;")


def _is_name(text: str) -> bool:
    """Whether this is the name of a function or operator: sin, lim sup, softmax."""
    return len(text) > 1 and text != "mod" and text.replace("\u2006", "").replace("\u2009", "").isalpha()


_ALPHABETS = {"bold-italic": "BOLD ITALIC", "sans-serif-italic": "SANS-SERIF ITALIC"}


def _styled(char: str, variant: str) -> str:
    """`char` in another alphabet, by its Unicode name: browsers know no other way to a bold or double-struck letter."""
    kind = re.sub("LATIN |GREEK |LETTER ", "", unicodedata.name(char, ""))
    alphabet = _ALPHABETS.get(variant, variant.upper())
    # ℝ is no "mathematical" letter but DOUBLE-STRUCK CAPITAL R, and ℌ is BLACK-LETTER CAPITAL H.
    for name in (f"MATHEMATICAL {alphabet} {kind}", f"{alphabet} {kind}", f"BLACK-LETTER {kind}"):
        with contextlib.suppress(KeyError):
            return unicodedata.lookup(name)
    return char


# --- Rows and limits -------------------------------------------------------------------------------------------

_LIMITS = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
_SUMS = "∑∏∐⋃⋂⋁⋀⨁⨂⨀⨄⨆"
_LIMIT_NAMES = ("lim", "max", "min", "sup", "inf")
# A stroke that the style sheet draws: few fonts have one that grows with what it covers.
_LINES = {"mover": "overline", "munder": "underline"}
_THIN = "0.167em"


def _has_limits(base: Element) -> bool:
    text = base.text or ""
    is_sum = bool(text) and (text in _SUMS or text in _LIMIT_NAMES)
    return base.tag == "mo" and (is_sum or base.get("movablelimits") == "true")


def _is_nothing(element: Element) -> bool:
    r"""What `\left.` leaves, and a space without a width."""
    return (element.tag == "mo" and not element.text) or (element.tag == "mspace" and not element.attrib)


def _merged(children: list[Element]) -> list[Element]:
    """Upright letters beside each other are one word."""
    merged: list[Element] = []
    for upright, run in groupby(children, lambda child: child.tag == "mi" and child.get("mathvariant") == "normal"):
        letters = list(run)
        if upright and len(letters) > 1:
            letters = [_made("mi", {}, text="".join(letter.text or "" for letter in letters))]
        merged += letters
    return merged


def _spaced(children: list[Element]) -> list[Element]:
    """A name has a thin space towards all that is no operator or bracket, and a sign is no operator after another.

    The TeXbook, chapter 18.
    """
    for before, child, after in zip([None, *children], children, [*children[1:], None], strict=False):
        core = _core(child)
        if core is not None and _is_name(core.text or ""):
            core.set("lspace", _THIN if before is not None and _core(before) is None else "0")
            core.set("rspace", _THIN if after is not None and _takes_space(after) else "0")
        elif core is not None and core.text in _SIGNS and before is not None and before.text in _BEFORE_SIGNS:
            core.set("form", "prefix")
    return children


def _takes_space(after: Element) -> bool:
    core = _core(after)
    return core is None or _is_name(core.text or "")


_SIGNS = ("−", "+", "±", "∓")
_BEFORE_SIGNS = tuple("=<>≤≥≈≡∼≠∈→⇒×⋅·÷/,([{")


def _core(element: Element) -> Element | None:
    """The operator that an element is, or that is the base of its scripts."""
    while element.tag in _SCRIPTED:
        element = element[0]
    return element if element.tag == "mo" else None
