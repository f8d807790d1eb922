"""What holds of the citations of a conversation, counted: the data of `citepage audit`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from renderer.citations.claims import ClaimCount
from renderer.model import CheckedAnswer, Marker, Registry, Removal, Source


@dataclass(frozen=True, slots=True)
class ClaimSupport:
    """How a cited claim and the passages that it cites share wording: `score` is 0…100, None without any passage.

    `numbers` are those that stand in the claim and in none of the passages. It says nothing about truth.
    """

    claim: str
    ks: tuple[int, ...]
    score: float | None
    numbers: tuple[str, ...]

    def listed_for(self, threshold: float) -> tuple[str, ...]:
        """Why the claim is worth a look: "no-passage", a score under `threshold` ("shared-wording"), "numbers"."""
        if self.score is None:
            return ("no-passage",)
        return ("shared-wording",) * (self.score < threshold) + ("numbers",) * bool(self.numbers)


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """One answer: `markers` in its text, the `sources` listed, what was `removed` and why.

    A marker is what the model wrote, so `[5-9]` is one; it is removed when any of its numbers was. `unused` are the
    numbers of the registry that nothing cites. `support` is None where wording was not compared.
    """

    message_id: str
    markers: int
    sources: tuple[Source, ...]
    removed: tuple[Removal, ...]
    unused: tuple[int, ...]
    claims: int
    cited_claims: int
    support: tuple[ClaimSupport, ...] | None = None

    @property
    def removed_markers(self) -> int:
        """How many markers were removed from the text, whole or in part: the number in `data-removed` of a page."""
        return sum(removal.marker is not None for removal in self.removed)


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts over any number of answers. The rates are 0…1, or None where there is nothing to divide by."""

    answers: int = 0
    answers_with_citations: int = 0
    markers: int = 0
    removed: int = 0
    claims: int = 0
    cited_claims: int = 0

    @property
    def kept(self) -> int:
        """Markers that stayed as they were."""
        return self.markers - self.removed

    @property
    def validity_rate(self) -> float | None:
        """Kept markers by markers."""
        return self.kept / self.markers if self.markers else None

    @property
    def citation_rate(self) -> float | None:
        """Claims that carry a citation by claims."""
        return self.cited_claims / self.claims if self.claims else None


@dataclass(frozen=True, slots=True)
class CitationReport:
    """The report of one conversation: one entry for each answer, and for each other message with markers or a list."""

    id: str
    title: str
    answers: tuple[AnswerReport, ...]

    @property
    def totals(self) -> Totals:
        """The counts of this conversation."""
        return total(self.answers)

    @property
    def has_findings(self) -> bool:
        """Whether any marker or citation was removed."""
        return any(answer.removed for answer in self.answers)


def answer_report(
    message_id: str,
    markers: Sequence[Marker],
    checked: CheckedAnswer,
    registry: Registry,
    count: ClaimCount,
    support: tuple[ClaimSupport, ...] | None = None,
) -> AnswerReport:
    """The report of one checked answer."""
    cited = {source.url for source in checked.sources}
    marked = {n for marker in markers for n in marker.numbers}
    unused = [entry.n for entry in registry if entry.url not in cited]
    if not registry:  # an answer that carries its sources: those that no marker names
        unused = [source.n for source in checked.sources if source.n not in marked]
    return AnswerReport(
        message_id=message_id,
        markers=len(markers),
        # Without what came with them: a report of a thousand files must not hold their pages.
        sources=tuple(replace(source, entry=None, passage=None) for source in checked.sources),
        removed=checked.removals,
        unused=tuple(unused),
        claims=count.claims,
        cited_claims=count.cited,
        support=support,
    )


def total(answers: Iterable[AnswerReport]) -> Totals:
    """The counts over `answers`."""
    rows = tuple(answers)
    return Totals(
        answers=len(rows),
        answers_with_citations=sum(bool(row.sources) for row in rows),
        markers=sum(row.markers for row in rows),
        removed=sum(row.removed_markers for row in rows),
        claims=sum(row.claims for row in rows),
        cited_claims=sum(row.cited_claims for row in rows),
    )
