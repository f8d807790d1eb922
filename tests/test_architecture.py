"""The architecture holds in every module, and the checks that say so see what they are there to see."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture import template_violations, violations

ROOT = Path(__file__).parent.parent


def test_every_module_keeps_to_the_architecture() -> None:
    """Layers, the rooms of libraries, of Markup, of files and of writing hold in the whole program."""
    sources = {_name(file): file.read_text("utf-8") for file in (ROOT / "renderer").rglob("*.py")}
    assert "renderer.model.conversation" in sources
    assert violations(sources) == []


def test_no_template_lets_text_through_unescaped() -> None:
    """Escaping is never switched off in a template."""
    templates = {str(file.relative_to(ROOT)): file.read_text("utf-8") for file in (ROOT / "templates").rglob("*.jinja")}
    assert templates
    assert template_violations(templates) == []


def test_import_loads_nothing_that_a_run_may_not_need() -> None:
    """`import renderer` is cheap: it loads no library."""
    program = "import json, sys, renderer; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (
        set(json.loads(run.stdout)) & {"bs4", "click", "jinja2", "latex2mathml", "mistune", "nh3", "pygments"} == set()
    )


@pytest.mark.parametrize(
    ("module", "source", "violation"),
    [
        ("renderer.errors", "import renderer.cli", "1: imports renderer.cli"),
        ("renderer.errors", "from renderer import cli", "1: imports renderer.cli"),
        ("renderer.errors", "from .cli import main", "1: imports renderer.cli"),
        ("renderer.errors", "def late():\n    from renderer.cli import main", "2: imports renderer.cli"),
        ("renderer.errors", "if TYPE_CHECKING:\n    from renderer.cli import main", "2: imports renderer.cli"),
        ("renderer.errors", "import importlib\nx = importlib.import_module('renderer.cli')", "2: imports renderer.cli"),
        ("renderer.errors", "from renderer.options import Options", "1: imports renderer.options"),
        ("renderer.cli", "from renderer import render_page", "1: imports renderer"),
        ("renderer.cli", "import renderer.__main__", "1: imports renderer.__main__"),
        ("renderer.pages.views", "from renderer.writers.page import write", "1: imports renderer.writers.page"),
        ("renderer.pages.views", "from renderer.unheard_of import x", "1: imports renderer.unheard_of"),
        ("renderer.markdown.parse", "from renderer.pages import views", "1: imports renderer.pages"),
        ("renderer.readers.chatgpt", "from renderer.citations.urls import x", "1: imports renderer.citations.urls"),
        ("renderer.citations.__init__", "from ..readers import read", "1: imports renderer.readers"),
        ("renderer.writers.page", "import renderer.proof.digest", "1: imports renderer.proof.digest"),
        ("renderer.unheard_of", "", "1: unheard_of is in no layer"),
        ("renderer.pages.views", "x = __import__(name)", "1: imports something that only a run can tell"),
    ],
)
def test_an_import_against_the_layers_is_reported(module: str, source: str, violation: str) -> None:
    """An import from a higher layer, a sibling or an unlisted module is seen wherever it stands."""
    assert violations({module: source}) == [f"{module}:{violation}"]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("renderer.__main__", "from renderer.cli import main"),
        ("renderer.__init__", "from renderer.pipeline import render_page"),
        ("renderer.__init__", "import importlib\nx = importlib.import_module(name)"),
        ("renderer.cli", "from renderer import pipeline"),
        ("renderer.model.conversation", "from renderer.errors import Problem"),
        ("renderer.readers.__init__", "from . import _reader\nfrom .chatgpt import READER"),
        ("renderer.readers.chatgpt", "from renderer.readers._reader import Reader\nfrom ..model import Message"),
        (
            "renderer.readers.__init__",
            "from importlib import import_module as load\nx = load(f'renderer.readers.{y}')",
        ),
        ("renderer.writers.page", "from renderer import output, pages"),
    ],
)
def test_an_import_along_the_layers_is_none_of_its_business(module: str, source: str) -> None:
    """An import from a lower layer or from the module's own part is fine."""
    assert violations({module: source}) == []


