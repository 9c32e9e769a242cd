"""Reads a package that is said as data: each file has its shape, and names only what is there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from sopforge.artifacts.packaging.state.shapes import (
    FRAMES,
    GOLD,
    REQUESTS,
    STATE_FILES,
    TOOLS,
    Frames,
    Gold,
    Override,
    Request,
    State,
    Table,
    Tools,
)
from sopforge.artifacts.packaging.state.values import is_value
from sopforge.errors import Fault, PackageUnreadableError

Part = TypeVar("Part", bound=BaseModel)
_HINT = "get the package again from its publisher, or publish it again"
_MOST = 20
"""Of what is wrong with a file, so much is listed."""
Changes = Mapping[str, Mapping[str, Mapping[str, JsonValue]]]


def load_state(folder: Path) -> State:
    """Return a package with tables as data.

    Raises:
        PackageUnreadableError: a file is missing, has another shape, or names what is not there.
    """
    files = {}
    for name in STATE_FILES:
        path = folder / name
        if path.is_file() and not path.is_symlink():
            files[name] = path.read_bytes().decode(errors="replace")
    return read_state(files)


def read_state(files: Mapping[str, str]) -> State:
    """Return what the files say; raises as ``load_state``."""
    missing = [
        Fault("state-missing", f"the package has no {name}", name, _HINT)
        for name in STATE_FILES
        if name not in files
    ]
    if missing:
        raise PackageUnreadableError(*missing)
    faults: list[Fault] = []
    frames = _read_part(Frames, files[FRAMES], FRAMES, faults)
    tools = _read_part(Tools, files[TOOLS], TOOLS, faults)
    requests = _read_lines(Request, files[REQUESTS], REQUESTS, faults)
    gold = _read_lines(Gold, files[GOLD], GOLD, faults)
    if frames is None or tools is None or faults:
        raise PackageUnreadableError(*faults)
    state = State(frames=frames, tools=tools, requests=requests, gold=gold)
    unknown = list(_iterate_unknown(state))[:_MOST]
    if unknown:
        raise PackageUnreadableError(*unknown)
    return state


def _read_lines(shape: type[Part], text: str, name: str, faults: list[Fault]) -> list[Part]:
    found = []
    # Not splitlines: a text may hold U+2028, at which that would cut its line in two.
    for number, line in enumerate(text.split("\n"), 1):
        if line:
            part = _read_part(shape, line, f"{name}:{number}", faults)
            found += [] if part is None else [part]
    if text and not text.endswith("\n"):
        place = f"{name}:{len(found)}"
        faults.append(Fault("state-malformed", "the last line is cut off", place, _HINT))
    return found


def _read_part(shape: type[Part], text: str, where: str, faults: list[Fault]) -> Part | None:
    try:
        return shape.model_validate(json.loads(text))
    except ValidationError as cause:
        for wrong in cause.errors(include_url=False)[:_MOST]:
            field = ".".join(map(str, wrong["loc"]))
            message = f"{field}: {wrong['msg']}" if field else wrong["msg"]
            faults.append(Fault("state-malformed", message, where, _HINT))
    except (ValueError, RecursionError) as cause:
        faults.append(
            Fault("state-malformed", f"the line is not valid JSON: {cause}", where, _HINT)
        )
    return None


def _iterate_unknown(state: State) -> Iterator[Fault]:
    """Yield where files name what is not there, or hold what is no value of its column."""
    yield from _check_frames(state.frames)
    yield from _check_tools(state)
    asked = [item.task_id for item in state.requests]
    yield from _compare_names(asked, [item.task_id for item in state.gold], "task", GOLD)
    yield from _find_unlisted(state.frames.tasks, asked, "task", f"{FRAMES}, tasks")
    for number, request in enumerate(state.requests, 1):
        for name, stated in request.request.items():
            if not is_value(stated.shape, stated.value):
                yield _refuse_value(stated.value, f"{REQUESTS}:{number}, request.{name}")
    for number, gold in enumerate(state.gold, 1):
        yield from _check_gold(state, gold, f"{GOLD}:{number}")


def _check_frames(frames: Frames) -> Iterator[Fault]:
    for name, table in frames.tables.items():
        where = f"{FRAMES}, tables.{name}"
        yield from _find_unlisted([table.key], table.columns, "column", f"{where}.key")
        for column, shape in table.columns.items():
            named = [shape.refers_to] if shape.refers_to else []
            place = f"{where}.columns.{column}.refers_to"
            yield from _find_unlisted(named, frames.tables, "table", place)
        for key, record in table.records.items():
            yield from _check_record(table, key, record, f"{where}.records.{key}")
    for fact, item in frames.session.items():
        if item.starts is not None and not is_value(item, item.starts):
            yield _refuse_value(item.starts, f"{FRAMES}, session.{fact}.starts")
    for task, override in frames.tasks.items():
        yield from _check_override(frames, override, f"{FRAMES}, tasks.{task}")


def _check_record(
    table: Table, key: str, record: Mapping[str, JsonValue], where: str
) -> Iterator[Fault]:
    yield from _compare_names(table.columns, record, "column", where)
    if record.get(table.key) != key:
        message = (
            f"the record is stored under {key!r}, but its {table.key} is {record.get(table.key)!r}"
        )
        yield Fault("state-unknown", message, where, _HINT)
    yield from _check_values(table, record, where)


def _check_values(table: Table, record: Mapping[str, JsonValue], where: str) -> Iterator[Fault]:
    for name, value in record.items():
        if name in table.columns and not is_value(table.columns[name], value):
            yield _refuse_value(value, f"{where}.{name}")


def _check_override(frames: Frames, override: Override, where: str) -> Iterator[Fault]:
    yield from _check_changes(frames, override.tables, f"{where}.tables")
    yield from _find_unlisted(override.session, frames.session, "session fact", f"{where}.session")
    for name, value in override.session.items():
        fact = frames.session.get(name)
        if fact is not None and value is not None and not is_value(fact, value):
            yield _refuse_value(value, f"{where}.session.{name}")


def _check_changes(frames: Frames, changes: Changes, where: str) -> Iterator[Fault]:
    """Yield where changes are about no table, no record of it, or no column."""
    yield from _find_unlisted(changes, frames.tables, "table", where)
    for name, records in changes.items():
        table = frames.tables.get(name)
        if table is None:
            continue
        yield from _find_unlisted(records, table.records, "record", f"{where}.{name}")
        for key, columns in records.items():
            place = f"{where}.{name}.{key}"
            yield from _find_unlisted(columns, table.columns, "column", place)
            yield from _check_values(table, columns, place)


def _check_tools(state: State) -> Iterator[Fault]:
    for tool in state.tools.tools:
        where = f"{TOOLS}, {tool.name}"
        tables = [item.table for item in tool.reads]
        yield from _find_unlisted(tables, state.frames.tables, "table", f"{where}.reads")
        read = {item.record: state.frames.tables.get(item.table) for item in tool.reads}
        for effect in tool.effects:
            if not effect.record:
                names: Iterable[str] = state.frames.session
                yield from _find_unlisted([effect.column], names, "session fact", where)
                continue
            yield from _find_unlisted([effect.record], read, "record", f"{where}.effects")
            table = read.get(effect.record)
            if table is not None:
                place = f"{where}.effects"
                yield from _find_unlisted([effect.column], table.columns, "column", place)


def _check_gold(state: State, gold: Gold, where: str) -> Iterator[Fault]:
    yield from _check_changes(state.frames, gold.end_state, f"{where}, end_state")
    tools = {tool.name: tool.parameters.get("properties", {}) for tool in state.tools.tools}
    for number, call in enumerate(gold.calls):
        place = f"{where}, calls.{number}"
        yield from _find_unlisted([call.tool], tools, "tool", place)
        if call.tool in tools:
            parameters = tools[call.tool]
            yield from _find_unlisted(call.arguments, parameters, "parameter", f"{place}.arguments")
        if any(not 0 <= needed < number for needed in call.needs):
            message = f"the call needs {call.needs}, but not all of these come before it"
            yield Fault("state-unknown", message, f"{place}.needs", _HINT)
        if (call.refusal is None) == (call.result is None):
            message = "a call must have either a result or a refusal, not both"
            yield Fault("state-unknown", message, place, _HINT)


def _find_unlisted(
    names: Iterable[str], known: Iterable[str], what: str, where: str
) -> Iterator[Fault]:
    listed = dict.fromkeys(known)
    for name in names:
        if name not in listed:
            shown = ", ".join(list(listed)[:_MOST]) or "none"
            message = f"there is no {what} {name!r}; the known names are {shown}"
            yield Fault("state-unknown", message, where, _HINT)


def _compare_names(
    wanted: Iterable[str], found: Iterable[str], what: str, where: str
) -> Iterator[Fault]:
    """Yield what stands in one of two lists alone."""
    first, second = dict.fromkeys(wanted), dict.fromkeys(found)
    yield from _find_unlisted(second, first, what, where)
    for name in first:
        if name not in second:
            yield Fault("state-unknown", f"the {what} {name!r} is missing", where, _HINT)


def _refuse_value(value: JsonValue, where: str) -> Fault:
    return Fault("state-unknown", f"{str(value)[:80]!r} is not a value of its type", where, _HINT)
