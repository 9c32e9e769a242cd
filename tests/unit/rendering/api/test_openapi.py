from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from sopforge.artifacts.rendering.api.arguments import (
    build_arguments_schema,
    get_answer_schema,
    iterate_operations,
    read_api,
)
from sopforge.artifacts.rendering.api.json_schema import build_field_schema
from sopforge.artifacts.rendering.api.openapi import render_openapi
from sopforge.artifacts.rendering.api.toolspecs import keep_honoured_keywords
from sopforge.artifacts.rendering.tools.parts.refusals import ToolRefusal
from sopforge.artifacts.rendering.tools.parts.texts import Text
from sopforge.language.domain.values.types import ANY_DAY, TextType
from tests.worlds.small_models import claims, parcel

MODEL = parcel()
EXAMPLES: dict[str, Any] = {
    "priceParcel": {
        "arguments": {"parcel_id": "PX00001", "weight": 10.0, "service": "Night"},
        "result": {"surcharge": 7.5, "service_points": 4},
    },
    "findParcel": {
        "arguments": {"parcel_id": "PX00001", "sent_on": "2026-03-01", "fragile": "no"},
        "result": {"service": "Night", "due_on": "no due date"},
    },
}
TEXT = render_openapi(MODEL, EXAMPLES)
DOCUMENT: Any = yaml.safe_load(TEXT)


def operation(tool: str, document: Any = DOCUMENT) -> Any:  # noqa: ANN401 - part of a document
    return next(item for item in iterate_operations(document) if item["operationId"] == tool)


def parameter(tool: str, name: str, document: Any = DOCUMENT) -> Any:  # noqa: ANN401 - the same
    return build_arguments_schema(document, operation(tool, document))["properties"][name]


def said(tool: str, status: str, name: str) -> Any:  # noqa: ANN401 - the same
    reply = operation(tool)["responses"][status]["content"]["application/json"]
    return reply["examples"][name]["value"]


@pytest.mark.parametrize("model", [parcel(), claims()], ids=["parcel", "claims"])
def test_the_document_is_valid(model: Any) -> None:  # noqa: ANN401 - a model
    document = yaml.safe_load(render_openapi(model, {}))

    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []


def test_each_tool_is_one_operation() -> None:
    assert [(path, list(item)) for path, item in DOCUMENT["paths"].items()] == [
        ("/parcels/{parcel_id}", ["get"]),
        ("/parcels/{parcel_id}/calculations", ["post"]),
        ("/parcels/{parcel_id}/slips", ["post"]),
    ]
    assert operation("findParcel")["tags"] == ["parcel"]
    assert operation("priceParcel")["tags"] == ["calculations"]
    assert [tag["name"] for tag in DOCUMENT["tags"]] == ["parcel", "calculations"]


def test_parameters_stand_in_the_path_the_query_or_the_body() -> None:
    found = operation("findParcel")["parameters"]

    assert [(item["name"], item["in"], item["required"]) for item in found] == [
        ("parcel_id", "path", True),
        ("sent_on", "query", True),
        ("fragile", "query", True),
    ]
    assert "requestBody" not in operation("findParcel")
    priced = operation("priceParcel")
    assert [(item["name"], item["in"]) for item in priced["parameters"]] == [("parcel_id", "path")]
    assert "requestBody" in priced


def test_a_field_has_one_schema_to_which_all_refer() -> None:
    reference = {"$ref": "#/components/schemas/parcel_id"}

    assert operation("findParcel")["parameters"][0]["schema"] == reference
    assert operation("priceParcel")["parameters"][0]["schema"] == reference
    schemas = DOCUMENT["components"]["schemas"]
    assert schemas["PriceParcelRequest"]["properties"]["weight"] == {
        "$ref": "#/components/schemas/weight"
    }
    assert schemas["FindParcelResult"]["properties"]["due_on"] == {
        "$ref": "#/components/schemas/due_on.or_missing"
    }


def test_examples_come_from_a_task() -> None:
    priced, found = operation("priceParcel"), operation("findParcel")

    body = priced["requestBody"]["content"]["application/json"]
    assert body["example"] == {"weight": 10.0, "service": "Night"}
    assert priced["parameters"][0]["example"] == "PX00001"
    reply = priced["responses"]["200"]["content"]["application/json"]
    assert reply["example"] == EXAMPLES["priceParcel"]["result"]
    assert [item["example"] for item in found["parameters"]] == ["PX00001", "2026-03-01", "no"]


def test_refusals_are_listed_by_status() -> None:
    found = {
        (tool, status): reply["content"]["application/json"]["schema"]["allOf"][1]["properties"][
            "code"
        ]["enum"]
        for tool in EXAMPLES | {"releaseParcel": {}}
        for status, reply in operation(tool)["responses"].items()
        if status != "200"
    }

    assert found == {
        ("findParcel", "404"): ["unknown_record"],
        ("findParcel", "409"): ["record_mismatch"],
        ("findParcel", "422"): ["invalid_parameter"],
        ("priceParcel", "422"): ["invalid_parameter"],
        ("releaseParcel", "404"): ["unknown_record"],
        ("releaseParcel", "409"): ["too_dear", "not_covered"],
        ("releaseParcel", "422"): ["invalid_parameter"],
    }


