"""A search after some conversations came, went or changed: the files that they are in, and no others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from renderer.archive.postings import patched
from renderer.archive.search_files import Names, load, number_of, save, text_file, word_file
from renderer.archive.search_pages import Page
from renderer.archive.search_terms import graded, shard_of


def patch(folder: Path, names: Names, changed: set[str], new: Mapping[str, list[Page]]) -> None:
    """Bring the search that `names` tells of up to date: `new` are the pages that the conversations `changed` have now.

    The old terms are those of the old texts, which the search holds itself. Raises ValueError when one of its files is
    not as it was written; `names` is of no use then.
    """
    level = names.level
    after: dict[str, list[Page]] = {}
    for key in changed:
        for place in (text_file(key, 0, level), *(name for name in names.digests if name.startswith(f"x-{key}-"))):
            after.setdefault(place, [])
        for count, page in enumerate(new.get(key, ())):
            after.setdefault(text_file(key, count, level), []).append(page)
    before = {place: load(folder, names, place) or [] for place in after}
    for place, pages in after.items():
        kept = [page for page in before[place] if page[1] not in changed]
        after[place] = sorted(kept + pages, key=lambda page: str(page[1]))
    # Pages that share a number with a changed one are looked at too: the number may stay for their sake.
    touched = {page[0] for pages in (*before.values(), *after.values()) for page in pages if page[1] in changed}
    others = _sharing(folder, names, touched, after)
    grades_before, grades_after = (_grades([*side.values(), others], touched) for side in (before, after))
    edits = _edits(grades_before, grades_after)
    by_shard: dict[int, dict[str, dict[int, int | None]]] = {}
    for term, grades in edits.items():
        by_shard.setdefault(shard_of(term, level.words), {})[term] = grades
    shards = {shard: load(folder, names, word_file(shard)) or "" for shard in by_shard}
    for shard, changes in by_shard.items():
        save(folder, names, word_file(shard), patched(shards[shard], changes))
    for place, pages in after.items():
        save(folder, names, place, pages)


def _sharing(folder: Path, names: Names, touched: set[int], seen: Collection[str]) -> list[Page]:
    """The pages in files not `seen` whose numbers are among those touched."""
    level = names.level
    places = {f"t-{number * level.texts >> level.bits:x}" for number in touched}
    for place in names.digests:
        if place.startswith("x-"):
            key, _, page = place[2:].partition("-")
            if number_of(key, int(page), level) in touched:
                places.add(place)
    return [page for place in places - set(seen) for page in load(folder, names, place) or []]


def _grades(pages: Iterable[list[Page]], touched: set[int]) -> dict[tuple[str, int], int]:
    """The best grade of each term in each number."""
    best: dict[tuple[str, int], int] = {}
    for together in pages:
        for number, _, _, _, _, texts in together:
            if number in touched:
                for term, grade in graded((kind, text) for _, kind, text in texts).items():
                    best[term, number] = max(grade, best.get((term, number), 0))
    return best


def _edits(
    before: Mapping[tuple[str, int], int], after: Mapping[tuple[str, int], int]
) -> dict[str, dict[int, int | None]]:
    edits: dict[str, dict[int, int | None]] = {}
    for term, number in before.keys() | after.keys():
        if before.get((term, number)) != after.get((term, number)):
            edits.setdefault(term, {})[number] = after.get((term, number))
    return edits
