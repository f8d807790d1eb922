"""An export is read out of its zip as if it had been unpacked, and no zip does harm."""

from __future__ import annotations

import gzip
import io
import json
import random
import tracemalloc
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from renderer import RendererError, read
from renderer.errors import Problem
from renderer.model import Conversation, no_media
from renderer.readers import Input, _zip, reader_of
from tests.pictures import png, zip_of
from tests.readers.making import encoded, header, jsonl, messages, page, row, the_one

EXPORT = jsonl(header(), row(1, content="天气"), row(2, "ASSISTANT", "sunny"))
SHARE = encoded(page(row(1)))


def texts(conversation: Conversation) -> list[str]:
    return [message.text for message in messages(conversation)]


def refused(data: bytes, format_: str | None = None) -> str:
    with pytest.raises(RendererError) as error:
        read(data, format=format_)
    return str(error.value)


@pytest.mark.parametrize("export", [EXPORT, SHARE, gzip.compress(EXPORT, mtime=0)])
@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_an_export_in_a_zip_is_the_export(export: bytes, packing: int) -> None:
    """Rounds, digest and all else are those of the file in the zip, however often they are read."""
    bare, zipped = the_one(export), the_one(zip_of({"a/b/export.json": export, "a/b/x.png": png()}, packing))
    assert replace(zipped, rounds=()) == replace(bare, rounds=())
    assert texts(zipped) == texts(zipped) == texts(bare)
    assert len(texts(bare)) >= 1


def test_a_zip_comes_in_any_way(tmp_path: Path) -> None:
    """A zip is read from a path, from an open file and from a stream, and keeps the name that the user gave."""
    path = tmp_path / "anything.bin"
    path.write_bytes(zip_of({"e.jsonl": EXPORT}))
    assert the_one(path).origin.names == (str(path),)
    with path.open("rb") as file:
        conversation = the_one(file)
    assert texts(conversation) == texts(the_one(io.BytesIO(path.read_bytes()))) == ["天气", "sunny"]


def test_what_is_no_export_is_passed_over() -> None:
    """Hidden files, a system's own ones, zips in the zip, and JSON of another kind are not taken for the export."""
    others = {
        "__MACOSX/._e.jsonl": EXPORT,
        ".hidden/e.jsonl": EXPORT,
        "inner.zip": zip_of({"e.jsonl": EXPORT}),
        "user.json": b'{"name": "Ann"}',
        "broken.json": b'{"name": ',
        "../e.jsonl": EXPORT,
        "/e.jsonl": EXPORT,
        "C:\\e.jsonl": EXPORT,
        "folder.json/": b"",
    }
    assert texts(the_one(zip_of({**others, "E.JSONL": EXPORT}))) == ["天气", "sunny"]
    expected = "<bytes>: the zip file holds no export that citepage reads; see `citepage formats`, or unpack it"
    assert refused(zip_of(others)) == expected


def test_several_exports_are_named() -> None:
    """Which export is meant is not guessed: the error names them, some of them when they are many."""
    two = zip_of({"b.jsonl": EXPORT, "a/s.json": SHARE})
    expected = "<bytes>: the zip file holds several exports: a/s.json, b.jsonl; unpack it and give one of them, or"
    assert refused(two) == f"{expected} make a site of all with `citepage archive`"
    assert texts(the_one(two, "upstream-jsonl")) == ["天气", "sunny"]
    source = Input(two)
    for _ in range(2):  # an error leaves the zip as it was
        with pytest.raises(RendererError, match="several exports"):
            reader_of(source)
    many = refused(zip_of({f"{number}.jsonl": EXPORT for number in range(9)}))
    assert "0.jsonl, 1.jsonl, 2.jsonl and more;" in many
    crowd = refused(zip_of({f"{number}.json": b"{}" for number in range(101)}))
    assert crowd.startswith("<bytes>: the zip file holds 101 files that may be exports; unpack it and give one of them")


def test_a_named_format_must_be_there() -> None:
    """A format that no file of the zip is in is an error, and so is one that there is not."""
    assert "holds no export" in refused(zip_of({"e.jsonl": EXPORT}), "upstream-share")
    assert "there is no format 'x'" in refused(zip_of({"e.jsonl": EXPORT}), "x")


def test_pages_of_a_share_may_be_zipped_each() -> None:
    """Several zips that belong together are joined as their exports would be."""
    inputs = [Input(zip_of({"s.json": encoded(page(row(number)))}), str(number)) for number in (2, 1)]
    assert [reader_of(source).name for source in inputs] == ["upstream-share"] * 2
    (conversation,) = reader_of(inputs[0]).read(inputs)
    assert [message.id for message in messages(conversation)] == ["1", "2"]


