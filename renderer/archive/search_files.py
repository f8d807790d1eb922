"""The files of a site's search, all in `search/`, and how they are named.

    index.js             what the search begins with: how many files, their digests, and when each page was written
    w-1a-DIGEST.js       a shard of the words: `postings`
    t-0f3-DIGEST.js      texts of pages, found by the first bits of the page's number
    x-KEY-N-DIGEST.js    the texts of the N-th further page of a long conversation
    built.txt            what the files were made of, for the next run only

A file named by its digest never changes; `index.js`, written last, names those that belong together. So a site that is
killed while it is written has its old search or its new one. Files are scripts because a page from disk may load
nothing else; each calls one function with its data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from renderer.archive.postings import packed
from renderer.output import kept_text, names_in, remove, replace_if_changed

FOLDER = "search"
_CALL = "citepageShard("
_NONE = "0" * 8


@dataclass(frozen=True, slots=True)
class Level:
    """How a site of up to `pages` pages is divided.

    `bits` of a page's number: eight times as many numbers as pages, since a number comes from the key alone. `words`
    and `texts` are the numbers of files, powers of two.
    """

    pages: int
    bits: int
    words: int
    texts: int


# A file of words has about 50 to 200 kB, one of texts about 10 to 100 kB, for conversations of 8 kB.
LEVELS = (
    Level(1 << 9, 12, 16, 64),
    Level(1 << 12, 15, 128, 512),
    Level(1 << 15, 18, 512, 4096),
    Level(1 << 18, 21, 4096, 4096),
)


@dataclass(slots=True)
class Names:
    """The files that belong together: their digests, by "w-1a", "t-0f3" or "x-KEY-N"; and the days of numbers.

    `days` has a number once for each page, as (number, days since 1970).
    """

    level: Level
    digests: dict[str, str] = field(default_factory=dict)
    days: list[tuple[int, int]] = field(default_factory=list)


def level_of(pages: int) -> Level:
    """How a site of so many pages is divided."""
    return next((level for level in LEVELS if pages <= level.pages), LEVELS[-1])


def number_of(key: str, page: int, level: Level) -> int:
    """The number of a conversation's page (0 is the first): it does not depend on any other conversation."""
    return ((int(key[:8], 16) + page * 0x9E3779B1) & 0xFFFFFFFF) >> (32 - level.bits)


def word_file(shard: int) -> str:
    """The place of a shard of words among the files."""
    return f"w-{shard:x}"


def text_file(key: str, page: int, level: Level) -> str:
    """The place of a page's texts among the files."""
    return f"x-{key}-{page}" if page else f"t-{number_of(key, 0, level) * level.texts >> level.bits:x}"


def save(folder: Path, names: Names, place: str, data: object) -> None:
    """Write the data of one place; empty data have no file."""
    names.digests.pop(place, None)
    if data:
        text = _script(data)
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        replace_if_changed(folder / f"{place}-{digest}.js", text)
        names.digests[place] = digest


def load(folder: Path, names: Names, place: str) -> Any:
    """The data of one place, None when there are none. Raises ValueError when the file is not as it was written."""
    if place not in names.digests:
        return None
    text = kept_text(folder / f"{place}-{names.digests[place]}.js")
    if text is None or hashlib.sha256(text.encode()).hexdigest()[:8] != names.digests[place]:
        raise ValueError(place)
    return json.loads(text[len(_CALL) : -1])


def index_text(names: Names) -> str:
    """The text of `index.js`."""
    level, digests = names.level, names.digests
    days = sorted(names.days)
    return _script(
        {
            "bits": level.bits,
            "words": "".join(digests.get(word_file(n), _NONE) for n in range(level.words)),
            "texts": "".join(digests.get(f"t-{n:x}", _NONE) for n in range(level.texts)),
            "more": [f"{place[2:]}-{digest}" for place, digest in sorted(digests.items()) if place.startswith("x-")],
            "numbers": packed([number for number, _ in days]),
            "days": "".join(packed([day]) for _, day in days),
        }
    )


def remove_others(folder: Path, names: Names) -> None:
    """Remove what an earlier or a broken run left of files named by their digests."""
    wanted = {f"{place}-{digest}.js" for place, digest in names.digests.items()}
    for name in names_in(folder):
        if name[:2] in ("w-", "t-", "x-") and name.endswith(".js") and name not in wanted:
            remove(folder / name)


def files(names: Names) -> Collection[str]:
    """The names of all files of a search, inside the site."""
    own = [f"{FOLDER}/{place}-{digest}.js" for place, digest in names.digests.items()]
    return sorted([*own, f"{FOLDER}/index.js", f"{FOLDER}/built.txt"])


def _script(data: object) -> str:
    return f"{_CALL}{json.dumps(data, ensure_ascii=False, separators=(',', ':'))})"
