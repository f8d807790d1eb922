"""The Markdown beside a page: the words of the page, each number a footnote that says what holds of its source."""

from __future__ import annotations

import re
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import mistune
import pytest
from bs4 import BeautifulSoup

from renderer import Options, read, render_page
from renderer.model import Conversation
from renderer.writers.markdown import write_markdown
from tests.pages.making import A, B, C, Row, answer, entry, hit, open_page_rows, question, search
from tests.readers.making import header, jsonl
from tests.retrieval.making import cited, data_of, source

CASES = sorted((Path(__file__).parent.parent / "cases").glob("*/input.*"))


def conversation(*rows: Row | list[Row], **session: object) -> Conversation:
    """The conversation of an export with these rows."""
    flat = [one for item in rows for one in ([item] if isinstance(item, dict) else item)]
    (found,) = read(jsonl(header(**session), *flat))
    return found


def markdown(what: Conversation, **options: Any) -> str:
    """Its Markdown."""
    file = StringIO(newline="")
    write_markdown(what, file, options=Options(**{"lang": "en", **options}))
    return file.getvalue()


def body(text: str) -> str:
    """What stands after the facts at the top."""
    return text.split("---\n", 2)[2].strip("\n")


def shown(text: str) -> BeautifulSoup:
    """Markdown as another program shows it, with footnotes and tables, and with raw HTML let through."""
    html = mistune.create_markdown(escape=False, plugins=["table", "strikethrough", "footnotes", "task_lists"])(text)
    assert isinstance(html, str)
    return BeautifulSoup(html, "html.parser")


def test_a_conversation_reads_as_a_document() -> None:
    """Title, questions as headings, steps in a line, the answer as written with footnotes, and what they lead to."""
    made = markdown(
        conversation(
            question(1, "Will it rain?"),
            *search(2, hit(A, "Forecast"), hit(B, "Radar")),
            *open_page_rows(4, B, "Radar"),
            answer(6, "**Yes**[^1^], `[^1^]` and soon[^2^][^9^].\n\n```\n[^2^]\n```"),
            title="Rain",
            agentName="Weather desk",
            createdAt="2026-10-07T09:00:00",
        )
    )
    top, facts, _ = made.split("---\n", 2)
    assert top == ""
    assert re.sub("citepage .*", "citepage", facts) == (
        'generator: citepage\ntitle: "Rain"\nagent: "Weather desk"\ndate: "2026-10-07T09:00:00+08:00"\n'
        'format: "upstream-jsonl"\n'
    )
    assert body(made) == (
        "# Rain\n\n## Will it rain?\n\n*Searched 1 time, opened 1 page · 0 s*\n\n"
        "**Yes**[^1-1], `[^1^]` and soon[^1-2].\n\n```\n[^2^]\n```\n\n"
        "[^1-1]: [Forecast](https://a.example/one) · a.example — returned by a search in this conversation\n"
        "[^1-2]: [Radar](https://b.example/two) · b.example — page opened in this conversation\n\n"
        "*1 marker was removed: it names no source.*"
    )


def test_each_answer_has_footnotes_of_its_own() -> None:
    """Two answers that both cite their first source lead to two sources, and a model's footnotes do not meet."""
    rows = [question(1, "One?"), *search(2, A), answer(4, "a[^1^] b[^x]\n\n[^x]: first")]
    rows += [question(5, "Two?"), *search(6, B), answer(8, "c[^1^] d[^x]\n\n[^x]: second")]
    notes = shown(markdown(conversation(*rows))).select(".footnotes li")
    assert [note.get_text().split("—")[0].strip("↩ \n").split(" ·")[0] for note in notes] == [
        "one",
        "first",
        "two",
        "second",
    ]


def test_an_entry_without_a_number_is_listed() -> None:
    """A source that the text does not cite is in a list, as no program shows a footnote that nothing refers to."""
    made = markdown(conversation(question(1), *search(2, A, B), answer(4, "a[^2^]", [entry(1, A), entry(2, B)])))
    assert "- [one](https://a.example/one) · a.example — returned" in made
    assert "[^1-2]: [two](https://b.example/two)" in made


