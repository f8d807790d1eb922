"""Code in Chromium: what shows with and without script, in a fold, on paper."""

from __future__ import annotations

import pytest

from tests.opened_page import OpenPage
from tests.pages.making import answer, page, question

LONG = "".join(f"x = {n}\n" for n in range(60))
PATCH = "@@ -1 +1 @@\n-old\n+" + "new " * 100 + "\n"
HTML = page(
    question(1),
    answer(
        2,
        f"```python\ndef f(): pass  # {'c' * 200}\n```\n\n```ts\n{LONG}```",
        fileChanges=[
            {"path": "x" * 200, "type": "MODIFIED", "diffMode": "PATCH", "patchContent": PATCH, "linesAdded": 1}
        ],
    ),
).html


@pytest.mark.parametrize("javascript", [True, False])
def test_the_button_shows_only_where_it_works(open_page: OpenPage, javascript: bool) -> None:
    """The button that copies is seen with script, and is not without."""
    tab = open_page(HTML, javascript=javascript).page
    assert tab.locator(".code-copy").first.is_visible() is javascript


def test_a_fold_opens_without_script(open_page: OpenPage) -> None:
    """A long block and a diff open by their own line, with all that they hold."""
    tab = open_page(HTML, javascript=False).page
    for fold in (".code-fold", ".diff"):
        assert not tab.locator(f"{fold} pre").is_visible()
        tab.click(f"{fold} > summary")
        assert tab.locator(f"{fold} pre").is_visible()
    assert tab.locator(".code-fold pre").inner_text() == LONG


@pytest.mark.parametrize("width", [320, 1280])
def test_wide_code_scrolls_in_its_own_box(open_page: OpenPage, width: int) -> None:
    """Neither code nor a diff makes the page wider than the window; both scroll, and the keyboard reaches them."""
    tab = open_page(HTML, width=width).page
    tab.click(".diff > summary")
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    for box in (".code-block > pre", ".diff pre"):
        wide, tab_index = tab.locator(box).evaluate("box => [box.scrollWidth > box.clientWidth, box.tabIndex]")
        assert (wide, tab_index) == (True, 0)


@pytest.mark.parametrize("javascript", [True, False])
def test_paper_shows_all_of_it(open_page: OpenPage, javascript: bool) -> None:
    """In print folds are open, code wraps, and there is no button."""
    tab = open_page(HTML, javascript=javascript).page
    if javascript:
        tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    tab.emulate_media(media="print")
    for box in (".code-block > pre", ".code-fold pre", ".diff pre"):
        assert tab.locator(box).evaluate(
            "box => box.getBoundingClientRect().height > 0 && box.scrollWidth <= box.clientWidth"
        )
    assert not tab.locator(".code-copy").first.is_visible()


def test_colours_of_code_are_those_of_the_theme(open_page: OpenPage) -> None:
    """A keyword has the theme's colour for it, light and dark."""
    for dark, colour in ((False, "rgb(109, 68, 112)"), (True, "rgb(201, 169, 209)")):
        tab = open_page(HTML, dark=dark).page
        assert tab.locator(".k").first.evaluate("word => getComputedStyle(word).color") == colour
