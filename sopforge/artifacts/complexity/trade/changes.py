"""Changes of a procedure that could have been: when there was one, by which edition, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from sopforge.artifacts.complexity.setting import Setting
from sopforge.artifacts.complexity.trade.asides import fill_frame
from sopforge.seeds import draw_below, permute_index

_UNDATED = date(2025, 1, 1).toordinal()
"""Before this day lie the changes of a procedure whose cases have no day."""
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September"),
    *("October", "November", "December"),
)
_NEAREST, _APART = 3, 5
"""How many months the latest change lies before the first case, and any before the next."""
_EDITIONS = (2, 9)
_YEAR = 12
_LONGEST_MONTH = 31


@dataclass(frozen=True, slots=True)
class Change:
    """A change before every case: the last day of the old, the first of the new, its edition.

    ``day`` is the first of the new as rules write days, and ``first`` its number.
    """

    until: str
    since: str
    edition: int
    day: str
    first: int


def has_past(setting: Setting) -> bool:
    """Return whether the changes of all editions can lie before every case."""
    first, last = _EDITIONS
    earliest = _NEAREST + _APART * (last - first + 1)
    # Days are counted from the first of year 1.
    return not 0 < setting.first_day < earliest * _LONGEST_MONTH


def draw_change(setting: Setting, number: int, seed: int) -> Change:
    """Return the change of a passage: the end of an edition, which has one day in all passages."""
    first, last = _EDITIONS
    size = last - first + 1
    edition = first + permute_index(number % size, size, seed, "change", setting.domain)
    # Each domain has months of its own, one shift for all of its editions.
    shift = draw_below(_APART, seed, "month", setting.domain)
    months = _NEAREST + shift + _APART * (last - edition)
    anchor = date.fromordinal(setting.first_day or _UNDATED)
    place = anchor.year * _YEAR + anchor.month - 1 - months
    since = date(place // _YEAR, place % _YEAR + 1, 1)
    until = date.fromordinal(since.toordinal() - 1)
    return Change(
        _format_day(until), _format_day(since), edition, since.isoformat(), since.toordinal()
    )


def draw_reason(setting: Setting, frames: Sequence[str], number: int, seed: int) -> str:
    """Return a sentence on why something was changed, each before any again."""
    size = len(frames)
    for place in range(number, number + size):
        frame = frames[permute_index(place % size, size, seed, "reason", setting.domain, frames[0])]
        if text := fill_frame(frame, setting, place // size, seed):
            return text
    raise ValueError("some reasons name nothing of the domain")


def _format_day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
