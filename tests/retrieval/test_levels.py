"""Number, preview, drawer: three levels with a pointer or a keyboard, two by touch (`page.md`, Behaviour)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator
from playwright.sync_api import Page as Tab

from renderer import Options
from tests.opened_page import OpenedPage, OpenPage
from tests.pages.making import A, Row, answer, hit, page_of, question, search
from tests.pages.making import page as platform_page
from tests.retrieval.making import CONTRACT, cited, page, saved, source, squeezed

OpenPhone = Callable[[str], OpenedPage]
Rows = list[Row | list[Row]]

FILLING = "\n\n".join(f"第{n}段。" + "今天的天气很好，适合外出。" * 8 for n in range(30))
LONG_CLAUSE = "任何一方违约，应支付合同总额 5% 的违约金。" + "".join(
    f"第{n}款另有规定的，从其规定办理并且书面通知对方。" for n in range(60)
)
CASES = Path(__file__).parent.parent / "cases"


@pytest.fixture(scope="module")
def contract() -> str:
    """The document's example with more text around it, so that there is something to scroll."""
    record = {**CONTRACT, "answer": f"{FILLING}\n\n{CONTRACT['answer']}\n\n{FILLING}", "question": "违约金是多少？"}
    return page(record, lang="zh-CN", source_base="https://kb.example.cn/").html


@pytest.fixture(scope="module")
def varied() -> str:
    """Sources of all kinds: a long passage, one that is gone, one without passage, one that was cut, hostile words."""
    return page(
        cited(
            "违约金比例是 5%[1]。合同总额的 5% 是违约金[2]。第三方说明[3]。第 7 款另有规定[4]。恶意文字[5]。",
            source(1, LONG_CLAUSE[:1500], title="采购合同_v3.pdf", page=7, section="3.2 违约责任"),
            source(2, "任何一方违约，应支付合同总额 5% 的违约金。", url="https://a.example/", status="gone"),
            source(3, "", title="没有原文段", url="https://b.example/"),
            source(4, LONG_CLAUSE * 3, title="很长的合同", retrieved_at="2026-11-30T08:05:00Z"),
            source(5, '<img src=x onerror="alert(1)"> 恶意文字 <script>alert(1)</script>', title="<b>恶意</b>"),
            question="违约金是多少？",
        ),
        lang="zh-CN",
    ).html


@pytest.fixture
def open_phone(browser: Browser, tmp_path: Path) -> Iterator[OpenPhone]:
    """Opens pages on a touch screen of 390 by 844 without any pointer, and records what they do."""
    with ExitStack() as phones:

        def open_one(html: str) -> OpenedPage:
            return phones.enter_context(_phone(browser, saved(tmp_path, "phone.html", html)))

        yield open_one


@contextmanager
def _phone(browser: Browser, file: Path) -> Iterator[OpenedPage]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, offline=True, locale="zh-CN"
    )
    try:
        record = OpenedPage(context.new_page(), file.as_uri())
        context.on("request", lambda request: record.requests.append(request.url))
        context.on("console", lambda message: record.console.append(f"{message.type}: {message.text}"))
        context.on("dialog", lambda dialog: record.dialogs.append(dialog.message))
        context.on("weberror", lambda error: record.errors.append(str(error.error)))
        record.page.goto(record.address)
        record.requests.remove(record.address)
        yield record
    finally:
        context.close()


def number(tab: Tab, n: int) -> Locator:
    """The first number of the source that the file numbers `n`."""
    return tab.locator(f'.cite-ref[data-n="{n}"] > a').first


def text_of(tab: Tab, selector: str) -> str:
    """The words of the one thing that a selector finds."""
    return squeezed(tab.locator(selector).inner_text())


def preview_is_shown(tab: Tab) -> bool:
    return tab.locator(".preview").is_visible()


def drawer_is_shown(tab: Tab) -> bool:
    return tab.locator("dialog.drawer").is_visible()


