"""Drawn rows of which one value is moved to where a condition changes."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value, list_items, require_integer
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.coverage.boundary_rows import make_boundary_rows
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_rows
from sopforge.proof.dataset.sampling.sampling import sample_columns
from tests.worlds.small_models import (
    claims,
    day,
    derived,
    judged,
    observed,
    orders,
    parcel,
)

SEED = 3
DRAWN = range(400)
Row = Mapping[str, Value | None]
Pairs = list[tuple[Row, Row]]


def make_pairs(model: DomainModel) -> Pairs:
    """Return the rows that are made of some drawn ones, each with the one it was made of."""
    drawn = sample_columns(model, SEED, DRAWN)
    moved = make_boundary_rows(model, drawn, SEED)
    sources = as_rows(model, drawn.take_rows(moved.sources))
    return list(zip(as_rows(model, moved.rows), sources, strict=True))


def find_changes(row: Row, source: Row) -> frozenset[str]:
    """Return in which fields a row differs from the one that it was made of."""
    return frozenset(name for name in source if row[name] != source[name])


def test_a_value_is_moved_to_both_sides_of_a_limit_and_one_beyond_each() -> None:
    fields = {"size": observed(0, 999_999), "noise": observed(0, 9)}
    pairs = make_pairs(judged(fields, {"A": ("size >= 1234", "good")}))

    assert {row["size"] for row, _ in pairs} == {1232, 1233, 1234, 1235}
    assert {find_changes(*pair) for pair in pairs} == {frozenset({"size"})}


def test_the_limit_of_a_sum_is_come_to_by_each_of_its_parts() -> None:
    fields = {"left": observed(0, 90_000), "right": observed(0, 90_000)}
    pairs = make_pairs(judged(fields, {"A": ("left + right > 100000", "good")}))

    found = {
        (changes, require_integer(row["left"] or 0) + require_integer(row["right"] or 0))
        for row, source in pairs
        for changes in find_changes(row, source)
    }
    assert found == {
        (name, total) for name in ("left", "right") for total in range(99_999, 100_003)
    }


def test_the_limits_within_a_value_are_come_to_as_well() -> None:
    fields = {"size": observed(0, 900_000), "due": derived(0, 50_000)}
    model = judged(fields, {"A": ("due > 60000", "good")}, formulas={"due": "min(size, 50000)"})

    # No rule ever changes: what does is which of the two is the least.
    assert {row["size"] for row, _ in make_pairs(model)} == {49_999, 50_000, 50_001, 50_002}


def test_what_is_drawn_near_a_value_moves_along_with_it() -> None:
    near = {"of": "size", "from": -5, "to": 5}
    fields = {"size": observed(1_000, 900_000), "charge": {**observed(0, 950_000), "near": near}}
    rules = {"A": ("abs(charge - size) > 5", "bad"), "B": ("size > 44444", "good")}
    pairs = make_pairs(judged(fields, rules))

    beside = [(row, source) for row, source in pairs if find_changes(row, source) >= {"size"}]
    assert {row["size"] for row, _ in beside} == {44_443, 44_444, 44_445, 44_446}
    assert all(
        require_integer(row["charge"] or 0) - require_integer(row["size"] or 0)
        == require_integer(source["charge"] or 0) - require_integer(source["size"] or 0)
        for row, source in beside
    )
    # Moved by itself, it comes to the limits of its distance.
    apart = {
        abs(require_integer(row["charge"] or 0) - require_integer(row["size"] or 0))
        for row, source in pairs
        if find_changes(row, source) == {"charge"}
    }
    assert {5, 6} <= apart


def test_no_value_is_moved_out_of_its_range_and_none_that_is_missing() -> None:
    pairs = make_pairs(parcel())
    moved = {name for pair in pairs for name in find_changes(*pair)}

    assert moved == {"weight", "sent_on", "due_on"}
    assert all((row["due_on"] is None) == (source["due_on"] is None) for row, source in pairs)
    least, greatest = day("2026-01-01"), day("2026-12-31")
    assert all(least <= require_integer(row["sent_on"] or 0) <= greatest for row, _ in pairs)


def test_the_first_item_of_a_list_is_moved() -> None:
    pairs = [pair for pair in make_pairs(claims()) if find_changes(*pair) == {"lines"}]

    assert pairs
    for row, source in pairs:
        mine, others = list_items(row["lines"]), list_items(source["lines"])
        assert mine[1:] == others[1:]
        assert {name for name in mine[0] if mine[0][name] != others[0][name]} == {"amount"}


@pytest.mark.parametrize("model", [parcel(), claims(), orders()], ids=["parcel", "claim", "order"])
def test_each_row_may_be_a_task(model: DomainModel) -> None:
    pairs = make_pairs(model)

    assert pairs
    for row, _ in pairs:
        assert all(holds(constraint, row) for constraint in model.constraints)
        done = label_row(model, row)
        assert not done.refusal
        assert not done.undecided


def test_a_model_without_a_number_has_none() -> None:
    fields = {"kind": {"role": "observed", "type": "enum", "values": ["new", "old"]}}

    assert make_pairs(judged(fields, {"A": ("kind == 'new'", "good")})) == []
