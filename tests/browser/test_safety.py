"""A page does nothing but show itself, whatever was put into the conversation (`security.md` 1.4)."""

from __future__ import annotations

from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from renderer import Options, read, render_page
from tests.opened_page import OpenedPage, OpenPage
from tests.pages.making import answer, call, entry, hit, page, question, result, search

CASES = Path(__file__).parent.parent / "cases"
ELSEWHERE = "http://elsewhere.example/"

# Each fires in a page that does not guard against it. The first ones by script, the last ones without any.
TRAPS = {
    "script": "<script>alert(1)</script>",
    "handler": "<img src=x onerror=alert(1)>",
    "svg": "<svg onload=alert(1)></svg>",
    "details": "<details open ontoggle=alert(1)></details>",
    "frame": f"<iframe srcdoc='<img src={ELSEWHERE}>'></iframe>",
    "picture": f"<img src={ELSEWHERE}>",
    "style": f"<style>body{{background:url({ELSEWHERE})}}</style>",
    "style attribute": f"<p style='background:url({ELSEWHERE})'>x</p>",
    "sheet": f"<link rel=stylesheet href={ELSEWHERE}>",
    "refresh": f"<meta http-equiv=refresh content='0;url={ELSEWHERE}'>",
    "base": f"<base href={ELSEWHERE}><img src=x.png>",
    "closing": "</title></style></script></textarea>--><script>alert(1)</script>",
}
ALL_TRAPS = "\n".join(TRAPS.values())


def fired(opened: OpenedPage) -> bool:
    """Whether a page did anything besides showing itself."""
    return bool(opened.requests or opened.navigations or opened.dialogs or opened.errors)


@pytest.mark.parametrize("trap", TRAPS)
def test_the_traps_fire_where_nothing_guards(open_page: OpenPage, trap: str) -> None:
    """In a page without protection each trap does what it is there for: so silence elsewhere means something."""
    opened = open_page(f"<!doctype html><body>{TRAPS[trap]}")
    for _ in range(100):
        if fired(opened):
            break
        opened.settle(20)
    assert fired(opened)


def test_no_trap_fires_in_a_page(open_page: OpenPage) -> None:
    """Traps in every field that a page shows fire nowhere: no script, no request, no navigation, no complaint."""
    traps = ALL_TRAPS
    html = page(
        question(traps, traps, images=[traps, f"{ELSEWHERE}x.png", f"data:image/svg+xml,{traps}"]),
        search(2, hit(f"{ELSEWHERE}?{traps}", traps, traps), hit("javascript:alert(1)", traps), query=traps),
        call(4, traps, {"a": traps}, "x"),
        result(5, traps, "x"),
        answer(
            6,
            f"{traps}\n\n[x](javascript:alert(1)) ![x]({ELSEWHERE}y.png) `{traps}`\n\n"
            f"```{traps}\n{traps}\n```\n\nok[^1^][^2^]",
        ),
        {**question(7, traps), "role": traps},
        {**question(8, traps), "role": "SYSTEM"},
        head={
            "type": "session_export",
            "session": {"id": traps, "title": traps, "agentName": traps, "createdAt": traps},
            "fileChanges": [{"path": traps, "type": traps}],
        },
        steps="full",
        show_thinking=True,
    ).html
    opened = open_page(html)
    opened.page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    for name in ("click", "mouseover", "focus", "toggle", "load", "error", "animationend"):
        opened.page.evaluate(
            "name => document.querySelectorAll('main *, header *').forEach(tag => { if (!tag.href || tag.hash) "
            "tag.dispatchEvent(new Event(name, { bubbles: true, cancelable: true })) })",
            name,
        )
    opened.settle(300)
    assert not fired(opened)
    assert opened.console == []
    assert traps.split("\n")[0] in opened.page.inner_text("main")


# What a converter from TeX may let through: markup in words, links, styles, entities, what ends a formula.
FORMULAS = [
    *(rf"\text{{{trap.replace('{', '(').replace('}', ')')}}}" for trap in TRAPS.values()),
    *(rf"\mathop{{\mbox{{</mtext></math>{trap}}}}}" for trap in TRAPS.values()),
    rf"\href{{javascript:alert(1)}}{{x}} \style{{background:url({ELSEWHERE})}}{{x}}",
    rf"\color{{red;background:url({ELSEWHERE})}}{{x}} \unicode{{x3c}}script\unicode{{x3e}}",
    r"\text{<annotation-xml encoding=text/html><style><img src=x onerror=alert(1)></style></annotation-xml>}",
    r"\text{<mglyph><style><!--</style><img title='--><img src=1 onerror=alert(1)>'>}",
    r"\text{&lt;img src=x onerror=alert(1)&gt;&#xFDD0;1&#xFDD1;}",
    '\'" onload=\'alert(1)" onfocus="alert(1)',
]


def test_no_formula_does_anything(open_page: OpenPage) -> None:
    """A page of hostile formulas shows MathML or source: no script runs, nothing is asked for, nothing complains."""
    text = "\n\n".join(f"\\({tex}\\) and\n\n$$\n{tex}\n$$\n\n```math\n{tex}\n```" for tex in FORMULAS)
    html = page(question(1), answer(2, text)).html
    opened = open_page(html)
    tags = opened.page.evaluate("[...document.querySelectorAll('*')].map(tag => tag.localName)")
    assert tags == [tag.name for tag in BeautifulSoup(html, "html.parser").find_all(True)]
    assert tags.count("math") > len(FORMULAS)
    namespaces = opened.page.evaluate("[...document.querySelectorAll('math, math *')].map(tag => tag.namespaceURI)")
    assert set(namespaces) == {"http://www.w3.org/1998/Math/MathML"}
    opened.page.evaluate(
        "document.querySelectorAll('main *').forEach(tag => { for (const name of ['click', 'focus', 'load', 'error']) "
        "if (!tag.href) tag.dispatchEvent(new Event(name, { bubbles: true, cancelable: true })) })"
    )
    opened.settle(300)
    assert not fired(opened)
    assert opened.console == []


