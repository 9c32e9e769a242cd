"""Tools: the code answers as the model does, on every record and on mutated parameters."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import cast

from sopforge.checks.spoiling import edit_text
from sopforge.domain.model import DomainModel, Field, Tool
from sopforge.domain.patterns import read_pattern
from sopforge.domain.types import (
    DateTimeType,
    DateType,
    Json,
    ListType,
    NumberType,
    SetType,
    TextType,
    Value,
    bounds,
)
from sopforge.errors import ToolProcessError
from sopforge.findings import Finding, error, warning
from sopforge.logic.tool_calls import Refused, answer
from sopforge.rendering.openapi import INVALID_PARAMETER, UNKNOWN_RECORD
from sopforge.sandbox.process import JSON, JSONValue, Observation, Refusal, ToolProcess
from sopforge.seeds import below
from sopforge.workspace import RECORDS, TOOLS, Workspace

SEED = 0
SHOWN = 5
MALFORMED: tuple[JSONValue, ...] = (
    *(12.5, "", "\u00e9\u0000", [], [{"a": 1}], {"a": 1}, True, None),
)


@dataclass(frozen=True, slots=True)
class Trial:
    """One call, and what the model says to it: a result, or the code of a refusal."""

    tool: str
    arguments: Mapping[str, JSONValue]
    expected: Mapping[str, Json] | str


class ToolsAgree:
    """Same results, same refusals, same answer twice; run outside this process."""

    name = "tools-agree"
    stage = "tools"

    def examine(self, workspace: Workspace) -> list[Finding]:
        trials = list(trials_of(workspace))
        files = {"tools.py": workspace.files[TOOLS], "records.csv": workspace.files[RECORDS]}
        stored = {name: text.encode() for name, text in files.items()}
        calls = [(trial.tool, trial.arguments) for trial in trials]
        try:
            with ToolProcess(Path(), files=stored, time_limit=60.0) as process:
                replies = process.call_many(calls)
            with ToolProcess(Path(), files=stored, time_limit=60.0) as process:
                again = process.call_many(calls)
        except ToolProcessError as cause:
            return [_as_finding(fault.code, fault.message, fault.hint) for fault in cause.faults]
        wrong = [
            _as_finding("tools-disagree", _difference(trial, reply), "")
            for trial, reply in zip(trials, replies, strict=True)
            if _plain(reply) != _expected(trial)
        ]
        if replies != again:
            wrong.append(
                _as_finding("tools-not-deterministic", "two runs answered differently", "")
            )
        return _shortened(wrong)

    def spoil(self, workspace: Workspace) -> Workspace:
        return edit_text(workspace, TOOLS, 'raise ToolRefusal("unknown_record"', "return str(")


def trials_of(workspace: Workspace) -> Iterable[Trial]:
    """Return each tool's call on each record, with one parameter at a time made wrong."""
    model = workspace.model
    records = _records(workspace)
    unknown = _unknown_key(model, {str(record[model.key]) for record in records})
    for number, record in enumerate(records):
        for tool in model.tools.values():
            frame = _frame(model, tool, record, number)
            trial = _trial(model, tool, frame, record)
            yield trial
            if unknown and model.key in tool.takes:
                stranger = {**trial.arguments, model.key: unknown}
                yield Trial(tool.name, stranger, UNKNOWN_RECORD)
            yield from _mutated(model, tool, frame, record, number)


def _records(workspace: Workspace) -> list[dict[str, Value | None]]:
    """Return each task's inputs with its record."""
    model = workspace.model
    rows = csv.DictReader(io.StringIO(workspace.files[RECORDS]))
    stored = {row[model.key]: _parsed(model, row) for row in rows}
    return [
        {**stored[task.inputs[model.key]], **_parsed(model, task.inputs)}
        for task in workspace.tasks
        if task.inputs[model.key] in stored
    ]


def _unknown_key(model: DomainModel, known: set[str]) -> str:
    """Return a well-formed key that no record has, nothing where every key has one."""
    pattern = read_pattern(getattr(model.fields[model.key].type, "pattern", ""))
    return next((text for text in map(pattern.text, range(pattern.size)) if text not in known), "")


def _parsed(model: DomainModel, row: Mapping[str, str]) -> dict[str, Value | None]:
    return {name: model.fields[name].parse(cell) for name, cell in row.items()}


def _frame(
    model: DomainModel, tool: Tool, record: Mapping[str, Value | None], number: int
) -> dict[str, Value | None]:
    """Return arguments: the record's own, and drawn values for what an agent would decide."""
    drawn = {}
    for item in model.tool_parameters(tool):
        if item.name in record:
            drawn[item.name] = record[item.name]
        else:
            low, high = bounds(item.type)
            drawn[item.name] = low + below(high - low + 1, SEED, tool.name, item.name, number)
    return drawn


