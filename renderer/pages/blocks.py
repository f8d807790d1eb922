"""Blocks → HTML: one template per block type."""

from __future__ import annotations

import re
from typing import assert_never

from markupsafe import Markup

from renderer.citations.urls import parse_address
from renderer.i18n import Catalog
from renderer.model import Attachment, Block, FileChanges, Image, Stub, Text, Thinking, ToolCall, ToolResult
from renderer.options import Options
from renderer.pages.environment import render

# Raster pictures only: an SVG is a document that can do things.
_EMBEDDED = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/\s]+={0,2}\s*")

# A text longer than this (lines, code points) is folded.
MAX_LINES = 12
MAX_CHARACTERS = 1200


def block_html(block: Block, options: Options, catalog: Catalog) -> Markup | None:
    """The HTML of a block that is not an assistant's text; None for what is shown elsewhere or not at all."""
    match block:
        case Text(text):
            return render("blocks/text", text=text, lines=line_count(text), folded=is_long(text), say=catalog.say)
        case Thinking(text):
            return render("blocks/thinking", text=text, say=catalog.say) if options.show_thinking else None
        case Image(url, alt):
            embedded = url if _EMBEDDED.fullmatch(url) else None
            return render("blocks/image", src=embedded, alt=alt, address=parse_address(url), say=catalog.say)
        case Attachment(name, media_type):
            return render("blocks/attachment", name=name, media_type=media_type, say=catalog.say)
        case Stub(kind, text):
            return render("blocks/stub", kind=kind, text=text, lines=line_count(text), say=catalog.say)
        case ToolCall() | ToolResult() | FileChanges():
            return None  # in the steps of the round, and at the end of the page
    assert_never(block)


def is_long(text: str) -> bool:
    """Whether a text is folded."""
    return len(text) > MAX_CHARACTERS or line_count(text) > MAX_LINES


def line_count(text: str) -> int:
    """How many lines a text has, as it is shown: only line feeds end lines."""
    return text.rstrip("\n").count("\n") + 1
