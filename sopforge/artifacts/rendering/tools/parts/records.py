"""How a tools module reads its records and compares parameters with them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sopforge.artifacts.rendering.tools.parts.refusals import ToolRefusal, nearest, shortened


def read_records(file_name: str, kinds: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the records of a CSV file by the first of the fields, which is their key."""
    key = next(iter(kinds))
    with (Path(__file__).parent / file_name).open(encoding="utf-8", newline="") as file:
        return {
            row[key]: {name: kind.read(row[name]) for name, kind in kinds.items()}
            for row in csv.DictReader(file)
        }


def unknown_record(entity: str, key: str, value: str) -> ToolRefusal:
    """Return the refusal of a key that no record has."""
    message = f"there is no {entity} whose {key} is {shortened(value)}; check it and call again"
    return ToolRefusal("unknown_record", message)


def mismatch(name: str) -> ToolRefusal:
    """Return the refusal of a parameter that contradicts the record."""
    message = f"the {name} given is not the one on record; check it and call again"
    return ToolRefusal("record_mismatch", message)


def unfit(tool: str, takes: tuple[str, ...], given: object) -> ToolRefusal:
    """Return the refusal of a call that lacks a parameter or has one too many."""
    listed = f"{tool} takes {', '.join(takes)}, all by name"
    if not isinstance(given, dict):
        message = f"{listed}, but was given {shortened(given)}"
    elif missing := [name for name in takes if name not in given]:
        message = f"{listed}, but {', '.join(missing)} was not given"
    else:
        extra = next(name for name in given if name not in takes)
        meant = nearest(extra, takes)
        hint = f"; did you mean {meant!r}?" if meant else ""
        message = f"{listed}, and no {shortened(extra)}{hint}"
    return ToolRefusal("invalid_parameter", message)


def unknown_tool(name: object, tools: Iterable[str]) -> ToolRefusal:
    """Return the refusal of a call to a tool that there is not."""
    known = list(tools)
    meant = nearest(name, known)
    hint = f"; did you mean {meant!r}?" if meant else ""
    message = f"there is no tool {shortened(name)}; the tools are {', '.join(known)}{hint}"
    return ToolRefusal("unknown_tool", message)
