"""Numbers lead to their sources and back, as a reader sees it in Chromium (`page.md`, Behaviour)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page as Tab

from tests.opened_page import OpenedPage, OpenPage
from tests.pages.making import A, B, C, D, E, answer, page, question, search

FLASH = ".cite-flash"
LONG = "\n\n".join(
    f"Paragraph {n}. " + "It rains and rains, as so often in this town by the sea. " * 6 for n in range(30)
)


@pytest.fixture(scope="module")
def few() -> str:
    """Two rounds; the first answer is long, cites two of its three sources, the second at two places."""
    return page(
        question(1, "Will it rain?"),
        search(2, A, B, C),
        answer(4, f"Yes[^1^], a lot[^2^].\n\n{LONG}\n\nTo the end[^2^].\n\n{LONG}"),
        question(5, "And tomorrow?"),
        search(6, D, call_id="c2"),
        answer(8, "No[^1^]."),
    ).html


@pytest.fixture(scope="module")
def many() -> str:
    """An answer of five sources, which are folded."""
    return page(
        question(1), search(2, A, B, C, D, E), answer(4, f"Yes[^1^][^2^][^3^][^4^][^5^].\n\n{LONG}"), question(5, LONG)
    ).html


def is_in_view(tab: Tab, id_: str) -> bool:
    """Whether something is seen: within the window, and not folded away."""
    return bool(
        tab.evaluate(
            """id => {
                const tag = document.getElementById(id);
                const { top, bottom, height } = tag.getBoundingClientRect();
                return tag.checkVisibility() && height > 0 && top >= -1 && bottom <= innerHeight + 1;
            }""",
            id_,
        )
    )


def focused(tab: Tab) -> str:
    """The id of what has the focus, or its link's target when it has none."""
    return str(tab.evaluate("document.activeElement.id || document.activeElement.hash || ''"))


def flashing(tab: Tab) -> list[str]:
    """The ids of all entries that flash."""
    return [str(id_) for id_ in tab.evaluate(f"[...document.querySelectorAll('{FLASH}')].map(tag => tag.id)")]


def fragment(tab: Tab) -> str:
    """The fragment in the address bar."""
    return str(tab.evaluate("location.hash"))


def wait_until_in_view(tab: Tab, id_: str) -> None:
    """Scrolling is smooth: wait until it is done."""
    tab.wait_for_function(
        """id => {
            const { top, bottom } = document.getElementById(id).getBoundingClientRect();
            const still = window.lastTop === top;
            window.lastTop = top;
            return still && top >= -1 && bottom <= innerHeight + 1;
        }""",
        arg=id_,
        polling=100,
        timeout=5000,
    )


def assert_quiet(opened: OpenedPage) -> None:
    """The page asked for nothing, went nowhere and said nothing."""
    assert (opened.requests, opened.navigations) == ([], [])
    assert (opened.console, opened.errors, opened.dialogs) == ([], [], [])


@pytest.mark.parametrize("by", ["click", "Enter"])
def test_a_number_leads_to_its_entry(open_page: OpenPage, few: str, by: str) -> None:
    """By pointer and by keyboard: the entry comes into view, flashes, has the focus, and its address can be shared."""
    opened = open_page(few)
    tab = opened.page
    assert opened.address.startswith("file://")
    assert not is_in_view(tab, "src-4-2")
    if by == "click":
        tab.click("#ref-4-2-1")
    else:
        tab.focus("#ref-4-2-1")
        tab.keyboard.press("Enter")
    assert flashing(tab) == ["src-4-2"]
    assert focused(tab) == "src-4-2"
    assert fragment(tab) == "#src-4-2"
    wait_until_in_view(tab, "src-4-2")
    assert_quiet(opened)


def test_the_flash_lasts_as_long_as_promised(open_page: OpenPage, few: str) -> None:
    """The entry flashes for 1.6 seconds: it still does after 1.2, and no more after 2.2."""
    tab = open_page(few).page
    seen = tab.evaluate(
        f"""async () => {{
            const wait = ms => new Promise(done => setTimeout(done, ms));
            const flashes = () => document.querySelectorAll("{FLASH}").length;
            document.getElementById("ref-4-2-1").click();
            const begin = flashes();
            await wait(1200);
            const middle = flashes();
            await wait(1000);
            return [begin, middle, flashes()];
        }}"""
    )
    assert seen == [1, 1, 0]


def test_a_number_followed_again_flashes_anew(open_page: OpenPage, few: str) -> None:
    """A second visit starts the 1.6 seconds again, and only one entry flashes at a time."""
    tab = open_page(few).page
    seen = tab.evaluate(
        f"""async () => {{
            const wait = ms => new Promise(done => setTimeout(done, ms));
            const flashes = () => [...document.querySelectorAll("{FLASH}")].map(tag => tag.id).join();
            document.getElementById("ref-4-2-1").click();
            await wait(1000);
            document.getElementById("ref-4-2-2").click();
            await wait(1000);
            const again = flashes();
            document.getElementById("ref-4-1-1").click();
            return [again, flashes()];
        }}"""
    )
    assert seen == ["src-4-2", "src-4-1"]


def test_browser_back_returns_to_the_number(open_page: OpenPage, few: str) -> None:
    """Back leaves the entry: the address is the one before, and the number is seen and has the focus again."""
    opened = open_page(few)
    tab = opened.page
    tab.click("#ref-4-2-1")
    wait_until_in_view(tab, "src-4-2")
    tab.go_back()
    wait_until_in_view(tab, "ref-4-2-1")
    assert fragment(tab) != "#src-4-2"
    assert focused(tab) == "ref-4-2-1"
    tab.go_forward()
    wait_until_in_view(tab, "src-4-2")
    assert fragment(tab) == "#src-4-2"
    assert_quiet(opened)


