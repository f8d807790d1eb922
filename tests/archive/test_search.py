"""The search of a site: what is found, how its files stand for each other, and what a change costs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.archive import search_files
from renderer.archive.postings import merged, patched, shard_text
from renderer.archive.search_files import LEVELS, level_of, number_of
from renderer.archive.search_terms import OFTEN, ONCE, QUESTION, TITLE, graded, shard_of, terms
from renderer.output import replace_if_changed
from tests.archive.site_making import Archive, add, files_of, key_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Café, the cafe!", ["the", "cafe", "the", "cafe"]),
        ("申报截止", ["申报", "报截", "截止", "止"]),
        ("用GPT４写", ["gpt4", "用", "写"]),
        ("カタカナ ｶﾀ", ["カタ", "タカ", "カナ", "ナ", "カタ", "タ"]),
        ("한국어", ["한국", "국어", "어"]),
        ("snake_case", ["snake", "case"]),
        ("", []),
        ("、。!?", []),
        ("x" * 45, ["x" * 40, "x" * 5]),
    ],
)
def test_the_terms_of_a_text(text: str, expected: list[str]) -> None:
    """Words without case, accents and width; pairs of characters for scripts without blanks, and the last one alone."""
    assert sorted(terms(text)) == sorted(expected)


def test_the_best_place_of_a_term_counts() -> None:
    """A term in the title is worth most, then one in a question, then one that an answer has three times."""
    grades = graded(
        [("title", "rain"), ("question", "rain snow"), ("answer", "snow hail hail"), ("source", "hail wind")]
    )
    assert grades == {"rain": TITLE, "snow": QUESTION, "hail": OFTEN, "wind": ONCE}


def test_what_begins_alike_is_in_the_same_file() -> None:
    """The beginning of a word, and the first character of a pair, lead to the file of all that go on from there."""
    assert len({shard_of(term, 128) for term in ("rai", "rain", "raining")}) == 1
    assert len({shard_of(term, 128) for term in ("申", "申报", "申请")}) == 1
    assert len({shard_of(term, 128) for term in ("rain", "snow", "hail", "wind", "申", "报")}) > 3


def test_lists_are_the_text_that_the_script_reads() -> None:
    """Gaps in digits of five bits, the lowest first, lists by grade, empty ones at the end left out."""
    shard = shard_text({"b": [5 * 4 + ONCE, 37 * 4 + ONCE, 1000 * 4 + TITLE], "a": [0 * 4 + QUESTION], "none": []})
    # 5, 32 more (0 and one more digit: 1), and 1000 = 8 + 31 * 32.
    assert shard == ",a:..0,b:5W1...eV"


CODES = st.dictionaries(st.integers(0, 300), st.integers(0, 3), max_size=8)
SHARDS = st.dictionaries(st.text("abc1报", min_size=1, max_size=3), CODES, max_size=8)


def _shard(postings: dict[str, dict[int, int]]) -> str:
    return shard_text(
        {term: [number * 4 + grade for number, grade in grades.items()] for term, grades in postings.items()}
    )


@given(SHARDS, SHARDS)
def test_a_shard_with_changes_is_the_shard_of_what_is_now(
    before: dict[str, dict[int, int]], changes: dict[str, dict[int, int]]
) -> None:
    """Patching gives the bytes that making the shard anew gives."""
    after = {term: dict(grades) for term, grades in before.items()}
    edits: dict[str, dict[int, int | None]] = {}
    for term, grades in changes.items():
        for number, grade in grades.items():
            if number in after.setdefault(term, {}):
                edits.setdefault(term, {})[number] = None
                del after[term][number]
            else:
                edits.setdefault(term, {})[number] = grade
                after[term][number] = grade
    assert patched(_shard(before), edits) == _shard(after)


@given(st.lists(SHARDS, min_size=1, max_size=4))
def test_parts_of_a_shard_put_together_are_the_shard(parts: list[dict[str, dict[int, int]]]) -> None:
    """It makes no difference how many pieces an index was made in; of two grades in one place the best one counts."""
    whole: dict[str, dict[int, int]] = {}
    for part in parts:
        for term, grades in part.items():
            for number, grade in grades.items():
                held = whole.setdefault(term, {})
                held[number] = max(grade, held.get(number, 0))
    assert merged([_shard(part) for part in parts]) == _shard(whole)


def test_the_number_of_a_page_does_not_depend_on_others() -> None:
    """A number is the first bits of the key, for further pages spread over all numbers."""
    level = LEVELS[0]
    assert number_of("ffe0000000", 0, level) == 0xFFE
    assert len({number_of("ffe0000000", page, level) for page in range(50)}) > 45
    assert [level_of(pages) for pages in (0, 512, 513, 10_000, 10**7)] == [LEVELS[place] for place in (0, 0, 1, 2, 3)]


# --- A site's files --------------------------------------------------------------------------------------------

WORDS = ["rain", "snow", "hail", "申报截止", "材料清单", "wind", "raining", "雨"]


def _random(archive: Archive, number: int, seed: int) -> str:
    texts = [
        " ".join(WORDS[(number * place + seed + place) % len(WORDS)] for place in range(part + 2)) for part in range(4)
    ]
    return add(archive, number, f"{WORDS[seed % len(WORDS)]} {number}", *texts, pages=1 + (number + seed) % 3)


@pytest.mark.parametrize("seed", range(8))
def test_a_changed_archive_has_the_search_of_one_made_anew(tmp_path: Path, seed: int) -> None:
    """After conversations came, went and changed, the search has the files of one without a past."""
    archive = Archive()
    for number in range(60):
        _random(archive, number, seed)
    archive.write(tmp_path / "old")
    gone, changed, come = key_of(seed), _random(archive, seed + 10, seed + 1), _random(archive, 100 + seed, seed)
    del archive.entries[gone]
    archive.write(tmp_path / "old", changed=[changed])
    assert sorted(archive.asked) == sorted([changed, come])
    archive.write(tmp_path / "new")
    assert files_of(tmp_path / "old") == files_of(tmp_path / "new")


def test_conversations_that_share_a_number_are_both_kept(tmp_path: Path) -> None:
    """Where two conversations share a number, taking one away leaves the terms of the other."""
    archive = Archive()
    for number in range(30):
        add(archive, number, f"title {number}", "alpha", "beta")
    one, other = "abc1111111", "abc2222222"
    for key, word in ((one, "rain"), (other, "rain snow")):
        twin = add(archive, 50, word, word)
        archive.entries[key] = archive.entries.pop(twin).__class__(
            key, word, "Reader", "rag-answer", "en", "", (f"{key}.html",), 1, 0, ()
        )
        archive.texts[key] = [(f"{key}.html#m-1", "question", word)]
    archive.write(tmp_path / "old")
    del archive.entries[one]
    archive.write(tmp_path / "old", changed=[])
    archive.write(tmp_path / "new")
    assert files_of(tmp_path / "old") == files_of(tmp_path / "new")


def test_nothing_changed_asks_for_nothing_and_writes_nothing(tmp_path: Path) -> None:
    """A second run over the same archive reads no text and touches no file."""
    archive = Archive()
    for number in range(20):
        _random(archive, number, 0)
    archive.write(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    archive.write(tmp_path, changed=[])
    assert archive.asked == []
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("damage", ["index", "built", "words", "texts"])
def test_a_damaged_search_is_made_anew(tmp_path: Path, damage: str) -> None:
    """When a file of the last run is not as it was, the next run with a change makes the search whole again."""
    archive = Archive()
    for number in range(20):
        _random(archive, number, 0)
    archive.write(tmp_path / "site")
    folder = tmp_path / "site" / "search"
    victims = {"index": ["index.js"], "built": ["built.txt"]}.get(damage) or [
        path.name for path in folder.iterdir() if path.name.startswith(damage[0])
    ]
    for name in victims:
        (folder / name).write_bytes(b"citepageShard('x')")
    for number in range(20):
        _random(archive, number, 1)
    archive.write(tmp_path / "site", changed=archive.entries)
    archive.write(tmp_path / "new")
    assert files_of(tmp_path / "site") == files_of(tmp_path / "new")


@pytest.mark.parametrize("writes", [0, 1, 5])
def test_a_killed_run_leaves_the_old_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    """Killed before the index is written, a run leaves every file that the old one names; the next run is as if new."""
    archive = Archive()
    for number in range(40):
        _random(archive, number, 0)
    archive.write(tmp_path / "old")
    before = files_of(tmp_path / "old" / "search")
    changed = _random(archive, 3, 5)
    left = iter(range(writes))

    def dying(path: Path, text: str) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        replace_if_changed(path, text)

    with monkeypatch.context() as patch:
        patch.setattr(search_files, "replace_if_changed", dying)
        with pytest.raises(KeyboardInterrupt):
            archive.write(tmp_path / "old", changed=[changed])
    after = files_of(tmp_path / "old" / "search")
    assert before.items() <= after.items()
    assert len(after) == len(before) + writes
    archive.write(tmp_path / "old", changed=[changed])
    archive.write(tmp_path / "new")
    assert files_of(tmp_path / "old") == files_of(tmp_path / "new")


def test_what_a_killed_run_left_is_removed(tmp_path: Path) -> None:
    """Files of a search that belong to no index any more go; files that are none of ours stay."""
    archive = Archive()
    add(archive, 1, "rain", "rain?", "yes")
    archive.write(tmp_path)
    (tmp_path / "search" / "w-1-00000000.js").write_text("old")
    (tmp_path / "search" / "notes.txt").write_text("mine")
    archive.write(tmp_path, changed=[])
    assert not (tmp_path / "search" / "w-1-00000000.js").exists()
    assert (tmp_path / "search" / "notes.txt").exists()


def test_every_file_is_one_call_with_plain_data(tmp_path: Path) -> None:
    """Whatever stands in a conversation, a file of the search is a call of one function with JSON."""
    archive = Archive()
    add(archive, 1, '");alert(1);("', "\u2028 </script> \ud800 \0 \\", "__proto__ constructor")
    archive.write(tmp_path)
    for file in (tmp_path / "search").glob("*.js"):
        whole = re.fullmatch(r"citepageShard\((.*)\)", file.read_text("utf-8"))
        assert whole
        json.loads(whole[1])