def test_only_what_came_in_a_zip_has_files() -> None:
    """A conversation from a zip finds the files beside it; one from a bare file has none."""
    file = the_one(zip_of({"e.jsonl": EXPORT, "x.png": png()})).media("x.png")
    assert file is not None
    assert file.read(file.size) == png()
    assert the_one(EXPORT).media("x.png") is no_media("x.png") is None


def test_a_big_export_is_not_held() -> None:
    """Of an export of 60 MB in a zip, only the line at hand is in memory."""
    noise = random.Random(1)
    line = jsonl(row(1, content=noise.randbytes(20_000).hex()))
    source = Input(zip_of({"e.jsonl": line * 1500}))
    source.enter("e.jsonl")
    tracemalloc.start()
    count = sum(1 for _ in source.lines())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 1500
    assert len(line) * count > 60_000_000
    assert peak < 4_000_000


# --- Hostile and broken zips -----------------------------------------------------------------------------------


def patched(data: bytes, offset: int, value: bytes) -> bytes:
    """A zip of one member whose entry in the directory has this value at an offset."""
    place = data.index(b"PK\x01\x02") + offset
    return data[:place] + value + data[place + len(value) :]


ONE = zip_of({"e.jsonl": EXPORT})

HOSTILE = {
    "encrypted": (patched(ONE, 8, b"\x01\x00"), "the zip file is encrypted"),
    "too big": (patched(ONE, 24, (0xFFFF_0000).to_bytes(4, "little")), "unpacks to more than 2 GiB"),
    "a bomb": (zip_of({"e.jsonl": EXPORT, "zeros.png": bytes(17 << 20)}), "more than 100 times its size"),
    "bzip2": (zip_of({"e.jsonl": EXPORT}, zipfile.ZIP_BZIP2), "packed in a way that citepage does not read"),
    "lzma": (zip_of({"e.jsonl": EXPORT}, zipfile.ZIP_LZMA), "packed in a way that citepage does not read"),
    "many files": (zip_of({f"{number}.txt": b"" for number in range(10_001)}), "more than 10,000 files"),
    "cut off": (ONE[:-30], "broken or cut off"),
    "only its beginning": (ONE[:6], "broken or cut off"),
    "directory of 16 MiB": (ONE[:-10] + (1 << 24).to_bytes(4, "little") + ONE[-6:], "is too big"),
    "ZIP64": (ONE[:-22] + b"PK\x06\x07" + bytes(16) + ONE[-22:], "is too big"),
    "entry that points nowhere": (patched(ONE, 42, b"\xff\xff\xff\x00"), "the zip file is broken"),
}


@pytest.mark.parametrize(("data", "said"), HOSTILE.values(), ids=HOSTILE)
def test_a_zip_that_may_do_harm_is_refused(data: bytes, said: str) -> None:
    """Beyond the limits, encrypted, packed in another way or broken: one error says so."""
    assert said in refused(data)


def test_a_zip_is_read_up_to_where_it_is_broken() -> None:
    """What stands before the broken place is read as it was; then it is said that something is missing."""
    noise = random.Random(2)
    lines = [jsonl(row(number, content=noise.randbytes(4000).hex())) for number in range(1, 400)]
    data = bytearray(zip_of({"e.jsonl": b"".join(lines)}))
    data[len(data) // 2 : len(data) // 2 + 50] = bytes(50)
    source = Input(bytes(data))
    source.enter("e.jsonl")
    *read_lines, (_, last) = source.lines()
    assert [line for _, line in read_lines[:190]] == [line.rstrip() for line in lines[:190]]
    assert isinstance(last, Problem)
    assert (last.what, last.notice) == (
        "the zip file is broken here; what follows cannot be read",
        "input_damaged",
    )


def test_a_mutated_zip_is_read_or_refused(full: bool) -> None:
    """Whatever bytes a zip has, there are rounds or one error."""
    data = zip_of({"e.jsonl": EXPORT, "files/x.png": png()})
    for seed in range(3000 if full else 400):
        mutated = bytearray(data)
        chance = random.Random(seed)
        for _ in range(chance.randint(1, 4)):
            mutated[chance.randrange(len(mutated))] = chance.randrange(256)
        with suppress(RendererError):
            for conversation in read(bytes(mutated)):
                file = conversation.media("x.png")
                assert file is None or len(file.read(1000)) <= 1000
                assert all(isinstance(text, str) for text in texts(conversation))


def test_the_limits_are_those_that_are_promised() -> None:
    """10,000 members, 2 GiB unpacked, 100 times their size: below them a zip is read."""
    assert (_zip.MAX_MEMBERS, _zip.MAX_TOTAL, _zip.MAX_RATIO) == (10_000, 2 * 1024**3, 100)
    rows = jsonl(header(), row(1, content=json.dumps("a" * 1_000_000)))
    assert len(texts(the_one(zip_of({"e.jsonl": rows} | {f"{number}": b"" for number in range(9_999)})))) == 1
