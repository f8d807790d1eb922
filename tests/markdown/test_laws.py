"""What holds for every text whatever: nothing raises, no word is lost, and every listed marker is one number."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import unquote

from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from renderer.citations.markers import CARET
from renderer.markdown.hygiene import clean
from renderer.markdown.inserts import CiteRef
from tests.markdown.showing import Shown, show, words
from tests.markdown.test_sanitize import complaints

LISTED = (1, 2, 7)

_WORDS = st.sampled_from(["alpha", "Beta", "été", "слово", "公告", "正文", "重点", "テスト", "한국"])
_MARKERS = st.sampled_from(["[^1^]", "[^2^]", "[^9^]", "[^007^]", "[^0^]"])
_NO_MARKERS = st.sampled_from(["[^a^]", "[^1", "^1^]", "[^１^]", "[1]", "[^]", "[^^]"])
_STARS = st.sampled_from(["*", "**", "***", "_", "__", "~~"])
_INLINE = st.one_of(
    _STARS,
    st.sampled_from(["`", "``", "\\", "$", "$$", "\\(", "\\)", "\\[", "\\]"]),
    st.sampled_from(["[", "]", "(", ")", "](", "](http://a.b/c)", "http://a.b/c", "https://例え.jp/路", "|"]),
    st.sampled_from(["<br>", "<sub>", "</sub>", "<b>", "</b>", "<", ">"]),
)
_MARKS = st.sampled_from([" ", " ", "  ", ".", ",", "!", "?", "。", "，", "：", "「", "」", "“", "”", "（", "）", "…"])
_BLOCKS = st.one_of(
    st.sampled_from(["\n", "\n\n", "\n> ", "\n- ", "\n1. ", "\n- [ ] ", "\n# ", "\n---\n", "\n===\n", "  \n", "\t"]),
    st.sampled_from(["\n```\n", "\n$$\n", "\n\\[\n", "\n    ", "\n| ", " |\n| --- |\n", "\n<div>\n"]),
)


# A label is no word: a number may stand for it.
_DEFINITIONS = st.one_of(
    st.sampled_from(["\n\n[8]: http://d.e/路", "\n\n[8]: http://d.e 'Title'\n", "\n[9]: made/up\n", "\n\n[^5]: "]),
    st.sampled_from(["[^5]", "[8]", "![9]", "](x 'Title')"]),
)


def texts(*more: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Texts of words and Markdown."""
    pieces = st.one_of(_WORDS, _WORDS, _INLINE, _MARKS, _BLOCKS, _DEFINITIONS, _NO_MARKERS, *more)
    return st.lists(pieces, max_size=30).map("".join)


_MARKER = re.compile(CARET.pattern)


def cited(result: Shown) -> list[CiteRef]:
    """The numbers of a page in reading order."""
    return result.of(CiteRef)


@given(texts(_MARKERS, _MARKERS))
def test_every_listed_marker_is_one_number(text: str) -> None:
    """The numbers of the page are those of the listed markers, in the same order, and no others."""
    result = show(text, listed=LISTED)
    assert result.document.tokens is not None
    expected = [n for marker in result.document.markers for n in marker.numbers if n in LISTED]
    assert [ref.n for ref in cited(result)] == expected
    assert [ref.k for ref in cited(result)] == [LISTED.index(n) + 1 for n in expected]


@given(texts(_MARKERS, _MARKERS))
def test_the_places_of_a_source_run_from_one(text: str) -> None:
    """For each source the places in reading order are 1, 2, 3 …"""
    seen: Counter[int] = Counter()
    for ref in cited(show(text, listed=LISTED)):
        seen[ref.k] += 1
        assert ref.place == seen[ref.k]


_SENTENCES = st.tuples(st.one_of(_WORDS, _STARS, _BLOCKS), _MARKS | st.just(""), _MARKERS).map("".join)


@given(st.lists(_SENTENCES, max_size=15).map("".join))
def test_no_marker_is_left_in_plain_writing(text: str) -> None:
    """Among words, punctuation, emphasis and blocks every marker is found: outside code and formulas none is seen."""
    page = BeautifulSoup(show(text, listed=LISTED).html, "html.parser")
    for element in page.select("code, .math, .raw-html"):
        element.decompose()
    assert _MARKER.findall(page.get_text()) == []


@given(texts(_MARKERS))
def test_every_word_is_on_the_page(text: str) -> None:
    """Each word that is no marker is seen as often as it was written, or stands in a link's address or title."""
    result = show(text, listed=LISTED)
    attributes = [str(tag[name]) for tag in result.tags for name in ("href", "title") if tag.has_attr(name)]
    page = unquote(" ".join([result.text, *attributes]))
    written = re.sub(r"<br>|</?sub>", " ", _MARKER.sub(" ", text))
    for word, count in Counter(words(written)).items():
        assert page.count(word) >= count, word


@given(texts().filter(lambda text: not _MARKER.search(text)))
def test_a_text_without_markers_does_not_depend_on_the_dialect(text: str) -> None:
    """Where there is no marker the rule for markers changes nothing."""
    assert show(text, dialect="caret").html == show(text, dialect="").html


@given(texts(_MARKERS))
def test_whatever_is_written_the_page_is_harmless(text: str) -> None:
    """Only allowed markup comes out, and no number stands inside a link."""
    result = show(text, listed=LISTED)
    assert complaints(result.html) == []
    assert all("⟦" not in shown for _, shown in result.links)


@given(texts(_MARKERS))
def test_the_same_text_gives_the_same_page(text: str) -> None:
    """Nothing of one rendering is left for the next."""
    first = show(text, listed=LISTED)
    show("[x]: http://made.up\n\n[^n]: note [^1^]\n\n# a", listed=())
    assert show(text, listed=LISTED) == first


@given(texts(_MARKERS))
def test_without_sources_every_marker_is_gone(text: str) -> None:
    """An answer without sources shows no number, and no marker that was found in its text."""
    result = show(text, listed=())
    assert cited(result) == []
    listed = show(text, listed=(0, *LISTED, 9))
    assert result.dense == re.sub(r"⟦[0-9]+⟧", "", listed.dense)


@given(st.text(st.characters(codec=None), max_size=200))
def test_any_characters_whatever_are_shown(text: str) -> None:
    """Random characters, half ones and controls included, raise nothing and make a harmless page."""
    result = show(text)
    assert result.document.tokens is not None
    assert complaints(result.html) == []
    assert result.document.text == clean(text)


@given(st.text("[^1] *_`$\\<>(!&;#x\n", max_size=60))
def test_any_punctuation_whatever_is_laid_out(text: str) -> None:
    """The characters that Markdown is made of, in any order, raise nothing and make a harmless page."""
    result = show(text)
    assert result.document.tokens is not None
    assert complaints(result.html) == []


@given(texts(_MARKERS), st.integers(0, 400))
def test_half_a_text_is_a_text(text: str, end: int) -> None:
    """A text that was cut anywhere is laid out like any other."""
    result = show(text[:end])
    assert result.document.tokens is not None
    assert complaints(result.html) == []
