"""Goals against all rows of a tiny domain, and the rows that are found for them."""

from __future__ import annotations

import pytest

from sopforge.dataset.covering import cover, met_by
from sopforge.dataset.goals import goals_of
from sopforge.dataset.oracle import label
from sopforge.dataset.records import read_records, write_records
from sopforge.domain.model import DomainModel
from sopforge.domain.types import Value
from sopforge.logic.scalar import holds
from sopforge.solving.questions import NoRow
from sopforge.solving.unfolding import unfold
from sopforge.solving.witnesses import find_witness
from tests.small_models import claims, condition, day, orders, parcel, row

PARCEL = parcel()
Row = dict[str, Value | None]


def goal_ids(model: DomainModel) -> list[str]:
    return [goal.id for goal in goals_of(model, unfold(model))]


def shown(model: DomainModel, rows: list[Row]) -> dict[str, list[bool]]:
    goals = goals_of(model, unfold(model))
    return dict(zip([goal.id for goal in goals], met_by(model, goals, rows), strict=True))


@pytest.mark.parametrize("model", [PARCEL, claims(), orders()], ids=["parcel", "claims", "orders"])
def test_every_goal_has_a_task_or_a_proof(model: DomainModel) -> None:
    covering = cover(model, 5)
    rows = [task.row for task in covering.tasks]
    met = dict(
        zip([goal.id for goal in covering.goals], met_by(model, covering.goals, rows), strict=True)
    )

    # The parcel's tools refuse on the way, which ends a case before its task has an answer.
    undecided = set(covering.undecided) if model is PARCEL else set()
    assert all("releaseParcel" in name for name in undecided if name in met)
    assert covering.undecided == sorted(undecided, key=covering.undecided.index)
    open_ = {name for name, column in met.items() if not any(column)}
    assert open_ == (set(covering.infeasible) | undecided) & set(met)
    for task in covering.tasks:
        assert all(holds(item, task.row) for item in model.constraints)
        assert task.walk == label(model, task.row)


def test_rule_and_way_goals_are_met_by_the_rows_that_the_walk_takes_there() -> None:
    covering = cover(PARCEL, 9)
    rows = [dict(task.row) for task in covering.tasks]
    met = shown(PARCEL, rows)

    for place, drawn in enumerate(rows):
        walk = label(PARCEL, drawn)
        rules = {f"rule {name}.{rule}" for name, ids in walk.rules.items() for rule in ids}
        ways = {f"edge {node}" for node in walk.path if "." in node}
        found = {name for name, column in met.items() if column[place] and ", " not in name}
        assert {name for name in found if name.startswith(("rule ", "edge "))} == rules | ways


def test_a_boundary_is_met_one_unit_below_at_and_above() -> None:
    """A parcel of 1 March is late if it was due more than three days before."""
    days = [f"2026-02-{number}" for number in range(23, 29)]
    found = {
        side: [
            text
            for text in days
            if shown(PARCEL, [row(due_on=day(text))])[f"edge look.1, part 2 at {side}"] == [True]
        ]
        for side in ("-1", "+0", "+1")
    }

    assert found == {"-1": ["2026-02-27"], "+0": ["2026-02-26"], "+1": ["2026-02-25"]}


def test_a_witness_changes_only_what_it_must() -> None:
    drawn = row(weight=250, fragile=1)

    found = find_witness(PARCEL, condition(PARCEL, "weight > 3.00 and weight < 20.00"), drawn)

    assert found == {**drawn, "weight": 301}


def test_a_witness_that_need_not_change_is_the_drawn_row() -> None:
    drawn = row(weight=777)

    assert find_witness(PARCEL, condition(PARCEL, "weight > 3.00"), drawn) == drawn


def test_there_is_no_witness_where_nothing_meets_the_condition() -> None:
    impossible = condition(PARCEL, "weight > 3.00 and weight < 2.00")

    assert isinstance(find_witness(PARCEL, impossible, row()), NoRow)


def test_rows_for_goals_have_keys_and_records_of_their_own() -> None:
    model = orders()
    covering = cover(model, 5)
    rows = [task.row for task in covering.tasks]

    assert len({task.id for task in covering.tasks}) == len(rows)
    assert len({drawn["order_id"] for drawn in rows}) == len(rows)
    stored = read_records(model, write_records(model, rows))
    for drawn in rows:
        back = stored[str(drawn["order_id"])]
        assert {name: back[name] for name in back} == {name: drawn[name] for name in back}


def test_a_goal_keeps_its_row_when_another_rule_changes() -> None:
    """The threshold of one rule moves: rows of goals that have nothing to do with it stay."""
    before = {task.key: task.row for task in cover(orders(), 5).tasks}
    changed = orders(("open_limit: {value: 5000", "open_limit: {value: 5200"))
    after = {task.key: task.row for task in cover(changed, 5).tasks}

    elsewhere = [key for key in before if key in after and "release" not in key]
    assert [key for key in elsewhere if before[key] != after[key]] == []
    assert len([key for key in before if before[key] == after.get(key)]) >= 5


def test_a_row_with_a_key_of_its_own_still_meets_a_constraint_on_the_key() -> None:
    """The slip shows the customer's number, also where a goal's row gets a customer of its own."""
    amount = "        amount: {role: observed,"
    slip = '        slip_no: {role: observed, type: string, pattern: "C[0-9]{4}", description: x}\n'
    model = orders(
        (amount, slip + amount),
        ("missing: walk-in, missing_share: 10, ", ""),
        ("          - {when: not present(customer_id), to: no_customer}\n", ""),
        ("    - ordered_on", "    - slip_no == customer_id\n    - ordered_on"),
    )
    covering = cover(model, 5)

    assert covering.undecided == []
    assert all(task.row["slip_no"] == task.row["customer_id"] for task in covering.tasks)
    assert any(task.key.endswith("at +0") for task in covering.tasks)
