"""Tools: the code answers as the model does, on every record and on mutated parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import cast

from sopforge.checks.spoiling import edit_text
from sopforge.dataset.parameter_values import NoValueError, parameter_value
from sopforge.dataset.tool_trials import Trial, case_inputs, tool_trials
from sopforge.domain.model import INVALID_PARAMETER, DomainModel
from sopforge.errors import ToolProcessError
from sopforge.findings import Finding, error
from sopforge.sandbox.answers import JSON, JSONValue, Observation, Refusal
from sopforge.sandbox.twice import answers_twice
from sopforge.workspace import TOOLS, Workspace

SHOWN = 20


class ToolsAgree:
    """Same results, same refusals, same answer twice; run outside this process."""

    name = "tools-agree"
    stage = "tools"
    runs_tools = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        trials = list(trials_of(workspace))
        files = {"tools.py": workspace.files[TOOLS], **workspace.records}
        stored = {name: text.encode() for name, text in files.items()}
        calls = [(t.tool, cast("Mapping[str, JSONValue]", t.arguments)) for t in trials]
        try:
            replies = answers_twice(
                stored, calls, time_limit=120.0, in_order=_has_effects(workspace.model)
            )
        except ToolProcessError as cause:
            # No call was answered: no module that answers some of them wrongly is worse.
            count = len(trials)
            return [
                error(fault.code, fault.message, where=TOOLS, hint=fault.hint, count=count)
                for fault in cause.faults
            ]
        kinds: dict[str, list[str]] = {}
        for trial, reply in zip(trials, replies, strict=True):
            if _plain(reply) != _expected(trial):
                kind = _kind(workspace.model, trial, reply)
                kinds.setdefault(kind, []).append(_difference(trial, reply))
        return _shortened(kinds)

    def spoil(self, workspace: Workspace) -> Workspace:
        return edit_text(workspace, TOOLS, '"unknown_record"', '"no_record"')


def _has_effects(model: DomainModel) -> bool:
    """Tell whether a call can change what later ones find."""
    return any(tool.effects for tool in model.tools.values())


def trials_of(workspace: Workspace) -> Iterable[Trial]:
    """Return the calls on which the tools of a workspace are tried, with the model's answers."""
    model = workspace.model
    inputs = case_inputs(model, [task.inputs for task in workspace.tasks])
    return tool_trials(model, workspace.records, inputs)


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


def _kind(model: DomainModel, trial: Trial, reply: Observation | Refusal) -> str:
    """Return under what a difference is told together with others like it."""
    if isinstance(trial.expected, str):
        said = reply.code if isinstance(reply, Refusal) else "a result"
        wrong = _misfits(model, trial) if trial.expected == INVALID_PARAMETER else []
        about = f" for a wrong {', '.join(wrong)}" if wrong else ""
        return f"{trial.tool}: {said} instead of {trial.expected}{about}"
    if isinstance(reply, Refusal):
        return f"{trial.tool}: {reply.code} instead of a result"
    found, wanted = _floats(reply.value), trial.expected
    names = [n for n in wanted if not isinstance(found, dict) or found.get(n) != wanted[n]]
    return f"{trial.tool}: wrong {', '.join(names) or 'fields'}"


def _misfits(model: DomainModel, trial: Trial) -> list[str]:
    """Return the parameters whose values are none; where names are wrong, no value is."""
    tool, wrong = model.tools[trial.tool], []
    for item in model.tool_parameters(tool) if trial.arguments.keys() == set(tool.takes) else ():
        try:
            parameter_value(item, tool, trial.arguments[item.name])
        except NoValueError:
            wrong.append(item.name)
    return wrong


def _shortened(kinds: Mapping[str, Sequence[str]]) -> list[Finding]:
    """Return a finding for each kind, the most frequent first; the last one counts the rest."""
    listed = sorted(kinds.items(), key=lambda item: -len(item[1]))
    found = [
        error("tools-disagree", _told(kind, calls), where=TOOLS, count=len(calls))
        for kind, calls in listed[:SHOWN]
    ]
    rest = sum(len(calls) for _, calls in listed[SHOWN:])
    if rest:
        message = f"{len(listed) - SHOWN} further kinds of differences, in {rest} calls"
        found.append(error("tools-disagree-more", message, where=TOOLS, count=rest))
    return found


def _told(kind: str, calls: Sequence[str]) -> str:
    return calls[0] if len(calls) == 1 else f"{kind}, in {len(calls)} calls, as {calls[0]}"


CHECK = ToolsAgree()
