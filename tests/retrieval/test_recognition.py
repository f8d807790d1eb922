"""Retrieval answers are recognised by what they hold, and nothing else is taken for them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from renderer.readers import READERS, Input, rag_answer, sample_of
from tests.readers.making import encoded, header, jsonl, row
from tests.readers.making import page as share
from tests.retrieval.making import CONTRACT_JSON, cited, lines_of, saved, source
from tests.writers.running import Citepage

ANSWER = cited("It rains[1].", source(1))

# The shapes of other formats, in our own words.
OTHERS: dict[str, object] = {
    "an answer alone": {"answer": "It rains."},
    "citations alone": {"citations": [source(1)]},
    "a question alone": {"question": "Will it rain?"},
    "questions and answers": {"question": "Will it rain?", "answer": ["yes", "no"]},
    "perplexity": {
        "id": "1",
        "citations": ["https://a.example/"],
        "choices": [{"message": {"role": "assistant", "content": "It rains[1]."}}],
    },
    "cohere": {"text": "It rains.", "citations": [{"start": 0, "end": 8, "text": "It rains", "document_ids": ["d1"]}]},
    "open web ui": [{"id": "1", "chat": {"messages": [{"role": "assistant", "content": "x[1]", "sources": []}]}}],
    "chatgpt": [{"title": "Rain", "mapping": {"a": {"message": {"content": {"parts": ["It rains."]}}}}}],
    "claude": [{"uuid": "1", "chat_messages": [{"sender": "assistant", "text": "x", "citations": []}]}],
    "sharegpt": [{"id": "1", "conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]}],
    "deepseek": {"data": {"biz_data": {"messages": [{"role": "ASSISTANT", "content": "x[citation:1]"}]}}},
    "hits": [{"text": "It rains.", "source": "Doc", "metadata": {}}],
    "openai": {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]},
}


def names(data: bytes | Path) -> list[str]:
    """The readers that take an input for theirs."""
    with Input(data) as opened:
        sample = sample_of(opened)
    return [reader.name for reader in READERS if reader.matches(sample)]


@pytest.mark.parametrize(
    "data",
    [
        CONTRACT_JSON.encode(),
        encoded(ANSWER),
        encoded([ANSWER]),
        lines_of(ANSWER, ANSWER),
        lines_of({"question": "q", "answer": "a"}),
        lines_of({"question": "q", "answer": "a", "citations": None}, ANSWER),
        encoded(cited("It rains.")),
        lines_of(b"{broken", ANSWER),
        lines_of(b"{broken", b"[]", b"broken", ANSWER),
        gzip.compress(CONTRACT_JSON.encode(), mtime=0),
        b"\xef\xbb\xbf" + CONTRACT_JSON.encode(),
        CONTRACT_JSON.encode("utf-16"),
        encoded({**ANSWER, "model": "m", "latency_ms": 40, "id": 7}),
    ],
)
def test_answers_are_recognised_by_their_content(data: bytes) -> None:
    """One answer, a list, lines, damaged beginnings and packed files are known for what they are, and by one reader."""
    assert names(data) == ["rag-answer"]


@pytest.mark.parametrize("name", ["answer.txt", "export.html", "no-ending", "rows.jsonl"])
def test_the_name_of_a_file_says_nothing(citepage: Citepage, tmp_path: Path, name: str) -> None:
    """The same bytes are the same format under any name."""
    saved(tmp_path, name, CONTRACT_JSON)
    assert citepage("render", name, "-o", "-", "--strict").code == 0


@pytest.mark.parametrize("name", OTHERS)
def test_other_formats_are_not_taken_for_answers(name: str) -> None:
    """Files of other programs that also have answers or citations in them are not claimed."""
    assert names(encoded(OTHERS[name])) == []


@pytest.mark.parametrize("data", [jsonl(header(), row(1)), jsonl(row(1), row(2)), encoded(share(row(1)))])
def test_the_platforms_own_formats_stay_theirs(data: bytes) -> None:
    """An export and a share are read by their own readers only."""
    assert "rag-answer" not in names(data)
    assert len(names(data)) == 1


def test_an_answer_that_quotes_the_platform_stays_an_answer() -> None:
    """Words of the other formats inside an answer's text change nothing."""
    text = encoded(header()).decode() + '{"messages": [], "session": {}, "hasMore": false}'
    assert names(encoded(cited(text, source(1, text)))) == ["rag-answer"]


def test_the_format_can_be_named(citepage: Citepage) -> None:
    """`--format rag-answer` takes answers and refuses what is none."""
    assert citepage("render", "-", "-o", "-", "--format", "rag-answer", stdin=CONTRACT_JSON.encode()).code == 0
    error = citepage("render", "-", "-o", "-", "--format", "rag-answer", stdin=jsonl(header(), row(1))).error
    assert "it is not rag-answer" in error
    assert (
        "it is not upstream-jsonl"
        in citepage("render", "-", "-o", "-", "--format", "upstream-jsonl", stdin=CONTRACT_JSON.encode()).error
    )


def test_the_formats_are_listed(citepage: Citepage) -> None:
    """`citepage formats` has a line that names the format, says what it is and how it is known."""
    lines = citepage("formats").out.decode().splitlines()
    (line,) = [line for line in lines if line.startswith("rag-answer ")]
    assert rag_answer.READER.what in line
    assert rag_answer.READER.recognised_by in line
