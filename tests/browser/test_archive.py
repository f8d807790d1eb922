"""The indexes of a site in Chromium, opened from disk: search, filters, and that nothing else happens."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from renderer.archive.entry import CitedSource
from renderer.options import Options
from tests.archive.site_making import Archive, add
from tests.browser.test_safety import ALL_TRAPS, fired
from tests.opened_page import OpenedPage, OpenPage

RAIN = "Will it rain in Göteborg tomorrow?"
SENT = "Rain is expected. " * 40 + "Umbrellas are sold at the harbour. " + "More rain. " * 300
ASKED = "今年的申报什么时候截止？"
TOLD = "根据最新公告，二零二六年度申报的截止时间是十一月三十日，材料须在系统内提交。"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of 40 conversations, and a page for each that holds its messages."""
    archive = Archive()
    add(archive, 1, "Rain in Sweden", RAIN, SENT, agent="Weather", removed=1)
    source = CitedSource(
        "https://gov.example/notice", "关于调整申报时间的通知", "gov.example", "returned", ("x.html#m-2",)
    )
    add(archive, 2, "申报截止时间", ASKED, TOLD, agent="研究助手", sources=[source], created_at="2026-09-01T00:00:00Z")
    add(archive, 3, "Umbrella", "What is a parasol?", "A light umbrella.", "And a raincoat?", "A coat.", pages=2)
    for number in range(10, 47):
        add(
            archive,
            number,
            f"Filler {number}",
            f"About the number {number}",
            "It is even." * (1 + number % 3),
            agent="Filler",
        )
    folder = tmp_path_factory.mktemp("site")
    archive.write(folder)
    for entry in archive.entries.values():
        for page in entry.pages:
            texts = archive.texts[entry.key]
            (folder / page).write_text(
                "".join(f"<p id='{href.partition('#')[2]}'>{kind}</p>" for href, kind, _ in texts)
            )
    return folder


@pytest.fixture
def opened(open_page: OpenPage, site: Path) -> OpenedPage:
    """The first page of the site."""
    return open_page(site / "index.html")


def _search(opened: OpenedPage, query: str) -> list[str]:
    opened.page.fill("[name=q]", query)
    opened.page.wait_for_function(
        "query => decodeURIComponent(location.hash).replace(/\\+/g, ' ') === '#q=' + query", arg=query
    )
    opened.page.wait_for_function("() => document.querySelector('.found').textContent")
    opened.settle(300)
    return opened.page.locator(".results .entry-title").all_inner_texts()


@pytest.mark.parametrize(
    ("query", "titles", "goes_to", "marked"),
    [
        ("rain sweden", ["Rain in Sweden"], "#m-1", {"rain"}),
        ("GOTEBORG", ["Rain in Sweden"], "#m-1", {"Göteborg"}),
        ("umbrellas harb", ["Rain in Sweden"], "#m-2", {"Umbrellas", "harb"}),
        ("截止时间是", ["申报截止时间"], "#m-2", {"截止时间是"}),
        ("申报的", ["申报截止时间"], "#m-2", {"申报的"}),
        ("报", ["申报截止时间"], "#m-1", {"报"}),
        ("调整", ["申报截止时间"], "#src-0", {"调整"}),
        ("parasol", ["Umbrella"], "#m-1", {"parasol"}),
        ("raincoat", ["Umbrella"], "#m-3", {"raincoat"}),
        ("umbrel", ["Umbrella", "Rain in Sweden"], "#m-2", {"umbrel", "Umbrel"}),
        ("nothing of the kind", [], "", set()),
        ("报申", [], "", set()),
    ],
)
def test_a_query_leads_to_the_message(
    opened: OpenedPage, query: str, titles: list[str], goes_to: str, marked: set[str]
) -> None:
    """Words and Chinese are found from disk, the best first; a result shows where, and leads to the message."""
    assert _search(opened, query) == titles
    results = opened.page.locator(".results .entry")
    if titles:
        assert set(results.locator("mark").all_inner_texts()) == marked
        results.first.locator("a").click()
        opened.page.wait_for_url("**/c*")
        assert opened.page.evaluate("() => location.hash") == goes_to
        assert opened.page.evaluate("() => document.getElementById(location.hash.slice(1)) !== null")
    else:
        assert opened.page.locator(".found").inner_text() == "Nothing was found."
    assert opened.console == opened.errors == []


def test_the_search_asks_for_its_own_files_alone(opened: OpenedPage, site: Path) -> None:
    """Nothing is loaded until the search is used, and then only files in the folder `search`."""
    opened.settle()
    assert opened.requests == []
    _search(opened, "rain")
    _search(opened, "申报")
    assert opened.requests
    assert all(address.startswith((site / "search").as_uri()) for address in opened.requests)
    assert opened.console == opened.errors == []


def test_the_way_back_leads_to_the_results(opened: OpenedPage) -> None:
    """After following a result, Back shows the results again."""
    _search(opened, "raincoat")
    opened.page.locator(".results a").first.click()
    opened.page.wait_for_url("**/c*")
    opened.page.go_back()
    opened.page.wait_for_selector(".results .entry")
    assert opened.page.locator(".results .entry-title").all_inner_texts() == ["Umbrella"]


