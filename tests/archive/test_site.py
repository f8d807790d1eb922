"""The indexes of a site: lists, sources, feed, map."""

from __future__ import annotations

import base64
import hashlib
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup, Tag

from renderer.archive.entry import CitedSource
from renderer.archive.feeds import robots, site_maps
from renderer.archive.search_files import FOLDER
from renderer.errors import RendererError
from renderer.i18n import catalog, languages
from renderer.model import Verdict
from renderer.options import Options
from renderer.themes import archive_script, archive_style
from tests.archive.site_making import Archive, add, files_of, key_of

ROOT = Path(__file__).parent.parent.parent
ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>'\"&</title></style>]]>\ud800\0\u202e"


def _soup(folder: Path, name: str = "index.html") -> BeautifulSoup:
    return BeautifulSoup((folder / name).read_text("utf-8"), "html.parser")


def _texts(tags: list[Tag]) -> list[str]:
    return [" ".join(tag.get_text().split()) for tag in tags]


def _source(url: str, title: str, *answers: str, verdict: str = "returned", host: str = "a.example") -> CitedSource:
    return CitedSource(url, title, host, verdict, answers)


# --- Lists -----------------------------------------------------------------------------------------------------


def test_conversations_are_listed_newest_first_by_month(tmp_path: Path) -> None:
    """Months have headings with counts; what has no date is last; an entry tells agent, questions, sources, removed."""
    archive = Archive()
    add(archive, 1, "old", "q", created_at="2025-12-31T23:59:00+08:00")
    add(archive, 2, "new", "q", "a", "q", created_at="2026-10-07T09:03:00+08:00", removed=2, agent="Helper")
    add(archive, 3, "newer", "q", created_at="2026-10-08T00:00:00+08:00", sources=[_source("", "t"), _source("", "u")])
    add(archive, 4, "", "q", created_at="")
    archive.write(tmp_path)
    soup = _soup(tmp_path)
    assert _texts(soup.select("h2")) == ["October 2026 2", "December 2025 1", "Without a date 1"]
    assert _texts(soup.select(".entry")) == [
        "8 newer Reader 1 question 2 sources",
        "7 new Helper 2 questions 2 markers removed",
        "31 old Reader 1 question",
        "– Untitled conversation Reader 1 question",
    ]
    assert soup.select("a.entry-title")[0]["href"] == archive.entries[key_of(3)].pages[0]
    assert _texts(soup.select(".page-meta span")) == ["4 conversations", "December 2025 – October 2026", "Sources"]


def test_a_time_zone_moves_a_conversation_to_another_day(tmp_path: Path) -> None:
    """Months are those of the zone that was chosen, else of the time as it was recorded."""
    archive = Archive()
    add(archive, 1, "t", "q", created_at="2026-01-01T02:00:00+08:00")
    archive.write(tmp_path)
    assert _texts(_soup(tmp_path).select("h2")) == ["January 2026 1"]
    archive.write(tmp_path, Options(time_zone="UTC"))
    assert _texts(_soup(tmp_path).select("h2")) == ["December 2025 1"]


def test_the_order_of_the_entries_changes_nothing(tmp_path: Path) -> None:
    """The same conversations in another order give the same bytes in every file."""
    archive = Archive()
    for number in range(40):
        date = "" if number % 7 == 0 else f"2026-0{1 + number % 5}-01T00:00:00Z"
        add(
            archive,
            number,
            "same",
            "q",
            "a",
            created_at=date,
            sources=[_source(f"https://a.example/{number % 9}", "s")],
        )
    options = Options(base_url="https://site.example/")
    archive.write(tmp_path / "one", options)
    keys = list(archive.entries)
    random.Random(1).shuffle(keys)
    archive.entries = {key: archive.entries[key] for key in keys}
    archive.write(tmp_path / "other", options)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "other")


