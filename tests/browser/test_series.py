"""A link to a message of a long conversation leads to it, whichever page it stands on."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderer.options import Limits
from tests.archive.making import make_site, write_export
from tests.opened_page import OpenPage


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """The first page of a conversation of ten rounds, four a page."""
    rounds = [(f"Question {n}?", f"Answer {n}[^1^]. " + "And more of it. " * 300) for n in range(1, 11)]
    results = [{"title": "A page", "url": "https://example.org/a", "content": "An answer."}]
    write_export(tmp_path / "in/talk.jsonl", 3, rounds, title="Talk", results=results)
    make_site(tmp_path / "site", tmp_path / "in", limits=Limits(rounds=4))
    (page,) = (path for path in (tmp_path / "site").glob("Talk-*.html") if "-p" not in path.stem[-3:])
    return page


def _at(first: Path, number: int) -> str:
    return first.name if number == 1 else f"{first.stem}-p{number}.html"


# A round is four rows, so the answer of round n is row 4n, and question n is row 4n-3.
@pytest.mark.parametrize(
    ("place", "page"),
    [("m-33", 3), ("m-36", 3), ("m-20", 2), ("src-36-1", 3), ("ref-20-1-1", 2), ("q-21", 2), ("m-4", 1)],
)
def test_a_link_to_the_first_page_leads_to_the_message(first: Path, place: str, page: int, open_page: OpenPage) -> None:
    """An address of the first page with the id of a message, a source or a number opens the page that has it, there."""
    opened = open_page(first)
    opened.page.goto("about:blank")
    opened.page.goto(f"{first.as_uri()}#{place}", wait_until="commit")
    opened.page.wait_for_function("id => document.getElementById(id)", arg=place)
    assert _at(first, page) in opened.page.url
    assert opened.page.url.endswith(f"#{place}")
    opened.page.wait_for_function(
        "id => { const {top, bottom} = document.getElementById(id).getBoundingClientRect();"
        " return bottom > 0 && top < innerHeight }",
        arg=place,
    )


def test_a_link_inside_the_page_leads_to_another_page_too(first: Path, open_page: OpenPage) -> None:
    """An address whose fragment alone is changed is followed as one that is opened."""
    opened = open_page(first)
    opened.page.evaluate("location.hash = 'm-33'")
    opened.page.wait_for_function("document.getElementById('m-33')")
    assert _at(first, 3) in opened.page.url


def test_a_page_that_lacks_a_message_asks_the_first(first: Path, open_page: OpenPage) -> None:
    """When a message has moved to another page, the old address still leads to it."""
    opened = open_page(first)
    opened.page.goto(f"{(first.parent / _at(first, 2)).as_uri()}#m-36", wait_until="commit")
    opened.page.wait_for_function("document.getElementById('m-36')")
    assert _at(first, 3) in opened.page.url


@pytest.mark.parametrize("number", [1, 2])
def test_a_link_to_nothing_stays_where_it_is(first: Path, number: int, open_page: OpenPage) -> None:
    """An id that no page has ends on a page of the conversation, and the browser does not go round in circles."""
    opened = open_page(first)
    opened.page.goto(f"{(first.parent / _at(first, number)).as_uri()}#m-999", wait_until="commit")
    opened.page.wait_for_timeout(500)
    url = opened.page.url
    opened.page.wait_for_timeout(500)
    assert opened.page.url == url
    assert url.endswith("#m-999")
