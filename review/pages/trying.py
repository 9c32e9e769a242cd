"""Trying a tool: a form for its entries, and what the tool answers in the sandbox."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from review.artifact import Artifact
from review.pages.parts.field_words import describe_values
from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.errors import Fault, SandboxError, ToolProcessError
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    ListType,
    NumberType,
    SetType,
)
from sopforge.sandbox.answers import JSON, Answer, JSONValue, Refusal
from sopforge.sandbox.process import ToolProcess
from sopforge.workspace import TASKS, TOOLS, TRAJECTORIES, Workspace

ARGUMENT = "a."
"""What the name of an entry begins with in the form."""
TIME_LIMIT = 10.0
MOST_CHARACTERS = 20_000


# Python refuses to read a number of more than 4,300 digits.
_WHOLE = re.compile(r"\s*[-+]?[0-9]{1,4000}\s*")


class InputKind(StrEnum):
    """How a call ended: with values, with a refusal, or with a tool that does not work."""

    ANSWERED = "answered"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call: ``values`` by name, or a code with what it means and what to do."""

    kind: InputKind
    sent: Mapping[str, JSONValue]
    values: Mapping[str, str]
    code: str = ""
    message: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the form, with what was typed or what an example has."""

    name: str
    label: str
    value: str
    options: tuple[str, ...]
    hint: str


@dataclass(frozen=True, slots=True)
class Trying:
    """The form of a tool; ``is_derived`` where the model's own tool stands in for the artifact's.

    ``example`` is the task whose call fills the form.
    """

    tool: str
    description: str
    entries: tuple[Entry, ...]
    example: str
    is_derived: bool
    result: Result | None = None


def build_tool_form(
    artifact: Artifact, tool: str, sent: Mapping[str, str] | None = None
) -> Trying | None:
    """Return the form of a tool, filled from an example or with what was sent and its result.

    None where the model has no such tool.
    """
    model = artifact.workspace.model.offered
    if tool not in model.tools:
        return None
    example, values = _find_example(artifact.workspace, tool)
    if sent is not None:
        example, values = "", dict(sent)
    entries = [_build_entry(item, values) for item in model.list_tool_parameters(model.tools[tool])]
    return Trying(
        tool,
        model.tools[tool].description,
        tuple(entries),
        example,
        TOOLS not in artifact.workspace.files,
        None if sent is None else try_tool(artifact, tool, sent),
    )


def try_tool(artifact: Artifact, tool: str, arguments: Mapping[str, str]) -> Result:
    """Return what a tool answers in the sandbox to entries as they were typed.

    A blank entry is left out; a text that is no value of its field goes to the tool as it is, which
    should refuse it. Nothing that the tool does reaches anything but its own process.
    """
    workspace, model = artifact.workspace, artifact.workspace.model.offered
    if tool not in model.tools:
        return _make_failed_result(
            {}, Fault("unknown-tool", f"the domain has no tool '{tool[:200]}'")
        )
    fields = {item.name: item for item in model.list_tool_parameters(model.tools[tool])}
    typed = {name: text for name, text in arguments.items() if name in fields and text.strip()}
    too_long = [name for name, text in typed.items() if len(text) > MOST_CHARACTERS]
    if too_long:
        message = f"{too_long[0]} has more than {MOST_CHARACTERS:,} characters"
        return _make_failed_result(
            {}, Fault("entry-too-long", message, hint="enter a shorter text")
        )
    sent = {name: as_json(fields[name], text) for name, text in typed.items()}
    files = {"tools.py": _choose_tools_module(workspace), **workspace.records}
    try:
        with ToolProcess(
            files={name: text.encode() for name, text in files.items()}, time_limit=TIME_LIMIT
        ) as process:
            return _build_result(sent, process.call(tool, sent))
    except (ToolProcessError, SandboxError) as cause:
        return _make_failed_result(sent, cause.faults[0])


def as_json(item: Field, text: str) -> JSONValue:
    """Return a typed text as a tool takes it: numbers and lists as such, where it is one."""
    if item.missing and text == item.missing:
        return text
    match item.type:
        case NumberType(places=0):
            return int(text) if _WHOLE.fullmatch(text) else text
        case NumberType():
            return _parse_number(text)
        case SetType(empty=empty):
            parts = [part.strip() for part in text.split(";")]
            return [] if text.strip() == empty else [part for part in parts if part]
        case ListType(empty=empty):
            return [] if text.strip() == empty else _parse_json(text)
        case _:
            return text


def _parse_number(text: str) -> JSONValue:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return number if number.is_finite() else text


def _parse_json(text: str) -> JSONValue:
    try:
        found: JSONValue = json.loads(text, parse_constant=str)
    except (ValueError, RecursionError):
        return text
    return found


def _choose_tools_module(workspace: Workspace) -> str:
    """Return the tools of the artifact, or, before there are any, those that the model means."""
    return workspace.files.get(TOOLS) or render_tools(workspace.model)


def _build_result(sent: Mapping[str, JSONValue], answer: Answer) -> Result:
    if isinstance(answer, Refusal):
        return Result(InputKind.REFUSED, sent, {}, answer.code, answer.message)
    value = answer.value
    if isinstance(value, dict):
        return Result(
            InputKind.ANSWERED, sent, {name: _format_value(part) for name, part in value.items()}
        )
    return Result(InputKind.ANSWERED, sent, {"result": _format_value(value)})


def _format_value(value: JSON) -> str:
    if isinstance(value, str | Decimal):
        return str(value)
    return json.dumps(value, ensure_ascii=False, default=float)


def _make_failed_result(sent: Mapping[str, JSONValue], fault: Fault) -> Result:
    return Result(InputKind.FAILED, sent, {}, fault.code, fault.message, fault.hint)


def _find_example(workspace: Workspace, tool: str) -> tuple[str, dict[str, str]]:
    """Return the first call of a tool in a right solution: the task, and its entries as typed."""
    if not {TASKS, TRAJECTORIES} <= workspace.files.keys():
        return "", {}
    for task in workspace.tasks:
        for call in task.calls:
            if call.tool == tool:
                fields = workspace.model.offered.fields
                return task.id, {
                    name: _format_argument(fields[name], value)
                    for name, value in call.arguments.items()
                    if name in fields
                }
    return "", {}


def _format_argument(item: Field, value: object) -> str:
    match item.type:
        case SetType(empty=empty) if isinstance(value, list):
            return "; ".join(map(str, value)) or empty
        case _:
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _build_entry(item: Field, values: Mapping[str, str]) -> Entry:
    match item.type:
        case EnumType(options):
            known = options
        case BooleanType():
            known = BOOLEAN_WORDS
        case _:
            known = ()
    hint = describe_values(item.type)
    return Entry(item.name, item.label, values.get(item.name, ""), known, hint)
