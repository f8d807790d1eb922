"""`citepage verify`: was a passage changed after the page was made (`contract.md` §1)."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renderer.errors import RendererError
from renderer.pipeline.verifying import verify
from renderer.proof.verify import check_passages
from tests.readers.making import encoded
from tests.retrieval.making import CONTRACT, cited, page, saved, source
from tests.writers.running import Citepage

TEXT = "The penalty is 5%.\nIt is due in May.\nThe court is in Bremen & Hamburg."
MADE = page(
    cited("The penalty is 5%[1]. The court is in Hamburg[2].", source(1, TEXT), source(2, "Hamburg <court>."))
).html


def changed(html: str) -> list[str]:
    """The ids of the passages that were changed."""
    return [check.id for check in check_passages(html) if not check.intact]


def edited(old: str, new: str) -> str:
    """The page with one thing changed, once."""
    assert old in MADE
    return MADE.replace(old, new, 1)


def test_a_page_as_it_was_made_is_intact() -> None:
    """Each passage of a fresh page is found, in order, and as it was."""
    checks = check_passages(MADE)
    assert [(check.id, check.intact) for check in checks] == [("pas-a1-1", True), ("pas-a1-2", True)]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("5%.</mark>", "6%.</mark>"),
        ("5%.</mark>", "5%</mark>"),
        ("is due", "is  due"),
        ("in May", "in may"),
        ("Bremen &amp; Hamburg", "Bremen and Hamburg"),
        ("<p>It is due in May.</p>\n", ""),
        ("<p>It is due in May.</p>", "<p></p>"),
        ("<p>It is due in May.</p>", "<p>It is due in May.</p>\n<p>Or in June.</p>"),
        ("<p>It is due in May.</p>", "<p>It is due in May.</p>\n<p></p>"),
        ("<p>It is due in May.</p>", "Not so. <p>It is due in May.</p>"),
        ("<p>It is due in May.</p>", "<p>It is due in May.</p> Not so."),
        ("<p>It is due in May.</p>", "<p>It is due in May.</p><div>Not so.</div>"),
        ("<p>It is due in May.</p>", "<p>It is due in May.</p><ul><li>Not so.</li></ul>"),
        ("<p>It is due in May.</p>", "<p>It is <b>not</b> due in May.</p>"),
        ("<p>It is due in May.</p>", "<p>It is due in May&#33;</p>"),
    ],
)
def test_a_change_of_any_kind_is_found(old: str, new: str) -> None:
    """A letter changed, a paragraph removed or added, text between two: that passage is named, and nothing else."""
    assert changed(edited(old, new)) == ["pas-a1-1"]


@pytest.mark.parametrize(("old", "new"), [('data-digest="', 'data-digest="0'), (' data-digest="', ' data-sum="')])
def test_a_lost_digest_is_a_change(old: str, new: str) -> None:
    """A passage whose digest is another or gone cannot be vouched for, nor can the list that it belongs to."""
    assert changed(edited(old, new)) == ["pas-a1-1", "the sources of m-a1"]


PLACED = page(
    cited(
        "The penalty is 5%[1]. The court is in Hamburg[2].",
        source(
            1,
            TEXT,
            "A title of more than sixty characters, which is cut where it is shown, and whole in its hint",
            page=7,
            section="3.2 Penalty",
            url="https://a.example/contract.pdf",
            retrieved_at="2026-11-30T23:30:00Z",
        ),
        source(2, "Hamburg <court>.", status="gone", url="https://a.example/court"),
        source(3, ""),
    ),
    cited("It rains[1].", source(1, "It rains in the town.")),
).html


def cut_out(start: str, end: str) -> str:
    """The page without its first part from `start` to `end`, both included."""
    first = PLACED.index(start)
    return PLACED[:first] + PLACED[PLACED.index(end, first) + len(end) :]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("P7 · ", "P8 · "),
        ("3.2 Penalty", "3.1 Penalty"),
        ("2026-11-30T23:30:00+00:00", "2026-11-29T23:30:00+00:00"),
        ("30 Nov 2026, 23:30", "29 Nov 2026, 23:30"),
        ("<bdi>A title of", "<bdi>The title of"),
        (' title="A title of', ' title="The title of'),
        ('href="https://a.example/contract.pdf#', 'href="https://b.example/contract.pdf#'),
        ('data-url="https://a.example/contract.pdf"', 'data-url="https://b.example/contract.pdf"'),
        ("contract.pdf#page=7", "contract.pdf#page=8"),
        ('data-verdict="returned"', 'data-verdict="opened"'),
        ("passage stored with the answer", "opened in this conversation"),
        ('data-status="gone"', 'data-status="ok"'),
        ("The original is gone; ", ""),
        (' data-sources-digest="', ' data-sources-digest="0'),
        (' data-sources-digest="', ' data-sum="'),
    ],
)
def test_what_is_said_of_a_source_is_bound_too(old: str, new: str) -> None:
    """Page, section, time, title, link, verdict and status of a source are bound: the list that changed is named."""
    assert old in PLACED
    assert changed(PLACED.replace(old, new, 1)) == ["the sources of m-a1"]


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ('<details class="passage"', "</details>"),
        ('<div class="passage-text"', "</div>"),
        ('<li class="source" id="src-a1-2"', "</li>"),
        ('<li class="source" id="src-a1-3"', "</li>"),
        ('<section class="sources"', "</section>"),
        ('<p class="passage-facts"', "</p>"),
        ('<span class="source-place"', "</span>"),
    ],
)
def test_what_was_taken_out_whole_is_missed(start: str, end: str) -> None:
    """A passage, an entry or a list that was taken out whole, or a part of what is said of it, is missed."""
    assert changed(cut_out(start, end)) == ["the sources of m-a1"]


def test_an_entry_put_in_or_moved_is_a_change() -> None:
    """An entry added to a list, or at another place in it, is a change of the list, and of no other."""
    start = PLACED.index('<li class="source" id="src-a1-2"')
    end = PLACED.index('<li class="source" id="src-a1-3"')
    entry = PLACED[start:end]
    assert changed(PLACED.replace(entry, entry + entry.replace("a1-2", "a1-9"), 1)) == ["the sources of m-a1"]
    after = PLACED.index("</li>\n", end) + len("</li>\n")
    assert changed(PLACED[:start] + PLACED[end:after] + entry + PLACED[after:]) == ["the sources of m-a1"]
    last = PLACED.rindex('<li class="source"')
    assert changed(PLACED[:last] + entry + PLACED[last:]) == ["the sources of m-a2"]


def test_passages_that_changed_places_are_a_change() -> None:
    """A passage belongs to its source: two whole passages with their digests cannot change places."""
    first, second = (
        PLACED[at : PLACED.index("</div>", at)]
        for at in (PLACED.index('<div class="passage-text"'), PLACED.rindex('<div class="passage-text"'))
    )
    swapped = PLACED.replace(first, "\f", 1).replace(second, first, 1).replace("\f", second, 1)
    assert changed(swapped) == ["the sources of m-a1", "the sources of m-a2"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<details open>", "<details>"),
        ("</li>\n<li", "</li> <li"),
        ('href="#ref-a1-1-1"', 'href="file:///page.html#ref-a1-1-1"'),
        ('<li class="source" id="src-a1-1"', '<li class="source cite-flash" id="src-a1-1"'),
    ],
)
def test_what_a_browser_changes_when_it_saves_a_page_is_no_change(old: str, new: str) -> None:
    """Folds that were opened or closed, blanks between tags, ways back written in full and a flash change nothing."""
    assert old in PLACED
    assert changed(PLACED.replace(old, new, 1)) == []


def test_paragraphs_in_another_order_are_a_change() -> None:
    """The order of paragraphs is a part of a passage."""
    second, third = "<p>It is due in May.</p>\n", "<p>The court is in Bremen &amp; Hamburg.</p>\n"
    assert changed(edited(second + third, third + second)) == ["pas-a1-1"]


def test_two_changed_passages_are_both_named() -> None:
    """Each passage is judged by itself."""
    assert changed(MADE.replace("5%.</mark>", "6%.</mark>", 1).replace("&lt;court&gt;", "court", 1)) == [
        "pas-a1-1",
        "pas-a1-2",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<mark>", "<mark class='x'>"),
        ('<div class="passage-text"', '<div lang="en" class="passage-text"'),
        ("It is due in May.", "It is due in M&#97;y."),
        ("</style>", "body { color: red }</style>"),
    ],
)
def test_what_is_no_change_of_words_is_none(old: str, new: str) -> None:
    """Markup around the words, another way to write a character, or a change elsewhere leave the passages intact."""
    assert changed(edited(old, new)) == []


@settings(max_examples=40)
@given(
    st.text(alphabet="ab 。.\n\r\t<>&\"'\x00\ufdd0雨\u2028!-/", min_size=1, max_size=30),
    st.text(alphabet="ab 。.\n<>&\"'雨!-/", min_size=1, max_size=30),
)
def test_every_page_is_intact_as_it_was_made(first: str, second: str) -> None:
    """Whatever the passages hold, nothing is called changed that was not."""
    made = page(cited("ab 雨[1]. 雨[2]", source(1, first, second, section=first), source(2, second, first or "b")))
    assert changed(made.html) == []


# --- The command -----------------------------------------------------------------------------------------------


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """A folder with a page as it was made, one that was changed, and a file that is no page of ours."""
    saved(tmp_path, "good.html", MADE)
    saved(tmp_path, "bad.html", edited("5%.</mark>", "6%.</mark>"))
    saved(tmp_path, "foreign.html", "<!doctype html><p>Hello</p>")
    saved(tmp_path, "empty.html", page(cited("It rains.")).html)
    return tmp_path


@pytest.mark.usefixtures("pages")
def test_an_intact_page_exits_0(citepage: Citepage) -> None:
    """A page as it was made is said to be so, with the number of its passages."""
    run = citepage("verify", "good.html")
    assert (run.code, run.err) == (0, "")
    assert run.out.decode() == "good.html: 2 passages as they were made\n"


@pytest.mark.usefixtures("pages")
def test_a_changed_page_exits_1(citepage: Citepage) -> None:
    """A changed passage is named by file and id."""
    run = citepage("verify", "bad.html")
    assert (run.code, run.err) == (1, "")
    assert run.out.decode() == "bad.html: changed: pas-a1-1\n"


@pytest.mark.usefixtures("pages")
@pytest.mark.parametrize("name", ["foreign.html", "missing.html", "."])
def test_what_is_no_page_of_ours_exits_2(citepage: Citepage, name: str) -> None:
    """Another's page, no file and a folder are one line each."""
    assert citepage("verify", name).error.startswith(f"citepage: error: {name}: ")