_IN_ANOTHER_PROCESS = """
import sys
from pathlib import Path
from tests.archive.site_making import Archive, CitedSource, add
archive = Archive()
for number, verdict in enumerate(["returned", "unchecked", "opened"]):
    source = CitedSource("https://a.example/", "s", "a.example", verdict, ("c.html#m-1",))
    add(archive, number, "t", "rain", "snow hail", sources=[source])
archive.write(Path(sys.argv[1]))
"""


def test_every_process_writes_the_same(tmp_path: Path) -> None:
    """Sets and hashes, which differ from process to process, leave no trace in a file."""
    for seed in ("1", "2"):
        command = [sys.executable, "-c", _IN_ANOTHER_PROCESS, str(tmp_path / seed)]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)})
    assert files_of(tmp_path / "1") == files_of(tmp_path / "2")


def test_the_names_that_come_back_are_the_files_that_are_there(tmp_path: Path) -> None:
    """Whoever removes what is no longer needed can go by the names."""
    archive = Archive()
    add(archive, 1, "rain", "q", "a", pages=2)
    names = archive.write(tmp_path, Options(base_url="https://site.example/"))
    assert names == sorted(files_of(tmp_path))


def test_an_empty_archive_is_a_page_that_says_so(tmp_path: Path) -> None:
    """Without a conversation there is a list without entries, and a sentence."""
    Archive().write(tmp_path)
    assert _texts(_soup(tmp_path).select("main")) == ["There is no conversation in this archive."]
    assert _texts(_soup(tmp_path, "sources.html").select("main")) == ["No answer of this archive lists a source."]


def test_a_filter_is_offered_where_it_tells_conversations_apart(tmp_path: Path) -> None:
    """Agents and formats are choices when there are two, sources and removed markers when some have them."""
    archive = Archive()
    add(archive, 1, "t", "q", agent="A", sources=[_source("", "s")])
    archive.write(tmp_path)
    assert not _soup(tmp_path).select(".filters")
    add(archive, 2, "t", "q", agent="B", format="rag-answer", removed=1)
    archive.write(tmp_path)
    soup = _soup(tmp_path)
    assert _texts(soup.select(".filters option")) == ["all", "A", "B", "all", "rag-answer", "upstream-jsonl"]
    assert [tag["name"] for tag in soup.select(".filters input")] == ["sources", "removed"]
    assert [tag["data-agent"] for tag in soup.select(".entry")] == ["A", "B"]
    assert [tag.get("data-sources") for tag in soup.select(".entry")] == ["1", None]
    assert [tag.get("data-removed") for tag in soup.select(".entry")] == [None, "1"]


def test_a_large_archive_has_a_page_for_each_year_or_month(tmp_path: Path) -> None:
    """Beyond 1,000 conversations each stands on one page of its year, month or part; each page leads to all others, and
    none is over a megabyte."""
    archive = Archive()
    for number in range(2600):
        month = 1 + number % 12 if number < 1300 else 3
        year = 2024 if number % 5 == 0 and number < 1300 else 2025
        date = f"{year}-{month:02}-{1 + number % 28:02}T10:00:00+08:00" if number % 100 else ""
        add(archive, number, f"{'长标题' * 40} {number}", "q", created_at=date)
    archive.write(tmp_path)
    names = sorted(path.name for path in tmp_path.glob("index-*.html"))
    assert "index-2024.html" in names
    assert {"index-2025-03.html", "index-2025-03-2.html", "index-undated.html"} < set(names)
    listed = [tag["href"] for name in names for tag in _soup(tmp_path, name).select("a.entry-title")]
    assert sorted(listed) == sorted(entry.pages[0] for entry in archive.entries.values())
    assert 200 <= len(_soup(tmp_path).select(".entry")) <= 1000
    for name in ["index.html", *names]:
        assert sorted(str(tag["href"]) for tag in _soup(tmp_path, name).select(".parts a")) == names
        assert (tmp_path / name).stat().st_size < 1_000_000
        current = [tag["href"] for tag in _soup(tmp_path, name).select("[aria-current]")]
        assert current == ([] if name == "index.html" else [name])


