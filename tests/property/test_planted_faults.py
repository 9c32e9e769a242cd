"""The harness finds faults: each is planted in one reading only, and a small run catches it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import pytest
import z3

from sopforge.language.domain.expressions.expressions import (
    AddMonths,
    AggregateFunction,
    Expression,
    Operation,
    Quotient,
    Relation,
    Workdays,
)
from sopforge.language.logic.readings.python_source import HELPERS, PythonSource
from sopforge.language.logic.readings.scalar import Scalar
from sopforge.language.logic.readings.symbolic import Symbolic, Variables
from sopforge.language.logic.readings.vector import Vector
from tests.generators.models import make_model
from tests.judges.agreement import CHECKS, Case, DisagreementError, ask_solver, cases_of, make_rows

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]
Method: TypeAlias = Callable[..., Any]

MODELS, ROWS, SOLVER_ROWS = 60, 60, 8


@dataclass(frozen=True)
class Fault:
    """A fault, and the reading that it is planted in."""

    reading: str
    name: str
    plant: Plant


def method(owner: type, name: str, made: Callable[[Method], Method]) -> Plant:
    """Return the planting of another method, made from the sound one."""
    sound = getattr(owner, name)
    return lambda patch: patch.setattr(owner, name, made(sound))


def at(path: str, value: object) -> Plant:
    """Return the planting of another value at a dotted path."""
    return lambda patch: patch.setattr(path, value)


def node(change: Callable[[Any], Expression]) -> Callable[[Method], Method]:
    """Return what reads another node than the one that stands there."""
    return lambda sound: lambda self, node, *values: sound(self, change(node), *values)


def value(change: Callable[..., Any]) -> Callable[[Method], Method]:
    """Return what changes the values of operands before they are used."""
    return lambda sound: lambda self, node, *values: sound(self, node, *change(*values))


def result(change: Callable[[Any], Any]) -> Callable[[Method], Method]:
    """Return what changes the result."""
    return lambda sound: lambda self, node, *values: change(sound(self, node, *values))


def instead(made: Callable[..., Any]) -> Callable[[Method], Method]:
    """Return what works on node and operands differently."""
    return lambda _: lambda _self, node, *values: made(node, *values)


def relation(wrong: Relation, right: Relation) -> Callable[[Method], Method]:
    """Return what takes one relation for another."""
    return node(lambda it: replace(it, relation=wrong) if it.relation is right else it)


def aggregate(kinds: set[AggregateFunction], **changes: object) -> Callable[[Method], Method]:
    """Return what takes parts of some aggregates for others."""
    return node(lambda it: replace(it, **changes) if it.function in kinds else it)


def helper(kind: type[Expression], old: str, new: str) -> Plant:
    """Return the planting of other source of a helper."""
    name, source = HELPERS[kind]
    assert old in source
    return lambda patch: patch.setitem(HELPERS, kind, (name, source.replace(old, new)))


def half_to_even(dividend: int, divisor: int) -> int:
    quotient, rest = divmod(dividend, divisor)
    return quotient + (2 * rest > divisor or (2 * rest == divisor and quotient % 2))


def swapped(*values: Any) -> Sequence[Any]:  # noqa: ANN401 - values of any reading
    return values[::-1]


def entries_turned(key: Any, entries: Sequence[Any]) -> tuple[Any, list[Any]]:  # noqa: ANN401
    return key, [*entries[1:], entries[0]]


def without_condition(it: Any) -> Expression:  # noqa: ANN401 - an aggregate
    made: Expression = replace(it, where=None)
    return made


def shifted(it: Any) -> Expression:  # noqa: ANN401 - a membership
    size = len(it.operand.type.values)
    made: Expression = replace(it, position=(it.position + 1) % size)
    return made


def parts_turned(it: Any) -> Expression:  # noqa: ANN401 - a selection
    made: Expression = replace(it, parts=it.parts[::-1])
    return made


def lists_turned(column: Any) -> Any:  # noqa: ANN401 - a column of lists
    made = np.empty(len(column), object)
    for place, items in enumerate(column):
        made[place] = items[::-1]
    return made


EXTREMES = {AggregateFunction.MINIMUM, AggregateFunction.MAXIMUM}
MINUS_AS_PLUS = node(
    lambda it: replace(it, operation=Operation.ADD) if it.operation is Operation.SUBTRACT else it
)

FAULTS = [
    # scalar
    Fault("scalar", ">= as >", method(Scalar, "visit_compare", relation(Relation.GT, Relation.GE))),
    Fault(
        "scalar",
        "halves to even",
        method(
            Scalar,
            "visit_quotient",
            instead(lambda it, a, b: half_to_even(a * 10**it.digits, max(1, b))),
        ),
    ),
    Fault(
        "scalar",
        "negative quotients down",
        method(
            Scalar,
            "visit_quotient",
            instead(lambda it, a, b: (2 * a * 10**it.digits + max(1, b)) // (2 * max(1, b))),
        ),
    ),
    Fault("scalar", "presence inverted", method(Scalar, "visit_presence", result(operator.not_))),
    Fault(
        "scalar", "no filter on items", method(Scalar, "visit_aggregate", node(without_condition))
    ),
    Fault(
        "scalar",
        "default of no items",
        method(Scalar, "visit_aggregate", aggregate(EXTREMES, default=None)),
    ),
    Fault(
        "scalar",
        "no filter on what is listed",
        method(Scalar, "visit_selection", node(without_condition)),
    ),
    Fault("scalar", "parts turned", method(Scalar, "visit_selection", node(parts_turned))),
    Fault("scalar", "set bit shifted", method(Scalar, "visit_contains", node(shifted))),
    Fault(
        "scalar",
        "the next label in the set",
        method(Scalar, "visit_among", instead(lambda _, label, members: members >> label + 1 & 1)),
    ),
    Fault("scalar", "sets turned round", method(Scalar, "visit_subset", value(swapped))),
    Fault("scalar", "a set from the other", method(Scalar, "visit_combination", value(swapped))),
    Fault("scalar", "entries turned", method(Scalar, "visit_lookup", value(entries_turned))),
    Fault("scalar", "days between swapped", method(Scalar, "visit_elapsed", value(swapped))),
    Fault(
        "scalar",
        "day of a date-time early",
        method(Scalar, "visit_date_of", result(lambda day: day - 1)),
    ),
    Fault(
        "scalar",
        "or as and",
        method(Scalar, "visit_any_of", instead(lambda _, parts: int(all(parts)))),
    ),
    Fault(
        "scalar",
        "calendar: < for <=",
        at(
            "sopforge.language.domain.expressions.calendars._Integers.is_at_most",
            lambda _, a, b: int(a < b),
        ),
    ),
    Fault(
        "scalar",
        "calendar: months forget leap years",
        at(
            "sopforge.language.domain.expressions.calendars._Integers.divide",
            lambda _, a, b: 0 if b == 1_460 else a // b,
        ),
    ),
    # vector
    Fault("vector", "lists turned", method(Vector, "visit_selection", result(lists_turned))),
    Fault(
        "vector",
        "no filter on what is listed",
        method(Vector, "visit_selection", node(without_condition)),
    ),
    Fault("vector", "<= as <", method(Vector, "visit_compare", relation(Relation.LT, Relation.LE))),
    Fault(
        "vector",
        "halves to even",
        method(
            Vector,
            "visit_quotient",
            instead(
                lambda it, a, b: np.rint(a * 10.0**it.digits / np.maximum(b, 1)).astype(np.int64)
            ),
        ),
    ),
    Fault(
        "vector",
        "unused places counted",
        at(
            "sopforge.language.logic.readings.vector.ListColumn.used",
            property(lambda self: np.ones_like(next(iter(self.fields.values())), dtype=bool)),
        ),
    ),
    Fault(
        "vector",
        "always present",
        method(Vector, "visit_presence", instead(lambda _: np.asarray(1))),
    ),
    Fault(
        "vector",
        "branches swapped",
        method(Vector, "visit_choice", value(lambda c, a, b: (c, b, a))),
    ),
    Fault(
        "vector",
        "last option ignored",
        method(Vector, "visit_one_of", node(lambda it: replace(it, options=it.options[:1]))),
    ),
    Fault(
        "vector",
        "first of min and max",
        method(Vector, "visit_outermost", instead(lambda _, parts: parts[0])),
    ),
    Fault(
        "vector",
        "calendar: < for <=",
        at(
            "sopforge.language.logic.readings.vector._Integers.is_at_most",
            lambda _, a, b: np.asarray(a < b),
        ),
    ),
    Fault(
        "vector",
        "workdays off by one",
        method(Vector, "visit_workdays", result(lambda days: days + 1)),
    ),
    Fault(
        "vector",
        "days taken away",
        method(Vector, "visit_add_days", instead(lambda _, day, days: day - days)),
    ),
    Fault(
        "vector",
        "a scale too many",
        method(Vector, "visit_rescale", node(lambda it: replace(it, digits=it.digits + 1))),
    ),
    Fault(
        "vector",
        "default of no items",
        method(Vector, "visit_aggregate", aggregate(EXTREMES, default=None)),
    ),
    Fault(
        "vector",
        "all as any",
        method(
            Vector,
            "visit_aggregate",
            aggregate({AggregateFunction.ALL}, function=AggregateFunction.ANY),
        ),
    ),
    Fault(
        "vector",
        "empty set has one",
        method(Vector, "visit_size", result(lambda size: np.maximum(size, 1))),
    ),
    Fault("vector", "entries turned", method(Vector, "visit_lookup", value(entries_turned))),
    # emitted Python
    Fault(
        "python",
        "!= as ==",
        method(PythonSource, "visit_compare", relation(Relation.EQ, Relation.NE)),
    ),
    Fault(
        "python",
        "halves to even",
        helper(
            Quotient,
            "2 * rest >= divisor",
            "2 * rest > divisor or (2 * rest == divisor and quotient % 2)",
        ),
    ),
    Fault(
        "python",
        "negative quotients down",
        helper(Quotient, "divmod(abs(dividend), divisor)", "divmod(dividend, divisor)"),
    ),
    Fault("python", "months not clamped", helper(AddMonths, "min(start.day, length)", "start.day")),
    Fault("python", "workdays off by one", helper(Workdays, "start < day", "start <= day")),
    Fault(
        "python", "workdays not negative", helper(Workdays, "return -workdays", "return workdays")
    ),
    Fault(
        "python",
        "constants not scaled",
        method(
            PythonSource, "render_policy_constant", lambda _: lambda _self, node: node.name.upper()
        ),
    ),
    Fault(
        "python",
        "not left out",
        method(PythonSource, "visit_negation", instead(lambda _, inner: inner)),
    ),
    Fault(
        "python",
        "no filter on items",
        method(PythonSource, "visit_aggregate", node(without_condition)),
    ),
    Fault(
        "python",
        "no filter on what is listed",
        method(PythonSource, "visit_selection", node(without_condition)),
    ),
    Fault("python", "minus as plus", method(PythonSource, "visit_arithmetic", MINUS_AS_PLUS)),
    Fault(
        "python",
        "missing inverted",
        method(PythonSource, "visit_presence", instead(lambda it: f"({it.field} is None)")),
    ),
    Fault("python", "entries turned", method(PythonSource, "visit_lookup", value(entries_turned))),
    Fault(
        "python",
        "sign kept",
        method(PythonSource, "visit_absolute", instead(lambda _, inner: inner)),
    ),
    # solver
    Fault(
        "solver", "> as >=", method(Symbolic, "visit_compare", relation(Relation.GE, Relation.GT))
    ),
    Fault(
        "solver",
        "negative quotients down",
        method(
            Symbolic,
            "visit_quotient",
            instead(lambda it, a, b: (a * (2 * 10**it.digits) + b) / (b * 2)),
        ),
    ),
    Fault("solver", "presence inverted", method(Symbolic, "visit_presence", result(z3.Not))),
    Fault(
        "solver",
        "no filter on what is listed",
        method(Symbolic, "visit_selection", node(without_condition)),
    ),
    Fault(
        "solver",
        "the last slot of a list forgotten",
        method(
            Symbolic,
            "visit_selection",
            result(lambda term: (*term[:-1], z3.IntVal(0, term[0].ctx))),
        ),
    ),
    Fault("solver", "set bit shifted", method(Symbolic, "visit_contains", node(shifted))),
    Fault(
        "solver",
        "the set without its first label",
        method(
            Symbolic,
            "visit_among",
            lambda sound: (
                lambda self, it, label, members: sound(
                    self, it, label, (self.make_number(0), *members[1:])
                )
            ),
        ),
    ),
    Fault("solver", "sets turned round", method(Symbolic, "visit_subset", value(swapped))),
    Fault("solver", "a set from the other", method(Symbolic, "visit_combination", value(swapped))),
    Fault(
        "solver",
        "default of no items",
        method(Symbolic, "visit_aggregate", aggregate(EXTREMES, default=None)),
    ),
    Fault(
        "solver",
        "a list always full",
        method(
            Variables,
            "get_length",
            lambda _: lambda self, _name, size: z3.IntVal(size, self.context),
        ),
    ),
    Fault(
        "solver",
        "texts all alike",
        method(
            Variables,
            "encode_atom",
            lambda _: lambda _self, code: code if isinstance(code, int) else 0,
        ),
    ),
    Fault(
        "solver",
        "no greatest value",
        at(
            "sopforge.language.logic.readings.symbolic.get_bounds",
            lambda kind: (kind.bounds[0], kind.bounds[1] - 1),
        ),
    ),
    Fault("solver", "days between swapped", method(Symbolic, "visit_elapsed", value(swapped))),
    Fault(
        "solver",
        "calendar: at most inverted",
        at(
            "sopforge.language.logic.readings.symbolic._CalendarTerms.choose",
            lambda self, met, then, rest: z3.If(met == self.make_number(0), then, rest),
        ),
    ),
    Fault(
        "solver",
        "last member ignored",
        method(Symbolic, "visit_size", value(lambda members: (members[:1],))),
    ),
    Fault("solver", "entries turned", method(Symbolic, "visit_lookup", value(entries_turned))),
]


@pytest.fixture(scope="module")
def sample() -> list[list[Case]]:
    """Return the questions of some models, with the reference's answers."""
    models = [make_model(number) for number in range(MODELS)]
    return [list(cases_of(model, make_rows(model, ROWS))) for model in models]


def run(reading: str, sample: list[list[Case]]) -> None:
    """Hold one reading to the answers."""
    for cases in sample:
        if reading == "solver":
            ask_solver(cases, SOLVER_ROWS)
        else:
            for case in cases:
                CHECKS[reading](case)


@pytest.mark.parametrize("reading", [*CHECKS, "solver"])
def test_the_small_run_is_clean_without_a_fault(reading: str, sample: list[list[Case]]) -> None:
    run(reading, sample)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.reading}: {fault.name}")
def test_a_planted_fault_is_caught(
    fault: Fault, sample: list[list[Case]], monkeypatch: pytest.MonkeyPatch
) -> None:
    fault.plant(monkeypatch)

    with pytest.raises(DisagreementError, match=f"the {fault.reading} reading"):
        run(fault.reading, sample)
