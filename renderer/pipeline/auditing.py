"""An export → what holds of every citation."""

from __future__ import annotations

from renderer.citations.report import CitationReport
from renderer.errors import Problem
from renderer.options import Options
from renderer.readers import Input, read_inputs, reader_of
from renderer.writers.audit import AuditedInput
from renderer.writers.audit import audit as audit_conversation


def audit(
    name: str, options: Options, *, format: str | None = None, support: bool = False
) -> tuple[AuditedInput, list[Problem]]:
    """Check every citation of every conversation in the input `name`. Raises RendererError."""
    with Input(name) as source:
        reader = reader_of(source, format)
        reports: list[CitationReport] = []
        problems: list[Problem] = []
        for conversation in read_inputs([source], format=reader.name):
            problems += conversation.problems
            reports.append(audit_conversation(conversation, options=options, support=support, report=problems.append))
        return AuditedInput(source.name, reader.name, tuple(reports)), problems
