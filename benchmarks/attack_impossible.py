"""Attacks what is proved of goals that no task shows with random rows, none of which may show one.

``python -m benchmarks.attack_impossible BRIEF ROWS`` draws so many rows that the tasks have nothing
to do with, prints how many were looked at and exits with 1 where one contradicts what is proved.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path

import numpy as np
from rich.console import Console

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.vector import Column, Columns, evaluate_all
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.coverage.covering import Covering, Unmet, cover_goals
from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.dataset.coverage.noticing import Noticed, Noticing
from sopforge.proof.dataset.sampling.bulk import as_rows
from sopforge.proof.dataset.sampling.sampling import sample_columns

PIECE = 20_000
AT_ONCE = 32
SEED = 1_000_003
"""Another one than that of any brief, so that no row is one that was drawn for the tasks."""


@dataclass(slots=True)
class Attack:
    """How many rows that satisfy the constraints were looked at, and what speaks against a claim.

    ``against`` has the first row that contradicts the claim on each goal.
    """

    rows: int = 0
    claims: Mapping[str, int] = field(default_factory=dict)
    against: dict[str, Mapping[str, Value | None]] = field(default_factory=dict)


def claimed(covering: Covering) -> Iterator[tuple[str, Unmet, Expression]]:
    """Return the goals that no task shows, what is claimed of each, and what would refute that."""
    for goal in covering.all_goals:
        if covering.noticing and goal.id in covering.unmet:
            verdict = covering.unmet[goal.id]
            yield goal.id, verdict, refutation(covering.noticing, goal, verdict)


def refutation(noticing: Noticing, goal: Goal, verdict: Unmet) -> Expression:
    """Return the rows that would contradict what is claimed of a goal."""
    match verdict:
        case Unmet.IMPOSSIBLE:
            return goal.condition
        case Unmet.WITHOUT_EFFECT:
            return noticing.derive_notice(goal).get_condition(Noticed.TRAJECTORY)
        case Unmet.PATH_ONLY:
            return noticing.derive_notice(goal).get_condition(Noticed.OUTCOMES)
        case Unmet.BEYOND:
            return noticing.derive_notice(goal).get_condition(Noticed.PRIMARY)


def attack(model: DomainModel, covering: Covering, rows: int, seed: int = SEED) -> Attack:
    """Look at so many rows that satisfy the constraints or not; only those that do count."""
    found = list(claimed(covering))
    claims = Counter(str(verdict) for _, verdict, _ in found)
    done = Attack(claims=dict(sorted(claims.items())))
    for start in range(0, rows, PIECE):
        columns = sample_columns(model, seed, range(start, min(start + PIECE, rows)))
        fits = _all_of(evaluate_all(model.constraints, columns), columns.count)
        done.rows += int(fits.sum())
        for first in range(0, len(found), AT_ONCE):
            some = found[first : first + AT_ONCE]
            met = evaluate_all([condition for _, _, condition in some], columns)
            for (name, _, _), column in zip(some, met, strict=True):
                _note(model, done, name, (column != 0) & fits, columns)
    return done


def _all_of(conditions: list[Column], count: int) -> Column:
    every = np.ones(count, dtype=bool)
    return reduce(np.logical_and, (column != 0 for column in conditions), every)


def _note(model: DomainModel, done: Attack, name: str, met: Column, columns: Columns) -> None:
    if met.any() and name not in done.against:
        place = int(np.flatnonzero(met)[0])
        (done.against[name],) = as_rows(model, columns.slice_rows(place, place + 1))


def main() -> int:
    """Attack the dataset of a brief; return 1 where a row contradicts what is claimed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("brief", type=Path)
    parser.add_argument("rows", type=int, nargs="?", default=1_000_000)
    asked = parser.parse_args()
    brief, screen = load_brief(asked.brief), Console(soft_wrap=True, markup=False)
    covering = cover_goals(brief.model, brief.parts.dataset.seed)
    done = attack(brief.model, covering, asked.rows)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in done.claims.items()) or "none"
    screen.print(f"{asked.brief.name}: {len(covering.all_goals)} goals; not shown: {counts}")
    screen.print(f"{done.rows} of {asked.rows} rows satisfy the constraints")
    screen.print(f"{len(done.against)} goals are contradicted")
    for name, row in done.against.items():
        screen.print(f"  {name} ({covering.unmet[name]}): {row}")
    return 1 if done.against else 0


if __name__ == "__main__":
    raise SystemExit(main())
