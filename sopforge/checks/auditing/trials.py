"""What a package's tools answer in the sandbox: on every row, twice, and with other arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sopforge.checks.auditing.arguments import (
    BLANKS,
    as_argument,
    get_parameter_schemas,
    list_required_parameters,
)
from sopforge.errors import Fault, ToolProcessError
from sopforge.sandbox.answers import JSON, Answer, JSONValue, Observation
from sopforge.sandbox.process import ToolProcess
from sopforge.sandbox.twice import SALTS, open_process
from sopforge.scoring.sop_bench_package import PeerPackage, PeerTool

Arguments: TypeAlias = Mapping[str, JSONValue]
TIME_LIMIT = 60.0
MUTATED_ROWS = 40
"""Of how many rows each parameter is changed, and by how many values of other rows."""
OTHERS = 3
STRANGE: tuple[JSONValue, ...] = ("no such value", -987654321, {"no": "value"})
"""Values that no record has, and of which at most one is of the parameter's type."""


@dataclass(frozen=True, slots=True)
class TriedCall:
    """A call with arguments from a row: its answer, and that of a second process, a plain run."""

    tool: str
    row: int
    arguments: Arguments
    answer: Answer
    again: Answer


@dataclass(frozen=True, slots=True)
class Changed:
    """A call of which one parameter was changed, and what either was answered."""

    tool: str
    parameter: str
    arguments: Arguments
    before: Answer
    after: Answer


@dataclass(frozen=True, slots=True)
class Trials:
    """All calls; ``faults`` has what ended the tools that cannot be run, "" standing for all.

    ``outside`` says what is wrong with the plain run where processes in the sandbox answer alike.
    """

    tried: tuple[TriedCall, ...] = ()
    changed: tuple[Changed, ...] = ()
    faults: Mapping[str, Fault] = field(default_factory=dict)
    outside: str = ""

    def list_calls(self, tool: str) -> list[TriedCall]:
        """Return the calls of a tool, in row order."""
        return [call for call in self.tried if call.tool == tool]


def try_tools(
    package: PeerPackage, facts: Sequence[Mapping[str, str]], files: Mapping[str, bytes]
) -> Trials:
    """Return what the tools answer to arguments that the package itself offers.

    A tool that misbehaves is left out, and the rest tried without it.
    """
    faults: dict[str, Fault] = {}
    # Each round leaves out one tool more, so that it ends.
    while True:
        tools = [tool for tool in package.toolspecs if tool.name not in faults]
        try:
            tried, outside = _try_outside(tools, facts, files)
            changed = tuple(_change_all(tools, tried, files))
            return Trials(tuple(tried), changed, faults, outside)
        except _ToolFailedError as failed:
            faults[failed.tool] = failed.fault
        except ToolProcessError as failed:
            return Trials(faults={"": failed.faults[0]})


def _try_outside(
    tools: Sequence[PeerTool], facts: Sequence[Mapping[str, str]], files: Mapping[str, bytes]
) -> tuple[list[TriedCall], str]:
    """Return all calls, and what is wrong with the plain run alone, "" for nothing."""
    tried: list[TriedCall] = []
    outside = "its answers are others"
    try:
        tried = _try_all(tools, facts, files, is_plain=True)
    except _ToolFailedError as failed:
        outside = failed.fault.message
    except ToolProcessError as failed:
        outside = failed.faults[0].message
    else:
        if not _has_differing_answers(tried):
            return tried, ""
    inside = _try_all(tools, facts, files, is_plain=False)
    return (inside, "") if _has_differing_answers(inside) else (tried or inside, outside)


def _has_differing_answers(tried: Sequence[TriedCall]) -> bool:
    return any(call.answer != call.again for call in tried)


class _ToolFailedError(Exception):
    def __init__(self, tool: str, fault: Fault) -> None:
        super().__init__(str(fault))
        self.tool, self.fault = tool, fault