@pytest.mark.parametrize("lang", languages())
def test_every_word_is_there_in_every_language(tmp_path: Path, lang: str) -> None:
    """The site can be written in each language of the catalog, and says which one it is."""
    archive = Archive()
    add(archive, 1, "t", "q", removed=1, sources=[_source("https://a.example/", "s", "c.html#m-1")])
    add(archive, 2, "t", "q", created_at="")
    archive.write(tmp_path, Options(lang=lang, base_url="https://site.example/"))
    assert _soup(tmp_path).html["lang"] == lang  # type: ignore[index]


def test_the_language_is_that_of_most_conversations(tmp_path: Path) -> None:
    """Without a choice the site speaks Chinese when more than half of its conversations do."""
    archive = Archive()
    add(archive, 1, "一", "q", lang="zh-CN")
    add(archive, 2, "two", "q", lang="en")
    archive.write(tmp_path)
    assert _texts(_soup(tmp_path).select("h1")) == ["Conversations"]
    add(archive, 3, "三", "q", lang="zh-CN")
    archive.write(tmp_path)
    assert _texts(_soup(tmp_path).select("h1")) == ["会话归档"]
    assert _texts(_soup(tmp_path).select("h2")) == ["2026 年 10 月 3"]
    archive.write(tmp_path, Options(title="我的 会话\n"))
    assert _texts(_soup(tmp_path).select("h1, title")) == ["我的 会话", "我的 会话"]


def test_what_is_not_there_is_one_line(tmp_path: Path) -> None:
    """An unknown theme, language or zone, and a base address that is none, are errors with a remedy."""
    archive = Archive()
    add(archive, 1, "t", "q")
    for options in (Options(theme="x"), Options(lang="x"), Options(time_zone="x"), Options(base_url="x")):
        with pytest.raises(RendererError):
            archive.write(tmp_path, options)


# --- Safety ----------------------------------------------------------------------------------------------------


def test_nothing_of_a_conversation_becomes_markup(tmp_path: Path) -> None:
    """Titles, agents, formats, hosts and sources are text wherever they stand."""
    archive = Archive()
    add(archive, 1, HOSTILE, HOSTILE, HOSTILE, agent=HOSTILE, format=HOSTILE)
    add(archive, 2, "t", "q", sources=[_source("", HOSTILE, "c.html#m-1", host=HOSTILE)])
    archive.write(tmp_path)
    for name in ("index.html", "sources.html"):
        soup = _soup(tmp_path, name)
        assert len(soup.select("script, style, title")) == 3
        assert not soup.select("img")
        assert "alert(1)" in soup.get_text()


def test_the_policy_names_what_is_there(tmp_path: Path) -> None:
    """An index page has one style and one script, known to its policy by their hashes, and no address in the policy."""
    archive = Archive()
    add(archive, 1, "t", "q")
    archive.write(tmp_path)
    for name in ("index.html", "sources.html"):
        soup = _soup(tmp_path, name)
        policy = str(soup.select("meta[http-equiv=Content-Security-Policy]")[0]["content"])
        (script,), (style,) = soup.select("script"), soup.select("style")
        hashes = [
            "sha256-" + base64.b64encode(hashlib.sha256(tag.text.encode()).digest()).decode() for tag in (script, style)
        ]
        assert re.findall(r"sha256-[^']+", policy) == hashes
        assert policy.startswith("default-src 'none'; script-src 'sha256-")
        assert ":" not in policy.replace("data:", "")


def test_script_and_style_are_small_and_can_stand_in_a_page() -> None:
    """An index page carries at most 24 kB of script and style, and neither can end its element."""
    for theme in ("paper", "contrast"):
        style, script = archive_style(theme, "zh-CN"), archive_script()
        assert len((style + script).encode()) < 24_000
        assert "</" not in style + script
        assert "<!--" not in style + script
        assert "innerHTML" not in script


