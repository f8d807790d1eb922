"""The bar of a long conversation, its list of contents, and the keys j and k, as a reader sees them in Chromium."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page as Tab

from tests.browser.gallery import session
from tests.opened_page import OpenPage
from tests.pages.making import A, B, C, D, E, Row, answer, page, page_of, question, search

LONG = "\n\n".join(f"Paragraph {n}. " + "It rains and rains, as so often by the sea. " * 6 for n in range(20))
QUESTIONS = ["Will it rain?", "And tomorrow?", "And the day after?", "So no umbrella?"]
# Room between the bar and what stands below it (CSS px): `scroll-padding` and `scroll-margin` of the style.
ROOM = 75
HEIGHT = 900


def _round(at: int, words: str) -> list[Row]:
    """A question, and a long answer that cites five sources, whose list is folded."""
    cited = f"First[^1^]. {LONG}\n\nThen[^2^][^3^][^4^][^5^].\n\n{LONG}"
    return [question(at, words), *search(at + 1, A, B, C, D, E, call_id=f"c{at}"), answer(at + 3, cited)]


@pytest.fixture(scope="module")
def long() -> str:
    """Four rounds of several screens each."""
    return page(*(_round(10 * n, words) for n, words in enumerate(QUESTIONS, 1))).html


@pytest.fixture(scope="module")
def session_400() -> str:
    """400 rounds, of which most are laid out only when they are scrolled to."""
    return page_of(session(400)).html


def bar_end(tab: Tab) -> float:
    """The lower edge of the bar in the window, which must have stayed at its top."""
    box = tab.locator(".page-bar").bounding_box()
    assert box is not None
    assert abs(box["y"]) < 1
    return box["height"]


def top_of(tab: Tab, id_: str) -> float:
    return float(tab.evaluate("id => document.getElementById(id).getBoundingClientRect().top", id_))


def focused(tab: Tab) -> str:
    return str(tab.evaluate("document.activeElement.id || document.activeElement.hash || ''"))


def articles(tab: Tab) -> list[str]:
    """The ids of all messages, in the order of the page."""
    return [str(id_) for id_ in tab.evaluate("[...document.querySelectorAll('article.message')].map(tag => tag.id)")]


def wait_until_still(tab: Tab) -> None:
    """Wait until nothing has scrolled for a tenth of a second."""
    tab.wait_for_function(
        "() => { const still = window.lastY === scrollY; window.lastY = scrollY; return still; }", polling=100
    )
    tab.evaluate("delete window.lastY")


def assert_seen(tab: Tab, id_: str) -> None:
    """The top of it is in the window and not under the bar."""
    wait_until_still(tab)
    assert is_clear(tab, id_)


def is_clear(tab: Tab, id_: str) -> bool:
    """Whether its top is between the bar's lower edge and the window's. (Works without script in the page too.)"""
    bar, box = (tab.locator(selector).bounding_box() for selector in (".page-bar", f"#{id_}"))
    assert bar is not None
    assert box is not None
    return bar["y"] + bar["height"] <= box["y"] < HEIGHT - 10


def open_at(tab: Tab, fragment: str) -> None:
    """Leave the page and open it again at a place."""
    address = tab.url.partition("#")[0]
    tab.goto("about:blank")
    tab.goto(f"{address}#{fragment}")


def list_is_open(tab: Tab) -> bool:
    return tab.locator("#contents").is_visible()


# --- The bar ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 1280])
def test_the_bar_stays_at_the_top(open_page: OpenPage, long: str, width: int) -> None:
    """However far the page is scrolled, the bar is at the top of the window, and low."""
    tab = open_page(long, width=width).page
    for share in (0.3, 1):
        tab.evaluate("share => scrollTo(0, share * document.documentElement.scrollHeight)", share)
        assert bar_end(tab) <= 60


@pytest.mark.parametrize("width", [390, 1280])
def test_the_bar_covers_no_number_and_no_entry(open_page: OpenPage, long: str, width: int) -> None:
    """There and back again: the entry of a number, and the number of a back link, are not under the bar."""
    tab = open_page(long, width=width, reduced_motion=True).page
    tab.click("#ref-23-1-1")
    assert_seen(tab, "src-23-1")
    tab.click('#src-23-1 .source-back[href="#ref-23-1-1"]')
    assert_seen(tab, "ref-23-1-1")
    tab.evaluate("scrollBy(0, document.getElementById('ref-23-1-1').getBoundingClientRect().top - 5)")
    tab.go_back()
    assert_seen(tab, "src-23-1")
    tab.go_back()
    assert_seen(tab, "ref-23-1-1")


@pytest.mark.parametrize(
    ("place", "javascript"),
    [("src-33-4", True), ("ref-33-2-1", True), ("m-33", True), ("src-33-4", False), ("m-20", False)],
)
def test_the_bar_does_not_cover_what_an_address_names(
    open_page: OpenPage, long: str, place: str, javascript: bool
) -> None:
    """A page opened at an entry (though it is folded), a number or a message shows it below the bar."""
    tab = open_page(long, javascript=javascript).page
    open_at(tab, place)
    tab.wait_for_timeout(200)
    assert is_clear(tab, place)


def test_a_short_conversation_has_no_bar(open_page: OpenPage) -> None:
    """Two questions need no list: there is no bar, and neither key does anything."""
    opened = open_page(page(*(_round(10 * n, QUESTIONS[n]) for n in (1, 2))).html)
    assert opened.page.locator(".page-bar, #contents").count() == 0
    opened.page.keyboard.press("j")
    assert (focused(opened.page), opened.page.evaluate("scrollY"), opened.errors) == ("", 0, [])


def test_words_about_the_bar_are_no_bar(open_page: OpenPage) -> None:
    """A conversation about the markup of such a page does not bring the bar's script, and all else works."""
    told = 'Write `<nav class="page-bar">` or <nav class="page-bar">, not class="page-bar"[^1^].'
    opened = open_page(page(question(1, told), search(2, A), answer(4, told)).html)
    opened.page.click("#ref-4-1-1")
    assert (focused(opened.page), opened.errors, opened.console) == ("src-4-1", [], [])
    assert '"#keys"' not in opened.page.content()