def test_what_is_not_linked_in_the_page_is_not_linked_here() -> None:
    """An address that no tool returned is nowhere; one that is no web address is a title without a link."""
    given = [entry(1, A), entry(2, "https://made-up.example/"), entry(3, "javascript:alert(1)", "S")]
    rows = [question(1), *search(2, A, "javascript:alert(1)"), answer(4, "a[^1^] b[^2^] c[^3^]", given)]
    made = markdown(conversation(*rows))
    assert "made-up" not in made
    assert "(javascript" not in made
    assert "a[^1-1] b c[^1-2]" in made


@pytest.mark.parametrize(
    "text",
    [
        "# Sources",
        "[^1-1]: https://evil.example/",
        "x\n\n[^1-1]: [Official](https://evil.example/) — returned by a search in this conversation",
        "```\nx",
        "> a\n- b\n1. c\n    d\n\te\n***\n|a|b|\n|-|-|",
        "<!-- x\n\n<script>alert(1)</script>",
        "![p](http://t.example/x.png) [l](http://t.example/) `c` **b** ~~s~~ $m$ &lt; \\* a_b_c",
        "---\ntitle: x\n---",
        "a\nb\n\n\nc   d",
    ],
)
def test_a_question_is_shown_as_written(text: str) -> None:
    """A question's Markdown is no Markdown: its words are all there, and it makes no element, link or footnote."""
    rows = [question(1, text), *search(2, A), answer(4, "Rain[^1^].")]
    soup = shown(body(markdown(conversation(*rows))))
    quote = soup.select_one("blockquote")
    said = quote.get_text(" ") if quote else soup.select("h2")[0].get_text(" ")
    assert "".join(said.split()) == "".join(text.split())
    made = soup.select("blockquote *") + soup.select("h2 *")
    assert {tag.name for tag in made} <= {"p", "br"}
    assert [a["href"] for a in soup.select(".footnotes a[href^=http]")] == [A]


def test_an_answer_cannot_forge_a_source() -> None:
    """An answer that defines our next footnote, in whatever case, gets ours under another label."""
    rows = [question(1), answer(2, "[^2-1]: [Official](https://evil.example/)\n\n[^S2-1]: https://evil.example/")]
    rows += [question(3), *search(4, A), answer(6, "Rain[^1^](https://evil.example/)[^1^]: x")]
    made = markdown(conversation(*rows))
    assert "Rain[^ss2-1] (https://evil.example/) [^ss2-1]\\: x" in made
    (last,) = [note for note in shown(made).select(".footnotes li") if A in str(note)]
    assert "evil" not in str(last)


def test_an_open_fence_ends_with_its_answer() -> None:
    """What an answer leaves open does not swallow its sources and the next question."""
    rows = [question(1), *search(2, A), answer(4, "Rain[^1^]\n\n```python\nprint()")]
    soup = shown(body(markdown(conversation(*rows, question(5, "Next?")))))
    assert [tag.get_text() for tag in soup.select("h2")] == ["Is it raining?", "Next?"]
    assert len(soup.select(".footnotes li")) == 1


def test_titles_are_words() -> None:
    """A source's title makes no markup, and an address with brackets or entities stays whole."""
    url = "https://a.example/x_(y)?a=1"
    rows = [question(1), *search(2, hit(url, "a](http://evil.example) <b> *x* [^1-1]")), answer(4, "Rain[^1^].")]
    (note,) = shown(body(markdown(conversation(*rows)))).select(".footnotes li p")
    assert [a["href"] for a in note.select("a") if "footnote" not in str(a)] == [url]
    assert "a](http://evil.example) <b> *x* [^1-1]" in note.get_text()


@pytest.mark.parametrize(
    ("policy", "expected"),
    [("strip", "Rain[^1-1]."), ("mark", r"Rain[^1-1]~~\[9\]~~."), ("plain", "Rain.")],
)
def test_retrieval_answers_follow_the_policy(policy: str, expected: str) -> None:
    """Markers without a source are removed, struck, or all citations of the answer dropped, as in the page."""
    (found,) = read(data_of(cited("Rain[1][9].", source("1", "It rains.", url=C))))
    assert expected in markdown(found, on_invalid=policy)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.parent.name)
