"""Rows of the solver are as plausible as drawn ones: their values do not distinguish them.

A classifier learns from half of the rows which are the solver's, and is asked about the others.
Rows with the least values that a condition allows, and the nearest to a drawn row's, show that it
can distinguish rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import sqrt

import numpy as np
import pytest

from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import ListType, SetType, TextType, Value, list_items
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.readings.vector import evaluate_all
from sopforge.proof.dataset.coverage.goals.goal import Goal
from sopforge.proof.dataset.coverage.goals.goals import collect_goals
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.dataset.sampling.resampling import (
    Resampling,
    group_bound_fields,
    group_drawn_fields,
)
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.sampling.screening import screen_rows
from sopforge.proof.solving.questions import Row as Found
from sopforge.proof.solving.questions import find_row
from sopforge.proof.solving.search.witnesses import find_witness
from sopforge.proof.solving.unfolding import unfold
from sopforge.seeds import draw_below
from tests.worlds.small_models import claims, condition, orders, stays

SEED, WITNESSES, FIRST, POOL = 9, 240, 20_000, 6_000
Row = dict[str, Value | None]
MODELS: dict[str, Callable[[], DomainModel]] = {"orders": orders, "stays": stays}


@dataclass(frozen=True)
class Rows:
    """As many rows of each kind, that meet the same conditions."""

    drawn: list[Row]
    again: list[Row]
    nearest: list[Row]
    least: list[Row]


@cache
def rows_of(name: str) -> Rows:
    """Return drawn rows and the solver's, for conditions that drawn rows meet now and then."""
    model = MODELS[name]()
    drawn = tasks(model, range(FIRST))
    resampling = Resampling(model, SEED, tasks(model, range(FIRST, FIRST + POOL)))
    rows = Rows([], [], [], [])
    used: set[int] = set()
    for turn, (goal, meeting, missing) in enumerate(turns(model, drawn)):
        target = drawn[taken(missing, used, f"target {turn}")]
        nearest = find_witness(model, goal.condition, target)
        least = find_row(model, [goal.condition])
        if isinstance(nearest, dict) and isinstance(least, Found):
            again, _ = resampling.redraw_row(
                nearest, target, goal.condition, f"{goal.id} {turn}", lambda _: True
            )
            rows.drawn.append(drawn[taken(meeting, used, f"drawn {turn}")])
            rows.again.append(dict(again))
            rows.nearest.append(nearest)
            rows.least.append({**target, **least.values, **least.records})
    return rows


def tasks(model: DomainModel, numbers: range) -> list[Row]:
    return sample_rows(model, SEED, list(screen_rows(model, SEED, numbers).paths))


def turns(model: DomainModel, drawn: list[Row]) -> Iterator[tuple[Goal, list[int], list[int]]]:
    """Return goals in turn, with the places of the rows that meet them and that do not."""
    goals = collect_goals(model, unfold(model))
    met = [
        column != 0
        for column in evaluate_all([goal.condition for goal in goals], as_columns(model, drawn))
    ]
    known = [
        (goal, np.flatnonzero(column).tolist(), np.flatnonzero(~column).tolist())
        for goal, column in zip(goals, met, strict=True)
        if 0.02 < column.mean() < 0.4
    ]
    return (known[turn % len(known)] for turn in range(WITNESSES))


def taken(places: list[int], used: set[int], name: str) -> int:
    """Return one of the places that was not used; a row that is seen twice would be known."""
    start = draw_below(len(places), SEED, name)
    place = next(one for one in (*places[start:], *places[:start]) if one not in used)
    used.add(place)
    return place


def measure_difference(model: DomainModel, first: list[Row], second: list[Row]) -> float:
    """Return how well rows are distinguished: 0.5 is chance, 1.0 is always."""
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    shown = [features(model, row) for row in (*first, *second)]
    labels = [0] * len(first) + [1] * len(second)
    forest = RandomForestClassifier(200, random_state=0, min_samples_leaf=3)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    guessed = cross_val_predict(forest, shown, labels, cv=folds, method="predict_proba")
    return float(roc_auc_score(labels, guessed[:, 1]))


