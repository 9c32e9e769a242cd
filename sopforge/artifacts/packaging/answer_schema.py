"""The JSON Schema of an answer, for agents whose framework asks for structured output.

The SOP asks for an XML element for each result; a JSON object with the same names is graded alike.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from sopforge.artifacts.packaging.release import Release
from sopforge.artifacts.rendering.api.json_schema import build_field_schema, build_object_schema
from sopforge.language.domain.model import DomainModel

ANSWER_SCHEMA = "answer.schema.json"


def export(release: Release) -> Mapping[str, str]:
    """Return the schema of the answers to a package's tasks."""
    schema = build_answer_schema(release.model)
    return {ANSWER_SCHEMA: json.dumps(schema, indent=2, ensure_ascii=False) + "\n"}


def build_answer_schema(model: DomainModel) -> dict[str, object]:
    """Return a schema with a property for each result; only the final decision is in each case."""
    results = {item.name: build_field_schema(item, with_missing=True) for item in model.outcomes}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The results of a case",
        **build_object_schema(results),
        "required": [model.primary.name],
        "additionalProperties": False,
    }
