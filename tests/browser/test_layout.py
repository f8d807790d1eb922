"""How pages are laid out in Chromium: on narrow windows, under a finger, in the dark (`page.md`)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.opened_page import OpenPage
from tests.pages.making import A, B, C, answer, call, hit, page, question, result, search

LONG_ADDRESS = "https://a.example/" + "very-long-path/" * 30 + "?q=" + "x" * 300
LONG_WORD = "x" * 400
TABLE = "| " + " | ".join(f"column number {n}" for n in range(14)) + " |\n" + "| --- " * 14 + "|\n"
TABLE += "| " + " | ".join("some cells are long[^1^]" for _ in range(14)) + " |"
CODE = "```python\n" + "print('" + "very long line " * 30 + "')\n```"
FORMULA = "$$\n" + "a + b \\cdot c = " * 40 + "0\n$$"


@pytest.fixture(scope="module")
def wide() -> str:
    """A conversation with everything that does not fit into a narrow window."""
    return page(
        question(1, f"What about {LONG_WORD} and {LONG_ADDRESS}?"),
        search(2, hit(LONG_ADDRESS, LONG_WORD), hit(B, f"Title {LONG_WORD}"), query=LONG_WORD),
        call(4, "x" * 100, {"argument": LONG_WORD}, "x1"),
        result(5, "ok", "x1"),
        answer(
            6,
            f"## {LONG_WORD}\n\nSee {LONG_ADDRESS}[^1^], `{LONG_WORD}` and **{LONG_WORD}**[^2^].\n\n{TABLE}\n\n"
            f"{CODE}\n\n{FORMULA}\n\n- {LONG_WORD}\n  - deep\n    - deeper {LONG_WORD}\n\n> {LONG_WORD}\n\n"
            f"![alt]({LONG_ADDRESS})\n\nnote[^1]\n\n[^1]: {LONG_WORD}",
            fileChanges=[{"path": "folder/" * 30, "type": "CREATED", "linesAdded": 1, "linesDeleted": 0}],
        ),
        head={
            "type": "session_export",
            "schemaVersion": 1,
            "session": {"id": 1, "title": LONG_WORD, "agentName": LONG_WORD},
        },
        steps="full",
    ).html


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("javascript", [True, False])
def test_no_page_scrolls_sideways(open_page: OpenPage, wide: str, width: int, javascript: bool) -> None:
    """Wide tables and long code scroll in their own boxes, and long words and addresses are broken: the page is as wide
    as the window."""
    tab = open_page(wide, width=width, javascript=javascript).page
    sizes = tab.locator("html").evaluate("tag => [tag.scrollWidth, document.body.scrollWidth, tag.clientWidth]")
    assert sizes == [width, width, width]
    sticking_out = tab.locator("main").evaluate(
        """main => [...main.querySelectorAll('h1, h2, h3, p, li, summary, .source, figure, figcaption, .notice')]
            .filter(tag => tag.checkVisibility() && !tag.closest('table, pre')
                && tag.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .map(tag => tag.outerHTML.slice(0, 80))"""
    )
    assert sticking_out == []


def test_what_is_wide_can_be_scrolled_by_keyboard(open_page: OpenPage, wide: str) -> None:
    """A table or code that does not fit scrolls in a box that the keyboard reaches."""
    tab = open_page(wide, width=320).page
    boxes: list[list[Any]] = tab.evaluate(
        """() => [...document.querySelectorAll('main .prose *')]
            .filter(tag => tag.scrollWidth > tag.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(tag).overflowX))
            .map(tag => [tag.tabIndex, tag.querySelector('table, code') !== null || tag.tagName === 'PRE'])"""
    )
    assert len([box for box in boxes if box[1]]) >= 2
    assert [box for box in boxes if box[1] and box[0] != 0] == []


def test_a_question_keeps_its_lines(open_page: OpenPage) -> None:
    """Line breaks and leading blanks of a question are seen as they were typed, in a long one too."""
    short, long = "first\n    second\n\nfourth", "\n".join(f"  line {n}" for n in range(1, 21))
    tab = open_page(page(question(1, short), question(2, long)).html).page
    assert short in tab.locator("#m-1").inner_text()
    tab.click("#m-2 summary")
    assert long in tab.locator("#m-2").inner_text()


# For each number: is it the first thing on its line? Compared with the last character before it in the same block.
FIRST_ON_A_LINE = """() => {
    const found = [];
    for (const sup of document.querySelectorAll("sup.cite-ref")) {
        const block = sup.closest("p, li, td, th, blockquote, h3, h4, h5, h6, .prose");
        const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        let before = null;
        for (let node = walker.nextNode(); node && !sup.contains(node); node = walker.nextNode()) {
            if (node.data.trim() && !node.parentElement.closest(".source")) before = node;
        }
        if (!before) continue;
        const range = document.createRange();
        const end = before.data.trimEnd().length;
        range.setStart(before, end - 1);
        range.setEnd(before, end);
        const char = [...range.getClientRects()].at(-1);
        const number = sup.getBoundingClientRect();
        const sameLine = number.top < char.bottom && number.bottom > char.top - char.height / 2;
        if (!sameLine || number.left < char.right - 2) found.push(sup.textContent + " after " + before.data.slice(-8));
    }
    return found;
}"""

CHINESE = (
    "港口大桥自十一月七日起在周末限行[^1^]，公交车和校车除外[^2^]。周六的车流量最大[^1^][^2^][^3^]，周日则少一些[^3^]；"
    "**请提前安排好出行**[^2^]。“公告”[^1^]写道：《港口大桥管理办法》[^3^]（试行）[^2^]自即日起施行。[^1^]快看！[^2^]"
    "公式 $a+b$[^1^]、代码 `限行()`[^2^]、链接[公告](https://a.example/)[^3^]、脚注[^注][^1^]，以及 3.5%[^2^]"
)
CHINESE_TABLE = (
    "| 日期 | 车流 |\n| --- | --- |\n| 周六白天和夜间[^1^] | 三万一千二百辆左右[^2^][^3^] |\n\n[^注]: 见上文[^1^]。"
)
ENGLISH = (
    "The bridge is closed at weekends[^1^], buses excepted[^2^]. Most cars cross it on Saturdays[^1^][^2^][^3^]; "
    "*fewer* on Sundays[^3^]. See `rules.txt`[^2^] and [the notice](https://a.example/)[^1^], or "
    "https://b.example/x[^3^]. A formula $a+b$[^1^], well-known[^2^] end—dash[^3^] (brackets)[^1^] and/or[^2^] "
    "note[^n][^3^]. Sentence.[^1^] Next"
)
ENGLISH_TABLE = (
    "| day | cars |\n| - | - |\n| Saturday and Sunday[^1^] | many-hyphened-words[^2^][^3^] |\n\n[^n]: Above[^1^]."
)


@pytest.mark.parametrize(("lang", "text", "table"), [("zh-CN", CHINESE, CHINESE_TABLE), ("en", ENGLISH, ENGLISH_TABLE)])
def test_a_number_never_begins_a_line(open_page: OpenPage, lang: str, text: str, table: str) -> None:
    """In a column of any width a number stays with what stands before it, in Chinese as in English."""
    html = page(
        question(1), search(2, A, B, C), answer(4, f"{text}\n\n- {text}\n\n> {text}\n\n{table}"), lang=lang
    ).html
    tab = open_page(html).page
    assert tab.locator("sup.cite-ref").count() >= 24
    broken = {}
    for width in range(280, 620, 11):
        tab.set_viewport_size({"width": width, "height": 900})
        if found := tab.evaluate(FIRST_ON_A_LINE):
            broken[width] = found
    assert broken == {}


def test_the_look_at_lines_sees_a_number_that_begins_one(open_page: OpenPage) -> None:
    """The measurement finds a number that is at the beginning of a line, or its silence would prove nothing."""
    html = "<p style='width:20ch;font:16px monospace'>aaaaaaaa<wbr><sup class=cite-ref>[1]</sup>"
    assert open_page(html).page.evaluate(FIRST_ON_A_LINE) == []
    assert open_page(html.replace("20ch", "9ch")).page.evaluate(FIRST_ON_A_LINE) == ["[1] after aaaaaaaa"]


# How much of the square of 24 by 24 around each number's middle leads to where the number leads.
MISSED = """() => {
    const missed = [];
    for (const link of document.querySelectorAll("sup.cite-ref > a, a.source-back")) {
        link.scrollIntoView({ block: "center", behavior: "instant" });
        const box = link.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        for (const dx of [-11.5, 0, 11.5]) for (const dy of [-11.5, 0, 11.5]) {
            const hit = document.elementFromPoint(x + dx, y + dy);
            if (!hit || hit.closest("a") !== link) missed.push([link.textContent, dx, dy]);
        }
    }
    return missed;
}"""


def test_a_number_can_be_hit_with_a_finger(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    """On a touch screen 24 by 24 pixels around a number that stands alone, and around a back link, belong to it."""
    html = page(
        question(1), search(2, A, B, C), answer(4, "Closed[^1^], they say.\n\nOpen[^2^] again.\n\n- buses[^3^]")
    ).html
    file = tmp_path_factory.mktemp("touch") / "page.html"
    file.write_bytes(html.encode())
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, offline=True)
    try:
        tab = context.new_page()
        tab.goto(file.as_uri())
        assert tab.evaluate("matchMedia('(pointer: coarse)').matches") is True
        assert tab.locator("sup.cite-ref").count() == 3
        assert tab.evaluate(MISSED) == []
        tab.tap("#ref-4-2-1")
        assert tab.evaluate("location.hash") == "#src-4-2"
        assert tab.evaluate("document.activeElement.id") == "src-4-2"
    finally:
        context.close()


def test_neighbours_can_be_told_apart_by_a_finger(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Numbers side by side have their middles 24 pixels apart, and a tap on one is never a tap on the other."""
    html = page(question(1), search(2, A, B, C), answer(4, "Closed[^1^][^2^][^3^], they say.")).html
    file = tmp_path_factory.mktemp("touch") / "page.html"
    file.write_bytes(html.encode())
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, offline=True)
    try:
        tab = context.new_page()
        tab.goto(file.as_uri())
        middles = tab.evaluate(
            """() => [...document.querySelectorAll("sup.cite-ref > a")].map(link => {
                const box = link.getBoundingClientRect();
                return (box.left + box.right) / 2;
            })"""
        )
        assert [round(b - a) >= 24 for a, b in pairwise(middles)] == [True, True]
        for k in (1, 2, 3):
            tab.tap(f"#ref-4-{k}-1")
            assert tab.evaluate("location.hash") == f"#src-4-{k}"
    finally:
        context.close()


