"""TeX → MathML, for formulas that can be shown as they are meant; the others are shown as they were written.

The converter lets through what it does not know and loses words where it misreads, so what it makes is believed only
if every letter, digit and plain sign of the source is in it, and nothing that only TeX could mean.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from xml.etree.ElementTree import Element

from renderer.markdown.mathml import text_of, tidy, write

# Longer formulas (bytes of UTF-8) and deeper braces stay source: the converter takes about 10 µs a byte, and recurses.
MAX_TEX = 4 * 1024
_MAX_BRACES = 40
# A text's formulas after these many, or after this much TeX (code points), stay source too.
MAX_FORMULAS, MAX_TOTAL = 1_000, 64 * 1024


@dataclass(slots=True)
class Budget:
    """What the formulas of one text have taken so far."""

    formulas: int = 0
    tex: int = 0

    def to_mathml(self, tex: str) -> str | None:
        """As `to_mathml`; None too when there were too many before."""
        self.formulas += 1
        self.tex += len(tex)
        return to_mathml(tex) if self.formulas <= MAX_FORMULAS and self.tex <= MAX_TOTAL else None


@lru_cache(maxsize=1024)
def to_mathml(tex: str) -> str | None:
    """What belongs inside the `math` element of `tex` (no delimiters); None if its source is to be shown. Never raises.

    The result is no safe HTML yet.
    """
    if len(tex.encode()) > MAX_TEX or not tex.strip() or _REFUSED.search(tex) or not _is_balanced(tex):
        return None
    try:
        rewritten = _rewritten(tex)
        tree = tidy(_convert(rewritten) if rewritten else Element("math"))
        # A line end outside a table is one that browsers do not show.
        if rewritten and any(space.get("linebreak") for space in tree.iter("mspace")):
            tree = tidy(_convert(rf"\begin{{displaylines}}{rewritten}\end{{displaylines}}"))
        return write(tree) if _says_all(tex, text_of(tree)) else None
    except Exception:  # whatever the converter stumbles over, too deep a nesting included, the source says it
        return None


def tex_of(formula: str) -> str:
    """The TeX of a formula as written, without its delimiters."""
    width = 2 if formula.startswith(("$$", "\\")) else 1
    return formula[width:-width].strip()


def _convert(tex: str) -> Element:
    # Imported late: it reads a table of 2,400 symbols, and most pages have no formula.
    from latex2mathml.converter import Converter

    # Always as a block: in a line, browsers themselves put limits beside their operator.
    return Converter(display="block").convert_to_element(tex)


# --- What is not given to the converter ------------------------------------------------------------------------

# Macros and \sideset repeat what they are given (2ⁿ times when nested); the others style, link or forge.
_REFUSED = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|(?:re)?newenvironment|def|gdef|edef|let|DeclareMathOperator|sideset|unicode"
    r"|style|class|href|url|rule|verb|LaTeX|TeX|phantom|hphantom|vphantom)(?![A-Za-z])"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)


def _is_balanced(tex: str) -> bool:
    depth = 0
    for match in _BRACE.finditer(tex):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if not 0 <= depth <= _MAX_BRACES:
            return False
    return depth == 0


# --- What the converter would misread --------------------------------------------------------------------------

# Environments of https://ctan.org/pkg/amsmath, as one that the converter lays out likewise; "" is a mere group.
_ENVIRONMENTS = {
    **{name: name for name in ("matrix", "pmatrix", "bmatrix", "Bmatrix", "vmatrix", "Vmatrix", "smallmatrix")},
    **{name: name for name in ("array", "cases", "split", "align*")},
    **dict.fromkeys(("align", "aligned", "eqnarray", "eqnarray*", "flalign", "flalign*"), "align*"),
    **dict.fromkeys(("gather", "gather*", "gathered", "multline", "multline*"), "displaylines"),
    **dict.fromkeys(("equation", "equation*", "displaymath", "math"), ""),
    "dcases": "cases",
}
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([^{}]*)\}")

_REWRITES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\s+", " "),
        (r"\\\\\s?\[-?[\d.]+ ?(?:em|ex|pt|mm|cm|mu)\]", r"\\\\"),
        (r"\\(?:nonumber|notag)(?![A-Za-z])", ""),
        (r"\\operatorname\*? ?\{ ?(arg|lim)(?:\\[,;:! ]|[ ~])*(max|min|sup|inf) ?\}", r"\\\1\2 "),
        (r"\\operatorname\*? ?(?=\{)(?!\{[A-Za-z ]+\})", r"\\mathrm"),
        (r"\\(arg|Re|Im)(?![A-Za-z])", r"\\operatorname{\1}"),
        (r"\\tag ?\{([^{}]*)\}", r"\\qquad\\text{(\1)}"),
        (r"\\tag\* ?\{([^{}]*)\}", r"\\qquad\\text{\1}"),
        (r"(?<=\d)\{,\}(?=\d)", r"\\mathord{,}"),
        (r"\\not ?=", r"\\neq "),
        (r"\\text ?(?=\{[^{}$]*\$)", r"\\hbox"),
    )
)


def _rewritten(tex: str) -> str | None:
    """`tex` in the words that the converter knows; None if it has an environment that it does not."""
    names = {match[2] for match in _ENVIRONMENT.finditer(tex)}
    if not names <= _ENVIRONMENTS.keys():
        return None
    tex = _ENVIRONMENT.sub(_environment, tex)
    for pattern, replacement in _REWRITES:
        tex = pattern.sub(replacement, tex)
    return tex.strip()


def _environment(match: re.Match[str]) -> str:
    name = _ENVIRONMENTS[match[2]]
    return f"\\{match[1]}{{{name}}}" if name else "{" if match[1] == "begin" else "}"


# --- What is believed ------------------------------------------------------------------------------------------

# What is in TeX but not on paper: the names of commands and environments, columns, colours, lengths.
_UNSEEN = re.compile(
    r"\\(?:begin|end)\s*\{[^{}]*\}(?:\s*\{[lcr|\s]*\})?|\\(?:text)?color\s*\{[^{}]*\}"
    r"|\\[mh](?:space|kern|skip)\*?\s*\{[^{}]*\}|\\\\\s*\[[^\[\]]*\]|\\[A-Za-z]+|\\."
)


def _says_all(tex: str, shown: str) -> bool:
    """Whether each letter, digit and plain sign of the source is shown, as often as it is written."""
    return Counter(_signs(_UNSEEN.sub(" ", tex))) <= Counter(_signs(shown))


def _signs(text: str) -> list[str]:
    # 𝐱, ℝ and ≠ are x, R and = here.
    return [char for char in unicodedata.normalize("NFKD", text) if char.isalnum() or char in "+=<>!/?"]
