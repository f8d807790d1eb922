"""The files beside a page: which they are, and writing them whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from renderer.model import Conversation
from renderer.options import Options, Place, Wanted
from renderer.output import refuse_foreign, replacing, replacing_bytes
from renderer.pages.sharing import page_address

_PICTURE = "png"


def files_beside(page: Path | None, wanted: Wanted) -> dict[str, Path]:
    """The files that are `wanted` beside the page, by their endings without the dot.

    Raises RendererError where something that citepage did not make is in the way: only the page is a file that the
    user named.
    """
    endings = (*wanted.formats, *((_PICTURE,) if wanted.picture else ()))
    if page is None:
        return {}
    stem = page.name.removesuffix(page.suffix) if page.suffix.lower() in (".html", ".htm") else page.name
    beside = {ending: page.with_name(f"{stem}.{ending}") for ending in endings}
    for path in beside.values():
        refuse_foreign(path)
    return beside


def place_of(page: Path | None, beside: Mapping[str, Path], options: Options) -> Place:
    """Where the page will stand. Raises RendererError for a base URL that is none."""
    names = {ending: path.name for ending, path in beside.items()}
    return Place(
        address=page_address(options.base_url, page.name if page else "") if options.base_url else "",
        markdown=names.get("md", ""),
        data=names.get("json", ""),
        picture=names.get(_PICTURE, ""),
    )


@contextmanager
def written_beside(
    beside: Mapping[str, Path], conversation: Conversation, options: Options, font: str | None
) -> Iterator[None]:
    """Write the files; they take their places when the block ends well, and leave no trace otherwise."""
    # Each writer is loaded when it is wanted: a page alone needs none of them.
    with ExitStack() as stack:
        if "md" in beside:
            from renderer.writers.markdown import write_markdown

            write_markdown(conversation, stack.enter_context(replacing(beside["md"])), options=options)
        if "json" in beside:
            from renderer.writers.conversation_json import write_conversation_json

            write_conversation_json(conversation, stack.enter_context(replacing(beside["json"])), options=options)
        if _PICTURE in beside:
            from renderer.writers.picture import write_picture

            file = stack.enter_context(replacing_bytes(beside[_PICTURE]))
            write_picture(conversation, file, options=options, font=font)
        yield