CONTRAST = """() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgb = (colour, under) => {
        canvas.clearRect(0, 0, 1, 1);
        if (under) { canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1); }
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = ([r, g, b]) => {
        const part = value => (value /= 255) <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
        return .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
    };
    const ground = tag => {
        for (; tag; tag = tag.parentElement) {
            const colour = getComputedStyle(tag).backgroundColor;
            if (rgb(colour)[3] === 255) return colour;
        }
        return "white";
    };
    const low = [];
    for (const tag of document.querySelectorAll("body *")) {
        const speaks = [...tag.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!speaks || !tag.checkVisibility()) continue;
        const style = getComputedStyle(tag), under = ground(tag);
        const [a, b] = [light(rgb(style.color, under)), light(rgb(under))].sort((x, y) => y - x);
        const ratio = (a + .05) / (b + .05);
        if (ratio < 4.5) low.push(`${tag.tagName}.${tag.className} ${ratio.toFixed(2)}`);
    }
    return [...new Set(low)];
}"""


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read_by_day_and_by_night(open_page: OpenPage, dark: bool) -> None:
    """All text has a contrast of 4.5 or more, and in the dark the page is dark."""
    given = [{"n": 1, "url": A, "title": "One"}, {"n": 2, "url": "https://no.example/", "title": ""}]
    html = page(
        question(1, "A question"),
        search(2, A, B),
        answer(
            4,
            "Rain[^1^] `code` **bold** [link](https://l.example/)[^2^].\n\n> quote\n\n```py\nx\n```\n\n"
            "| a | b |\n|-|-|\n| c | d |",
            given,
        ),
        steps="full",
    ).html
    tab = open_page(html, dark=dark).page
    assert tab.evaluate(CONTRAST) == []
    ground = tab.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    shade = sum(int(n) for n in ground.removeprefix("rgb(").rstrip(")").split(",")) / 3
    assert (shade < 80) is dark
    assert (shade > 200) is not dark
    tab.click("#ref-4-1-1")
    tab.wait_for_timeout(700)
    assert tab.evaluate("document.querySelectorAll('.cite-flash').length") == 1
    assert tab.evaluate(CONTRAST) == []


