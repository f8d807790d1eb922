"""The changed files at the end of a page, and their diffs."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from bs4 import Tag

from renderer.model import FileChange
from renderer.pages import diffs
from renderer.pages.diffs import MAX_DIFF, cut, diff_text, parts_of
from renderer.writers.changes_section import MAX_DIFFS
from tests.pages.making import Page, answer, page, page_of, question, words
from tests.readers.making import row

PATCH = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+c\n-- d\n"


def changed(*files: dict[str, Any], head: dict[str, Any] | None = None, lang: str = "en") -> Page:
    """The page of one answer that changed these files."""
    return page(question(1), answer(2, "done", fileChanges=list(files)), head=head, lang=lang)


def patched(patch: str, **more: Any) -> dict[str, Any]:
    """A file with a patch."""
    return {"path": "x", "type": "MODIFIED", "diffMode": "PATCH", "patchContent": patch, **more}


def whole(before: str | None, after: str | None, **more: Any) -> dict[str, Any]:
    """A file as it was and as it is."""
    return {
        "path": "x",
        "type": "MODIFIED",
        "diffMode": "SNAPSHOT",
        "beforeContent": before,
        "afterContent": after,
    } | more


def entry(made: Page) -> Tag:
    """The one file of a page."""
    return made.one(".file-changes li")


def test_a_patch_is_shown_as_it_is() -> None:
    """A diff is folded, complete to the letter, with the changed lines marked by sign and element."""
    made = changed(patched(PATCH, linesAdded=1, linesDeleted=2))
    assert words(made.one(".file-changes details.diff:not([open]) > summary")) == "modified x +1 −2"
    assert made.one(".diff pre[tabindex='0'] > code").get_text() == PATCH
    assert [tag.get_text() for tag in made.all(".diff ins")] == ["+c\n"]
    assert [tag.get_text() for tag in made.all(".diff del")] == ["-b\n", "-- d\n"]


def test_names_of_files_are_no_changed_lines() -> None:
    """`---` and `+++` are names before a hunk and lines in one."""
    assert parts_of("--- a\n+++ b\n@@ -1 +1 @@\n--- a\n+++ b\n--- c\n") == (
        ("place", "--- a\n+++ b\n@@ -1 +1 @@\n"),
        ("deleted", "--- a\n"),
        ("added", "+++ b\n"),
        ("place", "--- c\n"),
    )


def test_signs_count_where_no_hunk_is_named() -> None:
    """A patch without any `@@` is read by its signs."""
    assert parts_of(" a\n-b\n+c") == (("", " a\n"), ("deleted", "-b\n"), ("added", "+c"))


def test_before_and_after_are_compared() -> None:
    """Whole files become a unified diff, whose counts stand in for missing ones."""
    lines = [f"line {n}\n" for n in range(1, 21)]
    made = changed(whole("".join(lines), "".join([*lines[:9], "new\n", *lines[10:]])))
    expected = "@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+new\n line 11\n line 12\n line 13\n"
    assert made.one(".diff pre > code").get_text() == expected
    assert words(made.one(".diff .file-lines")) == "+1 −1"


@pytest.mark.parametrize(
    ("before", "after", "kind", "expected"),
    [
        pytest.param(None, "a\nb\n", "CREATED", "created x +2 −0", id="created"),
        pytest.param("a\n", None, "DELETED", "deleted x +0 −1", id="deleted"),
        pytest.param("a", "a\n", "MODIFIED", "modified x +1 −1", id="only the line end"),
    ],
)
def test_files_come_and_go(before: str | None, after: str | None, kind: str, expected: str) -> None:
    """A new or deleted file is all added or all deleted."""
    assert words(changed(whole(before, after, type=kind)).one(".diff > summary")) == expected


def test_a_missing_line_end_is_said() -> None:
    """As in any unified diff, a last line without its end is followed by a line that says so."""
    text = diff_text(FileChange("x", "MODIFIED", before="a", after="a\n"))
    assert text == "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"


def test_without_a_diff_there_is_only_the_line() -> None:
    """A binary file is named, with the file's own reason."""
    made = changed({"path": "a.png", "type": "MODIFIED", "diffMode": "NONE", "diffUnavailableReason": "binary <b>"})
    assert made.all(".file-changes details") == []
    assert words(entry(made)).replace(" ", "") == "modifieda.pngbinary<b>"


def test_a_hostile_patch_is_text() -> None:
    """Tags, entities and control characters in a patch or path do nothing."""
    bad = "@@ -1 +1 @@\n-</code></pre><script>alert(1)</script>\n+&lt;\x1b[31m\ufdd0\n"
    made = changed(patched(bad, path="</li><script>"))
    assert made.one(".diff pre > code").get_text() == bad.replace("\x1b", "").replace("\ufdd0", "")
    assert len(made.all("script:not([type])")) == 1


