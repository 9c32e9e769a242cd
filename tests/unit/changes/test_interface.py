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

ONE, THREE = ["Damaged"], ["Damaged", "Wrong item", "Other"]
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
        ("properties.days", None, BREAKING, "days no longer"),
        ("properties.more", {"type": "string"}, COMPATIBLE, "more, which is new"),
        ("properties.days.type", "string", BREAKING, "days: type string instead of integer"),
        ("properties.days.type", "number", COMPATIBLE, "days: type number instead of integer"),
        ("properties.days.maximum", 60, BREAKING, "days: most 60 instead of 90, narrower"),
        ("properties.days.maximum", 120, COMPATIBLE, "days: most 120 instead of 90, wider"),
        ("properties.days.minimum", 1, BREAKING, "days: least 1 instead of 0, narrower"),
        ("properties.days.minimum", None, COMPATIBLE, "days: least none instead of 0, wider"),
        ("properties.reason.enum", ONE, BREAKING, "reason: the value 'Wrong item' is gone"),
        ("properties.reason.enum", THREE, COMPATIBLE, "reason: the value 'Other' is new"),
        ("properties.reason.enum", None, COMPATIBLE, "reason: values are no longer listed"),
        ("properties.order.pattern", "^P$", BREAKING, "order: pattern ^P$ instead of ^O[0-9]$"),
        ("properties.order.description", "an order", WORDING, "order: reworded"),
        (
            "properties.items.items.enum",
            ["a"],
            BREAKING,
            "items, its entries: the value 'b' is gone",
        ),
        ("required", ["order", "days", "reason"], BREAKING, "reason: required, no longer optional"),
        ("required", ["order"], COMPATIBLE, "days: optional, no longer required"),
        ("properties.days.not", {"const": 3}, BREAKING, "days: not changed"),  # Of unknown meaning.
    ],
)
def test_a_change_of_a_parameter_is_classified(
    place: str, value: object, impact: Impact, what: str
) -> None:
    found = list(compare_schemas("it takes", TAKES, changed(place, value)))
    assert found == [(impact, f"it takes {what}")]


def test_a_new_parameter_that_is_required_breaks() -> None:
    new = changed("properties.more", {"type": "string"})
    new["required"] = ["order", "days", "more"]
    assert list(compare_schemas("it takes", TAKES, new)) == [
        (BREAKING, "it takes more, which is new and required")
    ]


@pytest.mark.parametrize(
    ("place", "value", "impact"),
    [
        ("properties.days", None, BREAKING),
        ("properties.days.type", "number", BREAKING),
        ("properties.reason.enum", ONE, COMPATIBLE),
        ("properties.days.maximum", 60, COMPATIBLE),
        ("properties.more", {"type": "string"}, COMPATIBLE),
    ],
)
def test_of_a_result_only_what_it_no_longer_has_breaks(
    place: str, value: object, impact: Impact
) -> None:
    found = list(compare_schemas("it returns", TAKES, changed(place, value), is_result=True))
    assert [item for item, _ in found] == [impact]


@pytest.mark.parametrize("changes", [(), (LONGER,), (DECLINED,)], ids=["none", "limit", "label"])
def test_what_no_tool_takes_or_returns_changes_no_interface(
    changes: tuple[tuple[str, str], ...],
) -> None:
    assert compare_interfaces(domain_of(REFUND).files, domain_of(REFUND, *changes).files) == ()


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
