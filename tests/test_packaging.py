"""However it is installed, the program finds its templates and assets and is the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from renderer.version import VERSION

ROOT = Path(__file__).parent.parent
SHIPPED = ("renderer", "templates", "assets", "pyproject.toml", "README.md", "LICENSE", ".gitignore")

# Said by the program wherever it is installed: where its templates are, and that it can read an asset.
REPORT = """
from renderer import resources
name = resources.asset_names("themes")[0]
assert resources.asset_text(f"themes/{name}")
print(resources.template_folder())
"""


@dataclass(frozen=True, slots=True)
class Built:
    """A copy of the tree, and what was built of it. `wheel` was made from the sdist, `own_wheel` from the tree."""

    tree: Path
    wheel: Path
    own_wheel: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Everything that is built, once; the checkout itself is left as it is."""
    folder = tmp_path_factory.mktemp("packaging")
    tree = folder / "a tree"
    tree.mkdir()
    for name in SHIPPED:
        _copy(ROOT / name, tree / name)
    sdist = _built_by_hatchling(tree, "sdist")
    return Built(tree, wheel=_wheel_of(sdist, folder), own_wheel=_built_by_hatchling(tree, "wheel"))


def test_the_wheel_holds_the_program_and_nothing_else(built: Built) -> None:
    """Code, types' mark, templates and assets are in the wheel; tests and tools are not."""
    with zipfile.ZipFile(built.wheel) as wheel:
        names = set(wheel.namelist())
    shipped = _files(ROOT / "renderer", "renderer")
    shipped |= _files(ROOT / "templates", "renderer/templates") | _files(ROOT / "assets", "renderer/assets")
    assert {name for name in names if ".dist-info/" not in name} == shipped
    assert "renderer/py.typed" in names
    assert f"citepage-{VERSION}.dist-info/licenses/LICENSE" in names


def test_the_sdist_makes_the_same_wheel(built: Built) -> None:
    """A wheel made from the sdist has the same files, to the byte, as one made from the tree."""
    assert _contents(built.wheel) == _contents(built.own_wheel)


def test_an_installed_wheel_works_outside_the_checkout(built: Built, tmp_path: Path) -> None:
    """The installed program finds what it carries in its own folder, by each of its names."""
    python = _environment(tmp_path / "env")
    _install(python, str(built.wheel))
    installed = Path(_run(python, "-I", "-c", "import renderer; print(renderer.__file__)", cwd=tmp_path)).parent
    assert installed.is_relative_to(tmp_path / "env")
    assert _run(python, "-I", "-c", REPORT, cwd=tmp_path) == str(installed / "templates")
    assert VERSION in _run(python, "-I", "-m", "renderer", "--version", cwd=tmp_path)
    assert VERSION in _run(python.parent / "citepage", "--version", cwd=tmp_path)


def test_an_editable_install_works(built: Built, tmp_path: Path) -> None:
    """An editable install finds the checkout's own templates."""
    python = _environment(tmp_path / "env")
    _install(python, "--no-build-isolation", "--editable", str(built.tree))
    assert _run(python, "-I", "-c", REPORT, cwd=tmp_path) == str(built.tree / "templates")
    assert VERSION in _run(python, "-I", "-m", "renderer", "--version", cwd=tmp_path)


def test_a_bare_checkout_works(built: Built, tmp_path: Path) -> None:
    """Without an installation the checkout's folder on PYTHONPATH is enough."""
    python = _environment(tmp_path / "env")
    assert _run(python, "-c", REPORT, cwd=tmp_path, path=built.tree) == str(built.tree / "templates")
    assert VERSION in _run(python, "-m", "renderer", "--version", cwd=tmp_path, path=built.tree)


def test_the_checkout_has_one_place_for_templates_and_assets() -> None:
    """No copy in `renderer/` hides the templates and assets that people edit."""
    assert not (ROOT / "renderer" / "templates").exists()
    assert not (ROOT / "renderer" / "assets").exists()


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copyfile(source, target)


def _built_by_hatchling(tree: Path, kind: str) -> Path:
    _run(Path(sys.executable), "-m", "hatchling", "build", "--target", kind, cwd=tree)
    (result,) = (tree / "dist").glob("*.whl" if kind == "wheel" else "*.tar.gz")
    return result


def _wheel_of(sdist: Path, folder: Path) -> Path:
    pip = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    _run(Path(sys.executable), *pip, str(sdist), cwd=folder)
    (result,) = folder.glob("*.whl")
    return result


def _environment(folder: Path) -> Path:
    """A new environment that borrows the libraries of this one; .pth files in there, as editable installs, are not."""
    venv.create(folder, symlinks=os.name != "nt")
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    site = Path(_run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=folder))
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def _install(python: Path, *what: str) -> None:
    pip = ["-m", "pip", "--python", str(python), "install", "--quiet", "--no-deps", "--no-index"]
    _run(Path(sys.executable), *pip, *what, cwd=python.parent)


def _run(program: Path, *arguments: str, cwd: Path, path: Path | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    run = subprocess.run([program, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def _files(folder: Path, prefix: str) -> set[str]:
    files = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    return {f"{prefix}/{file.as_posix()}" for file in files if "__pycache__" not in file.parts}


def _contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
