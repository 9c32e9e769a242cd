"""Terms are those that z3's own functions make."""

from __future__ import annotations

import pytest
import z3

from sopforge.language.domain.expressions.expressions import Operation, Relation
from sopforge.language.logic.readings.solver_terms import Terms

CONTEXT = z3.Context()
TERMS = Terms(CONTEXT)
A, B = z3.Ints("a b", CONTEXT)
P, Q = z3.Bools("p q", CONTEXT)


def test_connectives_and_choices_are_those_of_z3() -> None:
    assert TERMS.conjoin([P, Q]).eq(z3.And(P, Q))
    assert TERMS.disjoin([P, Q]).eq(z3.Or(P, Q))
    assert TERMS.negate(P).eq(z3.Not(P))
    assert TERMS.choose(P, A, B).eq(z3.If(P, A, B))
    assert TERMS.is_number(A, 5).eq(A == 5)


def test_nothing_conjoined_is_true_and_nothing_disjoined_is_false() -> None:
    assert z3.is_true(z3.simplify(TERMS.conjoin([])))
    assert z3.is_false(z3.simplify(TERMS.disjoin([])))


@pytest.mark.parametrize(
    ("relation", "expected"),
    [
        (Relation.EQ, A == B),
        (Relation.NE, A != B),
        (Relation.LT, A < B),
        (Relation.LE, A <= B),
        (Relation.GT, A > B),
        (Relation.GE, A >= B),
    ],
)
def test_relations_are_those_of_z3(relation: Relation, expected: z3.BoolRef) -> None:
    assert TERMS.compare(relation, A, B).eq(expected)


def test_calculations_are_those_of_z3() -> None:
    assert TERMS.compute(Operation.ADD, A, B).eq(A + B)
    assert TERMS.compute(Operation.SUBTRACT, A, B).eq(A - B)
    assert TERMS.compute(Operation.MULTIPLY, A, B).eq(A * B)
