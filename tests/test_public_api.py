"""The package as other programs import it: `contract.md` §2."""

from __future__ import annotations

import dataclasses
import io
import json
import subprocess
import sys
import tracemalloc
import typing
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import renderer
from renderer import Conversation, Options, PageSummary, RendererError, Round, Verdict, read, render_page, write_page
from renderer.errors import Problem
from tests.pages.making import A, B, answer, entry, question, search
from tests.readers.making import encoded, header, jsonl
from tests.readers.making import page as share

ROOT = Path(__file__).parent.parent
CASES = ROOT / "tests" / "cases"
TWO_ROUNDS = CASES / "two-rounds" / "input.jsonl"

# All that the contract names, in its order. Names may be added beside these; none may go.
NAMES = [
    "read",
    "write_page",
    "render_page",
    "audit",
    "extract_citation_markers",
    "strip_citation_markers",
    "build_registry",
    "cite_rows",
    "validate_citations",
    "build_cited_context",
    "Conversation",
    "Round",
    "Message",
    "Citation",
    "Source",
    "Verdict",
    "Options",
    "RendererError",
]


@pytest.mark.parametrize("name", NAMES)
def test_the_contracts_names_are_there(name: str) -> None:
    """Every name of the contract can be imported from `renderer`."""
    assert hasattr(renderer, name)
    assert name in renderer.__all__


def test_every_name_that_is_announced_is_there() -> None:
    """What `__all__` lists can be imported, and a name that is not there is an AttributeError."""
    assert [name for name in renderer.__all__ if not hasattr(renderer, name)] == []
    assert not hasattr(renderer, "no_such_name")


def test_the_package_says_that_it_is_typed() -> None:
    """The mark for type checkers ships with the package."""
    assert (ROOT / "renderer" / "py.typed").is_file()


def test_an_import_loads_no_library() -> None:
    """`import renderer` is cheap: the libraries and the command line are loaded when they are needed."""
    program = (
        "import sys, renderer\n"
        "early = {'click', 'jinja2', 'mistune', 'nh3'} & set(sys.modules)\n"
        "from renderer import Conversation, Options, RendererError\n"
        "late = {'click', 'jinja2', 'mistune', 'nh3'} & set(sys.modules)\n"
        "print(early, late, [name for name in sys.modules if name.startswith('renderer.')])"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("set() set() [")
    assert "renderer.cli" not in run.stdout


# --- Reading ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source", [TWO_ROUNDS, str(TWO_ROUNDS), TWO_ROUNDS.read_bytes(), io.BytesIO(TWO_ROUNDS.read_bytes())], ids=type
)
def test_anything_that_holds_bytes_can_be_read(source: Any) -> None:
    """A path, the bytes themselves and an open file give the same conversation."""
    (conversation,) = read(source)
    assert (conversation.id, conversation.title) == ("21", "Snow in Zermatt, rain in Bergen")
    assert [round_.question.text for round_ in conversation.rounds if round_.question] == [
        "Will it snow in Zermatt tomorrow?",
        "And Bergen?\nI arrive in the evening.",
    ]


def test_read_gives_an_iterator() -> None:
    """Conversations come one at a time, also where there is only one."""
    conversations = read(TWO_ROUNDS)
    assert isinstance(conversations, Iterator)
    assert isinstance(next(conversations), Conversation)
    assert next(conversations, None) is None


def test_a_format_can_be_asked_for() -> None:
    """`format` names a reader; a name that there is not, and content of another format, are errors."""
    (conversation,) = read(TWO_ROUNDS, format="upstream-jsonl")
    assert conversation.origin.format == "upstream-jsonl"
    for wrong in ("upstream-share", "docx"):
        with pytest.raises(RendererError, match=r"\S; \S"):
            list(read(TWO_ROUNDS, format=wrong))


@pytest.mark.parametrize("source", [b"", b"\x89PNG\r\n\x1a\n", b"{}", b"text", Path("/nowhere/x.jsonl"), Path(".")])
def test_what_cannot_be_read_is_one_kind_of_error(source: Any) -> None:
    """Whatever is wrong with an input, the error is a RendererError that says what, where and what to do."""
    with pytest.raises(RendererError) as raised:
        list(read(source))
    error = raised.value
    assert str(error) == f"{error.where}: {error.what}; {error.remedy}"
    assert "\n" not in str(error)


@pytest.mark.parametrize("data", [TWO_ROUNDS.read_bytes(), encoded(share(question(1), answer(2, "x"), question(3)))])
def test_rounds_can_be_iterated_again_and_again(data: bytes) -> None:
    """Each iteration begins anew, two at the same time do not disturb each other, and all give equal rounds."""
    (conversation,) = read(data)
    first = iter(conversation.rounds)
    one_round = next(first)
    everything = list(conversation.rounds)
    assert [one_round, *first] == everything == list(conversation.rounds)
    assert len(everything) == 2


def test_rounds_are_read_as_they_are_asked_for(tmp_path: Path) -> None:
    """To see the first round of a long export, the rest of it is not decoded."""
    rows = [jsonl(question(n), answer(n + 1, "x " * 50_000)) for n in range(1, 200, 2)]
    file = tmp_path / "long.jsonl"
    file.write_bytes(jsonl(header()) + b"".join(rows))
    (conversation,) = read(file)
    tracemalloc.start()
    next(iter(conversation.rounds))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert file.stat().st_size > 9_000_000
    assert peak < 3_000_000


# --- Values ----------------------------------------------------------------------------------------------------


def _values(value: object) -> Iterator[object]:
    """A value and everything in it."""
    yield value
    if isinstance(value, tuple):
        for item in value:
            yield from _values(item)
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from _values(getattr(value, field.name))