def features(model: DomainModel, row: Row) -> list[int]:
    fields = [item for item in model.with_role(*STORED) if not item.sampling.unique]
    return [number for item in fields for number in numbers_of(item, row[item.name])]


def numbers_of(item: Field, value: Value | None) -> list[int]:
    """Return what a field's value shows: numbers, members, the length of a text and its letters."""
    there = int(value is not None)
    match item.type:
        case TextType():
            text = str(value or "")
            return [there, len(text), *(ord(letter) for letter in text[:12].ljust(12))]
        case SetType(labels):
            mask = value if isinstance(value, int) else 0
            return [there, *(mask >> bit & 1 for bit in range(len(labels)))]
        case ListType():
            return [there, len(list_items(value))]
        case _:
            return [there, value if isinstance(value, int) else 0]


@pytest.mark.parametrize("name", MODELS)
def test_rows_of_the_solver_are_not_distinguished_from_drawn_ones(name: str) -> None:
    rows = rows_of(name)
    error = sqrt((len(rows.drawn) + len(rows.again) + 1) / 12 / len(rows.drawn) / len(rows.again))
    found = measure_difference(MODELS[name](), rows.drawn, rows.again)

    print(f"{name}: area {found:.3f}, standard error of chance {error:.3f}")  # noqa: T201 - the figure that the test is about
    assert len(rows.drawn) > 200
    assert error < 0.03
    assert found < 0.6


def test_rows_of_the_least_values_or_only_near_to_drawn_ones_are_distinguished() -> None:
    rows = rows_of("orders")

    assert measure_difference(orders(), rows.drawn, rows.least) > 0.9
    assert measure_difference(orders(), rows.drawn, rows.nearest) > 0.8


def test_a_row_drawn_again_still_meets_its_condition_and_the_constraints() -> None:
    model = claims()
    wanted = condition(model, "trip_end == '2026-02-11' and date_of(handed_in_at) == '2026-02-12'")
    resampling = Resampling(model, SEED, tasks(model, range(3_000)))
    start = resampling.pool[5]
    found = find_witness(model, wanted, start)
    assert isinstance(found, dict)
    again, like = resampling.redraw_row(found, start, wanted, "x", lambda _: True)

    assert all(holds(test, again) for test in (*model.constraints, wanted))
    assert (again, like) == resampling.redraw_row(found, start, wanted, "x", lambda _: True)
    assert {name for name in like if like[name] != start[name]} >= {
        name for name in again if again[name] != found[name]
    }


def test_nothing_is_taken_that_does_not_fit() -> None:
    model = orders()
    resampling = Resampling(model, SEED, tasks(model, range(3_000)))
    start = resampling.pool[0]
    wanted = condition(model, "amount > 8000")
    found = find_witness(model, wanted, start)
    assert isinstance(found, dict)

    assert resampling.redraw_row(found, start, wanted, "x", lambda _: False) == (found, start)


def test_what_is_drawn_by_others_is_drawn_with_them() -> None:
    parts = group_drawn_fields(stays())
    record = {"patient", "patient_id", "patient_name", "patient_email", "patient_phone"}
    record |= {"patient_address", "plan", "age", "escorted"}

    assert record in parts
    assert {"admitted_on", "discharged_on"} in parts
    assert {"list_price", "amount"} in parts
    assert {"firm", "firm_site"} in parts
    assert {"ward"} in parts
    assert not any("stay_id" in part or "form_reference" in part for part in parts)


def test_what_a_constraint_binds_fits_together() -> None:
    parts = group_bound_fields(orders())
    (whole,) = (part for part in parts if "customer" in part)

    assert {"ordered_on", "customer_since", "region", "blocked"} <= whole
    assert {"amount"} in parts
