"""Rules of a session: what earlier cases came to decides on a later one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Cells: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Filed:
    """A case of the session: what it states, and the outcomes it was filed with, as cells."""

    inputs: Cells
    outcomes: Cells


@dataclass(frozen=True, slots=True)
class Quota:
    """No more than ``limit`` cases get a label of an outcome; further ones get ``instead``.

    With ``per``, an input, cases with the same value of it are counted together.
    """

    outcome: str
    label: str
    limit: int
    instead: str
    per: str = ""

    def applies(self, case: Filed, earlier: Iterable[Filed]) -> bool:
        """Return whether a case gets another label because of earlier ones."""
        if case.outcomes.get(self.outcome) != self.label:
            return False
        alike = (other for other in earlier if self._is_counted_with(case, other))
        counted = sum(other.outcomes.get(self.outcome) == self.label for other in alike)
        return counted >= self.limit

    def _is_counted_with(self, case: Filed, other: Filed) -> bool:
        return not self.per or case.inputs[self.per] == other.inputs.get(self.per)


@dataclass(frozen=True, slots=True)
class Strikes:
    """Once ``limit`` cases had a value of an input, further ones with it get ``instead``."""

    outcome: str
    field: str
    value: str
    limit: int
    instead: str

    def applies(self, case: Filed, earlier: Iterable[Filed]) -> bool:
        """Return whether a case gets another label because of earlier ones."""
        if case.inputs[self.field] != self.value:
            return False
        return sum(other.inputs.get(self.field) == self.value for other in earlier) >= self.limit


Tally: TypeAlias = Quota | Strikes


def settle(tallies: Sequence[Tally], case: Filed, earlier: Sequence[Filed]) -> Cells:
    """Return the outcomes of a case by the first rule that applies, else as they are."""
    for tally in tallies:
        if tally.applies(case, earlier):
            return {**case.outcomes, tally.outcome: tally.instead}
    return case.outcomes
