"""The symbolic reading: an expression as a Z3 term over integer variables.

Sets become one Boolean-valued integer per member, so that membership and size stay linear.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce

import z3

from sopforge.domain.expressions import (
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    DaysBetween,
    Expression,
    Lookup,
    Not,
    OneOf,
    Operation,
    Presence,
    Read,
    Relation,
    Rescale,
    Size,
)
from sopforge.domain.types import SetType, ValueType, bounds
from sopforge.logic.algebra import interpret

Term = z3.ArithRef | z3.BoolRef | tuple[z3.ArithRef, ...]

_RELATIONS: dict[Relation, Callable[[z3.ArithRef, z3.ArithRef], z3.BoolRef]] = {
    Relation.EQ: lambda a, b: a == b,
    Relation.NE: lambda a, b: a != b,
    Relation.LT: lambda a, b: a < b,
    Relation.LE: lambda a, b: a <= b,
    Relation.GT: lambda a, b: a > b,
    Relation.GE: lambda a, b: a >= b,
}
_OPERATIONS: dict[Operation, Callable[[z3.ArithRef, z3.ArithRef], z3.ArithRef]] = {
    Operation.ADD: lambda a, b: a + b,
    Operation.SUBTRACT: lambda a, b: a - b,
    Operation.MULTIPLY: lambda a, b: a * b,
}


@dataclass(slots=True)
class Symbolic:
    """Names the variables of fields on first use, in a context of its own.

    ``variables`` holds, per field, one variable, or one per member of a set; ``present`` holds
    the presence bits. ``limits`` collects what the types promise of them.
    """

    context: z3.Context
    variables: dict[str, tuple[z3.ArithRef, ...]] = field(default_factory=dict)
    present: dict[str, z3.BoolRef] = field(default_factory=dict)
    limits: list[z3.BoolRef] = field(default_factory=list)

    def variable(self, name: str, kind: ValueType) -> Term:
        """Return the variable of a field, or the tuple of its members' variables."""
        if name not in self.variables:
            self.variables[name] = self._new_variables(name, kind)
        found = self.variables[name]
        return found if isinstance(kind, SetType) else found[0]

    def _new_variables(self, name: str, kind: ValueType) -> tuple[z3.ArithRef, ...]:
        if isinstance(kind, SetType):
            names, low, high = [f"{name}#{bit}" for bit in range(len(kind.values))], 0, 1
        else:
            names, (low, high) = [name], bounds(kind)
        made = tuple(z3.Int(text, self.context) for text in names)
        self.limits.extend(z3.And(low <= item, item <= high) for item in made)
        return made

    def number(self, value: int) -> z3.ArithRef:
        return z3.IntVal(value, self.context)

    def constant(self, node: Constant) -> Term:
        return self.number(node.value)

    def read(self, node: Read) -> Term:
        return self.variable(node.field, node.type)

    def presence(self, node: Presence) -> Term:
        if node.field not in self.present:
            self.present[node.field] = z3.Bool(f"{node.field}?", self.context)
        return self.present[node.field]

    def rescale(self, node: Rescale, operand: Term) -> Term:
        return _number(operand) * self.number(10**node.digits)

    def arithmetic(self, node: Arithmetic, left: Term, right: Term) -> Term:
        return _OPERATIONS[node.operation](_number(left), _number(right))

    def days_between(self, node: DaysBetween, start: Term, end: Term) -> Term:  # noqa: ARG002 - protocol
        return _number(end) - _number(start)

    def size(self, node: Size, operand: Term) -> Term:  # noqa: ARG002 - protocol
        return reduce(lambda total, bit: total + bit, _members(operand))

    def compare(self, node: Compare, left: Term, right: Term) -> Term:
        return _RELATIONS[node.relation](_number(left), _number(right))

    def one_of(self, node: OneOf, operand: Term) -> Term:
        equal = [_number(operand) == self.number(option.value) for option in node.options]
        return z3.Or(*equal, self.truth(value=False))

    def contains(self, node: Contains, operand: Term) -> Term:
        return _members(operand)[node.position] == 1

    def all_of(self, node: AllOf, operands: Sequence[Term]) -> Term:  # noqa: ARG002 - protocol
        return z3.And(*(_truth(item) for item in operands))

    def any_of(self, node: AnyOf, operands: Sequence[Term]) -> Term:  # noqa: ARG002 - protocol
        return z3.Or(*(_truth(item) for item in operands))

    def negation(self, node: Not, operand: Term) -> Term:  # noqa: ARG002 - protocol
        return z3.Not(_truth(operand))

    def choice(self, node: Choice, condition: Term, then: Term, otherwise: Term) -> Term:  # noqa: ARG002 - protocol
        return z3.If(_truth(condition), _number(then), _number(otherwise))

    def lookup(self, node: Lookup, key: Term) -> Term:
        *earlier, last = node.entries
        term = self.number(last.value)
        for code, entry in reversed(list(enumerate(earlier))):
            term = z3.If(_number(key) == self.number(code), self.number(entry.value), term)
        return term

    def truth(self, *, value: bool) -> z3.BoolRef:
        """Return the constant true or false of this context."""
        return z3.BoolVal(value, self.context)

    def condition(self, expression: Expression | None) -> z3.BoolRef:
        """Return a condition as a Boolean term; none is true."""
        return self.truth(value=True) if expression is None else _truth(self.term(expression))

    def equal(self, left: Expression, right: Expression) -> z3.BoolRef:
        """Return the term that two numbers are equal."""
        return _number(self.term(left)) == _number(self.term(right))

    def term(self, expression: Expression) -> Term:
        """Return the term of an expression."""
        return interpret(expression, self)


def _number(term: Term) -> z3.ArithRef:
    if not isinstance(term, z3.ArithRef):
        raise TypeError(f"{term!r} is no number")
    return term


def _truth(term: Term) -> z3.BoolRef:
    if isinstance(term, z3.BoolRef):
        return term
    return _number(term) == 1


def _members(term: Term) -> tuple[z3.ArithRef, ...]:
    if not isinstance(term, tuple):
        raise TypeError(f"{term!r} is no set")
    return term
