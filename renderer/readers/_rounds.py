"""From a stream of messages and problems to rounds, one at a time: what is held is one round, never an export."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from renderer.errors import Problem, RendererError
from renderer.model import Message, Role, Round

Event: TypeAlias = Message | Problem

PROBLEMS_NAMED = 100  # of one round: a file can hold a million broken lines, and a warning names each


@dataclass(frozen=True, slots=True)
class LazyRounds:
    """Rounds that read as they go. `events` starts the stream anew: each iteration stands on its own."""

    events: Callable[[], Iterator[Event]]

    def __iter__(self) -> Iterator[Round]:
        return _grouped(self.events())


def opening_problems(events: Iterable[Event], where: str) -> tuple[Problem, ...]:
    """The problems before the first message; they are in no round. Reads no further than that message.

    Raises `RendererError` when there is no message.
    """
    problems = _Problems()
    for event in events:
        if isinstance(event, Message):
            return problems.all()
        problems.add(event)
    raise _no_messages(where, problems.all())


def _no_messages(where: str, problems: tuple[Problem, ...]) -> RendererError:
    left_out = [problem for problem in problems if problem.left_out]
    if not left_out:
        return RendererError(where, "there are no messages in it", "export the conversation again")
    first = left_out[0]
    place = where if first.line is None else f"{where}:{first.line}"
    count = sum(problem.left_out for problem in left_out)
    what = f"no messages can be read ({count} left out, this is the first): {first.what}"
    return RendererError(place, what, "export the conversation again")


def _grouped(events: Iterable[Event]) -> Iterator[Round]:
    index, started = 0, False
    question: Message | None = None
    messages: list[Message] = []
    problems = _Problems()
    for event in events:
        if isinstance(event, Problem):
            problems.add(event)
            continue
        if not started:
            started, problems = True, _Problems()  # those before the first message are the conversation's
        elif event.role is Role.USER:
            yield Round(index, question, tuple(messages), problems.all())
            question, messages, problems = None, [], _Problems()
        if event.role is Role.USER:
            index, question = index + 1, event
        else:
            messages.append(event)
    if started:
        yield Round(index, question, tuple(messages), problems.all())


class _Problems:
    """The problems of one round: the first hundred by name, the rest as a count."""

    def __init__(self) -> None:
        self._named: list[Problem] = []
        self._more = 0
        self._left_out = 0

    def add(self, problem: Problem) -> None:
        if len(self._named) < PROBLEMS_NAMED:
            self._named.append(problem)
            return
        self._more += 1
        self._left_out += problem.left_out

    def all(self) -> tuple[Problem, ...]:
        if not self._more:
            return tuple(self._named)
        what = f"{self._more} more problems like these"
        return (*self._named, Problem(self._named[0].where, None, what, self._left_out))