def wait_for_preview(tab: Tab) -> None:
    tab.locator(".preview").wait_for(state="visible", timeout=5000)


def wait_without_preview(tab: Tab) -> None:
    tab.locator(".preview").wait_for(state="hidden", timeout=5000)


def open_drawer(tab: Tab, n: int) -> None:
    """Activate a number by pointer and wait until the drawer stands."""
    number(tab, n).click()
    tab.locator("dialog.drawer").wait_for(state="visible", timeout=5000)
    tab.wait_for_timeout(400)


def wait_without_drawer(tab: Tab) -> None:
    tab.locator("dialog.drawer").wait_for(state="hidden", timeout=5000)


def focus_is_in(tab: Tab, selector: str) -> bool:
    return bool(tab.evaluate("selector => !!document.activeElement.closest(selector)", selector))


def place(tab: Tab) -> tuple[float, str]:
    """How far the page is scrolled, and the fragment in the address bar."""
    return float(tab.evaluate("scrollY")), str(tab.evaluate("location.hash"))


def point_away(tab: Tab) -> None:
    tab.mouse.move(5, 5)


def rolled_to(tab: Tab, n: int) -> None:
    """Bring a number to the middle of the window."""
    number(tab, n).evaluate("tag => tag.scrollIntoView({ block: 'center', behavior: 'instant' })")
    tab.wait_for_timeout(100)


def assert_quiet(opened: OpenedPage) -> None:
    """The page asked for nothing, went nowhere and said nothing."""
    assert (opened.requests, opened.navigations) == ([], [])
    assert (opened.console, opened.errors, opened.dialogs) == ([], [], [])


# --- Preview ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 1280])
def test_a_pointer_on_a_number_brings_a_preview(open_page: OpenPage, contract: str, width: int) -> None:
    """Title, place and the beginning of the passage stand beside the number, inside the window, and go again."""
    opened = open_page(contract, width=width)
    tab = opened.page
    rolled_to(tab, 1)
    before = place(tab)
    number(tab, 1).hover()
    wait_for_preview(tab)
    shown = text_of(tab, ".preview")
    assert "采购合同_v3.pdf" in shown
    assert "P7 · 3.2 违约责任" in shown
    assert "任何一方违约，应支付合同总额 5% 的违约金……" in shown
    box = tab.locator(".preview").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 900
    point_away(tab)
    wait_without_preview(tab)
    assert place(tab) == before
    assert_quiet(opened)


def test_a_preview_waits_a_moment(open_page: OpenPage, contract: str) -> None:
    """A pointer that only passes over a number brings nothing; one that rests brings it within half a second."""
    tab = open_page(contract).page
    rolled_to(tab, 1)
    seen = tab.evaluate(
        """async () => {
            const wait = ms => new Promise(done => setTimeout(done, ms));
            const number = document.querySelector('.cite-ref[data-n="1"] > a'), away = document.querySelector(".prose");
            const over = tag => tag.dispatchEvent(
                new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }));
            const shown = () => document.querySelector(".preview").checkVisibility();
            over(number);
            const early = shown();
            await wait(40);
            over(away);
            await wait(500);
            const passed = shown();
            over(number);
            await wait(500);
            return [early, passed, shown()];
        }"""
    )
    assert seen == [False, False, True]


def test_the_pointer_may_enter_the_preview(open_page: OpenPage, contract: str) -> None:
    """The preview stays while the pointer is on it, however long, and goes when it leaves."""
    tab = open_page(contract).page
    rolled_to(tab, 1)
    number(tab, 1).hover()
    wait_for_preview(tab)
    box = tab.locator(".preview").bounding_box()
    assert box is not None
    tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=8)
    tab.wait_for_timeout(900)
    assert preview_is_shown(tab)
    point_away(tab)
    wait_without_preview(tab)


