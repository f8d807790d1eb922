"""A long conversation becomes pages of rounds that lead to each other; a short one stays one page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TextIO

from bs4 import BeautifulSoup, Tag

from renderer.model import Conversation, FileChange, FileChanges, Message, Origin, Role, Round, Text
from renderer.options import DEFAULTS, Limits, Options
from renderer.writers.series import Series, SeriesSummary, write_series

SMALL = Limits(size=40_000, rounds=4)


@dataclass
class _Written:
    """The pages by their names, and the page of each round by its index."""

    pages: dict[str, str] = field(default_factory=dict)
    rounds: dict[int, str] = field(default_factory=dict)
    summary: SeriesSummary | None = None

    def soup(self, name: str) -> BeautifulSoup:
        return BeautifulSoup(self.pages[name], "html.parser")


def _write(conversation: Conversation, limits: Limits = SMALL, options: Options = DEFAULTS) -> _Written:
    written = _Written()

    @contextmanager
    def opened(name: str) -> Iterator[TextIO]:
        file = io.StringIO(newline="")
        yield file
        written.pages[name] = file.getvalue()

    series = Series(
        lambda number: f"talk-p{number}.html",
        opened,
        lambda round_, page: written.rounds.update({round_.checked.round.index: page}),
    )
    written.summary = write_series(conversation, series, options=options, limits=limits)
    return written


def _conversation(rounds: int, answer: str = "An answer.", changes: int = 0) -> Conversation:
    origin = Origin("upstream-jsonl", ("x.jsonl",), "0" * 64)
    return Conversation("1", "A talk", origin, tuple(_round(n, answer, changes) for n in range(1, rounds + 1)))


def _round(n: int, answer: str, changes: int) -> Round:
    changed = FileChanges(tuple(FileChange(f"f{n}-{k}.py", "CREATED", patch="+x\n" * 400) for k in range(changes)))
    reply = Message(f"a{n}", Role.ASSISTANT, (Text(f"{answer} {n}"), *((changed,) if changes else ())))
    return Round(n, Message(f"q{n}", Role.USER, (Text(f"Question {n}?"),)), (reply,))


def _hrefs(soup: BeautifulSoup, selector: str) -> list[str]:
    return [str(link["href"]) for link in soup.select(selector)]


def test_a_short_conversation_is_one_page_that_leads_to_the_index() -> None:
    """Within the limits there is one page, with a way to the index and none to another page."""
    written = _write(_conversation(4))
    assert list(written.pages) == ["talk-p1.html"]
    soup = written.soup("talk-p1.html")
    assert _hrefs(soup, ".series a") == ["index.html"]
    assert not soup.select(".series-end, [data-ids]")


def test_rounds_are_cut_at_the_number_that_a_page_may_hold() -> None:
    """Ten rounds at four a page are three pages, in order and without a gap."""
    written = _write(_conversation(10))
    assert [written.rounds[n] for n in range(1, 11)] == [f"talk-p{1 + (n - 1) // 4}.html" for n in range(1, 11)]
    questions = [
        q.get_text() for name in sorted(written.pages) for q in written.soup(name).select(".question .as-written")
    ]
    assert questions == [f"Question {n}?" for n in range(1, 11)]
    assert written.summary is not None
    assert (written.summary.pages, written.summary.questions) == (("talk-p1.html", "talk-p2.html", "talk-p3.html"), 10)


def test_no_page_is_bigger_than_allowed_unless_one_round_is() -> None:
    """Pages are cut by size; a round that is over it stands alone, and the rounds around it are not lost."""
    conversation = _conversation(9, "A long answer. " * 800)
    big = _round(5, "Longer. " * 9000, 0)
    rounds = [big if round_.index == 5 else round_ for round_ in conversation.rounds]
    written = _write(replace(conversation, rounds=tuple(rounds)), Limits(size=40_000, rounds=100))
    alone = [n for n, page in written.rounds.items() if page == written.rounds[5]]
    assert (alone, len(written.rounds)) == ([5], 9)
    for name in set(written.pages) - {written.rounds[5]}:
        mains = written.soup(name).select(".round")
        assert len(mains) >= 1
        assert sum(len(str(main).encode()) for main in mains) <= 42_000


def test_pages_lead_to_each_other() -> None:
    """Each page has ways to the page before, the page after and the first, where there are such."""
    written = _write(_conversation(10))
    ways = {
        name: tuple(sorted(set(_hrefs(written.soup(name), ".series-ways a[rel], .series-ways .series-first"))))
        for name in written.pages
    }
    assert ways == {
        "talk-p1.html": ("talk-p2.html",),
        "talk-p2.html": ("talk-p1.html", "talk-p3.html"),
        "talk-p3.html": ("talk-p1.html", "talk-p2.html"),
    }
    for name in written.pages:
        soup = written.soup(name)
        assert _hrefs(soup, ".series-end a") == _hrefs(soup, ".series-ways a")[1:]


def test_the_first_page_lists_all_pages_and_what_they_hold() -> None:
    """Without any script there is a list of the pages with the range of their questions and how they begin."""
    soup = _write(_conversation(10)).soup("talk-p1.html")
    items = [" ".join(item.get_text(" ").split()) for item in soup.select(".series-pages li")]
    assert items == ["Questions 1–4 Question 1?", "Questions 5–8 Question 5?", "Questions 9–10 Question 9?"]
    assert _hrefs(soup, ".series-pages a") == ["talk-p1.html", "talk-p2.html", "talk-p3.html"]


def test_the_first_page_knows_where_each_message_stands() -> None:
    """The hashes of the list are the FNV-1a hashes of the ids of each page's messages, in order."""
    item = _write(_conversation(10)).soup("talk-p1.html").select(".series-pages li")[2]
    # By hand with https://www.ietf.org/archive/id/draft-eastlake-fnv-35.html: fnv1a32 of q9, a9, q10, a10.
    assert str(item["data-ids"]) == "".join(f"{_fnv1a(name):08x}" for name in ("q9", "a9", "q10", "a10"))
    assert _fnv1a("foobar") == 0xBF9CF968  # a published test vector


