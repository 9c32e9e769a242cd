"""Entities, references, effects and refusal edges as documents: what is read, and each refusal."""

from __future__ import annotations

import pytest

from sopforge.language.domain.fields import Entity
from sopforge.language.domain.model import DomainModel
from tests.conftest import Golden
from tests.unit.domain.refusals import FAULTS, list_faults
from tests.worlds.small_models import ORDERS, orders

MODEL = orders()
SEAL = 'seal: {role: secret, type: string, pattern: "S", unique: true, description: x}\n        '
CUSTOMER = "    customer:\n      key: customer_id\n"


def test_the_first_entity_is_the_case_and_the_others_are_referred_to() -> None:
    assert MODEL.case.name == "order"
    assert MODEL.key == "order_id"
    assert MODEL.references == (
        Entity(
            "customer",
            "customer_id",
            ("tier", "open_amount", "customer_since", "region_code"),
            records=40,
            dangling_share=15,
        ),
        Entity("region", "region_code", ("blocked",), records=9),
    )


def test_a_tool_reads_the_records_of_what_it_returns() -> None:
    read = {
        name: [entity.name for entity in MODEL.list_entities_read(tool)]
        for name, tool in MODEL.tools.items()
    }

    assert read == {
        "getOrder": ["order"],
        "getCustomer": ["customer"],
        "getRegion": ["region"],
        "reserveGoods": ["order"],
    }


def test_records_hold_their_key_and_what_the_tools_need() -> None:
    stored = {
        entity.name: [item.name for item in MODEL.list_stored_fields(entity)]
        for entity in MODEL.entities.values()
    }

    assert stored == {
        "order": ["order_id", "customer_id", "amount", "ordered_on", "reserved", "reservations"],
        "customer": ["customer_id", "tier", "open_amount", "customer_since", "region_code"],
        "region": ["region_code", "blocked"],
    }


@pytest.mark.parametrize(
    ("changes", "lacking"),
    [
        pytest.param([], ["customer", "region"], id="dangling or missing"),
        pytest.param(
            [("      dangling_share: 15\n", "")], ["customer", "region"], id="a missing reference"
        ),
        pytest.param(
            [
                ("      dangling_share: 15\n", ""),
                ("missing: walk-in, missing_share: 10, ", ""),
                ("          - {when: not present(customer_id), to: no_customer}\n", ""),
                ("        refused: {unknown_record: no_customer}\n", ""),
            ],
            [],
            id="neither",
        ),
    ],
)
def test_records_may_be_lacking_where_a_reference_may_lead_nowhere(
    changes: list[tuple[str, str]], lacking: list[str]
) -> None:
    model: DomainModel = orders(*changes)

    assert [item.name for item in model.entities.values() if model.may_lack(item)] == lacking


def test_a_fault_says_what_was_found(golden: Golden) -> None:
    faults = list_faults(
        [("        blocked: {", "        tier: {")],
        [(CUSTOMER, "    customer:\n      key: tier\n")],
        [(CUSTOMER, "    customer:\n      key: amount\n")],
        [("      key: order_id\n", "      key: order_id\n      dangling_share: 3\n")],
        [("      records: 9\n", "      records: 101\n")],
        [("tier: {role: observed", "tier: {role: input")],
        [("      takes: [customer_id]\n", "      takes: [order_id]\n")],
        [("      takes: [customer_id]\n", "      takes: [customer_id, amount]\n")],
        [("        refused: {unknown_record: no_customer}", "        refused: {gone: decide}")],
        [("already_reserved: decide, ", "already_reserved: nowhere, ")],
        [("        call: getOrder\n", "        refused: {too_many: decide}\n")],
        [('effects: {reserved: "yes"', 'effects: {blocked: "yes"')],
        [('effects: {reserved: "yes"', "effects: {order_id: O-000001")],
        [("    reserveGoods:\n      kind: action", "    reserveGoods:\n      kind: lookup")],
        [
            (
                "      takes: [order_id]\n      returns: [customer_id",
                "      takes: [order_id, reserved]\n      returns: [customer_id",
            )
        ],
        [("    region:\n      key: region_code\n", "    tier:\n      key: region_code\n")],
        [("refusal: too_many, ", "refusal: record_mismatch, ")],
        [
            (
                "blocked: {role: observed, type: boolean, yes_share: 20",
                SEAL + "blocked: {role: observed, type: boolean, yes_share: 20",
            )
        ],
        [("min(reservations + 1, 3)", "reservations + 1")],
        base=ORDERS,
        source="orders.yaml",
    )
    golden(FAULTS / "entities.txt", faults)
