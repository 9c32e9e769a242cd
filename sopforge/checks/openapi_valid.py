"""API: a valid OpenAPI 3.1 document whose operations are the model's tools."""

from __future__ import annotations

import yaml

from sopforge.checks.spoiling import Parsed, edit_yaml
from sopforge.domain.model import DomainModel
from sopforge.findings import Finding, error
from sopforge.workspace import OPENAPI, Workspace


class OpenapiValid:
    """The document is valid, and each operation takes and returns what its tool does."""

    name = "openapi-valid"
    stage = "api"

    def examine(self, workspace: Workspace) -> list[Finding]:
        document = yaml.safe_load(workspace.files[OPENAPI])
        invalid = [error("openapi-invalid", text, where=OPENAPI) for text in _violations(document)]
        return invalid or _differences(workspace.model, document)

    def spoil(self, workspace: Workspace) -> Workspace:
        def rename_parameter(document: Parsed) -> None:
            operation = next(iter(document["paths"].values()))["post"]
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            name, part = schema["properties"].popitem()
            schema["properties"][f"{name}_x"] = part

        return edit_yaml(workspace, OPENAPI, rename_parameter)


def _violations(document: Parsed) -> list[str]:
    from openapi_spec_validator import OpenAPIV31SpecValidator  # noqa: PLC0415 - slow to import

    return [failure.message for failure in OpenAPIV31SpecValidator(document).iter_errors()]


def _differences(model: DomainModel, document: Parsed) -> list[Finding]:
    operations = {path["post"]["operationId"]: path["post"] for path in document["paths"].values()}
    if set(operations) != set(model.tools):
        names = ", ".join(sorted(set(operations) ^ set(model.tools)))
        return [error("openapi-tools", f"the operations are not the tools: {names}", where=OPENAPI)]
    findings = []
    for name, tool in model.tools.items():
        body = operations[name]["requestBody"]["content"]["application/json"]["schema"]
        reply = operations[name]["responses"]["200"]["content"]["application/json"]["schema"]
        pairs = [("takes", body, tool.takes), ("returns", reply, tool.returns)]
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


CHECK = OpenapiValid()