def test_escape_closes_the_preview(open_page: OpenPage, contract: str) -> None:
    """Escape takes the preview away while the pointer stays where it is."""
    tab = open_page(contract).page
    rolled_to(tab, 1)
    number(tab, 1).hover()
    wait_for_preview(tab)
    tab.keyboard.press("Escape")
    wait_without_preview(tab)
    assert not drawer_is_shown(tab)


def test_keyboard_focus_brings_the_preview(open_page: OpenPage, contract: str) -> None:
    """Tab to a number, though it is out of view: the preview describes it; Escape closes it and leaves the focus."""
    opened = open_page(contract)
    tab = opened.page
    for _ in range(12):
        tab.keyboard.press("Tab")
        if focus_is_in(tab, ".cite-ref"):
            break
    assert focus_is_in(tab, '.cite-ref[data-n="1"]')
    wait_for_preview(tab)
    tab.wait_for_timeout(500)
    assert preview_is_shown(tab)
    described = number(tab, 1).get_attribute("aria-describedby")
    assert described == tab.locator(".preview").get_attribute("id")
    assert "违约责任" in text_of(tab, ".preview")
    tab.keyboard.press("Escape")
    wait_without_preview(tab)
    assert focus_is_in(tab, '.cite-ref[data-n="1"]')
    assert number(tab, 1).get_attribute("aria-describedby") is None
    tab.keyboard.press("Tab")
    wait_for_preview(tab)
    assert "争议解决" in text_of(tab, ".preview")
    assert_quiet(opened)


def test_a_preview_has_eighty_characters(open_page: OpenPage, varied: str) -> None:
    """Of a long passage the preview shows the first 80 characters, and that there is more."""
    tab = open_page(varied).page
    number(tab, 1).hover()
    wait_for_preview(tab)
    shown = text_of(tab, ".preview")
    assert LONG_CLAUSE[:80] in shown
    assert LONG_CLAUSE[:81] not in shown
    assert shown.endswith("…")


def test_a_source_without_passage_has_a_preview_too(open_page: OpenPage, varied: str) -> None:
    """Where no passage is stored the preview says what is known: the title, and that nothing was checked."""
    tab = open_page(varied).page
    number(tab, 3).hover()
    wait_for_preview(tab)
    assert "没有原文段" in text_of(tab, ".preview")
    assert "未核对" in text_of(tab, ".preview")


def test_one_preview_at_a_time(open_page: OpenPage, contract: str) -> None:
    """From one number to the next the preview follows."""
    tab = open_page(contract).page
    rolled_to(tab, 1)
    number(tab, 1).hover()
    wait_for_preview(tab)
    number(tab, 2).hover()
    tab.locator(".preview", has_text="争议解决").wait_for(state="visible", timeout=5000)
    assert number(tab, 1).get_attribute("aria-describedby") is None
    assert number(tab, 2).get_attribute("aria-describedby") is not None
    assert tab.locator(".preview:visible").count() == 1


# --- Drawer ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("by", ["click", "Enter"])
def test_a_number_opens_the_drawer(open_page: OpenPage, contract: str, width: int, by: str) -> None:
    """By pointer and by keyboard: the whole passage with place, mark and way out, and the page does not move."""
    opened = open_page(contract, width=width)
    tab = opened.page
    rolled_to(tab, 1)
    if by == "Enter":
        number(tab, 1).focus()
    before = place(tab)
    if by == "click":
        number(tab, 1).click()
    else:
        tab.keyboard.press("Enter")
    tab.locator("dialog.drawer").wait_for(state="visible")
    tab.wait_for_timeout(400)
    assert place(tab) == before
    shown = text_of(tab, "dialog.drawer")
    assert "[1] 采购合同_v3.pdf" in shown
    assert "P7 · 3.2 违约责任" in shown
    assert text_of(tab, "dialog.drawer .passage-text") == "任何一方违约，应支付合同总额 5% 的违约金……"
    assert text_of(tab, "dialog.drawer mark") == "任何一方违约，应支付合同总额 5% 的违约金……"
    link = tab.locator("dialog.drawer a[href]")
    assert link.get_attribute("href") == "https://kb.example.cn/docs/doc_123?page=7#sec-3.2"
    assert link.get_attribute("target") == "_blank"
    assert not preview_is_shown(tab)
    assert_quiet(opened)