def _fnv1a(text: str) -> int:
    value = 2166136261
    for char in text:
        value = (value ^ ord(char)) * 16777619 % 2**32
    return value


def test_ids_are_unique_in_the_whole_conversation() -> None:
    """A message whose id was seen on an earlier page gets one that no page has."""
    conversation = _conversation(8)
    same = [
        replace(round_, question=replace(round_.question, id="same"))
        for round_ in conversation.rounds
        if round_.question is not None
    ]
    written = _write(replace(conversation, rounds=tuple(same)))
    ids = [str(tag["id"]) for name in written.pages for tag in written.soup(name).select("article.message")]
    assert len(ids) == len(set(ids)) == 16


def test_full_pages_stay_when_a_conversation_grows() -> None:
    """A round more changes the first page and the last; the pages between, which were full, stay to the byte."""
    before, after = _write(_conversation(14)), _write(_conversation(15))
    changed = {name for name in after.pages if before.pages[name] != after.pages[name]}
    assert changed == {"talk-p1.html", "talk-p4.html"}


def test_the_first_page_counts_all_and_the_others_themselves() -> None:
    """The head of the first page counts the questions of the whole conversation, that of another page its own."""
    written = _write(_conversation(10))
    counts = [written.soup(name).select(".page-meta span")[-1].get_text() for name in sorted(written.pages)]
    assert counts == ["10 questions", "4 questions", "2 questions"]


def test_each_page_has_a_title_of_its_own() -> None:
    """The pages of a conversation can be told apart by their titles."""
    written = _write(_conversation(10))
    titles = [written.soup(name).select("title")[0].get_text() for name in sorted(written.pages)]
    assert titles == ["A talk", "A talk (page 2)", "A talk (page 3)"]


def test_changed_files_stand_once_at_the_end() -> None:
    """The changed files are on the last page where there is room, and on a page of their own where there is none."""
    cases = ((200_000, "Short.", "talk-p2.html", 2), (40_000, "Long. " * 2500, "talk-p3.html", 2))
    for size, answer, last, rounds in cases:
        written = _write(_conversation(6, answer, changes=1), Limits(size=size, rounds=4))
        assert [name for name in sorted(written.pages) if written.soup(name).select(".file-changes")] == [last]
        assert len(written.soup(last).select(".round")) == rounds


def test_each_page_has_its_own_address() -> None:
    """With a base address each page names its own as the canonical one."""
    written = _write(_conversation(5), options=Options(base_url="https://example.org/chats/"))
    for name in written.pages:
        link = written.soup(name).select_one("link[rel=canonical]")
        assert isinstance(link, Tag)
        assert link["href"] == f"https://example.org/chats/{name}"


def test_the_pages_of_a_long_conversation_end_where_the_next_begins() -> None:
    """The ranges of questions have no gap and no overlap."""
    items = _write(_conversation(33)).soup("talk-p1.html").select(".series-pages li a")
    ranges = [[int(n) for n in item.get_text().split()[-1].split("–")] for item in items]
    assert ranges[0][0] == 1
    assert all(following[0] == one[-1] + 1 for one, following in pairwise(ranges))
    assert ranges[-1][-1] == 33
