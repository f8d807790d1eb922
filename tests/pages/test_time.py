"""Pages take a time that grows with what is in them, and not faster (`security.md`, Goals)."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from renderer.pages.identifiers import Identifiers
from tests.pages.making import A, Row, answer, hit, page, question, search

# Four times as much may take four times as long, with some room for noise. What is quadratic takes sixteen times.
MORE = 4
SLOWER = 9
NOTICED = 0.5  # seconds; what is faster than this is no trouble

PASSAGE = "Some words of a passage, as a search returns them. " * 10
HITS = [hit(f"https://h{number}.example/", f"Title {number}", PASSAGE) for number in range(20)]


def _said(text: str) -> list[Row]:
    return [question(1), *search(2, *HITS), answer(4, text)]


def _returned(passage: str, said: str = "Some words of a passage[^1^].") -> list[Row]:
    return [question(1), *search(2, hit(A, "Title", passage)), answer(4, said)]


KINDS: dict[str, Callable[[int], list[Row]]] = {
    "many markers": lambda n: _said("word[^1^] " * n),
    "many markers that go": lambda n: _said("word[^99^] " * n),
    "many cited sentences": lambda n: _said(" ".join(f"Word {k} and more[^{k % 20 + 1}^]." for k in range(n))),
    "a long paragraph after a marker": lambda n: _said("word[^1^]\n\n" + "word " * (n * 5)),
    "a long line of quotes": lambda n: _said("word[^1^]." + "\"'”)" * (n * 4)),
    "a long passage": lambda n: _returned(PASSAGE * n),
    "a long passage of short lines": lambda n: _returned("a passage\n" * (n * 20)),
    "a long passage without a blank": lambda n: _returned("x" * (n * 500)),
    "a long Chinese passage": lambda n: _returned("港口大桥周末限行，公交车除外。" * (n * 20), "大桥周末限行[^1^]。"),
    "a long list of citations": lambda n: [
        question(1),
        *search(2, *HITS),
        answer(4, "x[^1^]", [{"n": k, "url": HITS[k % 20]["url"], "title": ""} for k in range(1, n)]),
    ],
    "many rounds": lambda n: [row for k in range(n) for row in (question(2 * k), answer(2 * k + 1, "x"))],
}


@pytest.mark.parametrize("kind", KINDS)
def test_four_times_as_much_takes_about_four_times_as_long(kind: str) -> None:
    """Nothing in a conversation makes the time for its page grow with the square of the size."""
    _seconds(KINDS[kind](20))
    few = _seconds(KINDS[kind](100))
    many = _seconds(KINDS[kind](100 * MORE))
    assert many < max(SLOWER * few, NOTICED), f"{few:.2f} s became {many:.2f} s"


def test_ids_that_are_all_alike_are_told_apart_quickly() -> None:
    """Three thousand messages of one id get as many ids of their own in well under a second."""
    identifiers = Identifiers()
    start = time.process_time()
    given = {identifiers.claim("7") for _ in range(3_000)}
    assert len(given) == 3_000
    assert time.process_time() - start < NOTICED


def _seconds(rows: list[Row]) -> float:
    start = time.process_time()
    page(rows)
    return time.process_time() - start
