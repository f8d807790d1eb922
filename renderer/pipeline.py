"""The program, top to bottom: read, choose, check and render, write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path

from renderer.errors import RendererError
from renderer.file_names import safe_name
from renderer.model import Conversation
from renderer.options import Options
from renderer.output import refuse_foreign, replacing, target_of
from renderer.readers import Input, read_inputs
from renderer.writers.page import PageSummary, write_page

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
    *,
    format: str | None = None,
    select: str | None = None,
) -> Rendered:
    """Read the inputs `names`, write one page: to `output` ("-" is standard output), or to a file named by the title.

    `format` is a reader's name, None to recognise it. `select` is the id of the conversation that is wanted, needed
    when there are several. Raises RendererError.
    """
    with ExitStack() as stack:
        inputs = [stack.enter_context(Input(name)) for name in names]
        conversation = choose(read_inputs(inputs, format=format), select, names[0])
        if output is None:
            path: Path | None = Path(f"{file_stem(conversation, options)}.html")
            assert path is not None
            refuse_foreign(path)
        else:
            path = target_of(output)
        with replacing(path) as file:
            summary = write_page(conversation, file, options=options)
    return Rendered(path, summary)


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


def file_stem(conversation: Conversation, options: Options) -> str:
    """The name of a page's file, without its ending."""
    title = conversation.title if options.title is None else options.title
    return safe_name(title, f"conversation-{conversation.id}")


def _listed(conversations: Iterator[Conversation]) -> str:
    shown = [
        f"{conversation.id} ({conversation.title or 'no title'})" for conversation in islice(conversations, _LISTED)
    ]
    more = sum(1 for _ in conversations)
    return ", ".join(shown) + (f" and {more} more" if more else "")
