"""One conversation → one self-contained page, written a round at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import StringIO
from typing import TextIO

from renderer.citations.verdicts import holds_tool_results
from renderer.errors import Problem
from renderer.i18n import Catalog, catalog
from renderer.model import Conversation
from renderer.options import DEFAULTS, NOWHERE, Options, Place
from renderer.output import copy_spool, spool
from renderer.pages.contents import contents_html
from renderer.pages.context import page_context
from renderer.pages.environment import render
from renderer.pages.excerpts import Excerpts
from renderer.pages.head import end_html, foot_view, head_view, page_title
from renderer.pages.language import language_of
from renderer.pages.sharing import page_address
from renderer.version import VERSION
from renderer.writers.changes_section import ChangedFiles
from renderer.writers.written_round import Tally, write_round


@dataclass(frozen=True, slots=True)
class PageSummary:
    """What came of a page: the counts that it shows, the markers removed or struck, and all that was wrong.

    `marked` are the markers that name no source and stay, struck. `size` is that of the rounds and
    the diffs in bytes. `problems` are
    those of the input, and one for each message that lost markers or entries, or has struck ones.
    """

    questions: int
    sources: int
    records: int
    left_out: int
    removed: int
    marked: int
    size: int
    problems: tuple[Problem, ...]


def write_page(
    conversation: Conversation, file: TextIO, *, options: Options = DEFAULTS, place: Place = NOWHERE
) -> PageSummary:
    """Write `conversation` as one HTML page to the text file `file` (UTF-8, no translation of line ends).

    `place` names the files that stand beside it, and its address where `options.base_url` does not tell it whole.
    Memory is bounded by the largest round: the body waits in a spool on disk until the counts in the head are known,
    and the diffs of changed files in another until all rounds are there. Raises RendererError for an unknown language,
    theme or time zone, a `source_base` or `base_url` that is no http(s) address, and where the input cannot be read any
    further.
    """
    if options.base_url and not place.address:
        place = replace(place, address=page_address(options.base_url, ""))
    words = words_of(conversation, options)
    page = page_context(conversation, options, words)
    recorded = holds_tool_results(conversation)
    tally = Tally(conversation.origin.names, conversation.retrieval, list(conversation.problems))
    excerpts = Excerpts()
    with spool() as body, spool() as diffs:
        changes = ChangedFiles(diffs, words)
        for round_ in conversation.rounds:
            written = write_round(round_, conversation, page, recorded=recorded)
            body.write(written.html)
            tally.add(written)
            excerpts.add(written.checked, written.view)
            changes.add(round_)
        changes.finish(conversation.file_changes)
        contents = contents_html(page_title(conversation, options), tally.entries, words)
        tally.note_parts(contents, changes.heading)
        tally.note_problems()
        facts = tally.facts()
        head = head_view(conversation, facts, excerpts, place, options, words, VERSION)
        file.write(render("head", head=head, contents=contents))
        copy_spool(body, file)
        changes.write(file)
        file.write(render("foot", foot=foot_view(conversation, facts, words, VERSION)))
        file.write(end_html(facts))
    return PageSummary(
        facts.questions,
        facts.sources,
        facts.records,
        facts.left_out,
        tally.removed,
        tally.marked,
        tally.size + changes.size,
        tuple(tally.problems),
    )


def render_page(conversation: Conversation, *, options: Options = DEFAULTS) -> str:
    """The page of a conversation of ordinary size, as one string. See `write_page`."""
    file = StringIO(newline="")
    write_page(conversation, file, options=options)
    return file.getvalue()


def words_of(conversation: Conversation, options: Options) -> Catalog:
    """The words of a conversation's pages. Raises RendererError for a language that there is not."""
    return catalog(language_of(conversation) if options.lang == "auto" else options.lang)
