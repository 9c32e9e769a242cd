"""Which call of an attempt stands for which gold call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sopforge.dataset.gold.order import Needs
from sopforge.grading.calls import Made


def match_calls(gold: Sequence[Made], needs: Needs, made: Iterable[Made]) -> list[int | None]:
    """Return for each call the place of the gold call that it stands for, None if for none.

    It stands for one only after all that this one needs.
    """
    done: set[int] = set()
    found: list[int | None] = []
    for call in made:
        place = next(
            (
                place
                for place, wanted in enumerate(gold)
                if place not in done and call == wanted and needs[place] <= done
            ),
            None,
        )
        found.append(place)
        done |= set() if place is None else {place}
    return found
