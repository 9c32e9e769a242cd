"""Goals against all rows of a tiny domain, and the rows that are found for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.coverage import goal_rows
from sopforge.proof.dataset.coverage.covering import cover_goals
from sopforge.proof.dataset.coverage.goal_rows import GoalRows, Witness, Witnesses
from sopforge.proof.dataset.coverage.goals.goals import collect_goals
from sopforge.proof.dataset.coverage.noticing import Noticing
from sopforge.proof.dataset.coverage.sighting import evaluate_conditions
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.questions import Undecided
from sopforge.proof.solving.search.witnesses import find_witness
from sopforge.proof.solving.unfolding import unfold
from tests.judges.walked_mistakes import Walked
from tests.worlds.small_models import (
    claim,
    claims,
    condition,
    day,
    held_parcels,
    line,
    orders,
    parcel,
    row,
    stays,
)

PARCEL = parcel()
HELD = held_parcels()
SIDES = ("-1", "+0", "+1")
Row = dict[str, Value | None]


def goal_ids(model: DomainModel) -> list[str]:
    return [goal.id for goal in collect_goals(model, unfold(model))]


def occurring(model: DomainModel, rows: list[Row]) -> dict[str, list[bool]]:
    """Return on which rows each goal occurs."""
    goals = collect_goals(model, unfold(model))
    met = evaluate_conditions(model, [goal.condition for goal in goals], rows)
    return {goal.id: column.tolist() for goal, column in zip(goals, met, strict=True)}


@pytest.mark.parametrize("make", [orders, stays], ids=["orders", "stays"])
def test_every_goal_has_a_task_whose_answer_shows_it_or_a_proof(
    make: Callable[[], DomainModel],
) -> None:
    """A task shows a goal where the goal occurs and a walk with the mistake ends otherwise."""
    model = make()
    covering = cover_goals(model, 5)
    tasks = [Walked(model, task.row) for task in covering.tasks]
    met = evaluate_conditions(
        model, [goal.condition for goal in covering.goals], [item.row for item in tasks]
    )

    assert covering.reasons == {}
    for goal, column in zip(covering.goals, met, strict=True):
        here = [item for item, is_met in zip(tasks, column, strict=True) if is_met]
        noticed = [item.noticed(wrong) for item in here for wrong in goal.wrong]
        if any(found[1] for found in noticed if found):
            assert goal.id not in covering.unmet
        else:  # a walk may come to nothing that can be compared
            assert goal.id in covering.unmet or None in noticed, goal.id
    for task in covering.tasks:
        assert all(holds(item, task.row) for item in model.constraints)
        assert task.walk == label_row(model, task.row)


def test_a_goal_that_only_refused_cases_show_is_left_undecided() -> None:
    """The parcel's tools refuse on the path, which ends a case before its task has an answer.

    Of more than 25 kg, the surcharge is more than 30 dollars, which is too dear.
    """
    rows = GoalRows(PARCEL, Places(PARCEL, 5))
    rows.fill_pool()

    found = rows.find("dear", condition(PARCEL, "weight > 25.00 and not present(due_on)"))

    assert isinstance(found, Undecided)
    assert rows.reasons == {"dear": goal_rows.NOT_HELD}


def test_rule_and_edge_goals_occur_on_the_rows_that_the_walk_takes_there() -> None:
    """Edges that are the only ones out of their step are no goals."""
    covering = cover_goals(HELD, 9)
    rows = [dict(task.row) for task in covering.tasks]
    met = occurring(HELD, rows)

    for place, drawn in enumerate(rows):
        walk = label_row(HELD, drawn)
        rules = {f"rule {name}.{rule}" for name, ids in walk.rules.items() for rule in ids}
        edges = {f"edge {node}" for node in walk.path if "." in node} - {"edge price.1"}
        found = {name for name, column in met.items() if column[place] and ", " not in name}
        assert {name for name in found if name.startswith(("rule ", "edge "))} == rules | edges


def test_a_boundary_occurs_one_unit_below_at_and_above() -> None:
    """A parcel of 1 March is late if it was due more than three days before."""
    limit, days = "edge look.1, part 2", [f"2026-02-{number}" for number in range(23, 29)]
    found = {
        side: [
            text
            for text in days
            if occurring(PARCEL, [row(due_on=day(text))])[f"{limit} at {side}"] == [True]
        ]
        for side in SIDES
    }

    assert found == {"-1": ["2026-02-27"], "+0": ["2026-02-26"], "+1": ["2026-02-25"]}


def test_a_goal_keeps_its_row_when_another_rule_changes() -> None:
    """The threshold of one rule moves: rows of goals that have nothing to do with it stay."""
    before = {task.key: task.row for task in cover_goals(orders(), 5).tasks}
    changed = orders(("open_limit: {value: 5000", "open_limit: {value: 5200"))
    after = {task.key: task.row for task in cover_goals(changed, 5).tasks}

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
    covering = cover_goals(model, 5)

    assert covering.reasons == {}
    assert all(task.row["slip_no"] == task.row["customer_id"] for task in covering.tasks)
    assert any(task.key.endswith("at +0") for task in covering.tasks)


def ties_of(model: DomainModel, decision: str, rows: list[Row]) -> list[list[str]]:
    """Return for each row the ties of a decision that occur on it."""
    met = occurring(model, rows)
    names = [name for name in met if name.startswith(f"tie formula {decision} ")]
    shortened = {name: name.removeprefix(f"tie formula {decision} ") for name in names}
    return [[shortened[name] for name in names if met[name][place]] for place in range(len(rows))]


def meals(formula: str) -> DomainModel:
    """Return the model of claims with another paid part of the meals."""
    paid = "round(sum(i.amount for i in lines if i.kind == 'Meal') * meal_rate, 2)"
    return claims((paid, formula))


def of_cents(*amounts: int, grade: int = 0) -> Row:
    return claim(lines=tuple(line(0, cents) for cents in amounts), grade=grade)


def test_a_tie_with_an_odd_result_is_a_goal_of_its_own() -> None:
    """To the even neighbour 1.505 would be 1.50 and no 1.51, but 1.515 would be 1.52 as well."""
    cases = [of_cents(cents) for cents in (1204, 1212, 1208)]

    assert ties_of(claims(), "meal_part", cases) == [["1", "1 odd"], ["1"], []]


def test_a_tie_counts_where_its_branch_is_taken() -> None:
    """12.04 is a tie as an eighth, 1.505, and 12.08 as a sixteenth, 0.755; neither is the other."""
    eighth, sixteenth = "round(total / 8, 2)", "round(total / 16, 2)"
    model = meals(f"{eighth} if grade == 'Staff' else {sixteenth} if grade == 'Lead' else 0")
    cases = [of_cents(cents, grade=grade) for cents in (1204, 1208) for grade in (0, 1, 2)]

    found = ties_of(model, "meal_part", cases)

    assert found == [["1", "1 odd"], [], [], [], ["2"], []]


def test_a_tie_of_an_item_counts_where_the_item_is_looked_at() -> None:
    """An eighth of each meal is paid; of the hotel, which costs 12.04 as well, nothing is."""
    model = meals("sum(round(i.amount / 8, 2) for i in lines if i.kind == 'Meal')")
    items = [(line(0, 1204),), (line(1, 1204),), (line(0, 1200), line(0, 1212)), (line(0, 1208),)]

    found = ties_of(model, "meal_part", [claim(lines=lines) for lines in items])

    assert found == [["1", "1 odd"], [], ["1"], []]


def test_an_average_has_ties() -> None:
    """The averages are 10.05, 10.05 of three, 10.15, and 10.10."""
    amounts = [(1000, 1010), (1000, 1000, 1015), (1000, 1030), (1000, 1020)]

    found = ties_of(claims(), "average_line", [of_cents(*cents) for cents in amounts])

    assert found == [["1", "1 odd"], ["1", "1 odd"], ["1"], []]


def beside_items(model: DomainModel, site: str, rows: list[Row]) -> list[list[str]]:
    """Return for each row the sides of the boundary of items that it has an item at."""
    met = occurring(model, rows)
    place = f"{site}, item part 1 at "
    return [[side for side in SIDES if met[place + side][number]] for number in range(len(rows))]


def test_a_list_is_asked_for_items_at_the_boundary_and_beside_it() -> None:
    """Lines of more than 50 dollars need a receipt."""
    amounts = [(4998,), (4999,), (5000,), (5001,), (5002,), (4999, 5001), ()]

    found = beside_items(claims(), "edge receipts.1", [of_cents(*cents) for cents in amounts])

    assert found == [[], ["-1"], ["+0"], ["+1"], [], ["-1", "+1"], []]


def test_the_items_of_a_formula_have_boundaries_where_its_branch_is_taken() -> None:
    dear = "count(i for i in lines if i.amount >= 120 and i.kind == 'Meal')"
    model = meals(f"{dear} if grade == 'Staff' else 0")
    cases = [of_cents(900, cents, grade=grade) for cents in (11_999, 12_000) for grade in (0, 1)]

    assert beside_items(model, "formula meal_part", cases) == [["-1"], [], ["+0"], []]


def test_a_choice_is_asked_for_where_its_branch_is_taken() -> None:
    """The region counts for staff only."""
    model = meals("(0.10 if region == 'Near' else 0.20) if grade == 'Staff' else 0")
    goals = ("choice meal_part.2, yes", "choice meal_part.2, no")
    cases = [claim(grade=grade, region=region) for grade in (0, 1) for region in (0, 1)]
    met = occurring(model, cases)

    found = [[name for name in goals if met[name][place]] for place in range(len(cases))]

    assert found == [[goals[0]], [goals[1]], [], []]


def test_a_choice_for_each_item_is_asked_for_on_items_that_count() -> None:
    """Lines of up to ten dollars do not count, whatever they are for."""
    each = "0.10 if i.kind == 'Meal' else 0.20"
    model = meals(f"sum(({each}) for i in lines if i.amount > 10)")
    goals = ("choice meal_part.1, yes", "choice meal_part.1, no")
    lists = [(line(0, 1001),), (line(1, 1001),), (line(0, 1001), line(2, 1001)), (line(0, 1000),)]
    met = occurring(model, [claim(lines=lines) for lines in lists])

    found = [[name for name in goals if met[name][place]] for place in range(len(lists))]

    assert found == [[goals[0]], [goals[1]], list(goals), []]


def test_a_list_that_may_be_missing_is_there_where_its_items_are_asked_for() -> None:
    model = claims(("if c.was_late) >= 2", "if c.paid > 120) >= 2"))
    lists = [None, (), ({"paid": 12_001, "was_late": 0},)]

    found = beside_items(model, "rule risk.K3", [claim(earlier_claims=items) for items in lists])
    noticing = Noticing(model)
    asked = [goal for goal in collect_goals(model, noticing.places) if "K3, item" in goal.id]
    rows = GoalRows(model, Places(model, 5))
    rows.fill_pool()

    assert found == [[], [], ["+1"]]
    assert len(asked) == 3
    for goal in asked:
        made = rows.find(goal.id, noticing.derive_notice(goal).outcomes)
        assert isinstance(made, Candidate)
        assert made.row["earlier_claims"] is not None


def test_what_the_range_of_a_field_rules_out_is_no_goal() -> None:
    """No list has fewer than no entries, and there are three reservations at most."""
    ids = {*goal_ids(claims()), *goal_ids(orders())}

    asked = {name: [side for side in SIDES if f"{name} at {side}" in ids] for name in ENDS}

    assert asked == ENDS


ENDS = {
    "edge find.2, part 1": ["+0", "+1"],
    "guard reserveGoods.G2, part 1": ["-1", "+0"],
    "edge receipts.2, part 2": list(SIDES),
}


FIELDS = """\
        part: {role: derived, type: number, places: 2, min: 0.00, max: 9000.00, description: x}
        third: {role: derived, type: number, places: 1, min: 0.0, max: 3000.0, description: y}