def test_the_focus_goes_in_and_comes_back(open_page: OpenPage, contract: str) -> None:
    """The focus is in the drawer while it is open, cannot leave it by Tab, and comes back to the number."""
    tab = open_page(contract).page
    open_drawer(tab, 1)
    assert focus_is_in(tab, "dialog.drawer")
    for _ in range(6):
        tab.keyboard.press("Tab")
        assert tab.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog.drawer')"
        )
    tab.keyboard.press("Escape")
    wait_without_drawer(tab)
    assert focus_is_in(tab, '.cite-ref[data-n="1"]')


def test_the_drawer_is_named_by_its_source(open_page: OpenPage, contract: str) -> None:
    """A screen reader hears a dialog with the number and the title of the source."""
    tab = open_page(contract).page
    open_drawer(tab, 2)
    assert tab.get_by_role("dialog", name="[2] 采购合同_v3.pdf").count() == 1


@pytest.mark.parametrize("by", ["Escape", "backdrop", "button"])
def test_the_drawer_closes(open_page: OpenPage, contract: str, by: str) -> None:
    """Escape, a click outside and the button close it; the page is where it was and nothing stays behind."""
    opened = open_page(contract)
    tab = opened.page
    rolled_to(tab, 1)
    before = place(tab)
    open_drawer(tab, 1)
    if by == "Escape":
        tab.keyboard.press("Escape")
    elif by == "backdrop":
        tab.mouse.click(40, 450)
    else:
        tab.locator("dialog.drawer [data-close]").click()
    wait_without_drawer(tab)
    tab.wait_for_timeout(700)
    assert place(tab) == before
    assert focus_is_in(tab, '.cite-ref[data-n="1"]')
    assert_quiet(opened)


def test_a_click_inside_does_not_close_the_drawer(open_page: OpenPage, contract: str) -> None:
    """A reader may click into the passage, to select some words."""
    tab = open_page(contract).page
    open_drawer(tab, 1)
    tab.locator("dialog.drawer .passage-text p").click()
    tab.locator("dialog.drawer .passage-text p").dblclick()
    assert drawer_is_shown(tab)


def test_each_number_opens_its_own_source(open_page: OpenPage, contract: str) -> None:
    """After one source another one can be read, and nothing of the first is left in the drawer."""
    tab = open_page(contract).page
    open_drawer(tab, 1)
    tab.keyboard.press("Escape")
    wait_without_drawer(tab)
    open_drawer(tab, 2)
    shown = text_of(tab, "dialog.drawer")
    assert "争议解决" in shown
    assert "违约责任" not in shown
    assert tab.locator("dialog.drawer a[href]").count() == 1


def test_an_entry_has_a_button_that_opens_the_drawer(open_page: OpenPage, contract: str) -> None:
    """The button of an entry with a passage opens the same drawer, and gets the focus back."""
    tab = open_page(contract).page
    button = tab.locator('li.source[data-n="2"] .source-open')
    button.click()
    tab.locator("dialog.drawer").wait_for(state="visible")
    assert "争议解决" in text_of(tab, "dialog.drawer")
    tab.keyboard.press("Escape")
    wait_without_drawer(tab)
    assert focus_is_in(tab, 'li.source[data-n="2"] .source-open')


