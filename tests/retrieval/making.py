"""Small retrieval answers, and the pages made of them, for the tests of everything from `[1]` to the passage itself."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from bs4 import Tag

from renderer import Options
from tests.pages.making import Page, attribute, one, page_of, words
from tests.readers.making import jsonl

Record = dict[str, Any]

# The second design, §5, to the letter.
CONTRACT_JSON = """{
  "answer": "违约金比例是 5%[1]，争议解决地为上海[2]。",
  "citations": [
    {"id": 1, "doc_title": "采购合同_v3.pdf", "page": 7,
     "section": "3.2 违约责任", "url": "/docs/doc_123?page=7#sec-3.2",
     "snippet": "任何一方违约，应支付合同总额 5% 的违约金……"},
    {"id": 2, "doc_title": "采购合同_v3.pdf", "page": 12,
     "section": "8.1 争议解决", "url": "/docs/doc_123?page=12#sec-8.1",
     "snippet": "因本合同引起的争议，提交上海仲裁委员会……"}
  ]
}"""
CONTRACT: Record = json.loads(CONTRACT_JSON)


# --- Answers ---------------------------------------------------------------------------------------------------


def source(n: object, text: object = "It rains in the town.", title: object = None, **more: object) -> Record:
    """An entry of `citations`. Its title is "Doc" and the number, unless there is another."""
    return {"id": n, "doc_title": f"Doc {n}" if title is None else title, "text": text, **more}


def sources(count: int) -> list[Record]:
    """Entries 1…`count`, each with a passage of its own."""
    return [source(n, f"Passage {n} speaks of matter {n}.") for n in range(1, count + 1)]


def cited(text: str, *citations: object, **more: object) -> Record:
    """An answer with these citations."""
    return {"answer": text, "citations": list(citations), **more}


def lines_of(*records: object) -> bytes:
    """Answers, one a line; bytes are a line as they are."""
    return jsonl(*records)


def data_of(*records: Record) -> bytes:
    """A JSON object when there is one answer, else lines. All in ASCII: half a surrogate pair can be in it."""
    return b"\n".join(json.dumps(record).encode() for record in records)


# --- Pages -----------------------------------------------------------------------------------------------------


def page(*records: Record, lang: str = "en", **options: Any) -> Page:
    """The page of these answers: of a JSON object when there is one, else of lines."""
    return page_of(data_of(*records), Options(lang=lang, **options))


def answers(made: Page) -> list[Tag]:
    """The articles of all answers, in order."""
    return made.all('article.message[data-role="assistant"]')


def the_answer(made: Page) -> Tag:
    """The article of the one answer."""
    (article,) = answers(made)
    return article


def entries(made: Page) -> list[Tag]:
    """All entries of all lists of sources, in order."""
    return made.all("section.sources li.source")


def entry(made: Page, n: int = 1) -> Tag:
    """The entry of the source that the file numbers `n`."""
    return made.one(f'li.source[data-n="{n}"]')


def shown(made: Page) -> str:
    """The words of the one answer, with each number as ⟨n⟩ (the file's own number) and all blanks as one."""
    prose = copy.copy(one(the_answer(made), ".prose"))
    for number in prose.select("sup.cite-ref"):
        number.replace_with(f"⟨{attribute(number, 'data-n')}⟩")
    return words(prose)


def removed(made: Page) -> int:
    """How many markers the one answer says that it lost."""
    return int(str(the_answer(made).get("data-removed", "0")))


def paragraphs(inside: Tag) -> list[str]:
    """The paragraphs of the one passage inside a tag, to the letter."""
    return [paragraph.get_text() for paragraph in one(inside, ".passage-text").select("p")]


def passage(inside: Tag) -> str:
    """The one passage inside a tag, with all blanks as one."""
    return words(one(inside, ".passage-text"))


def marked(inside: Tag) -> list[str]:
    """The marked words of the one passage inside a tag."""
    return [words(mark) for mark in one(inside, ".passage-text").select("mark")]


def way_out(inside: Tag) -> str | None:
    """Where the one passage inside a tag links to; None when it links nowhere."""
    links = inside.select("a.passage-link")
    return attribute(links[0], "href") if links else None


def digest_of(text: list[str]) -> str:
    """The SHA-256 of a passage as its paragraphs are shown, a line each."""
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    """A file with this content."""
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


def squeezed(text: str) -> str:
    """A text with every run of blanks as one."""
    return re.sub(r"\s+", " ", text).strip()
