"""Tool answers that are text: the results of a search in lines of labels, a page, or the words of a failure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# A page is longer than the words that say why there is none (code points), and those come first.
_SHORT = 600
_FAILURE = re.compile(
    r"\b(?:error|fail(?:ed|ure)|unable to|(?:could|does) ?n[o't]+|can(?:'t|not)|denied|refused|forbidden|blocked|"
    r"timed out|timeout|not found|enotfound|econn\w+|robots\.txt|redirect detected|status code [45]\d\d)\b"
    r"|<tool_use_error>|^[45]\d\d\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"(?:\[\d+\] )?([A-Z][A-Za-z]*(?: [A-Za-z]+){0,2}): ?(.*)")
_ADDRESSES = ("URL", "URL Source", "Link", "Url")
_LONG = ("Content", "Raw Content", "Text", "Markdown", "Markdown Content", "Highlights", "Summary")
_PASSAGES = (*_LONG, "Description", "Snippet")


def is_failure(text: str) -> bool:
    """Whether a text says that a tool failed: it is short, and has the words of one; or it is empty."""
    first = text.strip().split("\n", 1)[0].replace("’", "'")
    return not first or (len(text) <= _SHORT and _FAILURE.search(first) is not None)


def page_header(text: str) -> tuple[str, str]:
    """The title and the address that stand at the head of a page's text (`Title: …`, `URL Source: …`), "" without."""
    record = next(_records(text), None)
    fields = record.fields if record else {}
    return fields.get("Title", ""), next((fields[key] for key in _ADDRESSES if key in fields), "")


def labelled_results(text: str) -> list[tuple[str, str, str]] | None:
    """The results of a search whose answer has lines such as `Title: …` and `URL: …`, as (address, title, passage).

    None when one of them has no title or no address: numbers would be shifted, and a marker would name a wrong page.
    """
    found: list[tuple[str, str, str]] = []
    for record in _records(text):
        url = next((record.fields[key] for key in _ADDRESSES if record.fields.get(key)), "")
        if "Title" not in record.fields or not url:
            return None
        passage = next((record.fields[key] for key in _PASSAGES if key in record.fields), "")
        found.append((url, record.fields["Title"], passage.strip()))
    return found or None


@dataclass(slots=True)
class _Record:
    fields: dict[str, str] = field(default_factory=dict)


def _records(text: str) -> Iterator[_Record]:
    """The records of a text. Each begins with the same label, after a blank line or where that label comes again."""
    first = ""
    record = _Record()
    long_label = ""
    after_blank = True
    for line in text.split("\n"):
        label = _LABEL.fullmatch(line)
        begins = label is not None and (label[1] == first or not first) and (after_blank or not long_label)
        if label is not None and not first and label[1] not in ("Title", *_ADDRESSES):
            label = None
        elif label is not None and begins:
            if first:
                yield record
            first, record, long_label = label[1], _Record(), ""
        if label is not None and first and not long_label:
            record.fields.setdefault(label[1], label[2].strip())
            long_label = label[1] if label[1] in _LONG else ""
        elif long_label:
            record.fields[long_label] += "\n" + line
        after_blank = not line.strip()
    if first:
        yield record