"""
SHARE = """\
    share: {kind: compute, description: Share it, takes: [amount], returns: [third]}
"""
PARTS = """\
    part: {value: amount if amount > 60 else amount - 0.50}
    third: {value: 'round(part / 3, 1)'}
"""
THIRDS = """\
      thirds:
        title: Share
        call: share
        edges: [{when: third > 50, to: no_stock}, {to: reserve}]
"""
SHARED = (
    ("        amount: {role: observed,", f"{FIELDS}        amount: {{role: observed,"),
    ("    getRegion:\n", f"{SHARE}    getRegion:\n"),
    ("    release:\n      hit", f"{PARTS}    release:\n      hit"),
    ("- {to: reserve}\n", "- {to: thirds}\n"),
    ("      reserve:\n", f"{THIRDS}      reserve:\n"),
)


def test_what_a_tool_works_out_in_between_is_covered_too() -> None:
    """The tool returns a third of what it has worked out before, and does not return that."""
    covering = cover_goals(orders(*SHARED), 5)
    names = {goal.id for goal in covering.goals} - covering.collect_impossible_goals()

    assert covering.reasons == {}
    assert {"tie formula third 1", "choice part.1, yes", "choice part.1, no"} <= names
    assert {f"choice part.1, part 1 at {side}" for side in SIDES} <= names


def test_a_row_has_all_of_the_records_that_its_goal_needs() -> None:
    """No drawn case has a customer where all references dangle; those of goals are whole."""
    covering = cover_goals(orders(("dangling_share: 15", "dangling_share: 100")), 5)
    rows = [task.row for task in covering.tasks if task.row["customer"] is not None]

    assert covering.reasons == {}
    assert len(rows) > 3
    assert all(drawn[name] is not None for drawn in rows for name in ("tier", "customer_since"))
    assert all(drawn["region"] == 1 and drawn["blocked"] in {0, 1} for drawn in rows)


def test_a_drawn_row_serves_one_goal_as_long_as_there_are_others() -> None:
    rows = GoalRows(PARCEL, Places(PARCEL, 5))
    drawn = sample_rows(PARCEL, 5, range(3))

    taken = [rows.take_fresh_row(iter(drawn)) for _ in range(4)]

    assert [drawn.index(dict(row or {})) for row in taken] == [0, 1, 2, 0]


def test_taken_rows_are_kept_so_that_no_other_passes_for_one() -> None:
    rows = GoalRows(PARCEL, Places(PARCEL, 5))

    for number in range(200):
        row = {"number": number}
        assert rows.take_fresh_row(iter([row])) is row
        del row

    assert len(rows.used) == 200


def test_a_further_covering_of_a_model_asks_the_solver_nothing_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Expression] = []

    def noted(model: DomainModel, wanted: Expression, drawn: Row, units: int) -> Witness:
        asked.append(wanted)
        return find_witness(model, wanted, drawn, units)

    monkeypatch.setattr(goal_rows, "find_witness", noted)
    model, witnesses = orders(), Witnesses()
    first = cover_goals(model, 5, witnesses=witnesses)
    number = len(asked)
    further = cover_goals(model, 5, witnesses=witnesses)

    assert len(asked) == number > 0
    anew = cover_goals(model, 5)
    assert len(asked) == 2 * number
    for other in (further, anew):
        assert (other.tasks, other.unmet, other.reasons) == (first.tasks, first.unmet, {})


def test_what_the_solver_answered_for_one_row_is_no_answer_for_another() -> None:
    over, witnesses = condition(PARCEL, "weight > 3.00"), Witnesses()

    light, heavy = (
        witnesses.find(PARCEL, "over", over, row(weight=weight)) for weight in (100, 700)
    )

    assert light == row(weight=301)
    assert heavy == row(weight=700)
