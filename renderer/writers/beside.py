"""What the files beside a page share: the same rounds, checked as the page's are, and answers with plain references."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from renderer.citations.verdicts import holds_tool_results
from renderer.i18n import catalog
from renderer.markdown.answers import CheckedMessage, CheckedRound, check_round
from renderer.markdown.occurrences import replace_markers
from renderer.model import Conversation, Message, Role
from renderer.options import Options
from renderer.pages.context import PageContext, page_context
from renderer.pages.language import language_of
from renderer.pages.passages import CLOSED
from renderer.pages.policy import by_policy
from renderer.pages.sources import sources_view
from renderer.pages.views import SourceView


@dataclass(frozen=True, slots=True)
class PlainAnswer:
    """An assistant's message after the check, with its listed sources as the page shows them."""

    answer: CheckedMessage
    sources: tuple[SourceView, ...]
    is_remark: bool


def context_of(conversation: Conversation, options: Options) -> PageContext:
    """The context of the page; its room for passages goes to closed sources alone (`plain_messages`)."""
    words = catalog(language_of(conversation) if options.lang == "auto" else options.lang)
    return page_context(conversation, options, words)


def checked_rounds(conversation: Conversation, options: Options) -> Iterator[CheckedRound]:
    """The rounds, one at a time, as the page shows them."""
    recorded = holds_tool_results(conversation)
    for round_ in conversation.rounds:
        checked = check_round(round_, conversation, recorded=recorded, tools=options.tools)
        yield by_policy(checked, options.on_invalid) if conversation.retrieval else checked


def plain_messages(checked: CheckedRound, page: PageContext) -> Iterator[PlainAnswer | Message]:
    """The messages of a round after its question, but for the tools' answers, which are in the steps."""
    for place, message in enumerate(checked.round.messages):
        if place in checked.answers:
            yield _plain_answer(checked.answers[place], page, prelude=checked.round.index == 0)
        elif message.role is not Role.TOOL:
            yield message


def with_references(
    answer: CheckedMessage, conversation: Conversation, write: Callable[[int], str], invalid: Callable[[str], str]
) -> str:
    """The source of an answer's text: each listed marker as `write` has its display numbers, any other as `invalid`."""
    listed = {
        marker.raw: [answer.checked.by_n[n].k for n in marker.numbers if n in answer.checked.by_n]
        for marker in answer.document.markers
    }
    # In an answer without any marker in its text nothing of that shape is one.
    dialect = conversation.dialect if answer.document.markers else ""
    return replace_markers(
        answer.document, dialect, lambda raw: "".join(map(write, listed.get(raw, []))) or invalid(raw)
    )


def _plain_answer(answer: CheckedMessage, page: PageContext, *, prelude: bool) -> PlainAnswer:
    view = sources_view(answer.message.id, _with_closed_passages(answer), {}, page, prelude=prelude)
    return PlainAnswer(answer, view.items if view else (), not answer.is_answer and not prelude)


def _with_closed_passages(answer: CheckedMessage) -> CheckedMessage:
    """`answer` without the passages that can be read where they are from."""
    sources = tuple(
        source
        if source.passage is None or source.passage.status in CLOSED
        else replace(source, passage=replace(source.passage, text=""))
        for source in answer.checked.sources
    )
    return replace(answer, checked=replace(answer.checked, sources=sources))
