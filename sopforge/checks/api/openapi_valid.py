"""API: a valid OpenAPI 3.1 document whose operations are the model's tools."""

from __future__ import annotations

from collections.abc import Iterator

import yaml
from jsonschema import SchemaError
from referencing.exceptions import Unresolvable

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.model import DomainModel
from sopforge.findings import Finding, error
from sopforge.rendering.api.arguments import (
    answer_schema,
    arguments_schema,
    operations,
    read_api,
    resolved,
)
from sopforge.untrusted.schemas import validator_of
from sopforge.untrusted.time_limit import CHECK_SECONDS, TooSlowError, at_most
from sopforge.workspace import OPENAPI, Workspace

_UNREADABLE = (
    *(yaml.YAMLError, SchemaError, Unresolvable, TooSlowError),
    *(AttributeError, LookupError, RecursionError, TypeError, ValueError),
)
"""What reading raises on a document that lacks a part, or that refers to none."""
_LONGEST = 300


class OpenapiValid:
    """The document is valid, its operations are the tools, and its examples fit their schemas."""

    name = "openapi-valid"
    stage = "api"

    def examine(self, workspace: Workspace) -> list[Finding]:
        try:
            with at_most(CHECK_SECONDS, "validating it"):
                return _findings(workspace.model, read_api(workspace.files[OPENAPI]))
        except _UNREADABLE as broken:
            message = f"it cannot be read: {type(broken).__name__}: {broken}"[:_LONGEST]
            hint = "see the OpenAPI specification 3.1, or generate it again"
            return [error("openapi-invalid", message, where=OPENAPI, hint=hint)]

    def spoil(self, workspace: Workspace) -> Workspace:
        def rename_result(document: Parsed) -> None:
            operation = next(iter(operations(document)))
            document["components"]["schemas"]["Other"] = {"type": "object", "properties": {}}
            content = operation["responses"]["200"]["content"]["application/json"]
            content["schema"] = {"$ref": "#/components/schemas/Other"}

        return edit_yaml(workspace, OPENAPI, rename_result)


def _findings(model: DomainModel, document: Parsed) -> list[Finding]:
    resolved(document, document)  # the validator breaks at a reference that leads nowhere
    invalid = [error("openapi-invalid", text, where=OPENAPI) for text in _violations(document)]
    return invalid or [*_differences(model, document), *_wrong_examples(document)]


def _violations(document: Parsed) -> list[str]:
    from openapi_spec_validator import OpenAPIV31SpecValidator  # noqa: PLC0415 - slow to import

    return [failure.message for failure in OpenAPIV31SpecValidator(document).iter_errors()]


def _differences(model: DomainModel, document: Parsed) -> list[Finding]:
    found = {operation["operationId"]: operation for operation in operations(document)}
    if set(found) != set(model.tools):
        names = ", ".join(sorted(set(found) ^ set(model.tools)))
        return [error("openapi-tools", f"the operations are not the tools: {names}", where=OPENAPI)]
    findings = []
    for name, tool in model.tools.items():
        taken = arguments_schema(document, found[name])
        answered = answer_schema(document, found[name])
        pairs = [("takes", taken, tool.takes), ("returns", answered, tool.returns)]
        findings += [
            error(
                "openapi-fields",
                f"{name} {verb} {', '.join(part['properties'])} in the API, but"
                f" {', '.join(names)} in the model",
                where=OPENAPI,
            )
            for verb, part, names in pairs
            if set(part["properties"]) != set(names)
        ]
    return findings


def _wrong_examples(document: Parsed) -> list[Finding]:
    """Report examples that are no values of their schemas."""
    findings = []
    for operation in resolved(document, list(operations(document))):
        for place, schema, example in _examples(operation):
            for failure in validator_of(schema).iter_errors(example):
                message = f"{operation['operationId']}, {place}: {failure.message}"
                findings.append(error("openapi-example", message, where=OPENAPI))
    return findings


def _examples(operation: Parsed) -> Iterator[tuple[str, Parsed, Parsed]]:
    """Return the examples of an operation by their place, with their schemas."""
    for item in operation.get("parameters", []):
        yield from _of_place(item["name"], item)
    bodies = {"request": operation.get("requestBody", {}), **operation["responses"]}
    for name, body in bodies.items():
        for content in body.get("content", {}).values():
            yield from _of_place(str(name), content)


def _of_place(name: str, place: Parsed) -> Iterator[tuple[str, Parsed, Parsed]]:
    if "example" in place:
        yield name, place["schema"], place["example"]
    for title, example in place.get("examples", {}).items():
        yield f"{name} {title}", place["schema"], example["value"]


CHECK = OpenapiValid()
