"""Terms of the solver, made by its C functions.

``z3.And`` and its like look at the sort and the context of each argument, in Python, before they
call the same function: that took most of the time of a question. Here the annotations say what the
sorts are, and all arguments are terms of one context.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import z3

from sopforge.language.domain.expressions.expressions import Operation, Relation

Sorted = TypeVar("Sorted", z3.ArithRef, z3.BoolRef)
_RELATIONS: Mapping[Relation, Callable[[z3.ContextObj, z3.Ast, z3.Ast], z3.Ast]] = {
    Relation.EQ: z3.Z3_mk_eq,
    Relation.LT: z3.Z3_mk_lt,
    Relation.LE: z3.Z3_mk_le,
    Relation.GT: z3.Z3_mk_gt,
    Relation.GE: z3.Z3_mk_ge,
}
_OPERATIONS: Mapping[Operation, Callable[[z3.ContextObj, int, Any], z3.Ast]] = {
    Operation.ADD: z3.Z3_mk_add,
    Operation.SUBTRACT: z3.Z3_mk_sub,
    Operation.MULTIPLY: z3.Z3_mk_mul,
}


class Terms:
    """Makes terms of one context; integers and truth values are sorts of their own."""

    __slots__ = ("context", "ref")

    def __init__(self, context: z3.Context) -> None:
        self.context = context
        self.ref = context.ref()

    def make_number(self, value: int) -> z3.ArithRef:
        return z3.IntVal(value, self.context)

    def make_truth(self, *, value: bool) -> z3.BoolRef:
        return z3.BoolVal(value, self.context)

    def conjoin(self, terms: Iterable[z3.BoolRef]) -> z3.BoolRef:
        """Return that all terms hold, true where there are none."""
        given = list(terms)
        return z3.BoolRef(z3.Z3_mk_and(self.ref, len(given), _as_array(given)), self.context)

    def disjoin(self, terms: Iterable[z3.BoolRef]) -> z3.BoolRef:
        """Return that some term holds, false where there are none."""
        given = list(terms)
        return z3.BoolRef(z3.Z3_mk_or(self.ref, len(given), _as_array(given)), self.context)

    def negate(self, term: z3.BoolRef) -> z3.BoolRef:
        return z3.BoolRef(z3.Z3_mk_not(self.ref, term.ast), self.context)

    def choose(
        self, condition: z3.BoolRef, then: z3.ArithRef, otherwise: z3.ArithRef
    ) -> z3.ArithRef:
        """Return one integer where a condition holds, and the other where it does not."""
        made = z3.Z3_mk_ite(self.ref, condition.ast, then.ast, otherwise.ast)
        return z3.ArithRef(made, self.context)

    def compare(self, relation: Relation, left: Sorted, right: Sorted) -> z3.BoolRef:
        """Return that a relation holds; between truth values it is (in)equality."""
        if relation is Relation.NE:
            made = z3.Z3_mk_distinct(self.ref, 2, _as_array([left, right]))
        else:
            made = _RELATIONS[relation](self.ref, left.ast, right.ast)
        return z3.BoolRef(made, self.context)

    def is_number(self, term: z3.ArithRef, value: int) -> z3.BoolRef:
        """Return that an integer is a given one."""
        return self.compare(Relation.EQ, term, self.make_number(value))

    def compute(self, operation: Operation, left: z3.ArithRef, right: z3.ArithRef) -> z3.ArithRef:
        made = _OPERATIONS[operation](self.ref, 2, _as_array([left, right]))
        return z3.ArithRef(made, self.context)


def _as_array(terms: Sequence[z3.ExprRef]) -> object:
    return _make_array_type(len(terms))(*(term.ast for term in terms))


@lru_cache(maxsize=256)
def _make_array_type(size: int) -> Any:  # noqa: ANN401 - a class of ctypes
    # Kept, for to make a class takes longer than to make a term.
    return z3.Ast * size  # type: ignore[operator]  # as ctypes do
