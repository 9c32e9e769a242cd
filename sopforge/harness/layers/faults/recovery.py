"""The rules by which an agent recovers from faults: what a reply is, and what is to be done."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from sopforge.sandbox.answers import JSON
from sopforge.session.layers import FAILED

BUSY, LATE, CLOSED = (FAILED[kind][0] for kind in ("busy", "late", "closed"))


class Health(StrEnum):
    """What a reply is by the rules of recovery."""

    SOUND = "sound"
    REPEATABLE = "repeatable"
    """It failed or lacks a value, and the same call may succeed."""
    CLOSED = "closed"
    """It failed, and so will the same call."""
    UNTRUE = "untrue"
    """It has a value that nobody may use: a stale copy, or one that cannot be."""


@dataclass(frozen=True, slots=True)
class Recovery:
    """The rules of recovery: how often a call is repeated, and the stand-in of each tool.

    ``copied`` and ``changed`` are what each result of a look-up has besides its values: the days on
    which it was copied, and on which the record was last changed. ``ranges`` has the least and the
    largest value that a result may have, by its tool and its name.
    """

    repeats: int
    stand_ins: Mapping[str, str]
    copied: str
    changed: str
    ranges: Mapping[str, Mapping[str, tuple[Decimal, Decimal]]] = field(default_factory=dict)

    def assess_refusal(self, code: str) -> Health:
        """Return what a refusal is; those of the tools themselves are sound answers."""
        if code in (BUSY, LATE):
            return Health.REPEATABLE
        return Health.CLOSED if code == CLOSED else Health.SOUND

    def assess_result(
        self, tool: str, result: Mapping[str, JSON], wanted: Collection[str]
    ) -> Health:
        """Return what a result of a tool is, which has to have the ``wanted`` values."""
        if any(name not in result for name in wanted):
            return Health.REPEATABLE
        if self.is_stale(result) or any(
            self.is_beyond(tool, name, value) for name, value in result.items()
        ):
            return Health.UNTRUE
        return Health.SOUND

    def is_stale(self, result: Mapping[str, JSON]) -> bool:
        """Return whether a result was copied before its record was changed."""
        copied, changed = result.get(self.copied), result.get(self.changed)
        # Days as texts, year first, are in the order of the days.
        return isinstance(copied, str) and isinstance(changed, str) and copied < changed

    def is_beyond(self, tool: str, name: str, value: JSON) -> bool:
        """Return whether a value lies beyond the range that is stated for it."""
        ranges = self.ranges.get(tool, {})
        if name not in ranges or isinstance(value, bool):
            return False
        low, high = ranges[name]
        return isinstance(value, int | float | Decimal) and not low <= Decimal(str(value)) <= high
