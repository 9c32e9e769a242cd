"""What every document of a handbook is given: a number, an edition and a day, all of them drawn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property

from sopforge.seeds import draw_below, permute_index, permute_items

DESKS = ("north desk", "south desk", "east desk", "west desk", "river desk", "hill desk")
_FIRST_NUMBER, _NUMBERS = 1000, 9000
_FIRST_DAY = date(2026, 1, 5).toordinal()
_DAYS = 300
_EDITIONS = 3


@dataclass
class Register:
    """Hands out numbers and days by a seed; ``given`` counts the numbers."""

    seed: int
    given: int = 0

    @cached_property
    def desks(self) -> list[str]:
        """The desks, this one first."""
        return permute_items(DESKS, self.seed, "desk")

    @cached_property
    def today(self) -> str:
        """The day on which the handbook is read."""
        day = _FIRST_DAY + draw_below(_DAYS, self.seed, "today")
        return date.fromordinal(day).isoformat()

    def give_number(self) -> int:
        """Return a number that no document has; it says nothing of its rank."""
        self.given += 1
        return _FIRST_NUMBER + permute_index(self.given - 1, _NUMBERS, self.seed, "number")

    def draw_edition(self, least: int, *key: str | int) -> int:
        """Return the number of an edition, or a few more than the least."""
        return least + draw_below(_EDITIONS, self.seed, "edition", *key)

    def draw_day_before(self, day: str, reach: int, *key: str | int) -> str:
        """Return a day at most so many before another."""
        return _move(day, -1 - draw_below(reach, self.seed, "day", *key))

    def draw_day_after(self, day: str, reach: int, *key: str | int) -> str:
        """Return a day at most so many after another."""
        return _move(day, 1 + draw_below(reach, self.seed, "day", *key))


def _move(day: str, days: int) -> str:
    return date.fromordinal(date.fromisoformat(day).toordinal() + days).isoformat()
