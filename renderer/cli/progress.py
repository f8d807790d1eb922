"""How far a long command has come, on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from typing import Any

import click

from renderer.cli.saying import say


class Bar:
    """A bar with the rate and the time left. Use it as a context; shows nothing until there is something to do."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._bar: Any = None
        self._began = 0.0
        self._size = 0

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def start(self, inputs: int, size: int) -> None:
        """So many inputs, of so many bytes, are to be read."""
        if inputs:
            self._began = time.monotonic()
            bar = click.progressbar(length=max(size, 1), file=sys.stderr, item_show_func=self._rate, label="citepage")
            self._bar = self._stack.enter_context(bar)

    def step(self, size: int) -> None:
        """An input of so many bytes is done."""
        self._size += size
        if self._bar is not None:
            self._bar.update(size, self._size)

    def _rate(self, done: int | None) -> str:
        spent = time.monotonic() - self._began
        return f"{(done or 0) / 1e6 / spent:.1f} MB/s" if spent > 0 else ""


class Lines:
    """A line for every tenth of the work."""

    def __init__(self) -> None:
        self._inputs = self._all = self._done = self._size = self._told = 0

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def start(self, inputs: int, size: int) -> None:
        """So many inputs, of so many bytes, are to be read."""
        self._inputs, self._all = inputs, max(size, 1)
        if inputs:
            say(f"citepage: {inputs} to read, {size / 1e6:.1f} MB")

    def step(self, size: int) -> None:
        """An input of so many bytes is done."""
        self._done += 1
        self._size += size
        tenth = self._size * 10 // self._all
        if tenth > self._told and self._done < self._inputs:
            self._told = tenth
            say(f"citepage: {self._done} of {self._inputs} read, {self._size / 1e6:.1f} MB")


class Silence:
    """Says nothing."""

    def __enter__(self) -> Silence:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def start(self, inputs: int, size: int) -> None:
        """So many inputs, of so many bytes, are to be read."""

    def step(self, size: int) -> None:
        """An input of so many bytes is done."""


def progress(*, quiet: bool) -> Bar | Lines | Silence:
    """The way to tell that suits where standard error goes."""
    if quiet:
        return Silence()
    return Bar() if sys.stderr is not None and sys.stderr.isatty() else Lines()
