"""The ids met so far, remembered in little memory: an export may have millions."""

from __future__ import annotations

from array import array
from bisect import bisect_left

ODD_IDS_KEPT = 100_000
ODD_ID_LENGTH = 200


class SeenIds:
    """The ids met so far. Ids are numbers that rise, and eight bytes remember such a one.

    Of others, the first hundred thousand of ordinary length are remembered: what comes after is not compared.
    """

    def __init__(self) -> None:
        self._rising = array("q")
        self._odd: set[str] = set()

    def add(self, id_: str) -> bool:
        """Remember an id. Returns whether it was there already."""
        number = int(id_) if id_.isascii() and id_.isdigit() and len(id_) <= 18 and id_[0] != "0" else None
        if number is not None and (not self._rising or number > self._rising[-1]):
            self._rising.append(number)
            return False
        if id_ in self._odd or (number is not None and self._has_risen(number)):
            return True
        if len(self._odd) < ODD_IDS_KEPT and len(id_) <= ODD_ID_LENGTH:
            self._odd.add(id_)
        return False

    def _has_risen(self, number: int) -> bool:
        at = bisect_left(self._rising, number)
        return at < len(self._rising) and self._rising[at] == number
