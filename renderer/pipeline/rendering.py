"""An export → a page: read, choose, check and render, write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from renderer.file_names import safe_name
from renderer.model import Conversation
from renderer.options import NOTHING, Options, Wanted
from renderer.output import refuse_foreign, replacing, target_of
from renderer.pages.head import page_title
from renderer.pipeline.choosing import choose
from renderer.readers import Input, read_inputs
from renderer.writers.beside_files import files_beside, place_of, written_beside
from renderer.writers.page import PageSummary, write_page


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


def _own_name(conversation: Conversation, options: Options) -> Path:
    path = Path(f"{file_stem(conversation, options)}.html")
    refuse_foreign(path)
    return path


def file_stem(conversation: Conversation, options: Options) -> str:
    """The name of a page's file, without its ending."""
    return safe_name(page_title(conversation, options), f"conversation-{conversation.id}")
