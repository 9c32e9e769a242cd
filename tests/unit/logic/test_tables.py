"""Decision tables as expressions, compared with what a person would do with each on every case."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from random import Random

import pytest

from sopforge.language.domain.expressions.expressions import (
    AnyOf,
    Constant,
    Expression,
    Lookup,
    Missing,
    Not,
)
from sopforge.language.domain.rules import Collect, Formula, HitPolicy, Rule, Table
from sopforge.language.domain.values.types import BOOLEAN, DateType, EnumType, NumberType, SetType
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
from sopforge.language.logic.walking import find_hits
from tests.worlds.small_models import condition, parcel, value

MODEL = parcel()
CASES = [{"service": service, "fragile": fragile} for service in range(3) for fragile in range(2)]
TEXTS: dict[str, Callable[[Mapping[str, int]], bool]] = {
    "service == 'Standard'": lambda case: case["service"] == 0,
    "service in ['Express', 'Night']": lambda case: case["service"] > 0,
    "service != 'Night'": lambda case: case["service"] < 2,
    "fragile": lambda case: bool(case["fragile"]),
    "not fragile": lambda case: not case["fragile"],
    "fragile and service == 'Night'": lambda case: case == {"service": 2, "fragile": 1},
}
COLLECTED: dict[Collect, Callable[[Sequence[int]], int]] = {
    Collect.SUM: sum,
    Collect.MINIMUM: min,
    Collect.MAXIMUM: max,
    Collect.COUNT: len,
}
Drawn = list[tuple[str, int]]  # a condition and the number that it gives; no condition is "rest"


def points(number: int, places: int = 0) -> Constant:
    return Constant(NumberType(number, number, places), number)


def make(hit: HitPolicy, rules: Drawn, collect: Collect | None = None, places: int = 0) -> Table:
    built = tuple(
        Rule(f"R{place}", condition(MODEL, text) if text else None, points(number, places))
        for place, (text, number) in enumerate(rules, start=1)
    )
    return Table("points", hit, built, "", collect)


def applying(rules: Drawn, case: Mapping[str, int]) -> list[int]:
    """Return the places of the rules that hold; the rest holds where no other does."""
    found = [place for place, (text, _) in enumerate(rules) if text and TEXTS[text](case)]
    rest = [place for place, (text, _) in enumerate(rules) if not text]
    return found or rest


NUMBERS = [collect for collect in Collect if collect is not Collect.UNION]


def random_rules(source: Random, *, with_rest: bool) -> Drawn:
    texts = source.sample(sorted(TEXTS), source.randint(1, 4))
    rules = [(text, source.randint(-9, 9)) for text in texts]
    return [*rules, ("", source.randint(-9, 9))] if with_rest else rules


@pytest.mark.parametrize("with_rest", [False, True], ids=["without rest", "with rest"])
def test_the_first_rule_that_holds_decides(
    with_rest: bool,  # noqa: FBT001 - the case
) -> None:
    source = Random(1)  # noqa: S311 - no secret
    for _ in range(200):
        rules = random_rules(source, with_rest=with_rest)
        table = make(HitPolicy.FIRST, rules)
        for case in CASES:
            found = applying(rules, case)
            assert holds(build_coverage_condition(table), case) == bool(found)
            assert [rule.id for rule in find_hits(table, case)] == [f"R{n + 1}" for n in found[:1]]
            if found:
                assert evaluate(build_decision_value(table), case) == rules[found[0]][1]


@pytest.mark.parametrize("hit", [HitPolicy.UNIQUE, HitPolicy.ANY])
def test_rules_of_unique_and_any_may_stand_in_any_order(hit: HitPolicy) -> None:
    halves: Drawn = [("fragile and service == 'Night'", 5), ("not fragile", 7)]
    # Of "any", the two rules for an unbroken night parcel agree.
    rules: Drawn = [*halves, ("service != 'Night'", 7)] if hit is HitPolicy.ANY else halves
    for order in (rules, rules[::-1]):
        table = make(hit, order)
        for case in CASES:
            wanted = {number for text, number in order if TEXTS[text](case)}
            assert holds(build_coverage_condition(table), case) == bool(wanted)
            if wanted:
                assert {evaluate(build_decision_value(table), case)} == wanted


@pytest.mark.parametrize("with_rest", [False, True], ids=["without rest", "with rest"])
@pytest.mark.parametrize("collect", NUMBERS)
def test_collected_rules_make_one_number(
    collect: Collect,
    with_rest: bool,  # noqa: FBT001 - the case
) -> None:
    source = Random(2)  # noqa: S311 - no secret
    for _ in range(100):
        rules = random_rules(source, with_rest=with_rest)
        table = make(HitPolicy.COLLECT, rules, collect)
        for case in CASES:
            found = applying(rules, case)
            is_rest = found == [len(rules) - 1] and not rules[-1][0]
            is_open = not found and collect in {Collect.MINIMUM, Collect.MAXIMUM}
            assert holds(build_coverage_condition(table), case) is not is_open
            assert [rule.id for rule in find_hits(table, case)] == [f"R{n + 1}" for n in found]
            numbers = [rules[place][1] for place in found]
            if not is_open:
                wanted = numbers[0] if is_rest else COLLECTED[collect](numbers)
                assert evaluate(build_decision_value(table), case) == wanted


PAPERS = SetType(("bill", "label", "report"), "no paper")


@pytest.mark.parametrize("rest", [None, 0b010])
def test_collected_sets_are_put_together(rest: int | None) -> None:
    members = {"service == 'Night'": 0b001, "fragile": 0b101, "service != 'Night'": 0b000}
    rules = tuple(
        Rule(f"R{place}", condition(MODEL, text) if text else None, Constant(PAPERS, code))
        for place, (text, code) in enumerate(
            [*members.items(), *([("", rest)] if rest is not None else [])]
        )
    )
    table = Table("papers", HitPolicy.COLLECT, rules, "", Collect.UNION)

    assert build_coverage_condition(table) is None
    for case in CASES:
        wanted = 0b001 * (case["service"] == 2) | 0b101 * case["fragile"]
        assert evaluate(build_decision_value(table), case) == wanted
    # The first rule alone leaves cases to the rest.
    few = Table("papers", HitPolicy.COLLECT, (rules[1], *rules[3:]), "", Collect.UNION)
    for case in CASES:
        wanted = 0b101 if case["fragile"] else rest or 0
        assert evaluate(build_decision_value(few), case) == wanted


@pytest.mark.parametrize(("one", "other"), [(0, 0), (5, 5), (5, 4), (4, 5), (1, 2)])
def test_sets_are_equal_where_they_have_the_same_members(one: int, other: int) -> None:
    found = build_equality(Constant(PAPERS, one), Constant(PAPERS, other))

    assert holds(found, {}) is (one == other)


@pytest.mark.parametrize("collect", NUMBERS)
def test_a_table_of_the_rest_alone_gives_its_result(collect: Collect) -> None:
    table = make(HitPolicy.COLLECT, [("", 4)], collect)

    assert build_coverage_condition(table) is None
    assert {evaluate(build_decision_value(table), case) for case in CASES} == {4}
    assert [rule.id for rule in find_hits(table, CASES[0])] == ["R1"]


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
    rules: Drawn = [("fragile", 5), ("not fragile", -3), ("service != 'Night'", 4)]

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
    rules: Drawn = [("fragile", 1), ("service != 'Night'", 2), ("", 3)]
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


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [
        pytest.param(points(5), points(500, 2), True, id="5 and 5.00"),
        pytest.param(points(5), points(501, 2), False, id="5 and 5.01"),
        pytest.param(Constant(LABELS, 1), Constant(LABELS, 1), True, id="labels"),
        pytest.param(Constant(LABELS, 1), Constant(LABELS, 0), False, id="other labels"),
        pytest.param(Constant(DAYS, 3), Constant(DAYS, 3), True, id="days"),
        pytest.param(Constant(DAYS, 3), Constant(DAYS, 4), False, id="other days"),
        pytest.param(Constant(BOOLEAN, 1), Constant(BOOLEAN, 1), True, id="yes and yes"),
        pytest.param(Constant(BOOLEAN, 0), Constant(BOOLEAN, 0), True, id="no and no"),
        pytest.param(Constant(BOOLEAN, 0), Constant(BOOLEAN, 1), False, id="no and yes"),
    ],
)
def test_values_of_one_type_are_compared(
    left: Expression,
    right: Expression,
    is_same: bool,  # noqa: FBT001 - the claim of the example
) -> None:
    assert holds(build_equality(left, right), {}) is is_same
    assert holds(build_equality(right, left), {}) is is_same


def test_conditions_are_the_same_where_both_hold_or_none_does() -> None:
    for (left, right), fragile in product(product(FLAGS, FLAGS), (0, 1)):
        assert holds(build_equality(left, right), {"fragile": fragile}) is (left is right)


def test_a_yes_no_table_gives_yes_and_no() -> None:
    yes, no = (value(MODEL, text, "fragile") for text in ("service == 'Night'", "fragile"))
    rules = (
        Rule("R1", condition(MODEL, "service != 'Express'"), yes),
        Rule("R2", None, no),
    )
    table = Table("flag", HitPolicy.FIRST, rules, "")

    found = {
        (case["service"], case["fragile"]): evaluate(build_decision_value(table), case)
        for case in CASES
    }

    assert found == {(0, 0): 0, (0, 1): 0, (1, 0): 0, (1, 1): 1, (2, 0): 1, (2, 1): 1}


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


def test_where_no_rule_applies_there_is_no_value_either() -> None:
    rules = (
        Rule("R1", condition(MODEL, "fragile"), NONE),
        Rule("R2", condition(MODEL, "service == 'Night'"), points(1)),
    )
    table = Table("points", HitPolicy.FIRST, rules, "")

    found = [holds(build_result_presence(table), case) for case in CASES]

    assert found == [case == {"service": 2, "fragile": 0} for case in CASES]


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
