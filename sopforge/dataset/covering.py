"""Rows that cover the goals: drawn ones where there are such, else witnesses of the solver.

Each goal owns a row, known by the goal's name; it is dropped only if the row of an earlier goal
shows the same. A goal's row does not depend on the other goals, but where two ask for one key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from sopforge.dataset.bulk import as_columns
from sopforge.dataset.candidates import GOAL, Candidate
from sopforge.dataset.goals import Goal, goals_of
from sopforge.dataset.mutants import Mutant, mutant_goals, mutants_of
from sopforge.dataset.oracle import label
from sopforge.dataset.placing import NoKeyLeftError, Places
from sopforge.dataset.resampling import Resampling
from sopforge.dataset.sampling import sample_rows
from sopforge.dataset.screening import screen
from sopforge.domain.model import DomainModel
from sopforge.domain.types import Value
from sopforge.logic.scalar import holds
from sopforge.logic.vector import Column, evaluate_all
from sopforge.logic.walking import Walk
from sopforge.seeds import below
from sopforge.solving.questions import NoRow, Undecided
from sopforge.solving.unfolding import TooManyStepsError, unfold
from sopforge.solving.witnesses import find_witness

POOL = 2_048
POOL_FIRST = 1 << 40  # far beyond the numbers of the rows that fill
Row = Mapping[str, Value | None]


@dataclass(slots=True)
class Covering:
    """The goals, the rows that are tasks for their sake, and the goals that no row can show.

    A mutant is killed by a row that it decides otherwise. ``other_paths`` are those that no row
    kills and that lead some task along another path to the same outcomes.
    """

    places: Places
    goals: tuple[Goal, ...] = ()
    mutants: tuple[Goal, ...] = ()
    tasks: list[Candidate] = field(default_factory=list)
    infeasible: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    other_paths: list[str] = field(default_factory=list)


def cover(model: DomainModel, seed: int) -> Covering:
    """Return the rows that show all goals."""
    places = Places(model, seed)
    try:
        unfolded = unfold(model)
    except TooManyStepsError:
        return Covering(places)
    mutants = list(mutants_of(model))
    kills = tuple(mutant_goals(model, unfolded, mutants))
    done = _Coverer(model, places, goals_of(model, unfolded), kills).cover()
    done.other_paths = _with_other_paths(done, mutants)
    return done


def _with_other_paths(done: Covering, mutants: Sequence[Mutant]) -> list[str]:
    """Return the mutants that cannot be told by an outcome, but by the path of some task."""
    unkilled = set(done.infeasible)
    return [
        mutant.id
        for mutant in mutants
        if mutant.id in unkilled
        and any(label(mutant.model, task.row).path != task.walk.path for task in done.tasks)
    ]


def met_by(model: DomainModel, goals: Sequence[Goal], rows: Sequence[Row]) -> list[list[bool]]:
    """Return for each goal which of the rows show it."""
    if not rows or not goals:
        return [[] for _ in goals]
    columns = evaluate_all([goal.condition for goal in goals], as_columns(model, rows))
    return [(column != 0).tolist() for column in columns]


@dataclass(slots=True)
class _Coverer:
    model: DomainModel
    places: Places
    goals: tuple[Goal, ...]
    mutants: tuple[Goal, ...]
    pool: list[Row] = field(default_factory=list)
    met: dict[str, Column] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    again: Resampling | None = None

    def cover(self) -> Covering:
        seed = self.places.seed
        found = screen(self.model, seed, range(POOL_FIRST, POOL_FIRST + POOL))
        self.pool = list(sample_rows(self.model, seed, found.paths))
        if not self.pool:
            return Covering(self.places, self.goals, undecided=[goal.id for goal in self.goals])
        done = Covering(self.places, self.goals, self.mutants)
        for goals in (self.goals, self.mutants):
            self.open(goals, [task.row for task in done.tasks])
            for goal in goals:
                if goal.id not in self.shown:
                    self.add(goal, goals, done)
        return done

    def open(self, goals: tuple[Goal, ...], rows: Sequence[Row]) -> None:
        """Find out which rows of the pool show goals, and which goals are shown already."""
        for goal, column in zip(goals, met_by(self.model, goals, self.pool), strict=True):
            self.met[goal.id] = np.array(column, dtype=bool)
        self.see(goals, rows)

    def see(self, goals: tuple[Goal, ...], rows: Sequence[Row]) -> None:
        """Note which goals the rows show."""
        met = met_by(self.model, goals, rows)
        pairs = zip(goals, met, strict=True)
        self.shown |= {goal.id for goal, column in pairs if any(column)}

    def walk(self, goal: Goal, row: Row) -> Walk | None:
        """Return the walk of a row that shows the goal, if the row can be a task."""
        if not all(holds(test, row) for test in (*self.model.constraints, goal.condition)):
            return None
        done = label(self.model, row)
        return None if done.refusal or done.undecided else done

    def add(self, goal: Goal, goals: tuple[Goal, ...], done: Covering) -> None:
        row = self.row(goal)
        if isinstance(row, NoRow):
            done.infeasible.append(goal.id)
            return
        walk = None if isinstance(row, Undecided) else self.walk(goal, row)
        if isinstance(row, Undecided) or walk is None:
            done.undecided.append(goal.id)
            return
        key = f"{GOAL}{goal.id}"
        done.tasks.append(Candidate(key, self.places.number(goal.id), row, walk))
        self.see(tuple(other for other in goals if other.id not in self.shown), [row])

    def row(self, goal: Goal) -> Row | NoRow | Undecided:
        """Return the goal's own row, a proof that there is none, or neither."""
        start = below(len(self.pool), self.places.seed, "pool", goal.id)
        order = [*range(start, len(self.pool)), *range(start)]
        try:
            for place in order:
                if self.met[goal.id][place] and not self.places.clashes(self.pool[place]):
                    return self.places.with_own_texts(self.pool[place], goal.id)
            return self.witness(goal, [self.pool[place] for place in order])
        except NoKeyLeftError:
            return Undecided()

    def witness(self, goal: Goal, drawn: Sequence[Row]) -> Row | NoRow | Undecided:
        target = next(filter(self.is_full, drawn), None) or self.full_row()
        found = find_witness(self.model, goal.condition, target)
        if isinstance(found, NoRow | Undecided):
            return found
        again = self.resampling()
        row, like = again.again(found, target, goal.condition, goal.id, partial(self.fits, goal))
        placed = self.places.with_own_records(dict(row), like, goal.id)
        return self.places.with_own_texts(placed, goal.id)

    def resampling(self) -> Resampling:
        if self.again is None:
            self.again = Resampling(self.model, self.places.seed, self.pool)
        return self.again

    def fits(self, goal: Goal, row: Row) -> bool:
        return not self.places.clashes(row) and self.walk(goal, row) is not None

    def is_full(self, row: Row) -> bool:
        return all(row[entity.name] for entity in self.model.references)

    def full_row(self) -> Row:
        """Return a row with all records, as it is drawn where every reference leads to one."""
        model = self.model
        entities = {name: replace(item, dangling_share=0) for name, item in model.entities.items()}
        fields = {
            name: replace(item, sampling=replace(item.sampling, missing_share=0))
            for name, item in model.fields.items()
        }
        sure = replace(model, entities=entities, fields=fields)
        return sample_rows(sure, self.places.seed, [POOL_FIRST])[0]
