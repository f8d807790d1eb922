"""Search finds the words of a text wherever in it they stand."""

from __future__ import annotations

import pytest

from renderer.markdown.fragment import read_markdown
from renderer.markdown.words import all_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# The *lake*\n\nIs **deep**[^1^], so `deep` [^2^].", "The lake Is deep, so deep."),
        ("- one\n  - two\n\n1. three\n\n> four", "one two three four"),
        ("| a | b |\n| - | - |\n| c | d |", "a b c d"),
        ("```py\nprint(1)\nprint(2)\n```\nafter", "print(1) print(2) after"),
        ("[link](https://x.example) ![alt](https://x.example/p.png)", "link alt"),
        ("one\ntwo  \nthree", "one two three"),
        ("$a+b$\n\n$$\nc\n$$", "$a+b$ $$ c $$"),
        ("said[^n]\n\n[^n]: noted", "said noted"),
        ("un**bro**ken 湖[^1^]水", "unbroken 湖水"),
        ("&copy; &lt;b&gt;", "© <b>"),
    ],
)
def test_all_words_are_there_and_nothing_else(text: str, words: str) -> None:
    """The words come in the order of the text, in one line, without Markdown and without markers."""
    tokens = read_markdown(text, "caret").tokens
    assert tokens is not None
    assert all_words(tokens) == words
