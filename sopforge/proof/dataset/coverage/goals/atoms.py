"""The parts of a condition that are neither and, or nor not, and what they read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AllOf,
    AnyOf,
    Element,
    Expression,
    Not,
    Presence,
    Read,
    Selection,
    iterate_parts,
)
from sopforge.language.domain.model import DomainModel
from sopforge.proof.solving.unfolding import TRUE, build_conjunction, negate_condition


def iterate_atoms(condition: Expression) -> Iterator[Expression]:
    """Return the parts of a condition that are neither and, or nor not."""
    match condition:
        case AllOf() | AnyOf():
            for operand in condition.operands:
                yield from iterate_atoms(operand)
        case Not():
            yield from iterate_atoms(condition.operand)
        case _:
            yield condition


def replace_atom(condition: Expression, atom: Expression, value: Expression) -> Expression:
    """Return a condition with another one in the place of a part."""
    # By identity: an equal part may stand elsewhere in the condition, and is another goal.
    if condition is atom:
        return value
    match condition:
        case AllOf() | AnyOf():
            changed = tuple(replace_atom(operand, atom, value) for operand in condition.operands)
            return replace(condition, operands=changed)
        case Not():
            return negate_condition(replace_atom(condition.operand, atom, value))
        case _:
            return condition


def build_presence_condition(model: DomainModel, node: Expression) -> Expression:
    """Return the condition that all that an expression reads is there."""
    # A missing number is carried as 0, which could lie at the boundary without being there.
    read = {part.field for part in iterate_parts(node) if isinstance(part, Read)}
    read |= {
        part.list
        for part in iterate_parts(node)
        if isinstance(part, Aggregate | Element | Selection)
    }
    missing: Mapping[str, str] = {
        name: item.missing for name, item in model.fields.items() if item.missing
    }
    tests: list[Expression] = [Presence(name) for name in sorted(read & set(missing))]
    return reduce(build_conjunction, tests, TRUE)
