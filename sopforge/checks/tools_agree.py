"""Tools: the code answers as the model does, on every record and on mutated parameters."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import cast

from sopforge.checks.spoiling import edit_text
from sopforge.dataset.records import Row, case_rows, read_records
from sopforge.domain.fields import Field
from sopforge.domain.malformed import is_malformed
from sopforge.domain.model import INVALID_PARAMETER, UNKNOWN_RECORD, DomainModel, Tool, ToolKind
from sopforge.domain.patterns import read_pattern
from sopforge.domain.text_shapes import shape_of
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
from sopforge.logic.tool_calls import Frame, Refused, answer, changed
from sopforge.sandbox.answers import JSON, JSONValue, Observation, Refusal
from sopforge.sandbox.twice import answers_twice
from sopforge.seeds import LARGEST, below
from sopforge.workspace import TOOLS, Workspace

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
    runs_tools = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        trials = list(trials_of(workspace))
        files = {"tools.py": workspace.files[TOOLS], **workspace.records}
        stored = {name: text.encode() for name, text in files.items()}
        calls = [(trial.tool, trial.arguments) for trial in trials]
        try:
            replies = answers_twice(stored, calls, time_limit=60.0)
        except ToolProcessError as cause:
            return [_as_finding(fault.code, fault.message, fault.hint) for fault in cause.faults]
        wrong = [
            _as_finding("tools-disagree", _difference(trial, reply), "")
            for trial, reply in zip(trials, replies, strict=True)
            if _plain(reply) != _expected(trial)
        ]
        return _shortened(wrong)

    def spoil(self, workspace: Workspace) -> Workspace:
        return edit_text(workspace, TOOLS, '"unknown_record"', '"no_record"')


def trials_of(workspace: Workspace) -> Iterable[Trial]:
    """Return each tool's call on each record, with one parameter at a time made wrong.

    A call may change the record for those after it.
    """
    model = workspace.model
    known = read_records(model, workspace.records).values()
    unknown = {key: _unknown_key(model, key, known) for key in _keys(model)}
    inputs = [_parsed(model, task.inputs) for task in workspace.tasks]
    for number, found in enumerate(case_rows(model, workspace.records, inputs)):
        row: Row = found or inputs[number]
        for tool in model.tools.values():
            frame = _frame(model, tool, row, number)
            if not _can_be_given(model, frame):
                continue
            for arguments in (frame, *_others(model, tool, frame, number)):
                yield _trial(model, tool, arguments, row)
                row = _after(model, tool, arguments, row)
            yield from _malformed(model, tool, frame, number)
            given = _as_json(model, frame)
            for entity in model.entities_read(tool):
                if unknown[entity.key] and (
                    tool.kind is ToolKind.LOOKUP or None not in frame.values()
                ):
                    stranger = {**given, entity.key: unknown[entity.key]}
                    others = [name for name in tool.takes if name != entity.key]
                    is_wrong = any(is_malformed(model.fields[n].type, frame[n]) for n in others)
                    code = INVALID_PARAMETER if is_wrong else UNKNOWN_RECORD
                    yield Trial(tool.name, stranger, code)


def _can_be_given(model: DomainModel, frame: Frame) -> bool:
    """Tell whether arguments are values: those of a record that the case lacks are none."""
    return all(value is not None or model.fields[name].missing for name, value in frame.items())


def _keys(model: DomainModel) -> list[str]:
    return [entity.key for entity in model.entities.values()]


def _after(model: DomainModel, tool: Tool, arguments: Frame, row: Row) -> Row:
    """Return the record as a call leaves it."""
    if None in arguments.values() or isinstance(answer(model, tool, arguments, row), Refused):
        return row
    return changed(tool, arguments, row)


def _unknown_key(model: DomainModel, key: str, rows: Iterable[Row]) -> str:
    """Return a well-formed key that no record has, nothing where every key has one."""
    known = {row[key] for row in rows}
    pattern = read_pattern(getattr(model.fields[key].type, "pattern", ""))
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


def _trial(model: DomainModel, tool: Tool, frame: Frame, record: Row) -> Trial:
    said = answer(model, tool, frame, record)
    arguments = _as_json(model, frame)
    if tool.kind is not ToolKind.LOOKUP and None in frame.values():
        return Trial(tool.name, arguments, INVALID_PARAMETER)
    if isinstance(said, Refused):
        return Trial(tool.name, arguments, said.code)
    return Trial(tool.name, arguments, {n: model.fields[n].json(v) for n, v in said.items()})


def _as_json(model: DomainModel, frame: Frame) -> dict[str, JSONValue]:
    values = {name: model.fields[name].json(value) for name, value in frame.items()}
    return cast("dict[str, JSONValue]", values)


def _others(model: DomainModel, tool: Tool, frame: Frame, number: int) -> Iterable[Frame]:
    """Return the arguments with another value for one parameter that finds no record."""
    name = tool.takes[number % len(tool.takes)]
    if name not in _keys(model):
        other = _other_value(model.fields[name], frame[name], number)
        if other is not None:
            yield {**frame, name: other}


def _malformed(model: DomainModel, tool: Tool, frame: Frame, number: int) -> Iterable[Trial]:
    """Return calls with one parameter replaced by something that is no value of it."""
    arguments = _as_json(model, frame)
    name = tool.takes[number % len(tool.takes)]
    item = model.fields[name]
    for wrong in (*MALFORMED, *_outside(item), *_malformed_lists(item, frame[name])):
        if not _is_value(item, wrong):
            yield Trial(tool.name, {**arguments, name: wrong}, INVALID_PARAMETER)
    yield Trial(tool.name, {k: v for k, v in arguments.items() if k != name}, INVALID_PARAMETER)
    yield Trial(tool.name, {**arguments, "no_such_parameter": 1}, INVALID_PARAMETER)


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
    other = low + (value - low + 1 + below(span, SEED, item.name, number)) % (span + 1)
    if isinstance(item.type, DateType) and below(2, SEED, item.name, "month", number):
        other = min(_month_end(other), high)  # where adding months is not adding days
    return other if other != value else None


def _month_end(day: int) -> int:
    found = date.fromordinal(day)
    return day - found.day + monthrange(found.year, found.month)[1]


def _other_text(item: Field, value: str, number: int) -> str | None:
    kind = item.type
    if not isinstance(kind, TextType):
        return None
    shape = shape_of(kind)
    drawn = shape.text(below(min(shape.size, LARGEST), SEED, item.name, number)) if shape else ""
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
