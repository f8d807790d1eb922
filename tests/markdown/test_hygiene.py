"""What no page may hold is gone from every text, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.markdown.hygiene import clean


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        pytest.param("", "", id="empty"),
        pytest.param("plain 正文 é 😀", "plain 正文 é 😀", id="ordinary text"),
        pytest.param("a\tb\nc", "a\tb\nc", id="tab and line feed stay"),
        pytest.param("a\r\nb\rc\n\rd", "a\nb\nc\n\nd", id="every line end becomes a line feed"),
        pytest.param("a\x00b", "ab", id="null"),
        pytest.param("\x01\x08\x0b\x0c\x0e\x1f", "", id="C0 controls"),
        pytest.param("\x1b[31mred", "[31mred", id="escape"),
        pytest.param("\x7fa\x80b\x85c\x9f", "abc", id="delete and C1 controls"),
        pytest.param("\x20\x7e\xa0\xad", "\x20\x7e\xa0\xad", id="their neighbours stay"),
        pytest.param("\ufdd0a\ufdd1b\ufddfc\ufdef", "abc", id="sentinels"),
        pytest.param("\ufdcf\ufdf0\ufffd", "\ufdcf\ufdf0\ufffd", id="their neighbours stay too"),
        pytest.param("a\ud800b", "a\ufffdb", id="lone high surrogate"),
        pytest.param("a\udc00b", "a\ufffdb", id="lone low surrogate"),
        pytest.param("\udc00\ud800", "\ufffd\ufffd", id="surrogates in the wrong order"),
        pytest.param("\ud83d\ude00", "😀", id="the two halves of one character"),
        pytest.param("\u200b\u202e\u2028\ufeff", "\u200b\u202e\u2028\ufeff", id="invisible characters are text"),
        pytest.param("\r\x00\n", "\n\n", id="what a removal joins is no line end"),
    ],
)
def test_only_what_no_page_may_hold_is_taken_out(text: str, cleaned: str) -> None:
    """Controls and sentinels go, line ends become line feeds, half characters become U+FFFD, all else stays."""
    assert clean(text) == cleaned


@given(st.text(st.characters(codec=None)) | st.text(st.sampled_from("\r\n\x00\ud83d\ude00\ufdd0a")))
def test_a_cleaned_text_is_clean(text: str) -> None:
    """Cleaning a second time changes nothing, and the result can be written as UTF-8."""
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert not set(cleaned) & set("\x00\r\x85\ufdd0\ufdd1")
    cleaned.encode()
