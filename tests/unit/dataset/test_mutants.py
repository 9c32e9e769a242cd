"""Mutants: which mistakes there are, and that the tasks notice each that can be noticed."""

from __future__ import annotations

import pytest

from sopforge.dataset.covering import cover, met_by
from sopforge.dataset.mutants import mutants_of
from sopforge.dataset.oracle import label
from sopforge.dataset.sampling import sample_row
from sopforge.domain.model import DomainModel
from sopforge.domain.types import Value
from sopforge.logic.scalar import holds
from sopforge.logic.walking import outcomes
from tests.small_models import claims, orders, warranty

ORDERS = orders()
MISTAKES = [
    "open_limit of 4999",
    "open_limit of 5001",
    "prime_factor of 2",
    "prime_factor of 4",
    "in 'release', rule R1, or for and",
    "in 'release', rule R1, != for ==",
    "in 'release', rule R1, < for <=",
    "in 'release', rule R1 dropped",
    "in 'release', rule R2, < for <=",
    "in 'release', rule R2 dropped",
    "in 'release', rule R3 dropped",
    "in 'release', rule R2 before rule R1",
    "in 'reason', rule N1, != for ==",
    "in 'reason', rule N1 dropped",
    "in 'reason', rule N2 dropped",
    "at step 'read', way 1, no test whether customer_id is there",
    "at step 'read', ways 1 and 2 swapped",
    "at step 'region', ways 1 and 2 swapped",
    "at step 'read', way 1 dropped",
    "at step 'region', way 1 dropped",
    "in 'reserveGoods', guard G2, <= for <",
    "in 'reserveGoods', guard G2, 2 as threshold",
    "in 'reserveGoods', guard G2, 4 as threshold",
    "in 'reserveGoods', guard G2 before guard G1",
]


def answers(model: DomainModel, row: dict[str, Value | None]) -> dict[str, Value | None]:
    walk = label(model, row)
    scored = {item.name: walk.known.get(item.name) for item in model.scored}
    return {**outcomes(model, walk), **scored}


def test_the_mistakes_are_those_of_the_list() -> None:
    found = [mutant.words for mutant in mutants_of(ORDERS)]

    assert [words for words in MISTAKES if words not in found] == []
    assert len({mutant.id for mutant in mutants_of(ORDERS)}) == len(found) == 26


@pytest.mark.parametrize("model", [ORDERS, claims()], ids=["orders", "claims"])
def test_a_task_notices_each_mutant_or_no_case_does(model: DomainModel) -> None:
    """Walked with the mutant itself, as nothing that judges mutants does."""
    covering = cover(model, 3)
    by_id = {mutant.id: mutant.model for mutant in mutants_of(model)}
    rows = [dict(task.row) for task in covering.tasks]
    drawn = [sample_row(model, 77, number) for number in range(150)]
    drawn = [row for row in drawn if all(holds(item, row) for item in model.constraints)]
    met = met_by(model, covering.mutants, rows)

    for goal, column in zip(covering.mutants, met, strict=True):
        wrong = by_id[goal.id]
        noticed = [answers(wrong, row) != answers(model, row) for row in rows]
        assert noticed == column, goal.id
        if goal.id in covering.infeasible:
            assert all(answers(wrong, row) == answers(model, row) for row in drawn), goal.id
        else:
            assert any(noticed), goal.id


def test_each_input_that_may_be_malformed_is_told_from_what_was_meant() -> None:
    model = warranty()
    covering = cover(model, 3)
    rows = [task.row for task in covering.tasks]
    met = met_by(model, covering.mutants, rows)

    noticed = {
        goal.words
        for goal, column in zip(covering.mutants, met, strict=True)
        if any(column) and goal.id.endswith("corrected")
    }
    assert noticed == {
        f"a malformed '{name}' taken as what was meant"
        for name in ("claim_id", "serial", "dealer_id", "reported_on")
    }


@pytest.mark.parametrize(
    "words",
    [
        "at step 'find', way 2 before way 1",
        "in 'payClaim', guard P1, != for ==",
        "in 'payClaim', guard P2 before guard P1",
        "in 'payClaim', guard P3 before guard P1",
        "in 'average_line', rounded down",
        "in 'days_taken', days for workdays",
        "in 'days_taken', 2026-04-03 as no holiday",
    ],
)
def test_ways_guards_and_calendars_have_mistakes_of_their_own(words: str) -> None:
    assert words in [mutant.words for mutant in mutants_of(claims())]


def test_a_scored_value_on_the_way_tells_a_mutant() -> None:
    """No outcome is decided by the points, which are scored."""
    points = (
        "        points: {role: derived, scored: true, type: integer, min: 0, max: 2,"
        " description: points}\n"
    )
    rules = "[{id: P1, when: amount >= 500, then: 1}, {id: P2, otherwise: 0}]"
    model = orders(
        ("        reserved: {role", f"{points}        reserved: {{role"),
        ("  decisions:\n", f"  decisions:\n    points: {{hit: first, rules: {rules}}}\n"),
        ("decide: [release, reason]", "decide: [points, release, reason]"),
    )
    covering = cover(model, 3)

    found = {goal.id for goal in covering.mutants if goal.id.startswith("mutant points")}
    assert "mutant points, P1 dropped" in found
    assert found.isdisjoint(covering.infeasible)


def test_a_mistake_that_only_shows_on_the_way_is_told_apart() -> None:
    """Without the test for walk-ins, the look-up of no customer is refused: the same answer."""
    covering = cover(ORDERS, 3)

    told = {task.id for task in covering.tasks if task.row["customer_id"] is None}
    names = ["mutant read, way 1 1", "mutant read, way 1 dropped"]
    assert list(covering.other_paths) == names
    assert told
    assert all(set(covering.other_paths[name]) == told for name in names)