def test_a_drawer_shows_the_marked_words(open_page: OpenPage, varied: str) -> None:
    """A long passage opens where the supporting words stand, and can be read to its end."""
    tab = open_page(varied, height=500).page
    open_drawer(tab, 4)
    mark = tab.locator("dialog.drawer mark").first.bounding_box()
    assert mark is not None
    assert 0 <= mark["y"] < 500
    assert tab.evaluate("(d => d.scrollHeight > d.clientHeight)(document.querySelector('dialog.drawer'))")


def test_the_drawer_says_when_the_passage_was_retrieved(open_page: OpenPage, varied: str) -> None:
    """The time of retrieval stands with the passage."""
    tab = open_page(varied).page
    open_drawer(tab, 4)
    assert "2026 年 11 月 30 日 08:05" in text_of(tab, "dialog.drawer")


def test_the_drawer_says_that_the_passage_was_cut(open_page: OpenPage, varied: str) -> None:
    """Who reads a passage in the drawer is told that it is not the whole of it."""
    tab = open_page(varied).page
    assert "有删节" in squeezed(str(tab.locator('li.source[data-n="4"]').text_content()))
    open_drawer(tab, 4)
    assert "有删节" in text_of(tab, "dialog.drawer")


def test_the_drawer_of_a_dead_document_says_so(open_page: OpenPage, varied: str) -> None:
    """The document's words stand over the stored passage, and nothing leads out."""
    tab = open_page(varied).page
    open_drawer(tab, 2)
    shown = text_of(tab, "dialog.drawer")
    assert "原文已下线，以下为检索时快照" in shown
    assert shown.index("原文已下线") < shown.index("任何一方违约")
    assert tab.locator("dialog.drawer a[href]").count() == 0


def test_a_number_without_passage_leads_to_its_entry(open_page: OpenPage, varied: str) -> None:
    """Where there is nothing to read in a drawer, the number leads to the entry as everywhere else."""
    opened = open_page(varied)
    tab = opened.page
    number(tab, 3).click()
    tab.wait_for_timeout(600)
    assert not drawer_is_shown(tab)
    assert focus_is_in(tab, 'li.source[data-n="3"]')
    assert_quiet(opened)


def test_hostile_words_are_words_in_preview_and_drawer(open_page: OpenPage, varied: str) -> None:
    """What a passage holds is text in both, and nothing of it runs or is asked for."""
    opened = open_page(varied)
    tab = opened.page
    number(tab, 5).hover()
    wait_for_preview(tab)
    assert '<img src=x onerror="alert(1)">' in text_of(tab, ".preview")
    open_drawer(tab, 5)
    assert "<script>alert(1)</script>" in text_of(tab, "dialog.drawer .passage-text")
    assert "<b>恶意</b>" in text_of(tab, "dialog.drawer .drawer-title")
    assert tab.locator("dialog.drawer :is(img, script, b), .preview :is(img, script, b)").count() == 0
    opened.settle()
    assert_quiet(opened)


def test_ids_stay_unique_while_a_drawer_is_open(open_page: OpenPage, varied: str) -> None:
    """Preview and drawer are filled with copies, which bring no id along."""
    tab = open_page(varied).page
    number(tab, 1).hover()
    wait_for_preview(tab)
    open_drawer(tab, 1)
    ids = tab.evaluate("[...document.querySelectorAll('[id]')].map(tag => tag.id)")
    assert len(ids) == len(set(ids))


# --- Touch -----------------------------------------------------------------------------------------------------


