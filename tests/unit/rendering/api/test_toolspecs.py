from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from sopforge.artifacts.rendering.api.arguments import build_arguments_schema, iterate_operations
from sopforge.artifacts.rendering.api.openapi import render_openapi
from sopforge.artifacts.rendering.api.toolspecs import HONOURED, render_toolspecs
from sopforge.language.domain.model import DomainModel
from tests.worlds.small_models import claims, parcel

EACH_MODEL = pytest.mark.parametrize("model", [parcel(), claims()], ids=["parcel", "claims"])
VALUES: tuple[object, ...] = (
    *("PX00001", "EX000001", "Night", "night", "yes", True, None, 3, 3.5, -1, 1e9, "", "plain"),
    *("2026-03-01", "2026-03-01 10:00", "Staff", [], ["Glass"], [{}], {"a": 1}, "Ada"),
    [{"kind": "Meal", "amount": 1.0, "has_receipt": "yes", "extras": []}],
)


def specs_of(openapi: str) -> dict[str, Any]:
    specs = [item["toolSpec"] for item in json.loads(render_toolspecs(openapi))]
    return {spec["name"]: spec for spec in specs}


def keywords(schema: Mapping[str, Any]) -> Iterator[str]:
    """Return every keyword that a schema uses, at any depth."""
    yield from schema
    inner = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    if "items" in schema:
        inner.append(schema["items"])
    for part in inner:
        yield from keywords(part)


def test_toolspecs_have_the_shape_that_harnesses_read() -> None:
    specs = json.loads(render_toolspecs(render_openapi(parcel(), {})))

    assert [list(spec) for spec in specs] == [["toolSpec"]] * 3
    price = specs[1]["toolSpec"]
    assert set(price) == {"name", "description", "inputSchema"}
    assert price["name"] == "priceParcel"
    assert price["description"] == (
        "Work out the surcharge. Parameters, all required: parcel_id (string), weight (number),"
        " service (one of Standard | Express | Night). Returns surcharge, service_points."
    )
    assert list(price["inputSchema"]) == ["json"]
    schema = price["inputSchema"]["json"]
    assert schema["type"] == "object"
    assert schema["required"] == ["parcel_id", "weight", "service"]
    Draft202012Validator.check_schema(schema)


@EACH_MODEL
def test_only_keywords_that_harnesses_honour_are_used(model: DomainModel) -> None:
    for spec in specs_of(render_openapi(model, {})).values():
        assert set(keywords(spec["inputSchema"]["json"])) <= HONOURED


def test_what_a_keyword_said_that_is_left_out_stands_in_the_description() -> None:
    add_up = specs_of(render_openapi(claims(), {}))["addUp"]["inputSchema"]["json"]
    lines = add_up["properties"]["lines"]

    assert lines["description"] == (
        "What was spent; a JSON list of objects, [] for 'no line'; at most 4 items"
    )
    extras = lines["items"]["properties"]["extras"]
    assert extras["description"].endswith("; each at most once")


def test_each_parameter_says_what_stands_for_none_of_it() -> None:
    of_claims = specs_of(render_openapi(claims(), {}))["addUp"]
    spec = specs_of(
        render_openapi(parcel(("[parcel_id, weight, service]", "[contents, weight, service]")), {})
    )["priceParcel"]
    contents = spec["inputSchema"]["json"]["properties"]["contents"]
    release = specs_of(render_openapi(parcel(), {}))["releaseParcel"]["inputSchema"]["json"]
    read = specs_of(
        render_openapi(parcel(("[parcel_id, sent_on, fragile]", "[parcel_id, due_on]")), {})
    )["findParcel"]["inputSchema"]["json"]

    assert contents["description"] == (
        "Contents; a JSON list of labels, [] for 'nothing listed'; each at most once"
    )
    assert "contents (list of any of Books | Glass | Medicine; [] for none)" in spec["description"]
    assert (
        "lines (list of objects with kind, amount, has_receipt, extras; [] for none)"
        in (of_claims["description"])
    )
    assert release["properties"]["care"]["description"] == (
        "Care; must be given: neither 'not judged' nor null is taken"
    )
    assert read["properties"]["due_on"]["description"] == (
        "Day, as year-month-day, from 2026-01-01 to 2026-04-30; 'no due date' where there is"
        " none, never null"
    )


@EACH_MODEL
def test_toolspecs_and_api_take_the_same_parameters_and_values(model: DomainModel) -> None:
    text = render_openapi(model, {})
    document = yaml.safe_load(text)
    specs = specs_of(text)

    assert list(specs) == [item["operationId"] for item in iterate_operations(document)]
    for operation in iterate_operations(document):
        taken = build_arguments_schema(document, operation)
        spec = specs[operation["operationId"]]["inputSchema"]["json"]
        assert spec["required"] == taken["required"]
        assert spec["additionalProperties"] is False
        for name, schema in taken["properties"].items():
            validator = Draft202012Validator(schema)
            loose = Draft202012Validator(spec["properties"][name])
            for value in VALUES:
                assert loose.is_valid(value) or not validator.is_valid(value)
                if not {"maxItems", "uniqueItems", "minLength"} & set(keywords(schema)):
                    assert loose.is_valid(value) == validator.is_valid(value)
