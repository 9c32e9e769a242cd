"""A row for a goal: a drawn one that shows it, else the solver's, with a place of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

from sopforge.dataset.candidates import GOAL, Candidate
from sopforge.dataset.oracle import label
from sopforge.dataset.placing import NoKeyLeftError, Places
from sopforge.dataset.resampling import Resampling
from sopforge.dataset.sampling import sample_rows
from sopforge.dataset.screening import screen
from sopforge.domain.expressions import Expression
from sopforge.domain.fields import Sampling
from sopforge.domain.malformed import malformed_mark
from sopforge.domain.model import DomainModel
from sopforge.domain.types import Value
from sopforge.logic.scalar import holds
from sopforge.logic.walking import Walk
from sopforge.seeds import below
from sopforge.solving.questions import NoRow, Undecided
from sopforge.solving.witnesses import find_witness

POOL = 2_048
POOL_FIRST = 1 << 40  # far beyond the numbers of the rows that fill
Row = Mapping[str, Value | None]
Witness: TypeAlias = Row | NoRow | Undecided

OPEN = "the solver's budget ran out"
NO_TASK = "the row that was found for it ends without an answer, as where a tool refuses"
NO_KEY = "no key is left for a row of its own"


@dataclass(frozen=True, slots=True)
class Witnesses:
    """What the solver answered about the goals of one model; an equal question is asked once.

    A question that it leaves open takes all of its budget, which is most of the time of a dataset.
    """

    known: dict[tuple[str, str], Witness] = field(default_factory=dict)

    def find(self, model: DomainModel, goal: str, condition: Expression, drawn: Row) -> Witness:
        """Return what ``find_witness`` does; a goal's name stands for its condition."""
        question = (goal, repr(drawn))
        if question not in self.known:
            self.known[question] = find_witness(model, condition, drawn)
        return self.known[question]


@dataclass(slots=True)
class GoalRows:
    """Finds rows for goals, beside those found before; ``pool`` holds drawn rows that may be tasks.

    The pool's order is another one for each goal. ``reasons`` say why a goal stayed undecided.
    """

    model: DomainModel
    places: Places
    pool: list[Row] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)
    used: dict[int, Row] = field(default_factory=dict, compare=False, repr=False)
    again: Resampling | None = field(default=None, compare=False, repr=False)
    witnesses: Witnesses = field(default_factory=Witnesses, compare=False, repr=False)

    def draw(self) -> None:
        """Fill the pool."""
        seed = self.places.seed
        found = screen(self.model, seed, range(POOL_FIRST, POOL_FIRST + POOL))
        self.pool = list(sample_rows(self.model, seed, found.paths))

    def order(self, goal: str) -> list[int]:
        """Return the places of the pool in the order of a goal."""
        start = below(len(self.pool), self.places.seed, "pool", goal)
        return [*range(start, len(self.pool)), *range(start)]

    def find(
        self, goal: str, condition: Expression, showing: Iterable[Row]
    ) -> Candidate | NoRow | Undecided:
        """Return a task for a goal, a proof that there is none, or neither.

        ``showing`` are drawn rows that meet the condition, in the order of preference.
        """
        try:
            row = self.drawn(goal, showing) or self.made(goal, condition)
        except NoKeyLeftError:
            self.reasons[goal] = NO_KEY
            return Undecided()
        if isinstance(row, NoRow):
            return row
        walk = None if isinstance(row, Undecided) else self.walk(condition, row)
        if isinstance(row, Undecided) or walk is None:
            self.reasons[goal] = OPEN if isinstance(row, Undecided) else NO_TASK
            return Undecided()
        return Candidate(f"{GOAL}{goal}", self.places.number(goal), row, walk)

    def drawn(self, goal: str, showing: Iterable[Row]) -> Row | None:
        """Return the first drawn row that can stand beside the others, none that is used already.

        Where all are used, the first is used again, with other texts where they are unique.
        """
        row = self.fresh(row for row in showing if not self.places.clashes(row))
        return None if row is None else self.places.with_own_texts(row, goal)

    def fresh(self, rows: Iterable[Row]) -> Row | None:
        """Take the first row that was not taken before; where all were, the first one again."""
        first = None
        for row in rows:
            first = first or row
            if id(row) not in self.used:
                self.used[id(row)] = row  # kept, so that no other row gets its identity
                return row
        return first

    def made(self, goal: str, condition: Expression) -> Row | NoRow | Undecided:
        """Return a row of the solver, as near to a drawn one as can be, drawn again."""
        drawn = (self.pool[place] for place in self.order(goal))
        target = self.fresh(filter(self.is_full, drawn)) or self.full_row()
        found = self.witnesses.find(self.model, goal, condition, target)
        if isinstance(found, NoRow | Undecided):
            return found
        fits = partial(self.fits, condition)
        row, like = self.resampling().again(found, target, condition, goal, fits)
        placed = self.places.with_own_records(dict(row), like, goal)
        return self.places.with_own_texts(placed, goal)

    def resampling(self) -> Resampling:
        """Return what draws parts of rows again from the pool."""
        if self.again is None:
            self.again = Resampling(self.model, self.places.seed, self.pool)
        return self.again

    def fits(self, condition: Expression, row: Row) -> bool:
        """Tell whether a row can be a task that meets the condition, beside the others."""
        return not self.places.clashes(row) and self.walk(condition, row) is not None

    def walk(self, condition: Expression, row: Row) -> Walk | None:
        """Return the walk of a row that meets a condition, None if it is none of a task."""
        if not all(holds(test, row) for test in (*self.model.constraints, condition)):
            return None
        done = label(self.model, row)
        return None if done.refusal or done.undecided else done

    def is_full(self, row: Row) -> bool:
        marks = [malformed_mark(item.name) for item in self.model.malformable]
        has_all = all(row[entity.name] for entity in self.model.references)
        return has_all and not any(row[mark] for mark in marks)

    def full_row(self, name: str = "") -> Row:
        """Return a row with all records and well-formed inputs, as it is drawn where all are so.

        Each name has one of its own.
        """
        number = POOL_FIRST + (1 + below(POOL_FIRST, 0, "full row", name) if name else 0)
        model = self.model
        entities = {name: replace(item, dangling_share=0) for name, item in model.entities.items()}
        fields = {
            name: replace(item, malformed=None, sampling=_never_missing(item.sampling))
            for name, item in model.fields.items()
        }
        sure = replace(model, entities=entities, fields=fields)
        marks = dict.fromkeys(malformed_mark(item.name) for item in model.malformable)
        return {**sample_rows(sure, self.places.seed, [number])[0], **marks}


def _never_missing(sampling: Sampling) -> Sampling:
    cases = (replace(part, sampling=_never_missing(part.sampling)) for part in sampling.given)
    return replace(sampling, missing_share=0, given=tuple(cases))
