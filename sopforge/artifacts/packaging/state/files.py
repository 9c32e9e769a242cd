"""The files that say a package with tables as data, written from the model and what it is for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sopforge.artifacts.packaging.carried_files import build_field_entry
from sopforge.artifacts.packaging.state.expressions import Locator, describe_expression
from sopforge.artifacts.packaging.state.shapes import FORMAT, FRAMES, GOLD, REQUESTS, TOOLS
from sopforge.language.domain.fields import Entity, Field
from sopforge.language.domain.guards import GuardLeaf
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.tasks import GoldCall, Task
from sopforge.language.domain.tool_checks import INVALID_PARAMETER, UNKNOWN_RECORD, list_tool_checks
from sopforge.untrusted.tables import read_table


def build_state_files(
    model: DomainModel, tasks: Sequence[Task], records: Mapping[str, str], toolspecs: str
) -> dict[str, str]:
    """Return the files by their names; none where no call changes a table."""
    if model.operations is None:
        return {}
    return {
        FRAMES: _format_json(_build_frames(model, records)),
        TOOLS: _format_json(_build_tools(model.operations, toolspecs)),
        REQUESTS: _format_lines(_build_request(model, task) for task in tasks),
        GOLD: _format_lines(_build_gold(task) for task in tasks),
    }


def _build_frames(model: DomainModel, records: Mapping[str, str]) -> dict[str, Any]:
    stores = {entity.store for entity in model.entities.values()}
    tables = {model.case.store: _build_table(model, model.case, records)}
    for entity in model.offered.references:
        if entity.store in stores and entity.store not in tables:
            tables[entity.store] = _build_table(model.offered, entity, records)
    return {
        "format": FORMAT,
        "tables": tables,
        "session": {
            item.name: {**build_field_entry(item), "starts": _describe_start(item)}
            for item in model.offered.session
        },
        # All tasks begin alike.
        "tasks": {},
    }


def _describe_start(item: Field) -> Any:  # noqa: ANN401 - JSON
    return None if item.starts is None else item.as_json(item.starts)


def _build_table(model: DomainModel, entity: Entity, records: Mapping[str, str]) -> dict[str, Any]:
    file = model.name_records_file(entity)
    columns = {entity.name_column(item): item for item in model.list_stored_fields(entity)}
    key = entity.name_column(model.fields[entity.key])
    return {
        "key": key,
        "columns": {
            name: {
                # Its own key refers to nothing else.
                **(build_field_entry(item) if name == key else _build_shape(model, item)),
                "role": item.role.value,
            }
            for name, item in columns.items()
        },
        "records": {
            row[key]: {name: item.as_json(item.parse(row[name])) for name, item in columns.items()}
            for row in read_table(records[file], file)
        },
    }


def _build_tools(model: DomainModel, toolspecs: str) -> dict[str, Any]:
    specs = {spec["toolSpec"]["name"]: spec["toolSpec"] for spec in json.loads(toolspecs)}
    return {
        "format": FORMAT,
        "tools": [
            {
                "name": name,
                "kind": tool.kind.value,
                "description": specs[name]["description"],
                "parameters": specs[name]["inputSchema"]["json"],
                "reads": [_build_read(model, entity) for entity in _list_read(model, tool)],
                "refusals": _list_codes(model, tool),
                "checks": [
                    _build_check(check, partial(_locate, model, tool))
                    for check in list_tool_checks(model, tool)
                ],
                "effects": list(_iterate_effects(model, tool)),
                "returns": {item: _build_shape(model, model.fields[item]) for item in tool.returns},
            }
            for name, tool in model.tools.items()
            if name in specs
        ],
    }


def _list_read(model: DomainModel, tool: Tool) -> Iterator[Entity]:
    """Yield the records that a tool finds, each after the one that refers to it."""
    needed = {entity.name for entity in model.list_entities_read(tool)}
    for entity in reversed(model.references):
        owner = model.find_owner(entity.key)
        if entity.name in needed and owner is not None and owner.table:
            needed.add(owner.name)
    yield from (entity for entity in model.entities.values() if entity.name in needed)


def _build_read(model: DomainModel, entity: Entity) -> dict[str, str]:
    owner = model.find_owner(entity.key)
    by = entity.key
    if owner is not None and owner.table:
        by = f"{owner.name}.{model.fields[entity.key].column}"
    return {"record": entity.name, "table": entity.store, "by": by}


def _list_codes(model: DomainModel, tool: Tool) -> list[str]:
    """Return the codes with which a tool refuses, in the order of what it looks at."""
    found = [UNKNOWN_RECORD] if model.list_entities_read(tool) else []
    checks = [check.refusal for check in list_tool_checks(model, tool)]
    return list(dict.fromkeys([INVALID_PARAMETER, *found, *checks]))


def _locate(model: DomainModel, tool: Tool, name: str) -> Mapping[str, str]:
    """Return where a value is that a check or an effect of a tool reads."""
    owner = model.find_owner(name)
    if name in tool.takes:
        return {"parameter": name}
    if owner is not None:
        return {"record": owner.name, "column": owner.name_column(model.fields[name])}
    return {"fact": name} if name in model.fields else {"record": name}


def _build_shape(model: DomainModel, item: Field) -> dict[str, Any]:
    """Return how the values of a field are written, and to which table they refer."""
    tables = {entity.key: entity.store for entity in model.references}
    refers = {"refers_to": tables[item.name]} if item.name in tables else {}
    return {**build_field_entry(item), **refers}


def _build_check(check: GuardLeaf, locate: Locator) -> dict[str, Any]:
    return {
        "id": check.id,
        "refusal": check.refusal,
        "says": " ".join(check.says.split()),
        "test": describe_expression(check.test, locate),
    }


def _iterate_effects(model: DomainModel, tool: Tool) -> Iterator[dict[str, Any]]:
    for name, value in tool.effects.items():
        owner, item = model.find_owner(name), model.fields[name]
        yield {
            "record": owner.name if owner else "",
            "column": owner.name_column(item) if owner else name,
            "value": describe_expression(value, partial(_locate, model, tool)),
        }


def _build_request(model: DomainModel, task: Task) -> dict[str, Any]:
    stated = {name: model.fields[name] for name in task.inputs}
    return {
        "task_id": task.id,
        "split": task.split,
        "text": task.text,
        "request": {
            name: {
                "shape": _build_shape(model, item),
                "value": item.as_json(item.parse(task.inputs[name])),
            }
            for name, item in stated.items()
        },
    }


def _build_gold(task: Task) -> dict[str, Any]:
    return {
        "task_id": task.id,
        "outcomes": task.outcomes,
        **({"scored": task.intermediates} if task.intermediates else {}),
        "end_state": task.end_state or {},
        "decided_by": task.decided_by or {"acts": bool(task.end_state)},
        "calls": [_build_call(task, place) for place in range(len(task.calls))],
        **({"pair": task.pair} if task.pair else {}),
    }


def _build_call(task: Task, place: int) -> dict[str, Any]:
    call: GoldCall = task.calls[place]
    return {
        "tool": call.tool,
        "arguments": call.arguments,
        **({"refusal": call.refusal} if call.refusal else {"result": call.result}),
        # Tasks of before say neither: then each call needs all that came before it.
        "needs": list(range(place) if call.needs is None else call.needs),
        "is_minimal": call.is_minimal is not False,
    }


def _format_json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def _format_lines(entries: Iterable[Mapping[str, object]]) -> str:
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
