"""Answers of a retrieval system: the text, and the passages that it cites by number (second design, §5).

A JSON object, a JSON list of them, or one a line. Each is a round; together they are one conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from functools import partial
from typing import Any

from renderer.errors import Problem, RendererError
from renderer.model import Citation, Conversation, Message, Origin, Passage, Role, Text
from renderer.readers._input import Input
from renderer.readers._reader import Reader, Sample
from renderer.readers._records import BadJson, as_id, decode_json, parse_time, shown, text_of
from renderer.readers._rounds import Event, LazyRounds, opening_problems

DIALECT = "bracket"
STATUSES = ("ok", "gone", "forbidden")
# What is longer than that is no page but a text (code points).
MAX_PAGES = 20

# A letter, or two numbers: -3 and 7.5 are no pages.
_PAGES = re.compile(r"[^\W\d_]|\d *[-–—~,，、/至到]+ *\d")
_FIRST_PAGE = re.compile(r"(?:pp?\.? ?|pages? |第 ?)?([1-9][0-9]{0,8})(?![0-9.])", re.IGNORECASE)


def matches(sample: Sample) -> bool:
    """Whether one of the first values is an answer with citations, or with a question."""
    values = sample.document if isinstance(sample.document, list) else sample.values
    return any(_is_answer(value) for value in values[:20])


def read(inputs: Sequence[Input]) -> Iterator[Conversation]:
    """The one conversation of the answers in the input. Raises `RendererError` when it holds none."""
    source = inputs[0]
    if len(inputs) > 1:
        what = f"{len(inputs)} files of answers cannot be joined"
        raise RendererError(source.name, what, "give one file at a time, or put the answers into one, one a line")
    events = partial(_events, source)
    problems = opening_problems(events(), source.name)
    digest = source.digest()
    rounds = LazyRounds(events)
    conversation = Conversation(
        id=digest[:12],
        title="",
        origin=Origin(READER.name, (source.name,), digest),
        rounds=rounds,
        created_at=next((r.question.created_at for r in rounds if r.question), None),
        dialect=DIALECT,
        retrieval=True,
        problems=problems,
    )
    return iter((conversation,))


def _is_answer(value: object) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("answer"), str)
        and (isinstance(value.get("citations"), list) or isinstance(value.get("question"), str))
    )


def _events(source: Input) -> Iterator[Event]:
    for count, (line, value) in enumerate(_values(source), 1):
        if isinstance(value, Problem):
            yield value
        else:
            yield from _round(value, source.name, line, count)


def _values(source: Input) -> Iterator[tuple[int | None, Any]]:
    """Each answer with its line; None where the whole content is one JSON value."""
    try:
        if _is_lines(source):
            yield from _lines(source)
            return
        document = source.document()
    except BadJson:
        yield from _lines(source)
        return
    for problem in document.problems:
        yield None, problem
    values = document.value if isinstance(document.value, list) else [document.value]
    yield from ((None, value) for value in values)


def _is_lines(source: Input) -> bool:
    """Whether the first line is a whole answer and another line follows: then nothing but lines is held."""
    first = False
    for _, line in source.lines():
        if isinstance(line, Problem) or not line.strip():
            continue
        if first:
            return True
        try:
            first = isinstance(decode_json(line).value, dict)
        except BadJson:
            return False
        if not first:
            return False
    return False


def _lines(source: Input) -> Iterator[tuple[int | None, Any]]:
    for number, line in source.lines():
        if isinstance(line, Problem):
            yield number, line
        elif line.strip():
            try:
                yield number, decode_json(line).value
            except BadJson as why:
                yield number, Problem(source.name, number, f"the line was left out: {why}", left_out=1)


def _round(value: Any, where: str, line: int | None, count: int) -> Iterator[Event]:
    if not isinstance(value, dict) or not isinstance(value.get("answer"), str):
        yield Problem(where, line, "a record was left out: it has no answer", left_out=1)
        return
    moment = parse_time(value.get("created_at"), UTC)
    question = text_of(value, "question")
    yield Message(f"q{count}", Role.USER, (Text(question),) if question else (), moment, line=line)
    wrong: list[str] = []
    if not isinstance(value.get("citations"), list | None):
        wrong.append("the citations of an answer are no list; it is shown without them")
    citations = tuple(_citations(value.get("citations"), wrong))
    yield Message(f"a{count}", Role.ASSISTANT, (Text(value["answer"]),), moment, citations, line=line)
    yield from (Problem(where, line, what) for what in wrong)


def _citations(value: Any, wrong: list[str]) -> Iterator[Citation]:
    """The citations of an answer; what is wrong with them is added to `wrong`."""
    seen: set[int] = set()
    for entry in value if isinstance(value, list) else ():
        n = _number(entry.get("id")) if isinstance(entry, dict) else None
        if n is None or n in seen:
            why = "its id is no number from 1" if n is None else f"id {n} again"
            wrong.append(f"a citation was passed over: {why}")
            continue
        seen.add(n)
        title = text_of(entry, "doc_title") or text_of(entry, "source")
        yield Citation(n, text_of(entry, "url"), title, _passage(entry, n, wrong))


def _number(value: object) -> int | None:
    text = as_id(value)
    return int(text) if text and text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text) > 0 else None


def _passage(entry: Mapping[str, Any], n: int, wrong: list[str]) -> Passage:
    page, pages = _pages(entry.get("page"))
    if page is None and not pages and entry.get("page") not in (None, ""):
        wrong.append(f"citation {n} is shown without a page: {shown(entry['page'])} is none")
    status = text_of(entry, "status").lower()
    if status not in STATUSES and entry.get("status") not in (None, ""):
        known = ", ".join(STATUSES)
        wrong.append(f"citation {n} has the status {shown(entry['status'])}, which is none of {known}; it was ignored")
    return Passage(
        text=text_of(entry, "text") or text_of(entry, "snippet"),
        retrieved_at=parse_time(entry.get("retrieved_at"), UTC),
        document=as_id(entry.get("doc_id")) or "",
        page=page,
        section=text_of(entry, "section"),
        status=status if status in STATUSES else "",
        pages=pages,
    )


def _pages(value: object) -> tuple[int | None, str]:
    """The first page that an entry names, and how it writes its pages where that is no plain number: 7-8, P7, xii."""
    text = value.strip() if isinstance(value, str) else value
    page = _number(text)
    if page is not None or not isinstance(text, str) or len(text) > MAX_PAGES or not _PAGES.search(text):
        return page, ""
    first = _FIRST_PAGE.match(text)
    return int(first[1]) if first else None, text


READER = Reader(
    name="rag-answer",
    what="Answers of a retrieval system with the passages that they cite: JSON, or one answer a line.",
    recognised_by='An object with "answer" and "citations" (or "question").',
    matches=matches,
    read=read,
)
