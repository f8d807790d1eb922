"""Retrieval hits → numbered context for a prompt, and the citations that go with it (second design, §2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from renderer.errors import RendererError

# More than ten sources are more than a reader looks at (second design, §2).
DEFAULT_LIMIT = 10

_LAYOUT = {"zh-CN": ("[{n}] 来源：{source}", "（{section}）"), "en": ("[{n}] Source: {source}", " ({section})")}


def build_cited_context(
    hits: Iterable[Mapping[str, Any]], *, limit: int = DEFAULT_LIMIT, lang: str = "zh-CN"
) -> tuple[str, list[dict[str, Any]]]:
    """The context text and its citations, numbered from 1 without gaps in the order given.

    A hit is `{"text", "source", "doc_id"?, "metadata": {"section"?, "page"?, "url"?}}`. At most `limit` hits are taken.
    A citation is `{"id", "source", "doc_id", "page", "section", "url", "text"}`, None where the hit has nothing; an
    answer and these citations together are what the reader `rag-answer` reads. `lang` is "zh-CN" or "en".
    Raises RendererError for a hit without text or source, and for an unknown language.
    """
    if lang not in _LAYOUT:
        raise RendererError("", f"there is no context layout in {lang!r}", f"choose one of: {', '.join(_LAYOUT)}")
    head, place = _LAYOUT[lang]
    parts: list[str] = []
    citations: list[dict[str, Any]] = []
    for number, hit in enumerate(hits, 1):
        if number > limit:
            break
        citation = _citation(number, hit)
        section = place.format(section=citation["section"]) if citation["section"] else ""
        parts.append(f"{head.format(n=number, source=citation['source'])}{section}\n{citation['text']}")
        citations.append(citation)
    return "\n\n".join(parts), citations


def _citation(number: int, hit: Any) -> dict[str, Any]:
    if not isinstance(hit, Mapping) or not isinstance(hit.get("text"), str) or not isinstance(hit.get("source"), str):
        raise RendererError("", f"hit {number} has no text or no source", 'a hit is {"text": "…", "source": "…", …}')
    metadata = hit.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    return {
        "id": number,
        "source": hit["source"],
        "doc_id": hit.get("doc_id"),
        "page": metadata.get("page"),
        "section": metadata.get("section"),
        "url": metadata.get("url"),
        "text": hit["text"],
    }
