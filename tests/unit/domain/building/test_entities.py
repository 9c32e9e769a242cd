"""Entities, references, effects and refusal edges as documents: what is read, and each refusal."""

from __future__ import annotations

import pytest

from sopforge.errors import MaterialError
from sopforge.language.domain.fields import Entity
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from tests.worlds.small_models import ORDERS, changed, orders

MODEL = orders()
SEAL = 'seal: {role: secret, type: string, pattern: "S", unique: true, description: x}\n        '
CUSTOMER = "    customer:\n      key: customer_id\n"


def faults_of(*changes: tuple[str, str]) -> list[tuple[str, str]]:
    with pytest.raises(MaterialError) as caught:
        read_brief(changed(ORDERS, *changes), "orders.yaml")
    return [(fault.code, fault.message) for fault in caught.value.faults]


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


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        pytest.param(
            ("        blocked: {", "        tier: {"),
            "duplicate-name",
            "two entities have a field 'tier'",
            id="a field twice",
        ),
        pytest.param(
            (CUSTOMER, "    customer:\n      key: tier\n"),
            "unknown-reference",
            (
                "the key 'tier' is not a field of an earlier entity, or another entity already"
                " uses it as its key"
            ),
            id="a key of its own",
        ),
        pytest.param(
            (CUSTOMER, "    customer:\n      key: amount\n"),
            "reference-shape",
            "the reference 'amount' must be an input or observed field of type string, with"
            " 'pattern' and without 'unique'",
            id="a number as reference",
        ),
        pytest.param(
            ("      key: order_id\n", "      key: order_id\n      dangling_share: 3\n"),
            "case-entity",
            "only an entity that a reference leads to can have 'records' and 'dangling_share'",
            id="the case cannot dangle",
        ),
        pytest.param(
            ("      records: 9\n", "      records: 101\n"),
            "pattern-too-small",
            (
                "the pattern 'R-[0-9]{2}' allows only 100 texts, but the records of"
                " 'region' need 101"
            ),
            id="too few keys",
        ),
        pytest.param(
            ("tier: {role: observed", "tier: {role: input"),
            "role-not-allowed",
            "'tier' has the role input, which only fields of the first entity can have",
            id="an input of another entity",
        ),
        pytest.param(
            ("      takes: [customer_id]\n", "      takes: [order_id]\n"),
            "key-not-taken",
            "getCustomer does not take the key 'customer_id', which it needs to find its record",
            id="a record without its key",
        ),
        pytest.param(
            ("      takes: [customer_id]\n", "      takes: [customer_id, amount]\n"),
            "parameter-not-stored",
            "getCustomer takes 'amount', but no record that it reads has this field",
            id="nothing to compare with",
        ),
        pytest.param(
            ("        refused: {unknown_record: no_customer}", "        refused: {gone: decide}"),
            "unknown-refusal",
            "'refused' names gone, but getCustomer never refuses with this code",
            id="a code that is never given",
        ),
        pytest.param(
            ("already_reserved: decide, ", "already_reserved: nowhere, "),
            "unknown-step",
            "there is no step 'nowhere'",
            id="an edge to nowhere",
        ),
        pytest.param(
            ("        call: getOrder\n", "        refused: {too_many: decide}\n"),
            "step-shape",
            "step 'read' has 'refused', but does not call a tool",
            id="refused without a call",
        ),
        pytest.param(
            ('effects: {reserved: "yes"', 'effects: {blocked: "yes"'),
            "effects-not-allowed",
            "an action cannot change 'blocked'",
            id="an effect on a shared record",
        ),
        pytest.param(
            ('effects: {reserved: "yes"', "effects: {order_id: O-000001"),
            "effects-not-allowed",
            "an action cannot change 'order_id'",
            id="an effect on an input",
        ),
        pytest.param(
            ("    reserveGoods:\n      kind: action", "    reserveGoods:\n      kind: lookup"),
            "effects-not-allowed",
            "a lookup tool cannot have effects",
            id="effects of a lookup",
        ),
        pytest.param(
            (
                "      takes: [order_id]\n      returns: [customer_id",
                "      takes: [order_id, reserved]\n      returns: [customer_id",
            ),
            "parameter-changes",
            (
                "getOrder takes 'reserved' to compare it with the record, but an action changes"
                " 'reserved'"
            ),
            id="a parameter that goes stale",
        ),
        pytest.param(
            ("    region:\n      key: region_code\n", "    tier:\n      key: region_code\n"),
            "duplicate-name",
            "the name 'tier' is used for both a field and an entity",
            id="an entity called as a field",
        ),
        pytest.param(
            ("refusal: too_many, ", "refusal: record_mismatch, "),
            "name-reserved",
            "every tool already uses the code 'record_mismatch' itself",
            id="a code of the tools",
        ),
        pytest.param(
            (
                "blocked: {role: observed, type: boolean, yes_share: 20",
                SEAL + "blocked: {role: observed, type: boolean, yes_share: 20",
            ),
            "pattern-too-small",
            "'S' allows only 1 texts, but each of the 9 records needs its own",
            id="too few unique texts",
        ),
        pytest.param(
            ("min(reservations + 1, 3)", "reservations + 1"),
            "out-of-range",
            (
                "the value can be 1 to 4, but the field declares 0 to 3 (at column 1 of the"
                " expression)"
            ),
            id="an effect out of range",
        ),
    ],
)
def test_a_fault_names_what_was_found(change: tuple[str, str], code: str, message: str) -> None:
    assert (code, message) in faults_of(change)