def test_many_results_come_in_steps(opened: OpenedPage) -> None:
    """Ten results are shown at once, the others on demand; the list of all comes back when the query goes."""
    assert len(_search(opened, "number")) == 10
    assert opened.page.locator(".found").inner_text() == "37 conversations"
    for shown in (20, 30, 37):
        opened.page.locator(".more").click()
        opened.page.wait_for_function(f"() => document.querySelectorAll('.results .entry').length === {shown}")
    assert not opened.page.locator(".more").is_visible()
    opened.page.fill("[name=q]", "")
    opened.page.wait_for_selector(".listing .entry")
    assert not opened.page.locator(".results").is_visible()


def test_a_search_without_its_files_says_so(open_page: OpenPage, site: Path, tmp_path: Path) -> None:
    """Where the folder is missing the reader is told what to do."""
    (tmp_path / "index.html").write_bytes((site / "index.html").read_bytes())
    opened = open_page(tmp_path / "index.html")
    opened.page.fill("[name=q]", "rain")
    opened.page.wait_for_selector(".found[data-failed]")
    assert "folder “search” is missing" in opened.page.locator(".found").inner_text()


def test_filters_leave_what_fits(opened: OpenedPage) -> None:
    """Filters hide entries and empty months, say how many are left, and stand in the address."""
    page = opened.page
    page.select_option("[name=agent]", "研究助手")
    assert page.locator(".listing .entry-title:visible").all_inner_texts() == ["申报截止时间"]
    assert page.locator(".listing h2:visible").all_inner_texts() == ["September 2026\n1"]
    assert page.locator(".filters output").inner_text() == "1 is shown"
    page.check("[name=removed]")
    assert page.locator(".listing .entry:visible").count() == 0
    assert page.locator(".none").is_visible()
    page.select_option("[name=agent]", "")
    assert page.locator(".listing .entry-title:visible").all_inner_texts() == ["Rain in Sweden"]
    page.reload()
    assert page.locator(".listing .entry-title:visible").all_inner_texts() == ["Rain in Sweden"]
    page.uncheck("[name=removed]")
    page.check("[name=sources]")
    assert page.locator(".listing .entry-title:visible").all_inner_texts() == ["申报截止时间"]
    assert opened.console == opened.errors == []


def test_without_script_the_list_is_whole(open_page: OpenPage, site: Path) -> None:
    """Without script all conversations are there, and nothing that would not work."""
    page = open_page(site / "index.html", javascript=False).page
    assert page.locator(".entry:visible").count() == 40
    assert page.locator("form:visible, button:visible").count() == 0


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("name", ["index.html", "sources.html"])
def test_no_index_scrolls_sideways(open_page: OpenPage, site: Path, name: str, width: int) -> None:
    """An index is as wide as the window."""
    page = open_page(site / name, width=width).page
    assert page.locator("html").evaluate("tag => [tag.scrollWidth, document.body.scrollWidth]") == [width, width]


def test_hostile_words_do_nothing(open_page: OpenPage, tmp_path: Path) -> None:
    """Traps in every field fire neither in the lists nor in the results of a search."""
    archive = Archive()
    for number in range(3):
        source = CitedSource("", ALL_TRAPS, ALL_TRAPS, "returned", ("x.html#m-2",))
        add(
            archive,
            number,
            ALL_TRAPS,
            f"trapped {ALL_TRAPS}",
            ALL_TRAPS,
            agent=f"{ALL_TRAPS}{number}",
            sources=[source],
        )
    add(archive, 9, "x" * 300, "trapped" + "y" * 500, agent="z" * 300, format="w" * 300)
    archive.write(tmp_path, Options())
    for name in ("index.html", "sources.html"):
        opened = open_page(tmp_path / name)
        opened.settle()
        assert not fired(opened)
        assert opened.console == []
    opened = open_page(tmp_path / "index.html", width=390)
    for query in ("trapped", "script alert", "__proto__", "constructor", "<img src=x onerror=alert(1)>", "x" * 300):
        opened.page.fill("[name=q]", query)
        opened.settle(500)
    opened.page.fill("[name=q]", "trapped")
    opened.page.wait_for_selector(".results .entry")
    assert opened.page.locator("html").evaluate("tag => tag.scrollWidth") == 390
    assert all("/search/" in address for address in opened.requests)
    assert opened.navigations == opened.dialogs == opened.errors == opened.console == []


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    """The address of the site on a server of this machine."""
    handler = functools.partial(_Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/index.html"
        server.shutdown()
        thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def test_the_search_works_from_a_server(opened: OpenedPage, served: str) -> None:
    """The same policy lets the search load its files from a server, and nothing else."""
    opened.page.context.set_offline(False)
    opened.page.goto(served)
    assert _search(opened, "申报截止") == ["申报截止时间"]
    assert opened.console == opened.errors == []
    opened.page.evaluate("() => { const s = document.createElement('img'); s.src = 'x.png'; document.body.append(s); }")
    opened.settle()
    assert [line for line in opened.console if "Content Security Policy" in line]


def test_the_policy_lets_no_other_script_in(open_page: OpenPage, site: Path, tmp_path: Path) -> None:
    """A script element in the markup is not run, and an address outside the folder is refused by Trusted Types."""
    html = (site / "index.html").read_text("utf-8").replace("</main>", '<script src="other.js"></script></main>')
    (tmp_path / "index.html").write_text(html, "utf-8")
    (tmp_path / "other.js").write_text("self.ran = true")
    opened = open_page(tmp_path / "index.html")
    opened.settle()
    assert opened.page.evaluate("() => self.ran") is None
    refused = (
        "() => { try { document.createElement('script').src = 'other.js'; return ''; } catch (e) { return e.name; } }"
    )
    assert opened.page.evaluate(refused) == "TypeError"
