"""The search of a site: an index of our own, that works from disk and for Chinese, without a server.

A query loads `index.js`, one shard of words for each of its terms, and the texts of those pages alone that are shown.

Why not Pagefind. Measured with 10,000 made-up conversations, half Chinese, half English (80 MB of text), on two cores
that had other work too, Pagefind 1.5.2 extended, Chromium 156:

                            this search                          Pagefind
    files                   4,200: words 39 MB, texts 83 MB      11,000: 105 MB, compressed
    made                    110 s of CPU                         102 s of CPU
    one conversation more   1 s of CPU                           all anew
    first ten results       0.3 to 0.6 s from disk, 0.4 to       0.5 to 3 s from a server, 0.2 to 0.9 MB
                            1.1 MB in 4 to 13 files
    from disk               yes                                  no: it needs modules and fetch
    Chinese and English     together                             an index for each: a page in one language never
                                                                 finds a conversation in the other

It would also need a weaker policy (fetch, WebAssembly). So it is not offered, from a server neither.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from renderer.archive.postings import merged, shard_text
from renderer.archive.search_files import (
    FOLDER,
    Level,
    Names,
    files,
    index_text,
    level_of,
    number_of,
    remove_others,
    save,
    text_file,
    word_file,
)
from renderer.archive.search_pages import Documents, Found, Page, pages_of
from renderer.archive.search_patch import patch
from renderer.archive.search_terms import graded, shard_of
from renderer.output import kept_text, replace_if_changed, spool

# Raised when the same texts would give other files.
_FORMAT = "citepage search 1"
# How many pairs of a term and a page are held in memory before they are put aside: about 160 MB. Fewer cost time: a
# third more CPU at half of that.
_HELD = 4_000_000
# When more than one in so many conversations changed, the index is made anew: that is quicker than to patch it.
_PATCHED_UP_TO = 20


def write_search(
    found: Sequence[Found], documents: Documents, site: Path, changed: Collection[str] | None
) -> list[str]:
    """Write the files of the search below `site`, and return their names.

    `changed` are the keys whose documents may be others than in the last run, None for all: only their documents are
    asked for, unless the index is to be made anew. The files depend
    on the conversations alone, not on how they came about.
    """
    folder = site / FOLDER
    by_key = {one.entry.key: one for one in found}
    level = level_of(sum(len(one.entry.pages) for one in found))
    facts = {key: _facts(one) for key, one in by_key.items()}
    names = None if changed is None else _patched(folder, by_key, documents, level, facts, set(changed))
    if names is None:
        names = _made_anew(folder, by_key, documents, level)
    names.days = [
        (number_of(key, page, level), by_key[key].day) for key in by_key for page in range(len(by_key[key].entry.pages))
    ]
    index = index_text(names)
    replace_if_changed(folder / "index.js", index)
    replace_if_changed(folder / "built.txt", _built_text(names, index, facts))
    remove_others(folder, names)
    return list(files(names))


# --- All of it -------------------------------------------------------------------------------------------------


def _made_anew(folder: Path, found: Mapping[str, Found], documents: Documents, level: Level) -> Names:
    """Runs of sorted shards that fit into memory, put aside; then each shard of all runs is put together."""
    names = Names(level)
    with spool() as aside:
        runs = 0
        for postings in _runs(folder, found, documents, names):
            runs += 1
            shards: list[dict[str, list[int]]] = [{} for _ in range(level.words)]
            for term, codes in postings.items():
                shards[shard_of(term, level.words)][term] = codes
            aside.writelines(f"{shard_text(shard)}\n" for shard in shards)
        _put_together(folder, names, aside, runs)
    return names


def _runs(
    folder: Path, found: Mapping[str, Found], documents: Documents, names: Names
) -> Iterator[dict[str, list[int]]]:
    """The terms of all pages, in pieces; the texts are written on the way."""
    postings: dict[str, list[int]] = defaultdict(list)
    held = 0
    for place, pages in _by_file(found, documents, names.level):
        save(folder, names, place, pages)
        for number, _, _, _, _, texts in pages:
            codes = [number * 4 + grade for grade in range(4)]
            grades = graded((kind, text) for _, kind, text in texts)
            for term, grade in grades.items():
                postings[term].append(codes[grade])
            held += len(grades)
        if held > _HELD:
            yield postings
            postings, held = defaultdict(list), 0
    yield postings


def _by_file(found: Mapping[str, Found], documents: Documents, level: Level) -> Iterator[tuple[str, list[Page]]]:
    """The pages of each file of texts. Keys in order go through the files of first pages in order."""
    place, together = "", []
    for key in sorted(found):
        for page in pages_of(found[key], documents(key), level):
            its_place = text_file(key, found[key].entry.pages.index(page[2]), level)
            if its_place.startswith("x-"):
                yield its_place, [page]
            elif its_place == place:
                together.append(page)
            else:
                if together:
                    yield place, together
                place, together = its_place, [page]
    if together:
        yield place, together


def _put_together(folder: Path, names: Names, aside: Any, runs: int) -> None:
    """Each shard of all runs into one. A run is as many lines as there are shards."""
    aside.seek(0)
    count = names.level.words
    lines = [aside.readline().rstrip("\n") for _ in range(runs * count)]
    for shard in range(count):
        save(folder, names, word_file(shard), merged(lines[shard::count]))


# --- What changed ----------------------------------------------------------------------------------------------


def _patched(
    folder: Path,
    found: Mapping[str, Found],
    documents: Documents,
    level: Level,
    facts: Mapping[str, str],
    changed: set[str],
) -> Names | None:
    """The index of the last run with what changed since; None when it cannot be used for that."""
    last = _last(folder, level)
    if last is None:
        return None
    names, old_facts = last
    changed = {key for key in facts.keys() | old_facts.keys() if facts.get(key) != old_facts.get(key)} | changed
    if len(changed) * _PATCHED_UP_TO > len(found) + _PATCHED_UP_TO:
        return None
    new = {key: pages_of(found[key], documents(key), level) for key in sorted(changed & found.keys())}
    try:
        patch(folder, names, changed, new)
    except ValueError:
        return None
    return names


# --- What the last run was made of -----------------------------------------------------------------------------


def _facts(one: Found) -> str:
    """A digest of what is known of a conversation besides its texts."""
    return hashlib.sha256("\0".join((one.title, one.date, *one.entry.pages)).encode()).hexdigest()[:10]


def _built_text(names: Names, index: str, facts: Mapping[str, str]) -> str:
    first = f"{_FORMAT} {names.level.bits} {_digest(index)}\n"
    digests = "".join(f"{place} {digest}\n" for place, digest in sorted(names.digests.items()))
    return f"{first}{digests}\n" + "".join(f"{key} {facts[key]}\n" for key in sorted(facts))


def _last(folder: Path, level: Level) -> tuple[Names, dict[str, str]] | None:
    """The files of the last run and the facts that it knew, if they were made as they would be now."""
    built, index = kept_text(folder / "built.txt"), kept_text(folder / "index.js")
    if built is None or index is None or not built.startswith(f"{_FORMAT} {level.bits} {_digest(index)}\n"):
        return None
    digests, _, facts = built.partition("\n")[2].partition("\n\n")
    return Names(level, _pairs(digests)), _pairs(facts)


def _pairs(lines: str) -> dict[str, str]:
    return dict(line.split(" ") for line in lines.splitlines())


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
