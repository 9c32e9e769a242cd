"""Rows that cover the goals: drawn ones where there are such, else witnesses of the solver.

Each goal owns a row, known by the goal's name; it is dropped only if the row of an earlier goal
shows the same. A goal's row does not depend on the other goals, but where two ask for one key.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sopforge.dataset.bulk import as_columns
from sopforge.dataset.candidates import Candidate
from sopforge.dataset.goal_rows import GoalRows, Row, Witnesses
from sopforge.dataset.goals import Goal, goals_of
from sopforge.dataset.mutants import Mutant, mutant_goals, mutants_of
from sopforge.dataset.placing import Places
from sopforge.dataset.screening import paths_of
from sopforge.dataset.written_rows import WRITTEN, Cells, placed
from sopforge.domain.model import DomainModel
from sopforge.logic.vector import Column, evaluate_all
from sopforge.solving.questions import NoRow, Undecided
from sopforge.solving.unfolding import TooManyStepsError, unfold

NOTHING_DRAWN = "no drawn row can be a task"
AT_ONCE = 64  # goals whose columns are in memory together
AHEAD = 32  # new rows that are looked at for one goal before they are for all


@dataclass(slots=True)
class Covering:
    """The goals, the rows that are tasks for their sake, and the goals that no row can show.

    A mutant is killed by a row that it decides otherwise. ``other_paths`` are those that no row
    kills and that lead some task along another path to the same outcomes, with those tasks.
    ``reasons`` say why a goal is undecided.
    """

    rows: GoalRows
    goals: tuple[Goal, ...] = ()
    mutants: tuple[Goal, ...] = ()
    tasks: list[Candidate] = field(default_factory=list)
    infeasible: list[str] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    other_paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)

    @property
    def own(self) -> int:
        """How many tasks are there for the sake of a goal, and were not written by somebody."""
        return sum(not task.key.startswith(WRITTEN) for task in self.tasks)


def cover(
    model: DomainModel,
    seed: int,
    written: Iterable[Cells] = (),
    witnesses: Witnesses | None = None,
) -> Covering:
    """Return the rows that show all goals; those that somebody wrote come first, all of them.

    ``witnesses`` are those of other coverings of the model, which change nothing but the time.
    """
    rows = GoalRows(model, Places(model, seed), witnesses=witnesses or Witnesses())
    given = placed(rows, written)
    try:
        unfolded = unfold(model)
    except TooManyStepsError:
        return Covering(rows, tasks=given)
    rows.draw()
    mutants = list(mutants_of(model))
    kills = tuple(mutant_goals(model, unfolded, mutants))
    done = _Coverer(rows, goals_of(model, unfolded), kills, given).cover()
    done.other_paths = with_other_paths(done.tasks, mutants, set(done.infeasible))
    return done


def with_other_paths(
    tasks: Sequence[Candidate], mutants: Iterable[Mutant], unkilled: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Return the unkilled mutants that the path of some tasks tells, with these tasks."""
    rows = [task.row for task in tasks]
    found = {}
    for mutant in [mutant for mutant in mutants if mutant.id in unkilled] if rows else []:
        walked = zip(tasks, paths_of(mutant.model, rows), strict=True)
        others = tuple(task.id for task, path in walked if path != tuple(task.walk.path))
        if others:
            found[mutant.id] = others
    return found


def met_by(model: DomainModel, goals: Sequence[Goal], rows: Sequence[Row]) -> list[list[bool]]:
    """Return for each goal which of the rows show it."""
    if not rows or not goals:
        return [[] for _ in goals]
    columns = as_columns(model, rows)
    found: list[list[bool]] = []
    for first in range(0, len(goals), AT_ONCE):
        conditions = [goal.condition for goal in goals[first : first + AT_ONCE]]
        found += [(column != 0).tolist() for column in evaluate_all(conditions, columns)]
    return found


@dataclass(slots=True)
class _Coverer:
    rows: GoalRows
    goals: tuple[Goal, ...]
    mutants: tuple[Goal, ...]
    given: list[Candidate] = field(default_factory=list)
    met: dict[str, Column] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)
    fresh: list[Row] = field(default_factory=list)

    def cover(self) -> Covering:
        if not self.rows.pool:
            names = [goal.id for goal in self.goals]
            reasons = dict.fromkeys(names, NOTHING_DRAWN)
            return Covering(
                self.rows, self.goals, tasks=self.given, undecided=names, reasons=reasons
            )
        done = Covering(self.rows, self.goals, self.mutants, self.given)
        for goals in (self.goals, self.mutants):
            self.open(goals, [task.row for task in done.tasks])
            for place, goal in enumerate(goals):
                if not self.is_shown(goals[place:]):
                    self.add(goal, done)
        return done

    def open(self, goals: tuple[Goal, ...], rows: Sequence[Row]) -> None:
        """Find out which rows of the pool show goals, and which goals are shown already."""
        met = met_by(self.rows.model, goals, self.rows.pool)
        for goal, column in zip(goals, met, strict=True):
            self.met[goal.id] = np.array(column, dtype=bool)
        self.see(goals, rows)
        self.fresh.clear()

    def is_shown(self, open_: Sequence[Goal]) -> bool:
        """Tell whether a row shows the first of the goals that are left."""
        if len(self.fresh) >= AHEAD:
            self.see([goal for goal in open_ if goal.id not in self.shown], self.fresh)
            self.fresh.clear()
        first = open_[0]
        if first.id in self.shown:
            return True
        return any(met_by(self.rows.model, [first], self.fresh)[0])

    def see(self, goals: Sequence[Goal], rows: Sequence[Row]) -> None:
        """Note which goals the rows show."""
        met = met_by(self.rows.model, goals, rows)
        pairs = zip(goals, met, strict=True)
        self.shown |= {goal.id for goal, column in pairs if any(column)}

    def add(self, goal: Goal, done: Covering) -> None:
        order = self.rows.order(goal.id)
        showing = (self.rows.pool[place] for place in order if self.met[goal.id][place])
        found = self.rows.find(goal.id, goal.condition, showing)
        if isinstance(found, NoRow):
            done.infeasible.append(goal.id)
        elif isinstance(found, Undecided):
            done.undecided.append(goal.id)
            done.reasons[goal.id] = self.rows.reasons[goal.id]
        else:
            done.tasks.append(found)
            self.fresh.append(found.row)
