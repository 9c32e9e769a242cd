"""The harness finds faults: each is planted in one reading only, and a small run catches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import pytest
import z3

from sopforge.language.domain.expressions.expressions import (
    AddMonths,
    AggregateFunction,
    Expression,
    Quotient,
    Relation,
)
from sopforge.language.logic.readings.python_source import HELPERS, PythonSource
from sopforge.language.logic.readings.scalar import Scalar
from sopforge.language.logic.readings.symbolic import Symbolic
from sopforge.language.logic.readings.vector import Vector
from tests.generators.models import make_model
from tests.judges.agreement import CHECKS, Case, DisagreementError, ask_solver, cases_of, make_rows

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]
Method: TypeAlias = Callable[..., Any]

MODELS, ROWS, SOLVER_ROWS = 60, 60, 8
VARIABLES = "sopforge.language.logic.readings.solver_variables.Variables"
USED = "sopforge.language.logic.readings.vector.ListColumn.used"
DIVIDE = "sopforge.language.domain.expressions.calendars._Integers.divide"
EXTREMES = {AggregateFunction.MINIMUM, AggregateFunction.MAXIMUM}


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


def values(change: Callable[..., Any]) -> Callable[[Method], Method]:
    """Return what changes the values of operands before they are used."""
    return lambda sound: lambda self, node, *given: sound(self, node, *change(*given))


def result(change: Callable[[Any], Any]) -> Callable[[Method], Method]:
    """Return what changes the result."""
    return lambda sound: lambda self, node, *given: change(sound(self, node, *given))


def instead(made: Callable[..., Any]) -> Callable[[Method], Method]:
    """Return what works on node and operands differently."""
    return lambda _: lambda _self, node, *given: made(node, *given)


def relation(wrong: Relation, right: Relation) -> Callable[[Method], Method]:
    """Return what takes one relation for another."""
    return node(lambda it: replace(it, relation=wrong) if it.relation is right else it)


def helper(kind: type[Expression], old: str, new: str) -> Plant:
    """Return the planting of other source of a helper."""
    name, source = HELPERS[kind]
    assert old in source
    return lambda patch: patch.setitem(HELPERS, kind, (name, source.replace(old, new)))


def round_half_to_even(it: Any, dividend: int, divisor: int) -> int:  # noqa: ANN401 - a quotient
    quotient, rest = divmod(dividend * int(10**it.digits), max(1, divisor))
    return quotient + (2 * rest > divisor or (2 * rest == divisor and quotient % 2))


def swap(*given: Any) -> Any:  # noqa: ANN401 - values of any reading
    return given[::-1]


def unfiltered(it: Any) -> Expression:  # noqa: ANN401 - an aggregate or a selection
    made: Expression = replace(it, where=None)
    return made


def without_default(it: Any) -> Expression:  # noqa: ANN401 - an aggregate
    made: Expression = replace(it, default=None) if it.function in EXTREMES else it
    return made


def shifted(it: Any) -> Expression:  # noqa: ANN401 - a membership
    made: Expression = replace(it, position=(it.position + 1) % len(it.operand.type.values))
    return made


FAULTS: dict[tuple[str, str], Plant] = {
    ("scalar", "boundary"): method(Scalar, "visit_compare", relation(Relation.GT, Relation.GE)),
    ("scalar", "rounding"): method(Scalar, "visit_quotient", instead(round_half_to_even)),
    ("scalar", "filter"): method(Scalar, "visit_selection", node(unfiltered)),
    ("scalar", "sets"): method(Scalar, "visit_subset", values(swap)),
    ("scalar", "leap years"): at(DIVIDE, lambda _, a, b: 0 if b == 1_460 else a // b),
    ("vector", "unused places"): at(
        USED, property(lambda self: np.ones_like(next(iter(self.fields.values())), dtype=bool))
    ),
    ("vector", "presence"): method(Vector, "visit_presence", instead(lambda _: np.asarray(1))),
    ("vector", "workdays"): method(Vector, "visit_workdays", result(lambda days: days + 1)),
    ("vector", "default"): method(Vector, "visit_aggregate", node(without_default)),
    ("python", "boundary"): method(
        PythonSource, "visit_compare", relation(Relation.EQ, Relation.NE)
    ),
    ("python", "ties"): helper(Quotient, "2 * rest >= divisor", "2 * rest > divisor"),
    ("python", "months"): helper(AddMonths, "min(start.day, length)", "start.day"),
    ("python", "scale"): method(
        PythonSource, "render_policy_constant", lambda _: lambda _self, node: node.name.upper()
    ),
    ("solver", "boundary"): method(Symbolic, "visit_compare", relation(Relation.GE, Relation.GT)),
    ("solver", "presence"): method(Symbolic, "visit_presence", result(z3.Not)),
    ("solver", "set bit"): method(Symbolic, "visit_contains", node(shifted)),
    ("solver", "last slot"): method(
        Symbolic, "visit_selection", result(lambda term: (*term[:-1], z3.IntVal(0, term[0].ctx)))
    ),
    ("solver", "length"): at(
        f"{VARIABLES}.get_length", lambda self, _name, size: z3.IntVal(size, self.context)
    ),
    ("solver", "texts"): at(
        f"{VARIABLES}.encode_atom", lambda _self, code: code if isinstance(code, int) else 0
    ),
}


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


@pytest.mark.parametrize("fault", FAULTS, ids=": ".join)
def test_a_planted_fault_is_caught(
    fault: tuple[str, str], sample: list[list[Case]], monkeypatch: pytest.MonkeyPatch
) -> None:
    FAULTS[fault](monkeypatch)

    with pytest.raises(DisagreementError, match=f"the {fault[0]} reading"):
        run(fault[0], sample)
