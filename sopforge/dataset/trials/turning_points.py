"""Where a tool begins to decide otherwise: the values of a parameter beside each limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sopforge.domain.fields import Field
from sopforge.domain.guards import guard_checks
from sopforge.domain.language.expressions import (
    Compare,
    Constant,
    Element,
    Expression,
    Workdays,
    parts,
    walk,
)
from sopforge.domain.model import DomainModel, Tool, ToolKind, decision_order
from sopforge.domain.rules import Formula
from sopforge.domain.values.types import DateTimeType, DateType, NumberType, Value, bounds
from sopforge.logic.readings.scalar import evaluate, holds

Frame = Mapping[str, Value | None]
Truths = tuple[bool, ...]


def turning_points(
    model: DomainModel, tool: Tool, frame: Frame, record: Frame, item: Field
) -> Iterator[int]:
    """Return values between which a comparison of the tool turns, all else being as given."""
    value = frame[item.name]
    if not isinstance(item.type, NumberType | DateType | DateTimeType) or not isinstance(
        value, int
    ):
        return
    low, high = bounds(item.type)
    for compare in _comparisons(model, tool):

        def truth(other: int, compare: Compare = compare) -> bool:
            return holds(compare, _known(model, tool, {**record, **frame, item.name: other}))

        for end in (low, high):
            if truth(end) != truth(value):
                yield from _turn(truth, value, end)


def named_days(model: DomainModel, tool: Tool) -> tuple[int, ...]:
    """Return the days that the rules of a tool name, holidays among them, with their neighbours."""
    found: set[int] = set()
    for node in parts(*_wholes(model, tool)):
        match node:
            case Constant(type=DateType(), value=int(day)):
                found.add(day)
            case Workdays(holidays=holidays):
                found.update(holidays)
            case _:
                pass
    return tuple(sorted({day + step for day in found for step in (-1, 0, 1)}))


def _turn(truth: Callable[[int], bool], near: int, far: int) -> tuple[int, int]:
    """Return the last value that decides as ``near`` does, and the first that does as ``far``."""
    decided = truth(near)
    while abs(far - near) > 1:
        middle = (near + far) // 2
        if truth(middle) == decided:
            near = middle
        else:
            far = middle
    return near, far


def _comparisons(model: DomainModel, tool: Tool) -> list[Compare]:
    """Return what a tool compares, but for what it compares inside lists."""
    return [
        node
        for node in parts(*_wholes(model, tool))
        if isinstance(node, Compare) and not any(isinstance(part, Element) for part in walk(node))
    ]


def _wholes(model: DomainModel, tool: Tool) -> list[Expression]:
    """Return all that a tool tests or works out."""
    tests = [check.test for check in guard_checks(tool.guard)]
    return [*tests, *(decision.value for decision in _worked_out(model, tool))]


def _known(model: DomainModel, tool: Tool, seen: Frame) -> Frame:
    known = dict(seen)
    for decision in _worked_out(model, tool):
        known[decision.target] = evaluate(decision.value, known)
    return known


def _worked_out(model: DomainModel, tool: Tool) -> list[Formula]:
    if tool.kind is not ToolKind.COMPUTE:
        return []
    found = [model.decisions[name] for name in decision_order(model, tool.returns, tool.takes)]
    return [decision for decision in found if isinstance(decision, Formula)]