def _trial(
    model: DomainModel,
    tool: Tool,
    frame: Mapping[str, Value | None],
    record: Mapping[str, Value | None],
) -> Trial:
    said = answer(model, tool, frame, record)
    arguments = {name: model.fields[name].json(value) for name, value in frame.items()}
    if isinstance(said, Refused):
        return Trial(tool.name, arguments, said.code)
    return Trial(tool.name, arguments, {n: model.fields[n].json(v) for n, v in said.items()})


def _mutated(
    model: DomainModel,
    tool: Tool,
    frame: Mapping[str, Value | None],
    record: Mapping[str, Value | None],
    number: int,
) -> Iterable[Trial]:
    """Return calls with one parameter replaced: another value, or something that is none."""
    arguments = {name: model.fields[name].json(value) for name, value in frame.items()}
    name = tool.takes[number % len(tool.takes)]
    item = model.fields[name]
    for wrong in (*MALFORMED, *_outside(item), *_malformed_lists(item, frame[name])):
        if not _is_value(item, wrong):
            yield Trial(tool.name, {**arguments, name: wrong}, INVALID_PARAMETER)
    yield Trial(tool.name, {k: v for k, v in arguments.items() if k != name}, INVALID_PARAMETER)
    yield Trial(tool.name, {**arguments, "no_such_parameter": 1}, INVALID_PARAMETER)
    if name != model.key:
        other = _other_value(item, frame[name], number)
        if other is not None:
            yield _trial(model, tool, {**frame, name: other}, record)


def _outside(item: Field) -> Iterable[JSONValue]:
    """Return the values just below and above a range, as far as they can be written."""
    if isinstance(item.type, NumberType | DateType | DateTimeType):
        for value in (item.type.minimum - 1, item.type.maximum + 1):
            with suppress(ValueError, OverflowError):
                yield cast("JSONValue", item.json(value))


def _malformed_lists(item: Field, value: Value | None) -> Iterable[JSONValue]:
    """Return lists that are too long, or whose first item has one thing wrong."""
    given = item.json(value)
    if not isinstance(item.type, ListType) or not isinstance(given, list) or not given:
        return
    first = cast("dict[str, JSONValue]", given[0])
    yield [first] * (item.type.size + 1)
    for name in first:
        yield [{part: found for part, found in first.items() if part != name}]
        yield [{**first, name: {"a": 1}}]


def _is_value(item: Field, raw: JSONValue) -> bool:
    """Tell whether a malformed-looking value happens to be one of the field."""
    match item.type:
        case SetType() | ListType():
            return raw == []
        case NumberType():
            return item.type.places > 0 and raw == MALFORMED[0]
        case TextType(pattern=""):
            return isinstance(raw, str) and bool(raw.strip())
        case _:
            return False


def _other_value(item: Field, value: Value | None, number: int) -> Value | None:
    if isinstance(value, str):
        return _other_text(item, value, number)
    if isinstance(value, tuple):
        return value[:-1] if value else None
    low, high = bounds(item.type)
    if low == high or value is None:
        return None
    span = high - low
    return low + (value - low + 1 + below(span, SEED, item.name, number)) % (span + 1)


def _other_text(item: Field, value: str, number: int) -> str | None:
    kind = item.type
    if not isinstance(kind, TextType):
        return None
    pattern = read_pattern(kind.pattern)
    drawn = pattern.text(below(pattern.size, SEED, item.name, number)) if kind.pattern else ""
    return next((text for text in (drawn, *kind.pool) if text and text != value), None)


def _expected(trial: Trial) -> object:
    return trial.expected if isinstance(trial.expected, str) else dict(trial.expected)


def _plain(reply: Observation | Refusal) -> object:
    """Return a refusal's code or a result with exact decimals as the floats that JSON shows."""
    return reply.code if isinstance(reply, Refusal) else _floats(reply.value)


def _floats(value: JSON) -> object:
    match value:
        case Decimal():
            return float(value)
        case list():
            return [_floats(item) for item in value]
        case dict():
            return {name: _floats(item) for name, item in value.items()}
        case _:
            return value


def _difference(trial: Trial, reply: Observation | Refusal) -> str:
    said = (
        f"refuses with {reply.code}" if isinstance(reply, Refusal) else f"returns {_plain(reply)}"
    )
    given = ", ".join(f"{name}={value!r}" for name, value in trial.arguments.items())
    return f"{trial.tool}({given}) {said}; the model says {trial.expected}"


def _shortened(findings: list[Finding]) -> list[Finding]:
    if len(findings) <= SHOWN:
        return findings
    rest = warning(
        "tools-disagree-more", f"{len(findings) - SHOWN} further differences", where=TOOLS
    )
    return [*findings[:SHOWN], rest]


def _as_finding(code: str, message: str, hint: str) -> Finding:
    return error(code, message, where=TOOLS, hint=hint)


CHECK = ToolsAgree()
