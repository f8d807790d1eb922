"""What people and models wrote, as it stands on the page; and what of a file must never stand there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from renderer import Options
from renderer.options import Steps
from tests.pages.making import (
    A,
    B,
    answer,
    attribute,
    call,
    one,
    open_page_rows,
    page,
    page_of,
    question,
    result,
    search,
    words,
)
from tests.readers.making import encoded, header, jsonl, row
from tests.readers.making import page as share

PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
LOCAL = "/srv/agents/7/cache/page-8841.md"


# --- Questions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "First line\n\n  indented second\n\tand a tab",
        "<b>bold?</b> <script>alert(1)</script> &amp; &copy;",
        "What does [^1^] mean, and [^1]: this?",
        "Run ${summarize}$ on @{notes/rain.md}@ with #{plan}#",
        "**not bold** _not italic_ # no heading\n- no list\n1. none either",
        "[a link](https://a.example/x) https://b.example/y ![p](https://c.example/z.png)",
        "港口大桥限行吗？\n请列出日期。",
        "{{ config }} {% raw %} None null undefined",
    ],
)
def test_a_question_is_shown_as_it_was_written(text: str) -> None:
    """Every character of a question is there: line breaks, markup as text, things that look like markers."""
    made = page(question(1, text), search(2, A), answer(4, "x[^1^]"))
    assert one(made.article(1), ".as-written").get_text() == text
    assert made.article(1).select("a:not(.permalink), b, script, img, sup, ul, ol, em, strong, code") == []


def test_a_long_question_is_folded_and_whole() -> None:
    """A question of more than about twelve lines shows its beginning, and all of it is in the fold."""
    text = "\n".join(f"line number {n}" for n in range(1, 31))
    made = page(question(1, text))
    (fold,) = made.article(1).select("details")
    assert not fold.has_attr("open")
    assert text in fold.get_text()
    assert "line number 1" in words(one(made.article(1), "h2"))
    assert "line number 30" not in words(one(made.article(1), "h2"))
    assert page(question(1, "\n".join("abcdefgh"))).article(1).select("details") == []


def test_an_empty_question_still_begins_a_round() -> None:
    """A user's row without any text begins a round: what follows is its answer, checked against its own tools."""
    made = page(
        question(1, "First?"), search(2, B), answer(4, "One."), question(5, None), search(6, A), answer(8, "x[^1^]")
    )
    assert [attribute(one(li, "a.source-title"), "href") for li in made.sources(8)] == [A]


# --- Pictures and files ----------------------------------------------------------------------------------------


def test_a_message_of_parts_shows_all_of_them() -> None:
    """Text and pictures of a multimodal question are shown; only a picture that lies in the file itself is loaded."""
    parts = [
        {"type": "text", "text": "What is on\nthese pictures?"},
        {"type": "image_url", "image_url": {"url": PIXEL}},
        {"type": "image_url", "imageUrl": {"url": "https://pics.example/rain.png"}},
        {"type": "image_url", "image_url": {"url": "[image data URI omitted: image/png]"}},
    ]
    made = page(question(1, json.dumps(parts)))
    shown = made.article(1)
    assert one(shown, ".as-written").get_text() == "What is on\nthese pictures?"
    assert [attribute(img, "src") for img in made.all("img")] == [PIXEL]
    assert "pics.example" in words(shown)
    assert [attribute(a, "href") for a in shown.select("a:not(.permalink)")] == ["https://pics.example/rain.png"]
    assert "image/png" in words(shown)
    assert "data URI omitted" not in made.html


def test_text_that_begins_with_a_bracket_is_text() -> None:
    """A question that is some JSON array is shown as it is."""
    for text in ('[1, 2, "three"]', '[{"a": 1}]', "[see above] why?", "[]"):
        assert one(page(question(1, text)).article(1), ".as-written").get_text() == text


