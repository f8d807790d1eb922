"""A format is recognised from what a file holds, and what is not recognised is described in words."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from renderer.errors import RendererError
from renderer.readers import READERS, Input, read, read_inputs, sample_of
from tests.readers.making import encoded, header, jsonl, messages, page, row, the_one


def recognised(data: bytes) -> str:
    return the_one(data).origin.format


def refused(data: bytes) -> str:
    with pytest.raises(RendererError) as error:
        read(data)
    return str(error.value)


def test_the_readers_have_their_names() -> None:
    """The names that --format takes are fixed, and each reader says what it is and how it is known."""
    assert [reader.name for reader in READERS] == ["upstream-jsonl", "upstream-share", "rag-answer"]
    for reader in READERS:
        assert reader.what.endswith(".")
        assert reader.recognised_by.endswith(".")


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (jsonl(header(), row(1)), "upstream-jsonl"),
        (jsonl(row(1), row(2)), "upstream-jsonl"),
        (jsonl(row(1)), "upstream-jsonl"),
        (jsonl({"id": 1, "role": "USER", "content": "q"}), "upstream-jsonl"),
        (jsonl(b'{"type":"session_exp', row(1), row(2)), "upstream-jsonl"),
        (jsonl(b'{"type":"session_exp', row(1)), "upstream-jsonl"),
        (jsonl(b"\0\0\0\0", b"", row(1)), "upstream-jsonl"),
        (jsonl(header(), b'{"id": 1, "ro', row(2)), "upstream-jsonl"),
        (encoded(page(row(1))), "upstream-share"),
        (encoded({"code": 0, "data": page(row(1))}), "upstream-share"),
        (encoded({"data": page(row(1))}), "upstream-share"),
        (json.dumps(page(row(1)), indent=2).encode(), "upstream-share"),
        (json.dumps(page(row(1)), indent="\t").replace("\n", "\r\n").encode(), "upstream-share"),
        (json.dumps({"code": 0, "data": page(row(1))}, indent=1).encode("utf-16"), "upstream-share"),
        (b"\xef\xbb\xbf" + encoded(page(row(1))), "upstream-share"),
        (gzip.compress(encoded(page(row(1))), mtime=0), "upstream-share"),
        (b'{"session":{"id":1},"hasMore":false,"messages":[\n' + encoded(row(1)) + b"\n]}", "upstream-share"),
    ],
)
def test_formats_are_recognised_from_content(data: bytes, name: str) -> None:
    """Headers, rows, damaged beginnings, one-line and indented documents are told apart."""
    assert recognised(data) == name


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "an empty file"),
        (b" \n\n\t", "a file with nothing but blanks"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG picture"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "a JPEG picture"),
        (gzip.compress(b"PK\x03\x04\x14\0", mtime=0), "a ZIP archive"),
        (b"%PDF-1.7\n", "a PDF document"),
        (gzip.compress(gzip.compress(b"{}", mtime=0), mtime=0), "a gzip file inside a gzip file"),
        (b"\n<!DOCTYPE html><p>", "a web page (HTML)"),
        (b"<html lang=en>", "a web page (HTML)"),
        (b'<?xml version="1.0"?><a/>', "an XML document"),
        (b"just\nsome text\n", "plain text"),
        ("天气".encode() * 500, "plain text"),
        (b"2024\nhello", "plain text"),
        (b"\x00\x01\x02\x03", "binary data"),
        (b"\xfe\xed\xfa\xce\x99", "binary data"),
        (b'{"a": [1,\n  2', "JSON that is cut off or broken at line 2 column 4"),
        (b"[1, 2, x]", "JSON that is cut off or broken at line 1 column 8"),
        (b"[" * 100_000, "JSON that cannot be read: its lists and objects are nested too deep"),
        (b'{"title": "t", "mapping": {}}', "JSON of another shape, with the keys title, mapping"),
        (b"{}", "JSON of another shape, without any key"),
        (b'[{"b": 1}, 2]', "JSON of another shape, a list of 2, its items with the keys b"),
        (b"[]", "JSON of another shape, a list of 0"),
        (b'"text"', "plain text"),
        (b'{"uuid": 1, "type": "x"}\n{"uuid": 2}\n', "JSON lines of another shape, with the keys uuid, type"),
        (
            b'{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}',
            "JSON of another shape, with the keys a, b, c, d, e, f and more",
        ),
        (b'{"a\\nb": 1}', "JSON of another shape, with the keys a�b"),
    ],
)
def test_what_is_not_recognised_is_described(data: bytes, words: str) -> None:
    """The error says what the file seems to be, and where to go from there."""
    expected = f"<bytes>: not a format that citepage reads: it looks like {words}; see `citepage formats`, or name it"
    assert refused(data) == expected + " with --format"


@pytest.mark.parametrize(
    "data",
    [
        b'{"role": "user", "content": "an OpenAI row"}\n{"role": "assistant", "content": "x"}\n',
        b'{"messages": [{"role": "user", "content": "x"}]}',
        b'{"messages": [{"role": "user", "content": "x"}], "session": "abc"}',
        b'{"code": 500, "data": {"biz": 1}, "msg": ""}',
        b'{"code": 404, "reason": "not found"}',
        b'{"code": 0, "data": null}',
    ],
)
def test_other_formats_are_not_taken_for_ours(data: bytes) -> None:
    """A format that shares some keys with the upstream ones is not read as one of them."""
    assert "not a format that citepage reads" in refused(data)


def test_an_unknown_format_name_lists_the_known_ones() -> None:
    """A name that --format does not know is answered with those it knows."""
    with pytest.raises(RendererError) as error:
        read(b"", format="markdown")
    assert (
        str(error.value) == "there is no format 'markdown'; the formats are upstream-jsonl, upstream-share, rag-answer"
    )


def test_a_format_that_is_named_must_match() -> None:
    """A file that is not in the format that the user named is an error which says what it looks like."""
    with pytest.raises(RendererError, match=r"^<bytes>: it is not upstream-share: it looks like JSON lines of another"):
        read(jsonl(header(), row(1)), format="upstream-share")
    assert the_one(jsonl(row(1)), "upstream-jsonl").origin.format == "upstream-jsonl"


def test_the_name_of_the_file_does_not_matter(tmp_path: Path) -> None:
    """An export under another name and ending is read all the same, by path, by string and as an open file."""
    path = tmp_path / "picture.png"
    path.write_bytes(jsonl(row(1)))
    assert [len(messages(the_one(source))) for source in (path, str(path))] == [1, 1]
    with path.open("rb") as file:
        conversation = the_one(file)
    assert len(messages(conversation)) == 1
    assert conversation.origin.names == (str(path),)


def test_several_inputs_must_be_of_one_format() -> None:
    """An export and a share cannot be put together."""
    inputs = [Input(jsonl(row(1)), "a.jsonl"), Input(encoded(page(row(1))), "b.json")]
    with pytest.raises(RendererError, match=r"^b\.json: it is upstream-share, but a\.jsonl is upstream-jsonl; give"):
        read_inputs(inputs)


def test_several_exports_cannot_be_joined() -> None:
    """Two JSONL exports at once are an error that says what can be joined."""
    inputs = [Input(jsonl(row(1)), "a"), Input(jsonl(row(2)), "b")]
    with pytest.raises(RendererError, match=r"^a: 2 JSONL exports cannot be joined; only the pages of one share can"):
        read_inputs(inputs)


def test_nothing_to_read_is_an_error() -> None:
    """No input at all is an error, not an empty answer."""
    with pytest.raises(RendererError, match="there is nothing to read"):
        read_inputs([])


def test_errors_come_at_once() -> None:
    """What is wrong with an input is told when it is given, not when its conversations are asked for."""
    with pytest.raises(RendererError, match="no such file"):
        read("no/such/file")
    with pytest.raises(RendererError, match="there are no messages in it"):
        read(jsonl(header()))


def test_a_sample_of_lines_looks_at_the_first_twenty() -> None:
    """Recognition looks at twenty lines of a long file, and not further."""
    sample = sample_of(Input(jsonl(*range(1, 100))))
    assert sample.values == tuple(range(1, 21))
    assert sample.document is None


class Counting(Input):
    """An Input that counts the bytes that are read of it."""

    count = 0

    def _open(self) -> io.BytesIO:
        outer = self

        class File(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                data = super().read(size)
                outer.count += len(data)
                return data

        assert isinstance(self._source, bytes)
        return File(self._source)


@pytest.mark.parametrize(
    "data",
    [
        jsonl(*(row(n, content="x" * 1000) for n in range(5000))),
        b"\x89PNG\r\n\x1a\n" + b"\0" * 5_000_000,
        b"A line of a book.\n" * 300_000,
    ],
    ids=["rows", "picture", "book"],
)
def test_a_sample_does_not_read_a_long_file_to_its_end(data: bytes) -> None:
    """Recognition of what is no JSON document reads its beginning only."""
    source = Counting(data)
    sample_of(source)
    assert source.count <= 2 * 256 * 1024


def test_a_document_is_decoded_once_for_recognition_and_reading() -> None:
    """The reader is given the document that recognition has decoded."""
    source = Input(encoded(page(row(1))))
    sample = sample_of(source)
    assert sample.document is source.document().value
