"""Mistakes with sets: a label overlooked, read as a member or as none, sets turned round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Among,
    AnyOf,
    Combination,
    Compare,
    Constant,
    Contains,
    Expression,
    Not,
    Relation,
    SetOperation,
    Subset,
)
from sopforge.language.domain.values.types import EnumType, SetType, require_integer
from sopforge.proof.dataset.mutants.about import About

_OTHERS = {
    SetOperation.UNION: SetOperation.INTERSECTION,
    SetOperation.INTERSECTION: SetOperation.UNION,
    SetOperation.DIFFERENCE: SetOperation.INTERSECTION,
}
Found = Iterator[tuple[About, str, Expression]]


def derive_set_mistakes(node: Expression) -> Found:
    """Return the node with each mistake that sets allow, with what it is about and its words."""
    match node:
        case Among():
            yield from _derive_member_mistakes(node)
        case Subset():
            yield from _derive_inclusion_mistakes(node)
        case Combination():
            yield from _derive_combination_mistakes(node)
        case _:
            return


def _derive_member_mistakes(node: Among) -> Found:
    """Return the membership denied, and with one label taken for a member, or for none.

    Each label is asked for, however many there are: the case has it in the set, and not.
    """
    kind = node.operand.type
    for code, label in enumerate(kind.values if isinstance(kind, EnumType) else ()):
        is_label = Compare(Relation.EQ, node.operand, Constant(kind, code))
        yield About.LABEL, f"{label} taken for a member", AnyOf((node, is_label))
        yield About.LABEL, f"{label} taken for no member", AllOf((node, Not(is_label)))
    yield About.CONDITION, "not in for in", Not(node)


def _derive_inclusion_mistakes(node: Subset) -> Found:
    kind = node.left.type
    if not isinstance(kind, SetType):
        return
    listed = require_integer(node.right.value) if isinstance(node.right, Constant) else None
    for position, label in enumerate(kind.values):
        if listed is None or not listed >> position & 1:
            yield About.LABEL, f"{label} overlooked", _without_label(node, kind, position)
        else:
            missed = Contains(node.left, label, position)
            yield About.LABEL, f"{label} left out", AllOf((node, Not(missed)))
    turned = Subset(node.right, node.left)
    yield About.CONDITION, "the other set in this one", turned
    yield About.CONDITION, "the same labels for none besides", AllOf((node, turned))
    held = [_build_shared_member(node, kind, position) for position in range(len(kind.values))]
    yield About.CONDITION, "some for all", held[0] if len(held) == 1 else AnyOf(tuple(held))


def _derive_combination_mistakes(node: Combination) -> Found:
    """Return another set made of the two, or one of them alone."""
    other = _OTHERS[node.operation]
    yield About.CONDITION, f"{other} for {node.operation}", replace(node, operation=other)
    yield About.CONDITION, f"the first set alone for {node.operation}", node.left
    if node.operation is SetOperation.DIFFERENCE:
        turned = replace(node, left=node.right, right=node.left)
        yield About.CONDITION, "the second set without the first", turned
    else:
        yield About.CONDITION, f"the second set alone for {node.operation}", node.right


def _without_label(node: Subset, kind: SetType, position: int) -> Expression:
    """Return that all of a set but one label lies in the other set."""
    if isinstance(node.right, Constant):
        code = require_integer(node.right.value) | 1 << position
        return replace(node, right=Constant(node.right.type, code))
    others = [
        AnyOf((Not(_has(node.left, kind, other)), _has(node.right, kind, other)))
        for other in range(len(kind.values))
        if other != position
    ]
    return AllOf(tuple(others))


def _build_shared_member(node: Subset, kind: SetType, position: int) -> Expression:
    return AllOf((_has(node.left, kind, position), _has(node.right, kind, position)))


def _has(members: Expression, kind: SetType, position: int) -> Expression:
    return Contains(members, kind.values[position], position)
