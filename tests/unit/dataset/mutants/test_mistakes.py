"""Where the mistakes of mutants lie, on orders and claims whose rules are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.english.words import phrase_expression
from sopforge.proof.dataset.mutants.mistakes import (
    Mistake,
    build_difference_condition,
    find_mistake,
)
from sopforge.proof.dataset.mutants.mutants import derive_mutants
from tests.worlds.small_models import claims, condition, orders

ORDERS, CLAIMS = orders(), claims()


def found(model: DomainModel, words: str) -> Mistake | None:
    (wrong,) = (mutant.model for mutant in derive_mutants(model) if mutant.words == words)
    return find_mistake(model, wrong)


def describe(model: DomainModel, mistake: Mistake | None) -> tuple[list[str], list[str], str]:
    """Return the rules and edges before a mistake, what must hold beside it, where it matters."""
    assert mistake is not None
    assert mistake.differ is not None
    beside = [phrase_expression(part, model.fields) for part in mistake.siblings]
    differ = phrase_expression(build_difference_condition(*mistake.differ), model.fields)
    return [name for name, _ in mistake.earlier], beside, differ


def test_a_swapped_comparator_matters_where_both_sides_are_equal() -> None:
    """Rule R1 asks for prime customers first, whose limit is three times as high."""
    assert describe(ORDERS, found(ORDERS, "in 'release', rule R1, < for <=")) == (
        [],
        ['the tier is "Prime"'],
        "the open amount plus the amount is equal to 5000 USD times 3",
    )


def test_a_mistake_at_a_step_comes_after_the_edges_before_it() -> None:
    assert describe(CLAIMS, found(CLAIMS, "at step 'days', edge 2, >= for >")) == (
        ["edge 1 out of step 'days'"],
        ["the last day of the trip is on or after 2026-03-01"],
        "the working days taken are 12",
    )


def test_rules_that_change_places_or_are_dropped_must_apply() -> None:
    swapped, dropped = (
        found(ORDERS, f"in 'release', rule R2 {what}") for what in ("before rule R1", "dropped")
    )

    assert swapped is not None
    assert dropped is not None
    assert [rule.id for rule in swapped.rules] == ["R1", "R2"]
    assert swapped.earlier == ()
    assert [rule.id for rule in dropped.rules] == ["R2"]
    assert [name for name, _ in dropped.earlier] == ["rule R1 of 'release'"]


def test_a_test_that_is_left_out_matters_where_it_fails() -> None:
    assert describe(
        ORDERS, found(ORDERS, "at step 'read', edge 1, no test whether customer_id is there")
    ) == (
        [],
        [],
        'the customer id is "walk-in"',
    )


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (ORDERS, "at step 'read', edge 2 to 'no_customer'"),
        (CLAIMS, "at step 'receipts', edge 1 at most 1 times"),
        (CLAIMS, "a malformed 'claim_id' taken as what was meant"),
        (CLAIMS, "in 'risk', count for sum"),
        (ORDERS, "open_limit of 4999"),
        (ORDERS, "in 'release', rule R3, result, released for held"),
    ],
)
def test_a_mistake_that_lies_in_no_single_condition_is_not_looked_at(
    model: DomainModel, words: str
) -> None:
    """An edge that leads elsewhere or back once less, a limit in two rules, a result and others."""
    assert found(model, words) is None


def test_a_mistake_in_a_tool_is_not_looked_at() -> None:
    tools = {name: replace(tool, guard=None) for name, tool in ORDERS.tools.items()}

    assert find_mistake(ORDERS, replace(ORDERS, tools=tools)) is None


def test_an_equality_and_its_opposite_differ_everywhere() -> None:
    equal, other = (condition(ORDERS, f"tier {sign} 'Prime'") for sign in ("==", "!="))

    assert build_difference_condition(equal, other) != build_difference_condition(other, other)
