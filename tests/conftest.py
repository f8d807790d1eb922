"""Options and fixtures that every test may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Unpack

import hypothesis
import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.opened_page import Look, OpenedPage, OpenPage, launch, opened


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="try the long lists and many more random examples")
    parser.addoption("--update-snapshots", action="store_true", help="write what came out as what is expected")


def pytest_configure(config: pytest.Config) -> None:
    # The same examples in every run, unless a person asks for new ones: a red test is about the change at hand.
    hypothesis.settings.register_profile("quick", deadline=None, derandomize=True, database=None)
    hypothesis.settings.register_profile("full", deadline=None, max_examples=2000)
    hypothesis.settings.load_profile("full" if config.getoption("--full") else "quick")


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    # Processes that share a run must call a test by the same name; some bytes, such as gzip's with its time, differ.
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def full(pytestconfig: pytest.Config) -> bool:
    """Whether `--full` was given: tests over long lists then take every case instead of a sample."""
    return bool(pytestconfig.getoption("--full"))


@pytest.fixture
def check_snapshot(pytestconfig: pytest.Config) -> Callable[[Path, str], None]:
    """Compares a text with the file that holds what is expected, or writes that file under `--update-snapshots`."""

    def check(file: Path, text: str) -> None:
        if pytestconfig.getoption("--update-snapshots"):
            file.write_bytes(text.encode())
            return
        assert file.is_file(), f"{file} is missing: run with --update-snapshots and read what it holds"
        assert text == file.read_bytes().decode(), f"{file} differs: if the new text is right, --update-snapshots"

    return check


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of a process."""
    with sync_playwright() as playwright:
        chromium = launch(playwright)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[OpenPage]:
    """Opens pages in fresh contexts; see `Look` for what may be chosen and `OpenedPage` for what is recorded."""
    with ExitStack() as pages:

        def open_one(path_or_html: Path | str, **look: Unpack[Look]) -> OpenedPage:
            file = path_or_html if isinstance(path_or_html, Path) else _saved(path_or_html, tmp_path)
            return pages.enter_context(opened(browser, file, look))

        yield open_one


def _saved(html: str, folder: Path) -> Path:
    file = folder / f"page-{len(list(folder.iterdir()))}.html"
    file.write_bytes(html.encode())
    return file
