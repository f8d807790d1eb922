"""A site is made of exports, and brought up to date: what has not changed is neither read nor written."""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from renderer import Options
from renderer.archive import work
from renderer.archive.names import page_name
from renderer.archive.state import FILE_NAME, State
from renderer.errors import RendererError
from renderer.options import Limits
from tests.archive.making import (
    PAGE,
    files_of,
    listed,
    make_site,
    pages_of,
    times_of,
    write_export,
    write_share,
)

ROUNDS = [("Where is the lake?", "North of **the town**."), ("Is it deep?", "Forty metres.")]


@pytest.fixture
def exports(tmp_path: Path) -> Path:
    """A folder with two exports in it."""
    write_export(tmp_path / "in/lake.jsonl", 11, ROUNDS, title="The lake")
    write_export(tmp_path / "in/sub/hill.jsonl", 12, ROUNDS[:1], title="The hill")
    return tmp_path / "in"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The folder of the site, which is not there yet."""
    return tmp_path / "deep/er/site"


def _unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on an input that is read is a failure."""

    def refuse(*_: object) -> None:
        raise AssertionError("an input was read")

    for name in ("small_file", "file_digest"):
        monkeypatch.setattr(work, name, refuse)
    monkeypatch.setattr("renderer.archive.plan.file_digest", refuse)


def test_each_conversation_has_a_page_that_the_index_lists(exports: Path, site: Path) -> None:
    """Two exports become two pages, named by title and digest, and an index that leads to both."""
    report = make_site(site, exports)
    pages = pages_of(site)
    assert (report.conversations, report.written, len(pages)) == (2, 2, 2)
    assert all(PAGE.fullmatch(name) for name in pages)
    assert {name.rsplit("-", 1)[0] for name in pages} == {"The-lake", "The-hill"}
    links = BeautifulSoup((site / "index.html").read_text("utf-8"), "html.parser").select("main a[href]")
    assert {link["href"] for link in links} == pages == listed(site)


def test_a_page_of_the_site_shows_what_a_page_alone_shows(exports: Path, site: Path) -> None:
    """The rounds of a page in a site are those of the same conversation rendered alone, to the byte."""
    from renderer import read, render_page

    make_site(site, exports)
    (page,) = site.glob("The-lake-*.html")
    (conversation,) = read(exports / "lake.jsonl")
    round_ = re.compile(r'<section class="round".*</section>', re.DOTALL)
    alone, in_site = (round_.findall(text) for text in (render_page(conversation), page.read_text("utf-8")))
    assert alone == in_site != []