@pytest.mark.parametrize(
    "address",
    [
        "data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=",
        "data:text/html;base64,PGI+",
        "javascript:alert(1)",
        "https://pics.example/x.png",
        "file:///etc/passwd",
        "C:\\pictures\\rain.png",
        'data:image/png;base64,x" onerror="alert(1)',
    ],
)
def test_no_other_picture_is_loaded(address: str) -> None:
    """A picture that is no raster image inside the file is named and not loaded; http(s) ones are linked."""
    made = page_of(encoded(share(row(1, images=[address]))))
    assert made.all("img") == []
    links = [attribute(a, "href") for a in made.article(1).select("a:not(.permalink)")]
    assert links == ([address] if address.startswith("https:") else [])
    assert len(words(made.article(1))) > len("Question hello")


def test_attachments_are_named_without_their_place() -> None:
    """Of an attached file the name and type are shown, never the folder that it lay in."""
    attached = {"attachments": [{"mime": "application/pdf", "path": "/home/ann/secret/forecast.pdf", "data_uri": None}]}
    made = page(question(1, "See file", metadata=json.dumps(attached)))
    assert "forecast.pdf" in words(made.article(1))
    assert "application/pdf" in words(made.article(1))
    assert "secret" not in made.html


def test_what_is_not_known_is_named() -> None:
    """A part of an unknown kind, and a row of an unknown role, are shown with what they hold."""
    parts = [{"type": "hologram", "text": "blue light"}]
    made = page({**question(1), "content": parts}, row(2, "ORACLE", "It will rain."))
    assert "hologram" in words(made.article(1))
    assert "blue light" in words(made.article(1))
    oracle = made.article(2)
    assert attribute(oracle, "data-role") not in ("user", "assistant")
    assert "ORACLE" in words(oracle)
    assert "It will rain." in words(oracle)


def test_a_system_message_is_shown() -> None:
    """A system row stands where it stood, as it was written, and is named."""
    made = page(question(1), row(2, "SYSTEM", "Context was **compacted**.\nGo on."), answer(3, "Yes."))
    assert attribute(made.article(2), "data-role") == "system"
    assert one(made.article(2), ".as-written").get_text() == "Context was **compacted**.\nGo on."


# --- What must not be shown ------------------------------------------------------------------------------------


def test_thinking_is_hidden_unless_asked_for() -> None:
    """The model's reasoning, should a share carry it, is nowhere in the page, and is there when it is wanted."""
    data = encoded(share(row(1), row(2, "ASSISTANT", "It rains.", thinkingContent="Perhaps <i>snow</i>?\nNo.")))
    hidden = page_of(data, Options(lang="en"))
    assert "Perhaps" not in hidden.html
    shown = page_of(data, Options(lang="en", show_thinking=True))
    assert "Perhaps <i>snow</i>?\nNo." in one(shown.article(2), "details").get_text()
    assert shown.article(2).select("i") == []


@pytest.mark.parametrize("steps", ["folded", "hidden", "full"])
def test_what_tools_said_is_not_told(steps: Steps) -> None:
    """Answers of other tools, text of pages that nothing cites, and paths on somebody's disk are in no page."""
    opened: dict[str, Any] = {"full_content_file": LOCAL, "message": f"saved to {LOCAL}", "truncated": True}
    made = page(
        question(1),
        call(2, "bash", {"command": "ls"}, "x1"),
        result(3, "PRIVATE-LISTING id_rsa", "x1"),
        open_page_rows(4, A, "One", content="Rain, all day.", **opened),
        open_page_rows(6, B, "Two", call_id="o2", content="NOT-CITED", **opened),
        answer(8, "Rain[^1^]."),
        steps=steps,
    )
    for secret in ("PRIVATE-LISTING", "NOT-CITED", LOCAL, "full_content_file", "/srv/"):
        assert secret not in made.html
    assert len(made.sources(8)) == 1


def test_a_local_path_is_no_source() -> None:
    """`full_content_file` takes no place in the registry."""
    made = page(
        question(1),
        open_page_rows(2, A, "One", full_content_file=LOCAL),
        search(4, "https://b.example/"),
        answer(6, "x[^2^]"),
    )
    assert [attribute(one(li, "a.source-title"), "href") for li in made.sources(6)] == ["https://b.example/"]


