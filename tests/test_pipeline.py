"""The way from a file to a page as a whole, and what was asked of the first version."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from renderer import Conversation, Options, RendererError
from renderer.model import Origin
from renderer.pipeline.choosing import choose
from renderer.pipeline.rendering import file_stem
from tests.pages.making import attribute, one, words
from tests.writers.running import Citepage

CASES = Path(__file__).parent / "cases"
TWO_ROUNDS = CASES / "two-rounds" / "input.jsonl"


@pytest.fixture
def citepage(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Citepage:
    """Runs the program in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Citepage(capfdbinary, monkeypatch)


@dataclass(frozen=True)
class Shown:
    """An answer as the page shows it: its numbers in the text, and k, n, verdict and address of each entry."""

    numbers: list[str]
    entries: list[tuple[str, str, str, str]]


def shown(soup: BeautifulSoup, message_id: str) -> Shown:
    article = one(soup, f'article[data-message-id="{message_id}"]')
    entries = [
        (
            attribute(item, "data-k"),
            attribute(item, "data-n"),
            attribute(item, "data-verdict"),
            attribute(one(item, "a.source-title"), "href"),
        )
        for item in article.select("li.source")
    ]
    return Shown([words(sup) for sup in article.select("sup.cite-ref")], entries)


# --- The first version -----------------------------------------------------------------------------------------


def test_a_conversation_of_two_rounds(citepage: Citepage) -> None:
    """Both answers show [1] [2] [3], every entry was returned by a tool of its round, and nothing is wrong."""
    run = citepage("render", TWO_ROUNDS, "-o", "-", "--strict")
    assert (run.code, run.err) == (0, "")
    first, second = shown(run.soup, "304"), shown(run.soup, "308")
    assert first.numbers == ["[1]", "[2]", "[3]", "[1]"]
    assert first.entries == [
        ("1", "1", "returned", "https://meteo.example.org/zermatt"),
        ("2", "2", "returned", "https://snow.example.com/reports/zermatt?day=tomorrow&lang=en"),
        ("3", "4", "returned", "https://pistes.example.com/zermatt/lifts"),
    ]
    assert second.numbers == ["[3]", "[1]", "[1]", "[2]"]
    assert second.entries == [
        ("1", "2", "returned", "https://rain.example.org/norway/bergen"),
        ("2", "3", "returned", "https://coast.example.com/storm-warnings"),
        ("3", "5", "returned", "https://rain.example.org/records"),
    ]
    assert run.soup.select("[data-removed]") == []


@pytest.mark.parametrize(
    ("message", "address", "markers", "numbers", "left"),
    [
        ("304", "https://meteo.example.org/zermatt", 2, ["[1]", "[2]"], ["2", "4"]),
        ("304", "https://snow.example.com/reports/zermatt", 1, ["[1]", "[2]", "[1]"], ["1", "4"]),
        ("304", "https://pistes.example.com/zermatt/lifts", 1, ["[1]", "[2]", "[1]"], ["1", "2"]),
        ("308", "https://rain.example.org/norway/bergen", 2, ["[2]", "[1]"], ["3", "5"]),
        ("308", "https://coast.example.com/storm-warnings", 1, ["[2]", "[1]", "[1]"], ["2", "5"]),
        ("308", "https://rain.example.org/records", 1, ["[1]", "[1]", "[2]"], ["2", "3"]),
    ],
)
def test_one_letter_changed_in_one_cited_address(
    citepage: Citepage, message: str, address: str, markers: int, numbers: list[str], left: list[str]
) -> None:
    """Exactly that entry goes with its markers; page and standard error say so, and the rest count on without a gap."""
    data = TWO_ROUNDS.read_bytes()
    cited = address.encode()
    head, found, tail = data.rpartition(cited)
    assert found
    assert b'\\"citations\\"' in head[head.rindex(b"\n") :], "the last place of the address is in metadata.citations"
    Path("changed.jsonl").write_bytes(head + cited[:-1] + b"X" + tail)

    run = citepage("render", "changed.jsonl", "-o", "-")
    assert run.code == 0
    changed, other = shown(run.soup, message), shown(run.soup, "308" if message == "304" else "304")
    assert changed.numbers == numbers
    assert [(k, n, verdict) for k, n, verdict, _ in changed.entries] == [
        ("1", left[0], "returned"),
        ("2", left[1], "returned"),
    ]
    assert len(other.entries) == 3

    article = one(run.soup, f'article[data-message-id="{message}"]')
    assert attribute(article, "data-removed") == str(markers)
    (note,) = article.select('[role="note"]')
    assert str(markers) in words(note)
    assert cited[:-1] + b"X" not in run.out

    (warning,) = run.lines
    line = 1 + data[: len(head)].count(b"\n")
    assert warning.startswith(f"citepage: warning: changed.jsonl:{line}: ")
    assert message in warning
    assert citepage("render", "changed.jsonl", "-o", "-", "--strict").code == 1


# --- Choosing --------------------------------------------------------------------------------------------------


def _conversation(id_: str, title: str = "") -> Conversation:
    return Conversation(id_, title, Origin("some-format", ("many.json",), "0" * 64), ())


def test_the_only_conversation_is_the_one() -> None:
    """A file with one conversation needs no choice."""
    only = _conversation("1")
    assert choose(iter([only]), None, "many.json") is only
    assert choose(iter([only]), "1", "many.json") is only


def test_several_conversations_are_listed() -> None:
    """Of a file with many, the error lists them and points to the archive; with an id the one is taken."""
    many = [_conversation(str(n), f"Title {n}") for n in range(1, 31)]
    with pytest.raises(RendererError, match=r"^many\.json: .*1 \(Title 1\).* 20 more.*archive"):
        choose(iter(many), None, "many.json")
    assert choose(iter(many), "17", "many.json") is many[16]


def test_an_id_that_is_not_there_is_an_error() -> None:
    """A conversation that the file does not hold is named, with those that it does."""
    with pytest.raises(RendererError, match=r"^many\.json: .*'9'.*1 \(Rain\)"):
        choose(iter([_conversation("1", "Rain")]), "9", "many.json")


def test_a_file_without_title_is_named_by_the_conversation() -> None:
    """The file is called by the title, given or the file's own, and without one by the id."""
    assert file_stem(_conversation("11"), Options()) == "conversation-11"
    assert file_stem(_conversation("11", "Rain"), Options()) == "Rain"
    assert file_stem(_conversation("11", "Rain"), Options(title="Snow")) == "Snow"
    assert file_stem(_conversation("../x", "///"), Options()) == "conversation-x"
