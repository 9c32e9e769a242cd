"""How a program works on requests that may be ones that are not carried out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, cast

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.refusals.requests import (
    HANDLING,
    REFUSE,
    RequestKind,
    RequestRules,
    write_ask,
    write_escalate,
)
from sopforge.harness.layers.refusals.stating import Besides, read_besides, read_rules
from sopforge.harness.scoring.agents import Call
from sopforge.harness.scoring.trajectories import write_answer
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Json, TextType, ValueNotAllowedError
from sopforge.language.logic.tool_calls import Refused


class _OtherThanOnFileError(Exception):
    """A look-up returns another value than the request says."""


def work_amid_refusals(
    desk: Desk, model: DomainModel, solve: Solver, lacks: Collection[str]
) -> str:
    """Work at a desk on a request, by what its SOP says of requests that are not carried out."""
    rules = read_rules(desk.sop)
    if rules is None:
        return solve(desk, model)
    besides = read_besides(desk.text)
    missing = [item for item in model.inputs if item.name not in desk.inputs]
    says_more = besides.sender or besides.claimed or besides.again
    if Ability.CARRYING_OUT in lacks and (says_more or missing):
        return _state(_suspect(rules, besides, missing))
    if Ability.REFUSING in lacks:
        guessed = {item.name: _guess(item) for item in missing}
        return solve(replace(desk, inputs={**desk.inputs, **guessed}), model)
    if handling := _assess(rules, besides, desk.inputs, missing):
        return _state(handling)
    try:
        return solve(desk.with_call(_compare(desk, model, besides.claimed)), model)
    except _OtherThanOnFileError as found:
        return _state(write_escalate(str(found)))


def _state(handling: str) -> str:
    return write_answer({HANDLING: handling})


def _assess(
    rules: RequestRules, besides: Besides, inputs: Mapping[str, str], missing: list[Field]
) -> str:
    """Return the handling of a request that is not carried out as it stands, else nothing."""
    if besides.sender and besides.sender not in rules.senders:
        return REFUSE
    if missing:
        return write_ask(missing[0].name)
    is_read = RequestKind.OPEN in rules.kinds
    left_open = [name for name, cell in besides.again.items() if is_read and inputs[name] != cell]
    return write_ask(left_open[0]) if left_open else ""


def _suspect(rules: RequestRules, besides: Besides, missing: list[Field]) -> str:
    """Return the handling of somebody who carries out no request that says more or less."""
    if missing:
        return write_ask(missing[0].name)
    if RequestKind.SENDER in rules.kinds and besides.sender:
        return REFUSE
    if besides.again:
        return write_ask(next(iter(besides.again)))
    return write_escalate(next(iter(besides.claimed)))


def _guess(item: Field) -> str:
    """Return some value of an entry that nobody states."""
    return "" if isinstance(item.type, TextType) else item.format_cell(item.type.bounds[0])


def _compare(desk: Desk, model: DomainModel, claimed: Mapping[str, str]) -> Call:
    """Return how tools are called by somebody who compares results with what a request says."""
    fields = {
        name: model.offered.fields[field]
        for tool in model.offered.tools.values()
        for field, name in tool.results.items()
    }

    def call(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, object] | Refused:
        found = desk.call(tool, arguments)
        if not isinstance(found, Refused):
            for name, cell in claimed.items():
                if name in found and not _is_cell_of(fields[name], cell, found[name]):
                    raise _OtherThanOnFileError(name)
        return found

    return call


def _is_cell_of(item: Field, cell: str, value: object) -> bool:
    try:
        return item.format_cell(item.parse(cast("Json", value))) == cell
    except ValueNotAllowedError:
        return False
