"""Themes: one small file of custom properties each, in `assets/themes/`; and the style and script that a page carries.

A page carries only the parts of the style that it has a use for: `css/NN-part.css` always, `css/NN-class.if.css` when
an element of the page has that class. Comments and blanks go; the page's policy names the hashes of what is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

import rcssmin
import rjsmin

from renderer.errors import RendererError
from renderer.resources import asset_names, asset_text

_CONDITIONAL = ".if.css"


def themes() -> tuple[str, ...]:
    """The names of all themes that there are, sorted."""
    return tuple(sorted(name.removesuffix(".css") for name in asset_names("themes") if name.endswith(".css")))


@cache
def conditional_parts() -> tuple[str, ...]:
    """The class names that bring a part of the style with them, in the order of the parts."""
    return tuple(_class_of(name) for name in asset_names("css") if name.endswith(_CONDITIONAL))


@lru_cache
def style_sheet(theme: str, lang: str, parts: frozenset[str]) -> str:
    """The style of a page in the language `lang` (BCP 47) that holds elements of the classes `parts`.

    Raises RendererError for a theme that there is not.
    """
    if theme not in themes():
        raise RendererError("", f"there is no theme {theme!r}", f"choose one of: {', '.join(themes())}")
    names = [f"themes/{theme}.css", *_page_parts(parts), *_language_parts(lang)]
    return str(rcssmin.cssmin("\n".join(asset_text(name) for name in names)))


@cache
def script() -> str:
    """The script of a page."""
    return str(rjsmin.jsmin("\n".join(asset_text(f"js/{name}") for name in asset_names("js"))))


def _language_parts(lang: str) -> Iterator[str]:
    """From the general to the special: for "zh-Hant-TW" the parts "zh", "zh-Hant" and "zh-Hant-TW", where there are."""
    known = asset_names("languages")
    subtags = lang.split("-")
    for end in range(1, len(subtags) + 1):
        if (name := "-".join(subtags[:end]) + ".css") in known:
            yield f"languages/{name}"


def _page_parts(parts: frozenset[str]) -> Iterator[str]:
    for name in asset_names("css"):
        if not name.endswith(_CONDITIONAL) or _class_of(name) in parts:
            yield f"css/{name}"


def _class_of(name: str) -> str:
    return name.removesuffix(_CONDITIONAL).split("-", 1)[1]
