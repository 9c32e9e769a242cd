from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from sopforge.rendering.openapi import path_of, refusal_codes, render_openapi
from sopforge.rendering.toolspecs import render_toolspecs
from tests.small_models import claims, parcel

MODEL = parcel()
EXAMPLES = {
    "priceParcel": {
        "arguments": {"parcel_id": "PX00001", "weight": 10.0, "service": "Night"},
        "result": {"surcharge": 7.5, "service_points": 4},
    }
}
TEXT = render_openapi(MODEL, EXAMPLES)
DOCUMENT: Any = yaml.safe_load(TEXT)


def operation(tool: str) -> Any:  # noqa: ANN401 - a part of a YAML document
    return DOCUMENT["paths"][f"/{path_of(tool)}"]["post"]


def parameter(tool: str, name: str) -> Any:  # noqa: ANN401 - a part of a YAML document
    body = operation(tool)["requestBody"]["content"]["application/json"]
    return body["schema"]["properties"][name]


def test_the_document_is_valid() -> None:
    assert list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors()) == []


def test_each_tool_is_one_operation() -> None:
    assert list(DOCUMENT["paths"]) == ["/find-parcel", "/price-parcel", "/release-parcel"]
    assert operation("findParcel")["operationId"] == "findParcel"


def test_all_parameters_are_required_and_no_others_allowed() -> None:
    schema = operation("priceParcel")["requestBody"]["content"]["application/json"]["schema"]

    assert schema["required"] == ["parcel_id", "weight", "service"]
    assert schema["additionalProperties"] is False


def test_examples_come_from_a_task() -> None:
    priced = operation("priceParcel")

    assert (
        priced["requestBody"]["content"]["application/json"]["example"]
        == (EXAMPLES["priceParcel"]["arguments"])
    )
    assert (
        priced["responses"]["200"]["content"]["application/json"]["example"]
        == (EXAMPLES["priceParcel"]["result"])
    )


@pytest.mark.parametrize(
    ("tool", "codes"),
    [
        ("findParcel", ("invalid_parameter", "unknown_record", "record_mismatch")),
        ("priceParcel", ("invalid_parameter", "unknown_record")),
        ("releaseParcel", ("invalid_parameter", "unknown_record", "too_dear", "not_covered")),
    ],
    ids=["look-up", "calculator", "action"],
)
def test_refusals_are_listed_with_their_codes(tool: str, codes: tuple[str, ...]) -> None:
    assert refusal_codes(MODEL.tools[tool]) == codes
    described = operation(tool)["responses"]["422"]["description"]
    assert described == f"The service refuses: {', '.join(codes)}"


def test_a_tool_depends_on_those_whose_results_it_takes() -> None:
    assert operation("findParcel")["x-depends-on"] == []
    assert operation("priceParcel")["x-depends-on"] == ["findParcel"]
    assert operation("releaseParcel")["x-depends-on"] == ["priceParcel"]


@pytest.mark.parametrize(
    ("tool", "name", "good", "bad"),
    [
        pytest.param(
            "findParcel", "parcel_id", ["PX00001"], ["PX1", "px00001", "PX000011", 1], id="pattern"
        ),
        pytest.param(
            "findParcel", "sent_on", ["2026-03-01"], ["1 March", "2026-3-1", 20260301], id="date"
        ),
        pytest.param("findParcel", "fragile", ["yes", "no"], [True, "YES", "", 1], id="flag"),
        pytest.param("priceParcel", "weight", [0, 39.99, 40], [-0.01, 40.01, "5"], id="number"),
        pytest.param("priceParcel", "service", ["Night"], ["night", "", ["Night"]], id="label"),
        pytest.param(
            "releaseParcel", "care", ["plain"], ["not judged", "Plain"], id="an outcome is no word"
        ),
    ],
)
def test_schemas_accept_values_of_the_field_and_no_others(
    tool: str, name: str, good: list[object], bad: list[object]
) -> None:
    schema = Draft202012Validator(parameter(tool, name))

    assert [value for value in good if not schema.is_valid(value)] == []
    assert [value for value in bad if schema.is_valid(value)] == []


def test_a_set_is_a_list_without_repetition() -> None:
    model = parcel(
        ("takes: [parcel_id, weight, service]", "takes: [parcel_id, weight, service, contents]")
    )
    document = yaml.safe_load(render_openapi(model, {}))
    body = document["paths"]["/price-parcel"]["post"]["requestBody"]
    schema = Draft202012Validator(
        body["content"]["application/json"]["schema"]["properties"]["contents"]
    )

    assert schema.is_valid([])
    assert schema.is_valid(["Glass", "Books"])
    assert not schema.is_valid(["Glass", "Glass"])
    assert not schema.is_valid(["Rope"])
    assert not schema.is_valid("Glass")


def test_the_fields_of_items_are_described() -> None:
    document = yaml.safe_load(render_openapi(claims(), {}))
    body = document["paths"]["/add-up"]["post"]["requestBody"]
    lines = body["content"]["application/json"]["schema"]["properties"]["lines"]

    described = {name: part["description"] for name, part in lines["items"]["properties"].items()}
    assert described == {
        "kind": "Kind of cost",
        "amount": "Amount, in USD",
        "has_receipt": "Whether a receipt is attached",
        "extras": "What else is in it; an empty list stands for no extra",
    }


def test_a_result_may_be_the_word_for_missing() -> None:
    reply = operation("findParcel")["responses"]["200"]["content"]["application/json"]["schema"]
    schema = Draft202012Validator(reply["properties"]["due_on"])

    assert schema.is_valid("no due date")
    assert schema.is_valid("2026-03-01")
    assert not schema.is_valid("soon")


def test_a_dot_or_hyphen_in_a_pattern_means_itself() -> None:
    odd = parcel(('pattern: "PX[0-9]{5}"', 'pattern: "P.[0-9a.-]{5}"'))
    document = yaml.safe_load(render_openapi(odd, {}))
    body = document["paths"]["/find-parcel"]["post"]["requestBody"]["content"]["application/json"]
    schema = Draft202012Validator(body["schema"]["properties"]["parcel_id"])

    assert schema.is_valid("P.0a.-9")
    assert not schema.is_valid("Px0a.-9")
    assert not schema.is_valid("P.0b.-9")


def test_toolspecs_have_the_shape_that_harnesses_read() -> None:
    specs = json.loads(render_toolspecs(TEXT))

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


def test_rendering_twice_gives_the_same_text() -> None:
    assert render_openapi(MODEL, EXAMPLES) == TEXT
    assert render_toolspecs(TEXT) == render_toolspecs(TEXT)
