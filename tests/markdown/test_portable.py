"""An answer's Markdown in a document with others: it ends where it ends, and is nowhere HTML or a loaded picture."""

from __future__ import annotations

import re

import mistune
import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderer.markdown.hygiene import clean
from renderer.markdown.portable import portable


def made(text: str, *footnotes: str) -> str:
    """`text` made portable; its own footnotes are named."""
    return portable(text, frozenset(footnotes), "2.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <b>c</b>", r"a \<b>c\</b>"),
        ("`<b>` ``<i>``", "`<b>` ``<i>``"),
        ("```html\n<b>\n```", "```html\n<b>\n```"),
        ("<!-- a\n\nb", "\\<!-- a\n\nb"),
        (r"\<b> \\<b>", r"\<b> \\\<b>"),
        ("<https://x.example/>", "<https://x.example/>"),
        ("a<br>b H<sub>2</sub>O", "a<br>b H<sub>2</sub>O"),
        ("[a](<http://x.example/a b>)", "[a](<http://x.example/a b>)"),
        ("![p](http://t.example/x.png)", r"\![p](http://t.example/x.png)"),
        ("`![p](u)` Yes![^1-1]", "`![p](u)` Yes![^1-1]"),
        ("$a<b$ $1<2$", "$a< b$ $1<2$"),
    ],
)
def test_html_and_pictures_become_text(text: str, expected: str) -> None:
    """Outside code, raw HTML is shown as written and a picture is not loaded; the few honoured tags stay."""
    assert made(text) == expected


def test_own_footnotes_get_labels_of_their_own() -> None:
    """The footnotes that a text defines are renamed with their definitions; code is left alone."""
    text = "see[^a] `[^a]` [^b]\n\n[^a]: note\n    more"
    assert made(text, "A") == "see[^2.a] `[^a]` [^b]\n\n[^2.a]: note\n    more"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```py\ncode", "```py\ncode\n```"),
        ("~~~~\n```\ncode\n```", "~~~~\n```\ncode\n```\n~~~~"),
        ("- a\n  ```\n  code", "- a\n  ```\n  code"),
        ("done\n\n```\ncode\n```\n", "done\n\n```\ncode\n```"),
    ],
)
def test_what_is_left_open_is_closed(text: str, expected: str) -> None:
    """A fence that was never closed does not swallow what follows the answer."""
    assert made(text) == expected


PIECES = [
    "```",
    "~~~",
    "\n",
    "\n\n",
    "<div>",
    "<!--",
    "-->",
    "<script>",
    "`",
    "> ",
    "- ",
    "    ",
    "x",
    "$$",
    "[^a]: ",
    "<pre>",
    "\\",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_what_follows_is_a_paragraph_of_its_own(text: str) -> None:
    """After any text another parser, too, sees a new paragraph; and no HTML is let through."""
    markdown = mistune.create_markdown(escape=False)
    html = markdown(made(clean(text)) + "\n\nThe end.\n")
    assert isinstance(html, str)
    assert html.endswith("<p>The end.</p>\n")
    assert not re.search("<(?:div|script|!--)", html)
