"""`build_cited_context`, `citepage context`, `citepage prompt rag`: the generating side (second design, §2, §3)."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from renderer import RendererError, build_cited_context
from renderer.citations.claims import is_claim
from tests.pages.making import attribute, one, words
from tests.readers.making import encoded
from tests.retrieval.making import entries, page, passage, saved, way_out
from tests.writers.running import Citepage, start

# The hits behind the second design's context, §2.
HITS: list[dict[str, Any]] = [
    {
        "text": "任何一方违约，应支付合同总额 5% 的违约金……",
        "source": "采购合同_v3.pdf",
        "doc_id": "doc_123",
        "metadata": {"section": "第 3.2 条 违约责任", "page": 7, "url": "/docs/doc_123?page=7#sec-3.2"},
    },
    {
        "text": "因本合同引起的争议，提交上海仲裁委员会……",
        "source": "采购合同_v3.pdf",
        "doc_id": "doc_123",
        "metadata": {"section": "第 8.1 条 争议解决", "page": 12, "url": "/docs/doc_123?page=12#sec-8.1"},
    },
]

# The second design, §2, to the letter.
CONTEXT = """[1] 来源：采购合同_v3.pdf（第 3.2 条 违约责任）
任何一方违约，应支付合同总额 5% 的违约金……

[2] 来源：采购合同_v3.pdf（第 8.1 条 争议解决）
因本合同引起的争议，提交上海仲裁委员会……"""


def hits(count: int) -> list[dict[str, Any]]:
    """Hits that can be told apart."""
    return [{"text": f"text {n}", "source": f"source {n}"} for n in range(1, count + 1)]


# --- The context -----------------------------------------------------------------------------------------------


def test_the_layout_is_the_documents() -> None:
    """Number, source and section in one line, the text under it, a blank line between two hits."""
    assert build_cited_context(HITS)[0] == CONTEXT


def test_the_citations_go_with_the_numbers() -> None:
    """Each citation has all that the front end needs, under the document's names."""
    _, citations = build_cited_context(HITS)
    first = citations[0]
    assert [citation["id"] for citation in citations] == [1, 2]
    assert first["source"] == "采购合同_v3.pdf"
    assert first["doc_id"] == "doc_123"
    assert first["page"] == 7
    assert first["url"] == "/docs/doc_123?page=7#sec-3.2"
    assert first["text"] == "任何一方违约，应支付合同总额 5% 的违约金……"
    assert first["section"] == "第 3.2 条 违约责任"


def test_numbers_begin_at_one_and_follow_the_order() -> None:
    """Hits are numbered 1, 2, 3 … in the order given: the best first."""
    text, citations = build_cited_context(reversed(hits(4)))
    assert re.findall(r"^\[(\d+)\]", text, re.MULTILINE) == ["1", "2", "3", "4"]
    assert [citation["text"] for citation in citations] == ["text 4", "text 3", "text 2", "text 1"]


@pytest.mark.parametrize(("given", "taken"), [(0, 0), (1, 1), (9, 9), (10, 10), (11, 10), (40, 10)])
def test_at_most_ten_are_taken(given: int, taken: int) -> None:
    """More than ten sources are more than a reader looks at."""
    text, citations = build_cited_context(hits(given))
    assert len(citations) == taken
    assert len(re.findall(r"^\[\d+\]", text, re.MULTILINE)) == taken


@pytest.mark.parametrize(("limit", "taken"), [(1, 1), (3, 3), (12, 12), (50, 15)])
def test_the_limit_can_be_chosen(limit: int, taken: int) -> None:
    """Another limit is an option; the first ones stay."""
    _, citations = build_cited_context(hits(15), limit=limit)
    assert [citation["id"] for citation in citations] == list(range(1, taken + 1))


@pytest.mark.parametrize("metadata", [None, {}, {"section": None}, {"section": ""}, "x", []])
def test_a_hit_needs_no_metadata(metadata: object) -> None:
    """Without a section the head names the source, and the citation says that the rest is not known."""
    text, (citation,) = build_cited_context([{"text": "t", "source": "s", "metadata": metadata}])
    head, body = text.split("\n")
    assert head.startswith("[1] 来源：s")
    assert body == "t"
    assert (citation["doc_id"], citation["page"], citation["url"]) == (None, None, None)


def test_english_says_source() -> None:
    """In English the same layout has English words."""
    text, _ = build_cited_context([{"text": "t", "source": "a.pdf", "metadata": {"section": "3.2"}}], lang="en")
    assert text == "[1] Source: a.pdf (3.2)\nt"


def test_an_unknown_language_is_refused() -> None:
    """A language that there is not is an error that names those there are."""
    with pytest.raises(RendererError, match="zh-CN"):
        build_cited_context(HITS, lang="fr")


@pytest.mark.parametrize(
    "bad", [{}, {"text": "t"}, {"source": "s"}, {"text": 5, "source": "s"}, {"text": "t", "source": None}, "t", 7, None]
)
def test_a_bad_hit_is_an_error_that_names_it(bad: Any) -> None:
    """A hit without text or source is named by its place: an answer would cite the wrong passage otherwise."""
    with pytest.raises(RendererError, match=r"hit 3\b"):
        build_cited_context([*HITS, bad])


def test_what_is_built_can_be_rendered() -> None:
    """An answer and the citations that were built for it are a retrieval answer that a page is made of."""
    _, citations = build_cited_context(HITS)
    answer = {"answer": "违约金比例是 5%[1]，争议解决地为上海[2]。", "citations": citations}
    made = page(answer, source_base="https://kb.example.cn/", lang="zh-CN")
    first, second = entries(made)
    assert words(one(first, ".source-place")) == "P7 · 第 3.2 条 违约责任"
    assert passage(second) == "因本合同引起的争议，提交上海仲裁委员会……"
    assert way_out(first) == "https://kb.example.cn/docs/doc_123?page=7#sec-3.2"
    assert [attribute(item, "data-verdict") for item in (first, second)] == ["returned", "returned"]


