"""The command `archive`: what it says, and how it exits."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderer.cli import main
from tests.archive.making import pages_of, write_export

ROUNDS = [("Where?", "There.")]


@pytest.fixture
def exports(tmp_path: Path) -> Path:
    """A folder with one export in it."""
    write_export(tmp_path / "in/a.jsonl", 1, ROUNDS)
    return tmp_path / "in"


def _run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["archive", *map(str, arguments)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_it_says_what_came_of_it(exports: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Done is 0, with one line of counts on standard error and nothing on standard output; --quiet says nothing."""
    assert _run(exports, "-o", tmp_path / "site") == 0
    said = capsys.readouterr()
    assert said.out == ""
    last = said.err.splitlines()[-1]
    assert last == "citepage: 1 conversations; 1 of 1 inputs read, 1 pages written, 0 removed"
    assert _run(exports, "-o", tmp_path / "site", "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_strict_minds_warnings_also_of_inputs_that_have_not_changed(exports: Path, tmp_path: Path) -> None:
    """A line that cannot be read exits 1 under --strict, in the first run and in the next one."""
    with (exports / "a.jsonl").open("ab") as file:
        file.write(b"{broken\n")
    assert _run(exports, "-o", tmp_path / "site") == 0
    assert _run(exports, "-o", tmp_path / "site", "--strict") == 1
    assert _run(exports, "-o", tmp_path / "site", "--strict", "--quiet") == 1


def test_strict_minds_an_export_that_cannot_be_read(exports: Path, tmp_path: Path) -> None:
    """An export without messages is a warning: 0, and 1 under --strict."""
    (exports / "b.jsonl").write_text('{"type":"session_export"}\n')
    assert _run(exports, "-o", tmp_path / "site") == 0
    assert _run(exports, "-o", tmp_path / "site", "--strict") == 1


def test_errors_are_one_line(exports: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to read at all, a foreign index and a file for a folder exit 2 with one line."""
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign/index.html").write_text("mine")
    (tmp_path / "file").write_text("x")
    for arguments in (
        (tmp_path / "missing", "-o", tmp_path / "site"),
        (exports, "-o", tmp_path / "foreign"),
        (exports, "-o", tmp_path / "file"),
        (exports, "-o", tmp_path / "site", "--theme", "unheard-of", "--quiet", "--jobs", "0"),
    ):
        assert _run(*arguments) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("citepage: error: ")


def test_a_missing_input_beside_others_exits_2_and_the_site_is_made(
    exports: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name without a file is an error, and costs the others nothing."""
    assert _run(tmp_path / "missing", exports, "-o", tmp_path / "site", "--quiet") == 2
    assert len(pages_of(tmp_path / "site")) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"citepage: error: {tmp_path / 'missing'}: no such file; check the path"
    ]


def test_a_wrong_option_is_one_error(exports: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A theme, a zone or a language that there is not ends the run with one error, not with one for each input."""
    write_export(exports / "b.jsonl", 2, ROUNDS)
    for name in ("--theme", "--time-zone", "--lang"):
        assert _run(exports, "-o", tmp_path / "site", name, "unheard-of") == 2
        (line,) = (line for line in capsys.readouterr().err.splitlines() if "error" in line)
        assert "unheard-of" in line
    assert not pages_of(tmp_path / "site")


def test_the_title_is_that_of_the_site(exports: Path, tmp_path: Path) -> None:
    """--title names the site and no conversation; a new one costs the index alone."""
    _run(exports, "-o", tmp_path / "site", "--title", "My talks")
    assert "My talks</bdi></h1>" in (tmp_path / "site/index.html").read_text("utf-8")
    (page,) = pages_of(tmp_path / "site")
    before = (tmp_path / "site" / page).stat().st_mtime_ns
    _run(exports, "-o", tmp_path / "site", "--title", "Our talks")
    assert "Our talks</bdi></h1>" in (tmp_path / "site/index.html").read_text("utf-8")
    assert (tmp_path / "site" / page).stat().st_mtime_ns == before
