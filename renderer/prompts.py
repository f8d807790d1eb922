"""The citation rules to put into a system prompt: texts in `assets/prompts.toml`."""

from __future__ import annotations

import tomllib

from renderer.errors import RendererError
from renderer.resources import asset_text


def prompt(name: str, lang: str) -> str:
    """The text `name` ("agent", "agent_tools") in the language `lang`, ending in a line feed.

    Raises RendererError for a text or a language that there is not.
    """
    texts = tomllib.loads(asset_text("prompts.toml"))
    if name not in texts:
        raise RendererError("", f"there is no prompt {name!r}", f"choose one of: {', '.join(sorted(texts))}")
    if lang not in texts[name]:
        raise RendererError("", f"there is no prompt in {lang!r}", f"choose one of: {', '.join(sorted(texts[name]))}")
    return str(texts[name][lang]).strip() + "\n"
