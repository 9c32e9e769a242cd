"""Cases with an entry lacking: whether it matters what is lacking, shown by two completions.

Of a case that lacks an entry, two completions that end differently prove that nobody can know the
answer. A case of which none are found is no task: there, what is lacking may be of no account.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.references import iterate_below
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    OrderedType,
    Value,
)
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import format_cells
from sopforge.proof.dataset.sampling.sampling import sample_rows

DETERMINED = "an entry is lacking that may be of no account"
"""Why a row is no task that lacks an entry without two completions that end differently."""
POOL = 12
"""From so many drawn rows values are taken for what is lacking."""
Row = Mapping[str, Value | None]


@dataclass(frozen=True, slots=True)
class Completion:
    """A case with what it lacked: the entries that are put in, and where it then ends."""

    entries: Mapping[str, str]
    outcomes: Mapping[str, str]
    changed: Mapping[str, str]

    @property
    def end(self) -> tuple[object, ...]:
        """What two completions differ in: the outcomes, and what is changed on file."""
        return tuple(sorted(self.outcomes.items())), tuple(sorted(self.changed.items()))


@dataclass(slots=True)
class Completions:
    """Looks for completions of cases; ``pool`` are the rows from which values are taken."""

    model: DomainModel
    pool: Sequence[Row] = field(default_factory=list)

    def list_lacking(self, row: Row) -> list[str]:
        """Return the entries that a case lacks."""
        return [name for name in self.model.lacking if row[name] is None]

    def is_determined(self, row: Row) -> bool:
        """Return whether a case lacks an entry, and no two completions show that it matters."""
        return bool(self.list_lacking(row)) and self.find_witnesses(row) is None

    def find_witnesses(self, row: Row) -> tuple[Completion, Completion] | None:
        """Return two completions of a case that end differently, None where none are found."""
        first: Completion | None = None
        for completed in self.iterate_completed_rows(row):
            found = self.complete(row, completed)
            if found is None:
                continue
            if first is not None and first.end != found.end:
                return first, found
            first = first or found
        return None

    def complete(self, row: Row, completed: Row) -> Completion | None:
        """Return a completion and where it ends; None where it is no case."""
        model = self.model
        if not all(holds(test, completed) for test in model.row_conditions):
            return None
        walk = label_row(model, completed)
        if walk.refusal or walk.undecided:
            return None
        names = [item.name for item in model.outcomes]
        return Completion(
            format_cells(model, self.list_lacking(row), completed),
            format_cells(model, names, collect_outcomes(model, walk)),
            format_cells(model, sorted(walk.changed), walk.changed),
        )

    def iterate_completed_rows(self, row: Row) -> Iterator[dict[str, Value | None]]:
        """Yield a case with all entries: as drawn rows have them, and at the ends of ranges."""
        if not self.pool:
            model = self.model
            drawn = sample_rows(model, 0, range(POOL * 4))
            whole = [item for item in drawn if not self.list_lacking(item)]
            self.pool = (whole or drawn)[:POOL]
        lacking = self.list_lacking(row)
        # The ends of ranges first: they differ where anything does, more often than not.
        for name in lacking:
            for value in _list_extremes(self.model, name):
                completed = self.put_entries(row, self.pool[0], lacking)
                yield {**completed, name: value}
        for other in self.pool:
            yield self.put_entries(row, other, lacking)

    def put_entries(self, row: Row, other: Row, names: Iterable[str]) -> dict[str, Value | None]:
        """Return a row with some entries of another one, with the records that they lead to."""
        completed = dict(row)
        for name in names:
            completed[name] = other[name]
            for entity in self.model.references:
                if entity.key == name:
                    parts = iterate_below(self.model.references, entity)
                    completed |= {part: other[part] for part in parts}
        return completed


def _list_extremes(model: DomainModel, name: str) -> list[Value]:
    """Return the ends of a field's range, or all of its labels."""
    kind = model.fields[name].type
    match kind:
        case EnumType() | BooleanType():
            low, high = kind.bounds
            return list(range(low, high + 1))
        case OrderedType():
            return list(kind.bounds)
        case _:
            return []


def prove_completions(asking: Completions, row: Row) -> list[dict[str, object]] | None:
    """Return the two completions of a case that lacks an entry, as they are stored."""
    pair = asking.find_witnesses(row) if asking.list_lacking(row) else None
    if pair is None:
        return None
    return [
        {
            "entries": dict(item.entries),
            "outcomes": dict(item.outcomes),
            "changed": dict(item.changed),
        }
        for item in pair
    ]


def write_completions(model: DomainModel, rows: Mapping[str, Row]) -> str:
    """Return, for each task that lacks an entry, the completions by which that is shown."""
    asking = Completions(model)
    found = {task: prove_completions(asking, row) for task, row in rows.items()}
    proved = {task: pair for task, pair in found.items() if pair is not None}
    return json.dumps(proved, indent=1, ensure_ascii=False) + "\n"
