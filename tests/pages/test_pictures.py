"""Pictures that the page carries, what stands in the place of the others, and the list of attached files."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import pytest
from bs4 import Tag

from renderer import Options
from renderer.pages.pictures import raster_type, size_text
from tests.pages.making import Page, answer, attribute, one, page, page_of, question, words
from tests.pictures import data_address, png, zip_of
from tests.readers.making import jsonl

GIF = b"GIF89a\1\0\1\0\0\0\0;"
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0"
WEBP = b"RIFF\x1a\0\0\0WEBPVP8L"
AVIF = b"\0\0\0\x20ftypavif\0\0\0\0avifmif1"
AVIF_BY_BRAND = b"\0\0\0\x1cftypmif1\0\0\0\0mif1avifmiaf"
SVG = b"<svg xmlns='http://www.w3.org/2000/svg'/>"


def pictured(*addresses: str, **options: Any) -> Page:
    """The page of a question with these pictures."""
    return page(question(1, "Look", images=list(addresses)), **options)


def shown(made: Page) -> list[bytes]:
    """The bytes of the pictures that a page carries."""
    return [base64.b64decode(attribute(img, "src").partition(",")[2]) for img in made.all("img")]


def missing(made: Page) -> list[Tag]:
    return made.all(".picture-missing")


# --- What is a picture -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (png(), "image/png"),
        (JPEG, "image/jpeg"),
        (GIF, "image/gif"),
        (b"GIF87a...", "image/gif"),
        (WEBP, "image/webp"),
        (AVIF, "image/avif"),
        (AVIF_BY_BRAND, "image/avif"),
    ],
)
def test_a_picture_is_known_by_its_first_bytes(data: bytes, media_type: str) -> None:
    """Whatever type is declared, the page says the one that the bytes have."""
    for declared in ("image/png", "image/svg+xml", "text/html", "", 'x" onerror="alert(1)'):
        made = pictured(data_address(data, declared))
        assert [attribute(img, "src") for img in made.all("img")] == [data_address(data, media_type)]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        SVG,
        b"<?xml version='1.0'?>" + SVG,
        b"<html>",
        b"\x89PNG",
        b"RIFF\0\0\0\0WAVE",
        b"BM\x1a\0\0\0",
        b"II*\0",
        b"\0\0\0\x18ftypheic\0\0\0\0heicmif1avif",
        b"\0\0\0\x14ftypisom\0\0\0\0isomavif",
        b" " + png(),
    ],
)
def test_what_is_no_raster_picture_is_not_embedded(data: bytes) -> None:
    """SVG, a web page, a sound, a film or half a signature that calls itself a PNG is named and not embedded."""
    if b"heic" in data:  # the list of brands ends before the one that would count
        assert raster_type(data) == ""
    made = pictured(data_address(data))
    assert made.all("img") == []
    assert [words(tag) for tag in missing(made)] == ["Picture that cannot be shown"]


@pytest.mark.parametrize(
    "address",
    [
        "data:image/png,%89PNG",
        "data:image/png;base64",
        "data:;base64,?",
        "data:image/png;base64,é",
        "DATA:",
        data_address(png())[:-1] + "!",
    ],
)
def test_an_address_with_broken_data_is_no_picture(address: str) -> None:
    """Data that is not base64 is named and not embedded."""
    made = pictured(address)
    assert made.all("img") == []
    assert [words(tag) for tag in missing(made)] == ["Picture that cannot be shown"]


def test_base64_may_be_written_in_any_usual_way() -> None:
    """Line ends, percent-encoding, capitals and missing padding do not hide a picture."""
    address = data_address(GIF)
    coded = address.partition(",")[2]
    ways = [
        f"data:image/gif;base64,{coded[:8]}\n {coded[8:]}",
        f"DATA:IMAGE/GIF;BASE64,{coded.replace('=', '%3D')}",
        f"data:image/gif;charset=x;base64,{coded.rstrip('=')}",
    ]
    assert shown(pictured(*ways)) == [GIF] * 3


# --- Budget ----------------------------------------------------------------------------------------------------


def test_a_picture_over_the_budget_is_left_out_by_name_and_size(tmp_path: Path) -> None:
    """A picture of more than 2 MB stands as what it is and how big it is; with a greater budget it is shown."""
    big = png(1000, 700, noise=1)
    assert len(big) > 2_000_000
    (tmp_path / "big.png").write_bytes(big)
    rows = [question(1, "Look", images=[data_address(big), "/x/big.png"])]
    made = page(*rows, media=str(tmp_path))
    assert shown(made) == []
    left_out = "Picture of 2.1 MB, left out: more than the page may carry"
    assert [words(tag) for tag in missing(made)] == [left_out, f"{left_out}: big.png"]
    assert len(made.html) < 100_000
    assert shown(page(*rows, media=str(tmp_path), picture_bytes=len(big))) == [big, big]
    assert shown(page(*rows, media=str(tmp_path), picture_bytes=len(big) - 1)) == []


def test_the_pictures_of_a_page_share_a_budget() -> None:
    """What is left is for the next pictures; a small one still finds room where a big one does not."""
    first, second, small = png(40, 40, noise=1), png(40, 40, noise=2), png()
    made = pictured(*map(data_address, (first, second, small)), pictures_bytes=len(first) + len(small))
    assert shown(made) == [first, small]
    assert len(missing(made)) == 1


def test_the_budget_is_that_of_options() -> None:
    """2 MB a picture and 10 MB a page, when nothing else is chosen."""
    assert (Options().picture_bytes, Options().pictures_bytes) == (2_000_000, 10_000_000)
    assert shown(pictured(data_address(png()), pictures_bytes=0)) == []


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (2_149_000, "2.1 MB")],
)
def test_sizes_are_said_in_three_digits(size: int, text: str) -> None:
    """Bytes, thousands and millions of them."""
    assert size_text(size) == text


# --- Size on the page -------------------------------------------------------------------------------------------

FRAME = b"\xff\xc0\0\x0b\x08\x01\x2c\0\xc8\x01\x01\x11\0"
EXIF = b"Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0"
JFIF = b"\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
TURNED = b"\xff\xe1" + (len(EXIF) + 2).to_bytes(2, "big") + EXIF
RIFF = b"RIFF\x40\0\0\0WEBP"


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(30, 20), (30, 20)),
        (GIF, (1, 1)),
        (b"GIF89a\x2c\x01\xc8\0\0\0\0;", (300, 200)),
        (b"\xff\xd8" + JFIF + FRAME, (200, 300)),
        (b"\xff\xd8" + TURNED + FRAME, (300, 200)),
        (RIFF + b"VP8X\x0a\0\0\0\0\0\0\0\x2b\x01\0\xc7\0\0", (300, 200)),
        (RIFF + b"VP8L\x0a\0\0\0\x2f" + (299 | 199 << 14).to_bytes(4, "little") + b"\0" * 8, (300, 200)),
        (RIFF + b"VP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x2c\x01\xc8\0", (300, 200)),
        (JPEG, None),
        (b"\xff\xd8\xff\xe0\0\0", None),
        (b"GIF87a..", None),
        (WEBP, None),
        (AVIF, None),
        (png(0, 5), None),
    ],
)
def test_a_picture_has_its_place_before_it_is_decoded(data: bytes, size: tuple[int, int] | None) -> None:
    """Width and height are those of the file's header, of a photo as it is turned; none are made up."""
    img = pictured(data_address(data)).one("img")
    assert (img.get("width"), img.get("height")) == (tuple(map(str, size)) if size else (None, None))


