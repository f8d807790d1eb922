"""Text for channels that show no page: no marker is left, and nothing else is lost (first design, §5.1 and §5.6)."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.citations.markers import extract_citation_markers
from renderer.citations.strip import MarkerStripper, strip_citation_markers


@pytest.mark.parametrize(
    ("text", "stripped"),
    [
        pytest.param("", "", id="empty"),
        pytest.param("没有标记。", "没有标记。", id="none"),
        pytest.param("截止 11 月 30 日[^1^]。", "截止 11 月 30 日。", id="one"),
        pytest.param("a[^1^][^2^].", "a.", id="adjacent"),
        pytest.param("b[^2^] a[^1^]", "b a", id="out of order"),
        pytest.param("x[^99^]", "x", id="out of range"),
        pytest.param("x[^007^][^0^]", "x", id="leading zeros and zero"),
        pytest.param(f"x[^{'9' * 10_000}^]", "x", id="ten thousand digits"),
        pytest.param("`x[^1^]`", "`x`", id="inline code"),
        pytest.param("```\nx[^1^]\n```", "```\nx\n```", id="fenced code"),
        pytest.param("[^a^] [^1 [^1] [^１^]", "[^a^] [^1 [^1] [^１^]", id="no markers"),
        pytest.param("end [^1^].", "end.", id="blank before a full stop"),
        pytest.param("结束 [^1^]。", "结束。", id="blank before a Chinese full stop"),
        pytest.param("one [^1^] two", "one two", id="one blank is left between words"),
        pytest.param("line [^1^]\nnext", "line\nnext", id="blank before a line end"),
        pytest.param("end [^1^]", "end", id="blank at the end"),
        pytest.param("    [^1^]", "    ", id="an indentation stays"),
    ],
)
def test_no_marker_is_left(text: str, stripped: str) -> None:
    """Markers go, in code too, with the blank that would be left before punctuation, a blank or a line end."""
    assert strip_citation_markers(text) == stripped


def test_a_very_long_text_is_stripped_to_its_end() -> None:
    """Nothing is cut from a text of a million characters, and its last marker goes too."""
    assert strip_citation_markers("公告。" * 300_000 + "x[^1^]") == "公告。" * 300_000 + "x"


_TEXT = st.lists(
    st.sampled_from(
        ["a", "字", " ", "  ", "\t", "\n", ".", "。", "[", "^", "1", "]", "[^1^]", "[^12^]", "[^", "^]", "`"]
    ),
    max_size=25,
).map("".join)


@given(_TEXT)
def test_stripping_leaves_no_marker_and_loses_no_word(text: str) -> None:
    """The result holds no marker, stripping it again changes nothing, and only markers and blanks are gone."""
    stripped = strip_citation_markers(text)
    assert extract_citation_markers(stripped) == []
    assert strip_citation_markers(stripped) == stripped
    assert re.sub(r"[^a字.。`]", "", stripped) == re.sub(r"[^a字.。`]", "", text)


@given(_TEXT)
def test_a_text_without_markers_is_left_alone(text: str) -> None:
    """Where there is no marker not even a blank is touched."""
    if not extract_citation_markers(text):
        assert strip_citation_markers(text) == text


@given(_TEXT, st.lists(st.integers(0, 60), max_size=6))
def test_a_text_in_pieces_is_stripped_like_the_whole(text: str, cuts: list[int]) -> None:
    """Wherever a stream is cut, what is sent on is together the stripped text."""
    stripper = MarkerStripper()
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    sent = [stripper.feed(text[start:end]) for start, end in pairwise(places)]
    assert "".join(sent) + stripper.finish() == strip_citation_markers(text)
