"""A page open in Chromium, with a record of everything that it did besides showing itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypedDict, Unpack

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Frame, Page, Playwright, Request

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """`page` is playwright's. `address` is the page's own, without a fragment. The lists grow while the page is used.

    `requests`: every address asked for, but the page's own document. `navigations`: every address that a frame or a
    new tab went to after the page had opened; a jump inside the page is none. `console`: "type: text".
    """

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    navigations: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    dialogs: list[str] = field(default_factory=list)

    def settle(self, milliseconds: int = 200) -> None:
        """Let the page go on for a while, so that what it does late is recorded too."""
        self.page.wait_for_timeout(milliseconds)


class Look(TypedDict, total=False):
    """How a page is looked at; what is left out is a light window of 1280 by 900 with motion and scripts."""

    width: int
    height: int
    dark: bool
    reduced_motion: bool
    javascript: bool
    clipboard: bool
    forced_colors: bool


class OpenPage(Protocol):
    """Opens a file, or HTML given as a string, in Chromium. Everything is closed when the test ends."""

    def __call__(self, path_or_html: Path | str, **look: Unpack[Look]) -> OpenedPage: ...


def launch(playwright: Playwright) -> Browser:
    """The Chromium that the tests look at pages with. Without one the tests fail: a page nobody saw is untested."""
    chromium = Path(os.environ.get("CHROMIUM") or "/usr/bin/chromium")
    if not chromium.is_file():
        pytest.fail(f"there is no Chromium at {chromium}: install it (Debian: chromium) or name yours in CHROMIUM")
    return playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)


@contextmanager
def opened(browser: Browser, file: Path, look: Look) -> Iterator[OpenedPage]:
    """Open a file in a fresh context without a network; playwright records requests before they fail for want of it."""
    context = browser.new_context(
        viewport={"width": look.get("width", 1280), "height": look.get("height", 900)},
        color_scheme="dark" if look.get("dark") else "light",
        reduced_motion="reduce" if look.get("reduced_motion") else "no-preference",
        java_script_enabled=look.get("javascript", True),
        permissions=["clipboard-read", "clipboard-write"] if look.get("clipboard") else [],
        forced_colors="active" if look.get("forced_colors") else "none",
        locale="en-US",
        timezone_id="UTC",
        offline=True,
    )
    try:
        page = context.new_page()
        record = OpenedPage(page, file.absolute().as_uri())
        _listen(context, record)
        page.goto(record.address)
        yield record
    finally:
        context.close()


def _listen(context: BrowserContext, record: OpenedPage) -> None:
    documents: list[Request] = []

    def on_request(request: Request) -> None:
        if request.url == record.address and request.is_navigation_request() and not documents:
            documents.append(request)
            return
        record.requests.append(request.url)
        if request.is_navigation_request():
            record.navigations.append(request.url)

    def on_navigation(frame: Frame) -> None:
        if frame.url.partition("#")[0] not in (record.address, *record.navigations):
            record.navigations.append(frame.url)

    def on_tab(tab: Page) -> None:
        if tab.url not in record.navigations:
            record.navigations.append(tab.url)

    def on_console(message: ConsoleMessage) -> None:
        record.console.append(f"{message.type}: {message.text}")

    def on_dialog(dialog: Dialog) -> None:
        record.dialogs.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    context.on("request", on_request)
    context.on("page", on_tab)
    context.on("console", on_console)
    context.on("dialog", on_dialog)
    context.on("weberror", lambda error: record.errors.append(str(error.error)))
    record.page.on("framenavigated", on_navigation)
