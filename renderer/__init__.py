"""Citepage: AI answers with sources as one self-contained page, every source checked. Nothing happens on import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from renderer.citations.markers import extract_citation_markers as extract_citation_markers
    from renderer.citations.registry import build_registry as build_registry
    from renderer.errors import RendererError as RendererError
    from renderer.model import Citation as Citation
    from renderer.model import Conversation as Conversation
    from renderer.model import Message as Message
    from renderer.model import Round as Round
    from renderer.model import Source as Source
    from renderer.model import Verdict as Verdict
    from renderer.options import Options as Options
    from renderer.readers import read as read
    from renderer.writers.page import PageSummary as PageSummary
    from renderer.writers.page import render_page as render_page
    from renderer.writers.page import write_page as write_page

# Public name → the module that has it. Imported when first asked for: a run pays only for what it uses.
_PUBLIC = {
    "Citation": "renderer.model",
    "Conversation": "renderer.model",
    "Message": "renderer.model",
    "Options": "renderer.options",
    "PageSummary": "renderer.writers.page",
    "RendererError": "renderer.errors",
    "Round": "renderer.model",
    "Source": "renderer.model",
    "Verdict": "renderer.model",
    "build_registry": "renderer.citations.registry",
    "extract_citation_markers": "renderer.citations.markers",
    "read": "renderer.readers",
    "render_page": "renderer.writers.page",
    "write_page": "renderer.writers.page",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'renderer' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PUBLIC[name]), name)