def _try_all(
    tools: Sequence[PeerTool],
    facts: Sequence[Mapping[str, str]],
    files: Mapping[str, bytes],
    *,
    is_plain: bool,
) -> list[TriedCall]:
    """Call each tool on each row as soon as its parameters are known: from row or results.

    The second process looks like a plain run, where that is wanted and can be confined.
    """
    known: list[dict[str, JSON | str]] = [dict(row) for row in facts]
    tried: list[TriedCall] = []
    other = open_process(files, SALTS[1], time_limit=TIME_LIMIT, is_plain=is_plain)
    with open_process(files, SALTS[0], time_limit=TIME_LIMIT) as first, other as second:
        waiting = [(tool, row) for tool in tools for row in range(len(facts))]
        while waiting:
            ready: list[tuple[PeerTool, int]] = []
            later: list[tuple[PeerTool, int]] = []
            for tool, row in waiting:
                (ready if _has_all(tool, known[row]) else later).append((tool, row))
            # Nothing that was returned gave what the rest requires: those tools stay untried.
            if not ready:
                break
            waiting = later
            for tool in tools:
                rows = [row for other, row in ready if other is tool]
                calls = [_build_arguments(tool, known[row]) for row in rows]
                pairs = zip(
                    _call_tool(first, tool, calls), _call_tool(second, tool, calls), strict=True
                )
                found = [
                    TriedCall(tool.name, row, arguments, *pair)
                    for row, arguments, pair in zip(rows, calls, pairs, strict=True)
                ]
                tried += found
                _learn(known, found)
    return tried


def _call_tool(process: ToolProcess, tool: PeerTool, calls: Sequence[Arguments]) -> list[Answer]:
    try:
        return process.call_many([(tool.name, arguments) for arguments in calls])
    except ToolProcessError as failed:
        raise _ToolFailedError(tool.name, failed.faults[0]) from failed


def _learn(known: list[dict[str, JSON | str]], found: Sequence[TriedCall]) -> None:
    """Add what tools returned to what is known of their rows; what is on record stays."""
    for call in found:
        if isinstance(call.answer, Observation) and isinstance(call.answer.value, dict):
            known[call.row] = {**call.answer.value, **known[call.row]}


def _has_all(tool: PeerTool, known: Mapping[str, object]) -> bool:
    return all(_is_given(known.get(name)) for name in list_required_parameters(tool))


def _is_given(value: object) -> bool:
    return value is not None and str(value).strip().lower() not in BLANKS


def _build_arguments(tool: PeerTool, known: Mapping[str, JSON | str]) -> Arguments:
    schemas = get_parameter_schemas(tool)
    return {
        name: as_argument(schemas.get(name, {}), value) if isinstance(value, str) else value
        for name, value in known.items()
        if name in {*schemas, *list_required_parameters(tool)} and _is_given(value)
    }


def _change_all(
    tools: Sequence[PeerTool], tried: Sequence[TriedCall], files: Mapping[str, bytes]
) -> Iterator[Changed]:
    """Call again with one parameter at a time as other rows have it, and as none has."""
    for tool in tools:
        answered = [
            call
            for call in tried
            if call.tool == tool.name and isinstance(call.answer, Observation)
        ]
        asked = [
            change
            for name in get_parameter_schemas(tool)
            for change in _iterate_changed_arguments(name, answered)
        ]
        with open_process(files, SALTS[0], time_limit=TIME_LIMIT) as process:
            answers = _call_tool(process, tool, [arguments for _, _, arguments in asked])
        for (name, call, arguments), answer in zip(asked, answers, strict=True):
            yield Changed(tool.name, name, arguments, call.answer, answer)


def _iterate_changed_arguments(
    name: str, answered: Sequence[TriedCall]
) -> Iterator[tuple[str, TriedCall, Arguments]]:
    values = [call.arguments[name] for call in answered if name in call.arguments]
    distinct = [value for place, value in enumerate(values) if value not in values[:place]]
    for call in answered[:MUTATED_ROWS]:
        if name in call.arguments:
            others = [value for value in distinct if value != call.arguments[name]]
            # Another start for each row, so that between them the rows try more than three values.
            first = call.row % max(len(others), 1)
            for value in (*(others[first:] + others[:first])[:OTHERS], *STRANGE):
                yield name, call, {**call.arguments, name: value}
