"""Small upstream conversations, and the pages made of them, for the tests of what stands on a page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from typing import Any

from bs4 import BeautifulSoup, Tag

from renderer import Options, PageSummary, read, write_page
from renderer.options import Steps
from tests.readers.making import header, jsonl, row

Row = dict[str, Any]
Hit = dict[str, Any] | str

A = "https://a.example/one"
B = "https://b.example/two"
C = "https://c.example/three"
D = "https://d.example/four"
E = "https://e.example/five"


# --- Rows ------------------------------------------------------------------------------------------------------


def question(id_: object, text: object = "Is it raining?", **more: object) -> Row:
    """A row of a user."""
    return row(id_, "USER", text, **more)


def answer(id_: object, text: object, cited: Sequence[object] | None = None, **more: object) -> Row:
    """A row of an assistant, with `metadata.citations` as the exporter writes it: a string that holds JSON."""
    metadata = None if cited is None else json.dumps({"citations": cited}, ensure_ascii=False)
    return row(id_, "ASSISTANT", text, **{"metadata": metadata, **more})


def entry(n: object, url: object, title: object = "") -> dict[str, object]:
    """An entry of `metadata.citations`."""
    return {"n": n, "url": url, "title": title}


def call(id_: object, name: str, arguments: dict[str, Any], call_id: str | None = "c1", **more: object) -> Row:
    """A row of an assistant that calls one tool and says nothing, unless `content` says it."""
    calls = [{"id": call_id, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]
    return row(id_, "ASSISTANT", more.pop("content", None), toolCalls=json.dumps(calls), **more)


def result(id_: object, content: object, call_id: str | None = "c1", **more: object) -> Row:
    """A row with what a tool answered."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return row(id_, "TOOL", text, toolCallId=call_id, **more)


def search(id_: int, *hits: Hit, call_id: str = "c1", query: str = "rain") -> list[Row]:
    """A search and its answer, rows `id_` and `id_ + 1`. A hit is a result, or an address whose title is its path."""
    found = [hit(one_hit, one_hit.rpartition("/")[2]) if isinstance(one_hit, str) else one_hit for one_hit in hits]
    answered = {"query": query, "results": found, "total_results": len(found)}
    return [call(id_, "web_search", {"query": query}, call_id), result(id_ + 1, answered, call_id)]


def hit(url: str, title: str, content: str = "") -> dict[str, str]:
    """A result of a search."""
    return {"title": title, "url": url, "content": content}


def open_page_rows(id_: int, url: str, title: str = "", call_id: str = "o1", **more: object) -> list[Row]:
    """A page opened with success, rows `id_` and `id_ + 1`."""
    answered = {"url": url, "title": title, "content": "text", "content_length": 4, "truncated": False, **more}
    return [call(id_, "open_web_page", {"url": url}, call_id), result(id_ + 1, answered, call_id)]


# --- Pages -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """A page that was made: its `html`, the `summary` that came with it, and ways to look into it."""

    html: str
    summary: PageSummary

    @cached_property
    def soup(self) -> BeautifulSoup:
        return BeautifulSoup(self.html, "html.parser")

    def all(self, selector: str) -> list[Tag]:
        """Everything that a CSS selector finds."""
        return list(self.soup.select(selector))

    def one(self, selector: str) -> Tag:
        """The one thing that a CSS selector finds."""
        return one(self.soup, selector)

    def article(self, message_id: object) -> Tag:
        """The article of a message, by the id that the file gives it."""
        return self.one(f'article.message[data-message-id="{message_id}"]')

    def sources(self, message_id: object) -> list[Tag]:
        """The entries listed under a message."""
        return list(self.article(message_id).select("section.sources li.source"))

    def prose(self, message_id: object) -> str:
        """The words of an answer, without its sources and notes."""
        return " ".join(words(part) for part in self.article(message_id).select(".prose"))

    @property
    def main_text(self) -> str:
        """All that is read between head and foot."""
        return words(self.one("main"))

    @property
    def warnings(self) -> list[str]:
        """What would be said on standard error."""
        return [str(problem) for problem in self.summary.problems]


def one(inside: Tag, selector: str) -> Tag:
    """The one thing inside a tag that a CSS selector finds."""
    (found,) = inside.select(selector)
    return found


def attribute(tag: Tag, name: str) -> str:
    """The value of an attribute that must be there, as the page has it."""
    value = tag.get(name)
    assert value is not None, f"{tag.name} has no {name}"
    return value if isinstance(value, str) else " ".join(value)


def words(tag: Tag) -> str:
    """The text of a tag with every run of blanks as one."""
    return " ".join(tag.get_text().split())


def page_of(data: bytes, options: Options | None = None) -> Page:
    """The page of the one conversation in `data`."""
    (conversation,) = read(data)
    file = StringIO(newline="")
    summary = write_page(conversation, file, options=Options() if options is None else options)
    return Page(file.getvalue(), summary)


def page(
    *rows: Row | Iterable[Row],
    head: Row | None = None,
    lang: str = "en",
    steps: Steps = "folded",
    **options: Any,
) -> Page:
    """The page of an export with these rows; lists of rows (a search, say) are put in where they stand."""
    flat = [one_row for item in rows for one_row in ([item] if isinstance(item, dict) else item)]
    data = jsonl(header() if head is None else head, *flat)
    return page_of(data, Options(lang=lang, steps=steps, **options))
