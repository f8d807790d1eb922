"""Outcomes → the site: which export of a conversation counts, its pages in their places, and the state that knows them.

Names are noted before pages take their places, and the conversation after: what a run that was killed leaves behind is
known to the next one, and an input counts as read when all its pages are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from renderer.archive.documents import frames_in
from renderer.archive.inputs import ArchiveInput
from renderer.archive.state import KnownConversation, KnownInput, State
from renderer.errors import RendererError
from renderer.staging import discard, remove_ours, take_place, waiting_bytes

if TYPE_CHECKING:
    from renderer.archive.work import Made, Outcome


@dataclass(slots=True)
class Publisher:
    """Takes outcomes into the site in `folder`. `inputs` are those of this run by their names.

    `pending` are the paths of inputs that are still to come: what they held before does not count any more. `failed`
    says in lines, by the names of inputs, what must be tried again in the next run.
    """

    state: State
    folder: Path
    fingerprint: str
    inputs: Mapping[str, ArchiveInput]
    pending: set[str]
    written: int = 0
    removed: int = 0
    failed: dict[str, list[str]] = field(default_factory=dict)

    def take(self, outcome: Outcome) -> None:
        """Take in what came of a job."""
        owners = tuple(self.inputs[name].path for name in outcome.job.names)
        keys: list[str] = []
        trouble = [outcome.error] if outcome.error and outcome.is_export else []
        for made in outcome.made:
            try:
                if self._counts(made, owners):
                    self._publish(made, owners)
                keys.append(made.entry.key)
            except RendererError as error:
                trouble.append(str(error))
            finally:
                for path in (*(waiting for waiting, _ in made.pages), made.documents):
                    discard(path)
        self.pending -= set(owners)
        if trouble:
            self.failed.setdefault(outcome.job.names[0], []).extend(trouble)
        if len(owners) == 1:
            self._remember(outcome, owners[0], keys, again=bool(trouble))
        self.state.commit()

    def clean_up(self) -> None:
        """Remove the pages that the new indexes do not list any more."""
        for name in self.state.leftovers():
            self.removed += remove_ours(self.folder, name)
        self.state.clear_leftovers()
        self.state.commit()

    def _counts(self, made: Made, owners: Sequence[str]) -> bool:
        """Whether this export of a conversation is the one to show: the one with more records, or the first by name."""
        known = self.state.conversation(made.entry.key)
        if known is None or set(known.owners) & (self.pending | set(owners)):
            return True
        if known.digest != made.digest:
            what = f"the key {made.entry.key} is that of another conversation already; it was left out"
            raise RendererError(made.entry.title, what, "make a site of its own for it")
        still = set(self.state.holders(made.entry.key))
        if len(owners) > 1 or not still & set(known.owners):
            return True
        return (made.records, *map(_reversed, owners)) > (known.records, *map(_reversed, known.owners))

    def _publish(self, made: Made, owners: tuple[str, ...]) -> None:
        state, names = self.state, [name for _, name in made.pages]
        state.expect([*names, *state.pages_of(made.entry.key)])
        state.commit()
        sizes = [waiting.stat().st_size for waiting, _ in made.pages]
        for waiting, name in made.pages:
            self.written += take_place(waiting, self.folder / name)
        known = KnownConversation(made.digest, owners, made.records)
        with waiting_bytes(made.documents) as file:
            pages = list(zip(names, sizes, strict=True))
            state.put_conversation(made.entry, known, by_content=made.by_content, pages=pages, frames=frames_in(file))

    def _remember(self, outcome: Outcome, path: str, keys: Sequence[str], *, again: bool) -> None:
        item = self.inputs[outcome.job.names[0]]
        if not outcome.made and (outcome.is_export or self.state.holds(path)):
            return  # what it held stays, and it is tried again in the next run
        known = KnownInput(
            item.size,
            item.mtime_ns,
            outcome.digests[0] if outcome.digests else "",
            outcome.is_export,
            outcome.error,
            outcome.warnings,
            outcome.more,
        )
        self.state.put_input(path, "" if again else self.fingerprint, known, keys)


def _reversed(path: str) -> tuple[int, ...]:
    """Sorts the other way round: of two exports that are alike the first by name is greater."""
    return (*(-ord(char) for char in path), 1)