# --- Sources ---------------------------------------------------------------------------------------------------


def test_sources_are_listed_by_host_with_the_answers_that_cite_them(tmp_path: Path) -> None:
    """A source that several conversations cite is there once, with a link to each answer, and a verdict in words."""
    archive = Archive()
    one, two = "https://a.example/one?x=1", "https://b.example/two"
    add(
        archive,
        1,
        "first",
        "q",
        sources=[
            _source(one, "One", "c1.html#m-2", "c1.html#m-4"),
            _source(two, "Two", "c1.html#m-2", host="b.example"),
        ],
    )
    add(
        archive,
        2,
        "second",
        "q",
        sources=[
            _source(one, "Other title", "c2.html#m-2", verdict="unchecked"),
            _source("", "No link", "c2.html#m-2"),
        ],
    )
    archive.write(tmp_path)
    soup = _soup(tmp_path, "sources.html")
    assert _texts(soup.select("h2")) == ["a.example 2 sources", "b.example 1 source"]
    assert _texts(soup.select(".entry")) == [
        "No link returned by a search cited in second",
        "One /one?x=1 returned by a search, not checked cited in first 2 second",
        "Two /two returned by a search cited in first",
    ]
    links = [(tag["href"], tag.get("rel")) for tag in soup.select("a.entry-title")]
    assert links == [(one, ["noopener", "noreferrer", "nofollow"]), (two, ["noopener", "noreferrer", "nofollow"])]
    inside = [tag["href"] for tag in soup.select(".entry-facts a")]
    assert inside == ["c2.html#m-2", "c1.html#m-2", "c1.html#m-4", "c2.html#m-2", "c1.html#m-2"]


def test_many_sources_are_spread_over_pages(tmp_path: Path) -> None:
    """Sources of more than a megabyte have pages by the first letter of the host, each linked, none over a megabyte."""
    archive = Archive()
    for number in range(150):
        sources = [
            _source(
                f"https://{letter}{number % 3}.example/{number}/{k}",
                f"{'标题' * 20} {number} {k}",
                f"c.html#m-{k}",
                host=f"{letter}{number % 3}.example",
            )
            for letter in "aab中9"
            for k in range(12)
        ]
        add(archive, number, f"title {number}", "q", sources=sources)
    archive.write(tmp_path)
    names = sorted(path.name for path in tmp_path.glob("sources-*.html"))
    assert {"sources-9.html", "sources-a.html", "sources-a-2.html", "sources-b.html", "sources-other.html"} <= set(
        names
    )
    links = [tag["href"] for name in names for tag in _soup(tmp_path, name).select("a.entry-title")]
    assert len(links) == len(set(links)) == 150 * 4 * 12
    first = _soup(tmp_path, "sources.html")
    assert sorted(str(tag["href"]) for tag in first.select(".parts a")) == names
    for tag in first.select("a.entry-title"):
        name, _, place = str(tag["href"]).partition("#")
        assert _soup(tmp_path, name).select(f"#{place}")
    assert max((tmp_path / name).stat().st_size for name in names) < 1_000_000


@pytest.mark.parametrize("lang", languages())
def test_every_verdict_of_a_listed_source_has_words(lang: str) -> None:
    """Whatever a listed source's verdict is, the page says it."""
    assert list(catalog(lang).texts["archive_verdicts"]) == [verdict for verdict in Verdict if verdict.shown]


# --- For programs ----------------------------------------------------------------------------------------------