def test_what_a_row_holds_besides_its_text_stays_out() -> None:
    """Workspace, models, token counts and marks of the platform are not on the page."""
    head = header(workspace="/home/ann/work", executionMode="CLOUD", sessionType="NORMAL")
    marked = json.dumps({"approvalMark": "APPROVED-BY-BOB", "resultTruncated": True})
    made = page(question(1, tokenCount=1234567890, modelId=9876543210, metadata=marked), head=head)
    for private in ("/home/ann", "APPROVED-BY-BOB", "1234567890", "9876543210", "CLOUD"):
        assert private not in made.html


# --- Answers ---------------------------------------------------------------------------------------------------


def test_an_answer_is_markdown() -> None:
    """Headings, lists, tables, code and emphasis of an answer are laid out; the page's own headings stay above them."""
    text = "# Rain\n\n- **heavy**\n- light\n\n| day | mm |\n| --- | ---: |\n| Mon | 4 |\n\n```python\nprint(4)\n```"
    prose = one(page(question(1), answer(2, text)).article(2), ".prose")
    assert [words(tag) for tag in prose.select("li")] == ["heavy", "light"]
    assert words(one(prose, "strong")) == "heavy"
    assert [words(cell) for cell in prose.select("th, td")] == ["day", "mm", "Mon", "4"]
    assert one(prose, "pre code").get_text() == "print(4)\n"
    assert [tag.name for tag in prose.select("h1, h2, h3, h4, h5, h6")] == ["h3"]


def test_markup_in_an_answer_is_text() -> None:
    """HTML that a model wrote is shown as the characters that it is."""
    text = "Use <script>alert(1)</script> or <img src=x onerror=alert(1)> here"
    made = page(question(1), answer(2, text))
    assert made.prose(2) == text
    assert made.all("main script, main img") == []


def test_an_answer_cannot_pass_for_the_page() -> None:
    """A number, a source or a notice that a model writes as HTML stays text."""
    fake = '<sup class="cite-ref"><a href="#x">[1]</a></sup> <li class="source" data-verdict="returned">Trust me</li>'
    made = page(question(1), answer(2, fake))
    assert made.all(".cite-ref, .source, main [data-verdict]") == []
    assert made.prose(2) == fake


def test_footnotes_are_no_citations() -> None:
    """Markdown footnotes and markers stand side by side, each with its own ids, and every link lands."""
    text = "Rain[^1^] falls[^1].\n\n[^1]: In winter[^2^] too."
    made = page(question(1), search(2, A, "https://b.example/"), answer(4, text))
    shown = made.article(4)
    assert [words(sup) for sup in shown.select("sup.cite-ref")] == ["[1]", "[2]"]
    assert "In winter[2] too." in words(shown)
    ids = {attribute(tag, "id") for tag in made.all("[id]")}
    assert {attribute(a, "href")[1:] for a in shown.select('a[href^="#"]')} <= ids
    assert len(shown.select('[role="doc-noteref"]')) == 1


def test_a_definition_cannot_take_the_markers() -> None:
    """A label of marker shape defines nothing: the marker leads to the source, not to a made-up address."""
    made = page(question(1), search(2, A), answer(4, "Rain[^1^].\n\n[^1^]: https://made.up/"))
    assert attribute(made.all("sup.cite-ref a")[0], "href") == "#src-4-1"
    assert [attribute(li.select("a")[0], "href") for li in made.sources(4)] == [A]


def test_text_too_long_to_lay_out_is_shown_as_it_is() -> None:
    """An answer over 256 KiB is there in full, as text with a notice."""
    text = "**rain** " * 33_000
    made = page(question(1), answer(2, text))
    assert text.strip() in made.article(2).get_text()
    assert made.article(2).select("strong") == []
    assert "as it was written" in words(one(made.article(2), '[role="note"]'))


def test_text_keeps_its_characters() -> None:
    """Lone surrogates and control characters do no harm, and line ends of all systems are line ends."""
    rows = [question(1, "a\ud800b\x00c\x1bd\x9be\r\nf\rg\u2028h"), answer(2, "x\udfff y\ufdd00\ufdd1 z")]
    made = page_of(jsonl(*(json.dumps(one_row).encode() for one_row in rows)))
    assert one(made.article(1), ".as-written").get_text() == "a\ufffdbcde\nf\ng\u2028h"
    assert made.prose(2) == "x\ufffd y0 z"
    made.html.encode()
