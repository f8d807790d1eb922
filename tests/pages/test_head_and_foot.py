"""What stands around the rounds: title, facts, counts, times, language, notices, changed files, foot."""

from __future__ import annotations

import json
import re

import pytest

from renderer import Options, RendererError
from renderer.version import VERSION
from tests.pages.making import A, B, answer, attribute, one, page, page_of, question, search, words
from tests.readers.making import encoded, header, jsonl
from tests.readers.making import page as share

# --- Title -----------------------------------------------------------------------------------------------------


def test_the_title_is_the_files_own() -> None:
    """The conversation's title is the document's title and its only first heading."""
    made = page(question(1), head=header(title="Rain &\n <b>snow</b>"))
    assert made.one("title").get_text() == "Rain & <b>snow</b>"
    assert words(made.one("h1")) == "Rain & <b>snow</b>"


@pytest.mark.parametrize(("lang", "said"), [("en", "Untitled conversation"), ("zh-CN", "未命名会话")])
@pytest.mark.parametrize("title", [None, "", " \n"])
def test_a_conversation_without_title_says_so(lang: str, said: str, title: str | None) -> None:
    """Without a title the page is called that, in its own language."""
    made = page(question(1), head=header(title=title), lang=lang)
    assert (made.one("title").get_text(), words(made.one("h1"))) == (said, said)


def test_a_title_can_be_given() -> None:
    """A title that the user gives takes the place of the file's."""
    made = page(question(1), title="Mine </title><script>alert(1)</script>")
    assert made.one("title").get_text() == "Mine </title><script>alert(1)</script>"
    assert len(made.all("script:not([type])")) == 1


# --- Facts -----------------------------------------------------------------------------------------------------


def test_the_head_names_who_and_how_much() -> None:
    """Agent, owner, date and counts are in the head."""
    session = {
        "id": 5,
        "title": "T",
        "agentName": "Weather desk",
        "ownerName": "Ann",
        "createdAt": "2026-10-07T09:00:00",
    }
    data = encoded(share(question(1), *search(2, A, B), answer(4, "x[^1^][^2^]"), question(5), session=session))
    english = words(page_of(data, Options(lang="en")).one("body > header"))
    assert all(part in english for part in ("Weather desk", "shared by Ann", "2026", "2 questions", "2 sources"))
    chinese = words(page_of(data, Options(lang="zh-CN")).one("body > header"))
    assert all(part in chinese for part in ("Weather desk", "来自 Ann 的只读分享", "2026", "2 个问题", "2 个来源"))


def test_the_foot_says_what_the_input_was() -> None:
    """The foot names the version, the format, how many records there were and were left out, and the digest."""
    data = jsonl(header(), question(1), b"not json", answer(2, "Rain."))
    made = page_of(data, Options(lang="en"))
    foot = words(made.one("footer"))
    assert f"citepage {VERSION}" in foot
    assert "upstream-jsonl" in foot
    assert "2 records" in foot
    assert "1 left out" in foot
    assert re.search("[0-9a-f]{8}", foot)


# --- Time ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "stamp"),
    [
        (None, "2026-10-07T01:30:00+08:00"),
        ("Asia/Shanghai", "2026-10-07T01:30:00+08:00"),
        ("UTC", "2026-10-06T17:30:00+00:00"),
        ("America/New_York", "2026-10-06T13:30:00-04:00"),
        ("Asia/Kolkata", "2026-10-06T23:00:00+05:30"),
    ],
)
def test_times_are_shanghais_and_shown_in_the_zone_asked_for(zone: str | None, stamp: str) -> None:
    """Upstream clocks show Shanghai's time; another zone shows the same moment by its own clock."""
    made = page(question(1), head=header(createdAt="2026-10-07T01:30:00"), time_zone=zone)
    time = one(made.one("body > header"), "time")
    assert attribute(time, "datetime") == stamp
    assert stamp[11:16] in words(time)
    assert str(int(stamp[8:10])) in re.findall(r"\d+", words(time))


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "/etc/passwd", "UTC+25\x00", "雨"])
def test_a_zone_that_there_is_not_is_an_error(zone: str) -> None:
    """A name that is no zone is refused, and none of the file system is touched for it."""
    with pytest.raises(RendererError, match="time zone"):
        page(question(1), time_zone=zone)


@pytest.mark.parametrize("clock", [None, "soon", "2026-13-40T00:00:00", 1e30, -5, True, [], "9999-12-31T23:59:59"])
def test_a_time_that_is_none_is_left_out(clock: object) -> None:
    """A date that cannot be read costs the date and nothing else."""
    made = page(question(1, createdAt=clock), answer(2, "Rain.", createdAt=clock), head=header(createdAt=clock))
    assert "Rain." in made.main_text


# --- Language --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "said", "lang"),
    [
        ("雨", "rain", "zh-CN"),  # 1 of 5 letters: a fifth
        ("雨", "rains", "en"),  # 1 of 6
        ("rain", "雨 !!! 12345 ...", "zh-CN"),  # digits and signs are no letters
        ("雨雪", "rainsnow", "zh-CN"),  # 2 of 10
        ("Will it rain?", "No.", "en"),
        ("港口大桥限行吗？", "不限行。", "zh-CN"),
        ("ひらがな", "かな", "en"),  # no Han characters
        ("12345", "...", "en"),
    ],
)
def test_the_language_is_that_of_questions_and_answers(asked: str, said: str, lang: str) -> None:
    """Chinese when Han characters are a fifth or more of the letters, English otherwise."""
    made = page(question(1, asked), answer(2, said), lang="auto")
    assert attribute(made.one("html"), "lang") == lang


