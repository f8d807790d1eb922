"""`python -m tests.browser.shots FOLDER` takes the pictures of README: six looks at conversations of the gallery."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page, sync_playwright

from renderer import Options, read, render_page
from tests.browser.gallery import CONVERSATIONS
from tests.opened_page import launch


@dataclass(frozen=True)
class Shot:
    """A picture: the conversation, how it is rendered, the window, and what is done before it is taken."""

    name: str
    conversation: str
    options: Options
    width: int
    height: int
    dark: bool = False
    touch: bool = False
    prepare: Callable[[Page], None] = lambda page: None


def _open_drawer(page: Page) -> None:
    page.locator(".cite-ref a").first.click()
    page.wait_for_timeout(500)


def _show_preview(page: Page) -> None:
    page.locator(".cite-ref a").nth(2).hover()
    page.wait_for_timeout(400)


def _show_contents(page: Page) -> None:
    page.evaluate("scrollTo(0, 1500)")
    page.wait_for_timeout(300)
    page.click(".contents-open")
    page.wait_for_timeout(200)


def _to_the_code(page: Page) -> None:
    page.evaluate("scrollTo(0, document.querySelector('math').getBoundingClientRect().top - 330)")
    page.wait_for_timeout(300)


SHOTS = (
    Shot("report", "report-en", Options(), 1280, 860, prepare=_show_preview),
    Shot("formulas-and-code", "report-zh", Options(), 1280, 860, dark=True, prepare=_to_the_code),
    Shot("journal", "report-en", Options(theme="journal"), 1280, 860),
    Shot("contents", "session", Options(theme="plain"), 1280, 860, prepare=_show_contents),
    Shot("phone", "short-zh", Options(), 390, 844),
    Shot("phone-passage", "retrieval-zh", Options(), 390, 844, dark=True, touch=True, prepare=_open_drawer),
)


def main(folder: Path) -> None:
    """Write `<name>.png` for each shot into `folder`."""
    with sync_playwright() as playwright, TemporaryDirectory() as pages:
        browser = launch(playwright)
        for shot in SHOTS:
            _take(shot, browser, Path(pages) / f"{shot.name}.html", folder)
        browser.close()


def _take(shot: Shot, browser: Browser, page_file: Path, folder: Path) -> None:
    (conversation,) = read(CONVERSATIONS[shot.conversation])
    page_file.write_bytes(render_page(conversation, options=shot.options).encode())
    context = browser.new_context(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme="dark" if shot.dark else "light",
        has_touch=shot.touch,
        is_mobile=shot.touch,
    )
    page = context.new_page()
    page.goto(page_file.as_uri())
    shot.prepare(page)
    page.screenshot(path=folder / f"{shot.name}.png")
    context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
