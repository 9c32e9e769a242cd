"""Texts that constraints call equal: which is drawn, and which are copied from others."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
)
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import TextType


def find_equal_texts(model: DomainModel) -> list[tuple[str, str]]:
    """Return pairs of fields whose texts have one shape and are called equal: source and copy.

    A copy is the case's own, and neither unique nor a key. It stands in one pair as a copy, after
    the pair in which its source is one.
    """
    near = _find_neighbours(model)
    free = _find_free_fields(model)
    found: dict[str, str] = {}
    # What cannot be a copy, such as a key or a unique text, has to be a source.
    roots = [name for name in near if name not in free and not model.fields[name].missing]
    for root in [*roots, *(name for name in near if name in free)]:
        if root not in found:
            found |= _find_copies(root, near, free - {*found, *found.values(), root})
    return [(source, copy) for copy, source in found.items()]


def _find_copies(root: str, near: dict[str, list[str]], free: set[str]) -> dict[str, str]:
    """Return the sources of what is equal to a field, from neighbour to neighbour."""
    found: dict[str, str] = {}
    waiting = deque([root])
    while waiting:
        source = waiting.popleft()
        for copy in near[source]:
            if copy in free and copy not in found:
                found[copy] = source
                waiting.append(copy)
    return found


def _find_free_fields(model: DomainModel) -> set[str]:
    keys = {entity.key for entity in model.entities.values()}
    own = [model.fields[name] for name in model.case.fields if name not in keys]
    bound = (item for item in own if item.sampling.unique or item.missing or item.sampling.of)
    return {item.name for item in own} - {item.name for item in bound}


def _find_neighbours(model: DomainModel) -> dict[str, list[str]]:
    """Return with which texts each one is called equal, in the model's order."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for left, right in (pair for whole in model.constraints for pair in _iterate_equalities(whole)):
        first, second = model.fields[left].type, model.fields[right].type
        if first == second and isinstance(first, TextType) and find_shape(first):
            found[left].append(right)
            found[right].append(left)
    return {name: found[name] for name in model.fields if name in found}


def _iterate_equalities(constraint: Expression) -> Iterator[tuple[str, str]]:
    """Return what a constraint calls equal in the rows that have the records which it reads."""
    match constraint:
        case AllOf():
            for operand in constraint.operands:
                yield from _iterate_equalities(operand)
        # A constraint on a record that may be lacking binds only the rows that have it.
        case AnyOf(operands=(*lacking, asked)) if all(map(_is_lacking, lacking)):
            yield from _iterate_equalities(asked)
        case Compare(Relation.EQ, Read(field=left), Read(field=right)):
            yield left, right
        case Not(Compare(Relation.NE, Read(field=left), Read(field=right))):
            yield left, right
        case _:
            pass


def _is_lacking(condition: Expression) -> bool:
    return isinstance(condition, Not) and isinstance(condition.operand, Presence)
