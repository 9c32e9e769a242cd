"""Proofs in words, against models whose contradictions are known by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.coverage.covering import Covering, Unmet, cover_goals
from sopforge.proof.dataset.coverage.proofs import describe_proofs
from tests.worlds.small_models import claims, held_parcels, orders

NOT_TAKEN = "edge 2 out of step 'receipts' is not taken: "
PROOFS: Mapping[str, tuple[str, ...]] = {
    # The step before pays nothing out of these bounds, as the tool would refuse.
    "guard payClaim.P2, part 1 no": (
        f"{NOT_TAKEN}the payable amount is at most 900 USD",
        "asked for: the payable amount is more than 900 USD",
    ),
    "guard payClaim.P2, part 1 at +1": (
        f"{NOT_TAKEN}the payable amount is at most 900 USD",
        "asked for: the payable amount is 900.01 USD",
    ),
    "guard payClaim.P1, no": (
        "guard payClaim.P1 does not hold: the pin differs from the code on file",
        "constraint: the pin is the same as the code on file",
    ),
    "guard payClaim.P3, no": (
        "edge 1 out of step 'receipts' is not taken: the frozen account is \"no\"",
        'guard payClaim.P3 does not hold: the frozen account is "yes"',
    ),
    "rules kind_of_review.W1 and W3": (
        "asked for: the risk is at least 5 points",
        "asked for: the risk is less than 5 points",
    ),
    # W1 and W2 are read before W3, and its opposite is what they have left over.
    "mutant rule kind_of_review.W3 6": (
        "rule W1 of 'kind_of_review' does not apply: the risk is less than 5 points",
        "for the mistake to matter: the risk is 5 points",
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
    "parcel": held_parcels(),
}


@cache
def covering_of(model: str) -> Covering:
    return cover_goals(MODELS[model], 5)


@cache
def proved(model: str) -> dict[str, tuple[str, ...]]:
    return describe_proofs(MODELS[model], covering_of(model))


@pytest.mark.parametrize("name", PROOFS)
def test_a_proof_names_a_least_set_of_facts(name: str) -> None:
    assert proved("claims")[name] == PROOFS[name]


def test_a_range_can_be_the_reason() -> None:
    """There are three reservations at most."""
    assert proved("any number")["guard reserveGoods.G2, no"] == (
        "guard reserveGoods.G2 does not hold: the reservations are at least 4",
        "the reservations are from 0 to 3",
    )


def test_rules_that_agree_and_results_that_none_has_can_be_the_reason() -> None:
    """R1 and R2 both release; none of the three rules refuses, which ends alone do."""
    agree = (
        "for the mistake to matter: rules R1 and R2 both apply, and come to different results",
        'rules R1 and R2 come to the same result: "released"',
    )
    never_refused = (
        (
            "for the mistake to matter: 'the release is \"released\"' and"
            ' \'the release is "released" or "refused"\' do not agree'
        ),
        "rules R1, R2 and R3 decide on the release",
    )

    assert proved("orders") == {
        "mutant rule reason.N1 4": never_refused,
        "mutant release, R2 first": agree,
        "mutant release, last": agree,
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
ROUNDED = "rounded to 2 decimal places"


def test_how_a_value_is_worked_out_is_a_fact_where_it_matters() -> None:
    """A third of at most 9000 USD is never more than 3000 USD."""
    model = orders(*SHARED)

    assert describe_proofs(model, cover_goals(model, 5))["edge thirds.1"] == (
        "asked for: the part is more than 3000 USD",
        f"the part is worked out as the amount divided by 3, {ROUNDED}",
        "the amount is from 1.00 to 9000.00 USD",
    )


@pytest.mark.parametrize(
    ("model", "part"),
    [("claims", 5), ("orders", 1), ("more rules", 1), ("parcel", 1)],
)
def test_nothing_that_a_case_shows_has_a_proof(model: str, part: int) -> None:
    """Asked to prove that no case shows any goal, it proves it of those of which it is true.

    Where a mistake changes nothing, that is not always seen at the place where it is made.
    """
    covering = covering_of(model)
    asked = [goal.id for goal in covering.all_goals if goal.id not in covering.nearest][::part]
    impossible = covering.collect_impossible_goals()
    changing = {name for name, why in covering.unmet.items() if why is Unmet.PATH_ONLY}
    changing |= {goal.id for goal in covering.all_goals} - set(covering.unmet)

    never, idle = (
        describe_proofs(MODELS[model], replace(covering, unmet=dict.fromkeys(asked, why)))
        for why in (Unmet.IMPOSSIBLE, Unmet.WITHOUT_EFFECT)
    )

    assert set(never) == impossible & set(asked)
    assert set(idle).isdisjoint(changing)


RECALLS = Path(__file__).parents[3] / "worlds" / "recalls.yaml"


def test_what_was_never_returned_is_no_day() -> None:
    """Alone, the day of the earlier event is never looked up; R1 keeps R2 from reading it."""
    model = load_brief(RECALLS).model

    assert describe_proofs(model, cover_goals(model, 5))["mutant relation, last"] == (
        "edge 1 out of step 'begin' is taken: the earlier case is given",
        "edge 1 out of step 'begin' is not taken: there is no earlier case",
        'for the mistake to matter, rule R2 applies: the day of the event is "no day"',
        "the day of the event is from 2025-01-01 to 2025-06-30",
    )