@pytest.mark.parametrize(("width", "height"), [(20_001, 1), (1, 20_001), (10_001, 10_000)])
def test_a_picture_of_too_many_pixels_is_left_out(width: int, height: int) -> None:
    """A few bytes that would unfold to a hundred million pixels are named, with their size."""
    data = png()[:16] + struct.pack(">II", width, height) + png()[24:]
    made = pictured(data_address(data))
    assert shown(made) == []
    left_out = f"Picture of {width} × {height} px, left out: more than the page may carry"
    assert [words(tag) for tag in missing(made)] == [left_out]


# --- Files -----------------------------------------------------------------------------------------------------


def test_a_picture_comes_from_the_exports_zip_or_the_folder(tmp_path: Path) -> None:
    """A name is looked for in the zip and in the folder, and nowhere else."""
    (tmp_path / "f.png").write_bytes(png(5, 5))
    rows = [question(1, "Look", images=["z.png", "f.png", "neither.png"])]
    export = jsonl(*rows)
    zipped = zip_of({"e.jsonl": export, "z.png": png(4, 4)})
    options = Options(lang="en", media=str(tmp_path))
    assert shown(page_of(zipped, options)) == [png(4, 4), png(5, 5)]
    assert shown(page_of(zipped)) == [png(4, 4)]
    assert shown(page_of(export, options)) == [png(5, 5)]
    assert [words(tag) for tag in missing(page_of(zipped, options))] == [
        "Picture that is not in this export: neither.png"
    ]


def test_a_file_beside_the_export_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a folder named, a name in an export opens nothing, wherever the program was started."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.png").write_bytes(png())
    assert shown(pictured("here.png", "./here.png", str(tmp_path / "here.png"), f"file://{tmp_path}/here.png")) == []


def test_a_svg_file_is_not_embedded(tmp_path: Path) -> None:
    """What the file's ending says counts for nothing."""
    (tmp_path / "drawing.png").write_bytes(SVG)
    (tmp_path / "photo.svg").write_bytes(GIF)
    made = pictured("drawing.png", "photo.svg", media=str(tmp_path))
    assert shown(made) == [GIF]
    assert [words(tag) for tag in missing(made)] == ["Picture that cannot be shown: drawing.png"]


def test_no_path_of_a_disk_is_shown() -> None:
    """Where a picture lay on somebody's disk is told to nobody."""
    made = pictured("/home/ann/secret/rain.png", "C:\\ann\\secret\\snow.png", "file:///home/ann/secret/fog.png")
    assert [words(tag).rpartition(": ")[2] for tag in missing(made)] == ["rain.png", "snow.png", "fog.png"]
    assert "secret" not in made.html
    assert "ann" not in made.main_text


