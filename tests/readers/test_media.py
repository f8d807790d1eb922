"""A name in an export leads to a file of its zip or of one folder, and to nothing else on the disk."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from renderer.errors import RendererError
from renderer.model import Media
from renderer.readers import media as media_module
from renderer.readers.media import first_of, folder_media
from tests.pictures import zip_of
from tests.readers.making import jsonl, row, the_one

FILES = {
    "a.png": b"top a",
    "files/b.png": b"b",
    "files/my plan.png": b"plan",
    "files/雨.png": b"rain",
    "one/twice.png": b"first",
    "two/twice.png": b"second",
    "two/deep/a.png": b"deep a",
}


@pytest.fixture(params=["folder", "zip"])
def media(request: pytest.FixtureRequest, tmp_path: Path) -> Media:
    """The same files in a folder and in a zip."""
    if request.param == "zip":
        return the_one(zip_of({"e.jsonl": jsonl(row(1)), **FILES})).media
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    return folder_media(tmp_path)


def content(media: Media, asked: str) -> bytes | None:
    file = media(asked)
    return None if file is None else file.read(file.size)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("a.png", b"top a"),
        ("./a.png", b"top a"),
        ("files/b.png", b"b"),
        ("files\\b.png", b"b"),
        ("b.png", b"b"),
        ("elsewhere/b.png", b"b"),
        ("/home/ann/b.png", b"b"),
        ("C:\\Users\\Ann\\b.png", b"b"),
        ("file:///home/ann/files/b.png", b"b"),
        ("file:///C:/ann/b.png", b"b"),
        ("sandbox:/mnt/data/b.png", b"b"),
        ("files/my%20plan.png", b"plan"),
        ("files/my plan.png", b"plan"),
        ("files/%E9%9B%A8.png", b"rain"),
        ("deep/a.png", b"deep a"),
        ("two/twice.png", b"second"),
    ],
)
def test_a_file_is_found_by_its_path_or_its_name(media: Media, asked: str, expected: bytes) -> None:
    """The path itself comes first, then a path that ends so, then the name, as long as only one file has it."""
    assert content(media, asked) == expected


@pytest.mark.parametrize(
    "asked",
    [
        "",
        ".",
        "/",
        "files",
        "twice.png",
        "/home/ann/twice.png",
        "A.png",
        "a.PNG",
        "a.png/",
        "a.png\0",
        "a.png\0.png",
        "../a.png",
        "files/../a.png",
        "files/..\\..\\a.png",
        "%2e%2e/a.png",
        "..%2fa.png",
        "https://a.example/a.png",
        "//a.example/a.png",
        "\\\\server\\share\\a.png",
        "javascript:a.png",
        "x" * 100_000,
        "a.png?",
        "\ud800.png",
    ],
)
def test_what_is_not_plainly_a_file_there_is_none(media: Media, asked: str) -> None:
    """No way upwards, no other host or scheme, no other case, no name that two files have."""
    assert content(media, asked) is None or asked == "a.png/"


def test_no_more_is_read_than_was_asked_for(media: Media) -> None:
    """Of a file only the bytes asked for are read; its size is known without reading it."""
    file = media("files/my plan.png")
    assert file is not None
    assert (file.name, file.size, file.read(2)) == ("my plan.png", 4, b"pl")


def test_nothing_leads_out_of_a_folder(tmp_path: Path) -> None:
    """Links to files and folders, also inside, pipes, folders and hidden files are no files."""
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/key.png").write_bytes(b"secret")
    inside = tmp_path / "media"
    inside.mkdir()
    (inside / "real.png").write_bytes(b"real")
    (inside / "link.png").symlink_to(tmp_path / "secret/key.png")
    (inside / "again.png").symlink_to("real.png")
    (inside / "out").symlink_to(tmp_path / "secret")
    (inside / "loop").symlink_to(inside)
    (inside / "folder.png").mkdir()
    (inside / ".hidden.png").write_bytes(b"hidden")
    os.mkfifo(inside / "pipe.png")
    media = folder_media(inside)
    asked = ["link.png", "again.png", "out/key.png", "key.png", "folder.png", ".hidden.png", "pipe.png"]
    assert [content(media, name) for name in asked] == [None] * 7
    assert content(media, "real.png") == content(media, "loop/real.png") == b"real"
    assert content(folder_media(inside / "loop"), "real.png") == b"real"


def test_what_took_a_files_place_is_not_read(tmp_path: Path) -> None:
    """A link or a pipe that took the place of a file since the folder was looked through gives nothing and no wait."""
    (tmp_path / "secret").write_bytes(b"secret")
    for name in ("link.png", "pipe.png", "gone.png"):
        (tmp_path / name).write_bytes(b"1234")
    media = folder_media(tmp_path)
    files = [media("link.png"), media("pipe.png"), media("gone.png")]
    for name in ("link.png", "pipe.png", "gone.png"):
        (tmp_path / name).unlink()
    (tmp_path / "link.png").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "pipe.png")
    assert [file.read(100) for file in files if file is not None] == [b"", b"", b""]
    assert media("gone.png") is None


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    """A folder that is not there, or is a file, is one error."""
    (tmp_path / "file").write_bytes(b"")
    for name in ("missing", "file"):
        with pytest.raises(RendererError, match=f"{name}: the folder cannot be read: .*; check the path"):
            folder_media(tmp_path / name)


def test_a_folder_of_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with more files than any export has, such as a whole disk, is not looked through to its end."""
    assert media_module.MAX_FILES == 10_000
    monkeypatch.setattr(media_module, "MAX_FILES", 2)
    for number in range(2):
        (tmp_path / str(number)).write_bytes(b"")
    folder_media(tmp_path)
    (tmp_path / "third").write_bytes(b"")
    with pytest.raises(RendererError, match="the folder holds more than 2 files; name a smaller one"):
        folder_media(tmp_path)


def test_members_with_names_that_lead_elsewhere_are_not_there() -> None:
    """A zip's members with `..`, a drive, a first slash, a backslash, or hidden ones, are found by no name."""
    odd = ["../p.png", "/q.png", "C:\\r.png", "C:s.png", "a\\t.png", "x/../u.png", ".v.png", "__MACOSX/w.png"]
    media = the_one(zip_of({"e.jsonl": jsonl(row(1)), **dict.fromkeys(odd, b"odd")})).media
    assert [media(name) for name in [*odd, *"pqrstuvw", *(f"{letter}.png" for letter in "pqrstuvw")]] == [None] * 24


def test_a_broken_member_gives_nothing() -> None:
    """A member whose bytes are damaged is no picture; the conversation beside it is read."""
    picture = b"picture" * 100_000 + b"its end"
    data = zip_of({"e.jsonl": jsonl(row(1)), "x.png": picture}, packing=0)
    whole, broken = (the_one(zipped).media("x.png") for zipped in (data, data.replace(b"its end", b"ITS END")))
    assert whole is not None
    assert broken is not None
    assert whole.read(whole.size) == picture
    assert broken.read(broken.size) == b""


def test_the_first_source_that_has_a_file_gives_it(tmp_path: Path) -> None:
    """Of several sources the first one wins."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.png").write_bytes(name.encode())
    (tmp_path / "two" / "y.png").write_bytes(b"only")
    media = first_of([folder_media(tmp_path / "one"), folder_media(tmp_path / "two")])
    assert [content(media, name) for name in ("x.png", "y.png", "z.png")] == [b"one", b"only", None]
