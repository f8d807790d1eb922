"""What a build tells: counts, and all that was wrong, in the order of the inputs."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from renderer.archive.inputs import FoundInputs
from renderer.archive.publish import Publisher
from renderer.archive.state import State


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a build. `written` and `removed` count pages, `read` the inputs that were read.

    `errors` and `warnings` are lines. `earlier` counts the warnings of inputs that did not change since they were said.
    `no_exports` are the names of the files in folders that are no exports, `doubles` those of inputs that hold a
    conversation which another input holds too.
    """

    conversations: int
    inputs: int
    read: int
    written: int
    removed: int
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    earlier: int
    no_exports: tuple[str, ...]
    doubles: tuple[tuple[str, ...], ...]


def report_of(
    state: State,
    fingerprint: str,
    found: FoundInputs,
    read: Set[str],
    publisher: Publisher,
) -> Report:
    """The report of a build: `read` are the paths of the inputs that were read."""
    known = state.inputs(fingerprint)
    errors = [str(error) for error in found.errors]
    warnings: list[str] = []
    no_exports: list[str] = []
    earlier = 0
    for item in found.inputs:
        warnings += publisher.failed.get(item.name, ())
        one = known.get(item.path)
        if one is None:
            continue
        if not one.is_export:
            (errors.append(one.error) if item.named else no_exports.append(item.name))
        elif item.path in read:
            warnings += one.warnings
            warnings += [f"{item.name}: {one.more} more problems like these"] if one.more else []
        else:
            earlier += len(one.warnings) + one.more
    return Report(
        len(state.entries()),
        len(found.inputs),
        len(read),
        publisher.written,
        publisher.removed,
        tuple(errors),
        tuple(warnings),
        earlier,
        tuple(no_exports),
        tuple(_doubles(state, found)),
    )


def _doubles(state: State, found: FoundInputs) -> list[tuple[str, ...]]:
    """The inputs of each conversation that stands in several of them; the parts of one share do not count."""
    names = {item.path: item.name for item in found.inputs}
    held = [state.holders(key) for key, format_ in state.held_by_several() if format_ != "upstream-share"]
    return [tuple(names[path] for path in paths if path in names) for paths in held]