def test_refusals_are_shown_as_the_tools_word_them() -> None:
    assert said("findParcel", "404", "unknown_parcel") == {
        "code": "unknown_record",
        "message": "there is no parcel whose parcel_id is 'PX99999'; check it and call again",
    }
    assert said("findParcel", "422", "wrong_sent_on")["message"] == (
        "sent_on is '2026/01/01', but must be a date written as year-month-day, from 2026-01-01 to"
        " 2026-03-31; did you mean '2026-01-01'?"
    )
    assert said("priceParcel", "422", "missing_parameter")["message"] == (
        "priceParcel takes parcel_id, weight, service, all by name, but service was not given"
    )


def test_a_call_links_to_those_that_take_its_result_or_what_is_decided_from_it() -> None:
    def links(tool: str) -> Any:  # noqa: ANN401 - part of a document
        return operation(tool)["responses"]["200"].get("links", {})

    assert links("findParcel")["priceParcel"] == {
        "operationId": "priceParcel",
        "description": "Takes service from the result",
        "parameters": {"parcel_id": "$request.path.parcel_id"},
        "requestBody": {"service": "{$response.body#/service}"},
    }
    assert set(links("findParcel")) == {"priceParcel"}
    assert links("priceParcel")["releaseParcel"]["parameters"] == {
        "parcel_id": "$request.path.parcel_id"
    }
    assert links("releaseParcel") == {}


def test_schemas_accept_values_of_the_field_and_no_others() -> None:
    cases: list[tuple[str, str, list[object], list[object]]] = [
        ("findParcel", "parcel_id", ["PX00001"], ["PX1", "px00001", "PX000011", 1]),
        ("findParcel", "sent_on", ["2026-03-01"], ["1 March", "2026-3-1", 20260301]),
        ("findParcel", "fragile", ["yes", "no"], [True, "YES", "", 1]),
        ("priceParcel", "weight", [0, 39.99, 40], [-0.01, 40.01, "5"]),
        ("priceParcel", "service", ["Night"], ["night", "", ["Night"]]),
        ("releaseParcel", "care", ["plain"], ["not judged", "Plain"]),
    ]

    for tool, name, good, bad in cases:
        schema = Draft202012Validator(parameter(tool, name))
        assert [value for value in (*good, *bad) if schema.is_valid(value)] == good, name


BLANKS = ["", " ", "\t\n", "\u00a0", "\u3000\u2003"]
TEXTS = ["a", " a ", "\u0111\n", "x" * 200]


def test_a_free_text_of_blanks_alone_is_refused_as_the_tools_refuse_it() -> None:
    free = replace(parcel().fields["parcel_id"], type=TextType(is_free=True))
    api = build_field_schema(free, with_missing=False)

    for schema in (Draft202012Validator(api), Draft202012Validator(keep_honoured_keywords(api))):
        assert [schema.is_valid(text) for text in BLANKS] == [False] * len(BLANKS)
        assert [schema.is_valid(text) for text in TEXTS] == [True] * len(TEXTS)
    assert [Text("note").check(text) for text in TEXTS] == TEXTS
    for text in BLANKS:
        with pytest.raises(ToolRefusal):
            Text("note").check(text)


def test_limits_of_days_are_said_where_there_are_any() -> None:
    sent, received = parcel().fields["sent_on"], claims().fields["handed_in_at"]
    any_day = replace(sent, type=ANY_DAY)
    said = [build_field_schema(item, with_missing=False) for item in (sent, received, any_day)]

    assert [schema["description"].partition(", ")[2] for schema in said] == [
        "as year-month-day, from 2026-01-01 to 2026-03-31",
        "as year-month-day hour:minute, from 2026-01-05 00:00 to 2026-06-30 23:59",
        "as year-month-day",
    ]


def test_a_set_is_a_list_without_repetition() -> None:
    model = parcel(
        ("takes: [parcel_id, weight, service]", "takes: [parcel_id, weight, service, contents]")
    )
    document = yaml.safe_load(render_openapi(model, {}))
    schema = Draft202012Validator(parameter("priceParcel", "contents", document))

    assert schema.is_valid([])
    assert schema.is_valid(["Glass", "Books"])
    assert not schema.is_valid(["Glass", "Glass"])
    assert not schema.is_valid(["Rope"])
    assert not schema.is_valid("Glass")


def test_the_fields_of_items_are_described() -> None:
    document = yaml.safe_load(render_openapi(claims(), {}))
    lines = parameter("addUp", "lines", document)

    described = {name: part["description"] for name, part in lines["items"]["properties"].items()}
    assert described == {
        "kind": "Kind of cost",
        "amount": "Amount, in USD",
        "has_receipt": "Whether a receipt is attached",
        "extras": "What else is in it; a JSON list of labels, [] for 'no extra'",
    }


def test_a_result_may_be_the_word_for_missing() -> None:
    answer = get_answer_schema(DOCUMENT, operation("findParcel"))
    schema = Draft202012Validator(answer["properties"]["due_on"])

    assert schema.is_valid("no due date")
    assert schema.is_valid("2026-03-01")
    assert not schema.is_valid("soon")


def test_a_dot_or_hyphen_in_a_pattern_means_itself() -> None:
    odd = parcel(('pattern: "PX[0-9]{5}"', 'pattern: "P.[0-9a.-]{5}"'))
    document = yaml.safe_load(render_openapi(odd, {}))
    schema = Draft202012Validator(parameter("findParcel", "parcel_id", document))

    assert schema.is_valid("P.0a.-9")
    assert not schema.is_valid("Px0a.-9")
    assert not schema.is_valid("P.0b.-9")


def test_a_text_that_is_no_yaml_is_refused_each_time() -> None:
    for _ in range(2):
        with pytest.raises(yaml.YAMLError):
            read_api("paths: {")
