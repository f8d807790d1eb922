"""axe-core finds nothing: conversation × theme × language × scheme × state, in pairs, or all of it with `--full`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product

import pytest
from allpairspy import AllPairs
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from renderer import Options, read, render_page
from renderer.themes import themes
from tests.browser.gallery import CONVERSATIONS
from tests.opened_page import OpenPage

_RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}


def _preview(page: Page) -> None:
    page.locator(".cite-ref a").first.hover()
    page.wait_for_selector("#preview:popover-open")


def _drawer(page: Page) -> None:
    page.locator(".sources > details").first.evaluate("fold => { fold.open = true }")
    page.locator(".source-open").first.click()
    page.wait_for_selector("#drawer[open]")
    page.wait_for_timeout(300)  # the movement in


def _contents(page: Page) -> None:
    button = page.locator(".contents-open")
    if button.count():
        button.click()
        page.wait_for_selector("#contents:popover-open")


def _unfolded(page: Page) -> None:
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")


# What is done to the page before it is looked at, and how wide the window is.
STATES: dict[str, tuple[int, Callable[[Page], None]]] = {
    "plain": (1280, lambda page: None),
    "narrow": (320, lambda page: None),
    "preview": (1280, _preview),
    "drawer": (1280, _drawer),
    "sheet": (390, _drawer),
    "contents": (390, _contents),
    "unfolded": (1280, _unfolded),
}

PARAMETERS = [sorted(CONVERSATIONS), list(themes()), ["en", "zh-CN"], ["light", "dark"], list(STATES)]


@cache
def _html(conversation: str, theme: str, lang: str) -> str:
    (read_one,) = read(CONVERSATIONS[conversation])
    return render_page(read_one, options=Options(theme=theme, lang=lang, show_thinking=True))


def _found(open_page: OpenPage, conversation: str, theme: str, lang: str, scheme: str, state: str) -> list[str]:
    width, prepare = STATES[state]
    html = _html(conversation, theme, lang)
    page = open_page(html, width=width, dark=scheme == "dark", reduced_motion=True).page
    prepare(page)
    found = Axe().run(page, options=_RULES).response["violations"]
    return [f"{one['id']}: {node['html'][:200]} {node['failureSummary']}" for one in found for node in one["nodes"]]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "chosen" in metafunc.fixturenames:
        rows = product(*PARAMETERS) if metafunc.config.getoption("--full") else AllPairs(PARAMETERS)
        metafunc.parametrize("chosen", [pytest.param(row, id="-".join(row)) for row in rows])


def test_axe_finds_nothing(open_page: OpenPage, chosen: list[str]) -> None:
    """No rule of WCAG 2.2 AA or of good practice is broken, whatever page, theme, language and state."""
    assert _found(open_page, *chosen) == []


def test_axe_finds_what_is_wrong(open_page: OpenPage) -> None:
    """The tool does find a grey that is too light and a picture without words: its silence means something."""
    page = open_page("<!doctype html><title>x</title><main><p style='color:#ccc'>pale</p><img src='data:,'>").page
    found = {one["id"] for one in Axe().run(page, options=_RULES).response["violations"]}
    assert {"color-contrast", "image-alt", "html-has-lang"} <= found
