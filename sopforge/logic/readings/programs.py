"""Expressions as programs: a list of steps, for what is worked out time and again.

The fold of ``interpret`` goes down an expression anew each time. A program has its parts in order,
and knows which of them depend on a field, so that after a change only these are worked out again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from sopforge.domain.language.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    DateOf,
    Elapsed,
    Element,
    Expression,
    Lookup,
    Not,
    OneOf,
    Outermost,
    Presence,
    Quotient,
    Read,
    Rescale,
    Size,
    Workdays,
    collect_read_fields,
    list_children,
    list_ordered_parts,
)
from sopforge.logic.readings.algebra import Algebra

T = TypeVar("T")


class _Given(Enum):
    """How an algebra is given the meanings of operands."""

    ONE_BY_ONE = 1
    AS_LIST = 2
    FIRST_AND_LIST = 3


_VISITS: dict[type, str] = {
    Constant: "visit_constant",
    Read: "visit_read",
    Element: "visit_element",
    Presence: "visit_presence",
    Rescale: "visit_rescale",
    Arithmetic: "visit_arithmetic",
    Quotient: "visit_quotient",
    Absolute: "visit_absolute",
    Outermost: "visit_outermost",
    Elapsed: "visit_elapsed",
    Workdays: "visit_workdays",
    AddDays: "visit_add_days",
    AddMonths: "visit_add_months",
    DateOf: "visit_date_of",
    Size: "visit_size",
    Compare: "visit_compare",
    OneOf: "visit_one_of",
    Contains: "visit_contains",
    AllOf: "visit_all_of",
    AnyOf: "visit_any_of",
    Not: "visit_negation",
    Choice: "visit_choice",
    Lookup: "visit_lookup",
    Aggregate: "visit_aggregate",
}
_AS_LIST = (AllOf, AnyOf, Outermost)


@dataclass(frozen=True, slots=True)
class _Step:
    """A part of an expression, and the numbers of the steps that its operands are."""

    node: Expression
    visit: str
    given: _Given
    operands: tuple[int, ...]


class Program:
    """Expressions in steps, each after those whose meanings it is given.

    ``fields`` says of each step what it reads, and ``results`` which steps are the expressions.
    """

    def __init__(self, expressions: Sequence[Expression]) -> None:
        parts = list_ordered_parts(expressions)
        numbers = {id(part): number for number, part in enumerate(parts)}
        self.steps = [_make_step(part, numbers) for part in parts]
        self.results = [numbers[id(expression)] for expression in expressions]
        self.fields: list[frozenset[str]] = []
        for step in self.steps:
            read = [self.fields[number] for number in step.operands]
            self.fields.append(
                frozenset[str]().union(*read) if read else collect_read_fields(step.node)
            )

    def list_dependent_steps(self, fields: Collection[str]) -> list[int]:
        """Return the steps whose meaning may change with some fields, in order."""
        return [number for number, read in enumerate(self.fields) if not read.isdisjoint(fields)]

    def run(self, algebra: Algebra[T]) -> list[T]:
        """Return the meanings of all steps."""
        values: list[Any] = [None] * len(self.steps)
        self.run_steps(algebra, range(len(self.steps)), values)
        return values

    def run_steps(self, algebra: Algebra[T], numbers: Iterable[int], values: list[T]) -> None:
        """Put the meanings of some steps among the values, which has those of all others."""
        visits: dict[str, Callable[..., T]] = {
            name: getattr(algebra, name) for name in _VISITS.values()
        }
        steps = self.steps
        for number in numbers:
            step = steps[number]
            visit, operands = visits[step.visit], [values[place] for place in step.operands]
            if step.given is _Given.ONE_BY_ONE:
                values[number] = visit(step.node, *operands)
            elif step.given is _Given.AS_LIST:
                values[number] = visit(step.node, operands)
            else:
                values[number] = visit(step.node, operands[0], operands[1:])


def _make_step(node: Expression, numbers: dict[int, int]) -> _Step:
    # What is inside of an aggregate is about its items, and worked out with it.
    children = () if isinstance(node, Aggregate) else list_children(node)
    given = _Given.ONE_BY_ONE
    if isinstance(node, _AS_LIST):
        given = _Given.AS_LIST
    elif isinstance(node, Lookup):
        given = _Given.FIRST_AND_LIST
    operands = tuple(numbers[id(child)] for child in children)
    return _Step(node, _VISITS[type(node)], given, operands)