def test_a_tap_opens_a_bottom_sheet(open_phone: OpenPhone, contract: str) -> None:
    """On a touch screen there are two levels: a tap brings the sheet at once, at the bottom, over the whole width."""
    opened = open_phone(contract)
    tab = opened.page
    rolled_to(tab, 1)
    before = place(tab)
    number(tab, 1).tap()
    tab.locator("dialog.drawer").wait_for(state="visible")
    tab.wait_for_timeout(600)
    box = tab.locator("dialog.drawer").bounding_box()
    assert box is not None
    assert (box["x"], box["width"]) == (0, 390)
    assert abs(box["y"] + box["height"] - 844) <= 2
    assert box["height"] <= 0.8 * 844 + 2
    assert not preview_is_shown(tab)
    shown = text_of(tab, "dialog.drawer")
    assert "[1] 采购合同_v3.pdf" in shown
    assert "P7 · 3.2 违约责任" in shown
    assert "任何一方违约，应支付合同总额 5% 的违约金……" in shown
    assert tab.locator("dialog.drawer a[href]").get_attribute("href", timeout=2000) == (
        "https://kb.example.cn/docs/doc_123?page=7#sec-3.2"
    )
    assert place(tab) == before
    assert_quiet(opened)


@pytest.mark.parametrize("by", ["backdrop", "button"])
def test_a_sheet_closes_by_touch(open_phone: OpenPhone, contract: str, by: str) -> None:
    """A tap outside and a tap on the button close the sheet, and no preview comes up for it."""
    opened = open_phone(contract)
    tab = opened.page
    rolled_to(tab, 1)
    number(tab, 1).tap()
    tab.locator("dialog.drawer").wait_for(state="visible")
    tab.wait_for_timeout(400)
    if by == "backdrop":
        tab.touchscreen.tap(195, 60)
    else:
        tab.locator("dialog.drawer [data-close]").tap()
    wait_without_drawer(tab)
    tab.wait_for_timeout(700)
    assert not preview_is_shown(tab)
    assert_quiet(opened)


def test_a_long_passage_stays_in_the_sheet(open_phone: OpenPhone, varied: str) -> None:
    """However long the passage, the sheet is four fifths of the screen at most; its actions are in reach."""
    tab = open_phone(varied).page
    number(tab, 4).tap()
    tab.locator("dialog.drawer").wait_for(state="visible")
    tab.wait_for_timeout(600)
    box = tab.locator("dialog.drawer").bounding_box()
    close = tab.locator("dialog.drawer [data-close]").bounding_box()
    assert box is not None
    assert close is not None
    assert box["height"] <= 0.8 * 844 + 2
    assert box["y"] <= close["y"]
    assert close["y"] + close["height"] <= 844 + 2
    assert min(close["width"], close["height"]) >= 24
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_number_can_be_hit_by_a_finger(open_phone: OpenPhone, contract: str) -> None:
    """A tap eight pixels beside the middle of a number is a tap on it: its target is 24 pixels wide and high."""
    tab = open_phone(contract).page
    rolled_to(tab, 1)
    box = number(tab, 1).bounding_box()
    assert box is not None
    tab.touchscreen.tap(box["x"] + box["width"] / 2 + 8, box["y"] + box["height"] / 2 + 8)
    tab.locator("dialog.drawer").wait_for(state="visible", timeout=3000)


# --- Other pages, and no script --------------------------------------------------------------------------------


def test_with_click_list_a_number_scrolls(open_page: OpenPage) -> None:
    """`--click list`: the number leads to its entry, which comes into view and flashes; no drawer opens."""
    record = {**CONTRACT, "answer": f"{CONTRACT['answer']}\n\n{FILLING}"}
    opened = open_page(page(record, lang="zh-CN", click="list").html)
    tab = opened.page
    number(tab, 1).click()
    tab.wait_for_timeout(900)
    assert not drawer_is_shown(tab)
    assert focus_is_in(tab, 'li.source[data-n="1"]')
    assert place(tab)[0] > 0
    assert place(tab)[1] == "#" + str(tab.locator('li.source[data-n="1"]').get_attribute("id"))
    assert_quiet(opened)


