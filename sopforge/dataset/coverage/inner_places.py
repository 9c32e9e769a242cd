"""The places inside of an expression, each with what makes a row come there.

A branch of a choice counts where it is taken, an entry of a look-up for its label, and what is
said of a list's items for any item that is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce

from sopforge.domain.language.expressions import (
    Aggregate,
    Choice,
    Compare,
    Constant,
    Expression,
    Fold,
    Lookup,
    Relation,
    children,
)
from sopforge.domain.language.numbers import constant
from sopforge.domain.values.types import BOOLEAN, NumberType
from sopforge.solving.unfolding import FALSE, both, negated, some

Frame = Callable[[Expression], Expression]


@dataclass(frozen=True, slots=True)
class InnerPlace:
    """A part of an expression; its frames turn a condition on it into conditions on rows.

    There is one frame for each way to the part, where it is shared.
    """

    node: Expression
    frames: tuple[Frame, ...]

    def meeting(self, wanted: Expression) -> Expression:
        """Return the rows on which the part is looked at while ``wanted`` holds."""
        return reduce(some, (frame(wanted) for frame in self.frames), FALSE)


def inner_places(expression: Expression) -> list[InnerPlace]:
    """Return the parts of an expression, each once, parents first."""
    found: dict[int, InnerPlace] = {}
    for node, frame in _framed(expression, _itself):
        known = found.get(id(node), InnerPlace(node, ()))
        found[id(node)] = InnerPlace(node, (*known.frames, frame))
    return list(found.values())


def _framed(node: Expression, frame: Frame) -> Iterator[tuple[Expression, Frame]]:
    yield node, frame
    for part, opening in _openings(node):
        yield from _framed(part, partial(_one_in_another, frame, opening))


def _openings(node: Expression) -> Iterator[tuple[Expression, Frame]]:
    """Yield the operands of a node, each with its frame in the node."""
    match node:
        case Choice():
            yield node.condition, _itself
            yield node.then, partial(both, node.condition)
            yield node.otherwise, partial(both, negated(node.condition))
        case Lookup():
            yield node.key, _itself
            for place, entry in enumerate(node.entries):
                label = Constant(node.key.type, place)
                yield entry, partial(both, Compare(Relation.EQ, node.key, label))
        case Aggregate():
            yield from _list_openings(node)
        case _:
            for part in children(node):
                yield part, _itself


def _list_openings(node: Aggregate) -> Iterator[tuple[Expression, Frame]]:
    if node.where is not None:
        yield node.where, partial(_any_item, node, None)
    if node.value is not None:
        yield node.value, partial(_any_item, node, node.where)
    if node.default is not None:
        yield node.default, partial(both, _is_empty(node))


def _any_item(node: Aggregate, where: Expression | None, wanted: Expression) -> Expression:
    return Aggregate(BOOLEAN, Fold.ANY, node.list, node.size, where, wanted, None)


def _is_empty(node: Aggregate) -> Expression:
    kind = NumberType(0, node.size)
    count = Aggregate(kind, Fold.COUNT, node.list, node.size, node.where, None, None)
    return Compare(Relation.EQ, count, constant(0))


def _itself(wanted: Expression) -> Expression:
    return wanted


def _one_in_another(outer: Frame, inner: Frame, wanted: Expression) -> Expression:
    return outer(inner(wanted))
