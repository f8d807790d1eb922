"""A checked round → its view: mark the texts, list the sources."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from markupsafe import Markup

from renderer.i18n import Catalog
from renderer.markdown.answers import CheckedMessage, CheckedRound
from renderer.markdown.fragment import write_fragment
from renderer.markdown.inserts import CiteRef, Insert
from renderer.markdown.sanitize import as_written
from renderer.model import CheckedAnswer, Message, Role, Text
from renderer.pages.blocks import MAX_CHARACTERS, blocks_html, is_long, line_count
from renderer.pages.context import PageContext
from renderer.pages.digests import sources_digest
from renderer.pages.environment import render
from renderer.pages.identifiers import message_id
from renderer.pages.inline import insert_renderer
from renderer.pages.notices import notices
from renderer.pages.sources import removed_note, sources_view
from renderer.pages.steps import steps_view
from renderer.pages.views import ArticleView, MomentView, QuestionView, RoundView

# How much of a folded question its heading shows (code points).
_MAX_HEADING = 160


def round_view(checked: CheckedRound, page: PageContext) -> RoundView:
    """Lay out one round that was checked."""
    round_ = checked.round
    question = _article(round_.question, page) if round_.question else None
    articles = [
        _assistant_article(checked.answers[place], page, prelude=round_.index == 0)
        if place in checked.answers
        else _article(message, page)
        for place, message in enumerate(round_.messages)
    ]
    return RoundView(
        id=f"round-{round_.index}",
        question=question,
        steps=steps_view(round_, checked.registry, page.options, page.catalog),
        articles=tuple(article for article in articles if article is not None),
        notices=notices(round_.problems, page.catalog),
    )


# --- Messages that are shown as they were written --------------------------------------------------------------


def _article(message: Message, page: PageContext) -> ArticleView | None:
    """A user's, a system's or an unknown role's message; None when it has nothing to show (a tool's result)."""
    question = None
    blocks = message.blocks
    if message.role is Role.USER:
        blocks = tuple(block for block in blocks if not isinstance(block, Text))
    parts = blocks_html(blocks, page)
    if not parts and not (message.role is Role.USER and message.text.strip()):
        return None
    mid = page.identifiers.claim(message.id)
    if message.role is Role.USER:
        question = _question(mid, message.text, page.catalog)
    return ArticleView(
        id=message_id(mid),
        message_id=message.id,
        role=message.role.value,
        label=_label(message, page.catalog),
        name=page.identifiers.name(_label(message, page.catalog)),
        moment=_moment(message, page),
        copy_key="",
        interim=False,
        question=question,
        parts=parts,
        sources=None,
        sources_html=None,
        sources_digest=None,
        removed=0,
        removed_note="",
    )


def _moment(message: Message, page: PageContext) -> MomentView | None:
    """When a message was written: the time alone on the day of the conversation."""
    if message.created_at is None:
        return None
    moment = message.created_at.astimezone(page.where)
    full = page.catalog.date_time(moment)
    return MomentView(f"{moment:%H:%M}" if moment.date() == page.day else full, full, moment.isoformat())


def _label(message: Message, catalog: Catalog) -> str:
    if message.role is Role.OTHER or message.role is Role.TOOL:
        return catalog.say("other_role", role=message.role_name or message.role.value)
    return catalog.say({Role.USER: "question", Role.SYSTEM: "system"}[message.role])


def _question(mid: str, text: str, catalog: Catalog) -> QuestionView:
    text = text.strip("\n")
    folded = is_long(text)
    heading = _beginning(text) if folded else text
    return QuestionView(
        id=f"q-{mid}",
        speaker=catalog.say("question"),
        heading=heading,
        rest_label=catalog.say("whole_question", n=line_count(text)) if folded else "",
        whole=text if folded else "",
    )


def _beginning(text: str) -> str:
    first = text.strip()[:MAX_CHARACTERS].split("\n", 1)[0]
    return (first if len(first) <= _MAX_HEADING else first[:_MAX_HEADING].rstrip()) + " …"


# --- Messages of the assistant ---------------------------------------------------------------------------------


def _assistant_article(answer: CheckedMessage, page: PageContext, *, prelude: bool) -> ArticleView | None:
    message, checked = answer.message, answer.checked
    others = blocks_html([block for block in message.blocks if not isinstance(block, Text)], page)
    has_text = bool(answer.document.text.strip())
    if not has_text and not others and not checked.sources:
        return None
    mid = page.identifiers.claim(message.id)
    places: Counter[int] = Counter()
    prose = (_prose(answer, mid, places, page),) if has_text else ()
    sources = sources_view(mid, answer, places, page, prelude=prelude)
    sources_html = render("sources", sources=sources, say=page.catalog.say) if sources else None
    is_remark = not answer.is_answer and not prelude
    label = page.catalog.say("remark" if is_remark else "answer")
    return ArticleView(
        id=message_id(mid),
        message_id=message.id,
        role=message.role.value,
        label=label,
        name=page.identifiers.name(label),
        moment=_moment(message, page),
        copy_key=_copy_key(checked, has_text=has_text, is_remark=is_remark),
        interim=is_remark,
        question=None,
        parts=(*others, *prose) if _thinks_first(message) else (*prose, *others),
        sources=sources,
        sources_html=sources_html,
        sources_digest=sources_digest(sources_html) if sources_html else None,
        removed=checked.removed_markers,
        removed_note=removed_note(checked, page.catalog),
    )


def _copy_key(checked: CheckedAnswer, *, has_text: bool, is_remark: bool) -> str:
    if not has_text or is_remark:
        return ""
    return "copy_with_sources" if checked.sources else "copy_text"


def _prose(answer: CheckedMessage, mid: str, places: Counter[int], page: PageContext) -> Markup:
    """The text of an answer; `places` counts how often each display number was written."""
    write = _counting(places, insert_renderer(mid, answer.checked, page))
    plain = answer.document.tokens is None
    try:
        body = write_fragment(
            answer.document,
            answer.checked,
            write,
            keep_invalid=bool(answer.checked.marked),
            highlight=page.options.highlight,
        )
    except Exception:  # a defect in writing one text must not cost the page, nor a word of it
        places.clear()
        body, plain = as_written(answer.document.text), True
    notice = page.catalog.say("too_complex") if plain else ""
    return render("blocks/prose", html=body, notice=notice)


def _counting(places: Counter[int], write: Callable[[Insert], Markup]) -> Callable[[Insert], Markup]:
    def counted(insert: Insert) -> Markup:
        if isinstance(insert, CiteRef):
            places[insert.k] += 1
        return write(insert)

    return counted


def _thinks_first(message: Message) -> bool:
    return bool(message.blocks) and not isinstance(message.blocks[0], Text)
