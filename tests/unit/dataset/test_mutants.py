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
from tests.small_models import claims, orders

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
]


def answers(model: DomainModel, row: dict[str, Value | None]) -> dict[str, Value | None]:
    return outcomes(model, label(model, row))


def test_the_mistakes_are_those_of_the_list() -> None:
    found = [mutant.words for mutant in mutants_of(ORDERS)]

    assert [words for words in MISTAKES if words not in found] == []
    assert len({mutant.id for mutant in mutants_of(ORDERS)}) == len(found) == 20


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


def test_a_mistake_that_only_shows_on_the_way_is_told_apart() -> None:
    """Without the test for walk-ins, the look-up of no customer is refused: the same answer."""
    covering = cover(ORDERS, 3)

    told = {task.id for task in covering.tasks if task.row["customer_id"] is None}
    assert list(covering.other_paths) == ["mutant read, way 1 1"]
    assert told
    assert set(covering.other_paths["mutant read, way 1 1"]) == told
