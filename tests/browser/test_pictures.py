"""Pictures in a real browser: those that the page carries are seen under its policy, and nothing is fetched."""

from __future__ import annotations

from renderer import Options
from tests.opened_page import OpenPage
from tests.pages.making import answer, page_of, question
from tests.pictures import data_address, png, zip_of
from tests.readers.making import jsonl


def test_pictures_are_seen_and_nothing_is_fetched(open_page: OpenPage) -> None:
    """Pictures in data and in the zip have their size on the screen; remote ones and SVG do nothing at all."""
    svg = data_address(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    remote = "https://elsewhere.example/x.png"
    export = jsonl(
        question(1, "Look", images=[data_address(png(30, 20)), "files/a.png", remote, svg]),
        answer(2, f"![in the text]({data_address(png(50, 10))}) ![remote]({remote}) ![svg]({svg})"),
    )
    opened = open_page(page_of(zip_of({"e.jsonl": export, "files/a.png": png(40, 40)})).html)
    opened.page.wait_for_function("() => [...document.images].every(image => image.complete)")
    sizes = "[...document.images].map(image => [image.naturalWidth, image.naturalHeight])"
    assert opened.page.evaluate(sizes) == [[30, 20], [40, 40], [50, 10]]
    assert opened.page.locator(".picture-missing").count() == 4
    assert (opened.requests, opened.navigations, opened.console, opened.errors, opened.dialogs) == ([], [], [], [], [])


def test_a_remote_picture_is_followed_on_a_click_only(open_page: OpenPage) -> None:
    """The placeholder's link is what leads to a remote picture, and it keeps within a phone's width."""
    address = f"https://elsewhere.example/{'long/' * 60}x.png"
    opened = open_page(page_of(jsonl(question(1, images=[address])), Options(lang="en")).html, width=390, height=800)
    opened.settle()
    assert opened.requests == []
    assert opened.page.locator(".picture-missing a").get_attribute("href") == address
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_picture_is_printed(open_page: OpenPage) -> None:
    """A picture far below the screen, not yet looked at, is on the paper too."""
    rows = [question(number, "\n".join("line" * 10)) for number in range(1, 40)]
    noise = png(200, 200, noise=5)
    sizes = []
    for images in ([data_address(noise)], []):
        opened = open_page(page_of(jsonl(*rows, question(40, images=images))).html)
        sizes.append(len(opened.page.pdf()))
    assert sizes[0] - sizes[1] > 0.8 * len(noise)
