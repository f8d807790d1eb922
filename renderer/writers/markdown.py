"""One conversation → Markdown with footnotes: the answers as the model wrote them, each number a footnote.

Footnotes are those of GitHub, Obsidian and Pandoc: `[^2-1]` is source 1 of the second answer that has some.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TextIO

from renderer.citations.urls import parse_address
from renderer.i18n import Catalog
from renderer.markdown.answers import CheckedRound
from renderer.markdown.portable import portable
from renderer.markdown.retold import retold
from renderer.model import Attachment, Block, Conversation, FileChange, Image, Message, Role, Stub, Thinking
from renderer.options import DEFAULTS, Options
from renderer.pages.context import PageContext
from renderer.pages.excerpts import beginning, one_line
from renderer.pages.head import GENERATOR, page_title
from renderer.pages.notices import notices
from renderer.pages.sources import removed_note
from renderer.pages.steps import steps_view
from renderer.pages.views import PassageView, SourceView
from renderer.readers.media import last_part
from renderer.version import VERSION
from renderer.writers.beside import PlainAnswer, checked_rounds, context_of, plain_messages, with_references
from renderer.writers.changed_files import changes_of, merge_changes
from renderer.writers.markdown_text import destination, escaped, quoted

# How much of a question its heading shows (code points), as in the page.
_MAX_HEADING = 160


def write_markdown(conversation: Conversation, file: TextIO, *, options: Options = DEFAULTS) -> None:
    """Write `conversation` as one Markdown document to the text file `file`; memory is bounded by the largest round.

    The words are those of the page. Raises RendererError for an unknown language or time zone.
    """
    page = context_of(conversation, options)
    prefix = _free_prefix(conversation)
    numbers = count(1)
    files: dict[str, FileChange] = {}
    file.write(_head(conversation, page))
    for checked in checked_rounds(conversation, options):
        for part in _round(checked, conversation, page, prefix, numbers):
            file.write(f"\n{part}\n")
        merge_changes(files, changes_of(checked.round))
    changed = conversation.file_changes or tuple(files.values())
    if changed:
        file.write(f"\n{_changed(changed, page.catalog)}\n")


def _free_prefix(conversation: Conversation) -> str:
    """What our labels begin with, so that no text of the conversation holds one: a footnote cannot be forged."""
    taken: set[str] = set()
    for round_ in conversation.rounds:
        for message in round_.messages:
            taken.update(found.lower() for found in re.findall(r"\[\^([sS]*)[0-9]+-[0-9]+\]", message.text))
    return next("s" * length for length in count() if "s" * length not in taken)


def _head(conversation: Conversation, page: PageContext) -> str:
    title = page_title(conversation, page.options) or page.catalog.say("untitled")
    created = conversation.created_at
    facts = {
        "title": one_line(title),
        "agent": one_line(conversation.agent),
        "owner": one_line(conversation.owner),
        "date": created.astimezone(page.where).isoformat() if created else "",
        "format": conversation.origin.format,
    }
    # A JSON string is a YAML string.
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in facts.items() if value]
    told = [f"*{escaped(notice)}*" for notice in notices(conversation.problems, page.catalog)]
    front = "\n".join(["---", f"generator: {GENERATOR} {VERSION}", *lines, "---"])
    return "\n\n".join([front, f"# {escaped(title)}", *told]) + "\n"


def _round(
    checked: CheckedRound, conversation: Conversation, page: PageContext, prefix: str, numbers: Iterator[int]
) -> Iterator[str]:
    if checked.round.question is not None:
        yield from _question(checked.round.question, page)
    steps = steps_view(checked.round, checked.registry, page.options, page.catalog)
    if steps is not None:
        yield f"*{escaped(steps.summary)}*"
    for message in plain_messages(checked, page):
        if isinstance(message, Message):
            yield from _other(message, page)
        else:
            yield from _answer(message, conversation, page, prefix, numbers)
    for notice in notices(checked.round.problems, page.catalog):
        yield f"*{escaped(notice)}*"


def _question(message: Message, page: PageContext) -> Iterator[str]:
    text = message.text.strip("\n")
    line = one_line(text)
    yield f"## {escaped(beginning(line, _MAX_HEADING)) or escaped(page.catalog.say('question'))}"
    if "\n" in text or len(line) > _MAX_HEADING:
        yield quoted(text)
    yield from _blocks(message.blocks, page)


def _other(message: Message, page: PageContext) -> Iterator[str]:
    role = message.role_name or message.role.value
    name = page.catalog.say("system") if message.role is Role.SYSTEM else page.catalog.say("other_role", role=role)
    if message.text.strip():
        yield f"**{escaped(name)}**"
        yield quoted(message.text)
    yield from _blocks(message.blocks, page)


def _answer(
    plain: PlainAnswer, conversation: Conversation, page: PageContext, prefix: str, numbers: Iterator[int]
) -> Iterator[str]:
    document = plain.answer.document
    has_notes = bool(plain.sources or (document.tokens and document.tokens.footnotes))
    number = next(numbers) if has_notes else 0
    if document.text.strip():
        if plain.is_remark:
            yield f"*{escaped(page.catalog.say('remark'))}*"
        yield _prose(plain, conversation, page, prefix, number)
    yield from _blocks(plain.answer.message.blocks, page)
    yield from _sources(plain, f"{prefix}{number}", page.catalog)
    note = removed_note(plain.answer.checked, page.catalog)
    if note:
        yield f"*{escaped(note)}*"


def _prose(plain: PlainAnswer, conversation: Conversation, page: PageContext, prefix: str, number: int) -> str:
    """The text of an answer; one that could not be read is quoted as it was written, as in the page."""
    document = plain.answer.document
    if document.tokens is None:
        return quoted(document.text)
    text = with_references(
        plain.answer,
        conversation,
        lambda k: f"[^{prefix}{number}-{k}]",
        lambda raw: f"~~{escaped(raw)}~~" if plain.answer.checked.marked else "",
    )
    try:
        text = retold(text, lambda alt, url, linked: _picture("" if linked else url, alt or _name(url), page.catalog))
        return portable(text, frozenset(document.tokens.footnotes), f"{number}.")
    except Exception:  # a defect of a parser must not cost the document
        return quoted(text)


# --- Sources ---------------------------------------------------------------------------------------------------


def _sources(plain: PlainAnswer, label: str, catalog: Catalog) -> Iterator[str]:
    """A footnote for each source that the text cites, a list of the others: no program shows an unused footnote."""
    cited = {
        plain.answer.checked.by_n[n].k
        for marker in plain.answer.document.markers
        for n in marker.numbers
        if n in plain.answer.checked.by_n
    }
    notes = [f"[^{label}-{source.k}]: {_entry(source)}" for source in plain.sources if source.k in cited]
    others = [f"- {_entry(source)}" for source in plain.sources if source.k not in cited]
    if others:
        yield f"{escaped(catalog.say('sources', n=len(plain.sources)))}\n\n" + "\n".join(others)
    if notes:
        yield "\n".join(notes)


def _entry(source: SourceView) -> str:
    title = escaped(source.full_title or source.title)
    linked = f"[{title}]({destination(source.url)})" if source.url else title
    facts = [escaped(fact) for fact in (source.place, source.domain) if fact]
    said = [escaped(words) for words in (source.verdict_text, source.status_text, source.missing_text) if words]
    entry = " · ".join([linked, *facts]) + " — " + " · ".join(said)
    return f"{entry}\n\n{_passage(source.passage)}\n" if source.passage else entry


def _passage(passage: PassageView) -> str:
    """The passage of a closed source as a quote within its entry; the words before it say that it is a snapshot."""
    text = "\n\n".join("".join(part for part, _ in paragraph) for paragraph in passage.paragraphs)
    quote = quoted(text) + (f"\n>\n> *{escaped(passage.cut_text)}*" if passage.cut_text else "")
    return "\n".join(f"    {line}" for line in quote.split("\n"))


# --- Other blocks ----------------------------------------------------------------------------------------------


def _blocks(blocks: Sequence[Block], page: PageContext) -> Iterator[str]:
    say = page.catalog.say
    for block in blocks:
        match block:
            case Thinking(text) if page.options.show_thinking:
                yield f"**{escaped(say('thinking'))}**\n\n{quoted(text)}"
            case Attachment(name, media_type):
                facts = " · ".join(escaped(fact) for fact in (name or say("attachment_unnamed"), media_type) if fact)
                yield f"*{escaped(say('attachments'))}:* {facts}"
            case Image(url, alt):
                yield _picture(url, alt or _name(url), page.catalog)
            case Stub(kind, text):
                yield f"*{escaped(say('stub', kind=kind))}*" + (f"\n\n{quoted(text)}" if text.strip() else "")
            case _:
                continue  # the text is written by those who know whose it is; the rest is in the steps


def _picture(url: str, alt: str, catalog: Catalog) -> str:
    """A picture as words, and where it is if that is on the web."""
    address = parse_address(url)
    words = f"*{escaped(catalog.say('picture_said', alt=alt) if alt.strip() else catalog.say('picture_no_words'))}*"
    return f"{words} [{escaped(address.href)}]({destination(address.href)})" if address else words


def _name(url: str) -> str:
    """The name of a file that an export names; what a `data:` address or one of the web ends with is no name."""
    return "" if url[:5].lower() == "data:" or parse_address(url) else last_part(url)


def _changed(changes: Sequence[FileChange], catalog: Catalog) -> str:
    kinds = catalog.texts["file_kinds"]
    lines = [f"- {escaped(str(kinds.get(change.kind, change.kind)))} {escaped(change.path)}" for change in changes]
    return f"## {escaped(catalog.say('files_changed', n=len(changes)))}\n\n" + "\n".join(lines)
