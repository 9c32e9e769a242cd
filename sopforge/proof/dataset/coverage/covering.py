"""Rows that cover the goals: drawn ones where there are such, else witnesses of the solver.

Each goal owns a row, known by the goal's name; it is dropped only if the row of an earlier goal
shows the same. A goal's row does not depend on the other goals, but where two ask for one key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

import numpy as np

from sopforge.language.domain.expressions.expressions import Expression, collect_all_read_fields
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.progress.tracking import track
from sopforge.proof.dataset.coverage.further_rows import find_boundary_rows, find_further_rows
from sopforge.proof.dataset.coverage.goal_rows import (
    FAR_NUMBERS,
    GoalRows,
    Row,
    Witnesses,
    name_question,
)
from sopforge.proof.dataset.coverage.goals.goal import Goal, GoalKind, move_to_nearest
from sopforge.proof.dataset.coverage.goals.goals import collect_goals, make_mutant_goals
from sopforge.proof.dataset.coverage.ladder import Drawn, find_drawn_rows
from sopforge.proof.dataset.coverage.noticing import Noticed, Noticing
from sopforge.proof.dataset.coverage.sighting import Watch, evaluate_conditions, find_sightings
from sopforge.proof.dataset.coverage.written_rows import WRITTEN, Cells, build_accepted_candidates
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.solving.questions import NoRow, Undecided
from sopforge.proof.solving.unfolded_places import TooManyStepsError
from sopforge.proof.solving.unfolding import build_conjunction

NOTHING_DRAWN = "no drawn row can be a task"
NOT_COMPARED = "its mistake cannot be compared: there is none, or it unrolls into too many steps"
# By some task, also where no answer shows it.
WALKED = frozenset({GoalKind.EDGE, GoalKind.PAIR_OF_EDGES, GoalKind.RETURN})
BEGINS, NOTICED = "begins", "noticed"  # what is asked of goals: see their questions
AHEAD = 32  # new rows that are looked at for one goal before they are for all


class Unmet(StrEnum):
    """What is proved of a goal that no task shows as it is asked for."""

    IMPOSSIBLE = "impossible"
    """It occurs in no case."""
    WITHOUT_EFFECT = "without effect"
    """It changes neither an answer nor a path."""
    PATH_ONLY = "path only"
    """It changes no answer, but the path of some case."""
    BEYOND = "beyond the primary answer"
    """It does not change the primary answer, which alone is asked for."""


@dataclass(slots=True)
class Covering:
    """The goals, the rows that are tasks for their sake, and what is known of the other goals.

    ``unmet`` has the goals that no case shows as they are asked for, which is proved. ``reasons``
    say why a goal is undecided, and ``nearest`` the goals beside a boundary that ask for the
    nearest value that is possible, with how far it is from the boundary; ``goals`` has them so.
    """

    rows: GoalRows
    level: Noticed = Noticed.OUTCOMES
    noticing: Noticing | None = None
    goals: tuple[Goal, ...] = ()
    mutants: tuple[Goal, ...] = ()
    tasks: list[Candidate] = field(default_factory=list)
    unmet: dict[str, Unmet] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    nearest: dict[str, int] = field(default_factory=dict)

    @property
    def own(self) -> int:
        """How many tasks are there for the sake of a goal, and were not written by somebody."""
        return sum(not task.key.startswith(WRITTEN) for task in self.tasks)

    @property
    def all_goals(self) -> tuple[Goal, ...]:
        """The goals, and the mutants after them."""
        return (*self.goals, *self.mutants)

    def collect_impossible_goals(self) -> frozenset[str]:
        """Return the goals that occur in no case."""
        return frozenset(name for name, why in self.unmet.items() if why is Unmet.IMPOSSIBLE)


def cover_goals(
    model: DomainModel,
    seed: int,
    written: Iterable[Cells] = (),
    witnesses: Witnesses | None = None,
    level: Noticed = Noticed.OUTCOMES,
) -> Covering:
    """Return the rows that show all goals; those that somebody wrote come first, all of them.

    ``level`` is what has to notice the mistakes that goals guard against. ``witnesses`` are those
    of other coverings of the model, which change nothing but the time.
    """
    rows = GoalRows(model, Places(model, seed), witnesses=witnesses or Witnesses())
    given = build_accepted_candidates(rows, written)
    try:
        noticing = Noticing(model)
    except TooManyStepsError:
        return Covering(rows, tasks=given)
    rows.fill_pool()
    goals, mutants = (
        collect_goals(model, noticing.places),
        tuple(make_mutant_goals(derive_mutants(model))),
    )
    done = Covering(rows, level, noticing, goals, mutants, given)
    if rows.pool:
        _Coverer(done, noticing).cover()
        done.goals = with_nearest(goals, done.nearest)
    else:
        done.reasons = dict.fromkeys((goal.id for goal in done.all_goals), NOTHING_DRAWN)
    return done


def with_nearest(goals: Iterable[Goal], nearest: Mapping[str, int]) -> tuple[Goal, ...]:
    """Return the goals; some beside a boundary ask for the nearest value that a case can have."""
    return tuple(
        move_to_nearest(goal, nearest[goal.id]) if goal.id in nearest else goal for goal in goals
    )


class _Coverer:
    """Goes through the goals in order.

    ``drawn`` says which goals the rows of the pool show, and those that the ladder found for goals
    that none of these shows; ``candidates`` are both. ``fresh`` are rows that were made, and not
    yet looked at for all goals. Paths are asked for, for edges or where all goals want them, once
    it is proved that no answer shows a goal. ``doubtful`` are the mutants that nothing may ever
    notice, of those that can be compared.
    """

    def __init__(self, done: Covering, noticing: Noticing) -> None:
        self.done, self.noticing, self.rows, self.goals = done, noticing, done.rows, done.all_goals
        self.level = Noticed.PRIMARY if done.level is Noticed.PRIMARY else Noticed.OUTCOMES
        self.numbers = {goal.id: number for number, goal in enumerate(self.goals)}
        self.drawn = self.rows.witnesses.get_drawn_rows(
            self.rows.places.seed, self.look_at_drawn_rows
        )
        self.candidates = [*self.rows.pool, *self.drawn.rows]
        self.rows.note_likes(self.drawn.rows, self.drawn.likes)
        self.places = {id(row): place for place, row in enumerate(self.rows.pool)}
        # A drawn row gets texts of its own; what it shows stays, if no rule reads such a text.
        read = collect_all_read_fields(collect_deciding_expressions(self.rows.model))
        self.is_kept = read.isdisjoint(self.rows.places.own_texts)
        self.shown = np.zeros(len(self.goals), dtype=bool)
        self.fresh: list[Row] = []
        self.watch: Watch | None = None
        self.doubtful: set[str] = set()
        self.see(self.goals, [task.row for task in done.tasks])

    def look_at_drawn_rows(self) -> Drawn:
        """Return which drawn rows show the goals, those for goals that the pool does not show too.

        They come from a larger draw, and for what that does not show either, from limits.
        """
        model, seed = self.rows.model, self.rows.places.seed
        finders = [
            partial(find, model, seed, FAR_NUMBERS, self.level)
            for find in (find_further_rows, find_boundary_rows)
        ]
        return find_drawn_rows(model, self.goals, self.level, self.rows.pool, finders)

    def cover(self) -> None:
        """Find a row for each goal that none shows, and what is known of those without one."""
        self.ask_for_effects()
        for place, goal in enumerate(track(self.goals, "tasks found or proved impossible")):
            if place == len(self.done.goals):
                self.ask_for_notice()
            if not self.is_shown(self.goals[place:]):
                self.add(goal)

    def is_shown(self, open_: Sequence[Goal]) -> bool:
        """Return whether a row shows the first of the goals that are left."""
        if len(self.fresh) >= AHEAD:
            self.see_fresh_rows(open_)
        first = open_[0]
        if self.shown[self.numbers[first.id]]:
            return True
        if not self.fresh:
            return False
        if self.watch is None:
            self.watch = Watch(self.rows.model, as_columns(self.rows.model, self.fresh))
        (found,) = self.watch.find_sightings([first])
        return bool(found.get_column(self.level).any())

    def add_fresh_row(self, row: Row) -> None:
        """Note a row that was made, and that has yet to be looked at for all goals."""
        self.fresh.append(row)
        self.watch = None

    def see_fresh_rows(self, open_: Sequence[Goal]) -> None:
        """Look at the rows that were made for all goals that are left."""
        self.see([goal for goal in open_ if not self.shown[self.numbers[goal.id]]], self.fresh)
        self.fresh.clear()
        self.watch = None

    def see(self, goals: Sequence[Goal], rows: Sequence[Row]) -> None:
        """Note which goals the rows show."""
        for goal, found in zip(goals, find_sightings(self.rows.model, goals, rows), strict=True):
            self.shown[self.numbers[goal.id]] |= found.get_column(self.level).any()

    def add(self, goal: Goal) -> None:
        row = self.find_row(goal)
        found = self.resolve_unmet(goal) if isinstance(row, NoRow) else row
        if isinstance(found, Undecided):
            self.done.reasons[goal.id] = self.rows.reasons[goal.id]
        elif isinstance(found, Unmet):
            # That a goal never occurs is proved without its mistakes; all else is about these.
            if found is Unmet.IMPOSSIBLE or self.is_whole(goal):
                self.done.unmet[goal.id] = found
            else:
                self.done.reasons[goal.id] = NOT_COMPARED
        else:
            self.done.tasks.append(found)

    def find_row(self, goal: Goal) -> Candidate | NoRow | Undecided:
        """Return a task for a goal, a proof that there is none, or neither.

        What no drawn row shows is first asked about where the mistake is made, which is easier.
        """
        number, order = self.numbers[goal.id], self.rows.order_places(goal.id)
        showing = self.drawn.list_showing_rows(number, order)
        picked = self.rows.pick(self.candidates[place] for place in showing)
        if picked is None and (self.has_effect(goal) is False or self.is_never_noticed(goal)):
            return NoRow()
        found = self.rows.find(
            goal.id, self.noticing.derive_notice(goal).get_condition(self.level), picked
        )
        if isinstance(found, Candidate):
            # What rows of the pool show is known; any other row has yet to be looked at.
            if id(picked) in self.places and self.is_kept:
                self.shown |= self.drawn.seen[:, self.places[id(picked)]]
            else:
                self.add_fresh_row(found.row)
        return found

    def has_effect(self, goal: Goal) -> bool | Undecided:
        """Return whether a goal's mistake makes a difference anywhere where it is made."""
        if self.drawn.begun[self.numbers[goal.id]]:
            return True
        name = self.name_goal_question(goal, BEGINS)
        return self.rows.is_possible(name, partial(self.derive_beginning, goal))

    def is_never_noticed(self, goal: Goal) -> bool:
        """Return whether no answer and no path ever notices a mistake, where that is likely."""
        return goal.id in self.doubtful and self.is_noticed(goal) is False

    def is_noticed(self, goal: Goal) -> bool | Undecided:
        """Return whether an answer or a path ever notices a goal's mistake."""
        name = self.name_goal_question(goal, NOTICED)
        return self.rows.is_possible(name, partial(self.derive_any_notice, goal))

    def ask_for_effects(self) -> None:
        """Ask at once about the goals whose mistake makes a difference on no row of the pool."""
        is_open = ~(self.drawn.begun | self.shown)
        open_ = [goal for goal, left in zip(self.goals, is_open, strict=True) if left]
        self.ask_together(open_, BEGINS, self.derive_beginning)

    def ask_for_notice(self) -> None:
        """Ask at once about the mutants that make a difference no row is known to notice.

        Most of them are never noticed, while of the goals before them nearly all are.
        """
        self.see_fresh_rows(self.done.mutants)
        is_open = ~(self.drawn.on_path | self.drawn.seen.any(axis=1) | self.shown)
        open_ = [goal for goal in self.done.mutants if is_open[self.numbers[goal.id]]]
        affecting = [goal for goal in open_ if self.has_effect(goal) is not False]
        self.ask_together(affecting, NOTICED, self.derive_whole_notice)
        answered = self.rows.witnesses.possible
        self.doubtful = {
            goal.id
            for goal in affecting
            if self.name_goal_question(goal, NOTICED) in answered
            or self.noticing.derive_notice(goal).is_whole
        }

    def ask_together(
        self, goals: Iterable[Goal], what: str, derive: Callable[[Goal], Expression | None]
    ) -> None:
        """Ask the same of many goals."""
        questions = {self.name_goal_question(goal, what): partial(derive, goal) for goal in goals}
        about = "mistakes that may make no difference"
        self.rows.witnesses.answer_together(self.rows.model, questions, about)

    def derive_beginning(self, goal: Goal) -> Expression:
        """Return where a goal occurs and its mistake makes a difference where it is made."""
        return build_conjunction(goal.condition, self.noticing.derive_first_difference(goal))

    def derive_any_notice(self, goal: Goal) -> Expression:
        """Return where anything that is looked at notices a goal's mistake, an answer or a path."""
        is_path_asked = self.level is not Noticed.PRIMARY
        level = Noticed.TRAJECTORY if is_path_asked else self.level
        return self.noticing.derive_notice(goal).get_condition(level)

    def derive_whole_notice(self, goal: Goal) -> Expression | None:
        """Return the same, nothing where the mistake cannot be compared."""
        return self.derive_any_notice(goal) if self.noticing.derive_notice(goal).is_whole else None

    def is_whole(self, goal: Goal) -> bool:
        """Return whether a goal's mistake can be compared."""
        return self.is_never_noticed(goal) or self.noticing.derive_notice(goal).is_whole

    def resolve_unmet(self, goal: Goal) -> Candidate | Unmet | Undecided:
        """Return what is known of a goal that no case shows as it is asked for.

        Where no value lies as near to a boundary as the scales allow, the nearest one counts.
        """
        occurs = self.is_ever_met(goal)
        if isinstance(occurs, Undecided):
            return occurs
        if occurs:
            return self.without_answer(goal)
        nearer = self.find_nearest(goal) if goal.gap else None
        return Unmet.IMPOSSIBLE if nearer is None else nearer

    def without_answer(self, goal: Goal) -> Unmet | Undecided:
        """Return what a mistake changes that changes no answer which is asked for."""
        # Only the primary answer was compared: nothing is known of other answers or of the path.
        if self.level is Noticed.PRIMARY:
            return Unmet.BEYOND
        on_path: bool | Undecided = bool(self.drawn.on_path[self.numbers[goal.id]])
        if not on_path and self.has_effect(goal) is not False:
            # No answer notices it: what else notices it is the path.
            on_path = self.is_noticed(goal)
        if isinstance(on_path, Undecided):
            return on_path
        if on_path and (goal.kind in WALKED or self.done.level is Noticed.TRAJECTORY):
            return self.with_path(goal)
        return Unmet.PATH_ONLY if on_path else Unmet.WITHOUT_EFFECT

    def with_path(self, goal: Goal) -> Unmet | Undecided:
        """Have a task whose path notices a mistake that no answer does, if there is none yet."""
        pool, tasks = self.rows.pool, [task.row for task in self.done.tasks]
        (known,) = find_sightings(self.rows.model, [goal], tasks)
        if known.trajectory.any():
            return Unmet.PATH_ONLY
        (drawn,) = find_sightings(self.rows.model, [goal], pool)
        order = self.rows.order_places(goal.id)
        picked = self.rows.pick(pool[place] for place in order[drawn.trajectory[order]])
        found = self.rows.find(
            goal.id, self.noticing.derive_notice(goal).trajectory, picked, "path"
        )
        if isinstance(found, Undecided):
            return found
        if isinstance(found, Candidate):
            self.done.tasks.append(found)
            self.add_fresh_row(found.row)
        return Unmet.PATH_ONLY

    def is_ever_met(self, goal: Goal) -> bool | Undecided:
        """Return whether a goal occurs on any row."""
        (met,) = evaluate_conditions(self.rows.model, [goal.condition], self.rows.pool)
        name = self.name_goal_question(goal, "occurs")
        return bool(met.any()) or self.rows.is_possible(name, lambda: goal.condition)

    def name_goal_question(self, goal: Goal, what: str) -> str:
        """Return the name of a question, another one where the nearest value is asked for."""
        return name_question(goal.id, f"{what}, nearest" if goal.id in self.done.nearest else what)

    def find_nearest(self, goal: Goal) -> Candidate | Unmet | Undecided | None:
        """Return a task as near to a boundary as a case can be, None if none is on that side."""
        gap = goal.gap
        if gap is None:
            return None
        size = self.rows.find_least_gap(goal.id, gap)
        if size is None or isinstance(size, Undecided):
            return size
        # Before anything more is asked: from here on its questions have names of their own.
        self.done.nearest[goal.id] = size
        nearest = move_to_nearest(goal, size)
        wanted = self.noticing.derive_notice(nearest).get_condition(self.level)
        found = self.rows.find(goal.id, wanted, what="nearest")
        if isinstance(found, Candidate):
            self.add_fresh_row(found.row)
        return self.without_answer(nearest) if isinstance(found, NoRow) else found
