"""The few facts that a head tells of its rounds, gathered while they are written; bounded, however long the page is."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from renderer.citations.strip import strip_citation_markers
from renderer.markdown.answers import CheckedMessage, CheckedRound
from renderer.markdown.hygiene import clean
from renderer.markdown.transforms import prose_of, tidy_markers
from renderer.model import Message, Role
from renderer.pages.views import RoundView

# How many messages and linked sources are told, and how long an address may be (code points).
MAX_MESSAGES = 50
MAX_SOURCES = 50
MAX_ADDRESS = 500

# Enough code points of a text for every excerpt of it.
_ENOUGH = 640

# Marks that turn the direction of what follows: in a card of another program nothing would hold them in.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class Told:
    """A message as a head tells it: who wrote it, when, and (a question) how it begins."""

    role: Role
    created_at: datetime | None
    beginning: str


@dataclass(slots=True)
class Excerpts:
    """How the first question and the first answer begin, the first messages, and the first linked sources.

    At most `MAX_MESSAGES` and `MAX_SOURCES` of them; an address over `MAX_ADDRESS` is not told. `sources` holds titles
    by address: those of the views, so an address that a page does not link is never among them.
    """

    question: str = ""
    answer: str = ""
    messages: list[Told] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)

    def add(self, checked: CheckedRound, view: RoundView) -> None:
        """Take in one round, as it was checked and as it is shown."""
        round_ = checked.round
        if round_.question is not None:
            self._tell(round_.question)
        for message in round_.messages:
            self._tell(message)
        for answer in checked.answers.values():
            if answer.is_answer and not self.answer:
                self.answer = _words_of(answer)
        for article in view.articles:
            for source in article.sources.items if article.sources else ():
                if source.url and len(source.url) <= MAX_ADDRESS and len(self.sources) < MAX_SOURCES:
                    self.sources.setdefault(source.url, source.title)

    def _tell(self, message: Message) -> None:
        if message.role not in (Role.USER, Role.ASSISTANT) or not message.text.strip():
            return
        beginning = one_line(strip_citation_markers(message.text[:_ENOUGH])) if message.role is Role.USER else ""
        self.question = self.question or beginning
        if len(self.messages) < MAX_MESSAGES:
            self.messages.append(Told(message.role, message.created_at, beginning))


def one_line(text: str) -> str:
    """`text` in one line, fit for places that show plain text and hold no mark of direction in."""
    return " ".join(_TURNING.sub("", clean(text)).split())


def beginning(text: str, limit: int) -> str:
    """`text`, or its first `limit` code points with an ellipsis, cut between words where there are blanks."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    at_blank = cut.rfind(" ")
    return cut[: at_blank if at_blank > limit * 2 // 3 else None].rstrip(" ,.;:，、；：") + "…"


def _words_of(answer: CheckedMessage) -> str:
    """How an answer begins, as it is read: without Markdown and without markers."""
    if answer.document.tokens is None:
        return one_line(answer.document.text[:_ENOUGH])
    said: list[str] = []
    for prose in prose_of(tidy_markers(answer.document.tokens, lambda _raw: True), lambda _raw: False):
        said.append(prose.text)
        if sum(map(len, said)) > _ENOUGH:
            break
    return one_line(" ".join(said)[: 2 * _ENOUGH])
