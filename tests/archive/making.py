"""Exports and sites for the tests of the archive."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from renderer.archive.build import Settings, build
from renderer.archive.report import Report
from renderer.archive.state import FILE_NAME, State
from renderer.cli.progress import Silence
from renderer.options import Limits, Options

# The name of a conversation's page; lists have other ones.
PAGE = re.compile(r"[\w-]{1,60}-[0-9a-f]{10}(-p[0-9]+)?\.html")


def write_export(
    path: Path,
    id_: int | None,
    rounds: Sequence[tuple[str, str]],
    *,
    title: str = "A walk",
    created: str = "2026-05-01T10:00:00",
    results: Sequence[dict[str, str]] = (),
    first_id: int = 1,
) -> Path:
    """An export of one conversation. With `results` each answer comes after a search that returned them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    session = {"id": id_, "title": title, "agentName": "Guide", "createdAt": created}
    rows: list[dict[str, Any]] = [{"type": "session_export", "schemaVersion": 1, "session": session}] if id_ else []
    for row in _rows(rounds, results):
        rows.append({"id": first_id, "createdAt": created, **row})
        first_id += 1
    path.write_bytes(b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows))
    return path


def write_share(path: Path, id_: int, rounds: Sequence[tuple[str, str]], *, first_id: int, more: int | None) -> Path:
    """A page of a share; `more` is the id before which the next page ends, None on the first page of the share."""
    rows = [{"id": first_id + place, "createdAt": None, **row} for place, row in enumerate(_rows(rounds, ()))]
    page = {
        "session": {"id": id_, "title": "A share", "agentName": "Guide", "createdAt": "2026-05-01T10:00:00"},
        "share": {"viewCount": 1},
        "messages": rows,
        "hasMore": more is not None,
        "nextBeforeMessageId": more,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(page), "utf-8")
    return path


def _rows(rounds: Iterable[tuple[str, str]], results: Sequence[dict[str, str]]) -> Iterable[dict[str, Any]]:
    for place, (question, answer) in enumerate(rounds):
        yield {"role": "USER", "content": question, "toolCalls": None}
        if results:
            call = {"id": f"c{place}", "name": "web_search", "input": {"query": question}}
            yield {"role": "ASSISTANT", "content": None, "toolCalls": json.dumps([call])}
            content = json.dumps({"query": question, "results": list(results), "total_results": len(results)})
            yield {"role": "TOOL", "content": content, "toolCallId": f"c{place}"}
        yield {"role": "ASSISTANT", "content": answer, "toolCalls": None}


def make_site(
    site: Path,
    *inputs: Path,
    jobs: int = 1,
    prune: bool = False,
    limits: Limits | None = None,
    options: Options | None = None,
) -> Report:
    """Make the site, or bring it up to date, in this process unless `jobs` says more."""
    settings = Settings(None, jobs, prune, limits or Limits())
    return build([str(path) for path in inputs], site, options or Options(), settings, Silence())


def files_of(site: Path) -> dict[str, bytes]:
    """The files of a site by their names inside it, without its state."""
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in _files(site)}


def times_of(site: Path) -> dict[str, int]:
    """When each file of a site was written, by its name; without its state."""
    return {path.relative_to(site).as_posix(): path.stat().st_mtime_ns for path in _files(site)}


def _files(site: Path) -> list[Path]:
    return [path for path in site.rglob("*") if path.is_file() and path.name != FILE_NAME]


def pages_of(site: Path) -> set[str]:
    """The names of the pages of conversations that lie in the folder of a site."""
    return {path.name for path in site.glob("*.html") if PAGE.fullmatch(path.name)}


def listed(site: Path) -> set[str]:
    """The names of the pages that the state of a site lists."""
    with State(site) as state:
        return {name for entry in state.entries() for name in entry.pages}
