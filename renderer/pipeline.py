"""The program, top to bottom: read, choose, check and render, write."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from renderer.citations.context import build_cited_context
from renderer.citations.report import CitationReport
from renderer.citations.strip import MarkerStripper
from renderer.errors import Problem, RendererError
from renderer.file_names import safe_name
from renderer.model import Conversation
from renderer.options import NOTHING, Options, Wanted
from renderer.output import MARK_WITHIN, is_ours_head, refuse_foreign, replacing, replacing_bytes, target_of
from renderer.pages.head import page_title
from renderer.proof.verify import PassageCheck, check_passages
from renderer.readers import BadJson, Input, read_inputs, reader_of
from renderer.readers.rows import share_rows
from renderer.writers.audit import AuditedInput
from renderer.writers.audit import audit as audit_conversation
from renderer.writers.beside_files import files_beside, place_of, written_beside
from renderer.writers.cite import cite_lines, cite_rows
from renderer.writers.page import PageSummary, write_page
from renderer.writers.upstream_rows import export_rows, row_line

# How many conversations an error lists before it says how many more there are.
_LISTED = 10


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page that was written: `path` is None when it went to standard output."""

    path: Path | None
    summary: PageSummary


def render(
    names: Sequence[str],
    output: str | None,
    options: Options,
    wanted: Wanted = NOTHING,
    *,
    format: str | None = None,
    select: str | None = None,
) -> Rendered:
    """Read the inputs `names`, write one page: to `output` ("-" is standard output), or to a file named by the title.

    What is `wanted` beside it goes to files of the same name with other endings; nothing is written when one of them
    is not ours. `format` is a reader's name, None to recognise it. `select` is the id of the conversation that is
    wanted, needed when there are several. Raises RendererError.
    """
    with ExitStack() as stack:
        inputs = [stack.enter_context(Input(name)) for name in names]
        conversation = choose(read_inputs(inputs, format=format), select, names[0])
        path = _own_name(conversation, options) if output is None else target_of(output)
        beside = files_beside(path, wanted)
        place = place_of(path, beside, options)
        # All are written before the first one takes its place.
        with replacing(path) as file, written_beside(beside, conversation, options, wanted.font):
            summary = write_page(conversation, file, options=options, place=place)
    return Rendered(path, summary)


def audit(
    name: str, options: Options, *, format: str | None = None, support: bool = False
) -> tuple[AuditedInput, list[Problem]]:
    """Check every citation of every conversation in the input `name`. Raises RendererError."""
    with Input(name) as source:
        reader = reader_of(source, format)
        reports: list[CitationReport] = []
        problems: list[Problem] = []
        for conversation in read_inputs([source], format=reader.name):
            problems += conversation.problems
            reports.append(audit_conversation(conversation, options=options, support=support, report=problems.append))
        return AuditedInput(source.name, reader.name, tuple(reports)), problems


def cite(name: str, output: str, options: Options, *, format: str | None = None) -> list[Problem]:
    """Write the rows of the input `name` with their citations built anew to `output`. Raises RendererError."""
    problems: list[Problem] = []
    with Input(name) as source:
        reader = reader_of(source, format).name
        if reader not in ("upstream-share", "upstream-jsonl"):
            raise RendererError(
                source.name, f"it is {reader}, which has no rows to cite", "give a JSONL export or a share"
            )
        if reader == "upstream-share":
            problems += _problems_of(source, reader)
            session, messages = share_rows([source])
            rows = cite_rows(export_rows(session, messages), tools=options.tools)
            lines: Iterator[bytes] = (row_line(row) for row in rows)
        else:
            lines = cite_lines(source, problems.append, tools=options.tools)
        with replacing_bytes(target_of(output)) as file:
            file.writelines(lines)
    return problems


def _problems_of(source: Input, reader: str) -> Iterator[Problem]:
    """All that is wrong with the one conversation of an input."""
    for conversation in read_inputs([source], format=reader):
        yield from conversation.problems
        for round_ in conversation.rounds:
            yield from round_.problems


def verify(name: str) -> list[PassageCheck]:
    """Check the passages of the page `name`. Raises RendererError when it is no page of ours."""
    with Input(name) as source:
        if not is_ours_head(source.head(MARK_WITHIN)):
            raise RendererError(source.name, "this is no page that citepage made", "name a page that it made")
        text = b"".join(line for _, line in source.raw_lines()).decode("utf-8", "replace")
    checks = check_passages(text)
    # Passages that a cut page has lost cannot be checked, so the cut is said in their place.
    return checks if text.rstrip().endswith("</html>") else [*checks, PassageCheck("the page is cut off", False)]


def context(name: str, limit: int, lang: str) -> tuple[str, list[dict[str, Any]]]:
    """The numbered context of the hits in the input `name` (a JSON list), and its citations. Raises RendererError."""
    with Input(name) as source:
        try:
            hits = source.document().value
        except BadJson as why:
            raise RendererError(source.name, f"this is no JSON: {why}", "give a JSON list of hits") from None
        if not isinstance(hits, list):
            raise RendererError(source.name, "this is no JSON list", "give a JSON list of hits")
        try:
            return build_cited_context(hits, limit=limit, lang=lang)
        except RendererError as error:
            raise RendererError(source.name, error.what, error.remedy) from None


def strip(name: str, output: str) -> None:
    """Write the text of the input `name` without citation markers to `output`. Raises RendererError."""
    stripper = MarkerStripper()
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    with Input(name) as source, replacing_bytes(target_of(output)) as file:
        for _, line in source.raw_lines():
            file.write(stripper.feed(decoder.decode(line)).encode("utf-8", "surrogateescape"))
        rest = stripper.feed(decoder.decode(b"", final=True)) + stripper.finish()
        file.write(rest.encode("utf-8", "surrogateescape"))


def choose(conversations: Iterator[Conversation], select: str | None, name: str) -> Conversation:
    """The conversation of the id `select`, or the only one. Raises RendererError, with a list, when there is none."""
    if select is None:
        first = list(islice(conversations, 2))
        if len(first) == 1:
            return first[0]
        listed = _listed(chain(first, conversations))
        what = f"it holds several conversations: {listed}" if first else "it holds no conversation"
        raise RendererError(name, what, "choose one with --select ID, or make a site of all with `citepage archive`")
    seen: list[Conversation] = []
    for conversation in conversations:
        if conversation.id == select:
            return conversation
        seen.append(replace(conversation, rounds=()))
    raise RendererError(name, f"there is no conversation {select!r} in it", f"it holds: {_listed(iter(seen))}")


def _own_name(conversation: Conversation, options: Options) -> Path:
    path = Path(f"{file_stem(conversation, options)}.html")
    refuse_foreign(path)
    return path


def file_stem(conversation: Conversation, options: Options) -> str:
    """The name of a page's file, without its ending."""
    return safe_name(page_title(conversation, options), f"conversation-{conversation.id}")


def _listed(conversations: Iterator[Conversation]) -> str:
    shown = [
        f"{conversation.id} ({conversation.title or 'no title'})" for conversation in islice(conversations, _LISTED)
    ]
    more = sum(1 for _ in conversations)
    return ", ".join(shown) + (f" and {more} more" if more else "")
