"""Tools: the code answers as the model does, on every record and on mutated parameters.

A refusal is a refusal, a value has the type and the places of its field, and the message of a
refusal is that of the tools that are derived from the model.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias, cast

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.checks.spoiling import edit_text
from sopforge.errors import ToolProcessError
from sopforge.findings import Finding, convert_faults, make_error_finding
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tool_checks import INVALID_PARAMETER
from sopforge.proof.dataset.trials.parameter_values import NoValueError, parse_parameter
from sopforge.proof.dataset.trials.tool_trials import Trial, iterate_tool_trials, parse_case_inputs
from sopforge.sandbox.answers import (
    JSON,
    Answer,
    Call,
    JSONValue,
    Observation,
    Refusal,
    as_json,
    is_same,
)
from sopforge.sandbox.twice import SALTS, ask_twice, open_process
from sopforge.workspace import TOOLS, Workspace

SHOWN = 20
LONGEST = 200
"""How many characters of a value a message shows."""
TIME_LIMIT = 120.0
_MODULE = "tools.py"

Answered: TypeAlias = tuple[Trial, Answer]
Kinds: TypeAlias = Mapping[str, Sequence[str]]
"""What is wrong with calls, each in words, by the kind under which they are reported together."""


class ToolsAgree:
    """In their own process, the tools always give the same results and refusals as the model."""

    name = "tools-agree"
    stage = "tools"
    runs_tools = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        texts = {_MODULE: workspace.files[TOOLS], **workspace.records}
        files = {name: text.encode() for name, text in texts.items()}
        return find_disagreements(workspace.model, files, list(list_trials(workspace)))

    def spoil(self, workspace: Workspace) -> Workspace:
        return edit_text(workspace, TOOLS, '"unknown_record"', '"no_record"')


def find_disagreements(
    model: DomainModel, files: Mapping[str, bytes], trials: Sequence[Trial]
) -> list[Finding]:
    """Return where tools, run from their files, do not answer trials as the model does."""
    groups = [list(group) for _, group in groupby(trials, key=attrgetter("group"))]
    try:
        replies = [reply for group in groups for reply in _ask_group(model, files, group)]
        derived = _ask_derived(model, files, groups)
    except ToolProcessError as cause:
        # No call was answered: no module that answers some of them wrongly is worse.
        return convert_faults(cause.faults, where=TOOLS, count=len(trials))
    answered = list(zip(trials, replies, strict=True))
    return [
        *_make_disagreement_findings(_group_differences(model, answered)),
        *_make_message_findings(_group_messages(answered, derived)),
    ]


def _ask_group(
    model: DomainModel, files: Mapping[str, bytes], trials: Sequence[Trial]
) -> list[Answer]:
    return ask_twice(
        files, _list_calls(trials), time_limit=TIME_LIMIT, in_order=_has_effects(model)
    )


def _ask_derived(
    model: DomainModel, files: Mapping[str, bytes], groups: Iterable[Sequence[Trial]]
) -> list[Answer]:
    """Return what the derived tools answer; nothing where they are the ones that were asked."""
    derived = render_tools(model).encode()
    if files[_MODULE] == derived:
        return []
    found: list[Answer] = []
    for trials in groups:
        with open_process({**files, _MODULE: derived}, SALTS[0], time_limit=TIME_LIMIT) as tools:
            found += tools.call_many(_list_calls(trials))
    return found


def _list_calls(trials: Iterable[Trial]) -> list[Call]:
    return [(t.tool, cast("Mapping[str, JSONValue]", t.arguments)) for t in trials]


def _has_effects(model: DomainModel) -> bool:
    """Return whether a call can change what later ones find."""
    return any(tool.effects for tool in model.tools.values())


def list_trials(workspace: Workspace) -> Iterable[Trial]:
    """Return the calls on which the tools of a workspace are tried, with the model's answers."""
    model = workspace.model
    inputs = parse_case_inputs(model, [task.inputs for task in workspace.tasks])
    return iterate_tool_trials(model, workspace.records, inputs)


def _group_differences(model: DomainModel, answered: Iterable[Answered]) -> Kinds:
    """Return the calls that are not answered as the model says, by kind."""
    kinds: dict[str, list[str]] = {}
    for trial, reply in answered:
        if not _is_expected(trial, reply):
            kinds.setdefault(_name_kind(model, trial, reply), []).append(
                _describe_difference(trial, reply)
            )
    return kinds


def _is_expected(trial: Trial, reply: Answer) -> bool:
    if isinstance(trial.expected, str):
        return isinstance(reply, Refusal) and reply.code == trial.expected
    return isinstance(reply, Observation) and is_same(reply.value, as_json(trial.expected))


