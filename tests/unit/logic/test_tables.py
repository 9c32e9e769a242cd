"""Decision tables as expressions, compared with what a person would do with each on every case."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pytest

from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Constant,
    Lookup,
    Missing,
    Not,
)
from sopforge.language.domain.rules import Collect, Formula, HitPolicy, Rule, Table
from sopforge.language.domain.values.types import BOOLEAN, DateType, EnumType, NumberType
from sopforge.language.logic.readings.scalar import evaluate, holds
from sopforge.language.logic.tables import (
    build_agreement,
    build_choice,
    build_coverage_condition,
    build_decision_value,
    build_equality,
    build_presence,
    build_result_presence,
    build_rule_condition,
)
from tests.worlds.small_models import condition, parcel, value

MODEL = parcel()
CASES = [{"service": service, "fragile": fragile} for service in range(3) for fragile in range(2)]


def points(number: int, places: int = 0) -> Constant:
    return Constant(NumberType(number, number, places), number)


def make(
    hit: HitPolicy,
    rules: Sequence[tuple[str, int]],
    collect: Collect | None = None,
    places: int = 0,
) -> Table:
    built = tuple(
        Rule(f"R{place}", condition(MODEL, text) if text else None, points(number, places))
        for place, (text, number) in enumerate(rules, start=1)
    )
    return Table("points", hit, built, "", collect)


@pytest.mark.parametrize(("collect", "cents"), [(Collect.COUNT, 200), (Collect.SUM, 350)])
def test_what_is_collected_has_the_places_of_its_field(collect: Collect, cents: int) -> None:
    rules = [("fragile", 125), ("service == 'Standard'", 225)]
    table = make(HitPolicy.COLLECT, rules, collect, places=2)
    node = build_decision_value(table)

    assert isinstance(node.type, NumberType)
    assert node.type.places == 2
    assert evaluate(node, {"fragile": 1, "service": 0}) == cents
    assert evaluate(node, {"fragile": 0, "service": 2}) == 0


def test_the_interval_of_a_sum_holds_all_sums() -> None:
    rules = [("fragile", 5), ("not fragile", -3), ("service != 'Night'", 4)]

    node = build_decision_value(make(HitPolicy.COLLECT, rules, Collect.SUM))

    assert isinstance(node.type, NumberType)
    assert (node.type.minimum, node.type.maximum) == (-3, 9)


def test_a_formula_is_its_own_value_and_covers_everything() -> None:
    formula = MODEL.decisions["surcharge"]
    assert isinstance(formula, Formula)

    assert build_decision_value(formula) is formula.value
    assert build_coverage_condition(formula) is None


def test_a_table_with_a_rest_covers_everything() -> None:
    assert build_coverage_condition(make(HitPolicy.FIRST, [("fragile", 1), ("", 2)])) is None
    assert build_coverage_condition(make(HitPolicy.COLLECT, [("fragile", 1)], Collect.SUM)) is None
    assert (
        build_coverage_condition(make(HitPolicy.COLLECT, [("fragile", 1)], Collect.COUNT)) is None
    )
    assert isinstance(build_coverage_condition(make(HitPolicy.UNIQUE, [("fragile", 1)])), AnyOf)
    assert isinstance(
        build_coverage_condition(make(HitPolicy.COLLECT, [("fragile", 1)], Collect.MAXIMUM)), AnyOf
    )


def test_a_rule_of_an_ordered_table_applies_where_no_earlier_one_holds() -> None:
    rules = [("fragile", 1), ("service != 'Night'", 2), ("", 3)]
    first, collected = make(HitPolicy.FIRST, rules), make(HitPolicy.COLLECT, rules, Collect.SUM)

    for case in CASES:
        held = [bool(case["fragile"]), case["service"] < 2]
        assert [holds(build_rule_condition(first, rule), case) for rule in first.rules] == [
            held[0],
            held[1] and not held[0],
            not any(held),
        ]
        assert [holds(build_rule_condition(collected, rule), case) for rule in collected.rules] == [
            *held,
            not any(held),
        ]


def test_the_only_rule_of_a_table_applies_always() -> None:
    table = make(HitPolicy.FIRST, [("", 3)])

    assert build_rule_condition(table, table.rules[0]) is None


FLAGS = [condition(MODEL, "fragile"), Not(condition(MODEL, "fragile"))]
DAYS = DateType(1, 9)
LABELS = EnumType(("a", "b"))


def test_values_of_one_type_are_compared() -> None:
    pairs = {
        True: [
            (points(5), points(500, 2)),
            (Constant(LABELS, 1), Constant(LABELS, 1)),
            (Constant(DAYS, 3), Constant(DAYS, 3)),
            (Constant(BOOLEAN, 1), Constant(BOOLEAN, 1)),
            (Constant(BOOLEAN, 0), Constant(BOOLEAN, 0)),
        ],
        False: [
            (points(5), points(501, 2)),
            (Constant(LABELS, 1), Constant(LABELS, 0)),
            (Constant(DAYS, 3), Constant(DAYS, 4)),
            (Constant(BOOLEAN, 0), Constant(BOOLEAN, 1)),
        ],
    }

    for is_same, cases in pairs.items():
        for left, right in cases:
            assert holds(build_equality(left, right), {}) is is_same, (left, right)
            assert holds(build_equality(right, left), {}) is is_same, (left, right)


def test_conditions_are_the_same_where_both_hold_or_none_does() -> None:
    for (left, right), fragile in product(product(FLAGS, FLAGS), (0, 1)):
        assert holds(build_equality(left, right), {"fragile": fragile}) is (left is right)


NONE = Missing(NumberType(0, 9), "none")


@pytest.mark.parametrize("hit", [HitPolicy.FIRST, HitPolicy.UNIQUE])
def test_a_decision_has_a_value_where_the_rule_that_applies_gives_one(hit: HitPolicy) -> None:
    texts = [f"service == '{label}'" for label in ("Standard", "Express", "Night")]
    for pattern in product((True, False), repeat=len(texts)):
        rules = tuple(
            Rule(text, condition(MODEL, text), points(place) if is_value else NONE)
            for place, (text, is_value) in enumerate(zip(texts, pattern, strict=True))
        )
        table = Table("points", hit, rules, "")
        for case in CASES:
            # Exactly one of the three services is that of the case.
            is_value = pattern[case["service"]]
            assert holds(build_result_presence(table), case) == is_value
            if is_value:
                assert evaluate(build_decision_value(table), case) == case["service"]


def test_a_table_that_always_gives_a_value_asks_for_no_more_than_a_rule() -> None:
    table = make(HitPolicy.FIRST, [("fragile", 1), ("", 2)])

    assert build_result_presence(table) is None
    assert build_presence(build_decision_value(table)) is None


def test_a_look_up_has_a_value_for_the_labels_that_have_one() -> None:
    key = value(MODEL, "service", "service")
    rows = Lookup(NumberType(0, 9), key, (points(1), NONE, points(3)))

    assert [holds(build_presence(rows), {"service": code}) for code in range(3)] == [
        True,
        False,
        True,
    ]


def test_results_agree_that_are_equal_or_both_no_value() -> None:
    one, other = points(1), points(2)

    assert holds(build_agreement(NONE, NONE), {})
    assert not holds(build_agreement(points(0), NONE), {})
    assert not holds(build_agreement(NONE, points(0)), {})
    assert not holds(build_agreement(one, other), {})
    assert holds(build_agreement(one, points(10, 1)), {})
    choice = build_choice(condition(MODEL, "fragile"), one, NONE)
    assert [holds(build_agreement(choice, one), {"fragile": code}) for code in (0, 1)] == [
        False,
        True,
    ]