def test_nothing_else_decides_the_language() -> None:
    """What tools returned, the title and the agent's name do not count."""
    rows = [question(1, "Will it rain?"), *search(2, A, query="雨" * 99), answer(4, "No.")]
    assert attribute(page(*rows, head=header(title="雨" * 99, agentName="雨"), lang="auto").one("html"), "lang") == "en"


def test_a_language_asked_for_is_the_pages() -> None:
    """The page's own words are in the language asked for, whatever the conversation is in."""
    rows = [question(1, "Will it rain?"), *search(2, A), answer(4, "Yes[^1^].")]
    assert words(page(*rows, lang="zh-CN").one("section.sources summary")).startswith("来源 1")
    assert words(page(*rows, lang="en").one("section.sources summary")).startswith("Sources 1")


@pytest.mark.parametrize("lang", ["xx", "", "EN", "../en", "zh"])
def test_a_language_that_there_is_not_is_an_error(lang: str) -> None:
    """An unknown language is refused with the ones that there are."""
    with pytest.raises(RendererError, match=r"en, zh-CN"):
        page(question(1), lang=lang)


@pytest.mark.parametrize("theme", ["none", "", "../css/10-base", "paper.css"])
def test_a_theme_that_there_is_not_is_an_error(theme: str) -> None:
    """An unknown theme is refused with the ones that there are."""
    with pytest.raises(RendererError, match="paper"):
        page(question(1), theme=theme)


# --- What is missing -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "said"), [("en", "{} record"), ("zh-CN", "{} 条记录")])
def test_records_left_out_are_said_on_the_page(lang: str, said: str) -> None:
    """A notice says how many records could not be read, before the first message and among the others."""
    early = page_of(jsonl(header(), b"oops", b"[1]", question(1), answer(2, "Rain.")), Options(lang=lang))
    (notice,) = early.all('main [role="note"]')
    assert said.format(2) in words(notice)
    late = page_of(
        jsonl(header(), question(1), b"oops", answer(2, "Rain."), question(3), b'{"id":4'), Options(lang=lang)
    )
    assert [said.format(1) in words(tag) for tag in late.all('main [role="note"]')] == [True, True]
    assert (early.summary.left_out, late.summary.left_out) == (2, 2)


def test_nothing_left_out_is_not_said() -> None:
    """A page of a whole file has no notice."""
    assert page(question(1), answer(2, "Rain.")).all('main [role="note"]') == []


# --- Changed files ---------------------------------------------------------------------------------------------


def test_changed_files_stand_at_the_end() -> None:
    """The files that the agent changed come after all rounds, with what happened to them and how many lines."""
    changes = [
        {"path": "docs/rain.md", "type": "CREATED", "linesAdded": 12, "linesDeleted": 0},
        {"path": "old<b>.txt", "type": "DELETED", "linesAdded": 0, "linesDeleted": 7},
    ]
    made = page(question(1), answer(2, "Done."), head={**header(), "fileChanges": changes})
    (section,) = made.all("main .file-changes")
    assert section.find_next("article") is None
    created, deleted = (words(item) for item in section.select("li"))
    assert all(part in created for part in ("created", "docs/rain.md", "+12"))
    assert all(part in deleted for part in ("deleted", "old<b>.txt", "7"))
    assert "2" in words(one(section, "h2"))


def test_a_file_changed_by_several_messages_is_one_entry() -> None:
    """Where the file has no list of its own, the messages' changes are merged by path."""
    first = [{"path": "a.md", "type": "CREATED", "linesAdded": 3, "linesDeleted": 0}]
    second = [
        {"path": "a.md", "type": "MODIFIED", "linesAdded": 2, "linesDeleted": 1},
        {"path": "b.md", "type": "MODIFIED", "linesAdded": 1, "linesDeleted": 1},
    ]
    made = page(question(1), answer(2, "One.", fileChanges=first), answer(3, "Two.", fileChanges=second))
    items = [words(item) for item in made.all("main .file-changes li")]
    assert len(items) == 2
    assert all(part in items[0] for part in ("created", "a.md", "+5", "1"))
    assert "b.md" in items[1]


# --- Rounds ----------------------------------------------------------------------------------------------------


def test_rows_before_the_first_question_are_shown_first() -> None:
    """A beginning without a question is a round of its own."""
    made = page_of(jsonl(answer(1, "Before."), question(2, "Now?"), answer(3, "After.")), Options(lang="en"))
    assert [attribute(a, "data-message-id") for a in made.all("main article")] == ["1", "2", "3"]
    assert len(made.all("main section.round")) == 2
    assert made.summary.questions == 1
    assert "1 question" in words(made.one("body > header"))


def test_the_summary_counts_what_the_page_shows() -> None:
    """Questions, sources, records, records left out and removed markers are the caller's to know."""
    bad = json.dumps(
        {"citations": [{"n": 1, "url": A, "title": ""}, {"n": 2, "url": "https://no.example/", "title": ""}]}
    )
    data = jsonl(
        header(), question(1), *search(2, A), b"oops", answer(4, "x[^1^] y[^2^] z[^9^]", metadata=bad), question(5)
    )
    summary = page_of(data).summary
    assert (summary.questions, summary.sources, summary.records) == (2, 1, 5)
    assert (summary.left_out, summary.removed) == (1, 2)
    assert [problem.line for problem in summary.problems if "marker" in problem.what] == [6, 6]
