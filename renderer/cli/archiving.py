"""The command `archive`: many exports → a site."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from renderer.cli.commands import cli
from renderer.cli.options import format_option, page_options, quiet_option, sources_option, strict_option, tools_in
from renderer.cli.progress import progress
from renderer.cli.saying import DONE, FAILED, FOUND, fail, say
from renderer.options import Options

__all__ = ["archive", "cli"]

if TYPE_CHECKING:
    from renderer.archive.report import Report

# How many names a line lists before it says how many more there are.
_LISTED = 5


@cli.command(epilog="Example:  citepage archive ~/exports -o site")
@click.argument("inputs", metavar="INPUT...", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="DIR", help="The folder of the site; it is made if needed.")
@format_option
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="How many processes work. Default: one per core.")
@click.option("--prune", is_flag=True, help="Remove the pages of inputs that are no more.")
@page_options
@sources_option
@strict_option
@quiet_option
def archive(
    inputs: tuple[str, ...],
    output: str,
    format_: str | None,
    jobs: int | None,
    prune: bool,
    sources: str | None,
    strict: bool,
    quiet: bool,
    **choices: Any,
) -> int:
    """Make a site of many conversations.

    INPUT is a file, a folder (searched to the bottom) or a zip. Run it again to bring the site up to date: only what
    has changed is read and written. --title names the site.
    """
    from renderer.archive.build import Settings, build

    options = Options(**choices, tools=tools_in(sources))
    with progress(quiet=quiet) as shown:
        report = build(inputs, Path(output), options, Settings(format_, jobs, prune), shown)
    for error in report.errors:
        fail(error)
    if not quiet:
        _tell(report)
    found = report.warnings or report.earlier
    return FAILED if report.errors else FOUND if strict and found else DONE


def _tell(report: Report) -> None:
    for warning in report.warnings:
        say(f"citepage: warning: {warning}")
    if report.earlier:
        say(f"citepage: {report.earlier} warnings of inputs that have not changed since")
    if report.no_exports:
        say(f"citepage: {len(report.no_exports)} files are no exports: {_listed(report.no_exports)}")
    if report.doubles:
        doubles = [" = ".join(names) for names in report.doubles]
        say(f"citepage: {len(doubles)} conversations are in several inputs, and shown once: {_listed(doubles)}")
    say(
        f"citepage: {report.conversations} conversations; {report.read} of {report.inputs} inputs read, "
        f"{report.written} pages written, {report.removed} removed"
    )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _LISTED
    return ", ".join(names[:_LISTED]) + (f" and {more} more" if more > 0 else "")
