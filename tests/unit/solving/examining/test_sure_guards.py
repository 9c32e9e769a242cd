"""Guards that refuse nothing are pointed out; those that the procedure respects are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.findings import Severity
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.proof.solving.examining.inquiry import Inquiry
from sopforge.proof.solving.examining.sure_guards import examine_guards
from tests.worlds.small_models import changed, claims, orders, parcel, stays, warranty

G1 = "is: surcharge <= 30, refusal"
G2 = "{id: G1, is: surcharge <= 30, refusal: too_dear, says: the surcharge is too high}"


OWN = (
    "      requires: {id: O, is: account.owner == customer, refusal: not_owner,"
    " says: the customer does not hold the account}\n"
)


def messages(model: DomainModel) -> list[str]:
    found = examine_guards(Inquiry(model))
    assert {item.id for item in found} <= {"guard-never-fails"}
    assert {item.severity for item in found} <= {Severity.WARNING}
    return [item.message for item in found]


@pytest.mark.parametrize(
    "model",
    [
        pytest.param(parcel, id="parcel"),
        pytest.param(claims, id="claims"),
        pytest.param(orders, id="orders"),
        pytest.param(warranty, id="warranty"),
        pytest.param(stays, id="stays"),
    ],
)
def test_guards_that_some_call_fails_are_left_alone(model: object) -> None:
    assert callable(model)
    assert messages(model()) == []


def test_a_guard_that_the_range_of_its_field_grants_is_pointed_out() -> None:
    (message,) = messages(parcel((G1, "is: surcharge <= 60, refusal")))

    assert message == (
        "guard G1 of 'releaseParcel' never refuses with too_dear: it holds on every record and"
        " with all parameters"
    )


def test_a_guard_that_a_constraint_grants_is_pointed_out() -> None:
    # Accounts of claims with lines alone may be frozen; no parameter says how many lines there are.
    frozen = ("is: not frozen, refusal", "is: not frozen or count(i for i in lines) > 0, refusal")
    takes = ("takes: [claim_id, pin, payable]", "takes: [claim_id, pin, payable, lines]")

    (message,) = messages(claims(frozen))
    assert message.startswith("guard P3 of 'payClaim' never refuses with account_frozen")
    # As a parameter the list may be any, whatever the record holds.
    assert messages(claims(frozen, takes)) == []


def test_a_guard_after_a_wider_one_names_that() -> None:
    wider = G2.replace("G1", "G0").replace("<= 30", "<= 40").replace("too_dear", "much_too_dear")

    (message,) = messages(parcel((G2, f"{G2}\n          - {wider}")))

    assert message == (
        "guard G0 of 'releaseParcel' never refuses with much_too_dear: guard G1 before it refuses"
        " the same cases"
    )
    # In the other order each refuses some call.
    assert messages(parcel((G2, f"{wider}\n          - {G2}"))) == []


def test_a_guard_on_what_an_action_changes_may_fail_later() -> None:
    # What an action has set need not satisfy a constraint any more.
    few = ("    - ordered_on >=", "    - reservations < 3\n    - ordered_on >=")
    effects = (
        '      effects: {reserved: "yes", reservations: "min(reservations + 1, 3)"}\n',
        '      effects: {reserved: "yes"}\n',
    )

    assert messages(orders(few)) == []
    (message,) = messages(orders(few, effects))
    assert message.startswith("guard G2 of 'reserveGoods' never refuses with too_many")


def test_a_guard_over_two_parameters_may_fail_though_the_procedure_hands_over_what_fits() -> None:
    counter = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
    model = read_brief(
        changed(
            counter,
            ("takes: {customer: customer}", "takes: {customer: customer, account: account}"),
            (
                "      returns: [customer.standing]\n",
                "      returns: [customer.standing]\n" + OWN,
            ),
            ("with: {customer: payer.owner}", "with: {customer: payer.owner, account: payer}"),
        ),
        "counter.yaml",
    ).model

    assert messages(model) == []
