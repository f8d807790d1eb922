"""What holds of every citation, as values, as JSON for programs and as a table for people."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from renderer.citations.claims import ClaimCount, count_claims
from renderer.citations.report import AnswerReport, CitationReport, ClaimSupport, Totals, answer_report, total
from renderer.citations.verdicts import holds_tool_results
from renderer.errors import Problem
from renderer.markdown.answers import CheckedMessage, CheckedRound, check_round, cited_claims
from renderer.markdown.transforms import prose_of
from renderer.model import Conversation
from renderer.options import DEFAULTS, Options

JSON_VERSION = 1
# How much of a claim a line of the table shows (code points).
_SHORT = 60


@dataclass(frozen=True, slots=True)
class AuditedInput:
    """One input and the reports of its conversations. `path` is as the user gave it, `format` the reader's name."""

    path: str
    format: str
    conversations: tuple[CitationReport, ...]


def audit(
    conversation: Conversation,
    *,
    options: Options = DEFAULTS,
    support: bool = False,
    report: Callable[[Problem], None] | None = None,
) -> CitationReport:
    """Check every citation of a conversation; memory is bounded by the largest round and the size of the report.

    Of `options` only the tools that give sources count. `support` adds how the wording of each cited claim and of its
    passages is shared. `report` is called with each problem met while reading.
    """
    recorded = holds_tool_results(conversation)
    answers: list[AnswerReport] = []
    for round_ in conversation.rounds:
        checked = check_round(round_, conversation, recorded=recorded, tools=options.tools)
        answers.extend(_reports(checked, support))
        if report is not None:
            for problem in round_.problems:
                report(problem)
    return CitationReport(conversation.id, conversation.title, tuple(answers))


def audit_json(inputs: Sequence[AuditedInput], threshold: float = 0.0) -> dict[str, Any]:
    """The report as the JSON object of the command line (`"version": 1`).

    Where wording was compared, each claim has the reasons for which `audit_table` lists it under the same `threshold`.
    """
    return {
        "version": JSON_VERSION,
        "inputs": [
            {
                "path": item.path,
                "format": item.format,
                "conversations": [_conversation(report, threshold) for report in item.conversations],
            }
            for item in inputs
        ],
        "totals": _totals(_total_of(inputs)),
    }


def audit_table(inputs: Sequence[AuditedInput], threshold: float = 0.0) -> str:
    """The report as a table: a line for each answer, what was removed below it, and the totals.

    Of the claims whose wording was compared, those under `threshold` (0…100) and those with numbers of their own are
    listed.
    """
    rows: list[tuple[str, ...]] = [("answer", "markers", "kept", "removed", "sources", "unused", "cited claims")]
    details: dict[int, list[str]] = {}
    for item in inputs:
        for conversation in item.conversations:
            details.setdefault(len(rows), []).append(
                f"{item.path} · {' '.join(conversation.title.split()) or conversation.id}"
            )
            for answer in conversation.answers:
                rows.append(_row(answer))
                details.setdefault(len(rows), []).extend([*_removed_lines(answer), *_support_lines(answer, threshold)])
    totals = _total_of(inputs)
    rows.append(_total_row(totals))
    return "\n".join(_laid_out(rows, details)) + "\n" + _rates(totals) + "\n"


def _reports(checked: CheckedRound, support: bool) -> Iterator[AnswerReport]:
    for answer in checked.answers.values():
        has_words = bool(answer.document.text.strip())
        if answer.is_answer or (has_words and (answer.document.markers or answer.message.citations)):
            yield answer_report(
                answer.message.id,
                answer.document.markers,
                answer.checked,
                checked.registry,
                _claims(answer),
                tuple(_support(answer)) if support else None,
            )


def _support(answer: CheckedMessage) -> Iterator[ClaimSupport]:
    from renderer.citations.amounts import stated_in
    from renderer.citations.support import passage_sentences, support_of, unsupported_numbers

    passages = {s.k: s.passage.text for s in answer.checked.sources if s.passage and s.passage.text.strip()}
    read = {k: (passage_sentences(text), stated_in(text)) for k, text in passages.items()}
    for claim in cited_claims(answer):
        cited = [read[k] for k in claim.ks if k in read]
        score = max((support_of(claim.text, sentences).score for sentences, _ in cited), default=None)
        numbers = unsupported_numbers(claim.text, [stated for _, stated in cited]) if cited else ()
        yield ClaimSupport(claim.text, claim.ks, score, numbers)