def test_paper_has_no_folds(open_page: OpenPage) -> None:
    """In print every source is there with its address, and what is only of use on a screen is not."""
    addresses = [f"https://s{n}.example/" for n in range(1, 7)]
    said = "".join(f"x[^{n}^]" for n in range(1, 7))
    tab = open_page(page(question(1), search(2, *addresses), answer(4, said)).html).page
    assert not tab.locator("li.source").first.is_visible()
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert [item.is_visible() for item in tab.locator("li.source").all()] == [True] * 6
    assert [item.is_visible() for item in tab.locator(".source-back").all()] == [False] * 6
    printed = tab.evaluate(
        "[...document.querySelectorAll('a.source-title')].map(a => getComputedStyle(a, '::after').content)"
    )
    assert [address in after for address, after in zip(addresses, printed, strict=True)] == [True] * 6


def test_paper_says_nothing_twice_and_fits(open_page: OpenPage) -> None:
    """In print a long question is there once, the search log stays folded, and a long formula is broken into lines."""
    asked = "\n".join(f"line {n}" for n in range(1, 21))
    tab = open_page(page(question(1, asked), search(2, A), answer(4, f"{FORMULA}\n\nYes[^1^].")).html, width=650).page
    tab.emulate_media(media="print")
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert tab.locator("#m-1").inner_text().count("line 1\n") == 1
    assert not tab.locator(".step-list").is_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") == 650
