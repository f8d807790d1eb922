"""What of a page is ours: style, script, head and markup; not its text, passages, formulas and colours of code."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from renderer import Options, read, render_page
from renderer.themes import themes
from tests.browser.gallery import CONVERSATIONS

# Bytes before compression.
MOST = 40_000
MOST_STYLE_AND_SCRIPT = 24_000
# With code, formulas, tables, footnotes or a bar on top.
MOST_OF_A_RICH_PAGE = 26_500
MOST_SCRIPT = 10_000

ORDINARY = ("short-en", "short-zh", "retrieval-zh")


def _page(name: str, theme: str = "paper") -> BeautifulSoup:
    (conversation,) = read(CONVERSATIONS[name])
    return BeautifulSoup(render_page(conversation, options=Options(theme=theme)), "html.parser")


def _size(text: str) -> int:
    return len(text.encode())


@pytest.mark.parametrize("theme", themes())
@pytest.mark.parametrize("name", CONVERSATIONS)
def test_style_and_script_are_light(name: str, theme: str) -> None:
    """Style and script of an ordinary page are 24 kB at most, of any page 26.5 kB, the script 10 kB."""
    most = MOST_STYLE_AND_SCRIPT if name in ORDINARY else MOST_OF_A_RICH_PAGE
    page = _page(name, theme)
    script = _size("".join(tag.get_text() for tag in page.select("script:not([type])")))
    style = _size("".join(tag.get_text() for tag in page.select("style")))
    assert 2_000 < script <= MOST_SCRIPT
    assert 8_000 < style <= most - script


@pytest.mark.parametrize("name", ORDINARY)
def test_our_own_part_of_a_page_is_light(name: str) -> None:
    """Markup, style, script and head of an ordinary page are 40 kB at most."""
    page = _page(name)
    for tag in page.select(".passage, math"):
        tag.decompose()
    for span in page.select("code span"):
        span.unwrap()
    text = _size("".join(string for string in page.body.strings if string.parent.name not in ("script", "style")))  # type: ignore[union-attr]
    assert _size(str(page)) - text <= MOST
