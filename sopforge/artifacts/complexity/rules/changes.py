"""Changes of a procedure that could have been: on which day, and by which edition."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from sopforge.artifacts.complexity.setting import Setting
from sopforge.seeds import draw_below, permute_index

_UNDATED = date(2025, 1, 1).toordinal()
"""Before this day lie the changes of a procedure whose cases have no day."""
_NEAREST, _APART = 3, 5
"""How many months the latest change lies before the first case, and any before the next."""
_EDITIONS = (2, 9)
_YEAR = 12
_LONGEST_MONTH = 31


@dataclass(frozen=True, slots=True)
class EditionChange:
    """A change before every case: the edition that ended, and the first day of the next one."""

    edition: int
    first: int

    @property
    def since(self) -> str:
        """The first day of the new edition, as rules write days."""
        return date.fromordinal(self.first).isoformat()

    @property
    def until(self) -> str:
        """The last day of the old edition."""
        return date.fromordinal(self.first - 1).isoformat()


def has_past(setting: Setting) -> bool:
    """Return whether the changes of all editions can lie before every case."""
    first, last = _EDITIONS
    earliest = _NEAREST + _APART * (last - first + 1)
    # Days are counted from the first of year 1.
    return not 0 < setting.first_day < earliest * _LONGEST_MONTH


def draw_change(setting: Setting, number: int, seed: int) -> EditionChange:
    """Return the change of a passage: the end of an edition, which has one day in all passages."""
    first, last = _EDITIONS
    size = last - first + 1
    edition = first + permute_index(number % size, size, seed, "change", setting.domain)
    # Each domain has months of its own, one shift for all of its editions.
    shift = draw_below(_APART, seed, "month", setting.domain)
    months = _NEAREST + shift + _APART * (last - edition)
    anchor = date.fromordinal(setting.first_day or _UNDATED)
    place = anchor.year * _YEAR + anchor.month - 1 - months
    return EditionChange(edition, date(place // _YEAR, place % _YEAR + 1, 1).toordinal())