def _claims(answer: CheckedMessage) -> ClaimCount:
    if answer.document.tokens is None:
        return ClaimCount()
    listed = {m.raw for m in answer.document.markers if any(n in answer.checked.by_n for n in m.numbers)}
    return count_claims(prose.text for prose in prose_of(answer.document.tokens, listed.__contains__))


def _total_of(inputs: Sequence[AuditedInput]) -> Totals:
    return total(answer for item in inputs for conversation in item.conversations for answer in conversation.answers)


# --- JSON ------------------------------------------------------------------------------------------------------


def _conversation(report: CitationReport, threshold: float) -> dict[str, Any]:
    answers = [_answer(answer, threshold) for answer in report.answers]
    return {"id": report.id, "title": report.title, "answers": answers}


def _answer(answer: AnswerReport, threshold: float) -> dict[str, Any]:
    support = {} if answer.support is None else {"support": [_support_json(c, threshold) for c in answer.support]}
    return {
        "message_id": answer.message_id,
        "markers": answer.markers,
        "citations": [
            {"n": s.n, "k": s.k, "url": s.url, "title": s.title, "verdict": s.verdict.value} for s in answer.sources
        ],
        "removed": [{"marker": removal.marker, "reason": removal.verdict.value} for removal in answer.removed],
        "unused": list(answer.unused),
        "claims": answer.claims,
        "cited_claims": answer.cited_claims,
        **support,
    }


def _support_json(claim: ClaimSupport, threshold: float) -> dict[str, Any]:
    return {
        "claim": claim.claim,
        "k": list(claim.ks),
        "shared_wording": None if claim.score is None else round(claim.score, 1),
        "numbers": list(claim.numbers),
        "listed": list(claim.listed_for(threshold)),
    }


def _totals(totals: Totals) -> dict[str, Any]:
    return {
        "answers": totals.answers,
        "answers_with_citations": totals.answers_with_citations,
        "markers": totals.markers,
        "kept": totals.kept,
        "removed": totals.removed,
        "validity_rate": totals.validity_rate,
        "citation_rate": totals.citation_rate,
    }


# --- Table -----------------------------------------------------------------------------------------------------


def _row(answer: AnswerReport) -> tuple[str, ...]:
    kept = answer.markers - answer.removed_markers
    return (
        " ".join(answer.message_id.split()),
        str(answer.markers),
        str(kept),
        str(answer.removed_markers),
        str(len(answer.sources)),
        str(len(answer.unused)),
        f"{answer.cited_claims} of {answer.claims}",
    )


def _total_row(totals: Totals) -> tuple[str, ...]:
    claims = f"{totals.cited_claims} of {totals.claims}"
    return ("total", str(totals.markers), str(totals.kept), str(totals.removed), "", "", claims)


def _removed_lines(answer: AnswerReport) -> list[str]:
    return [f"    {removal.marker or f'entry {removal.n}'}: {removal.verdict.value}" for removal in answer.removed]


def _support_lines(answer: AnswerReport, threshold: float) -> Iterator[str]:
    for claim in answer.support or ():
        numbers = f"; in no cited passage: {', '.join(claim.numbers)}" if claim.numbers else ""
        if claim.score is None:
            yield f"    no passage to compare: {_short(claim.claim)}"
        elif claim.listed_for(threshold):
            yield f"    shared wording {claim.score:.0f}{numbers}: {_short(claim.claim)}"


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else text[:_SHORT].rstrip() + "…"


def _rates(totals: Totals) -> str:
    return (
        f"{totals.answers} answers, {totals.answers_with_citations} with sources; "
        f"valid markers {_percent(totals.validity_rate)}, claims with a citation {_percent(totals.citation_rate)}"
    )


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.0%}"


def _laid_out(rows: Sequence[Sequence[str]], details: dict[int, list[str]]) -> Iterator[str]:
    """The rows in columns, with the lines of `details` before the row of their number."""
    widths = [max(_width(row[column]) for row in rows) for column in range(len(rows[0]))]
    for number, row in enumerate(rows):
        yield from details.get(number, ())
        first, *rest = row
        cells = [_padded(first, widths[0], left=True)]
        cells += [_padded(cell, width, left=False) for cell, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join(cells).rstrip()


def _padded(text: str, width: int, *, left: bool) -> str:
    blanks = " " * (width - _width(text))
    return text + blanks if left else blanks + text


def _width(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
