"""The command line: arguments → options, errors → exit codes and one line on standard error."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import click

from renderer.cli.archiving import cli  # which has the commands of `commands` too
from renderer.cli.saying import DONE, FAILED, INTERRUPTED, fail
from renderer.errors import RendererError

__all__ = ["cli", "main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program and exit: 0 done, 1 done but `--strict` found something, 2 wrong usage or nothing readable."""
    for name in ("SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _terminate)
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    try:
        code = _invoked(sys.argv[1:] if arguments is None else list(arguments))
        if sys.stdout is not None:  # a program can be started without
            sys.stdout.flush()
        return code
    except RendererError as error:
        return fail(str(error))
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return FAILED
    except click.ClickException as error:
        hint = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "citepage"
        return fail(f"{error.format_message().rstrip('.')}; see `{hint} --help`")
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
        return DONE
    except MemoryError:
        return fail("there is not enough memory for this input; split it, or use a bigger machine")
    except Exception as error:  # a defect of ours: one line for the user all the same
        return fail(f"citepage itself failed ({type(error).__name__}: {error}); please report it with the input")


def _invoked(arguments: list[str]) -> int:
    # Not cli.main(), which has its own mind about closed pipes.
    try:
        with cli.make_context("citepage", arguments) as context:
            code = cli.invoke(context)
    except click.exceptions.Exit as done:  # after --help and --version
        return done.exit_code
    return code if isinstance(code, int) else DONE


def _silence_stdout() -> None:
    # What is left in the buffer would fail once more when Python closes it.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _terminate(number: int, _frame: FrameType | None) -> NoReturn:
    # Through the stack, so that a half-written file is taken away.
    sys.exit(128 + number)
