"""A round's assistant messages, read once and checked: what a page shows, an audit counts and `cite` writes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from renderer.citations.claims import MARKER, sentences
from renderer.citations.registry import build_registry
from renderer.citations.verdicts import Evidence, answer_of, check_message
from renderer.markdown.fragment import Document, read_markdown
from renderer.markdown.transforms import prose_of
from renderer.model import CheckedAnswer, Conversation, Message, Registry, Role, Round, SourceTool


@dataclass(frozen=True, slots=True)
class CheckedMessage:
    """An assistant message: its text as read, its citations as checked, and whether it is the round's answer."""

    message: Message
    document: Document
    checked: CheckedAnswer
    is_answer: bool


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """A round with its registry, and its assistant messages by their place in `Round.messages`."""

    round: Round
    registry: Registry
    answers: dict[int, CheckedMessage]


def check_round(
    round_: Round, conversation: Conversation, *, recorded: bool, tools: tuple[SourceTool, ...] | None = None
) -> CheckedRound:
    """Read and check the assistant messages of a round.

    `recorded` is whether the file holds tool results at all; `tools` are the tools whose answers give sources, None for
    those that citepage knows.
    """
    registry = build_registry(round_.messages, tools)
    # Before the first question there is no round whose tools an answer could have used.
    evidence = Evidence(registry, recorded=recorded and round_.index > 0, stored=conversation.retrieval)
    answer = answer_of(round_)
    answers: dict[int, CheckedMessage] = {}
    for place, message in enumerate(round_.messages):
        if message.role is Role.ASSISTANT:
            document = read_markdown(message.text, _dialect(message, conversation))
            is_answer = message is answer
            checked = check_message(message, document.markers, evidence, is_answer=is_answer)
            answers[place] = CheckedMessage(message, document, checked, is_answer)
    return CheckedRound(round_, registry, answers)


def _dialect(message: Message, conversation: Conversation) -> str:
    """The dialect of a message. In a retrieval answer without any source a bare `[1]` is text."""
    return "" if conversation.retrieval and not message.citations else conversation.dialect


@dataclass(frozen=True, slots=True)
class CitedClaim:
    """Words of a sentence up to the citations that they carry, and the display numbers cited."""

    text: str
    ks: tuple[int, ...]


def cited_claims(answer: CheckedMessage) -> list[CitedClaim]:
    """What an answer says with a listed source, in order: a sentence, or the part of one up to its citations.

    Citations without words of their own share those before them, or else those of their sentence, or of their table
    row. What stands in formulas is no wording.
    """
    if answer.document.tokens is None:
        return []
    numbers = {marker.raw: marker.numbers for marker in answer.document.markers}
    listed = answer.checked.by_n
    claims: list[CitedClaim] = []

    def is_listed(raw: str) -> bool:
        return any(n in listed for n in numbers.get(raw, ()))

    for prose in prose_of(answer.document.tokens, is_listed, formulas=False):
        waiting = list(prose.markers)
        for words, count in _claimed(prose.text):
            cited, waiting = waiting[:count], waiting[count:]
            ks = sorted({listed[n].k for raw in cited for n in numbers[raw] if n in listed})
            if words:
                claims.append(CitedClaim(words, tuple(ks)))
    return claims


def _claimed(text: str) -> Iterator[tuple[str, int]]:
    """The words that markers of `text` are for, "" when there are none at all, and how many markers they are."""
    for sentence in sentences(text):
        # Words, markers, words, …: a sentence can cite two sources for its two halves.
        words, *rest = re.split(f"({MARKER}+)", sentence)
        said = _plain(sentence) or _plain(text)
        for markers, following in zip(rest[::2], rest[1::2], strict=True):
            said = _plain(words) or said
            yield said, len(markers)
            words = following


def _plain(words: str) -> str:
    """Words without markers and what is left over before them; "" when no letter or digit is in them."""
    plain = " ".join(words.replace(MARKER, " ").split()).lstrip(" ,.;:!?，。；：！？、")
    return plain if any(char.isalnum() for char in plain) else ""
