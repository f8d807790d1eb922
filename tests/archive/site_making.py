"""Small archives for the tests of a site's indexes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from renderer.archive.entry import CitedSource, Entry
from renderer.archive.site import write_site
from renderer.options import Options

Document = tuple[str, str, str]


@dataclass
class Archive:
    """Conversations by their keys, and what each can be found by."""

    entries: dict[str, Entry] = field(default_factory=dict)
    texts: dict[str, list[Document]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def documents(self, key: str) -> Iterable[Document]:
        """What the site asks for."""
        self.asked.append(key)
        return iter(self.texts[key])

    def write(self, folder: Path, options: Options | None = None, changed: Iterable[str] | None = None) -> list[str]:
        """Write the site, and check that its list of files is right."""
        self.asked.clear()
        keys = None if changed is None else set(changed)
        return write_site(list(self.entries.values()), self.documents, folder, options or Options(), keys)


def key_of(number: int) -> str:
    """A key that differs early and late, as digests do."""
    return f"{number * 2654435761 % 2**40:010x}"


def add(
    archive: Archive,
    number: int,
    title: str = "",
    *texts: str,
    created_at: str = "2026-10-07T09:03:00+08:00",
    pages: int = 1,
    sources: Iterable[CitedSource] = (),
    agent: str = "Reader",
    format: str = "upstream-jsonl",
    lang: str = "en",
    removed: int = 0,
) -> str:
    """Add or replace a conversation: a question and an answer in turn, on pages in turn. Returns its key."""
    key = key_of(number)
    names = [f"c{number}-{key}{f'-{page + 1}' if page else ''}.html" for page in range(pages)]
    documents = [(names[0], "title", title)]
    for place, text in enumerate(texts):
        kind = "answer" if place % 2 else "question"
        documents.append((f"{names[place // 2 % pages]}#m-{place + 1}", kind, text))
    held = tuple(sources)
    documents += [(f"{names[0]}#src-{place}", "source", source.title) for place, source in enumerate(held)]
    archive.texts[key] = documents
    questions = (len(texts) + 1) // 2
    archive.entries[key] = Entry(key, title, agent, format, lang, created_at, tuple(names), questions, removed, held)
    return key


def files_of(folder: Path) -> dict[str, bytes]:
    """All files below a folder by their names."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
