"""What can go wrong: one exception for what stops us, one record for what does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


class RendererError(Exception):
    """The input cannot be read, or the output cannot be written.

    `where` is the file's name as the user gave it (with `:LINE` when a line is to blame), `what` says what
    is wrong and `remedy` what to do about it. Caught only in `cli`, which prints it as one line.
    """

    def __init__(self, where: str, what: str, remedy: str) -> None:
        super().__init__(f"{where}: {what}; {remedy}" if where else f"{what}; {remedy}")
        self.where = where
        self.what = what
        self.remedy = remedy


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the input that we could go on after. Printed as a warning, and shown in the page when it matters.

    `where` is the file's name; `line` is 1-based, None where lines mean nothing. `left_out` counts the records
    that are not in the page because of it (0: the record was repaired and is shown). `notice` is the key of the
    sentence that the page shows its reader, with the `values` in it; "" when the count of records says enough.
    """

    where: str
    line: int | None
    what: str
    left_out: int = 0
    notice: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        place = self.where if self.line is None else f"{self.where}:{self.line}"
        return f"{place}: {self.what}"