@pytest.mark.usefixtures("pages")
def test_several_pages_are_checked_each(citepage: Citepage) -> None:
    """One changed page does not keep the others from being checked, nor does one that cannot be read."""
    run = citepage("verify", "bad.html", "good.html", "empty.html")
    assert run.code == 1
    assert [line.split(":")[0] for line in run.out.decode().splitlines()] == ["bad.html", "good.html", "empty.html"]
    mixed = citepage("verify", "foreign.html", "good.html", "bad.html")
    assert mixed.code == 2
    assert mixed.out.decode().splitlines() == [
        "good.html: 2 passages as they were made",
        "bad.html: changed: pas-a1-1",
    ]
    assert len(mixed.lines) == 1


@pytest.mark.usefixtures("pages")
def test_a_page_without_passages_is_intact(citepage: Citepage) -> None:
    """Where there is nothing to change nothing was changed."""
    assert citepage("verify", "empty.html").code == 0


@pytest.mark.usefixtures("pages")
def test_quiet_says_only_what_was_changed(citepage: Citepage) -> None:
    """--quiet keeps the good news to itself."""
    assert citepage("verify", "--quiet", "good.html").out == b""
    assert citepage("verify", "--quiet", "good.html", "bad.html").out == b"bad.html: changed: pas-a1-1\n"


