"""Every type that crosses a stage: what a reader hands over, and what the citations stage makes of it.

All are frozen. Strings are kept exactly as the file has them (addresses are compared as exact strings); cleaning
happens where text becomes HTML. Times are aware `datetime`s, or None where the file says nothing.

To read in this order: `conversation`, the `blocks` of its messages, its `media`, and `citations`.
"""

from __future__ import annotations

from renderer.model.blocks import (
    Attachment,
    Block,
    FileChange,
    FileChanges,
    Image,
    Stub,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
)
from renderer.model.citations import (
    CheckedAnswer,
    Citation,
    Marker,
    Passage,
    Registry,
    RegistryEntry,
    Removal,
    Source,
    SourceTool,
    Verdict,
)
from renderer.model.conversation import Conversation, Message, Origin, Role, Round, Rounds
from renderer.model.media import Media, MediaFile, no_media

__all__ = [
    "Attachment",
    "Block",
    "CheckedAnswer",
    "Citation",
    "Conversation",
    "FileChange",
    "FileChanges",
    "Image",
    "Marker",
    "Media",
    "MediaFile",
    "Message",
    "Origin",
    "Passage",
    "Registry",
    "RegistryEntry",
    "Removal",
    "Role",
    "Round",
    "Rounds",
    "Source",
    "SourceTool",
    "Stub",
    "Text",
    "Thinking",
    "ToolCall",
    "ToolResult",
    "Verdict",
    "no_media",
]
