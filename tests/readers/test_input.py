"""An Input is what it was given, line by line, however it came and however often it is read."""

from __future__ import annotations

import gc
import gzip
import io
import os
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from renderer.errors import Problem, RendererError
from renderer.readers import Input, _input
from renderer.readers._records import BadJson


def lines(source: Input) -> list[tuple[int, bytes | Problem]]:
    return list(source.lines())


def test_bytes_are_lines_with_numbers_from_one() -> None:
    """Lines are numbered from 1, have no line end, and blank ones count."""
    assert lines(Input(b"a\n\nb\n")) == [(1, b"a"), (2, b""), (3, b"b")]


def test_the_last_line_needs_no_end() -> None:
    """A last line without a line end is a line all the same."""
    assert lines(Input(b"a\nb")) == [(1, b"a"), (2, b"b")]


def test_carriage_returns_at_the_end_are_dropped() -> None:
    """Windows line ends are line ends; a carriage return inside a line is kept."""
    assert lines(Input(b"a\r\nb\rc\r\n")) == [(1, b"a"), (2, b"b\rc")]


def test_only_a_line_feed_ends_a_line() -> None:
    """The other line ends of Unicode and ASCII may stand inside a line."""
    line = "a\u2028b\u2029c\u0085d\x0be\x0cf\x1eg".encode()
    assert lines(Input(line + b"\nz")) == [(1, line), (2, b"z")]


def test_a_byte_order_mark_is_taken_off() -> None:
    """A UTF-8 byte order mark is no part of the first line."""
    assert lines(Input(b"\xef\xbb\xbfa\nb")) == [(1, b"a"), (2, b"b")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
def test_utf_16_and_32_with_a_mark_become_utf_8(encoding: str) -> None:
    """Text in UTF-16 or UTF-32 with a byte order mark is read as if it were UTF-8."""
    text = "天气 🌤\r\nzwei\n"
    data = text.encode(encoding) if encoding in ("utf-16", "utf-32") else ("\ufeff" + text).encode(encoding)
    assert lines(Input(data)) == [(1, "天气 🌤".encode()), (2, b"zwei")]


def test_gzip_is_known_by_its_bytes(tmp_path: Path) -> None:
    """A gzip file is decompressed whatever it is called, all its members, and the padding after them ignored."""
    path = tmp_path / "plain.jsonl"
    path.write_bytes(gzip.compress(b"a\nb") + gzip.compress(b"c\n") + b"\0" * 512)
    assert lines(Input(path)) == [(1, b"a"), (2, b"bc")]


def test_a_cut_gzip_gives_what_can_be_read() -> None:
    """Of a gzip file that is cut off, the readable part comes first, and then one Problem that says so."""
    whole = gzip.compress(b"first\nsecond\n", mtime=0)
    source = Input(whole[:-8], name="cut.gz")
    assert lines(source) == [
        (1, b"first"),
        (2, b"second"),
        (2, Problem("cut.gz", 2, "the gzip file is cut off here; what follows is missing", notice="input_damaged")),
    ]


def test_a_broken_gzip_gives_what_can_be_read() -> None:
    """Of a gzip file with a wrong checksum, everything comes, and then one Problem that says so."""
    whole = bytearray(gzip.compress(b"first\nsecond\n", mtime=0))
    whole[-5] ^= 1
    assert lines(Input(bytes(whole), name="bad.gz")) == [
        (1, b"first"),
        (2, b"second"),
        (2, Problem("bad.gz", 2, "the gzip file is broken here; what follows cannot be read", notice="input_damaged")),
    ]


@pytest.mark.parametrize("data", [b"\x1f\x8b", b"\x1f\x8b\x08 this is no gzip file at all"])
def test_a_gzip_without_anything_readable_is_an_error(data: bytes) -> None:
    """A gzip file of which nothing can be read is an error, in one line."""
    with pytest.raises(RendererError, match=r"^bad\.gz: the gzip file is broken from its start; make or fetch"):
        lines(Input(data, name="bad.gz"))


def test_a_line_that_is_too_long_is_reported() -> None:
    """A line over the limit is left out and named, and the lines around it are read."""
    source = Input(b"a\n" + b"x" * 11 + b"\n" + b"y" * 10 + b"\nb", name="f")
    assert list(source.lines(limit=10)) == [
        (1, b"a"),
        (2, Problem("f", 2, "the line was left out: it is longer than 10 bytes", left_out=1)),
        (3, b"y" * 10),
        (4, b"b"),
    ]


def test_a_line_that_is_too_long_is_not_held() -> None:
    """A line of 80 MiB costs a few MiB, and is named with the limit."""
    source = Input(gzip.compress(b"a\n" + b"x" * (80 << 20) + b"\nb\n", 1), name="f")
    tracemalloc.start()
    found = lines(source)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # What is held before the limit is reached may be held; the join of it, and the rest, may not.
    assert peak < 70 << 20
    assert found == [
        (1, b"a"),
        (2, Problem("f", 2, "the line was left out: it is longer than 64 MiB", left_out=1)),
        (3, b"b"),
    ]


def test_a_long_line_is_whole() -> None:
    """A line of 20 MB comes whole."""
    long = b"x" * 20_000_000
    assert lines(Input(long + b"\nb")) == [(1, long), (2, b"b")]


def test_the_digest_is_that_of_the_decompressed_bytes() -> None:
    """The digest is the SHA-256 of the content, the same for a compressed copy; a byte order mark is content."""
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert Input(b"abc").digest() == digest
    assert Input(gzip.compress(b"abc")).digest() == digest
    assert Input(b"\xef\xbb\xbfabc").digest() != digest


def test_an_input_can_be_read_again_and_in_between() -> None:
    """Iterations do not disturb each other."""
    source = Input(io.BytesIO(b"a\nb\n"))
    once = source.lines()
    assert next(once) == (1, b"a")
    assert lines(source) == [(1, b"a"), (2, b"b")]
    assert next(once) == (2, b"b")


def test_names_are_as_given(tmp_path: Path) -> None:
    """An Input is called what the user called it."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"a")
    with path.open("rb") as file:
        assert Input(file).name == str(path)
    assert Input("some/where.jsonl").name == "some/where.jsonl"
    assert Input(path).name == str(path)
    assert (Input("-").name, Input(b"").name, Input(io.BytesIO()).name) == ("<stdin>", "<bytes>", "<stream>")
    assert Input(b"", name="export.zip: a.json").name == "export.zip: a.json"


def test_standard_input_is_read_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input, which can be read only once, can be read again and again."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"a\nb")))
    source = Input("-")
    assert lines(source) == lines(source) == [(1, b"a"), (2, b"b")]


def test_a_file_object_may_be_closed_after_the_first_reading(tmp_path: Path) -> None:
    """What was read from a file object stays readable when the caller has closed it."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"a\nb")
    with path.open("rb") as file:
        source = Input(file)
        source.head()
    assert lines(source) == [(1, b"a"), (2, b"b")]


@pytest.fixture
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of temporary files, watched; streams count as large from 10 bytes on."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(_input, "KEPT_IN_MEMORY", 10)
    yield folder
    assert list(folder.iterdir()) == []


def test_a_large_stream_is_kept_in_a_file_until_closed(temporary_folder: Path) -> None:
    """A large stream is kept in a temporary file, which is gone when the Input is closed."""
    with Input(io.BytesIO(b"0123456789\n" * 9)) as source:
        assert len(lines(source)) == len(lines(source)) == 9
        assert len(list(temporary_folder.iterdir())) == 1


def test_a_large_stream_goes_with_its_input(temporary_folder: Path) -> None:
    """The temporary file is gone when nobody holds the Input any more."""
    source = Input(io.BytesIO(b"0123456789\n"))
    assert lines(source) == [(1, b"0123456789")]
    assert len(list(temporary_folder.iterdir())) == 1
    del source
    gc.collect()


def test_a_pipe_named_by_a_path_is_kept_too(tmp_path: Path) -> None:
    """A pipe under a path, as a shell's <(command) gives, can be read again like a file."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"a\nb",))
    writer.start()
    source = Input(path)
    assert lines(source) == lines(source) == [(1, b"a"), (2, b"b")]
    writer.join()


def test_a_missing_file_is_one_clear_line() -> None:
    """A file that is not there is an error that names it and says what to do."""
    with pytest.raises(RendererError) as error:
        lines(Input("no/such.jsonl"))
    assert str(error.value) == "no/such.jsonl: no such file; check the path"


def test_a_folder_is_one_clear_line(tmp_path: Path) -> None:
    """A folder is an error that says that it is one."""
    with pytest.raises(RendererError) as error:
        Input(tmp_path).digest()
    assert (error.value.what, error.value.remedy) == ("it is a folder", "name a file in it")


def test_a_file_that_may_not_be_read_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without the right to read it is an error that says so."""

    def refuse(path: str) -> None:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "stat", refuse)
    with pytest.raises(RendererError) as error:
        Input("secret.jsonl").head()
    assert str(error.value) == "secret.jsonl: no permission to read it; check its access rights"