# --- The list --------------------------------------------------------------------------------------------------


def test_the_list_holds_every_question_in_order(open_page: OpenPage, long: str) -> None:
    """The words are those of the questions, and each entry leads to its own."""
    tab = open_page(long).page
    assert not list_is_open(tab)
    tab.click(".contents-open")
    assert tab.locator("#contents a").all_inner_texts() == QUESTIONS
    hrefs = [link.get_attribute("href") for link in tab.locator("#contents a").all()]
    assert hrefs == ["#m-10", "#m-20", "#m-30", "#m-40"]


@pytest.mark.parametrize("width", [390, 1280])
def test_an_entry_leads_to_its_question_by_mouse(open_page: OpenPage, long: str, width: int) -> None:
    """A click on an entry closes the list and brings its question below the bar."""
    opened = open_page(long, width=width)
    tab = opened.page
    for id_ in ("m-30", "m-10", "m-40"):
        tab.click(".contents-open")
        assert list_is_open(tab)
        tab.click(f'#contents a[href="#{id_}"]')
        assert not list_is_open(tab)
        assert tab.url.endswith(f"#{id_}")
        assert_seen(tab, id_)
    assert (opened.errors, opened.console, opened.navigations) == ([], [], [])


def test_an_entry_leads_to_its_question_by_keyboard(open_page: OpenPage, long: str) -> None:
    """From the button Tab goes to the box for the keys and to the entries; after one was chosen, to its question."""
    tab = open_page(long).page
    tab.focus(".contents-open")
    tab.keyboard.press("Enter")
    assert list_is_open(tab)
    seen = []
    for _ in range(3):
        tab.keyboard.press("Tab")
        seen.append(focused(tab))
    assert seen == ["keys", "#m-10", "#m-20"]
    tab.keyboard.press("Enter")
    assert not list_is_open(tab)
    assert_seen(tab, "m-20")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.closest('article').id") == "m-20"


