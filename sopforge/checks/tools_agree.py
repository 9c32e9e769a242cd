"""Tools: the code answers as the model does, on every record and on mutated parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import cast

from sopforge.checks.spoiling import edit_text
from sopforge.dataset.tool_trials import Trial, case_inputs, tool_trials
from sopforge.errors import ToolProcessError
from sopforge.findings import Finding, error, warning
from sopforge.sandbox.answers import JSON, JSONValue, Observation, Refusal
from sopforge.sandbox.twice import answers_twice
from sopforge.workspace import TOOLS, Workspace

SHOWN = 5


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
            replies = answers_twice(stored, calls, time_limit=120.0)
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
