"""Text without markers for channels: in pieces, as a command, and in a bounded time (first design, §2.1 9 and §5.6).

What a whole text becomes is in `tests/citations/test_strip.py`.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import time
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer import MarkerStripper, extract_citation_markers, strip_citation_markers
from tests.writers.running import Citepage, start

# --- In pieces -------------------------------------------------------------------------------------------------

WHOLE = {
    "markers in Chinese": ("截止 11 月 30 日[^1^]，详见公告[^2^][^13^]。", "截止 11 月 30 日，详见公告。"),
    "blanks before and after": ("one [^1^] two [^2^].\nthree [^3^]\n", "one two.\nthree\n"),
    "half markers": ("a [^1^ b [^ c [ d [^x^] e ^] f]", "a [^1^ b [^ c [ d [^x^] e ^] f]"),
    "a marker in a marker": ("a[^1[^2^]^]b", "ab"),
    "brackets": ("[[^1^]](x) [a][^1]", "[](x) [a][^1]"),
    "code": ("`[^1^]` and\n    [^2^] x", "`` and\n    x"),
    "line ends": ("a [^1^]\r\n\r\nb\t[^2^]\n", "a\r\n\r\nb\n"),
    "nothing": ("", ""),
    "a half marker at the end": ("a [^1^", "a [^1^"),
    "a bracket at the end": ("a [", "a ["),
    "blanks at the end": ("a [^1^]  ", "a  "),
}


def in_pieces(text: str, cuts: tuple[int, ...]) -> list[str]:
    """What a stripper gives for a text cut at these places; the last one is what it held back."""
    stripper = MarkerStripper()
    ends = (*cuts, len(text))
    given_ = [stripper.feed(text[start:end]) for start, end in zip((0, *cuts), ends, strict=True)]
    return [*given_, stripper.finish()]


@pytest.mark.parametrize(("text", "stripped"), WHOLE.values(), ids=WHOLE)
def test_wherever_it_is_cut_the_text_is_the_same(text: str, stripped: str) -> None:
    """A text cut once or twice, at any places, or into its characters, is stripped like the whole."""
    assert strip_citation_markers(text) == stripped
    places = range(len(text) + 1)
    for cuts in [(place,) for place in places] + list(combinations(places, 2)) + [tuple(places[1:-1])]:
        assert "".join(in_pieces(text, cuts)) == stripped, cuts


@pytest.mark.parametrize(("text", "stripped"), WHOLE.values(), ids=WHOLE)
def test_no_half_marker_is_ever_sent(text: str, stripped: str) -> None:
    """Whatever was sent so far is the beginning of the stripped text, so that nothing has to be taken back."""
    for cut in range(len(text) + 1):
        sent = in_pieces(text, (cut,))
        assert stripped.startswith(sent[0])
        assert extract_citation_markers("".join(sent)) == []


@given(
    st.lists(st.sampled_from([*"a字 \t\n.。[^1]`", "[^1^]", "[^", "^]", "\r\n", "\u3000"]), max_size=14).map("".join)
)
def test_any_text_can_be_cut_anywhere(text: str) -> None:
    """For any text, every single cut gives the stripped text, and what was sent before the cut is its beginning."""
    stripped = strip_citation_markers(text)
    assert "".join(in_pieces(text, tuple(range(1, len(text))))) == stripped
    for cut in range(len(text) + 1):
        first, *rest = in_pieces(text, (cut,))
        assert first + "".join(rest) == stripped


@given(st.text(max_size=30), st.text(max_size=30))
def test_text_that_cannot_be_a_marker_is_not_held_back(before: str, after: str) -> None:
    """What no more text can turn into a marker is sent at once: a stream does not wait for its end."""
    stripper = MarkerStripper()
    assert stripper.feed(f"{before}\n").endswith("\n")
    assert stripper.feed(f"x{after}.").endswith(".")


def test_only_what_may_be_a_marker_is_held_back() -> None:
    """Half a marker waits, with the blanks before it, and nothing else does."""
    stripper = MarkerStripper()
    assert stripper.feed("It rains [^1") == "It rains"
    assert stripper.feed("^]") == ""
    assert stripper.feed(" today.") == " today."
    assert stripper.feed(" And [no") == " And [no"
    assert stripper.finish() == ""


def test_a_stripper_can_be_used_again() -> None:
    """After `finish` the next text begins anew, and nothing of the last one is left."""
    stripper = MarkerStripper()
    assert stripper.feed("a [^1") + stripper.finish() == "a [^1"
    assert stripper.feed("^] b") + stripper.finish() == "^] b"
    assert stripper.feed("    [^1^]x") + stripper.finish() == "    x"


def test_two_streams_do_not_meet() -> None:
    """Strippers share nothing: two streams taken in turn come out as each alone."""
    one, other = MarkerStripper(), MarkerStripper()
    assert one.feed("a [^1") + other.feed("b [^2") == "ab"
    assert one.feed("^].") + other.feed("^] c") == ". c"
    assert one.finish() + other.finish() == ""


# --- In a bounded time -----------------------------------------------------------------------------------------

LARGE = {
    "ordinary": "It rains [^1^].\n" * 40_000,
    "one line": "It rains [^1^]. " * 40_000,
    "markers only": "[^1^]" * 100_000,
    "markers and blanks": "[^1^] " * 8_000,
    "blanks before markers": " [^1^]" * 8_000,
    "blanks": "a" + " " * 400_000 + "[^1^]",
    "openings": "[^" * 200_000 + "^]",
    "half markers": "[^1" * 150_000 + "^]",
    "markers in markers": "[^1" * 60_000 + "^]" * 60_000,
    "digits": "[^" + "1" * 400_000 + "^]",
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_the_time_is_in_proportion_to_the_text(text: str) -> None:
    """Any text is stripped in a time that grows with its length and not with its square."""
    start_ = time.process_time()
    stripped = strip_citation_markers(text)
    assert time.process_time() - start_ < 1
    assert extract_citation_markers(stripped) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("It rains [^1^].\n" * 2_500, id="ordinary"),
        pytest.param(" " * 12_000, id="blanks"),
        pytest.param("[^1" * 6_000, id="half markers"),
        pytest.param("[^" + "1" * 8_000, id="digits"),
    ],
)
def test_a_stream_of_single_characters_takes_no_longer(text: str) -> None:
    """Text that comes one character at a time, as from a model, is stripped as it comes."""
    stripper = MarkerStripper()
    start_ = time.process_time()
    sent = []
    for char in text:
        sent.append(stripper.feed(char))
        assert time.process_time() - start_ < 2
    assert "".join([*sent, stripper.finish()]) == strip_citation_markers(text)


# --- The command -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "stripped"),
    [
        pytest.param("截止 11 月 30 日[^1^]。\n".encode(), "截止 11 月 30 日。\n".encode(), id="Chinese"),
        pytest.param(b"a [^1^]\r\nb[^2^]\r\n", b"a\r\nb\r\n", id="CRLF"),
        pytest.param(b"a[^1^]", b"a", id="no end at the end"),
        pytest.param(b"`a[^1^]`\n```\nb[^2^]\n```\n", b"`a`\n```\nb\n```\n", id="in code too"),
        pytest.param(b"caf\xe9[^1^] \xff\n", b"caf\xe9 \xff\n", id="bytes that are no UTF-8"),
        pytest.param(b"\xef\xbb\xbfa[^1^]\n", b"\xef\xbb\xbfa\n", id="a byte order mark"),
        pytest.param(b"a\x00b[^1^]\x0c\n", b"a\x00b\x0c\n", id="control characters"),
        pytest.param(b"", b"", id="nothing"),
        pytest.param(b"a\n[^1^]\n[^2^][^3^]\nb\n", b"a\nb\n", id="lines of markers"),
        pytest.param(b'{"role":"USER","content":"[^1^]"}\n', b'{"role":"USER","content":""}\n', id="any text at all"),
    ],
)
def test_the_command_strips_a_text(citepage: Citepage, data: bytes, stripped: bytes) -> None:
    """From a file and from standard input, to standard output and to a file, the text without markers comes out."""
    Path("in.txt").write_bytes(data)
    assert citepage("strip", "in.txt").out == stripped
    run = citepage("strip", stdin=data)
    assert (run.code, run.out, run.err) == (0, stripped, "")
    assert citepage("strip", "-", "-o", "out.txt", stdin=data).out == b""
    assert Path("out.txt").read_bytes() == stripped


def test_a_text_can_be_stripped_in_place(citepage: Citepage) -> None:
    """The output may be the input, and a second run changes nothing."""
    Path("in.txt").write_bytes(b"It rains [^1^].\n" * 1000)
    for _ in range(2):
        assert citepage("strip", "in.txt", "-o", "in.txt").code == 0
        assert Path("in.txt").read_bytes() == b"It rains.\n" * 1000
    assert os.listdir() == ["in.txt"]


def test_a_marker_across_pieces_of_a_file_is_found(citepage: Citepage) -> None:
    """A file is read in pieces, and a marker on the border of two, in one long line, is found all the same."""
    for length in range(256 * 1024 - 6, 256 * 1024 + 2):
        run = citepage("strip", stdin=b"x" * length + "字[^1^]。".encode())
        assert run.out == b"x" * length + "字。".encode()


def test_it_works_in_a_pipe(tmp_path: Path) -> None:
    """Between two other programs the command does its work and says nothing."""
    (tmp_path / "in.txt").write_bytes(b"It rains [^1^].\n" * 100_000)
    with (tmp_path / "in.txt").open("rb") as file:
        process = start("strip", cwd=tmp_path, stdin=file, stdout=subprocess.PIPE)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, b"It rains.\n" * 100_000, b"")


def test_a_compressed_text_is_read(citepage: Citepage) -> None:
    """Gzip is taken off, as from every input; a broken one leaves no file behind."""
    whole = gzip.compress(b"It rains [^1^].\n" * 1000)
    assert citepage("strip", stdin=whole).out == b"It rains.\n" * 1000
    assert citepage("strip", "-", "-o", "out.txt", stdin=whole[:-12]).error
    assert os.listdir() == []


@pytest.mark.parametrize("arguments", [("nothing.txt",), (".",), ("a.txt", "b.txt"), ("--nope",), ("-o", "no/folder")])
def test_what_cannot_be_stripped_is_one_line(citepage: Citepage, arguments: tuple[str, ...]) -> None:
    """Wrong usage and what cannot be read or written are one line and exit code 2."""
    assert citepage("strip", *arguments).error
    assert os.listdir() == []
