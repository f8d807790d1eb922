"""The list of the first design's test points in `tests/README.md` stays true."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
SECTION = (
    (TESTS / "README.md").read_text("utf-8").partition("## The first design's test points")[2].partition("\n## ")[0]
)
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)::(test_\w+)`", SECTION)))


@pytest.mark.parametrize(("file", "name"), NAMED, ids=[f"{file}::{name}" for file, name in NAMED])
def test_a_test_that_is_named_is_there(file: str, name: str) -> None:
    """Every test that the list names is a test in that file."""
    tree = ast.parse((TESTS / file).read_text("utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_point_has_a_test_or_a_reason() -> None:
    """Each point of the list names a test, or says why it needs the server."""
    rows = [
        line.split(" | ") for line in SECTION.splitlines() if line.startswith("| ") and not line.startswith("| ---")
    ]
    points = [row for row in rows if row[-1].strip(" |") and "covered by" not in row[-1]]
    assert len(points) == 29 + 10
    for point, *covered in points:
        assert re.search(r"`[\w/]+\.py::test_\w+`|needs? the server", " ".join(covered)), point
