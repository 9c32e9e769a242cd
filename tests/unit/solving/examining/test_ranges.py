from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.proof.solving.examining.tables import examine_tables
from tests.worlds.small_models import derived, judged, observed, orders

RESULT = {"R1": ("gap >= 2", "good")}
FOUR, FIVE = {"id": "P1", "when": "a >= 3", "then": 4}, {"id": "P2", "when": "a < b", "then": 5}


def decided(gap: object, least: int, greatest: int) -> DomainModel:
    """Return a model that works ``gap`` out of two numbers from 0 to 4."""
    fields = {"a": observed(0, 4), "b": observed(0, 4), "gap": derived(least, greatest)}
    return judged(fields, RESULT, formulas={"gap": gap})


def found(model: DomainModel) -> list[tuple[str, str]]:
    """Return where a value leaves its range, with the case that shows it."""
    findings = [item for item in examine_tables(model) if item.id == "out-of-range"]
    return [(item.where, item.evidence) for item in findings]


def collect(function: str, *rules: dict[str, object]) -> dict[str, object]:
    return {"hit": "collect", "collect": function, "rules": list(rules)}


def test_a_value_is_kept_in_its_range_by_the_conditions_of_its_rule() -> None:
    rest = {"id": "REST", "otherwise": 0}
    table = {"hit": "first", "rules": [{"id": "D1", "when": "a > b", "then": "a - b"}, rest]}
    loose = {"hit": "first", "rules": [{"id": "D1", "when": "a != b", "then": "a - b"}, rest]}
    # Of two rules in turn, the second has only the cases that the first one leaves.
    swapped = [{"id": "D1", "when": "a <= b", "then": 0}, {"id": "D2", "otherwise": "a - b"}]

    assert found(decided(table, 0, 4)) == []
    assert found(decided({"hit": "first", "rules": swapped}, 0, 4)) == []
    assert found(decided(loose, 0, 4)) == [("decisions.gap, rule D1", "a = 0, b = 1")]
    assert found(decided(table, 0, 3)) == [("decisions.gap, rule D1", "a = 4, b = 0")]


def test_what_rules_give_together_is_asked_of_cases_that_meet_them() -> None:
    # Both hold of one case, where a is 3 and b is 4: 9 in all, and 10 with the third.
    one = {"id": "P3", "when": "b > 3", "then": 1}
    assert found(decided(collect("sum", FOUR, FIVE), 0, 9)) == []
    assert found(decided(collect("sum", FOUR, FIVE), 0, 8)) == [("decisions.gap", "a = 3, b = 4")]
    assert found(decided(collect("sum", FOUR, FIVE, one), 0, 9)) == [
        ("decisions.gap", "a = 3, b = 4")
    ]
    # Where neither holds, nothing is summed or counted, which a range from 1 leaves out.
    assert found(decided(collect("sum", FOUR, FIVE), 1, 9)) == [("decisions.gap", "a = 0, b = 0")]
    assert found(decided(collect("count", FOUR, FIVE), 1, 9)) == [("decisions.gap", "a = 0, b = 0")]
    rest = {"id": "REST", "otherwise": 3}
    assert found(decided(collect("sum", FOUR, FIVE, rest), 3, 9)) == []
    assert found(decided(collect("max", FOUR, FIVE, rest), 3, 5)) == []


SLOTS = "slots: {role: derived, type: integer, min: 1, max: 3, description: reservations left}"
CONDITIONS = ("a > b", "a >= b", "a + b > 4", "a != b", "b > 1")
RESULTS = ("a - b", "b - a", "a + b", "a * b", "2 * a - b")


@pytest.mark.parametrize("seed", range(12))
def test_values_leave_their_range_where_trying_all_cases_shows_one(seed: int) -> None:
    chance = Random(seed)  # noqa: S311 - a choice of cases
    when, then, otherwise = chance.choice(CONDITIONS), *chance.sample(RESULTS, 2)
    cases = list(product(range(5), repeat=2))
    text = f"{then} if {when} else {otherwise}"
    values = {case: eval(text, {"a": case[0], "b": case[1]}) for case in cases}  # noqa: S307 - the texts above
    # One end is the true one, the other may be too narrow by one.
    least, greatest = min(values.values()), max(values.values()) - chance.randint(0, 1)

    shown = found(decided(text, least, greatest))

    assert bool(shown) == any(value > greatest for value in values.values())
    for _, evidence in shown:
        case = tuple(int(part.rpartition(" ")[2]) for part in evidence.split(", "))
        assert values[case] > greatest


def test_what_an_action_changed_is_asked_at_the_step_that_reads_it() -> None:
    # A reservation raises the count from 0, 1 or 2; whoever comes without one may still have 0.
    changes = (
        ("        release: {role: outcome", f"        {SLOTS}\n        release: {{role: outcome"),
        ("  decisions:\n", "  decisions:\n    slots: {value: 4 - reservations}\n"),
        ("ordered_on, reserved]", "ordered_on, reserved, reservations]"),
        ("decide: [release, reason]", "decide: [slots, release, reason]"),
    )
    only = ("already_reserved: decide", "already_reserved: no_stock")

    assert found(orders(*changes)) == [("decisions.slots", "reservations = 0")]
    assert found(orders(*changes, only)) == []
