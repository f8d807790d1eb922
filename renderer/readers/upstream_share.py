"""The upstream platform's share snapshot: one JSON document, bare or in the envelope of its interface.

A long share comes in pages, newest first. Pages that are given together are joined by message id; what is missing,
as the pages themselves tell it, becomes a Problem.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from renderer.errors import Problem, RendererError
from renderer.model import Conversation, Origin
from renderer.readers._input import Input
from renderer.readers._reader import Reader, Sample
from renderer.readers._records import BadJson, as_id, as_list, as_object, parse_time, shown, text_of
from renderer.readers._rounds import Event, LazyRounds, opening_problems
from renderer.readers._share_pages import (
    Page,
    Row,
    joined,
    make_page,
    missing_before,
    missing_between,
    number_of,
    oldest_first,
)
from renderer.readers._upstream import SHANGHAI, TIME_ZONE, read_row

NO_SUCH_SHARE = 3041


def matches(sample: Sample) -> bool:
    """Whether the document is a share's page, or the envelope that says why there is none."""
    return _payload(sample.document) is not None or _refusal(sample.document) is not None


def read(inputs: Sequence[Input]) -> Iterator[Conversation]:
    """The one conversation of a share, from one page or several in any order.

    Raises `RendererError` when the service refused, a page is of another share, or there is no message.
    """
    pages = oldest_first(share_pages(inputs))
    events = partial(_events, tuple(joined(pages)), tuple(missing_between(pages)))
    early = [problem for source in inputs for problem in source.document().problems]
    problems = (*early, *missing_before(pages), *opening_problems(events(), inputs[0].name))
    session = next((page.session for page in reversed(pages) if page.session), {})
    digest = _digest(inputs)
    conversation = Conversation(
        id=as_id(session.get("id")) or digest[:12],
        title=text_of(session, "title"),
        origin=Origin(READER.name, tuple(source.name for source in inputs), digest),
        rounds=LazyRounds(events),
        agent=text_of(session, "agentName"),
        owner=text_of(session, "ownerName"),
        created_at=parse_time(session.get("createdAt"), SHANGHAI),
        time_zone=TIME_ZONE,
        problems=problems,
    )
    return iter((conversation,))


def share_pages(inputs: Sequence[Input]) -> list[Page]:
    """The pages in the inputs. Raises `RendererError` when one is no page, or they are not of one share."""
    pages = [_page(source, _document(source)) for source in inputs]
    _check_same_share(pages)
    return pages


def _payload(document: object) -> dict[str, Any] | None:
    if not isinstance(document, dict):
        return None
    if _is_payload(document):
        return document
    data = as_object(document.get("data"))
    return data if data is not None and _is_payload(data) else None


def _is_payload(record: Mapping[str, Any]) -> bool:
    """The keys are always there upstream; `messages` alone is found in many other formats."""
    return "messages" in record and (
        isinstance(record.get("session"), dict) or isinstance(record.get("share"), dict) or "hasMore" in record
    )


def _refusal(document: object) -> int | None:
    """The code of an envelope that holds no share; None when there is no such code."""
    if not isinstance(document, dict):
        return None
    code = number_of(document.get("code"))
    if not code or (document.get("data") and _payload(document) is None):
        return None
    return code if code == NO_SUCH_SHARE or any(key in document for key in ("data", "message", "msg")) else None


def _document(source: Input) -> dict[str, Any]:
    """The payload of one input, and what was met while it was decoded."""
    try:
        document = source.document()
    except BadJson as why:
        raise RendererError(source.name, f"it is no share snapshot: {why}", "fetch the share again") from None
    code = _refusal(document.value)
    if code is not None:
        raise _refused(source.name, code, document.value)
    payload = _payload(document.value)
    if payload is None:
        raise RendererError(source.name, "it is no share snapshot", "see `citepage formats`")
    return payload


def _refused(where: str, code: int, envelope: Mapping[str, Any]) -> RendererError:
    if code == NO_SUCH_SHARE:
        what = f"the share service says that there is no such share (code {code})"
        return RendererError(where, what, "check the link: the share may have been withdrawn")
    said = text_of(envelope, "message") or text_of(envelope, "msg")
    what = f"the share service answered with error code {code}" + (f" ({shown(said)})" if said else "")
    return RendererError(where, what, "fetch the share again")


def _page(source: Input, payload: Mapping[str, Any]) -> Page:
    return make_page(payload, as_list(payload.get("messages")) or [], source.name, source.digest())


def _check_same_share(pages: Sequence[Page]) -> None:
    named = [(id_, page.where) for page in pages if (id_ := as_id(page.session.get("id"))) is not None]
    for id_, where in named[1:]:
        if id_ != named[0][0]:
            what = f"a page of another share: session {shown(id_)}, but {named[0][1]} has session {shown(named[0][0])}"
            raise RendererError(where, what, "give the pages of one share only")


def _events(rows: Sequence[Row], gaps: Sequence[tuple[int, Problem]]) -> Iterator[Event]:
    """The messages in order, and each gap before the first message after it."""
    waiting = list(gaps)
    for count, row in enumerate(rows, 1):
        while waiting and waiting[0][0] <= row.number:
            yield waiting.pop(0)[1]
        yield from read_row(row.value, row.where, None, f"row-{count}")
    yield from (problem for _, problem in waiting)


def _digest(inputs: Sequence[Input]) -> str:
    """The digest of one input; of several, the SHA-256 of their digests in order, one a line."""
    digests = sorted(source.digest() for source in inputs)
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode("ascii")).hexdigest()


READER = Reader(
    name="upstream-share",
    what="A share snapshot of the agent platform, or several pages of one: JSON with session, share and messages.",
    recognised_by='An object with "messages" and "session", "share" or "hasMore", bare or as "data" of an envelope.',
    matches=matches,
    read=read,
)