# --- In texts --------------------------------------------------------------------------------------------------


def test_pictures_in_a_text_are_shown_where_they_stand(tmp_path: Path) -> None:
    """Data, files and web addresses in Markdown are treated as those beside a text, with their descriptions."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "my plan.png").write_bytes(png(4, 4))
    text = (
        f'Before ![one]({data_address(png())} "Title") and ![](<files/my plan.png>)\n\n'
        "![remote](https://pics.example/x.png) ![gone](gone.png)"
    )
    made = page(question(1), answer(2, text), media=str(tmp_path))
    prose = one(made.article(2), ".prose")
    assert shown(made) == [png(), png(4, 4)]
    assert [attribute(img, "alt") for img in prose.select("img")] == ["one (Title)", "Picture without description"]
    remote, gone = prose.select(".picture-missing")
    assert words(remote) == "Picture on pics.example, not loaded: remote https://pics.example/x.png"
    assert attribute(one(remote, "a"), "rel") == "noopener noreferrer nofollow ugc"
    assert words(gone) == "Picture that is not in this export: gone"
    assert words(prose).startswith("Before and")


def test_a_big_picture_does_not_make_a_text_too_long() -> None:
    """A picture of a megabyte inside a text does not cost it its layout: the limit is for the text."""
    big = png(700, 500, noise=3)
    made = page(question(1), answer(2, f"*see* ![it]({data_address(big)}) and **read**"))
    prose = one(made.article(2), ".prose")
    assert shown(made) == [big]
    assert [tag.get_text() for tag in prose.select("em, strong")] == ["see", "read"]
    assert made.all(".notice") == []


def test_data_that_is_no_picture_stays_text() -> None:
    """In code and in plain words, long data stands to the letter."""
    address = data_address(png(30, 30, noise=4))
    assert len(address) > 2000
    made = page(question(1), answer(2, f"`{address}`\n\n```\n{address}\n```\n\n{address}\n\n[{address}](x)"))
    prose = one(made.article(2), ".prose")
    assert [code.get_text().strip() for code in prose.select("code")] == [address] * 2
    assert prose.get_text().count(address) == 4


# --- Words -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lang", "text"), [("en", "Picture without description"), ("zh-CN", "无说明的图片")])
def test_a_picture_without_description_says_so(lang: str, text: str) -> None:
    """Every picture has a name for those who do not see it, and is decoded beside the text."""
    made = pictured(data_address(png()), lang=lang)
    img = made.one("img")
    assert (attribute(img, "alt"), attribute(img, "decoding"), img.get("loading")) == (text, "async", None)
    assert made.all("figcaption") == []


# --- Attached files --------------------------------------------------------------------------------------------


def attached(*files: object) -> str:
    return json.dumps({"attachments": list(files)})


def test_attached_files_are_one_list_at_the_end(tmp_path: Path) -> None:
    """Name, type and size, as far as they are known; never a link and never a folder."""
    (tmp_path / "data.csv").write_bytes(b"a,b\n")
    files = attached(
        {"path": "/home/ann/secret/plan.pdf", "mime": "application/pdf", "size": 123_456},
        {"path": "C:\\secret\\data.csv", "mime": "text/csv", "data_uri": None},
        {"mime": "image/jpeg", "data_uri": "[image data URI omitted: image/jpeg]"},
        {"mime": "a/b"},
    )
    made = page(question(1, "See", images=["https://a.example/x.png"], metadata=files), media=str(tmp_path))
    article = made.article(1)
    assert [words(item) for item in article.select(".attachments li")] == [
        "plan.pdf · application/pdf · 123 kB",
        "data.csv · text/csv · 4 B",
        "Picture (image/jpeg) that is not in this export",
        "unnamed file · a/b",
    ]
    assert words(one(article, ".attachments > span")) == "Attachments"
    assert article.select(".attachments a") == []
    assert "secret" not in made.html


def test_an_attached_picture_that_is_at_hand_is_shown(tmp_path: Path) -> None:
    """A picture among the attached files is shown when its bytes are in the row, in the zip or in the folder."""
    (tmp_path / "sketch.png").write_bytes(png(4, 4))
    files = attached(
        {"path": "/home/ann/sketch.png", "mime": "image/png", "data_uri": "[image data URI omitted: image/png]"},
        {"path": "/home/ann/inline.png", "mime": "image/png", "data_uri": data_address(png())},
        {"path": "lost.png", "mime": "image/png"},
    )
    made = page(question(1, "See", metadata=files), answer(2, "Fine", metadata=files), media=str(tmp_path))
    for number in (1, 2):
        article = made.article(number)
        assert [words(caption) for caption in article.select("figcaption")] == ["sketch.png", "inline.png"]
        assert [words(item) for item in article.select(".attachments li")] == ["lost.png · image/png"]
    assert shown(made) == [png(4, 4), png()] * 2
