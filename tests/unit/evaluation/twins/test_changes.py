"""Which changes can be made to a model, and what each of them changes."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from sopforge.evaluation.twins.changes import ChangeKind, Oddity, RuleChange, iterate_changes
from sopforge.evaluation.twins.other_conditions import iterate_other_conditions
from sopforge.language.domain.documents.yaml_documents import read_document

FEES = Path(__file__).parents[3] / "briefs" / "fees.yaml"


@pytest.fixture(name="facts")
def read_facts() -> dict[str, Any]:
    value: Any = read_document(FEES.read_text("utf-8"), "fees.yaml").value
    facts: dict[str, Any] = value["model"]
    return facts


def find(facts: dict[str, Any], kind: ChangeKind, place: str) -> list[RuleChange]:
    return [item for item in iterate_changes(facts) if (item.kind, item.place) == (kind, place)]


def test_a_change_changes_its_place_and_nothing_else(facts: dict[str, Any]) -> None:
    for change in iterate_changes(facts):
        changed = change.apply(facts)
        assert changed != facts, change.id
        for path, value in change.values:
            part: Any = changed
            for key in path[:-1]:
                part = part[key]
            assert part[path[-1]] == value
            original: Any = facts
            for key in path[:-1]:
                original = original[key]
            part[path[-1]] = original[path[-1]]
        assert changed == facts, change.id


def test_limits_keep_their_places_and_far_ones_are_odd(facts: dict[str, Any]) -> None:
    found = {item.values[0][1]: item.oddity for item in find(facts, ChangeKind.LIMIT, "daily_fee")}

    assert found[Decimal("1.00")] is Oddity.ORDINARY
    assert found[Decimal("5.00")] is Oddity.ODD
    assert all(abs(value.as_tuple().exponent) == 2 for value in found)
    assert Decimal("1.25") not in found


def test_a_rule_may_stand_before_one_that_gives_something_else(facts: dict[str, Any]) -> None:
    (change,) = find(facts, ChangeKind.ORDER, "lateness.L2")
    rules = change.apply(facts)["decisions"]["lateness"]["rules"]

    assert [rule["id"] for rule in rules] == ["L2", "L1", "L3"]


def test_a_result_is_another_label(facts: dict[str, Any]) -> None:
    found = find(facts, ChangeKind.RESULT, "lateness.L3")

    assert {item.values[0][1] for item in found} == {"in time", "tolerated"}
    assert all(item.oddity is Oddity.ORDINARY for item in found)


def test_two_answers_are_exchanged_throughout(facts: dict[str, Any]) -> None:
    found = [item for item in find(facts, ChangeKind.RESULT, "lateness") if "in time" in item.words]
    rules = found[1].apply(facts)["decisions"]["lateness"]["rules"]

    assert found[1].oddity is Oddity.CONTRARY
    given = [rule.get("then", rule.get("otherwise")) for rule in rules]
    assert given == ["charged", "tolerated", "in time"]


def test_conditions_near_another_one() -> None:
    found = {text: is_odd for text, _, is_odd in iterate_other_conditions("a <= 3 and b != 'x'")}

    assert found == {
        "b != 'x'": False,
        "a <= 3": False,
        "a < 3 and b != 'x'": False,
        "a > 3 and b != 'x'": True,
        "a <= 3 and b == 'x'": True,
    }
    assert list(iterate_other_conditions(None)) == []
