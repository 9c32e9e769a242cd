from __future__ import annotations

from datetime import date
from fractions import Fraction

import z3
from hypothesis import given, settings

from sopforge.domain.expressions import Expression
from sopforge.domain.parsing import parse_condition, parse_value
from sopforge.domain.types import NumberType, SetType, Value, ValueType
from sopforge.logic.python_source import python_source
from sopforge.logic.scalar import evaluate
from sopforge.logic.symbolic import Symbolic
from tests import reference_interpreter
from tests.reference_interpreter import Natural, Row
from tests.strategies import CONSTANTS, FIELDS, SCOPE, conditions, numbers, rows

PLACES = 6
WIDE = NumberType(-(1 << 61), 1 << 61, PLACES)
NAMED = {
    name: Fraction(item.value, 100 if name == "fee" else 1) for name, item in CONSTANTS.items()
}


@settings(max_examples=300, deadline=None)
@given(conditions(3), rows())
def test_all_readings_of_a_condition_agree(text: str, row: dict[str, Natural | None]) -> None:
    expression = parse_condition(text, SCOPE)

    expected = int(bool(reference_interpreter.evaluate(text, {**row, **NAMED})))

    assert read_as_scalar(expression, row) == expected
    assert read_as_python(expression, row) == expected
    assert is_the_only_symbolic_value(expression, row, expected)


@settings(max_examples=150, deadline=None)
@given(numbers(3), rows())
def test_all_readings_of_a_number_agree(text: str, row: dict[str, Natural | None]) -> None:
    expression = parse_value(text, SCOPE, WIDE)

    exact = reference_interpreter.evaluate(text, {**row, **NAMED})
    assert isinstance(exact, Fraction)
    expected = exact * 10**PLACES

    assert expected.denominator == 1
    assert read_as_scalar(expression, row) == expected
    assert read_as_python(expression, row) == expected
    assert is_the_only_symbolic_value(expression, row, int(expected))


def read_as_scalar(expression: Expression, row: Row) -> int:
    return evaluate(expression, {name: encoded(name, value) for name, value in row.items()})


def read_as_python(expression: Expression, row: Row) -> int:
    known: dict[str, object] = {name: decoded(name, value) for name, value in row.items()}
    known |= {name.upper(): constant.value for name, constant in CONSTANTS.items()}
    return int(eval(python_source(expression, CONSTANTS), {}, known))  # noqa: S307 - our own output


def is_the_only_symbolic_value(expression: Expression, row: Row, expected: int) -> bool:
    """Tell whether the term is the value on the row, whatever stands in for missing values."""
    reading = Symbolic(z3.Context())
    term = reading.term(expression)
    solver = z3.Solver(ctx=reading.context)
    solver.add(*reading.limits)
    for name, variables in reading.variables.items():
        found = row[name]
        if found is not None:
            pinned = zip(variables, parts_of(FIELDS[name], found), strict=True)
            solver.add(*(variable == part for variable, part in pinned))
    for name, bit in reading.present.items():
        solver.add(bit if row[name] is not None else z3.Not(bit))
    if isinstance(term, z3.BoolRef):
        is_equal = term if expected else z3.Not(term)
    else:
        assert isinstance(term, z3.ArithRef)
        is_equal = term == expected
    return solver.check() == z3.sat and solver.check(z3.Not(is_equal)) == z3.unsat


def parts_of(kind: ValueType, found: Natural) -> list[int]:
    """Return the integers of a value: one per member of a set, one for all else."""
    if isinstance(found, frozenset) and isinstance(kind, SetType):
        return [int(label in found) for label in kind.values]
    return [whole(kind, found)]


def encoded(name: str, found: Natural | None) -> Value | None:
    if found is None:
        return None
    return sum(bit << place for place, bit in enumerate(parts_of(FIELDS[name], found)))


def decoded(name: str, found: Natural | None) -> object:
    """Return a value as the emitted tools hold it."""
    kind = FIELDS[name]
    if isinstance(found, frozenset) and isinstance(kind, SetType):
        return tuple(label for label in kind.values if label in found)
    if found is None or isinstance(found, bool | str):
        return found
    return whole(kind, found)


def whole(kind: ValueType, found: Natural) -> int:
    match found:
        case bool():
            return int(found)
        case Fraction() if isinstance(kind, NumberType):
            return int(found * 10**kind.places)
        case date():
            return found.toordinal()
        case _:
            return list(getattr(kind, "values", ())).index(found)
