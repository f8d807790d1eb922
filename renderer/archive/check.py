"""Wrong options are found before the work begins: each input would find them anew."""

from __future__ import annotations

from datetime import UTC, datetime

from renderer.model import Conversation, Message, Origin, Role, Round, Text
from renderer.options import Options
from renderer.writers.page import render_page


def check_options(options: Options) -> None:
    """Make a page of nothing much. Raises RendererError for a theme, a language, a zone or an address that is none."""
    question = Message("1", Role.USER, (Text("?"),))
    rounds = (Round(1, question, ()),)
    render_page(
        Conversation("1", "", Origin("", ("",), ""), rounds, created_at=datetime(2000, 1, 1, tzinfo=UTC)),
        options=options,
    )