def test_a_long_diff_is_cut_and_says_so() -> None:
    """What is over the limit is left out at a line end, and a notice gives both sizes."""
    patch = "@@ -0,0 +1,99999 @@\n" + "+x\n" * MAX_DIFF
    made = changed(patched(patch))
    shown = made.one(".diff pre > code").get_text()
    assert patch.startswith(shown)
    assert MAX_DIFF - 3 < len(shown) <= MAX_DIFF
    assert shown.endswith("\n")
    (notice,) = made.all(".diff [role=note]")
    assert (str(len(shown)) in words(notice), str(len(patch)) in words(notice)) == (True, True)
    assert made.all(".file-lines") == []


def test_a_diff_that_the_file_cut_says_so() -> None:
    """A patch that came incomplete is shown with a notice."""
    assert len(changed(patched(PATCH, patchTruncated=True)).all(".diff [role=note]")) == 1


def test_there_is_a_limit_for_the_page() -> None:
    """When a page has no room for diffs any more, files are still listed, with a notice in place of the diff."""
    patch = "+" + "x" * (MAX_DIFF - 2) + "\n"
    count = MAX_DIFFS // MAX_DIFF
    made = page(question(1), answer(2, "a", fileChanges=[patched(patch, path=f"f{n}") for n in range(count + 2)]))
    assert [words(tag) for tag in made.all(".file-path")] == [f"f{n}" for n in range(count + 2)]
    assert [len(tag.select("pre")) for tag in made.all(".diff")] == [1] * count + [0, 0]
    assert [len(tag.select("[role=note]")) for tag in made.all(".diff")] == [0] * count + [1, 1]


def test_a_cut_is_at_a_line_end() -> None:
    """Only whole lines are kept."""
    assert cut("ab\ncd\n", 4) == "ab\n"
    assert cut("ab\n", 0) == cut("ab\n", -5) == ""


def test_diffs_of_one_file_stand_together() -> None:
    """A file that two messages changed is one entry with both diffs in order and the sum of its counts."""
    made = page(
        question(1),
        answer(2, "a", fileChanges=[patched("+1", linesAdded=1, linesDeleted=0), patched("+y", path="y")]),
        question(3),
        answer(4, "b", fileChanges=[patched("-1\n-2", linesAdded=0, linesDeleted=2)]),
    )
    assert [words(tag) for tag in made.all(".diff > summary")] == ["modified x +1 −2", "modified y +1 −0"]
    assert [tag.get_text() for tag in made.all(".diff pre > code")] == ["+1", "-1\n-2", "+y"]


def test_the_list_of_the_whole_conversation_leads() -> None:
    """What the head of an export says of its files is shown; diffs come from the messages, and so do other files."""
    head = json.loads('{"type": "session_export", "schemaVersion": 1, "session": {"id": 1}}')
    head["fileChanges"] = [{"path": "x", "type": "CREATED", "linesAdded": 7, "linesDeleted": 0}]
    made = changed(patched(PATCH), {"path": "z", "type": "DELETED"}, head=head)
    assert [words(tag) for tag in made.all(".file-row")] == ["created x +7 −0", "deleted z"]
    assert made.one(".diff pre > code").get_text() == PATCH


def test_what_cannot_be_compared_in_time_is_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the first and the last difference of big files all lines count as changed, and the hunk's numbers fit."""
    monkeypatch.setattr(diffs, "MAX_WORK", 0)
    before, after = "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\ny\n7\n8\n9\n"
    text = diff_text(FileChange("x", "MODIFIED", before=before, after=after))
    assert text == "@@ -2,8 +2,9 @@\n 2\n 3\n 4\n-5\n-6\n+x\n+6\n+y\n 7\n 8\n 9\n"
    assert diff_text(FileChange("x", "MODIFIED", before=before, after=before)) == ""


@pytest.mark.parametrize("period", [2, 97, 1999])
def test_no_comparison_takes_long(period: int) -> None:
    """Files that are made to be hard to compare cost no more than seconds."""
    lines = [f"{n % period}\n" for n in range(1999)]
    start = time.process_time()
    diff_text(FileChange("x", "MODIFIED", before="".join(lines), after="".join(reversed(lines))))
    diff_text(FileChange("x", "MODIFIED", before="".join(lines * 9), after="".join(reversed(lines * 9))))
    assert time.process_time() - start < 5


def test_no_changes_no_section() -> None:
    """A conversation that changed no file has no list of files."""
    assert page_of((json.dumps(row(1, "USER", "a")) + "\n").encode()).all(".file-changes") == []
