"""Templates and assets are found, and what is not there is said in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from renderer import resources
from renderer.errors import RendererError

ROOT = Path(__file__).parent.parent


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """An installed package's folder and the one above it, both empty."""
    installed = tmp_path / "renderer"
    installed.mkdir()
    monkeypatch.setattr(resources, "__file__", str(installed / "resources.py"))
    monkeypatch.setattr(resources, "asset_text", resources.asset_text.__wrapped__)
    return installed, tmp_path


def test_a_checkout_uses_the_folders_of_its_root() -> None:
    """In a checkout the templates are those that git tracks."""
    assert resources.template_folder() == ROOT / "templates"


def test_the_wheels_own_folder_comes_first(places: tuple[Path, Path]) -> None:
    """An installed package uses what it carries, even when a folder of that name lies above it."""
    installed, above = places
    (above / "templates").mkdir()
    assert resources.template_folder() == above / "templates"
    (installed / "templates").mkdir()
    assert resources.template_folder() == installed / "templates"


def test_a_missing_folder_is_one_line(places: tuple[Path, Path]) -> None:
    """An installation without its templates or assets says so, and what to do."""
    with pytest.raises(RendererError) as raised:
        resources.template_folder()
    assert str(raised.value) == "templates/: this part of the program is missing; install citepage again"
    with pytest.raises(RendererError, match="assets/: this part of the program is missing"):
        resources.asset_text("css/page.css")


def test_an_asset_is_its_text_to_the_byte(places: tuple[Path, Path]) -> None:
    """An asset is read as UTF-8 and its line ends stay as they are."""
    _, above = places
    (above / "assets" / "css").mkdir(parents=True)
    (above / "assets" / "css" / "page.css").write_bytes("/* 汉 */\r\n".encode())
    assert resources.asset_text("css/page.css") == "/* 汉 */\r\n"


def test_an_asset_is_read_once() -> None:
    """An asset's text is the same object each time."""
    (name, *_) = resources.asset_names("themes")
    assert resources.asset_text(f"themes/{name}") is resources.asset_text(f"themes/{name}")


def test_the_names_of_a_folder_are_sorted_and_bare(places: tuple[Path, Path]) -> None:
    """A folder's files are listed by name, in one order everywhere, folders left out."""
    _, above = places
    (above / "assets" / "themes" / "more").mkdir(parents=True)
    for name in ("paper.css", "Ink.css", "night.css"):
        (above / "assets" / "themes" / name).touch()
    assert resources.asset_names("themes") == ("Ink.css", "night.css", "paper.css")


def test_a_missing_asset_is_one_line(places: tuple[Path, Path]) -> None:
    """An asset or a folder of assets that is not there is named."""
    _, above = places
    (above / "assets").mkdir()
    with pytest.raises(RendererError) as raised:
        resources.asset_text("themes/none.css")
    assert str(raised.value) == (
        "assets/themes/none.css: this part of the program cannot be read; install citepage again"
    )
    with pytest.raises(RendererError, match="assets/none: this part of the program cannot be read"):
        resources.asset_names("none")


@pytest.mark.parametrize("name", ["", "../secret", "themes/../../secret", "/etc/passwd", "a\\b", "c:d", "a\0b"])
def test_no_name_leads_out_of_the_assets(places: tuple[Path, Path], name: str) -> None:
    """A name given on the command line cannot lead to a file that is no asset."""
    _, above = places
    (above / "assets" / "themes").mkdir(parents=True)
    (above / "secret").write_text("secret")
    with pytest.raises(RendererError, match="this is no name of an asset; choose another name"):
        resources.asset_text(name)