def test_a_wide_formula_scrolls_in_its_own_box(open_page: OpenPage) -> None:
    """On a phone a long formula does not widen the page, and a keyboard can scroll it."""
    long = " + ".join(f"x_{{{n}}}^2" for n in range(40))
    opened = open_page(page(question(1), answer(2, f"$$\n{long}\n$$\n\nso ${long} = 1$ holds")).html, width=390)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 390
    boxes = opened.page.evaluate(
        "[...document.querySelectorAll('.formula-block, .formula-scroll')]"
        ".map(box => [box.scrollWidth > box.clientWidth, box.tabIndex])"
    )
    assert boxes == [[True, 0], [True, 0]]


@pytest.mark.parametrize("name", sorted(folder.name for folder in CASES.iterdir()))
def test_cases_show_themselves_and_nothing_else(open_page: OpenPage, name: str) -> None:
    """Each case, opened from disk with all folds open and all numbers followed, asks for nothing and says nothing."""
    (source,) = (CASES / name).glob("input.*")
    (conversation,) = read(source)
    html = render_page(conversation, options=Options(steps="full"))
    opened = open_page(html)
    assert opened.address.startswith("file://")
    tags = opened.page.evaluate("[...document.querySelectorAll('*')].map(tag => tag.localName)")
    written = [tag.name for tag in BeautifulSoup(html, "html.parser").find_all(True)]
    assert tags == written, "the browser builds what is written, and corrects nothing"
    opened.page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    opened.page.evaluate("for (const link of document.querySelectorAll('.cite-ref a, .source-back')) link.click()")
    opened.settle(100)
    assert not fired(opened)
    assert opened.console == []


def test_a_script_put_into_a_page_does_not_run(open_page: OpenPage) -> None:
    """Even with markup that got past everything else, the page's policy lets no script run and nothing load."""
    html = page(question(1), answer(2, "PLACE")).html
    head, main, body = html.partition("<main")
    assert body.count("PLACE") == 1
    link = f"<a id=trap href='javascript:alert(1)'>x</a>{ALL_TRAPS.replace(TRAPS['refresh'], '')}"
    opened = open_page(head + main + body.replace("PLACE", link))
    failures: list[str | None] = []
    opened.page.on("requestfailed", lambda request: failures.append(request.failure))
    opened.page.reload()
    opened.page.evaluate("document.getElementById('trap').click()")
    opened.settle(300)
    assert (opened.dialogs, opened.errors) == ([], [])
    assert any("Content Security Policy" in message for message in opened.console)
    assert set(failures) == {"csp"}, "what the markup asked for was stopped before it left"


@pytest.mark.parametrize(
    "attempt",
    [
        "document.body.innerHTML = '<b>x</b>'",
        "document.body.insertAdjacentHTML('beforeend', '<b>x</b>')",
        "document.write('<b>x</b>')",
        "new DOMParser().parseFromString('<b>x</b>', 'text/html')",
        "trustedTypes.createPolicy('mine', {})",
    ],
)
def test_text_cannot_become_markup(open_page: OpenPage, attempt: str) -> None:
    """Trusted Types are on: every way from a string to markup is closed, also to our own script."""
    opened = open_page(page(question(1), answer(2, "Rain.")).html)
    assert opened.page.evaluate(
        f"() => {{ try {{ {attempt}; return 'done' }} catch (error) {{ return error.name }} }}"
    ) == ("TypeError")
    assert "Rain." in opened.page.inner_text("main")


def test_the_reader_is_not_tracked(open_page: OpenPage) -> None:
    """The page keeps nothing in the browser, and its links tell no other site where they were followed from."""
    made = page(
        question(1), search(2, hit(f"{ELSEWHERE}one", "One")), answer(4, "x[^1^]", [entry(1, f"{ELSEWHERE}one")])
    )
    opened = open_page(made.html)
    opened.page.click("#ref-4-1-1")
    assert opened.page.evaluate("[document.cookie, localStorage.length, sessionStorage.length]") == ["", 0, 0]
    for link in opened.page.locator("main a[href^=http]").all():
        assert {"noopener", "noreferrer"} <= set((link.get_attribute("rel") or "").split())


def test_a_page_that_tells_all_of_itself_is_as_silent(open_page: OpenPage) -> None:
    """Linked data, addresses and links to files beside the page break no rule of its policy and are never fetched."""
    html = page(
        question(1, ALL_TRAPS),
        search(2, hit(f"{ELSEWHERE}a", ALL_TRAPS)),
        answer(4, f"ok[^1^]\n\n{ALL_TRAPS}"),
        head={"type": "session_export", "session": {"id": 1, "title": ALL_TRAPS, "agentName": ALL_TRAPS}},
        base_url=f"{ELSEWHERE}page.html",
    ).html
    opened = open_page(html)
    opened.settle()
    assert opened.page.evaluate("JSON.parse(document.querySelector('script[type]').text).citation.length") == 1
    assert opened.page.evaluate("document.querySelector('link[rel=canonical]').href") == f"{ELSEWHERE}page.html"
    assert not fired(opened)
    assert opened.console == []