@pytest.mark.parametrize("by", ["Escape", "click"])
def test_the_list_closes_unused(open_page: OpenPage, long: str, by: str) -> None:
    """Escape gives the focus back to the button; a click elsewhere closes the list too. Nothing moves."""
    tab = open_page(long).page
    tab.focus(".contents-open")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    if by == "Escape":
        tab.keyboard.press("Escape")
        assert tab.evaluate("document.activeElement.className") == "contents-open"
    else:
        tab.mouse.click(60, 850)
    assert not list_is_open(tab)
    assert tab.evaluate("scrollY") == 0


def test_without_script_the_list_works(open_page: OpenPage, long: str) -> None:
    """Without JavaScript the button opens the list and an entry leads to its question; no dead box is shown."""
    tab = open_page(long, javascript=False).page
    tab.click(".contents-open")
    assert list_is_open(tab)
    assert not tab.locator("#keys").is_visible()
    tab.click('#contents a[href="#m-30"]')
    assert tab.url.endswith("#m-30")
    assert is_clear(tab, "m-30")


# --- The keys --------------------------------------------------------------------------------------------------


def test_j_and_k_go_through_all_messages(open_page: OpenPage, long: str) -> None:
    """j goes from message to message to the last, k back to the first; at either end nothing happens any more."""
    opened = open_page(long)
    tab = opened.page
    ids = articles(tab)
    assert len(ids) == 8
    assert _after(tab, "jjjjjjjjjj") == [*ids, ids[-1], ids[-1]]
    assert _after(tab, "kkkkkkkkk") == [*ids[-2::-1], ids[0], ids[0]]
    assert opened.errors == []


def _after(tab: Tab, keys: str) -> list[str]:
    """What has the focus after each key."""
    seen = []
    for key in keys:
        tab.keyboard.press(key)
        seen.append(focused(tab))
    return seen


def test_the_last_messages_are_reached_though_they_cannot_come_up(open_page: OpenPage) -> None:
    """At the end of the page, where nothing scrolls any more, each key still goes one message on."""
    rows = [row for n in range(1, 9) for row in (question(2 * n), answer(2 * n + 1, "No."))]
    tab = open_page(page(*rows).html).page
    ids = articles(tab)
    assert _after(tab, "j" * 16) == ids
    assert _after(tab, "kj") == [ids[-2], ids[-1]]


def test_inside_a_message_k_goes_to_its_beginning(open_page: OpenPage, long: str) -> None:
    """Where a long message is being read, k leads to where it begins, and then to the one before."""
    tab = open_page(long).page
    tab.evaluate("scrollTo(0, scrollY + document.getElementById('m-23').getBoundingClientRect().top + 700)")
    for id_ in ("m-23", "m-20"):
        tab.keyboard.press("k")
        assert focused(tab) == id_
        wait_until_still(tab)
        assert abs(top_of(tab, id_) - ROOM) <= 2


def test_the_keys_land_exactly_among_rounds_never_laid_out(open_page: OpenPage, session_400: str) -> None:
    """From any place of 400 rounds: the next messages in order, each with its top where it belongs."""
    tab = open_page(session_400).page
    ids = articles(tab)
    assert len(ids) == 800
    for share in (0, 0.8, 0.37):
        tab.evaluate("share => scrollTo(0, share * document.documentElement.scrollHeight)", share)
        wait_until_still(tab)
        shown = [id_ for id_ in tab.evaluate(_IN_VIEW) if top_of(tab, id_) > ROOM + 10]
        first = ids.index(shown[0])
        for key, at in zip("jjjkj", (first, first + 1, first + 2, first + 1, first + 2), strict=True):
            tab.keyboard.press(key)
            wait_until_still(tab)
            assert focused(tab) == ids[at]
            assert abs(top_of(tab, ids[at]) - ROOM) <= 2


