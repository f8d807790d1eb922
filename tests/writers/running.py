"""The program, run as its users run it: in this process, which is fast, or as one of its own, for signals and pipes."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from renderer.cli import main

ROOT = Path(__file__).parent.parent.parent

# What a run may say on standard error, by the contract: a line for each error and each warning.
LINE = re.compile(r"citepage: (?:error|warning): \S.*")


@dataclass(frozen=True)
class Run:
    """What came of a run: its exit code, and all that it wrote."""

    code: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines on standard error; each is an error or a warning, and none is a part of a traceback."""
        lines = self.err.split("\n")
        assert lines.pop() == "", "standard error ends with a line end"
        assert [line for line in lines if not LINE.fullmatch(line)] == []
        return lines

    @property
    def error(self) -> str:
        """The one line of a run that failed: it made nothing, and says what is wrong and what to do."""
        assert (self.code, self.out) == (2, b"")
        (line,) = self.lines
        assert re.fullmatch(r"citepage: error: .+; .+", line), line
        return line

    @property
    def soup(self) -> BeautifulSoup:
        """The page that went to standard output."""
        return BeautifulSoup(self.out.decode(), "html.parser")


class Citepage:
    """Runs the program in this process. Standard input is empty unless `stdin` is given."""

    def __init__(self, capture: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capture = capture
        self._monkeypatch = monkeypatch
        monkeypatch.setattr("signal.signal", lambda *_: None)

    def __call__(self, *arguments: str | Path, stdin: bytes = b"") -> Run:
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        self._capture.readouterr()
        with pytest.raises(SystemExit) as exited:
            main([str(argument) for argument in arguments])
        out, err = self._capture.readouterr()
        assert isinstance(exited.value.code, int)
        return Run(exited.value.code, out, err.decode())


def start(
    *arguments: str | Path, cwd: Path, before: str = "", env: dict[str, str] | None = None, **streams: Any
) -> subprocess.Popen[bytes]:
    """Start the program as a process of its own in the folder `cwd`. `before` is Python to run first."""
    program = f"{before}\nimport sys\nfrom renderer.cli import main\nsys.exit(main(sys.argv[1:]))"
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )
