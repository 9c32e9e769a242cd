"""A row for a goal: a drawn one that shows it, else the solver's, with a place of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.expressions.numbers import require_number_type
from sopforge.language.domain.fields import Sampling
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.readings.vector import Columns, evaluate_all
from sopforge.language.logic.walking import Walk
from sopforge.parallel import map_in_processes
from sopforge.proof.dataset.coverage.goals.goal import Gap
from sopforge.proof.dataset.coverage.ladder import Drawn
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_rows
from sopforge.proof.dataset.sampling.candidates import GOAL, Candidate
from sopforge.proof.dataset.sampling.completions import Completions
from sopforge.proof.dataset.sampling.placing import NoKeyLeftError, Places
from sopforge.proof.dataset.sampling.resampling import Resampling
from sopforge.proof.dataset.sampling.sampling import sample_columns, sample_rows
from sopforge.proof.dataset.sampling.screening import screen_rows
from sopforge.proof.solving import budgets
from sopforge.proof.solving.kept_answers import NOTHING_KEPT, Kept, KeptAnswers
from sopforge.proof.solving.questions import NoRow, Undecided, ask, decide_conditions
from sopforge.proof.solving.search.witnesses import find_witness
from sopforge.seeds import draw_below

POOL = 2_048
POOL_FIRST = 1 << 40  # far beyond the numbers of the rows that fill
FAR_FIRST = POOL_FIRST + (1 << 30)  # far beyond the rows of the pool, and those for paths
Row = Mapping[str, Value | None]
Witness: TypeAlias = Row | NoRow | Undecided
Derivation: TypeAlias = Callable[[], Expression | None]
Question: TypeAlias = tuple[str, Derivation]

NO_KEY = "no key is left for a row of its own"
NOT_HELD = "the solver's row does not show it when it is evaluated"
NOT_MATTERING = "in the cases that show it, the missing entry changes nothing, so they are no tasks"
"""Why a goal is undecided whose cases lack an entry that no result depends on."""
TRIED = 3
"""How many drawn rows the solver starts from before a goal stays undecided."""
TOGETHER = 16
"""How many questions share a context; with more, each of them takes longer."""
AT_ONCE = 64 * TOGETHER
"""How many are asked before what was answered can be kept."""
FAR_NUMBERS = range(FAR_FIRST, FAR_FIRST + (1 << 16))
"""The further rows, which are drawn for the goals that no row of the pool shows."""


@dataclass(slots=True)
class Witnesses:
    """What the solver answered about the goals of one model; an equal question is asked once.

    Nearly all questions are easy. What the others take is paid from one budget, ``left``, in the
    solver's resource units, so that a dataset is made in bounded time whatever its goals are.
    ``kept`` are answers about the same model and goals that an earlier process found.
    """

    kept: KeptAnswers = NOTHING_KEPT
    known: dict[tuple[str, str], Witness] = field(default_factory=dict)
    possible: dict[str, bool | Undecided] = field(default_factory=dict)
    left: int = budgets.GOALS
    drawn: dict[int, Drawn] = field(default_factory=dict)

    def get_drawn_rows(self, seed: int, look: Callable[[], Drawn]) -> Drawn:
        """Return what the drawn rows of a seed show of the goals, looked at once."""
        if seed not in self.drawn:
            self.drawn[seed] = look()
        return self.drawn[seed]

    def find(self, model: DomainModel, goal: str, condition: Expression, drawn: Row) -> Witness:
        """Return what ``find_witness`` does; a goal's name stands for its condition."""
        # By the goal's name: its condition is built anew for each covering, and is deep.
        question = (goal, repr(drawn))
        if question not in self.known:
            self.known[question] = self.find_or_ask_witness(model, question, condition, drawn)
        return self.known[question]

    def find_or_ask_witness(
        self, model: DomainModel, question: tuple[str, str], condition: Expression, drawn: Row
    ) -> Witness:
        """Return what an earlier process found, else what the solver answers."""
        name = f"witness {json.dumps(question)}"
        kept = self.kept.find(name)
        if kept is not None:
            return _read_witness(kept)
        found = find_witness(model, condition, drawn, self.compute_unit_limit())
        if isinstance(found, Undecided):
            self.left -= max(0, found.used - budgets.EASY_WITNESS)
        else:
            # What a budget ended may be decided with another one, and is asked again.
            self.kept.note(name, {} if isinstance(found, NoRow) else {"row": found})
        return found

    def is_possible(
        self, model: DomainModel, question: str, derive: Callable[[], Expression]
    ) -> bool | Undecided:
        """Return whether a row meets a condition, for which the question stands."""
        if question not in self.possible:
            self.possible[question] = self.find_or_ask_possible(model, question, derive)
        return self.possible[question]

    def find_or_ask_possible(
        self, model: DomainModel, question: str, derive: Callable[[], Expression]
    ) -> bool | Undecided:
        """Return what an earlier process found, else what the solver answers."""
        name = f"possible {question}"
        kept = self.kept.find(name)
        if kept is not None:
            return bool(kept)
        found = ask(model, [derive()], units=self.compute_unit_limit())
        if isinstance(found, Undecided):
            self.left -= max(0, found.used - budgets.EASY_WITNESS)
            return found
        is_possible = not isinstance(found, NoRow)
        self.kept.note(name, is_possible)
        return is_possible

    def answer_together(
        self, model: DomainModel, questions: Mapping[str, Derivation], what: str
    ) -> None:
        """Answer those questions that are easy, several of them in one context of the solver.

        Which ones share a context depends on the questions alone. What is not easy is asked again
        where it is needed, by itself; where no condition is derived, nothing is asked. ``what`` the
        questions are about is said to who listens.
        """
        asked = [item for item in questions.items() if item[0] not in self.possible]
        for first in range(0, len(asked), AT_ONCE):
            some = asked[first : first + AT_ONCE]
            answers = self.find_or_ask_together(model, some, what)
            for (name, _), is_possible in zip(some, answers, strict=True):
                if is_possible is not None:
                    self.possible[name] = is_possible

    def find_or_ask_together(
        self, model: DomainModel, asked: Sequence[Question], what: str
    ) -> list[bool | None]:
        """Return what an earlier process found, else what the solver answers."""
        # All of them under one name: asked with others, a question may take more or less.
        name = f"together {json.dumps([question for question, _ in asked])}"
        kept = self.kept.find(name)
        if kept is not None:
            return list(kept)
        groups = [asked[first : first + TOGETHER] for first in range(0, len(asked), TOGETHER)]
        found = map_in_processes(partial(_answer_group, model), groups, what, len)
        answers = [answer for group in found for answer in group]
        self.kept.note(name, answers)
        return answers

    def compute_unit_limit(self) -> int:
        """Return what a question may take."""
        # The easy share is never used up, for nearly all questions need no more.
        return max(budgets.EASY_WITNESS, min(budgets.HARD_GOAL, self.left))


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
    likes: dict[int, tuple[Row, Row]] = field(default_factory=dict, compare=False, repr=False)
    again: Resampling | None = field(default=None, compare=False, repr=False)
    far: Columns | None = field(default=None, compare=False, repr=False)
    witnesses: Witnesses = field(default_factory=Witnesses, compare=False, repr=False)
    completions: Completions = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.completions = Completions(self.model)

    def fill_pool(self) -> None:
        """Fill the pool."""
        seed = self.places.seed
        found = screen_rows(self.model, seed, range(POOL_FIRST, POOL_FIRST + POOL))
        self.pool = list(sample_rows(self.model, seed, found.paths))

    def order_places(self, goal: str) -> npt.NDArray[np.intp]:
        """Return the places of the pool in the order of a goal."""
        # Each goal begins elsewhere: from one start, all would ask for the same first rows.
        start = draw_below(len(self.pool), self.places.seed, "pool", goal)
        return np.roll(np.arange(len(self.pool)), -start)

    def find(
        self, goal: str, condition: Expression, drawn: Row | None = None, what: str = ""
    ) -> Candidate | NoRow | Undecided:
        """Return a task for a goal, a proof that there is none, or neither.

        ``drawn`` is a row that meets the condition and was picked for the goal, None if none was;
        ``what`` distinguishes the condition from others of the same goal.
        """
        try:
            row = self.place(drawn, goal) if drawn else self.solve_row(goal, condition, what)
        except NoKeyLeftError:
            self.reasons[goal] = NO_KEY
            return Undecided()
        if isinstance(row, NoRow | Undecided):
            return row
        # The oracle has the last word, also on rows of the solver and on texts that were changed.
        walk = self.walk(condition, row)
        if walk is None:
            is_moot = self.completions.is_determined(row)
            self.reasons[goal] = NOT_MATTERING if is_moot else NOT_HELD
            return Undecided()
        return self.places.make_candidate(f"{GOAL}{goal}", row, walk)

    def note_likes(self, rows: Sequence[Row], likes: Sequence[Row]) -> None:
        """Note of which drawn rows others were made."""
        for row, like in zip(rows, likes, strict=True):
            self.likes[id(row)] = row, like  # kept, so that no other row gets its identity

    def place(self, row: Row, goal: str) -> Row:
        """Return a row with a place of its own among the others, what was moved in it included."""
        _, like = self.likes.get(id(row), (row, row))
        placed = row if like is row else self.places.with_own_records(dict(row), like, goal)
        return self.places.with_own_texts(placed, goal)

    def is_possible(self, question: str, derive: Callable[[], Expression]) -> bool | Undecided:
        """Return whether any row meets a condition; the question stands for it."""
        found = self.witnesses.is_possible(self.model, question, derive)
        if isinstance(found, Undecided):
            self.reasons[question.rpartition(" (")[0]] = describe_give_up(found.used, 1)
        return found

    def find_least_gap(self, goal: str, gap: Gap) -> int | Undecided | None:
        """Return how near to a boundary a row can be, as far as the solver finds; None if none is.

        Where its budget runs out first, it is the nearest that was found.
        """
        none, some = 0, require_number_type(gap.size).maximum
        found = self.is_within(goal, gap, some)
        if isinstance(found, Undecided) or not found:
            return found if isinstance(found, Undecided) else None
        # Always, some row lies within `some`, and none was found within `none`.
        while some - none > 1:
            middle = (none + some) // 2
            if self.is_within(goal, gap, middle) is True:
                some = middle
            else:
                none = middle
        return some

    def is_within(self, goal: str, gap: Gap, most: int) -> bool | Undecided:
        """Return whether a row can be so near to a boundary."""
        return self.is_possible(f"{goal} (within {most})", partial(gap.build_row_condition, most))

    def solve_witness(self, goal: str, condition: Expression, what: str) -> Witness:
        """Return a row of the solver, tried from several drawn ones, or what it says instead."""
        found: Witness = NoRow()
        for target in self.list_targets(goal):
            found = self.witnesses.find(self.model, name_question(goal, what), condition, target)
            if not isinstance(found, Undecided):
                return found
        units = found.used if isinstance(found, Undecided) else 0
        self.reasons[goal] = describe_give_up(units, TRIED, len(self.pool) + len(FAR_NUMBERS))
        return found

    def list_targets(self, goal: str) -> list[Row]:
        """Return the drawn rows from which the solver starts, the first one a full one."""
        drawn = [self.pool[place] for place in self.order_places(goal)]
        full = [row for row in drawn if self.is_full(row)] or [self.draw_full_row()]
        return [*full[:1], *drawn[: TRIED - 1]]

    def pick(self, showing: Iterable[Row]) -> Row | None:
        """Return the first row that can stand beside the others, none that was picked already.

        Where all were, the first is picked again, to have other texts where they are unique.
        """
        return self.take_fresh_row(row for row in showing if not self.places.has_key_clash(row))

    def take_fresh_row(self, rows: Iterable[Row]) -> Row | None:
        """Take the first row that was not taken before; where all were, the first one again."""
        first = None
        for row in rows:
            first = first or row
            if id(row) not in self.used:
                self.used[id(row)] = row  # kept, so that no other row gets its identity
                return row
        return first

    def solve_row(self, goal: str, condition: Expression, what: str) -> Row | NoRow | Undecided:
        """Return a row of the solver, as near to a drawn one as can be, drawn again.

        Where the solver leaves it open, further rows are drawn and looked through.
        """
        target = self.choose_target(goal)
        found = self.witnesses.find(self.model, name_question(goal, what), condition, target)
        if isinstance(found, Undecided):
            far = self.pick(self.iterate_far_rows(condition))
            if far is not None:
                return self.places.with_own_texts(far, goal)
            found = self.solve_witness(goal, condition, what)
        if isinstance(found, NoRow | Undecided):
            return found
        fits = partial(self.fits, condition)
        row, like = self.get_resampling().redraw_row(found, target, condition, goal, fits)
        placed = self.places.with_own_records(dict(row), like, goal)
        return self.places.with_own_texts(placed, goal)

    def choose_target(self, goal: str) -> Row:
        """Return the drawn row from which a goal's is made, none that was used if there is one."""
        drawn = (self.pool[place] for place in self.order_places(goal))
        return self.take_fresh_row(filter(self.is_full, drawn)) or self.draw_full_row()

    def iterate_far_rows(self, condition: Expression) -> Iterator[Row]:
        """Yield the rows beyond the pool that meet a condition."""
        if self.far is None:
            seed = self.places.seed
            found = screen_rows(self.model, seed, FAR_NUMBERS, completes=False)
            self.far = sample_columns(self.model, seed, list(found.paths))
        (met,) = evaluate_all([condition], self.far)
        for place in np.flatnonzero(met):
            (row,) = as_rows(self.model, self.far.slice_rows(int(place), int(place) + 1))
            if not self.completions.is_determined(row):
                yield row

    def get_resampling(self) -> Resampling:
        """Return what draws parts of rows again from the pool."""
        if self.again is None:
            self.again = Resampling(self.model, self.places.seed, self.pool)
        return self.again

    def fits(self, condition: Expression, row: Row) -> bool:
        """Return whether a row can be a task that meets the condition, beside the others."""
        return not self.places.has_key_clash(row) and self.walk(condition, row) is not None

    def walk(self, condition: Expression, row: Row) -> Walk | None:
        """Return the walk of a row that meets a condition, None if it is none of a task."""
        if not all(holds(test, row) for test in (*self.model.row_conditions, condition)):
            return None
        if self.completions.is_determined(row):
            return None
        done = label_row(self.model, row)
        return None if done.refusal or done.undecided else done

    def is_full(self, row: Row) -> bool:
        marks = [name_malformed_mark(item.name) for item in self.model.malformable]
        has_all = all(row[entity.name] for entity in self.model.references)
        return has_all and not any(row[mark] for mark in marks)

    def draw_full_row(self, name: str = "") -> Row:
        """Return a row with all records and well-formed inputs, as it is drawn where all are so.

        Each name has one of its own.
        """
        number = POOL_FIRST + (1 + draw_below(POOL_FIRST, 0, "full row", name) if name else 0)
        model = self.model
        # A model in which nothing can lack: among drawn rows a full one may be too rare.
        entities = {name: replace(item, dangling_share=0) for name, item in model.entities.items()}
        fields = {
            name: replace(item, malformed=None, sampling=_remove_missing(item.sampling))
            for name, item in model.fields.items()
            # What tables hold is as other rows find it.
            if not item.table
        }
        fields = {**model.fields, **fields}
        sure = replace(model, entities=entities, fields=fields)
        marks = dict.fromkeys(name_malformed_mark(item.name) for item in model.malformable)
        return {**sample_rows(sure, self.places.seed, [number])[0], **marks}


def _read_witness(kept: Kept) -> Witness:
    """Return a witness as it was before it was noted: a list of items was a tuple."""
    if not kept:
        return NoRow()
    row: Mapping[str, Kept] = kept["row"]
    return {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}


def _answer_group(model: DomainModel, group: Sequence[Question]) -> list[bool | None]:
    """Return for each condition whether a row meets it, None where that is not easily said."""
    derived = [derive() for _, derive in group]
    conditions = [condition for condition in derived if condition is not None]
    verdicts = iter(decide_conditions(model, conditions, budgets.EASY_WITNESS))
    return [None if condition is None else next(verdicts) for condition in derived]


def name_question(goal: str, what: str) -> str:
    """Return the name of a question about a goal: the goal's own, and what else is asked of it."""
    return f"{goal} ({what})" if what else goal


def describe_give_up(units: int, tries: int, rows: int = 0) -> str:
    """Return the reason why a goal is undecided: what the solver used, and who else looked."""
    others = f", and none of {rows:,} drawn rows shows it" if rows else ""
    times = "" if tries == 1 else f" {tries} times, the last one"
    return f"the solver gave up{times} after {units:,} of its units of work{others}"


def _remove_missing(sampling: Sampling) -> Sampling:
    cases = (replace(part, sampling=_remove_missing(part.sampling)) for part in sampling.given)
    return replace(sampling, missing_share=0, given=tuple(cases))
