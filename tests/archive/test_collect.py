"""What the lists and the search of a site know of a conversation."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderer.archive.entry import CitedSource, Entry
from renderer.archive.state import State
from tests.archive.making import make_site, write_export

RESULTS = [
    {"title": "The lake", "url": "https://lake.example/deep", "content": "Forty metres deep."},
    {"title": "No page", "url": "file:///etc/hosts", "content": "Not on the web."},
]
ROUNDS = [
    ("How deep is the lake?", "# Depth\n\nIt is **forty** metres deep[^1^], says `a page`[^2^]. And more[^9^]."),
    ("And now?", "Still [forty](https://x.example)[^1^]."),
]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A site of one conversation of two rounds, which has sources."""
    write_export(tmp_path / "in/a.jsonl", 4, ROUNDS, title="Lakes [^1^] & hills", results=RESULTS)
    make_site(tmp_path / "site", tmp_path / "in")
    return tmp_path / "site"


def _entry(site: Path) -> Entry:
    with State(site) as state:
        (entry,) = state.entries()
    return entry


def test_an_entry_tells_what_the_lists_show(site: Path) -> None:
    """The entry has the title without markers, agent, format, language, time with offset, and the counts."""
    entry = _entry(site)
    assert (entry.title, entry.agent, entry.format, entry.lang) == ("Lakes & hills", "Guide", "upstream-jsonl", "en")
    assert entry.created_at == "2026-05-01T10:00:00+08:00"
    assert (entry.questions, entry.removed) == (2, 1)
    assert entry.pages == (f"Lakes-hills-{entry.key}.html",)


def test_an_entry_lists_each_source_once_with_the_answers_that_list_it(site: Path) -> None:
    """A source that two answers list is one source with two answers; one that is not linked has no address."""
    entry = _entry(site)
    page = entry.pages[0]
    assert entry.sources == (
        CitedSource(
            "https://lake.example/deep", "The lake", "lake.example", "returned", (f"{page}#m-4", f"{page}#m-8")
        ),
        CitedSource("", "No page", "", "returned", (f"{page}#m-4",)),
    )


def test_search_gets_plain_words_and_where_they_stand(site: Path) -> None:
    """Title, questions, answers and titles of sources come without Markdown and markers, each with its place."""
    entry = _entry(site)
    page = entry.pages[0]
    with State(site) as state:
        documents = list(state.documents(entry.key))
    assert documents[0] == (page, "title", "Lakes & hills")
    assert (f"{page}#m-1", "question", "How deep is the lake?") in documents
    assert (f"{page}#m-8", "answer", "Still forty.") in documents
    assert (f"{page}#src-4-1", "source", "The lake") in documents
    (answer,) = (text for href, kind, text in documents if (href, kind) == (f"{page}#m-4", "answer"))
    assert "It is forty metres deep, says a page. And more." in answer
    assert "Depth" in answer


def test_each_place_that_search_knows_is_on_its_page(tmp_path: Path) -> None:
    """Of a conversation on several pages each address names the page that holds it."""
    from renderer.options import Limits

    write_export(tmp_path / "in/a.jsonl", 4, ROUNDS * 4, results=RESULTS)
    make_site(tmp_path / "site", tmp_path / "in", limits=Limits(rounds=3))
    entry = _entry(tmp_path / "site")
    assert len(entry.pages) == 3
    with State(tmp_path / "site") as state:
        places = [href for href, kind, _ in state.documents(entry.key) if kind != "title"]
    places += [answer for source in entry.sources for answer in source.answers]
    texts = {page: (tmp_path / "site" / page).read_text("utf-8") for page in entry.pages}
    for place in places:
        page, id_ = place.split("#")
        assert f'id="{id_}"' in texts[page], place
    assert {place.split("#")[0] for place in places} == set(entry.pages)


def test_entries_come_newest_first(tmp_path: Path) -> None:
    """The entries of a site are in the order of their time, newest first, and can be asked for by their place."""
    for id_, day in ((1, "03"), (2, "21"), (3, "12")):
        write_export(tmp_path / f"in/{id_}.jsonl", id_, ROUNDS[:1], title=day, created=f"2026-05-{day}T10:00:00")
    make_site(tmp_path / "site", tmp_path / "in")
    with State(tmp_path / "site") as state:
        entries = state.entries()
        assert [entry.title for entry in entries] == ["21", "12", "03"]
        assert (len(entries), entries[1].title, entries[-1].title) == (3, "12", "03")
        assert [entry.title for entry in entries[1:]] == ["12", "03"]
        with pytest.raises(IndexError):
            entries[3]