def test_a_page_is_verified_as_it_was_written(citepage: Citepage, tmp_path: Path) -> None:
    """What `render` writes, `verify` calls intact, from a file and from standard input."""
    saved(tmp_path, "in.json", encoded(CONTRACT))
    assert citepage("render", "in.json", "-o", "out.html").code == 0
    assert citepage("verify", "out.html").out == b"out.html: 2 passages as they were made\n"
    assert citepage("verify", "-", stdin=(tmp_path / "out.html").read_bytes()).code == 0


@settings(max_examples=60)
@given(st.integers(min_value=0, max_value=len(PLACED)))
def test_a_page_that_is_cut_off_anywhere_is_not_intact(length: int) -> None:
    """Wherever the end of a page is missing it is not intact, or no page of ours any more."""
    with tempfile.TemporaryDirectory() as folder:
        file = saved(Path(folder), "cut.html", PLACED[:length])
        try:
            intact = all(check.intact for check in verify(str(file)))
        except RendererError:
            intact = False
    assert intact == (PLACED[:length].rstrip() == PLACED.rstrip())


def test_a_page_that_ends_before_its_passages_is_not_intact(citepage: Citepage) -> None:
    """A page of which the end is missing is never called as it was made, though no passage of it is left to compare."""
    Path("cut.html").write_text(MADE[: MADE.index("</header>")], encoding="utf-8")
    run = citepage("verify", "cut.html")
    assert run.code == 1
    assert b"the page is cut off" in run.out
