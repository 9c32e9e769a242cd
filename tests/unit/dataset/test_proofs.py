"""Proofs in words, against models whose contradictions are known by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from sopforge.dataset.covering import Covering, cover
from sopforge.dataset.mistakes import mistake_of
from sopforge.dataset.mutants import mutants_of
from sopforge.dataset.proofs import proofs_in_words
from tests.small_models import claims, orders, parcel

NOT_TAKEN = "way 2 out of step 'receipts' is not taken: "
PROOFS: Mapping[str, tuple[str, ...]] = {
    # The step before pays nothing out of these bounds, as the tool would refuse.
    "guard payClaim.P2, part 1 no": (
        f"{NOT_TAKEN}the payable amount is at most 900 USD",
        "asked for: the payable amount is more than 900 USD",
    ),
    "guard payClaim.P2, part 1 at +1": (
        f"{NOT_TAKEN}the payable amount is at most 900 USD",
        "asked for: the payable amount is exactly 900.01 USD",
    ),
    "guard payClaim.P1, no": (
        "guard payClaim.P1 does not hold: the pin is not the same as the code on file",
        "constraint: the pin is the same as the code on file",
    ),
    "guard payClaim.P3, no": (
        "way 1 out of step 'receipts' is not taken: the frozen account is \"no\"",
        'guard payClaim.P3 does not hold: the frozen account is "yes"',
    ),
    "rules way_of_review.W1 and W3": (
        "asked for: the risk is at least 5 points",
        "asked for: the risk is less than 5 points",
    ),
    # W1 and W2 are read before W3, and its opposite is what they have left over.
    "mutant way_of_review, W3 2": (
        "rule W1 of 'way_of_review' does not apply: the risk is less than 5 points",
        "for the mistake to matter: the risk is exactly 5 points",
    ),
}


FIRST = "        - {id: R1, when: tier"
LAST = "        - {id: R3, otherwise"
ABOVE = "        - {id: %s, when: amount > %s, then: %s}\n"
RULES = (
    (FIRST, ABOVE % ("R0", 8000, "held") + FIRST),
    (LAST, ABOVE % ("R4", 8500, "refused") + LAST),
)
MODELS = {
    "claims": claims(),
    "orders": orders(),
    "more rules": orders(*RULES),
    "any number": orders(("is: reservations < 3", "is: reservations < 4")),
    "parcel": parcel(),
}


@cache
def covering_of(model: str) -> Covering:
    return cover(MODELS[model], 5)


@cache
def proved(model: str) -> dict[str, tuple[str, ...]]:
    return proofs_in_words(MODELS[model], covering_of(model))


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_names_a_least_set_of_facts(name: str) -> None:
    assert proved("claims")[name] == PROOFS[name]


def test_a_range_can_be_the_reason() -> None:
    """There are three reservations at most."""
    assert proved("any number")["guard reserveGoods.G2, no"] == (
        "guard reserveGoods.G2 does not hold: the reservations are at least 4",
        "the reservations are from 0 to 3",
    )


def test_a_promise_of_the_records_can_be_the_reason() -> None:
    """References to regions never dangle."""
    found = proved("orders")

    assert found == {
        "guard getRegion.region, no": (
            "guard getCustomer.customer holds: there is a record of the customer",
            "guard getRegion.region does not hold: there is no record of the region",
            "the region code always leads to a record of the region",
        ),
        "guard getRegion.region, part 1 no": (
            "guard getCustomer.customer holds: there is a record of the customer",
            "guard getRegion.region does not hold: there is no record of the region",
            "the region code always leads to a record of the region",
        ),
        "mutant release, R2 first": (
            "for the mistake to matter: rules R1 and R2 both apply, and come to different results",
            'rules R1 and R2 come to the same result: "released"',
        ),
    }


def test_a_rule_that_an_earlier_one_leaves_nothing_is_proved_so() -> None:
    """R0 takes amounts above 8000 before R4 can take those above 8500."""
    found = proved("more rules")

    assert found["rule release.R4"] == (
        "rule R0 of 'release' does not apply: the amount is at most 8000 USD",
        "asked for: the amount is more than 8500 USD",
    )
    assert found["mutant release, R4 dropped"] == (
        "rule R0 of 'release' does not apply: the amount is at most 8000 USD",
        "for the mistake to matter, rule R4 applies: the amount is more than 8500 USD",
    )


PART = """\
        part: {role: derived, type: number, places: 2, min: 0.00, max: 3000.00, unit: USD,
               description: a third}
        amount: {role: observed,"""
SHARE = """\
    share: {kind: compute, description: Share it, takes: [amount], returns: [part]}
    getRegion:
"""
THIRDS = """\
      thirds:
        title: Share
        call: share
        edges: [{when: part > 3000, to: no_stock}, {to: reserve}]
      reserve:
"""
SHARED = (
    ("        amount: {role: observed,", PART),
    (
        "    release:\n      hit",
        "    part: {value: 'round(amount / 3, 2)'}\n    release:\n      hit",
    ),
    ("    getRegion:\n", SHARE),
    ("- {to: reserve}\n", "- {to: thirds}\n"),
    ("      reserve:\n", THIRDS),
)
ROUNDED = "rounded to 2 decimal places with halves away from zero"


def test_how_a_value_is_worked_out_is_a_fact_where_it_matters() -> None:
    """A third of at most 9000 USD is never more than 3000 USD."""
    model = orders(*SHARED)

    assert proofs_in_words(model, cover(model, 5))["edge thirds.1"] == (
        "asked for: the part is more than 3000 USD",
        f"the part is worked out as the amount divided by 3, {ROUNDED}",
        "the amount is from 1.00 to 9000.00 USD",
    )


@pytest.mark.parametrize(
    ("model", "part"),
    [("claims", 5), ("orders", 1), ("more rules", 1), ("parcel", 1)],
)
def test_nothing_that_a_case_shows_has_a_proof(model: str, part: int) -> None:
    """Asked to prove all goals and mutants impossible, it proves those that are, but one.

    Mistakes in guards, in the order of ways and the like are not looked at where they are made.
    """
    covering = covering_of(model)
    asked = [goal.id for goal in (*covering.goals, *covering.mutants)][::part]

    found = proofs_in_words(MODELS[model], replace(covering, infeasible=asked))

    impossible = set(asked) & set(covering.infeasible) - set(covering.other_paths)
    assert set(found) <= impossible
    mutants = mutants_of(MODELS[model])
    unseen = {item.id for item in mutants if mistake_of(MODELS[model], item.model) is None}
    assert impossible - set(found) - unseen <= {"mutant risk, K3 4"}
