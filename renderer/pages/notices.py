"""What a reader of the page must know about the input: records left out, messages missing."""

from __future__ import annotations

from collections.abc import Sequence

from renderer.errors import Problem
from renderer.i18n import Catalog


def notices(problems: Sequence[Problem], catalog: Catalog) -> tuple[str, ...]:
    """The sentences for `problems`: how many records were left out, and each thing that is missing, once."""
    left_out = sum(problem.left_out for problem in problems)
    sentences = [catalog.say("records_left_out", n=left_out)] if left_out else []
    sentences += [catalog.say(problem.notice, **problem.values) for problem in problems if problem.notice]
    return tuple(dict.fromkeys(sentences))
