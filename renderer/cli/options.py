"""The options that several commands have, and those of `render`, as data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from renderer.errors import RendererError
from renderer.model import SourceTool
from renderer.options import FORMATS, Wanted

F = TypeVar("F", bound=Callable[..., Any])

format_option = click.option(
    "--format", "format_", metavar="NAME", help="The input's format. Default: recognised from its content."
)
output_option = click.option(
    "-o", "--output", default="-", metavar="PATH", help="Where the result goes. Default: - (standard output)."
)
sources_option = click.option(
    "--sources", metavar="FILE", help="A TOML file that names the tools whose answers are sources."
)
strict_option = click.option(
    "--strict", is_flag=True, help="Exit 1 when anything was left out, removed, marked or repaired."
)
quiet_option = click.option("--quiet", is_flag=True, help="No warnings.")

# The choices about a page: each has the name of a field of `renderer.options.Options`.
_PAGE_OPTIONS = (
    click.option(
        "--lang",
        default="auto",
        show_default=True,
        metavar="TAG",
        help="Language of the page's own words: auto, en, zh-CN.",
    ),
    click.option("--theme", default="paper", show_default=True, metavar="NAME", help="The look of the page."),
    click.option("--title", metavar="TEXT", help="A title in place of the file's own."),
    click.option(
        "--time-zone", metavar="NAME", help="Zone of the times shown, such as Europe/Berlin. Default: the file's."
    ),
    click.option(
        "--steps",
        type=click.Choice(["folded", "hidden", "full"]),
        default="folded",
        show_default=True,
        help="How tool calls are shown.",
    ),
    click.option("--show-thinking", is_flag=True, help="Show the model's reasoning where the file has it."),
    click.option("--highlight/--no-highlight", default=True, show_default=True, help="Colours in code."),
    click.option("--indexable", is_flag=True, help="Let search engines list the page."),
    click.option(
        "--base-url", default="", metavar="URL", help="Address of the folder where the page will be published."
    ),
    click.option(
        "--click",
        type=click.Choice(["list", "drawer"]),
        help="What a number does: go to its entry, or open its passage. Default: drawer in retrieval answers.",
    ),
    click.option(
        "--source-base", default="", metavar="URL", help="Absolute http(s) address that relative ones are joined to."
    ),
    click.option(
        "--on-invalid",
        type=click.Choice(["strip", "mark", "plain"]),
        default="strip",
        show_default=True,
        help="Markers of retrieval answers without a source: removed, struck, or all citations of the answer dropped.",
    ),
    click.option(
        "--passage-limit",
        "passage_budget",
        type=click.IntRange(0),
        default=2_000,
        show_default=True,
        help="Characters kept of a passage.",
    ),
    click.option(
        "--passages-limit",
        "page_budget",
        type=click.IntRange(0),
        default=200_000,
        show_default=True,
        help="The same, of all passages of the page.",
    ),
    click.option("--media", metavar="DIR", help="Folder with the pictures that the input names."),
    click.option(
        "--picture-limit",
        "picture_bytes",
        type=click.IntRange(0),
        default=2_000_000,
        show_default=True,
        help="Bytes that a picture may have; a bigger one is named in its place.",
    ),
    click.option(
        "--pictures-limit",
        "pictures_bytes",
        type=click.IntRange(0),
        default=10_000_000,
        show_default=True,
        help="The same, of all pictures of the page.",
    ),
)


def page_options(command: F) -> F:
    """Give a command all choices about a page."""
    for option in reversed(_PAGE_OPTIONS):
        command = option(command)
    return command


_BESIDE_OPTIONS = (
    click.option(
        "--with",
        "formats",
        metavar="LIST",
        default="",
        help="Files to write beside the page: md (Markdown with footnotes), json, or md,json.",
    ),
    click.option(
        "--preview-picture", "picture", is_flag=True, help="Write a picture for link previews beside the page."
    ),
    click.option(
        "--preview-font", "font", metavar="FILE", help="The font of that picture. Default: one that is found."
    ),
)


def beside_options(command: F) -> F:
    """Give a command the choices about files beside the page."""
    for option in reversed(_BESIDE_OPTIONS):
        command = option(command)
    return command


def wanted_beside(formats: str, picture: bool, font: str | None, output: str | None) -> Wanted:
    """What the options of `beside_options` ask for. Raises UsageError where it cannot be had."""
    names = tuple(dict.fromkeys(name.strip() for name in formats.split(",") if name.strip()))
    unknown = [name for name in names if name not in FORMATS]
    if unknown:
        raise click.UsageError(f"--with takes {' and '.join(FORMATS)}, not {', '.join(unknown)}")
    if font and not picture:
        raise click.UsageError("--preview-font goes with --preview-picture")
    if output == "-" and (names or picture):
        raise click.UsageError(f"--{'with' if names else 'preview-picture'} needs a file, not standard output")
    return Wanted(names, picture, font)


def tools_in(path: str | None) -> tuple[SourceTool, ...] | None:
    """The tools that the file of `--sources` names, None without one. Raises RendererError."""
    from renderer.citations.tools import load_tools

    if path is None:
        return None
    try:
        return load_tools(Path(path).read_text("utf-8-sig"), path)
    except OSError as error:
        raise RendererError(path, f"it cannot be read: {error.strerror}", "check the path") from None
    except UnicodeDecodeError:
        raise RendererError(path, "this is no TOML: it is not UTF-8", "correct the file") from None
