"""Rows of an agent → the same rows with checked citations."""

from __future__ import annotations

from collections.abc import Iterator

from renderer.errors import Problem, RendererError
from renderer.options import Options
from renderer.output import replacing_bytes, target_of
from renderer.readers import Input, read_inputs, reader_of
from renderer.readers.rows import share_rows
from renderer.writers.cite import cite_lines, cite_rows
from renderer.writers.upstream_rows import export_rows, row_line


def cite(name: str, output: str, options: Options, *, format: str | None = None) -> list[Problem]:
    """Write the rows of the input `name` with their citations built anew to `output`. Raises RendererError."""
    problems: list[Problem] = []
    with Input(name) as source:
        reader = reader_of(source, format).name
        if reader not in ("upstream-share", "upstream-jsonl"):
            raise RendererError(
                source.name, f"it is {reader}, which has no rows to cite", "give a JSONL export or a share"
            )
        if reader == "upstream-share":
            problems += _problems_of(source, reader)
            session, messages = share_rows([source])
            rows = cite_rows(export_rows(session, messages), tools=options.tools)
            lines: Iterator[bytes] = (row_line(row) for row in rows)
        else:
            lines = cite_lines(source, problems.append, tools=options.tools)
        with replacing_bytes(target_of(output)) as file:
            file.writelines(lines)
    return problems


def _problems_of(source: Input, reader: str) -> Iterator[Problem]:
    """All that is wrong with the one conversation of an input."""
    for conversation in read_inputs([source], format=reader):
        yield from conversation.problems
        for round_ in conversation.rounds:
            yield from round_.problems