def test_everything_that_a_caller_gets_is_frozen() -> None:
    """No value of the model can be changed, nor can one that holds it; lists in them are tuples."""
    found: set[type] = set()
    for case in CASES.iterdir():
        (source,) = case.glob("input.*")
        (conversation,) = read(source)
        summary = write_page(conversation, io.StringIO())
        for value in _values((conversation, tuple(conversation.rounds), summary, Options())):
            assert not isinstance(value, list | set | bytearray)
            if dataclasses.is_dataclass(value) and not isinstance(value, type):
                found.add(type(value))
                name = dataclasses.fields(value)[0].name
                with pytest.raises(dataclasses.FrozenInstanceError):
                    setattr(value, name, None)
    assert {Conversation, Round, renderer.Message, PageSummary, Options, Problem} <= found


@pytest.mark.parametrize("name", ["Conversation", "Round", "Message", "Citation", "Source", "Options", "PageSummary"])
def test_values_are_typed(name: str) -> None:
    """Each field of a public value has a type that can be resolved."""
    type_ = getattr(renderer, name)
    hints = typing.get_type_hints(type_)
    assert {field.name for field in dataclasses.fields(type_)} <= set(hints)


def test_the_verdicts_are_those_of_the_contract() -> None:
    """The five verdicts have the names that pages and audits show."""
    assert {verdict.value for verdict in Verdict} == {"returned", "opened", "unchecked", "not-returned", "no-source"}


def test_times_know_their_zone() -> None:
    """A moment never comes without its offset."""
    (conversation,) = read(TWO_ROUNDS)
    moments = [conversation.created_at, *(m.created_at for r in conversation.rounds for m in r.messages)]
    assert all(isinstance(moment, datetime) and moment.utcoffset() is not None for moment in moments)


# --- Citations -------------------------------------------------------------------------------------------------


def test_markers_are_extracted_in_order() -> None:
    """All `[^n^]` of a text, those out of range and those in code included; nothing else is one."""
    text = "a[^2^][^1^] b[^2^] `[^7^]` [^x^] [^1] [1] [^^] [^ 3 ^] [^99^]"
    assert renderer.extract_citation_markers(text) == [2, 1, 2, 7, 99]
    assert renderer.extract_citation_markers("") == []


def test_the_registry_of_a_round_can_be_built() -> None:
    """The registry has the numbered addresses that the tools of these messages returned."""
    (conversation,) = read(jsonl(question(1), *search(2, A, B, A), answer(4, "x[^1^]")))
    (only,) = conversation.rounds
    registry = renderer.build_registry(only.messages)
    assert [(item.n, item.url) for item in registry] == [(1, A), (2, B)]


# --- Writing ---------------------------------------------------------------------------------------------------


def test_both_ways_to_a_page_give_the_same() -> None:
    """`render_page` gives the string that `write_page` writes."""
    (conversation,) = read(TWO_ROUNDS)
    file = io.StringIO(newline="")
    summary = write_page(conversation, file, options=Options(lang="zh-CN"))
    assert render_page(conversation, options=Options(lang="zh-CN")) == file.getvalue()
    assert (summary.questions, summary.sources, summary.removed, summary.problems) == (2, 6, 0, ())


def test_options_must_be_named() -> None:
    """Options are a keyword of their own, so that more of them can come."""
    (conversation,) = read(TWO_ROUNDS)
    with pytest.raises(TypeError):
        render_page(conversation, Options())  # type: ignore[call-arg]  # what must not be done
    assert Options() == Options(lang="auto", theme="paper")


def test_a_page_reports_what_was_wrong() -> None:
    """The summary holds the problems of the input and of the citations, each with its line."""
    data = jsonl(header(), question(1), b"oops", *search(2, A), answer(4, "x[^1^] y[^2^]", [entry(1, A), entry(2, B)]))
    (conversation,) = read(data)
    summary = write_page(conversation, io.StringIO())
    assert [(problem.line, problem.left_out) for problem in summary.problems] == [(3, 1), (6, 0)]
    assert (summary.left_out, summary.removed) == (1, 1)


MEGABYTES = 40
PEAK = 25_000_000  # bytes that Python may hold at once while it writes the page of such an export


def test_memory_is_bounded_by_the_largest_round(tmp_path: Path) -> None:
    """An export of 40 MB in 100 rounds becomes a page while Python holds less than 25 MB at any time."""
    export, page = tmp_path / "big.jsonl", tmp_path / "big.html"
    with export.open("wb") as file:
        file.write(jsonl(header()))
        for number in range(100):
            file.write(_round_of(number, size=MEGABYTES * 1_000_000 // 100))
    assert export.stat().st_size > MEGABYTES * 1_000_000
    (conversation,) = read(export)
    tracemalloc.start()
    with page.open("w", encoding="utf-8", newline="") as file:
        summary = write_page(conversation, file, options=Options(lang="en"))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (summary.questions, summary.sources, summary.problems) == (100, 200, ())
    assert peak < PEAK, f"{peak / 1e6:.1f} MB"


def _round_of(number: int, size: int) -> bytes:
    """A round whose tool returned about `size` bytes, most of which nothing cites, with an answer of two kilobytes."""
    first = 10 * number + 1
    hits = [
        {
            "url": f"https://h{k}.example/{number}",
            "title": f"Hit {k}",
            "content": "rain " * (size // 2 // 5 if k % 2 else 100),
        }
        for k in range(4)
    ]
    call_id = f"c{number}"
    said = f"Rain number {number}[^1^], **and** more[^3^].\n\n" + "some words of rain " * 100
    rows = [question(first, f"Question {number}?"), *search(first + 1, *hits, call_id=call_id), answer(first + 3, said)]
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