# --- The command -----------------------------------------------------------------------------------------------


def test_the_command_prints_the_context(citepage: Citepage) -> None:
    """`citepage context` reads a JSON list and prints the context, and nothing else."""
    run = citepage("context", "-", stdin=encoded(HITS))
    assert (run.code, run.err) == (0, "")
    assert run.out.decode() == CONTEXT + "\n"


def test_the_command_prints_json(citepage: Citepage) -> None:
    """With --json it prints the context and the citations that go with it."""
    run = citepage("context", "-", "--json", stdin=encoded(HITS))
    text, citations = build_cited_context(HITS)
    assert json.loads(run.out) == {"context": text, "citations": citations}


def test_the_command_takes_limit_and_language(citepage: Citepage) -> None:
    """--limit and --lang choose as in Python; ten is the default."""
    assert len(re.findall(rb"(?m)^\[\d+\]", citepage("context", "-", stdin=encoded(hits(15))).out)) == 10
    run = citepage("context", "-", "--limit", "12", "--lang", "en", stdin=encoded(hits(15)))
    assert len(re.findall(r"(?m)^\[\d+\] Source: source \d+$", run.out.decode())) == 12


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"nope",
        b"{}",
        b'{"hits": []}',
        b"7",
        b"null",
        b"[1]",
        b"[{}]",
        b'[{"text": "t"}]',
        b'[{"text": "t", "source": "s"}, null]',
        b'[{"text": "t", "source": "s"}',
    ],
)
def test_bad_hits_are_one_clear_error(citepage: Citepage, data: bytes) -> None:
    """What is no list of hits is one line, and nothing is printed."""
    assert citepage("context", "-", stdin=data).error.startswith("citepage: error: <stdin>: ")


@pytest.mark.parametrize(
    "wrong", [("--limit", "0"), ("--limit", "-1"), ("--limit", "ten"), ("--lang", "fr"), ("--format", "x")]
)
def test_wrong_usage_is_one_clear_error(citepage: Citepage, wrong: tuple[str, str]) -> None:
    """An option that cannot be is one line, and nothing is printed."""
    assert citepage("context", "-", *wrong, stdin=encoded(HITS)).error


def test_a_missing_file_is_one_clear_error(citepage: Citepage) -> None:
    """A file that is not there is named."""
    assert citepage("context", "hits.json").error.startswith("citepage: error: hits.json: ")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_half_a_character_is_no_failure(tmp_path: Path, options: tuple[str, ...]) -> None:
    """JSON may hold half of a surrogate pair; the context is printed all the same."""
    saved(tmp_path, "hits.json", b'[{"text": "rain \\ud800 falls", "source": "s"}]')
    process = start("context", "hits.json", *options, cwd=tmp_path)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert b"rain " in out
    assert b" falls" in out


def test_no_hits_are_no_context(citepage: Citepage) -> None:
    """An empty list is not wrong: there is nothing to cite."""
    run = citepage("context", "-", "--json", stdin=b"[]")
    assert json.loads(run.out) == {"context": "", "citations": []}


# --- The prompt ------------------------------------------------------------------------------------------------

# What each of the document's five rules must still say.
RULES = {
    "zh-CN": (("句末", "[1]"), ("编造",), ("资料中未提及",), ("[1][3]",), ("200 字",)),
    "en": (("end", "[1]"), ("make one up",), ("does not mention",), ("[1][3]",), ("words",)),
}


@pytest.mark.parametrize("lang", RULES)
def test_the_prompt_has_the_five_rules(citepage: Citepage, lang: str) -> None:
    """Five numbered rules: number at the end of the sentence, none made up, say so when not there, several, short."""
    text = citepage("prompt", "rag", "--lang", lang).out.decode()
    rules = re.findall(r"^(\d)\. (.+)$", text, re.MULTILINE)
    assert [number for number, _ in rules] == ["1", "2", "3", "4", "5"]
    for (_, rule), needed in zip(rules, RULES[lang], strict=True):
        assert [needle for needle in needed if needle not in rule] == []


@pytest.mark.parametrize("lang", RULES)
def test_the_prompt_can_be_filled_in(citepage: Citepage, lang: str) -> None:
    """Its two places are filled by `str.format`, each once, and no other brace is in it."""
    text = citepage("prompt", "rag", "--lang", lang).out.decode()
    assert text.count("{numbered_context}") == text.count("{question}") == 1
    filled = text.format(numbered_context=CONTEXT, question="违约金是多少？")
    assert CONTEXT in filled
    assert filled.index(CONTEXT) < filled.index("违约金是多少？")


def test_the_prompts_refusals_are_no_claims() -> None:
    """What the rules tell a model to say when the material has nothing counts as no claim in the audit."""
    assert not is_claim("资料中未提及。")
    assert not is_claim("资料中未提及")
    assert not is_claim("The material does not mention this.")


def test_the_prompt_is_english_by_default(citepage: Citepage) -> None:
    """Without --lang the text is that of --lang en, which has no Chinese in it."""
    run = citepage("prompt", "rag")
    assert run.out == citepage("prompt", "rag", "--lang", "en").out
    assert not re.search("[\u4e00-\u9fff]", run.out.decode())
    assert citepage("prompt", "rag", "--lang", "fr").error