def test_a_second_run_reads_and_writes_nothing(exports: Path, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When nothing has changed, no input is opened and no file of the site is written."""
    make_site(site, exports)
    times = times_of(site)
    _unread(monkeypatch)
    report = make_site(site, exports)
    assert (report.read, report.written, report.conversations) == (0, 0, 2)
    assert times_of(site) == times


def test_a_new_time_alone_costs_a_digest(exports: Path, site: Path) -> None:
    """An input with a new time and its old bytes is not read as an export, and nothing is written."""
    make_site(site, exports)
    times = times_of(site)
    os.utime(exports / "lake.jsonl", ns=(1, 1))
    report = make_site(site, exports)
    assert (report.read, times_of(site)) == (0, times)
    assert make_site(site, exports).read == 0


def test_one_changed_conversation_is_one_page_and_the_indexes(exports: Path, site: Path) -> None:
    """A conversation that has grown is written to the page that it had; the other page is left alone."""
    make_site(site, exports)
    before, times = pages_of(site), times_of(site)
    write_export(exports / "lake.jsonl", 11, [*ROUNDS, ("Cold?", "Eighteen degrees.")], title="The lake")
    report = make_site(site, exports)
    assert (report.read, report.written, pages_of(site)) == (1, 1, before)
    changed = {name for name, time in times_of(site).items() if times.get(name) != time} & before
    assert {name.rsplit("-", 1)[0] for name in changed} == {"The-lake"}
    assert "Eighteen" in (site / changed.pop()).read_text("utf-8")


def test_a_new_title_is_a_new_page_and_the_old_one_goes(exports: Path, site: Path) -> None:
    """A page whose conversation has another title now is removed once the index leads to the new one."""
    make_site(site, exports)
    write_export(exports / "lake.jsonl", 11, ROUNDS, title="The sea")
    report = make_site(site, exports)
    assert (report.removed, {name.rsplit("-", 1)[0] for name in pages_of(site)}) == (1, {"The-sea", "The-hill"})
    assert pages_of(site) == listed(site)


def test_a_removed_input_keeps_its_page_unless_pruned(exports: Path, site: Path) -> None:
    """The page of an input that is no more stays, and stays listed; --prune removes both."""
    make_site(site, exports)
    (exports / "lake.jsonl").unlink()
    assert make_site(site, exports).conversations == 2
    assert pages_of(site) == listed(site)
    assert len(pages_of(site)) == 2
    report = make_site(site, exports, prune=True)
    assert (report.conversations, report.removed, report.read) == (1, 1, 0)
    assert pages_of(site) == listed(site) == {page_name("The hill", next(iter(pages_of(site)))[9:19])}
    assert "The lake" not in (site / "index.html").read_text("utf-8")


def test_pruning_removes_only_pages_of_the_site(exports: Path, site: Path) -> None:
    """Other files in the folder stay, also other pages that citepage made."""
    make_site(site, exports)
    (site / "notes.txt").write_text("mine")
    (page,) = site.glob("The-lake-*.html")
    (site / "copy.html").write_bytes(page.read_bytes())
    (exports / "lake.jsonl").unlink()
    make_site(site, exports, prune=True)
    assert {"notes.txt", "copy.html"} <= {path.name for path in site.iterdir()}


def test_a_missing_name_prunes_nothing(exports: Path, site: Path) -> None:
    """A disk that is not there is no reason to remove the pages of what was on it."""
    make_site(site, exports, exports / "lake.jsonl")
    (exports / "lake.jsonl").unlink()
    report = make_site(site, exports, exports / "lake.jsonl", prune=True)
    assert (len(report.errors), len(pages_of(site))) == (1, 2)


def test_other_options_make_everything_anew(exports: Path, site: Path) -> None:
    """A site that is made with other options is what a new one would be."""
    make_site(site, exports)
    other = Options(lang="zh-CN")
    assert make_site(site, exports, options=other).read == 2
    make_site(site.parent / "new", exports, options=other)
    assert files_of(site) == files_of(site.parent / "new")


def test_the_state_is_safe_to_delete(exports: Path, site: Path) -> None:
    """Without its state, or with a broken one, a site is read anew and not one of its files is written."""
    make_site(site, exports)
    times = times_of(site)
    (site / FILE_NAME).unlink()
    assert make_site(site, exports).written == 0
    (site / FILE_NAME).write_bytes(b"no database at all" * 100)
    assert make_site(site, exports).read == 2
    assert times_of(site) == times


def test_a_page_that_is_gone_or_cut_is_made_again(exports: Path, site: Path) -> None:
    """A page or an index that somebody has removed or cut is repaired by the next run."""
    make_site(site, exports)
    files = files_of(site)
    lake, hill = sorted(pages_of(site), reverse=True)
    (site / lake).unlink()
    (site / hill).write_bytes(files[hill][:5000])
    (site / "index.html").unlink()
    make_site(site, exports)
    assert files_of(site) == files


def test_any_number_of_processes_makes_the_same_bytes(tmp_path: Path) -> None:
    """One process and three make the same site."""
    for number in range(12):
        text = "Rain and *snow*, `code` and more. " * 3000
        write_export(tmp_path / f"in/{number}.jsonl", number + 1, [(f"Question {number}?", text)], title=f"T{number}")
    make_site(tmp_path / "one", tmp_path / "in")
    make_site(tmp_path / "three", tmp_path / "in", jobs=3)
    assert files_of(tmp_path / "one") == files_of(tmp_path / "three")
    assert len(pages_of(tmp_path / "one")) == 12


def test_each_page_of_a_conversation_has_room_for_passages(tmp_path: Path) -> None:
    """The room for passages is that of a page: the last page has its passages as the first one does."""
    results = [{"title": "Lake", "url": "https://lake.example/", "content": "It is forty metres deep. " * 30}]
    rounds = [("How deep?", "It is forty metres deep[^1^].")] * 6
    write_export(tmp_path / "in/a.jsonl", 9, rounds, results=results)
    options = Options(passage_budget=700, page_budget=1_500)
    make_site(tmp_path / "site", tmp_path / "in", limits=Limits(rounds=2), options=options)
    counts = [page.read_text("utf-8").count('class="passage-text"') for page in (tmp_path / "site").glob("A-walk-*")]
    assert counts == [2, 2, 2]


# --- What is no export, and what cannot be read ----------------------------------------------------------------


def test_files_that_are_no_exports_are_counted_and_named(exports: Path, site: Path) -> None:
    """What is no export in a folder is no error; it is named in every run, and read in the first one only."""
    (exports / "notes.txt").write_text("no export")
    (exports / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    for read in (4, 0):
        report = make_site(site, exports)
        assert (report.read, report.errors, report.warnings) == (read, (), ())
        assert [Path(name).name for name in report.no_exports] == ["notes.txt", "picture.png"]


def test_a_named_file_that_is_no_export_is_an_error_and_the_rest_goes_on(exports: Path, site: Path) -> None:
    """A file that was named must be an export: one line says that it is none, and the site is made of the rest."""
    (exports.parent / "notes.txt").write_text("no export")
    report = make_site(site, exports, exports.parent / "notes.txt")
    assert [error.split(":")[0] for error in report.errors] == [str(exports.parent / "notes.txt")]
    assert report.conversations == 2
    assert len(make_site(site, exports, exports.parent / "notes.txt").errors) == 1


def test_an_export_that_cannot_be_read_costs_itself_alone(exports: Path, site: Path) -> None:
    """An export without messages is one warning in every run until it is mended; the others are on the site."""
    (exports / "empty.jsonl").write_text('{"type":"session_export","session":{"id":5}}\n')
    for _ in range(2):
        report = make_site(site, exports)
        assert (report.conversations, len(report.warnings)) == (2, 1)
        assert report.warnings[0].startswith(f"{exports / 'empty.jsonl'}: there are no messages in it")


def test_an_export_that_is_broken_now_keeps_its_page(exports: Path, site: Path) -> None:
    """When an export can no longer be read, the page that was made of it stays and stays listed."""
    make_site(site, exports)
    (exports / "lake.jsonl").write_text("{}")
    make_site(site, exports, prune=True)
    assert len(pages_of(site)) == 2
    assert pages_of(site) == listed(site)


def test_warnings_are_said_once_and_counted_later(exports: Path, site: Path) -> None:
    """The warnings of an input are told when it is read, and counted as long as it does not change."""
    with (exports / "lake.jsonl").open("ab") as file:
        file.write(b"{broken\n")
    assert len(make_site(site, exports).warnings) == 1
    report = make_site(site, exports)
    assert (report.warnings, report.earlier) == ((), 1)


def test_a_foreign_index_is_left_alone(exports: Path, site: Path) -> None:
    """A folder with an index.html that citepage did not make gets nothing at all."""
    site.mkdir(parents=True)
    (site / "index.html").write_text("<h1>mine</h1>")
    with pytest.raises(RendererError, match="citepage did not make it"):
        make_site(site, exports)
    assert files_of(site) == {"index.html": b"<h1>mine</h1>"}


def test_a_foreign_file_of_a_pages_name_is_left_alone(exports: Path, site: Path) -> None:
    """A page does not take the place of a file that citepage did not make; it is made once that is away."""
    make_site(site, exports)
    (page,) = site.glob("The-lake-*.html")
    page.write_text("mine")
    report = make_site(site, exports)
    assert len(report.warnings) == 1
    assert page.read_text() == "mine"
    page.unlink()
    assert (make_site(site, exports).warnings, page.stat().st_size > 4) == ((), True)


def test_only_one_run_at_a_time(exports: Path, site: Path) -> None:
    """A second run in the same folder ends with one line, and the first one is not disturbed."""
    make_site(site, exports)
    with State(site), pytest.raises(RendererError, match="the state of the site cannot be opened"):
        make_site(site, exports)
    assert make_site(site, exports).conversations == 2


# --- Several exports of one conversation, several conversations of one export ----------------------------------


@pytest.mark.parametrize("bigger", ["a.jsonl", "z.jsonl"])
def test_of_two_exports_of_a_conversation_the_longer_one_counts(tmp_path: Path, bigger: str) -> None:
    """A conversation that is in two inputs has one page, that of the export with more records; it is said."""
    for name in ("a.jsonl", "z.jsonl"):
        write_export(tmp_path / "in" / name, 7, ROUNDS if name == bigger else ROUNDS[:1])
    report = make_site(tmp_path / "site", tmp_path / "in")
    (page,) = pages_of(tmp_path / "site")
    assert "Forty" in (tmp_path / "site" / page).read_text("utf-8")
    assert [[Path(name).name for name in names] for names in report.doubles] == [["a.jsonl", "z.jsonl"]]


def test_the_other_export_takes_over_when_the_longer_one_goes(tmp_path: Path) -> None:
    """When the export that counted is changed to another conversation, the page is made of the other one."""
    write_export(tmp_path / "in/a.jsonl", 7, ROUNDS[:1])
    write_export(tmp_path / "in/z.jsonl", 7, ROUNDS)
    make_site(tmp_path / "site", tmp_path / "in")
    write_export(tmp_path / "in/z.jsonl", 8, ROUNDS)
    make_site(tmp_path / "site", tmp_path / "in")
    make_site(tmp_path / "new", tmp_path / "in")
    assert files_of(tmp_path / "site") == files_of(tmp_path / "new")


def test_the_pages_of_a_share_are_joined(tmp_path: Path) -> None:
    """Files that hold the pages of one share become one conversation, whichever of them came first."""
    write_share(tmp_path / "in/new.json", 5, ROUNDS[1:], first_id=3, more=3)
    make_site(tmp_path / "site", tmp_path / "in")
    write_share(tmp_path / "in/old.json", 5, ROUNDS[:1], first_id=1, more=None)
    report = make_site(tmp_path / "site", tmp_path / "in")
    (page,) = pages_of(tmp_path / "site")
    text = (tmp_path / "site" / page).read_text("utf-8")
    assert text.index("Where is the lake?") < text.index("Is it deep?")
    assert report.doubles == ()
    assert make_site(tmp_path / "site", tmp_path / "in").read == 0


def test_a_conversation_without_an_id_is_replaced_when_it_grows(tmp_path: Path) -> None:
    """An export without an id is known by its content: when that changes, the old page goes."""
    write_export(tmp_path / "in/a.jsonl", None, ROUNDS[:1])
    make_site(tmp_path / "site", tmp_path / "in")
    before = pages_of(tmp_path / "site")
    write_export(tmp_path / "in/a.jsonl", None, ROUNDS)
    make_site(tmp_path / "site", tmp_path / "in")
    assert len(pages_of(tmp_path / "site")) == 1
    assert pages_of(tmp_path / "site") == listed(tmp_path / "site") != before


def test_every_export_in_a_zip_is_on_the_site(tmp_path: Path) -> None:
    """A zip with two exports and another file gives two pages and no warning."""
    one, two = (write_export(tmp_path / f"{id_}.jsonl", id_, ROUNDS, title=f"Number {id_}") for id_ in (1, 2))
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(one, "x/1.jsonl")
        archive.write(two, "x/2.jsonl")
        archive.writestr("x/readme.json", "{}")
    report = make_site(tmp_path / "site", tmp_path / "all.zip")
    assert (report.conversations, report.warnings, report.errors) == (2, (), ())
