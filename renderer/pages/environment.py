"""The templates, set up so that nothing gets into a page unescaped or uncleaned."""

from __future__ import annotations

from functools import lru_cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from renderer.markdown.hygiene import clean
from renderer.resources import template_folder


def render(template: str, **values: object) -> Markup:
    """The HTML of `templates/<template>.html.jinja`."""
    return Markup(_environment().get_template(f"{template}.html.jinja").render(**values))


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(template_folder()),
        # Not select_autoescape(): it does not know the ending .html.jinja and would switch escaping off.
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def _clean(value: object) -> object:
    """Every text that a template shows is cleaned here; HTML that we made is clean already."""
    return clean(value) if isinstance(value, str) and not isinstance(value, Markup) else value