def test_the_three_levels_on_a_page_of_the_platform(open_page: OpenPage) -> None:
    """In an upstream conversation a number has its preview and leads to its entry, and its button opens the drawer."""
    snippet = "Heavy rain will reach Hamburg on Monday evening."
    rows: Rows = [question(1), search(2, hit(A, "Forecast", snippet)), answer(9, "Heavy rain reaches Hamburg[^1^].")]
    opened = open_page(platform_page(*rows).html)
    tab = opened.page
    number(tab, 1).hover()
    wait_for_preview(tab)
    assert "Forecast" in text_of(tab, ".preview")
    assert snippet in text_of(tab, ".preview")
    number(tab, 1).click()
    tab.wait_for_timeout(500)
    assert not drawer_is_shown(tab)
    assert focus_is_in(tab, "li.source")
    tab.locator("li.source .source-open").click()
    tab.locator("dialog.drawer").wait_for(state="visible")
    assert text_of(tab, "dialog.drawer mark") == snippet
    assert_quiet(opened)


def test_with_click_drawer_a_page_of_the_platform_opens_it(open_page: OpenPage) -> None:
    """`--click drawer` chooses the drawer for other pages too."""
    rows: Rows = [question(1), search(2, hit(A, "Forecast", "Rain.")), answer(9, "Rain[^1^].")]
    tab = open_page(platform_page(*rows, click="drawer").html).page
    open_drawer(tab, 1)
    assert "Forecast" in text_of(tab, "dialog.drawer")


@pytest.mark.parametrize("name", ["example", "two-rounds"])
def test_the_three_levels_on_whole_conversations(open_page: OpenPage, name: str) -> None:
    """In a platform's export a passage can be previewed and opened like in a retrieval answer."""
    for file in CASES.joinpath(name).glob("input*"):
        opened = open_page(page_of(file.read_bytes(), Options(click="drawer")).html)
        tab = opened.page
        buttons = tab.locator("li.source:has(.source-open)")
        assert buttons.count() > 0
        n = str(buttons.first.get_attribute("data-n"))
        round_number = tab.locator(f'.cite-ref[data-n="{n}"] > a').first
        round_number.hover()
        wait_for_preview(tab)
        round_number.click()
        tab.locator("dialog.drawer").wait_for(state="visible")
        assert text_of(tab, "dialog.drawer .passage-text")
        assert_quiet(opened)


@pytest.mark.parametrize("width", [390, 1280])
def test_without_scripts_the_passage_opens_in_place(open_page: OpenPage, contract: str, width: int) -> None:
    """Without JavaScript the number leads to the list, and a fold there opens the passage; no dead button is shown."""
    opened = open_page(contract, javascript=False, width=width)
    tab = opened.page
    number(tab, 1).click()
    item = tab.locator('li.source[data-n="1"]')
    assert tab.url.endswith("#" + str(item.get_attribute("id")))
    assert not item.locator(".source-open").is_visible()
    assert not item.locator(".passage-text").is_visible()
    item.locator(".passage > summary").click()
    assert item.locator(".passage-text").is_visible()
    assert item.locator(".passage-link").is_visible()
    assert not preview_is_shown(tab)
    assert_quiet(opened)


def test_an_address_of_a_passage_opens_it_in_place(open_page: OpenPage, contract: str) -> None:
    """A page opened at a passage shows that passage where it stands in the list."""
    tab = open_page(contract).page
    fold = tab.locator('li.source[data-n="2"] .passage')
    address = f"{tab.url}#{fold.get_attribute('id')}"
    tab.goto("about:blank")
    tab.goto(address)
    fold.locator(".passage-text").wait_for(state="visible", timeout=5000)
    assert not drawer_is_shown(tab)


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_sticks_out(open_page: OpenPage, varied: str, width: int, dark: bool) -> None:
    """At no width and in no scheme do page, preview or drawer make the page scroll sideways."""
    opened = open_page(varied, width=width, dark=dark)
    tab = opened.page
    number(tab, 1).hover()
    wait_for_preview(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    open_drawer(tab, 1)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert tab.evaluate("(d => d.scrollWidth <= d.clientWidth)(document.querySelector('dialog.drawer'))")
    assert_quiet(opened)
