"""What the program says: results are printed by the commands, all else is one line each on standard error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import click

from renderer.errors import Problem

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# Exit codes.
DONE, FOUND, FAILED, INTERRUPTED = 0, 1, 2, 130


def say(line: str) -> None:
    """One line to standard error; nothing in it, such as a title, may steer the terminal."""
    click.echo(printable(line).replace("\n", " "), err=True)


def fail(message: str) -> int:
    """Say what went wrong; returns the exit code for it."""
    say(f"citepage: error: {message}")
    return FAILED


def warn(problems: Iterable[Problem], *, quiet: bool) -> None:
    """A line for each problem, unless that is not wanted."""
    if not quiet:
        for problem in problems:
            say(f"citepage: warning: {problem}")


def code_of(problems: Sequence[Problem], *, strict: bool) -> int:
    """The exit code of a command that is done: `strict` minds problems."""
    return FOUND if strict and problems else DONE


def printable(text: str) -> str:
    """`text` without what would steer a terminal; line feeds and tabs stay."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
