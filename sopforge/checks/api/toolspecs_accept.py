"""Toolspec: valid JSON Schemas that accept every gold call and refuse malformed ones."""

from __future__ import annotations

import json

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError

from sopforge.checks.spoiling import Parsed, edit_json
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import NumberType, ValueType
from sopforge.untrusted.schemas import make_validator
from sopforge.untrusted.time_limit import CHECK_SECONDS, limit_time
from sopforge.workspace import TOOLSPECS, Workspace

# Neither text nor a whole number: of all types only a decimal one may accept it.
MALFORMED = 12.5


class ToolspecsAccept:
    """Each tool has one spec, whose schema accepts all gold arguments and no malformed ones."""

    name = "toolspecs-accept"
    stage = "toolspec"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model.offered
        specs = {item["toolSpec"]["name"]: item["toolSpec"] for item in _read_specs(workspace)}
        if set(specs) != set(model.tools):
            message = (
                f"the specs are for {', '.join(specs)}, but the model's tools are"
                f" {', '.join(model.tools)}"
            )
            return [make_error_finding("toolspec-tools", message, where=TOOLSPECS)]
        schemas = {name: spec["inputSchema"]["json"] for name, spec in specs.items()}
        invalid = [
            item for name, schema in schemas.items() for item in _find_schema_errors(name, schema)
        ]
        with limit_time(CHECK_SECONDS, "validating gold calls against the descriptions"):
            return invalid or [
                *_find_refused_gold_calls(workspace, schemas),
                *_find_loose_schemas(model, schemas),
            ]

    def spoil(self, workspace: Workspace) -> Workspace:
        called = workspace.tasks[0].calls or next(t.calls for t in workspace.tasks if t.calls)

        def forbid(specs: Parsed) -> None:
            spec = next(s["toolSpec"] for s in specs if s["toolSpec"]["name"] == called[0].tool)
            spec["inputSchema"]["json"]["properties"][workspace.model.key]["pattern"] = "^X{9}$"

        return edit_json(workspace, TOOLSPECS, forbid)


def _read_specs(workspace: Workspace) -> Parsed:
    return json.loads(workspace.files[TOOLSPECS])


def _find_schema_errors(name: str, schema: Parsed) -> list[Finding]:
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as cause:
        return [make_error_finding("toolspec-invalid", f"{name}: {cause.message}", where=TOOLSPECS)]
    return []


def _find_refused_gold_calls(workspace: Workspace, schemas: dict[str, Parsed]) -> list[Finding]:
    """Report each parameter for which a tool refuses gold calls once, with the first of them."""
    validators = {name: make_validator(schema) for name, schema in schemas.items()}
    refused: dict[tuple[str, str], list[tuple[str, ValidationError]]] = {}
    for task in workspace.tasks:
        for call in task.calls:
            for failure in validators[call.tool].iter_errors(dict(call.arguments)):
                parameter = str(failure.absolute_path[0]) if failure.absolute_path else ""
                refused.setdefault((call.tool, parameter), []).append((task.id, failure))
    return [
        _make_refused_finding(tool, workspace.model.offered.fields.get(parameter), shown)
        for (tool, parameter), shown in refused.items()
    ]


def _make_refused_finding(
    tool: str, item: Field | None, shown: list[tuple[str, ValidationError]]
) -> Finding:
    (task, failure), count = shown[0], len(shown)
    calls = "a gold call" if count == 1 else f"{count} gold calls"
    what = f" for '{item.name}'" if item else ""
    message = f"{tool} refuses {calls}{what}; in {task}: {failure.message}"
    hint = ""
    if item is not None and item.missing and failure.instance == item.missing:
        hint = (
            "tools do not accept missing values: add an edge before the call with 'when: not"
            f" present({item.name})'"
        )
    return make_error_finding("toolspec-refuses-gold", message, where=TOOLSPECS, hint=hint)


def _find_loose_schemas(model: DomainModel, schemas: dict[str, Parsed]) -> list[Finding]:
    """Report schemas that accept a missing, a further or a malformed parameter."""
    findings = []
    for name, schema in schemas.items():
        takes = set(model.tools[name].takes)
        strict = schema.get("additionalProperties") is False
        if set(schema["properties"]) != takes or set(schema["required"]) != takes or not strict:
            message = f"{name} must take exactly {', '.join(sorted(takes))}"
            findings.append(make_error_finding("toolspec-parameters", message, where=TOOLSPECS))
        findings += [
            make_error_finding(
                "toolspec-loose",
                f"{name} accepts {MALFORMED} as '{field}', which is not a valid value",
                where=TOOLSPECS,
            )
            for field, part in schema["properties"].items()
            if field in takes
            and not _is_decimal(model.fields[field].type)
            and make_validator(part).is_valid(MALFORMED)
        ]
    return findings


def _is_decimal(kind: ValueType) -> bool:
    return isinstance(kind, NumberType) and kind.places > 0


CHECK = ToolspecsAccept()
