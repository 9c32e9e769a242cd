"""Where a tool begins to decide otherwise: the values of a parameter beside each limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from sopforge.language.domain.expressions.expressions import (
    AddWorkdays,
    Compare,
    Constant,
    Element,
    Expression,
    Workdays,
    iterate_parts,
    walk,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool, ToolKind, order_decisions
from sopforge.language.domain.rules import Formula
from sopforge.language.domain.values.types import (
    DateType,
    OrderedType,
    Value,
)
from sopforge.language.logic.readings.scalar import evaluate, holds

Frame = Mapping[str, Value | None]


def find_turning_points(
    model: DomainModel, tool: Tool, frame: Frame, record: Frame, item: Field
) -> Iterator[int]:
    """Return values between which a comparison of the tool turns, all else being as given."""
    value = frame[item.name]
    if not isinstance(item.type, OrderedType) or not isinstance(value, int):
        return
    low, high = item.type.bounds
    for compare in _list_comparisons(model, tool):

        def is_met(other: int, compare: Compare = compare) -> bool:
            return holds(
                compare, _add_computed_values(model, tool, {**record, **frame, item.name: other})
            )

        # From the given value to each end: a turn with another one after it may be passed over.
        for end in (low, high):
            if is_met(end) != is_met(value):
                yield from _find_turn(is_met, value, end)


def collect_named_days(model: DomainModel, tool: Tool) -> tuple[int, ...]:
    """Return the days that the rules of a tool name, holidays among them, with their neighbours."""
    found: set[int] = set()
    for node in iterate_parts(*_list_expressions(model, tool)):
        match node:
            case Constant(type=DateType(), value=int(day)):
                found.add(day)
            case Workdays(holidays=holidays) | AddWorkdays(holidays=holidays):
                found.update(holidays)
            case _:
                pass
    return tuple(sorted({day + step for day in found for step in (-1, 0, 1)}))


def _find_turn(truth: Callable[[int], bool], near: int, far: int) -> tuple[int, int]:
    """Return the last value that decides as ``near`` does, and the first that does as ``far``."""
    decided = truth(near)
    while abs(far - near) > 1:
        middle = (near + far) // 2
        if truth(middle) == decided:
            near = middle
        else:
            far = middle
    return near, far


def _list_comparisons(model: DomainModel, tool: Tool) -> list[Compare]:
    """Return what a tool compares, but for what it compares inside lists."""
    return [
        node
        for node in iterate_parts(*_list_expressions(model, tool))
        if isinstance(node, Compare) and not any(isinstance(part, Element) for part in walk(node))
    ]


def _list_expressions(model: DomainModel, tool: Tool) -> list[Expression]:
    """Return all that a tool tests or works out."""
    tests = [check.test for check in list_guard_checks(tool.guard)]
    return [*tests, *(decision.value for decision in _list_formulas(model, tool))]


def _add_computed_values(model: DomainModel, tool: Tool, seen: Frame) -> Frame:
    known = dict(seen)
    for decision in _list_formulas(model, tool):
        known[decision.target] = evaluate(decision.value, known)
    return known


def _list_formulas(model: DomainModel, tool: Tool) -> list[Formula]:
    if tool.kind is not ToolKind.COMPUTE:
        return []
    found = [model.decisions[name] for name in order_decisions(model, tool.returns, tool.takes)]
    return [decision for decision in found if isinstance(decision, Formula)]
