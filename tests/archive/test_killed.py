"""A run that is stopped, in whatever way and at whatever moment, leaves a whole site, and the next one repairs it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from renderer.archive.state import FILE_NAME
from tests.archive.making import files_of
from tests.bench.generate import export

ROOT = Path(__file__).parent.parent.parent
CONVERSATIONS = 12


def _start(site: Path, exports: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "renderer", "archive", str(exports), "-o", str(site), *arguments]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, start_new_session=True)


def _run(site: Path, exports: Path, *arguments: str) -> None:
    process = _start(site, exports, *arguments)
    _, said = process.communicate()
    assert process.returncode == 0, said.decode()


def _write(exports: Path, seed: int) -> None:
    """All exports, of the same conversations and other texts for another seed."""
    exports.mkdir(exist_ok=True)
    for number in range(CONVERSATIONS):
        (exports / f"{number}.jsonl").write_bytes(b"".join(export(number, seed, rows=6)))


def _check_whole(site: Path) -> None:
    """Every page that the index lists is there, and every page that is there is complete."""
    if (site / "index.html").exists():
        index = (site / "index.html").read_bytes()
        assert index.rstrip().endswith(b"</html>")
        for link in BeautifulSoup(index, "html.parser").select("a[href]"):
            assert (site / str(link["href"]).partition("#")[0]).exists()
    for page in site.glob("*.html"):
        assert page.read_bytes().rstrip().endswith(b"</html>"), page.name


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_site_is_whole_whenever_the_program_is_killed(tmp_path: Path, jobs: int) -> None:
    """After each kill all listed pages are there and complete, and a last run makes what a new one makes."""
    exports, site = tmp_path / "in", tmp_path / "site"
    chance = random.Random(jobs)
    _write(exports, 1)
    began = time.monotonic()
    _run(tmp_path / "first", exports, f"--jobs={jobs}")
    usual = time.monotonic() - began
    for kill in range(12):
        if kill % 4 == 3:  # titles are other ones now, and so are the names of the pages
            _write(exports, kill)
        process = _start(site, exports, f"--jobs={jobs}")
        time.sleep(chance.uniform(0.1, 1.0) * usual)
        process.kill()
        process.communicate()
        if site.exists():
            _check_whole(site)
    _run(site, exports, f"--jobs={jobs}")
    _run(tmp_path / "new", exports, "--jobs=1")
    assert files_of(site) == files_of(tmp_path / "new")
    assert {path.name for path in site.iterdir() if path.name.startswith(".")} == {FILE_NAME}


def test_no_process_outlives_a_program_that_was_killed(tmp_path: Path) -> None:
    """When the program is killed, the processes that worked for it end too."""
    exports = tmp_path / "in"
    _write(exports, 1)
    process = _start(tmp_path / "site", exports, "--jobs=2")
    while not any((tmp_path / "site").glob("*-*.html")):
        assert process.poll() is None
        time.sleep(0.05)
    process.kill()
    process.communicate(timeout=60)  # ends when nobody holds the other end of standard error any more
    with pytest.raises(ProcessLookupError):
        _wait_until_gone(process.pid)


def _wait_until_gone(group: int) -> None:
    for _ in range(200):
        os.killpg(group, 0)
        time.sleep(0.05)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_is_interrupted_leaves_a_valid_site(tmp_path: Path, number: int, code: int) -> None:
    """Ctrl-C, which all processes get, ends the run at once without a word, and no waiting file is left."""
    exports, site = tmp_path / "in", tmp_path / "site"
    _write(exports, 1)
    process = _start(site, exports, "--jobs=2", "--quiet")
    while not any(site.glob("*-*.html")):
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, number) if number == signal.SIGINT else process.terminate()
    _, said = process.communicate(timeout=30)
    assert (process.returncode, said) == (code, b"")
    _check_whole(site)
    assert {path.name for path in site.iterdir() if path.name.startswith(".")} == {FILE_NAME}
    _run(site, exports)
    _run(tmp_path / "new", exports)
    assert files_of(site) == files_of(tmp_path / "new")
