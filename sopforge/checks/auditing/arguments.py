"""Cells as arguments of tools: each as the type that the tool's description asks for."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any

from sopforge.harness.scoring.sop_bench_package import UNPARSABLE, PeerTool

BLANKS = frozenset({"", "nan", "none", "null", "na", "n/a"})
_TRUE, _FALSE = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


def get_parameter_schemas(tool: PeerTool) -> dict[str, dict[str, Any]]:
    """Return the descriptions of a tool's parameters, by name."""
    found = tool.input_schema.get("properties")
    listed = found if isinstance(found, dict) else {}
    return {name: schema for name, schema in listed.items() if isinstance(schema, dict)}


def list_required_parameters(tool: PeerTool) -> tuple[str, ...]:
    """Return the parameters that a call must have; all, where the description does not say."""
    found = tool.input_schema.get("required")
    return tuple(map(str, found)) if isinstance(found, list) else tuple(get_parameter_schemas(tool))


def as_argument(schema: Mapping[str, Any], cell: str) -> Any:  # noqa: ANN401 - JSON
    """Return a cell as the value that a schema describes, or as text where it cannot be that."""
    # First, for a label such as "12" is a text where the schema lists it, whatever it looks like.
    if cell in _collect_labels(schema):
        return cell
    try:
        return _convert_cell(_find_type(schema), schema, cell)
    except (*UNPARSABLE, OverflowError, TypeError):
        return cell


def make_up_argument(schema: Mapping[str, Any]) -> Any:  # noqa: ANN401 - JSON
    """Return a value of the type that a schema describes, of those that it names where it does."""
    named = [schema[key] for key in ("const", "default", "example") if key in schema]
    lists = [schema.get(key) for key in ("examples", "enum")]
    named += [values[0] for values in lists if isinstance(values, list) and values]
    if named:
        return named[0]
    match _find_type(schema):
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case "array":
            items = schema.get("items")
            return [make_up_argument(items if isinstance(items, dict) else {})]
        case "object":
            return {}
        case _:
            return "2026-01-15" if "date" in str(schema.get("format", "")) else "sample"


def _convert_cell(kind: str, schema: Mapping[str, Any], cell: str) -> Any:  # noqa: ANN401 - JSON
    match kind:
        case "integer":
            return int(cell) if "." not in cell else _require_integer(float(cell))
        case "number":
            return float(cell) if "." in cell or "e" in cell.lower() else int(cell)
        case "boolean":
            return _parse_boolean(cell)
        case "array":
            return _parse_list(schema, cell)
        case "object":
            return json.loads(cell)
        case _:
            return cell


def _find_type(schema: Mapping[str, Any]) -> str:
    """Return the first type of a schema that is not text, if it allows several."""
    choices = [schema, *(item for key in ("anyOf", "oneOf") for item in schema.get(key, []))]
    kinds = [str(item.get("type", "")) for item in choices if isinstance(item, dict)]
    return next((kind for kind in kinds if kind not in {"", "string", "null"}), "string")


def _collect_labels(schema: Mapping[str, Any]) -> list[Any]:
    choices = [schema, *(item for key in ("anyOf", "oneOf") for item in schema.get(key, []))]
    found = [item.get("enum", [item.get("const")]) for item in choices if isinstance(item, dict)]
    return [label for labels in found for label in labels]


def _require_integer(number: float) -> int:
    if number != int(number):
        raise ValueError(number)
    return int(number)


def _parse_boolean(cell: str) -> bool:
    if cell.lower() not in _TRUE | _FALSE:
        raise ValueError(cell)
    return cell.lower() in _TRUE


def _parse_list(schema: Mapping[str, Any], cell: str) -> list[Any]:
    """Return the items of a cell: of a list as JSON or Python writes it, else between semicolons.

    A word for no items is none of them.
    """
    if cell.startswith("["):
        found = ast.literal_eval(cell) if "'" in cell else json.loads(cell)
        return list(found)
    items = schema.get("items")
    shape = items if isinstance(items, dict) else {}
    if shape.get("type") == "object":
        return []
    labels = _collect_labels(shape) if "enum" in shape else None
    parts = [part.strip() for part in cell.split(";")]
    return [part for part in parts if labels is None or part in labels]