def _group_messages(answered: Sequence[Answered], derived: Sequence[Answer]) -> Kinds:
    """Return the refusals whose message is another than the derived tools', by kind."""
    kinds: dict[str, list[str]] = {}
    for (trial, reply), own in zip(answered, derived, strict=bool(derived)):
        if (
            isinstance(reply, Refusal)
            and isinstance(own, Refusal)
            and (reply.code == own.code and reply.message != own.message)
        ):
            kind = f"{trial.tool}: {reply.code} with another message"
            said, wanted = map(_format_message, (reply.message, own.message))
            described = (
                f"{_format_call(trial)} refuses with the message {said}; derived is {wanted}"
            )
            kinds.setdefault(kind, []).append(described)
    return kinds


def _format_message(message: str) -> str:
    return _shorten_text(json.dumps(message, ensure_ascii=False))


def _describe_difference(trial: Trial, reply: Answer) -> str:
    if isinstance(reply, Refusal):
        said, wanted = f"refuses with {reply.code}", f"says {trial.expected}"
    else:
        said = f"returns {_shorten_text(repr(_convert_decimals(reply.value)))}"
        does = "refuses with" if isinstance(trial.expected, str) else "says"
        wanted = f"{does} {trial.expected}"
    return f"{_format_call(trial)} {said}; the model {wanted}"


def _convert_decimals(value: JSON) -> object:
    """Return a value with exact decimals as the floats that Python shows."""
    match value:
        case Decimal():
            return float(value)
        case list():
            return [_convert_decimals(item) for item in value]
        case dict():
            return {name: _convert_decimals(item) for name, item in value.items()}
        case _:
            return value


def _format_call(trial: Trial) -> str:
    given = ", ".join(
        f"{name}={_shorten_text(repr(value))}" for name, value in trial.arguments.items()
    )
    return f"{trial.tool}({given})"


def _shorten_text(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _name_kind(model: DomainModel, trial: Trial, reply: Answer) -> str:
    """Return the kind under which a difference is reported with others like it."""
    if isinstance(trial.expected, str):
        said = reply.code if isinstance(reply, Refusal) else "a result"
        wrong = _find_misfits(model, trial) if trial.expected == INVALID_PARAMETER else []
        about = f" for a wrong {', '.join(wrong)}" if wrong else ""
        return f"{trial.tool}: {said} instead of {trial.expected}{about}"
    if isinstance(reply, Refusal):
        return f"{trial.tool}: {reply.code} instead of a result"
    wanted, found = as_json(trial.expected), reply.value
    if not isinstance(wanted, dict) or not isinstance(found, dict):
        return f"{trial.tool}: the result is not an object"
    names = [name for name in wanted if name not in found or not is_same(found[name], wanted[name])]
    return f"{trial.tool}: wrong {', '.join(names) or 'fields'}"


def _find_misfits(model: DomainModel, trial: Trial) -> list[str]:
    """Return the parameters whose values are none; where names are wrong, no value is."""
    tool, wrong = model.offered.tools[trial.tool], []
    for item in (
        model.offered.list_tool_parameters(tool)
        if trial.arguments.keys() == set(tool.takes)
        else ()
    ):
        try:
            parse_parameter(item, tool, trial.arguments[item.name])
        except NoValueError:
            wrong.append(item.name)
    return wrong


def _make_disagreement_findings(kinds: Kinds) -> list[Finding]:
    """Return a finding for each kind, the most frequent first; the last one counts the rest."""
    # One mistake shows in hundreds of calls; whoever corrects it, a person or a language model, is
    # to read of it once.
    kinds_first = sorted(kinds.items(), key=lambda item: -len(item[1]))
    found = [
        make_error_finding(
            "tools-disagree", _describe_calls(kind, calls), where=TOOLS, count=len(calls)
        )
        for kind, calls in kinds_first[:SHOWN]
    ]
    rest = sum(len(calls) for _, calls in kinds_first[SHOWN:])
    if rest:
        message = (
            f"{len(kinds) - SHOWN} further kind{'s' * (len(kinds) - SHOWN != 1)} of"
            f" differences, in {rest} call{'s' * (rest != 1)}"
        )
        found.append(make_error_finding("tools-disagree-more", message, where=TOOLS, count=rest))
    return found


def _make_message_findings(kinds: Kinds) -> list[Finding]:
    """Return a finding for each tool and code whose messages are not the derived ones."""
    hint = "refuse with the derived message, word for word"
    return [
        make_error_finding(
            "refusal-differs",
            _describe_calls(kind, calls),
            where=TOOLS,
            hint=hint,
            count=len(calls),
        )
        for kind, calls in kinds.items()
    ]


def _describe_calls(kind: str, calls: Sequence[str]) -> str:
    return (
        calls[0]
        if len(calls) == 1
        else f"{kind}, in {len(calls)} call{'s' * (len(calls) != 1)}, for example {calls[0]}"
    )


CHECK = ToolsAgree()