@pytest.mark.parametrize(
    ("module", "source", "violation"),
    [
        ("renderer.pipeline", "import click", "1: imports click"),
        ("renderer.writers.page", "from jinja2 import Environment", "1: imports jinja2"),
        ("renderer.pages.views", "import mistune.plugins.table", "1: imports mistune"),
        ("renderer.pages.views", "def late():\n    import nh3", "2: imports nh3"),
        ("renderer.citations.place", "import ada_url", "1: imports ada_url"),
        ("renderer.markdown.html", "from pygments.lexers import x", "1: imports pygments"),
        ("renderer.readers.chatgpt", "from bs4 import BeautifulSoup", "1: imports bs4"),
        ("renderer.readers.chatgpt", "import requests", "1: imports requests"),
    ],
)
def test_a_library_outside_its_room_is_reported(module: str, source: str, violation: str) -> None:
    """A library is imported in its own room only, and one without a room nowhere."""
    assert violations({module: source}) == [f"{module}:{violation}"]


@pytest.mark.parametrize(
    ("module", "source", "violation"),
    [
        ("renderer.markdown.html", "from markupsafe import Markup\nx = Markup('<b>')", "2: makes Markup"),
        ("renderer.markdown.html", "from markupsafe import Markup as M\nx = M('<b>')", "2: makes Markup"),
        ("renderer.markdown.html", "import markupsafe as m\nx = m.Markup('<b>')", "2: makes Markup"),
    ],
)
def test_markup_made_outside_its_rooms_is_reported(module: str, source: str, violation: str) -> None:
    """Text is declared safe in the sanitizer and in `pages` only."""
    assert violations({module: source}) == [f"{module}:{violation}"]


@pytest.mark.parametrize(
    ("module", "source", "violation"),
    [
        ("renderer.pages.views", "open('x')", "1: opens files: open"),
        ("renderer.pages.views", "folder.joinpath('x').open()", "1: opens files: ?.open"),
        ("renderer.pages.views", "path.read_text()", "1: opens files: path.read_text"),
        ("renderer.pages.views", "def f():\n    return Path('x').read_bytes()", "2: opens files: ?.read_bytes"),
        ("renderer.pipeline", "import os as o\nx = o.open('x', 0)", "2: opens files: os.open"),
        ("renderer.pipeline", "from gzip import open as g\nopener = g", "2: opens files: gzip.open"),
        ("renderer.writers.page", "import tempfile\nx = tempfile.mkdtemp()", "2: opens files: tempfile.mkdtemp"),
        ("renderer.readers.zip", "x = open('x', 'wb')", "1: writes to disk: open"),
        ("renderer.cli", "x = path.open(mode='a')", "1: writes to disk: path.open"),
        ("renderer.cli", "x = path.mkdir()", "1: writes to disk: path.mkdir"),
        ("renderer.archive.index", "from os import replace\nx = replace(a, b)", "2: writes to disk: os.replace"),
    ],
)
def test_a_file_opened_outside_its_rooms_is_reported(module: str, source: str, violation: str) -> None:
    """Files are opened in the rooms that read, and written in `output` alone."""
    assert f"{module}:{violation}" in violations({module: source})


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("renderer.cli", "x = open('x')"),
        ("renderer.readers.zip", "import tempfile, zipfile\nx = tempfile.TemporaryFile(), zipfile.ZipFile('w')"),
        ("renderer.output", "x = path.open('wb')"),
        ("renderer.pages.views", "x = details.open\ny = text.replace('a', 'b')"),
        ("renderer.markdown.sanitize", "from markupsafe import Markup\nx = Markup('')"),
        ("renderer.pages.inline", "from markupsafe import Markup\nx = Markup('')"),
    ],
)
def test_what_a_room_is_for_is_done_there(module: str, source: str) -> None:
    """Rooms may do what they are there for, and words that merely look like it are left alone."""
    assert violations({module: source}) == []


@pytest.mark.parametrize("source", ["print('hello')", "for x in y:\n    pass", "with lock:\n    x = 1"])
def test_an_effect_of_an_import_is_reported(source: str) -> None:
    """A statement that acts when its module is imported is seen."""
    assert violations({"renderer.errors": source}) == ["renderer.errors:1: does something on import"]


@pytest.mark.parametrize(
    "line", ["{{ title|safe }}", "{{ title | safe }}", "{% filter safe %}", "{% autoescape false %}"]
)
def test_a_template_without_escaping_is_reported(line: str) -> None:
    """Each way to switch escaping off is seen, and the word "safe" in a text is not."""
    assert template_violations({"page.html.jinja": f"<p>safe</p>\n{line}"}) == [
        "page.html.jinja:2: lets text through unescaped"
    ]


def _name(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)
