"""Fixtures for the tests of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.writers.running import Citepage


@pytest.fixture
def citepage(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Citepage]:
    """Runs the program in an empty folder."""
    monkeypatch.chdir(tmp_path)
    yield Citepage(capfdbinary, monkeypatch)
