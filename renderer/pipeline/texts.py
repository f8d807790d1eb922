"""Plain text in and out: text without markers, and the context of retrieval hits."""

from __future__ import annotations

import codecs
from typing import Any

from renderer.citations.context import build_cited_context
from renderer.citations.strip import MarkerStripper
from renderer.errors import RendererError
from renderer.output import replacing_bytes, target_of
from renderer.readers import BadJson, Input


def context(name: str, limit: int, lang: str) -> tuple[str, list[dict[str, Any]]]:
    """The numbered context of the hits in the input `name` (a JSON list), and its citations. Raises RendererError."""
    with Input(name) as source:
        try:
            hits = source.document().value
        except BadJson as why:
            raise RendererError(source.name, f"this is no JSON: {why}", "give a JSON list of hits") from None
        if not isinstance(hits, list):
            raise RendererError(source.name, "this is no JSON list", "give a JSON list of hits")
        try:
            return build_cited_context(hits, limit=limit, lang=lang)
        except RendererError as error:
            raise RendererError(source.name, error.what, error.remedy) from None


def strip(name: str, output: str) -> None:
    """Write the text of the input `name` without citation markers to `output`. Raises RendererError."""
    stripper = MarkerStripper()
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    with Input(name) as source, replacing_bytes(target_of(output)) as file:
        for _, line in source.raw_lines():
            file.write(stripper.feed(decoder.decode(line)).encode("utf-8", "surrogateescape"))
        rest = stripper.feed(decoder.decode(b"", final=True)) + stripper.finish()
        file.write(rest.encode("utf-8", "surrogateescape"))
