"""Blocks → HTML: one template per block type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from markupsafe import Markup

from renderer.model import Attachment, Block, FileChanges, Image, Stub, Text, Thinking, ToolCall, ToolResult
from renderer.pages.context import PageContext
from renderer.pages.environment import render
from renderer.pages.pictures import picture_view, size_text
from renderer.pages.views import AttachmentView

# A text longer than this (lines, code points) is folded.
MAX_LINES = 12
MAX_CHARACTERS = 1200


def blocks_html(blocks: Sequence[Block], page: PageContext) -> tuple[Markup, ...]:
    """The HTML of blocks that are not an assistant's text; the attached files come last, in one list."""
    shown: list[Markup] = []
    files: list[AttachmentView] = []
    for block in blocks:
        if isinstance(block, Attachment) and not _is_picture_at_hand(block, page):
            files.append(_attachment(block, page))
        elif (html := _block_html(block, page)) is not None:
            shown.append(html)
    listed = (render("blocks/attachments", files=files, say=page.catalog.say),) if files else ()
    return (*shown, *listed)


def _block_html(block: Block, page: PageContext) -> Markup | None:
    """The HTML of a block; None for what is shown elsewhere or not at all."""
    say = page.catalog.say
    match block:
        case Text(text):
            return render("blocks/text", text=text, lines=line_count(text), folded=is_long(text), say=say)
        case Thinking(text):
            return render("blocks/thinking", text=text, say=say) if page.options.show_thinking else None
        case Image(url, alt) | Attachment(name=(url as alt)):
            return render("blocks/image", picture=picture_view(url, alt, page), say=say)
        case Stub(kind, text):
            return render("blocks/stub", kind=kind, text=text, lines=line_count(text), say=say)
        case ToolCall() | ToolResult() | FileChanges():
            return None  # in the steps of the round, and at the end of the page
    assert_never(block)


def _is_picture_at_hand(attachment: Attachment, page: PageContext) -> bool:
    return attachment.media_type.startswith("image/") and page.pictures.media(attachment.name) is not None


def _attachment(attachment: Attachment, page: PageContext) -> AttachmentView:
    say, name, media_type = page.catalog.say, attachment.name, attachment.media_type
    if not name and media_type.startswith("image/"):
        return AttachmentView(say("picture_absent", media_type=media_type), "", "")
    size = attachment.size
    if size is None and (file := page.pictures.media(name)) is not None:
        size = file.size
    return AttachmentView(name or say("attachment_unnamed"), media_type, "" if size is None else size_text(size))


def is_long(text: str) -> bool:
    """Whether a text is folded."""
    return len(text) > MAX_CHARACTERS or line_count(text) > MAX_LINES


def line_count(text: str) -> int:
    """How many lines a text has, as it is shown: only line feeds end lines."""
    return text.rstrip("\n").count("\n") + 1
