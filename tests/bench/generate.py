"""Makes exports to measure with: upstream rows, the same for the same seed, no two messages alike.

    python -m tests.bench.generate FOLDER --conversations 200 --rows 40

Each round has a question, up to three tool calls (searches, and pages that were opened) with their results, and an
answer of headings, lists, tables, code, formulas and links, half in Chinese and half in English. About every second
sentence cites a result of its own round, and one marker in fifty is out of range.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_ENGLISH = (
    "the report council record measure harbour winter review budget station archive method result signal "
    "garden engine letter market valley mountain river bridge process system pattern version request answer "
    "question sample carbon energy weather traffic library museum hospital theatre airport railway village "
    "district province region border increase decrease compare describe explain confirm suggest publish "
    "collect restore protect improve replace operate early late narrow broad steady sudden public local "
    "annual common recent former careful precise reliable modest"
)
_ENGLISH_WORDS = tuple(_ENGLISH.split())
_CHINESE = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化"
    "高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向"
)
_CODE = {
    "python": "def step_{n}(values: list[int]) -> int:\n    total = {n}\n    for value in values:\n"
    "        total += value * {m}\n    return total\n",
    "ts": "export function step{n}(values: number[]): number {{\n"
    "  return values.reduce((sum, value) => sum + value * {m}, {n});\n}}\n",
    "bash": 'for file in part-{n}-*.csv; do\n  sort -k{m} "$file" | uniq -c > "counts-{n}.txt"\ndone\n',
    "json": '{{\n  "run": {n},\n  "limits": {{"low": {m}, "high": {n}{m}}},\n  "names": ["a{n}", "b{m}"]\n}}\n',
}
_FORMULAS = (r"\frac{{{n}}}{{{m}}} + x_{{{n}}}", r"\sum_{{i=1}}^{{{n}}} a_i^{{{m}}}", r"e^{{-{n} t}} \sqrt{{{m}}}")


def main() -> None:
    """Write the exports that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--conversations", type=int, default=200)
    parser.add_argument("--rows", type=int, default=40)
    parser.add_argument("--bytes", type=int, help="rows until a conversation has so many bytes, in place of --rows")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for number in range(chosen.conversations):
        with (chosen.folder / f"session-{number:05}.jsonl").open("wb") as file:
            file.writelines(export(number, chosen.seed, rows=chosen.rows, size=chosen.bytes))


def export(number: int, seed: int = 1, *, rows: int = 40, size: int | None = None) -> Iterator[bytes]:
    """The lines of one export: so many rows, or rows until there are `size` bytes. Ends with a whole round."""
    chance = random.Random(f"{seed}/{number}")
    title = _sentence(chance, chinese=bool(number % 2))
    session = {
        "id": 100_000 + number,
        "title": title,
        "agentName": f"Agent {number % 7}",
        "createdAt": _time(number, 0),
    }
    yield _line({"type": "session_export", "schemaVersion": 1, "session": session})
    count = written = 0
    while (written < size) if size else (count < rows):
        for row in _round(chance, number):
            count += 1
            line = _line({"id": count, "createdAt": _time(number, count), **row})
            written += len(line)
            yield line


