"""Redundant rules: they read as rules, and whoever follows them comes to the same answers."""

from __future__ import annotations

import operator
import re

import pytest

from sopforge.artifacts.complexity.levels import apply_doses
from sopforge.artifacts.complexity.passages import place_passages
from sopforge.artifacts.complexity.rules.further_rules import iterate_redundant_rules
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import REDUNDANT
from sopforge.artifacts.rendering.sop.resolving import RULES_SECTION
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.language.domain.model import DomainModel
from tests.worlds.plain_variants import load_variant
from tests.worlds.small_models import judged, observed, parcel

BRIEFS = ("patient_intake", "dangerous_goods", "referral_abuse")


def make(model: DomainModel) -> Variant:
    return Variant(model, render_sop(model, ""))


def put_in(variant: Variant, seed: int) -> list[Statement]:
    passages = list(iterate_redundant_rules(variant, seed))
    return list(place_passages(variant, "redundant_rules", passages, seed).sop.statements)


@pytest.mark.parametrize("name", BRIEFS)
def test_each_stands_once_and_has_a_result_that_another_rule_gives_beside_it(name: str) -> None:
    lines = put_in(load_variant(name), 5)
    texts = [line.text for line in lines if line.excused == REDUNDANT]
    block: list[Statement] = []
    for item in [*lines, Statement(Style.TITLE, "End")]:
        if item.style in {Style.STEP, Style.SECTION, Style.TITLE}:
            given = [result_of(x) for x in block if x.excused != REDUNDANT]
            assert all(result_of(x) in given for x in block if x.excused == REDUNDANT)
            block = []
        elif item.term is not None:
            block.append(item)
    assert len(texts) >= 8
    assert len(set(texts)) == len(texts)
    assert {line.text for line in lines if line.excused != REDUNDANT}.isdisjoint(texts)


def result_of(item: Statement) -> object:
    """Return the value that a rule gives, or the step to which a transition leads."""
    match item.term:
        case ("rule", value, _) | ("goes", _, value):
            return value
        case _:
            return None


TESTS = {
    "is at least": operator.ge,
    "is more than": operator.gt,
}
TEST = re.compile(r"the (age|size) (is at least|is more than) (\d+)")


def apply_first(rules: list[str], values: dict[str, int]) -> str:
    """Return the label of the first of some lines that applies, read here by hand."""
    for rule in rules:
        label, _, condition = rule.partition(" if ")
        if all(TESTS[words](values[name], int(n)) for name, words, n in TEST.findall(condition)):
            return label.removesuffix(" in all other cases.")
    raise AssertionError(rules)


@pytest.mark.parametrize("seed", range(1, 4))
def test_whoever_takes_the_first_rule_comes_to_the_same_result(seed: int) -> None:
    model = judged(
        {"age": observed(0, 50), "size": observed(0, 9)},
        {"R1": ("age >= 30", "good"), "R2": ("size >= 4", "fair")},
    )
    lines = put_in(make(model), seed)
    rules = [line for line in lines if line.text.startswith(('"good"', '"fair"', '"bad"'))]
    plain = [line.text for line in rules if line.excused != REDUNDANT]
    every = [line.text for line in rules]

    assert len(every) == len(plain) + 2
    for age in range(51):
        for size in range(10):
            values = {"age": age, "size": size}
            assert apply_first(every, values) == apply_first(plain, values)


def test_some_take_cases_with_another_result_and_some_repeat_their_own() -> None:
    model = judged(
        {"age": observed(0, 50), "size": observed(0, 9)},
        {"R1": ("age >= 30", "good"), "R2": ("age >= 10", "fair"), "R3": ("size >= 4", "good")},
    )
    plain = make(model)
    lines = {line.text for seed in range(1, 9) for line in put_in(plain, seed)}
    added = {line for line in lines if "age is at least 30" in line and "size" in line}

    # The rule after it asks for the age, too.
    assert any(line.startswith('"good" if') for line in added)
    assert any(line.startswith('"fair" if') for line in added)


def test_a_rule_for_something_else_lends_no_result() -> None:
    model = judged(
        {"age": observed(0, 50), "size": observed(0, 9), "weight": observed(0, 9)},
        {"R1": ("age >= 30", "good"), "R2": ("size >= 4", "fair")},
    )
    plain = make(model)
    lines = [line for seed in range(1, 9) for line in put_in(plain, seed)]
    added = {line.text for line in lines if line.excused == REDUNDANT}

    assert added
    # The fact of the rule whose cases are taken stands first.
    assert all(line.startswith('"good" if') for line in added if "if the age" in line)


def test_a_domain_with_one_rule_and_one_fact_has_none() -> None:
    model = judged({"age": observed(0, 50)}, {"R1": ("age >= 30", "good")})

    assert list(iterate_redundant_rules(make(model), 3)) == []


def test_a_rule_with_alternatives_is_narrowed_to_one_of_them() -> None:
    limits = {"age": 30, "size": 7, "weight": 60}
    asked = " or ".join(f"{name} >= {limit}" for name, limit in limits.items())
    fields = {"age": observed(0, 50), "size": observed(0, 9), "weight": observed(0, 90)}
    variant = make(judged(fields, {"R1": (asked, "good"), "R2": ("age >= 5", "fair")}))
    every = [item for seed in range(1, 9) for item in put_in(variant, seed)]
    added = {item.text for item in every if item.excused == REDUNDANT}

    assert len(added) >= 6
    for text in added:
        tests = re.findall(r"the (\w+) is at least (\d+)", text)
        # Whoever meets all that is asked for meets one of the alternatives, or the rule after them.
        assert len(tests) == 2
        assert " or " not in text
        assert any(int(limit) >= limits[name] for name, limit in tests) or "age" in text, text


def test_moved_rules_are_left_to_their_section() -> None:
    plain = make(parcel())
    doses = {"cross_references": 4, "redundant_rules": 8}
    lines = apply_doses(plain, doses, 7).sop.statements
    (section,) = [n for n, line in enumerate(lines) if line.text.endswith(f". {RULES_SECTION}")]

    assert not [line for line in lines[section:] if line.excused == REDUNDANT]
