"""Themes: one small file of custom properties each, in `assets/themes/`; and the style and script that a page carries.

A page carries only the parts that it has a use for: `css/NN-part.css` and `js/NN-part.js` always, `NN-name.if.css`
and `NN-name.if.js` when it holds an element of that class or tag name. Comments and blanks go; the policy of the page
names the hashes of what is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

import rcssmin
import rjsmin

from renderer.errors import RendererError
from renderer.resources import asset_names, asset_text

_CONDITIONAL = ".if"
_KINDS = ("css", "js")
# What the minifier leaves: brackets around a lone parameter, and a sign before a closing one. No string has it.
_NEEDLESS = re.compile(r"(?<=[=(,:?])\(([A-Za-z]+)\)(?==>)|[;,](?=\})")


def themes() -> tuple[str, ...]:
    """The names of all themes that there are, sorted."""
    return tuple(sorted(name.removesuffix(".css") for name in asset_names("themes") if name.endswith(".css")))


@cache
def conditional_parts() -> frozenset[str]:
    """The names of classes and tags that bring a part of the style or the script with them."""
    return frozenset(_class_of(name) for kind in _KINDS for name in asset_names(kind)) - {""}


@lru_cache
def style_sheet(theme: str, lang: str, parts: frozenset[str]) -> str:
    """The style of a page in the language `lang` (BCP 47) that holds elements of the classes `parts`.

    Raises RendererError for a theme that there is not.
    """
    if theme not in themes():
        raise RendererError("", f"there is no theme {theme!r}", f"choose one of: {', '.join(themes())}")
    names = [f"themes/{theme}.css", *_page_parts("css", parts), *_language_parts(lang)]
    return str(rcssmin.cssmin("\n".join(asset_text(name) for name in names)))


@lru_cache
def script(parts: frozenset[str]) -> str:
    """The script of a page that holds elements of the classes `parts`. Its parts share one scope."""
    text = "".join(asset_text(name) for name in _page_parts("js", parts))
    small = str(rjsmin.jsmin(f'(() => {{\n"use strict";\n{text}}})();'))
    return _NEEDLESS.sub(r"\1", small)


# Of the style of a page, what the indexes of an archive have a use for too.
_ARCHIVE_PARTS = ("05-fonts.css", "10-base.css", "20-page.css", "90-media.css")


@lru_cache
def archive_style(theme: str, lang: str) -> str:
    """The style of an archive's index pages in the language `lang`. Raises RendererError for an unknown theme."""
    if theme not in themes():
        raise RendererError("", f"there is no theme {theme!r}", f"choose one of: {', '.join(themes())}")
    own = [f"archive/{name}" for name in asset_names("archive") if name.endswith(".css")]
    names = [f"themes/{theme}.css", *(f"css/{name}" for name in _ARCHIVE_PARTS), *own, *_language_parts(lang)]
    return str(rcssmin.cssmin("\n".join(asset_text(name) for name in names)))


@cache
def archive_script() -> str:
    """The script of an archive's index pages."""
    names = [name for name in asset_names("archive") if name.endswith(".js")]
    return str(rjsmin.jsmin("\n".join(asset_text(f"archive/{name}") for name in names)))


def _language_parts(lang: str) -> Iterator[str]:
    """From the general to the special: for "zh-Hant-TW" the parts "zh", "zh-Hant" and "zh-Hant-TW", where there are."""
    known = asset_names("languages")
    subtags = lang.split("-")
    for end in range(1, len(subtags) + 1):
        if (name := "-".join(subtags[:end]) + ".css") in known:
            yield f"languages/{name}"


def _page_parts(kind: str, parts: frozenset[str]) -> Iterator[str]:
    return (f"{kind}/{name}" for name in asset_names(kind) if _class_of(name) in {"", *parts})


def _class_of(name: str) -> str:
    """The class that a page must hold for this part to be carried: "sources" for "40-sources.if.css", else ""."""
    stem = name.rpartition(".")[0]
    return stem.removesuffix(_CONDITIONAL).split("-", 1)[1] if stem.endswith(_CONDITIONAL) else ""
