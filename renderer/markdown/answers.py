"""A round's assistant messages, read once and checked: what a page shows, an audit counts and `cite` writes."""

from __future__ import annotations

from dataclasses import dataclass

from renderer.citations.registry import build_registry
from renderer.citations.verdicts import Evidence, answer_of, check_message
from renderer.markdown.fragment import Document, read_markdown
from renderer.model import CheckedAnswer, Message, Registry, Role, Round, SourceTool


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
    round_: Round, dialect: str, *, recorded: bool, tools: tuple[SourceTool, ...] | None = None
) -> CheckedRound:
    """Read and check the assistant messages of a round.

    `dialect` names the marker dialect; `recorded` is whether the file holds tool results at all; `tools` are
    the tools whose answers give sources, None for those that citepage knows.
    """
    registry = build_registry(round_.messages, tools)
    # Before the first question there is no round whose tools an answer could have used.
    evidence = Evidence(registry, recorded=recorded and round_.question is not None)
    answer = answer_of(round_)
    answers: dict[int, CheckedMessage] = {}
    for place, message in enumerate(round_.messages):
        if message.role is Role.ASSISTANT:
            document = read_markdown(message.text, dialect)
            is_answer = message is answer
            checked = check_message(message, document.markers, evidence, is_answer=is_answer)
            answers[place] = CheckedMessage(message, document, checked, is_answer)
    return CheckedRound(round_, registry, answers)
