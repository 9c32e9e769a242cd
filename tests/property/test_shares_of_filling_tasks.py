"""In a natural mix the weights and shares of a brief hold among the tasks that fill up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.language.domain.expressions.expressions import collect_read_fields
from sopforge.language.domain.fields import STORED, Field, Sampling
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import BooleanType, EnumType, Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.coverage.drawing import draw_tasks
from sopforge.proof.dataset.sampling.candidates import FILL
from tests.worlds.small_models import changed, claims, orders, stays, warranty

BRIEFS = Path(__file__).parents[1] / "briefs"
FEES = (BRIEFS / "fees.yaml").read_text(encoding="utf-8")
MANY = 400
UNLIKELY = 1e-7
"""Of a hundred thousand comparisons with as many tasks hardly one would be less likely."""
Row: TypeAlias = "dict[str, Value | None]"
WEIGHTS = st.lists(st.integers(0, 20), min_size=3, max_size=3).filter(any)
SEEDS = st.integers(0, 1 << 30)
FEW = settings(
    max_examples=6,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


def tail(count: int, of: int, percent: int, whole: int = 100) -> float:
    """Return how likely it is that so many of all, or a number further off, have a share."""
    share = percent / whole
    chances = [comb(of, n) * share**n * (1 - share) ** (of - n) for n in range(of + 1)]
    return min(sum(chances[: count + 1]), sum(chances[count:]))


def filling(model: DomainModel, seed: int, tasks: int = MANY) -> list[Row]:
    """Return the rows of the tasks that fill up, among so many tasks."""
    asked = DatasetDocument(n_samples=tasks, seed=seed, mix="natural")
    return [dict(task.row) for task in draw_tasks(model, asked).tasks if task.key.startswith(FILL)]


def shares(model: DomainModel, rows: Sequence[Row]) -> Iterator[tuple[str, float]]:
    """Return what the brief says of each field of the case, and how likely it is what rows hold.

    Left out are values that a constraint reads: rows that break it are no cases.
    """
    bound = frozenset().union(*map(collect_read_fields, model.constraints))
    for item in model.with_role(*STORED):
        if model.find_owner(item.name) not in {None, model.case}:
            continue
        if item.malformed:
            marks = sum(row.get(name_malformed_mark(item.name)) is not None for row in rows)
            yield f"{item.name} malformed", tail(marks, len(rows), item.malformed.share)
        if item.name in bound:
            continue
        for words, sampling, kind in divided(item, rows):
            yield from of_a_kind(item, sampling, words, kind)


def divided(item: Field, rows: Sequence[Row]) -> Iterator[tuple[str, Sampling, list[Row]]]:
    """Return the rows by how a field is drawn in them: the first that holds."""
    left = list(rows)
    for place, part in enumerate(item.sampling.given):
        names = collect_read_fields(part.when)
        known = [row for row in left if all(row.get(name) is not None for name in names)]
        met = [row for row in known if holds(part.when, row)]
        left = [row for row in left if row not in met]
        yield f"{item.name} given {place}", part.sampling, met
    yield item.name, item.sampling, left


def of_a_kind(
    item: Field, sampling: Sampling, words: str, rows: Sequence[Row]
) -> Iterator[tuple[str, float]]:
    values = [row[item.name] for row in rows]
    there = [value for value in values if value is not None]
    if item.missing:
        share = sampling.missing_share
        yield f"{words} missing", tail(len(values) - len(there), len(values), share)
    if isinstance(item.type, BooleanType):
        yield f"{words} yes", tail(there.count(1), len(there), sampling.yes_share)
    if isinstance(item.type, EnumType):
        weights = sampling.weights or (1,) * len(item.type.values)
        for place, weight in enumerate(weights):
            label = item.type.values[place]
            chance = tail(there.count(place), len(there), weight, sum(weights))
            yield f"{words} {label}", chance


def assert_held(model: DomainModel, rows: Sequence[Row], *expected: str) -> None:
    """Assert that nothing is unlikely, and that what is expected was looked at."""
    found = dict(shares(model, rows))
    assert set(expected) <= set(found)
    assert {name: chance for name, chance in found.items() if chance < UNLIKELY} == {}


@FEW
@given(WEIGHTS, SEEDS)
def test_weights_of_fees_hold_where_enough_cases_differ(weights: list[int], seed: int) -> None:
    kinds = "values: [Book, Film, Reference],"
    wide = (("max: 40,", "max: 4000,"), ("max: 60.00", "max: 6000.00"))
    model = read_brief(
        changed(FEES, *wide, (kinds, f"{kinds} weights: {weights},")), "fees.yaml"
    ).model

    assert_held(model, filling(model, seed), "kind Book", "kind Film", "kind Reference")


@FEW
@given(st.integers(0, 100), st.integers(0, 100), SEEDS)
def test_missing_shares_of_orders_hold(missing: int, reserved: int, seed: int) -> None:
    model = orders(
        ("missing_share: 10", f"missing_share: {missing}"),
        ("yes_share: 30", f"yes_share: {reserved}"),
    )

    assert_held(model, filling(model, seed), "customer_id missing", "reserved yes")


@FEW
@given(st.integers(1, 60), SEEDS)
def test_malformed_shares_of_a_warranty_hold(share: int, seed: int) -> None:
    model = warranty(("malformed: {share: 6}", f"malformed: {{share: {share}}}"))
    names = ("claim_id", "serial", "dealer_id", "reported_on")

    assert_held(model, filling(model, seed), *(f"{name} malformed" for name in names))


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        pytest.param(claims(), ("grade Chief", "earlier_claims missing"), id="claims"),
        pytest.param(stays(), ("ward Surgery", "escorted yes", "escorted given 0 yes"), id="stays"),
    ],
)
def test_shares_of_small_models_hold(model: DomainModel, expected: tuple[str, ...]) -> None:
    assert_held(model, filling(model, seed=1), *expected)


def test_a_share_that_is_off_is_noticed() -> None:
    # Half the chances of 400 throws lie below 200; 260 of them hardly ever occur.
    assert tail(200, 400, 50) > 0.5
    assert tail(260, 400, 50) < UNLIKELY
    assert tail(0, 400, 0) == tail(400, 400, 100) == 1.0
