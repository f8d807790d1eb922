"""The record that browser tests rely on: what an unprotected page does must be seen, or silence proves nothing."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from playwright.sync_api import Playwright

from tests.opened_page import OpenPage, launch


def test_a_quiet_page_leaves_no_record(open_page: OpenPage) -> None:
    """A page that only shows itself has made no request, navigation, message, error or dialog."""
    opened = open_page("<!doctype html><title>quiet</title><p id=p>text <a href=#p>jump</a>")
    opened.page.click("a")
    opened.settle()
    assert opened.page.title() == "quiet"
    assert (opened.requests, opened.navigations) == ([], [])
    assert (opened.console, opened.errors, opened.dialogs) == ([], [], [])


@pytest.mark.parametrize(
    "markup",
    [
        "<img src='http://elsewhere.example/x.png'>",
        "<link rel=stylesheet href='http://elsewhere.example/x.png'>",
        "<style>p{background:url(http://elsewhere.example/x.png)}</style><p>text",
        "<script>fetch('http://elsewhere.example/x.png')</script>",
        "<script>new Image().src = 'http://elsewhere.example/x.png'</script>",
    ],
)
def test_every_request_is_recorded(open_page: OpenPage, markup: str) -> None:
    """Whatever a page asks for is in its record, although the test's browser has no network."""
    opened = open_page(markup)
    opened.settle()
    assert opened.requests == ["http://elsewhere.example/x.png"]
    assert opened.navigations == []


def test_a_file_beside_the_page_is_a_request(open_page: OpenPage, tmp_path: Path) -> None:
    """Only the page's own document is no request: a style sheet beside it is one."""
    (tmp_path / "style.css").write_text("p { color: red }")
    opened = open_page("<link rel=stylesheet href=style.css><p>text")
    assert opened.requests == [(tmp_path / "style.css").as_uri()]


@pytest.mark.parametrize(
    "markup",
    [
        "<meta http-equiv=refresh content='0;url=http://elsewhere.example/'>",
        "<script>location = 'http://elsewhere.example/'</script>",
        "<iframe src='http://elsewhere.example/'></iframe>",
        "<a id=go target=_blank href='http://elsewhere.example/'>new tab</a><script>go.click()</script>",
    ],
)
def test_leaving_the_page_is_recorded(open_page: OpenPage, markup: str) -> None:
    """A page that sends its reader, a frame or a new tab elsewhere has a navigation in its record."""
    opened = open_page(markup)
    opened.settle(500)
    assert "http://elsewhere.example/" in opened.navigations


@pytest.mark.parametrize(
    ("markup", "address"),
    [
        ("<script>window.open()</script>", "about:blank"),
        ("<iframe src='data:text/plain,hello'></iframe>", "data:text/plain,hello"),
    ],
)
def test_leaving_the_page_without_a_request_is_recorded(open_page: OpenPage, markup: str, address: str) -> None:
    """A new tab or a frame is in the record even when nothing has to be loaded for it."""
    opened = open_page(markup)
    opened.settle()
    assert (opened.requests, opened.navigations) == ([], [address])


def test_a_reload_is_recorded(open_page: OpenPage) -> None:
    """A page that loads itself once more has a navigation in its record."""
    again = "if (!sessionStorage.n) setTimeout(() => { sessionStorage.n = 1; location.reload() })"
    opened = open_page(f"<script>{again}</script>")
    opened.settle(500)
    assert opened.navigations == [opened.address]


def test_scripts_that_speak_up_are_recorded(open_page: OpenPage) -> None:
    """Console messages, errors and dialogs are in the record, and a dialog does not stop the page."""
    opened = open_page("<script>console.log('hello'); alert('boo'); throw new Error('oops')</script>")
    opened.settle()
    assert opened.console == ["log: hello"]
    assert opened.dialogs == ["alert: boo"]
    assert opened.errors == ["oops"]


def test_the_look_is_what_was_asked_for(open_page: OpenPage) -> None:
    """Size, colour scheme, motion and scripts are the page's to see as the test chose them."""
    opened = open_page("<p>text", width=320, height=640, dark=True, reduced_motion=True)
    assert opened.page.evaluate("[innerWidth, innerHeight]") == [320, 640]
    assert opened.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is True
    assert opened.page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches") is True
    silent = open_page("<noscript>shown</noscript><script>alert(1)</script>", javascript=False)
    assert silent.page.inner_text("body") == "shown"
    assert silent.dialogs == []


def test_a_missing_chromium_fails_the_test(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without Chromium a browser test fails and says what to install; it is never skipped."""
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "nowhere"))
    with pytest.raises(pytest.fail.Exception, match=r"no Chromium at .*nowhere: install it"):
        launch(cast(Playwright, None))