def _round(chance: random.Random, number: int) -> Iterator[dict[str, Any]]:
    chinese = chance.random() < 0.5
    yield {"role": "USER", "content": " ".join(_sentence(chance, chinese) for _ in range(chance.randint(1, 3)))}
    found = 0
    for _ in range(chance.choice((0, 1, 1, 2, 2, 2, 3))):
        opens = chance.random() < 0.4
        call = f"c{chance.getrandbits(40):x}"
        name, arguments, result = _opened(chance, chinese) if opens else _searched(chance, chinese)
        found += 1 if opens else len(result["results"])
        calls = [{"id": call, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]
        yield {"role": "ASSISTANT", "content": None, "toolCalls": json.dumps(calls)}
        yield {"role": "TOOL", "content": json.dumps(result, ensure_ascii=False), "toolCallId": call}
    yield {"role": "ASSISTANT", "content": _answer(chance, chinese, min(found, 20)), "toolCalls": None}


def _searched(chance: random.Random, chinese: bool) -> tuple[str, dict[str, str], dict[str, Any]]:
    query = _sentence(chance, chinese)
    results = [
        {"title": _sentence(chance, chinese), "url": _address(chance), "content": _text(chance, chinese, 150, 900)}
        for _ in range(chance.randint(5, 12))
    ]
    return "web_search", {"query": query}, {"query": query, "results": results, "total_results": len(results)}


def _opened(chance: random.Random, chinese: bool) -> tuple[str, dict[str, str], dict[str, Any]]:
    url = _address(chance)
    size = int(min(50_000, max(2_000, chance.lognormvariate(9.2, 0.8))))
    content = "# " + _sentence(chance, chinese) + "\n\n" + _text(chance, chinese, size, size)
    return "open_web_page", {"url": url}, {"url": url, "title": _sentence(chance, chinese), "content": content}


def _answer(chance: random.Random, chinese: bool, found: int) -> str:
    wanted, parts = chance.randint(500, 6_000), [_paragraph(chance, chinese, found)]
    makers = (_paragraph, _paragraph, _paragraph, _list, _table, _code, _formula, _heading)
    while sum(map(len, parts)) * (2 if chinese else 1) < wanted:
        parts.append(chance.choice(makers)(chance, chinese, found))
    return "\n\n".join(parts)


def _paragraph(chance: random.Random, chinese: bool, found: int) -> str:
    sentences = [_cited(chance, _sentence(chance, chinese), chinese, found) for _ in range(chance.randint(2, 5))]
    if chance.random() < 0.3:
        sentences.append(
            f"**{_sentence(chance, chinese)}** `value_{chance.getrandbits(20)}` *{_words(chance, chinese, 3)}*"
        )
    if chance.random() < 0.15:
        sentences.append(f"[{_words(chance, chinese, 2)}]({_address(chance)})")
    return ("" if chinese else " ").join(sentences)


def _cited(chance: random.Random, sentence: str, chinese: bool, found: int) -> str:
    end = "。" if chinese else "."
    if not found or chance.random() < 0.5:
        return sentence + end
    n = found + 40 if chance.random() < 0.02 else chance.randint(1, found)
    return f"{sentence}[^{n}^]{end}"


def _list(chance: random.Random, chinese: bool, found: int) -> str:
    sign = "1." if chance.random() < 0.4 else "-"
    lines = []
    for _ in range(chance.randint(3, 6)):
        lines.append(f"{sign} {_cited(chance, _sentence(chance, chinese), chinese, found)}")
        if chance.random() < 0.3:
            lines += [f"   - {_sentence(chance, chinese)}" for _ in range(2)]
    return "\n".join(lines)


def _table(chance: random.Random, chinese: bool, found: int) -> str:
    head = " | ".join(_words(chance, chinese, 1) for _ in range(3))
    rows = [
        f"| {_words(chance, chinese, 2)} | {chance.randint(1, 9999)} | "
        f"{_cited(chance, _words(chance, chinese, 3), chinese, found)} |"
        for _ in range(chance.randint(3, 7))
    ]
    return "\n".join([f"| {head} |", "| --- | ---: | --- |", *rows])


def _code(chance: random.Random, _chinese: bool, _found: int) -> str:
    language = chance.choice(sorted(_CODE))
    parts = [
        _CODE[language].format(n=chance.randint(1, 99_999), m=chance.randint(1, 99))
        for _ in range(chance.randint(1, 3))
    ]
    return f"```{language}\n{''.join(parts)}```"


def _formula(chance: random.Random, chinese: bool, _found: int) -> str:
    formula = chance.choice(_FORMULAS).format(n=chance.randint(2, 999), m=chance.randint(2, 99))
    return f"{_words(chance, chinese, 4)} ${formula}$\n\n$$\n{formula}\n$$"


def _heading(chance: random.Random, chinese: bool, _found: int) -> str:
    return f"{'#' * chance.randint(2, 4)} {_words(chance, chinese, 4)}"


def _text(chance: random.Random, chinese: bool, low: int, high: int) -> str:
    """A text of so many bytes, about."""
    wanted, parts, size = chance.randint(low, high), [], 0
    while size < wanted:
        parts.append(_sentence(chance, chinese) + ("。" if chinese else ". "))
        size += len(parts[-1].encode())
    return "".join(parts)


def _sentence(chance: random.Random, chinese: bool) -> str:
    return _words(chance, chinese, chance.randint(6, 16))


def _words(chance: random.Random, chinese: bool, count: int) -> str:
    if chinese:
        return "".join(chance.choices(_CHINESE, k=count * 2)) + str(chance.randint(0, 999))
    return " ".join(chance.choices(_ENGLISH_WORDS, k=count)).capitalize()


def _address(chance: random.Random) -> str:
    return f"https://{chance.choice(_ENGLISH_WORDS)}{chance.randint(1, 400)}.example/{chance.getrandbits(48):x}"


def _time(number: int, row: int) -> str:
    minute = number * 97 + row
    return (
        f"2026-{1 + minute // 40_320 % 12:02}-{1 + minute // 1_440 % 28:02}T{minute // 60 % 24:02}:{minute % 60:02}:00"
    )


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


if __name__ == "__main__":
    main()
