"""API and toolspecs as a language model words them: structure is derived, descriptions are its."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from sopforge.authors.repair import Ask, Repair, as_records
from sopforge.domain.documents import write_document
from sopforge.domain.model import DomainModel
from sopforge.rendering.api_arguments import operations
from sopforge.rendering.json_schema import schema_name
from sopforge.rendering.toolspecs import PARAMETERS

Worded = Mapping[str, Any]


def openapi(
    ask: Ask, model: DomainModel, derived: str, feedback: Sequence[str], repair: Repair
) -> str:
    """Return the API document with summaries and descriptions in the model's words."""
    values = {
        "title": model.title,
        "business_task": model.business_task,
        "document": derived,
        "feedback": as_records(feedback),
        "findings": repair.listed(),
    }
    document, answer = yaml.safe_load(derived), ask("api_texts", values)
    document["info"]["description"] = answer["description"]
    tools, fields = _by(answer["tools"], "tool"), _by(answer["fields"], "field")
    for operation in operations(document):
        found = tools.get(operation["operationId"])
        if found is not None:
            operation |= {"summary": found["summary"], "description": found["description"]}
    schemas = document["components"]["schemas"]
    for item in (model.fields[name] for name in fields if name in model.fields):
        for name in {schema_name(item, with_missing=how) for how in (True, False)} & set(schemas):
            schemas[name]["description"] = fields[item.name]["description"]
    return write_document(document)


def toolspecs(ask: Ask, derived: str, feedback: Sequence[str], repair: Repair) -> str:
    """Return the toolspecs with descriptions of the model's; what parameters are stays said."""
    values = {"document": derived, "feedback": as_records(feedback), "findings": repair.listed()}
    specs, tools = json.loads(derived), _by(ask("toolspec_texts", values)["tools"], "tool")
    for spec in (entry["toolSpec"] for entry in specs):
        found = tools.get(spec["name"])
        if found is None:
            continue
        _, mark, kinds = spec["description"].partition(PARAMETERS)
        spec["description"] = f"{found['description'].rstrip('.')}. {mark}{kinds}"
        parameters = _by(found["parameters"], "name")
        for name, part in spec["inputSchema"]["json"]["properties"].items():
            if name in parameters:
                part["description"] = parameters[name]["description"]
    return json.dumps(specs, indent=2, ensure_ascii=False) + "\n"


def _by(items: Sequence[Worded], key: str) -> dict[str, Worded]:
    return {item[key]: item for item in items}