# The messages that begin in the window; those of rounds that are not laid out have no place there.
_IN_VIEW = """() => [...document.querySelectorAll(".round")]
    .filter(round => { const box = round.getBoundingClientRect(); return box.bottom > 0 && box.top < innerHeight; })
    .flatMap(round => [...round.querySelectorAll(".message")])
    .filter(tag => { const { top } = tag.getBoundingClientRect(); return top > 0 && top < innerHeight; })
    .map(tag => tag.id)"""


def test_a_key_lays_out_few_rounds(open_page: OpenPage, session_400: str) -> None:
    """To find its place among 400 rounds a key is quick: it does not have all of them laid out."""
    tab = open_page(session_400).page
    took = tab.evaluate(
        """() => {
            const begin = performance.now();
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
            return performance.now() - begin;
        }"""
    )
    assert took < 1000


def test_other_keys_are_the_browsers(open_page: OpenPage, long: str) -> None:
    """With a modifier, and for every other letter, nothing happens."""
    tab = open_page(long).page
    for key in ("Control+j", "Meta+j", "Alt+j", "Control+k", "Meta+k", "Alt+k", "x"):
        tab.keyboard.press(key)
        assert (key, focused(tab), tab.evaluate("scrollY")) == (key, "", 0)


def test_the_keys_are_still_in_an_open_drawer(open_page: OpenPage, long: str) -> None:
    """While a passage is read the page behind it stays where it is."""
    snippet = {"title": "One", "url": A, "content": "It rains by the sea."}
    rows = [*search(51, snippet, call_id="x"), answer(53, "Rain[^1^].")]
    html = page(*(_round(10 * n, words) for n, words in enumerate(QUESTIONS, 1)), question(50), rows).html
    tab = open_page(html).page
    tab.click("#src-53-1 .source-open")
    before = tab.evaluate("scrollY")
    tab.keyboard.press("k")
    assert tab.locator("dialog.drawer").is_visible()
    assert (focused(tab), tab.evaluate("scrollY")) == ("drawer-title", before)
    tab.keyboard.press("Escape")
    tab.locator("dialog.drawer").wait_for(state="hidden")
    tab.keyboard.press("k")
    assert focused(tab) in articles(tab)


def test_the_keys_can_be_switched_off(open_page: OpenPage, long: str) -> None:
    """Single letters may get in the way of speech input: a box in the list switches them off, and on (WCAG 2.1.4)."""
    tab = open_page(long).page
    for reached in ("", "m-10"):
        tab.click(".contents-open")
        tab.get_by_role("checkbox").click()
        tab.keyboard.press("Escape")
        tab.evaluate("document.activeElement.blur()")
        tab.keyboard.press("j")
        assert focused(tab) == reached


# --- A thousand rounds -----------------------------------------------------------------------------------------


def test_a_number_lands_exactly_in_a_thousand_rounds(open_page: OpenPage) -> None:
    """Far from the beginning too, a number leads to its own entry, and Back to the number; both are in view."""
    tab = open_page(page_of(session(1000)).html, reduced_motion=True).page
    for n in (500, 990):
        open_at(tab, f"m-{10 * n}")
        wait_until_still(tab)
        assert abs(top_of(tab, f"m-{10 * n}") - ROOM) <= 2
        number, entry = f"ref-{10 * n + 3}-1-1", f"src-{10 * n + 3}-1"
        tab.set_viewport_size({"width": 1280, "height": 400})
        tab.evaluate("id => document.getElementById(id).scrollIntoView({ block: 'end' })", number)
        wait_until_still(tab)
        tab.click(f"#{number}")
        wait_until_still(tab)
        assert focused(tab) == entry
        assert bar_end(tab) <= top_of(tab, entry) < 400 - 40
        tab.go_back()
        wait_until_still(tab)
        assert focused(tab) == number
        assert bar_end(tab) <= top_of(tab, number) < 400 - 10
        tab.set_viewport_size({"width": 1280, "height": 900})
