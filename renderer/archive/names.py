"""The names of pages: they stay while a conversation grows, and no title can lead out of the folder."""

from __future__ import annotations

import hashlib

from renderer.file_names import safe_name
from renderer.model import Conversation

KEY_LENGTH = 10
MAX_SLUG = 60
INDEX = "index.html"


def digest_of(conversation: Conversation) -> str:
    """The SHA-256 (hex) that stands for a conversation, whichever export it comes from.

    A conversation has it by its format and its id, so that it keeps it when it grows. One without an id has it by its
    content, which is what readers make the id of such a conversation from.
    """
    return hashlib.sha256(f"{conversation.origin.format}\0{conversation.id}".encode("utf-8", "replace")).hexdigest()


def is_named_by_content(conversation: Conversation) -> bool:
    """Whether a conversation has no id of its own: its reader made one of its content."""
    return conversation.id == conversation.origin.digest[:12]


def page_name(title: str, key: str, number: int = 1) -> str:
    """The name of page `number` of the conversation of this title and key."""
    end = "" if number == 1 else f"-p{number}"
    return f"{safe_name(title, 'conversation', MAX_SLUG)}-{key}{end}.html"
