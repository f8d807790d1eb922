"""What holds of each citation of a message: its verdict, whether it is listed, and its display number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from renderer.model import (
    CheckedAnswer,
    Citation,
    Conversation,
    Marker,
    Message,
    Passage,
    Registry,
    RegistryEntry,
    Removal,
    Role,
    Round,
    Source,
    ToolResult,
    Verdict,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the citations of a message are checked against.

    `registry` is the round's. `recorded` is false where there is nothing to check against: the whole file holds no
    tool results, or the message stands before the first question. `stored` is true for answers that carry their own
    passages: there a passage is the evidence.
    """

    registry: Registry
    recorded: bool
    stored: bool = False


def holds_tool_results(conversation: Conversation) -> bool:
    """Whether the file records what tools returned. Reads only up to the first result."""
    return any(
        isinstance(block, ToolResult) and block.text.strip()
        for round_ in conversation.rounds
        for message in round_.messages
        for block in message.blocks
    )


def answer_of(round_: Round) -> Message | None:
    """The round's last assistant message with text; None in a round without any, and before the first question."""
    if round_.index == 0:
        return None
    return next(
        (m for m in reversed(round_.messages) if m.role is Role.ASSISTANT and m.text.strip()),
        None,
    )


def check_message(message: Message, markers: Sequence[Marker], evidence: Evidence, *, is_answer: bool) -> CheckedAnswer:
    """Check one assistant message.

    `markers` are those in its text tokens, in order. The list that the file gives for the message is the list;
    without one, it is built for the round's answer from the registry; no other message has any.
    """
    given = _citations(message, markers, evidence.registry, is_answer=is_answer)
    by_url = {entry.url: entry for entry in evidence.registry}
    verdicts = {citation.n: _verdict(citation, by_url, evidence) for citation in given}
    listed = [citation for citation in given if verdicts[citation.n].shown]
    sources = tuple(
        _source(k, citation, verdicts[citation.n], by_url.get(citation.url)) for k, citation in enumerate(listed, 1)
    )
    by_n = {source.n: source for source in sources}
    removed = tuple(_removals(markers, by_n, verdicts))
    return CheckedAnswer(sources, removed, by_n)


def _citations(message: Message, markers: Sequence[Marker], registry: Registry, *, is_answer: bool) -> list[Citation]:
    if message.citations is not None:
        first = {citation.n: citation for citation in reversed(message.citations)}
        return [first[n] for n in sorted(first)]
    if not is_answer:
        return []
    cited = sorted({n for marker in markers for n in marker.numbers if 1 <= n <= len(registry)})
    return [Citation(n, registry[n - 1].url, registry[n - 1].title) for n in cited]


def _verdict(citation: Citation, by_url: dict[str, RegistryEntry], evidence: Evidence) -> Verdict:
    if evidence.stored:
        return Verdict.RETURNED if citation.passage and citation.passage.text.strip() else Verdict.UNCHECKED
    if not evidence.recorded:
        return Verdict.UNCHECKED
    return Verdict.RETURNED if citation.url in by_url else Verdict.NOT_RETURNED


def _source(k: int, citation: Citation, verdict: Verdict, entry: RegistryEntry | None) -> Source:
    # The title that the tool returned, not the one in the list: the list is what is being checked.
    title = entry.title if entry is not None and verdict is Verdict.RETURNED else citation.title
    passage = citation.passage
    if entry is not None and entry.passage.strip():
        passage = Passage(entry.passage, entry.retrieved_at)
    return Source(k, citation.n, citation.url, title, verdict, entry, passage)


def _removals(markers: Iterable[Marker], by_n: dict[int, Source], verdicts: dict[int, Verdict]) -> Iterable[Removal]:
    named: set[int] = set()
    for marker in markers:
        lost = next((n for n in marker.numbers if n not in by_n), None)
        if lost is not None:
            named.add(lost)
            yield Removal(marker.raw, lost, verdicts.get(lost, Verdict.NO_SOURCE))
    for n, verdict in verdicts.items():
        if not verdict.shown and n not in named:
            yield Removal(None, n, verdict)
