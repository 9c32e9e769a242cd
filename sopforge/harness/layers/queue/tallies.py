"""Rules of a session: what earlier cases came to decides on a later one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

Cells: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Filed:
    """A case of the session: what it states, and the outcomes it was filed with, as cells."""

    inputs: Cells
    outcomes: Cells


@dataclass(frozen=True, slots=True)
class Quota:
    """No more than ``limit`` cases get a label of an outcome; further ones get ``instead``."""

    outcome: str
    label: str
    limit: int
    instead: str

    def is_met(self, case: Filed, earlier: Iterable[Filed]) -> bool:
        """Return whether a case gets another label because of earlier ones."""
        if case.outcomes.get(self.outcome) != self.label:
            return False
        counted = sum(other.outcomes.get(self.outcome) == self.label for other in earlier)
        return counted >= self.limit


@dataclass(frozen=True, slots=True)
class Strikes:
    """Once ``limit`` cases stated a value of an input, ``label`` becomes ``instead`` with it."""

    outcome: str
    label: str
    field: str
    value: str
    limit: int
    instead: str

    def is_met(self, case: Filed, earlier: Iterable[Filed]) -> bool:
        """Return whether a case gets another label because of earlier ones."""
        if (
            case.inputs.get(self.field) != self.value
            or case.outcomes.get(self.outcome) != self.label
        ):
            return False
        return sum(other.inputs.get(self.field) == self.value for other in earlier) >= self.limit


Tally: TypeAlias = Quota | Strikes


@dataclass(frozen=True, slots=True)
class Counter:
    """How many cases are filed by now with a label of an outcome: stated under its own name."""

    name: str
    outcome: str
    label: str

    def count(self, case: Filed, others: Iterable[Filed]) -> Decimal:
        """Return the number at a case, itself included, beside others that count."""
        found = (item.outcomes.get(self.outcome) == self.label for item in (case, *others))
        return Decimal(sum(found))


@dataclass(frozen=True, slots=True)
class Total:
    """What a number among the outcomes comes to by now, in all cases: stated under its own name."""

    name: str
    outcome: str

    def count(self, case: Filed, others: Iterable[Filed]) -> Decimal:
        """Return the sum at a case, itself included, beside others that count."""
        cells = (item.outcomes.get(self.outcome, "") for item in (case, *others))
        return sum((read_figure(cell) or Decimal(0) for cell in cells), Decimal(0))


Counted: TypeAlias = Counter | Total


@dataclass(frozen=True, slots=True)
class SessionRules:
    """What sessions add to a procedure: rules by which cases change, and what is counted."""

    tallies: tuple[Tally, ...] = ()
    counters: tuple[Counted, ...] = ()

    def settle(self, case: Filed, others: Sequence[Filed]) -> Cells:
        """Return the outcomes of a case by the first rule that applies, else as they are."""
        for tally in self.tallies:
            if tally.is_met(case, others):
                return {**case.outcomes, tally.outcome: tally.instead}
        return case.outcomes

    def count(self, case: Filed, others: Sequence[Filed]) -> dict[str, str]:
        """Return what counters stand at with a case as it is filed."""
        return {item.name: str(item.count(case, others)) for item in self.counters}


def read_figure(cell: str) -> Decimal | None:
    """Return the number that a cell states, None where it states none."""
    try:
        found = Decimal(cell)
    except InvalidOperation:
        return None
    return found if found.is_finite() else None