def test_without_a_base_address_there_is_no_feed_and_no_map(tmp_path: Path) -> None:
    """Feed and map need absolute addresses; robots may look at nothing unless that is allowed."""
    archive = Archive()
    add(archive, 1, "t", "q")
    names = archive.write(tmp_path)
    assert [name for name in names if not name.startswith(FOLDER)] == ["index.html", "robots.txt", "sources.html"]
    assert (tmp_path / "robots.txt").read_text().splitlines()[1:] == ["User-agent: *", "Disallow: /"]
    assert not _soup(tmp_path).select("link[rel=canonical], link[type='application/atom+xml']")


def test_the_feed_has_the_newest_conversations(tmp_path: Path) -> None:
    """The feed is Atom with the 50 newest dated conversations; every id is the address of a page."""
    archive = Archive()
    for number in range(60):
        add(
            archive,
            number,
            f"{HOSTILE} {number}",
            "q",
            created_at=f"2026-01-01T00:{number:02}:00+08:00",
            agent="" if number % 2 else HOSTILE,
        )
    add(archive, 99, "undated", "q", created_at="")
    archive.write(tmp_path, Options(base_url="https://site.example/a b"))
    root = ElementTree.fromstring((tmp_path / "feed.xml").read_bytes())
    assert root.tag == f"{ATOM}feed"
    assert root.findtext(f"{ATOM}updated") == "2025-12-31T16:59:00Z"
    entries = root.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}updated", "")[14:16] for entry in entries] == [f"{59 - n:02}" for n in range(50)]
    ids = [str(entry.findtext(f"{ATOM}id")) for entry in entries]
    assert len(set(ids)) == 50
    assert all(re.fullmatch(r"https://site\.example/a%20b/c\d+-[0-9a-f]{10}\.html", one) for one in ids)
    assert "alert(1)" in str(entries[0].findtext(f"{ATOM}title"))
    assert all(entry.findtext(f"{ATOM}author/{ATOM}name") for entry in entries)
    assert (
        _soup(tmp_path).select("link[type='application/atom+xml']")[0]["href"] == "https://site.example/a%20b/feed.xml"
    )


def test_the_map_has_every_page(tmp_path: Path) -> None:
    """The map lists the indexes and every page of every conversation, with the date where there is one."""
    archive = Archive()
    add(archive, 1, "t", "q", "a", "q", pages=2)
    add(archive, 2, "t", "q", created_at="")
    archive.write(tmp_path, Options(base_url="https://site.example/", indexable=True))
    root = ElementTree.fromstring((tmp_path / "sitemap.xml").read_bytes())
    pages = [page for entry in archive.entries.values() for page in entry.pages]
    assert [url.findtext(f"{MAP}loc") for url in root] == [
        f"https://site.example/{n}" for n in ["index.html", "sources.html", *pages]
    ]
    assert [url.findtext(f"{MAP}lastmod") for url in root] == [None, None, *["2026-10-07T01:03:00Z"] * 2, None]
    said = (tmp_path / "robots.txt").read_text().splitlines()[1:]
    assert said == ["User-agent: *", "Allow: /", "Sitemap: https://site.example/sitemap.xml"]
    assert not _soup(tmp_path).select("meta[name=robots]")


def test_a_map_of_more_than_fifty_thousand_comes_in_parts() -> None:
    """A large map is an index of maps, each with at most 50,000 addresses."""
    names = [f"{number}.html" for number in range(50_001)]
    maps = dict(site_maps(names, [], lambda name: f"https://site.example/{name}?a&b"))
    assert list(maps) == ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"]
    roots = {name: ElementTree.fromstring(text) for name, text in maps.items()}
    assert [one.findtext(f"{MAP}loc") for one in roots["sitemap.xml"]] == [
        "https://site.example/sitemap-1.xml?a&b",
        "https://site.example/sitemap-2.xml?a&b",
    ]
    assert [len(roots[name]) for name in list(maps)[1:]] == [50_000, 1]


def test_robots_get_no_map_that_they_may_not_look_at() -> None:
    """Where nothing may be looked at, no map is named."""
    assert "Sitemap" not in robots(False, "https://site.example/sitemap.xml")
