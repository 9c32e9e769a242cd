"""Changes of what an agent may call are reported, and whether callers break."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from sopforge.pipeline.changes.interface import InterfaceChange, compare_interfaces
from sopforge.pipeline.changes.schemas import Impact, compare_schemas
from tests.worlds.changed_briefs import DECLINED, LONGER, NEW_TOOL, REFUND, domain_of

BREAKING, COMPATIBLE, WORDING = Impact.BREAKING, Impact.COMPATIBLE, Impact.WORDING

TAKES: dict[str, Any] = {
    "type": "object",
    "properties": {
        "order": {"type": "string", "pattern": "^O[0-9]$", "description": "the order"},
        "days": {"type": "integer", "minimum": 0, "maximum": 90},
        "reason": {"type": "string", "enum": ["Damaged", "Wrong item"]},
        "items": {"type": "array", "maxItems": 3, "items": {"type": "string", "enum": ["a", "b"]}},
    },
    "required": ["order", "days"],
}


def changed(place: str, value: object) -> dict[str, Any]:
    """Return the schema with something else in a dotted place; None takes it away."""
    whole: dict[str, Any] = json.loads(json.dumps(TAKES))
    part: Any = whole
    *path, last = place.split(".")
    for name in path:
        part = part[name]
    if value is None:
        del part[last]
    else:
        part[last] = value
    return whole


@pytest.mark.parametrize(
    ("place", "value", "impact", "what"),
    [
        pytest.param(
            "properties.days", None, BREAKING, "it takes days no longer", id="parameter gone"
        ),
        pytest.param(
            "properties.more",
            {"type": "string"},
            COMPATIBLE,
            "it takes more, which is new",
            id="optional parameter",
        ),
        pytest.param(
            "properties.days.type",
            "string",
            BREAKING,
            "it takes days: type string instead of integer",
            id="other type",
        ),
        pytest.param(
            "properties.days.type",
            "number",
            COMPATIBLE,
            "it takes days: type number instead of integer",
            id="wider type",
        ),
        pytest.param(
            "properties.days.maximum",
            60,
            BREAKING,
            "it takes days: most 60 instead of 90, narrower",
            id="lower most",
        ),
        pytest.param(
            "properties.days.maximum",
            120,
            COMPATIBLE,
            "it takes days: most 120 instead of 90, wider",
            id="higher most",
        ),
        pytest.param(
            "properties.days.minimum",
            1,
            BREAKING,
            "it takes days: least 1 instead of 0, narrower",
            id="higher least",
        ),
        pytest.param(
            "properties.days.minimum",
            None,
            COMPATIBLE,
            "it takes days: least none instead of 0, wider",
            id="no least",
        ),
        pytest.param(
            "properties.reason.enum",
            ["Damaged"],
            BREAKING,
            "it takes reason: the value 'Wrong item' is gone",
            id="value gone",
        ),
        pytest.param(
            "properties.reason.enum",
            ["Damaged", "Wrong item", "Other"],
            COMPATIBLE,
            "it takes reason: the value 'Other' is new",
            id="new value",
        ),
        pytest.param(
            "properties.reason.enum",
            None,
            COMPATIBLE,
            "it takes reason: values are no longer listed",
            id="any value",
        ),
        pytest.param(
            "properties.order.pattern",
            "^P[0-9]$",
            BREAKING,
            "it takes order: pattern ^P[0-9]$ instead of ^O[0-9]$",
            id="other pattern",
        ),
        pytest.param(
            "properties.order.description",
            "an order",
            WORDING,
            "it takes order: reworded",
            id="words",
        ),
        pytest.param(
            "properties.items.items.enum",
            ["a"],
            BREAKING,
            "it takes items, its entries: the value 'b' is gone",
            id="value of entries gone",
        ),
        pytest.param(
            "required",
            ["order", "days", "reason"],
            BREAKING,
            "it takes reason: required, no longer optional",
            id="required",
        ),
        pytest.param(
            "required",
            ["order"],
            COMPATIBLE,
            "it takes days: optional, no longer required",
            id="optional",
        ),
        pytest.param(
            "properties.days.not",
            {"const": 3},
            BREAKING,
            "it takes days: not changed",
            id="unknown keyword",
        ),
    ],
)
def test_a_change_of_a_parameter_is_classified(
    place: str, value: object, impact: Impact, what: str
) -> None:
    assert list(compare_schemas("it takes", TAKES, changed(place, value))) == [(impact, what)]


def test_a_new_parameter_that_is_required_breaks() -> None:
    new = changed("properties.more", {"type": "string"})
    new["required"] = ["order", "days", "more"]
    assert list(compare_schemas("it takes", TAKES, new)) == [
        (BREAKING, "it takes more, which is new and required")
    ]


@pytest.mark.parametrize(
    ("place", "value", "impact"),
    [
        pytest.param("properties.days", None, BREAKING, id="gone"),
        pytest.param("properties.days.type", "number", BREAKING, id="other type"),
        pytest.param("properties.reason.enum", ["Damaged"], COMPATIBLE, id="fewer values"),
        pytest.param("properties.days.maximum", 60, COMPATIBLE, id="narrower"),
        pytest.param("properties.more", {"type": "string"}, COMPATIBLE, id="more"),
    ],
)
def test_of_a_result_only_what_it_no_longer_has_breaks(
    place: str, value: object, impact: Impact
) -> None:
    found = list(compare_schemas("it returns", TAKES, changed(place, value), is_result=True))
    assert [item for item, _ in found] == [impact]


def test_equal_interfaces_have_no_changes() -> None:
    files = domain_of(REFUND).files
    assert compare_interfaces(files, files) == ()


def test_a_threshold_changes_no_interface() -> None:
    assert compare_interfaces(domain_of(REFUND).files, domain_of(REFUND, LONGER).files) == ()


def test_a_new_tool_does_not_break() -> None:
    found = compare_interfaces(domain_of(REFUND).files, domain_of(REFUND, NEW_TOOL).files)
    assert InterfaceChange("lookUpPayment", COMPATIBLE, "the tool is new") in found
    assert all(item.impact is not BREAKING for item in found)


def test_a_lost_tool_breaks_unless_no_step_called_it() -> None:
    old, new = domain_of(REFUND, NEW_TOOL).files, domain_of(REFUND).files
    gone = InterfaceChange("lookUpPayment", BREAKING, "the tool is gone")
    assert gone in compare_interfaces(old, new)
    (missed,) = [
        item
        for item in compare_interfaces(old, new, ("lookUpOrder", "payRefund"))
        if item.tool == "lookUpPayment"
    ]
    assert missed == InterfaceChange(
        "lookUpPayment", COMPATIBLE, "the tool is gone; no step called it"
    )


def test_a_result_that_a_tool_no_longer_returns_breaks() -> None:
    change = ("returns: [days_since_delivery, order_amount]", "returns: [order_amount]")
    old, new = domain_of(REFUND).files, dict(domain_of(REFUND).files)
    whole = yaml.safe_load(new["api/openapi.yaml"])
    del whole["components"]["schemas"]["LookUpOrderResult"]["properties"]["days_since_delivery"]
    new["api/openapi.yaml"] = yaml.safe_dump(whole)
    assert change[0] in REFUND
    assert compare_interfaces(old, new) == (
        InterfaceChange("lookUpOrder", BREAKING, "it returns days_since_delivery no longer"),
    )


def test_another_path_breaks_and_another_refusal_does_not() -> None:
    old, new = domain_of(REFUND).files, dict(domain_of(REFUND).files)
    text = new["api/openapi.yaml"]
    new["api/openapi.yaml"] = text.replace("/refunds:", "/payments:")
    assert compare_interfaces(old, new) == (
        InterfaceChange(
            "payRefund",
            BREAKING,
            "it is called by POST /requests/{request_id}/payments, no longer by"
            " POST /requests/{request_id}/refunds",
        ),
    )
    new["api/openapi.yaml"] = text.replace("- not_eligible", "- excluded")
    assert [(item.impact, item.what) for item in compare_interfaces(old, new)] == [
        (COMPATIBLE, "it may refuse with excluded"),
        (COMPATIBLE, "it no longer refuses with not_eligible"),
    ]


def test_a_label_that_no_tool_takes_changes_no_interface() -> None:
    assert compare_interfaces(domain_of(REFUND).files, domain_of(REFUND, DECLINED).files) == ()


@pytest.mark.parametrize("text", ["openapi: [", "paths: 3", "- 1", ""])
def test_what_cannot_be_read_is_reported(text: str) -> None:
    old = {"api/openapi.yaml": domain_of(REFUND).files["api/openapi.yaml"]}
    found = compare_interfaces(old, {"api/openapi.yaml": text})
    assert found == (InterfaceChange("api/openapi.yaml", BREAKING, "one side cannot be read"),)


def test_a_schema_that_refers_to_itself_is_read() -> None:
    whole = yaml.safe_load(domain_of(REFUND).files["api/openapi.yaml"])
    schema = whole["components"]["schemas"]["LookUpOrderResult"]
    schema["properties"]["next"] = {"$ref": "#/components/schemas/LookUpOrderResult"}
    found = compare_interfaces(domain_of(REFUND).files, {"api/openapi.yaml": yaml.safe_dump(whole)})
    assert found == (InterfaceChange("lookUpOrder", COMPATIBLE, "it returns next, which is new"),)
