"""Themes: one small file of custom properties each, in `assets/themes/`; and the one style sheet of a page."""

from __future__ import annotations

from functools import lru_cache

from renderer.errors import RendererError
from renderer.resources import asset_names, asset_text


def themes() -> tuple[str, ...]:
    """The names of all themes that there are, sorted."""
    return tuple(sorted(name.removesuffix(".css") for name in asset_names("themes") if name.endswith(".css")))


@lru_cache
def style_sheet(theme: str) -> str:
    """The whole style sheet of a page: the theme's properties, then the parts of `assets/css/` by name.

    Raises RendererError for a theme that there is not.
    """
    if theme not in themes():
        raise RendererError("", f"there is no theme {theme!r}", f"choose one of: {', '.join(themes())}")
    parts = [f"css/{name}" for name in sorted(asset_names("css")) if name.endswith(".css")]
    return "\n".join(asset_text(name).strip() for name in [f"themes/{theme}.css", *parts])
