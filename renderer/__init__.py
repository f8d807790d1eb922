"""Citepage: AI answers with sources as one self-contained page, every source checked. Nothing happens on import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from renderer.citations.context import build_cited_context as build_cited_context
    from renderer.citations.markers import extract_citation_markers as extract_citation_markers
    from renderer.citations.report import CitationReport as CitationReport
    from renderer.citations.strip import MarkerStripper as MarkerStripper
    from renderer.citations.strip import strip_citation_markers as strip_citation_markers
    from renderer.citations.validate import Validation as Validation
    from renderer.citations.validate import validate_citations as validate_citations
    from renderer.errors import RendererError as RendererError
    from renderer.model import Citation as Citation
    from renderer.model import Conversation as Conversation
    from renderer.model import Message as Message
    from renderer.model import Round as Round
    from renderer.model import Source as Source
    from renderer.model import Verdict as Verdict
    from renderer.options import Options as Options
    from renderer.readers import read as read
    from renderer.writers.audit import audit as audit
    from renderer.writers.cite import build_registry as build_registry
    from renderer.writers.cite import cite_rows as cite_rows
    from renderer.writers.page import PageSummary as PageSummary
    from renderer.writers.page import render_page as render_page
    from renderer.writers.page import write_page as write_page

# Public name → the module that has it. Imported when first asked for: a run pays only for what it uses.
_PUBLIC = {
    "Citation": "renderer.model",
    "CitationReport": "renderer.citations.report",
    "Conversation": "renderer.model",
    "MarkerStripper": "renderer.citations.strip",
    "Message": "renderer.model",
    "Options": "renderer.options",
    "PageSummary": "renderer.writers.page",
    "RendererError": "renderer.errors",
    "Round": "renderer.model",
    "Source": "renderer.model",
    "Validation": "renderer.citations.validate",
    "Verdict": "renderer.model",
    "audit": "renderer.writers.audit",
    "build_cited_context": "renderer.citations.context",
    "build_registry": "renderer.writers.cite",
    "cite_rows": "renderer.writers.cite",
    "extract_citation_markers": "renderer.citations.markers",
    "read": "renderer.readers",
    "render_page": "renderer.writers.page",
    "strip_citation_markers": "renderer.citations.strip",
    "validate_citations": "renderer.citations.validate",
    "write_page": "renderer.writers.page",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'renderer' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_PUBLIC[name]), name)
