"""What the lists and the search of a site know of a conversation, gathered while its pages are written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from renderer.archive.entry import CitedSource
from renderer.markdown.answers import CheckedMessage, CheckedRound
from renderer.markdown.hygiene import clean
from renderer.markdown.words import all_words
from renderer.pages.views import ArticleView, RoundView
from renderer.writers.written_round import WrittenRound

KINDS = ("title", "question", "answer", "source")


class Documents(Protocol):
    """Takes the texts of a conversation, one by one, for its search.

    `href` is an address inside the site. `kind` is of `KINDS`: the title leads to the conversation, a question and an
    answer to their message, the title of a source to its entry. `text` is plain: no Markdown, no marker.
    """

    def __call__(self, href: str, kind: str, text: str) -> None: ...


@dataclass(slots=True)
class _Cited:
    title: str
    host: str
    answers: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Collector:
    """Is shown each round with the name of its page, and then knows the sources that the answers list."""

    documents: Documents
    _sources: dict[tuple[str, str, str], _Cited] = field(default_factory=dict)

    def __call__(self, written: WrittenRound, page: str) -> None:
        """Take in one round."""
        for article in (written.view.question, *written.view.articles):
            if article is not None and article.sources:
                self._cite(article, f"{page}#{article.id}", page)
        for href, kind, text in _texts(written.checked, written.view, page):
            self.documents(href, kind, text)

    def sources(self) -> tuple[CitedSource, ...]:
        """The sources in the order in which they were met: one for each address (unlinked: title) and verdict."""
        return tuple(
            CitedSource(href, cited.title, cited.host, verdict, tuple(cited.answers))
            for (href, _, verdict), cited in self._sources.items()
        )

    def _cite(self, article: ArticleView, answer: str, page: str) -> None:
        for source in article.sources.items if article.sources else ():
            href = source.url
            key = (href, "" if href else source.title, source.verdict)
            cited = self._sources.setdefault(key, _Cited(clean(source.title), clean(source.domain)))
            if answer not in cited.answers[-1:]:
                cited.answers.append(answer)
            self.documents(f"{page}#{source.id}", "source", clean(source.full_title or source.title))


def _texts(checked: CheckedRound, view: RoundView, page: str) -> Iterator[tuple[str, str, str]]:
    """The words of a question and of the assistant's messages, each with its place."""
    if view.question is not None and checked.round.question is not None:
        text = _one_line(clean(checked.round.question.text))
        if text:
            yield f"{page}#{view.question.id}", "question", text
    articles = iter(view.articles)
    for place, message in enumerate(checked.round.messages):
        if place not in checked.answers or not message.text.strip():
            continue
        # Every message with text has its article; others may have none.
        article = next((article for article in articles if article.message_id == message.id), None)
        text = plain_words(checked.answers[place])
        if article is not None and text:
            yield f"{page}#{article.id}", "answer", text


def plain_words(answer: CheckedMessage) -> str:
    """The words of an answer, without Markdown and markers; of one that was not laid out, the text as written."""
    tokens = answer.document.tokens
    return _one_line(answer.document.text) if tokens is None else all_words(tokens)


def _one_line(text: str) -> str:
    return " ".join(text.split())
