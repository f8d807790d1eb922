"""Fixtures of the tests of retrieval answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.writers.running import Citepage


@pytest.fixture
def citepage(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Citepage:
    """Runs the program in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Citepage(capfdbinary, monkeypatch)
