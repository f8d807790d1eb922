"""Sentences that claim something, in Chinese and English, and which of them carry a citation.

A claim is a sentence with a letter or digit in it that is no question, does not lead into a list (it ends in a colon)
and does not say that the material has no answer. (Second design, §3 rule 3 and §8.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Stands for a marker in the texts given to this module; the stage before has removed it from all input.
MARKER = "\ufdd2"

# Sentences that say that the material has no answer. Data: a new wording is a new row.
REFUSALS = (
    r"(?:资料|材料|文档|文件|上下文|搜索结果|检索结果)[^。！？]{0,6}(?:未|没有|并未|并没有|无)"
    r"(?:提及|提到|说明|找到|记载|相关)",
    r"\b(?:is|are|was|were) not (?:mentioned|stated|covered|specified) in\b",
    r"\b(?:sources?|documents?|materials?|results?|context|passages?)\b.{0,40}\b(?:do|does|did)(?: not|n't) "
    r"(?:mention|say|state|cover|specify)",
    r"\bno (?:relevant |such )?information\b.{0,30}\b(?:found|available|given|provided)\b",
)
# Sentences that say so unless they carry a citation: who cites a source for it tells what somebody did not find.
UNCITED_REFUSALS = (
    r"未(?:在|从)[^。！？]{0,12}(?:中)?(?:找到|检索到|搜索到)",
    r"(?:没有|未)(?:找到|搜索到|检索到|包含|涉及)",
    r"\bnot found in\b",
    r"\b(?:do|does|did)(?: not|n't) (?:contain|include)\b",
    r"\b(?:(?:could|can|did) ?not|(?:could|ca|did)n't) (?:be )?f(?:ind|ound)\b",
)
_REFUSAL = re.compile("|".join(REFUSALS), re.IGNORECASE)
_UNCITED_REFUSAL = re.compile("|".join(UNCITED_REFUSALS), re.IGNORECASE)

_CLOSERS = "\"'”’)）]】」』》*_"
_END = re.compile(rf"(?:[。！？!?．]+|……|…|\.+|\n+)[{re.escape(_CLOSERS)}]*(?:[ \t]*\n?[ \t]*{MARKER})*")
# A full stop after these ends no sentence; after `No.` only before a number, after an initial only among others.
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|cf|approx|Dr|Mr|Mrs|Ms|Prof|St|Fig|Figs|Eq|vol|pp|Jr|Sr|[ap]\.m)"
    r"|\b[A-Z]\.[A-Z]|(?:^|\. ?)[A-Z])\.\Z"
)
_NUMBERED = re.compile(r"\b(?:No|Nos|Art|Sec|Ch)\.\Z")
_LOWER_NEXT = re.compile(r"[ \t]*[a-z]")
_DIGIT_NEXT = re.compile(r"[ \t]*[0-9]")


@dataclass(frozen=True, slots=True)
class ClaimCount:
    """How many claims there are, and how many of them carry a citation."""

    claims: int = 0
    cited: int = 0


def count_claims(texts: Iterable[str]) -> ClaimCount:
    """Count the claims of `texts`: paragraphs, list items and the like, a `MARKER` for each listed marker in them."""
    claims = cited = 0
    for text in texts:
        for sentence in sentences(text):
            if is_claim(sentence):
                claims += 1
                cited += MARKER in sentence
    return ClaimCount(claims, cited)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text. A marker right after a sentence's end belongs to that sentence."""
    for start, end in sentence_spans(text):
        sentence = text[start:end].strip()
        if sentence:
            yield sentence


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand, without gaps: all of the text is in one of them."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if _ends_sentence(text, match):
            spans.append((start, match.end()))
            start = match.end()
    return [*spans, (start, len(text))] if start < len(text) else spans


def is_claim(sentence: str) -> bool:
    """Whether a sentence claims something."""
    words = sentence.replace(MARKER, "").strip().rstrip(_CLOSERS).replace("’", "'")
    if not any(char.isalnum() for char in words):
        return False
    ending = words[len(words.rstrip("。！？!?．.…")) :]
    if words.endswith((":", "：")) or "?" in ending or "？" in ending or _REFUSAL.search(words):
        return False
    return MARKER in sentence or not _UNCITED_REFUSAL.search(words)


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    if not match[0].startswith("."):
        return True
    end = match.end()
    if end < len(text) and not text[end].isspace() and not _is_cjk(text[end]):
        return False  # 3.5, example.org, v1.2
    if _LOWER_NEXT.match(text, end):
        return False
    stops = len(match[0].rstrip(_CLOSERS + MARKER + " \t\n"))
    if stops > 1:
        return True
    before = text[max(0, match.start() - 12) : match.start() + 1]
    return not _ABBREVIATION.search(before) and not (_NUMBERED.search(before) and _DIGIT_NEXT.match(text, end))


def _is_cjk(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff"
