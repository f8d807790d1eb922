"""`--with`, `--preview-picture` and `--base-url`: files beside the page, ours only, whole or not at all."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import pytest

from tests.pages.making import A, answer, question, search
from tests.readers.making import header, jsonl
from tests.writers.running import Citepage

DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


@pytest.fixture
def citepage(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Citepage:
    """The program, in this process."""
    return Citepage(capfdbinary, monkeypatch)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small export."""
    file = tmp_path / "rows.jsonl"
    file.write_bytes(jsonl(header(title="Rain"), question(1), *search(2, A), answer(4, "Rain[^1^].")))
    return file


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def test_files_are_written_beside_the_page(citepage: Citepage, source: Path, tmp_path: Path) -> None:
    """Each has the page's name with its own ending, and can be written again."""
    for _ in range(2):
        run = citepage("render", source, "-o", tmp_path / "my.page.html", "--with", "md, json", "--preview-picture")
        assert (run.code, run.err) == (0, "")
    assert names(tmp_path) == {"rows.jsonl", "my.page.html", "my.page.md", "my.page.json", "my.page.png"}
    assert json.loads((tmp_path / "my.page.json").read_bytes())["title"] == "Rain"
    assert "Rain[^1-1]." in (tmp_path / "my.page.md").read_text("utf-8")
    picture = (tmp_path / "my.page.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    page = (tmp_path / "my.page.html").read_text("utf-8")
    assert 'href="my.page.md"' in page
    assert "og:image" not in page


def test_the_addresses_are_those_of_the_files(citepage: Citepage, source: Path, tmp_path: Path) -> None:
    """With a base URL the page names its own address and that of its picture."""
    run = citepage(
        "render", source, "-o", tmp_path / "a.html", "--preview-picture", "--base-url", "https://x.example/chats"
    )
    assert run.code == 0
    page = (tmp_path / "a.html").read_text("utf-8")
    assert '<link rel="canonical" href="https://x.example/chats/a.html">' in page
    assert '<meta property="og:image" content="https://x.example/chats/a.png">' in page


@pytest.mark.parametrize("ending", ["md", "json", "png"])
def test_a_file_of_others_is_left_alone(citepage: Citepage, source: Path, tmp_path: Path, ending: str) -> None:
    """Where something that citepage did not make is in the way, nothing at all is written."""
    foreign = tmp_path / f"a.{ending}"
    foreign.write_bytes(b'notes about "citepage": generator: citepage\n')
    run = citepage("render", source, "-o", tmp_path / "a.html", "--with", "md,json", "--preview-picture")
    assert f"a.{ending}" in run.error
    assert names(tmp_path) == {"rows.jsonl", foreign.name}
    assert foreign.read_bytes().startswith(b"notes")


def test_nothing_is_left_of_a_run_that_fails(citepage: Citepage, source: Path, tmp_path: Path) -> None:
    """When the page cannot be made, no file beside it is there."""
    assert citepage("render", source, "-o", tmp_path / "a.html", "--with", "md,json", "--theme", "none").error
    assert citepage("render", source, "-o", tmp_path / "no" / "a.html", "--with", "md,json").error
    assert names(tmp_path) == {"rows.jsonl"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("-o", "-", "--with", "md"),
        ("-o", "-", "--preview-picture"),
        ("--with", "pdf"),
        ("--preview-font", "x.ttf"),
        ("--base-url", "x.example"),
        ("--preview-picture", "--preview-font", "no-such.ttf"),
        ("--preview-picture", "--title", "\U0010fffc"),
        ("--preview-picture", "--title", "مطر"),
    ],
)
def test_what_cannot_be_had_is_an_error(
    citepage: Citepage, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """Wrong options end in one line, with nothing written."""
    monkeypatch.chdir(tmp_path)
    assert citepage("render", source, *arguments).error
    assert names(tmp_path) == {"rows.jsonl"}


def test_characters_that_a_font_lacks_are_an_error(citepage: Citepage, source: Path, tmp_path: Path) -> None:
    """A picture never shows boxes: the line says how to name a font."""
    run = citepage(
        "render",
        source,
        "-o",
        tmp_path / "a.html",
        "--title",
        "港口大桥",
        "--preview-picture",
        "--preview-font",
        DEJAVU,
    )
    assert "--preview-font" in run.error
    assert names(tmp_path) == {"rows.jsonl"}


@pytest.mark.parametrize(
    "title", ["Rain", "港口大桥周末限行。" * 12, "w" * 300, "Rain in the town " * 30, "a\ufe0f \u202eb"]
)
def test_the_same_font_gives_the_same_picture(citepage: Citepage, source: Path, tmp_path: Path, title: str) -> None:
    """Titles of any length fit, and two runs give the same bytes."""
    made = []
    for name in ("a", "b"):
        target = tmp_path / f"{name}.html"
        assert citepage("render", source, "-o", target, "--title", title, "--preview-picture").code == 0
        made.append(target.with_suffix(".png").read_bytes())
    assert made[0] == made[1]


def test_without_the_library_the_extra_is_named(
    citepage: Citepage, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Pillow is not installed, one line says how to get it."""
    for name in ("PIL", "PIL.Image"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("renderer.writers.picture", "renderer.writers.fonts"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert "citepage[picture]" in citepage("render", source, "-o", tmp_path / "a.html", "--preview-picture").error
    assert names(tmp_path) == {"rows.jsonl"}