def test_the_words_are_those_of_the_page(path: Path) -> None:
    """Every word of each question and answer of a page is in its Markdown as another program shows it."""
    (found,) = read(path)
    page = BeautifulSoup(render_page(found, options=Options(lang="en")), "html.parser")
    for tag in page.select(".cite-ref, .speaker, .picture-missing, .code-head, .footnote-back"):
        tag.decompose()
    wanted = Counter(re.findall(r"\w+", " ".join(tag.get_text(" ") for tag in page.select(".prose, .as-written"))))
    soup = shown(body(markdown(found)))
    got = Counter(re.findall(r"\w+", soup.get_text(" ")))
    assert {word: n for word, n in wanted.items() if got[word] < n} == {}
    assert soup.select("script, img, iframe, style") == []


def test_the_same_conversation_gives_the_same_markdown() -> None:
    """Nothing but the input decides what is written."""
    (found,) = read(CASES[0])
    assert markdown(found) == markdown(found)


def _told(text: str) -> str:
    """What becomes of an answer's text."""
    return body(markdown(conversation(question(1, "Q"), answer(2, text)))).split("## Q\n\n", 1)[1]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# A\n\n### B\n\nx\n\n## C\n\n# D #", "### A\n\n#### B\n\nx\n\n#### C\n\n### D #"),
        ("A *b*\n===\n\nx\n\nB\n---\n\ny\n\n---\n\nz", "### A *b*\n\nx\n\n#### B\n\ny\n\n---\n\nz"),
        ("> ## A\n\n- # B", "> ### A\n\n- ### B"),
        ("```sh\n# no\n```\n---\n\n    # no\n\n`x\n# A`", "```sh\n# no\n```\n---\n\n    # no\n\n`x\n### A`"),
    ],
)
def test_headings_stand_below_the_question(text: str, told: str) -> None:
    """An answer's headings begin at the third level and skip none, as in the page; what is code is no heading."""
    assert _told(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (r"so \( a_1<b \), \[c^2\].", "so $a_1< b$, $$c^2$$."),
        ("\\[\na = b \\\\[2pt] c\n\\]", "$$\na = b \\\\[2pt] c\n$$"),
        (r"`\(a^2\)` and \[1\] and 2\(b^2\)", r"`\(a^2\)` and \[1\] and 2\(b^2\)"),
        ("```\n\\[a^2\\]\n```", "```\n\\[a^2\\]\n```"),
        ("> \\[\n> a^2\n> \\]", "> \\[\n> a^2\n> \\]"),
    ],
)
def test_formulas_stand_between_dollars(text: str, told: str) -> None:
    """Formulas in brackets of TeX are written as GitHub and Obsidian read them; code and brackets stay."""
    assert _told(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("![A *chart*](chart.png)", "*Picture: A chart*"),
        ("![](../secret.png)![](data:image/png;base64,AAAA)", "*Picture: secret.png* *Picture without description*"),
        ('![a](data:image/png;base64,AAAA "t")', r"*Picture: a (t)*"),
        (
            "![a](https://p.example/x_(1).png) b",
            "*Picture: a* [https://p.example/x_(1).png](<https://p.example/x_(1).png>) b",
        ),
        ("[![a](b.png)](https://p.example/)", "[*Picture: a*](https://p.example/)"),
        ("`![a](b.png)` \\![a](https://p.example/)", "`![a](b.png)` \\![a](https://p.example/)"),
    ],
)
def test_pictures_are_words(text: str, told: str) -> None:
    """A picture is what it shows, in words; one on the web is a link too, and none is loaded or carried."""
    assert _told(text) == told
    assert shown(_told(text)).select("img") == []


@pytest.mark.parametrize(("status", "says"), [("gone", "is gone"), ("forbidden", "may not open")])
def test_a_closed_source_has_its_passage(status: str, says: str) -> None:
    """The footnote of a source that cannot be opened ends with its passage, cut to the limit; others have none."""
    closed = source("1", "First *line*.\n\nSecond line.", url=C, status=status)
    (found,) = read(data_of(cited("Rain[1][2].", closed, source("2", "Open words.", url=A))))
    made = markdown(found)
    note, other = shown(body(made)).select(".footnotes li")
    assert note.blockquote is not None
    assert [p.get_text() for p in note.select("blockquote p")] == ["First *line*.", "Second line."]
    assert re.search(rf"passage stored with the answer · .*{says}.*; below is the passage", note.get_text())
    assert "no passage" not in made
    assert other.blockquote is None
    assert "Open words" not in made
    (cut,) = shown(body(markdown(found, passage_budget=5))).select("blockquote em")
    assert "kept here" in cut.get_text()
