"""One conversation → JSON for programs: what the page shows, with verdicts, a round at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, TextIO

from renderer.markdown.answers import CheckedRound
from renderer.markdown.hygiene import clean
from renderer.model import Attachment, Conversation, Message
from renderer.options import DEFAULTS, Options
from renderer.pages.context import PageContext
from renderer.pages.excerpts import one_line
from renderer.pages.head import GENERATOR, page_title
from renderer.pages.steps import steps_view
from renderer.pages.views import SourceView
from renderer.version import VERSION
from renderer.writers.beside import PlainAnswer, checked_rounds, context_of, plain_messages, with_references

JSON_VERSION = 1


def write_conversation_json(conversation: Conversation, file: TextIO, *, options: Options = DEFAULTS) -> None:
    """Write `conversation` as one JSON object to the text file `file`, a round a line; keys are only ever added.

    Texts are Markdown with each listed marker as `[k]`, which names a source of the same answer, and a struck one as
    `~~[7]~~`. An address that is
    not linked in the page is null. Raises RendererError for an unknown language or time zone.
    """
    page = context_of(conversation, options)
    left_out = sum(problem.left_out for problem in conversation.problems)
    # The first two keys tell `output` that the file is ours.
    file.write(_json(_facts(conversation, page)).removesuffix("}") + ',"rounds":[')
    for place, checked in enumerate(checked_rounds(conversation, options)):
        file.write((",\n" if place else "\n") + _json(_round(checked, conversation, page)))
        left_out += sum(problem.left_out for problem in checked.round.problems)
    file.write(f'\n],"left_out":{left_out}}}\n')


def _facts(conversation: Conversation, page: PageContext) -> dict[str, Any]:
    return {
        "version": JSON_VERSION,
        "generator": f"{GENERATOR} {VERSION}",
        "title": one_line(page_title(conversation, page.options)),
        "agent": conversation.agent,
        "owner": conversation.owner,
        "created_at": _time(conversation.created_at, page),
        "format": conversation.origin.format,
    }


def _round(checked: CheckedRound, conversation: Conversation, page: PageContext) -> dict[str, Any]:
    messages = list(plain_messages(checked, page))
    others = [_message(message, page) for message in messages if isinstance(message, Message) and message.text.strip()]
    question = checked.round.question
    return {
        "question": _message(question, page) if question is not None else None,
        "answers": [_answer(m, conversation, page) for m in messages if isinstance(m, PlainAnswer) and _says(m)],
        **({"others": others} if others else {}),
        **_steps(checked, page),
    }


def _says(plain: PlainAnswer) -> bool:
    return bool(plain.answer.document.text.strip() or plain.sources)


def _message(message: Message, page: PageContext) -> dict[str, Any]:
    return {
        "id": message.id,
        "role": message.role_name or message.role.value,
        "text": clean(message.text),
        "created_at": _time(message.created_at, page),
        **_attachments(message),
    }


def _answer(plain: PlainAnswer, conversation: Conversation, page: PageContext) -> dict[str, Any]:
    message, marked = plain.answer.message, len(plain.answer.checked.marked)
    return {
        "id": message.id,
        "text": with_references(
            plain.answer, conversation, lambda k: f"[{k}]", lambda raw: f"~~{raw}~~" if marked else ""
        ),
        "created_at": _time(message.created_at, page),
        "remark": plain.is_remark,
        "sources": [_source(source) for source in plain.sources],
        "removed": plain.answer.checked.removed_markers,
        **({"marked": marked} if marked else {}),
        **_attachments(message),
    }


def _attachments(message: Message) -> dict[str, Any]:
    named = [{"name": b.name, "media_type": b.media_type} for b in message.blocks if isinstance(b, Attachment)]
    return {"attachments": named} if named else {}


def _source(source: SourceView) -> dict[str, Any]:
    return {
        "k": source.k,
        "n": source.n,
        "title": source.full_title or source.title,
        "url": source.url or None,
        "domain": source.domain,
        "verdict": source.verdict,
    }


def _steps(checked: CheckedRound, page: PageContext) -> dict[str, Any]:
    view = steps_view(checked.round, checked.registry, page.options, page.catalog)
    if view is None:
        return {}
    steps: Iterator[dict[str, Any]] = (
        {
            "what": step.what,
            "argument": step.argument,
            "failed": step.failed,
            "results": [{"n": r.n, "title": r.title, "url": r.href, "domain": r.domain} for r in step.results],
        }
        for step in view.items
    )
    return {"steps": list(steps)}


def _time(moment: datetime | None, page: PageContext) -> str | None:
    return moment.astimezone(page.where).isoformat() if moment else None


def _json(value: object) -> str:
    return clean(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))