@pytest.mark.parametrize("by", ["click", "Enter"])
def test_a_back_link_returns_to_its_place(open_page: OpenPage, few: str, by: str) -> None:
    """Each back link brings its own place into view and gives it the focus."""
    opened = open_page(few)
    tab = opened.page
    for place in ("ref-4-2-2", "ref-4-2-1"):
        tab.click("#ref-4-2-1")
        wait_until_in_view(tab, "src-4-2")
        back = tab.locator(f'#src-4-2 .source-back[href="#{place}"]')
        if by == "click":
            back.click()
        else:
            back.focus()
            tab.keyboard.press("Enter")
        assert focused(tab) == place
        assert fragment(tab) == f"#{place}"
        wait_until_in_view(tab, place)
        assert is_in_view(tab, place)
    assert_quiet(opened)


def test_a_closed_fold_opens(open_page: OpenPage, many: str) -> None:
    """A number whose source is folded away unfolds the list and leads to the entry."""
    tab = open_page(many).page
    assert not is_in_view(tab, "src-4-5")
    assert tab.locator(".sources details").get_attribute("open") is None
    tab.click("#ref-4-5-1")
    wait_until_in_view(tab, "src-4-5")
    assert tab.locator(".sources details").get_attribute("open") is not None
    assert is_in_view(tab, "src-4-5")
    assert focused(tab) == "src-4-5"


def test_a_shared_address_leads_to_a_folded_entry(open_page: OpenPage, many: str) -> None:
    """A page opened at an entry shows it, although its list is folded."""
    tab = open_page(many).page
    tab.goto("about:blank")
    tab.go_back()
    address = tab.url
    tab.goto("about:blank")
    tab.goto(f"{address}#src-4-5")
    wait_until_in_view(tab, "src-4-5")
    assert is_in_view(tab, "src-4-5")


@pytest.mark.parametrize("reduced", [True, False])
def test_a_reader_who_wants_no_motion_gets_none(open_page: OpenPage, reduced: bool) -> None:
    """Under `prefers-reduced-motion` the entry is there at once, where the page is scrolled smoothly otherwise."""
    way = "\n\n".join(LONG.split("\n\n")[:8])
    html = page(question(1, LONG), search(2, A), answer(4, f"{way}\n\nYes[^1^].\n\n{way}"), question(5, LONG)).html
    tab = open_page(html, reduced_motion=reduced).page
    early, late, is_seen = tab.evaluate(
        """async () => {
            const number = document.getElementById("ref-4-1-1"), entry = document.getElementById("src-4-1");
            number.scrollIntoView({ block: "start", behavior: "instant" });
            const way = entry.getBoundingClientRect().bottom - innerHeight;
            if (way < 50 || way > 1.5 * innerHeight) return ["a way of", way, false];
            number.click();
            await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            const early = entry.getBoundingClientRect().top;
            await new Promise(done => setTimeout(done, 1000));
            return [early, entry.getBoundingClientRect().top, entry.getBoundingClientRect().bottom <= innerHeight + 1];
        }"""
    )
    assert is_seen is True, (early, late)
    assert (abs(early - late) < 1) is reduced


def test_a_number_opened_in_a_new_tab_is_the_browsers(open_page: OpenPage, few: str) -> None:
    """With a modifier key pressed the browser does what it always does, and this page stays as it is."""
    opened = open_page(few)
    opened.page.click("#ref-4-2-1", modifiers=["Control"])
    opened.settle()
    assert fragment(opened.page) == ""
    assert flashing(opened.page) == []


def test_the_page_is_read_by_keyboard_alone(open_page: OpenPage, few: str) -> None:
    """Tab reaches the numbers in the order of the text, and from an entry its link comes next."""
    tab = open_page(few).page
    seen = []
    for _ in range(40):
        tab.keyboard.press("Tab")
        seen.append(focused(tab))
        if len(seen) > 1 and seen[-1] == "ref-4-2-1":
            break
    assert seen.index("ref-4-1-1") + 1 == seen.index("ref-4-2-1")
    tab.keyboard.press("Enter")
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "source-title"
    assert tab.evaluate("document.activeElement.href") == B


@pytest.mark.parametrize("source", ["src-4-2", "src-8-1"])
def test_without_scripts_links_still_land(open_page: OpenPage, few: str, source: str) -> None:
    """Without JavaScript a number and its back link are links inside the page, and what they lead to is seen."""
    opened = open_page(few, javascript=False)
    tab = opened.page
    place = source.replace("src", "ref") + "-1"
    tab.click(f"#{place}")
    assert tab.url.endswith(f"#{source}")
    box = tab.locator(f"#{source}").bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= 900 - box["height"] + 1
    plain, lit = (
        tab.locator(f"#{id_}").evaluate("tag => getComputedStyle(tag).backgroundColor") for id_ in ("src-4-1", source)
    )
    assert plain != lit
    tab.click(f'#{source} .source-back[href="#{place}"]')
    assert tab.url.endswith(f"#{place}")
    assert_quiet(opened)


def test_without_scripts_a_folded_list_can_be_read(open_page: OpenPage, many: str) -> None:
    """Without JavaScript a number leads into the folded list, or the list is unfolded by hand."""
    tab = open_page(many, javascript=False).page
    tab.click("#ref-4-5-1")
    tab.wait_for_timeout(200)
    if not tab.locator("#src-4-5").is_visible():
        tab.click(".sources summary")
    assert tab.locator("#src-4-5").is_visible()