def test_a_failing_disk_is_one_clear_line() -> None:
    """An error in the middle of reading is told in one line, with the system's own words."""

    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, _buffer: object) -> int:
            raise OSError(5, "Input/output error")

    with pytest.raises(RendererError, match=r"^disk: it cannot be read: Input/output error; check"):
        lines(Input(io.BufferedReader(Failing()), name="disk"))


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_an_impossible_name_is_an_error(name: str) -> None:
    """A name that no file can have is an error like any other."""
    with pytest.raises(RendererError):
        lines(Input(name))


def test_text_streams_are_refused() -> None:
    """A stream that is open as text is refused, since its bytes are lost."""
    with pytest.raises(RendererError, match="it is open as text, not as bytes"):
        lines(Input(io.StringIO("a")))  # type: ignore[arg-type]  # what the test is about


def test_standard_input_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program without standard input says so."""
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(RendererError, match=r"^<stdin>: it cannot be read: there is no standard input"):
        lines(Input("-"))


def test_a_document_is_decoded_once() -> None:
    """The whole content as one JSON value is the same object when asked for again."""
    source = Input(b'\xef\xbb\xbf{"a":\n[1]}\n')
    assert source.document().value == {"a": [1]}
    assert source.document().value is source.document().value


def test_a_document_says_what_was_repaired() -> None:
    """Bytes that are no UTF-8 are replaced in a document, and named."""
    document = Input(b'{"a": "\xff"}', name="f").document()
    assert document.value == {"a": "�"}
    assert document.problems == (Problem("f", None, "some bytes are no UTF-8; they are shown as �"),)


def test_a_document_has_a_size_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document over the limit is refused before it is held."""
    monkeypatch.setattr(_input, "MAX_DOCUMENT", 4 << 20)
    with pytest.raises(BadJson, match="more than 4 MiB"):
        Input(b"[" + b" " * (5 << 20) + b"]").document()


def test_the_head_is_the_beginning() -> None:
    """The head is as many first bytes as asked for, or all there are."""
    assert Input(b"abcdef").head(3) == b"abc"
    assert Input(b"ab").head() == b"ab"
    assert Input(b"").head() == b""
