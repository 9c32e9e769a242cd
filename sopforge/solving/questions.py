"""One question, one fresh context: which row of a model meets all these conditions?

An answer is a row, a proof that there is none, or *undecided*. The row is the least one, field by
field in a fixed order, so that no solver version or call order shows in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import z3

from sopforge.domain.expressions import Expression, Read
from sopforge.domain.model import DomainModel, Formula, Role, decision_order
from sopforge.domain.types import SetType, to_cell
from sopforge.logic.symbolic import Symbolic

RESOURCE_LIMIT = 20_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """A row that meets the conditions, as shown to people."""

    cells: Mapping[str, str]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {cell}" for name, cell in self.cells.items())


@dataclass(frozen=True, slots=True)
class NoRow:
    """The proof that no row meets the conditions."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """The solver's resource budget ran out; nothing is known."""


Answer = Row | NoRow | Undecided


def find_row(
    model: DomainModel, holding: Iterable[Expression], failing: Iterable[Expression] = ()
) -> Answer:
    """Return the least row on which ``holding`` hold and ``failing`` do not.

    Rows satisfy the model's constraints, and derived fields have the values of their formulas.
    """
    reading = Symbolic(z3.Context())
    conditions = [reading.condition(expression) for expression in holding]
    conditions += [z3.Not(reading.condition(expression)) for expression in failing]
    for name in reading.present:
        reading.variable(name, model.fields[name].type)
    asked = list(reading.variables)
    conditions += [reading.condition(expression) for expression in model.constraints]
    conditions += _definitions(model, reading)
    solver = z3.Solver(ctx=reading.context)
    solver.set("rlimit", RESOURCE_LIMIT)
    solver.add(*conditions, *reading.limits, *_always_present(model, reading))
    result = solver.check()
    if result == z3.unknown:
        return Undecided()
    return _least_row(model, reading, solver, asked) if result == z3.sat else NoRow()


def _definitions(model: DomainModel, reading: Symbolic) -> list[z3.BoolRef]:
    """Tie every derived field to its formula, as far as the question reaches."""
    derived = [name for name in reading.variables if model.fields[name].role is Role.DERIVED]
    terms = []
    for name in decision_order(model, derived):
        decision = model.decisions[name]
        if isinstance(decision, Formula):
            terms.append(reading.equal(Read(model.fields[name].type, name), decision.value))
    return terms


def _always_present(model: DomainModel, reading: Symbolic) -> list[z3.BoolRef]:
    return [bit for name, bit in reading.present.items() if not model.fields[name].missing]


def _least_row(
    model: DomainModel, reading: Symbolic, solver: z3.Solver, asked: list[str]
) -> Answer:
    cells = {}
    for name in sorted(asked, key=list(model.fields).index):
        present = reading.present.get(name)
        if present is not None and not _is_pinned(solver, present):
            cells[name] = model.fields[name].missing
            continue
        values = [_pin_least(solver, variable) for variable in reading.variables[name]]
        if None in values:
            return Undecided()
        cells[name] = _shown(model, name, [value for value in values if value is not None])
    return Row(cells)


def _is_pinned(solver: z3.Solver, present: z3.BoolRef) -> bool:
    """Pin a presence bit to true where possible, else to false."""
    solver.push()
    solver.add(present)
    if solver.check() == z3.sat:
        return True
    solver.pop()
    return False


def _pin_least(solver: z3.Solver, variable: z3.ArithRef) -> int | None:
    """Pin a variable to its least value; None where the budget ran out."""
    low, high = None, _value(solver, variable)
    if high is None:
        return None
    step = 1
    while low is None or low < high:
        guess = high - step if low is None else (low + high) // 2
        found = solver.check(variable <= guess)
        if found == z3.unknown:
            return None
        if found == z3.sat:
            high = _in_model(solver, variable)
            step *= 2
        else:
            low = guess + 1
    solver.add(variable == high)
    return high


def _value(solver: z3.Solver, variable: z3.ArithRef) -> int | None:
    return _in_model(solver, variable) if solver.check() == z3.sat else None


def _in_model(solver: z3.Solver, variable: z3.ArithRef) -> int:
    value = solver.model().eval(variable, model_completion=True)
    if not isinstance(value, z3.IntNumRef):
        raise TypeError(f"the solver gave {value!r} for {variable!r}")
    return value.as_long()


def _shown(model: DomainModel, name: str, values: list[int]) -> str:
    kind = model.fields[name].type
    if isinstance(kind, SetType):
        return to_cell(kind, sum(bit << place for place, bit in enumerate(values)))
    return to_cell(kind, values[0])
