"""API: a valid OpenAPI 3.1 document whose operations are the model's tools."""

from __future__ import annotations

from collections.abc import Iterator

import yaml
from jsonschema import SchemaError
from referencing.exceptions import Unresolvable

from sopforge.artifacts.rendering.api.arguments import (
    build_arguments_schema,
    get_answer_schema,
    iterate_operations,
    read_api,
    resolve_references,
)
from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.model import DomainModel
from sopforge.untrusted.schemas import make_validator
from sopforge.untrusted.time_limit import CHECK_SECONDS, TooSlowError, limit_time
from sopforge.workspace import OPENAPI, Workspace

_UNREADABLE = (
    *(yaml.YAMLError, SchemaError, Unresolvable, TooSlowError),
    *(AttributeError, LookupError, RecursionError, TypeError, ValueError),
)
"""What reading raises on a document that lacks a part, or that refers to none."""
_LONGEST = 300


class OpenapiValid:
    """The document is valid, has one operation per tool, and its examples fit their schemas."""

    name = "openapi-valid"
    stage = "api"

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            with limit_time(CHECK_SECONDS, "validating it"):
                return _check_document(workspace.model.offered, read_api(workspace.files[OPENAPI]))
        except _UNREADABLE as broken:
            message = f"the description cannot be read: {type(broken).__name__}: {broken}"[
                :_LONGEST
            ]
            hint = (
                "correct it according to the OpenAPI 3.1 specification, or generate the stage again"
            )
            return [make_error_finding("openapi-invalid", message, where=OPENAPI, hint=hint)]

    def spoil(self, workspace: Workspace) -> Workspace:
        def rename_result(document: Parsed) -> None:
            operation = next(iter(iterate_operations(document)))
            document["components"]["schemas"]["Other"] = {"type": "object", "properties": {}}
            content = operation["responses"]["200"]["content"]["application/json"]
            content["schema"] = {"$ref": "#/components/schemas/Other"}

        return edit_yaml(workspace, OPENAPI, rename_result)


def _check_document(model: DomainModel, document: Parsed) -> list[Finding]:
    resolve_references(document, document)  # the validator breaks at a reference that leads nowhere
    invalid = [
        make_error_finding("openapi-invalid", text, where=OPENAPI)
        for text in _find_violations(document)
    ]
    # Only a valid document is sure to have the parts that the comparison reads.
    return invalid or [*_find_differences(model, document), *_find_wrong_examples(document)]


def _find_violations(document: Parsed) -> list[str]:
    from openapi_spec_validator import OpenAPIV31SpecValidator  # noqa: PLC0415 - slow to import

    return [failure.message for failure in OpenAPIV31SpecValidator(document).iter_errors()]


def _find_differences(model: DomainModel, document: Parsed) -> list[Finding]:
    found = {operation["operationId"]: operation for operation in iterate_operations(document)}
    if set(found) != set(model.tools):
        names = ", ".join(sorted(set(found) ^ set(model.tools)))
        return [
            make_error_finding(
                "openapi-tools",
                f"the API's operations do not match the model's tools: {names}",
                where=OPENAPI,
            )
        ]
    findings = []
    for name, tool in model.tools.items():
        taken = build_arguments_schema(document, found[name])
        answered = get_answer_schema(document, found[name])
        pairs = [("takes", taken, tool.takes), ("returns", answered, tool.returns)]
        findings += [
            make_error_finding(
                "openapi-fields",
                f"{name} {verb} {', '.join(part['properties'])} in the API, but"
                f" {', '.join(names)} in the model",
                where=OPENAPI,
            )
            for verb, part, names in pairs
            if set(part["properties"]) != set(names)
        ]
    return findings


def _find_wrong_examples(document: Parsed) -> list[Finding]:
    """Report examples that are no values of their schemas."""
    findings = []
    for operation in resolve_references(document, list(iterate_operations(document))):
        for place, schema, example in _iterate_examples(operation):
            for failure in make_validator(schema).iter_errors(example):
                message = f"{operation['operationId']}, {place}: {failure.message}"
                findings.append(make_error_finding("openapi-example", message, where=OPENAPI))
    return findings


def _iterate_examples(operation: Parsed) -> Iterator[tuple[str, Parsed, Parsed]]:
    """Return the examples of an operation by their place, with their schemas."""
    for item in operation.get("parameters", []):
        yield from _iterate_place_examples(item["name"], item)
    bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
    for name, body in bodies.items():
        for content in body.get("content", {}).values():
            yield from _iterate_place_examples(str(name), content)


def _iterate_place_examples(name: str, place: Parsed) -> Iterator[tuple[str, Parsed, Parsed]]:
    if "example" in place:
        yield name, place["schema"], place["example"]
    for title, example in place.get("examples", {}).items():
        yield f"{name} {title}", place["schema"], example["value"]


CHECK = OpenapiValid()
