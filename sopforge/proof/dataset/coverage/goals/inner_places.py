"""The places inside of an expression, each with what makes a row come there.

A branch of a choice counts where it is taken, an entry of a look-up for its label, and what is
said of a list's items for any item that is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial, reduce

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Choice,
    Compare,
    Constant,
    Expression,
    Lookup,
    Relation,
    Selection,
    list_children,
    list_item_values,
)
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.values.types import BOOLEAN, NumberType
from sopforge.proof.solving.unfolding import (
    FALSE,
    build_conjunction,
    build_disjunction,
    negate_condition,
)

Frame = Callable[[Expression], Expression]


@dataclass(frozen=True, slots=True)
class InnerPlace:
    """A part of an expression; its frames turn a condition on it into conditions on rows.

    There is one frame for each path to the part, where it is shared.
    """

    node: Expression
    frames: tuple[Frame, ...]

    def build_condition(self, wanted: Expression) -> Expression:
        """Return the rows on which the part is looked at while ``wanted`` holds."""
        return reduce(build_disjunction, (frame(wanted) for frame in self.frames), FALSE)


def list_inner_places(expression: Expression) -> list[InnerPlace]:
    """Return the parts of an expression, each once, parents first."""
    found: dict[int, InnerPlace] = {}
    for node, frame in _walk_with_frames(expression, _keep_unchanged):
        known = found.get(id(node), InnerPlace(node, ()))
        found[id(node)] = InnerPlace(node, (*known.frames, frame))
    return list(found.values())


def _walk_with_frames(node: Expression, frame: Frame) -> Iterator[tuple[Expression, Frame]]:
    yield node, frame
    for part, opening in _iterate_operand_frames(node):
        yield from _walk_with_frames(part, partial(_nest_frames, frame, opening))


def _iterate_operand_frames(node: Expression) -> Iterator[tuple[Expression, Frame]]:
    """Yield the operands of a node, each with its frame in the node."""
    match node:
        case Choice():
            yield node.condition, _keep_unchanged
            yield node.then, partial(build_conjunction, node.condition)
            yield node.otherwise, partial(build_conjunction, negate_condition(node.condition))
        case Lookup():
            yield node.key, _keep_unchanged
            for place, entry in enumerate(node.entries):
                label = Constant(node.key.type, place)
                yield entry, partial(build_conjunction, Compare(Relation.EQ, node.key, label))
        case Aggregate():
            yield from _iterate_aggregate_frames(node)
        case Selection():
            yield from _iterate_item_frames(node)
        case _:
            for part in list_children(node):
                yield part, _keep_unchanged


def _iterate_aggregate_frames(node: Aggregate) -> Iterator[tuple[Expression, Frame]]:
    yield from _iterate_item_frames(node)
    if node.default is not None:
        yield node.default, partial(build_conjunction, _is_empty(node))


def _iterate_item_frames(node: Aggregate | Selection) -> Iterator[tuple[Expression, Frame]]:
    if node.where is not None:
        yield node.where, partial(_build_any_item_condition, node, None)
    for value in list_item_values(node):
        yield value, partial(_build_any_item_condition, node, node.where)


def _build_any_item_condition(
    node: Aggregate | Selection, where: Expression | None, wanted: Expression
) -> Expression:
    return Aggregate(BOOLEAN, AggregateFunction.ANY, node.list, node.size, where, wanted, None)


def _is_empty(node: Aggregate) -> Expression:
    kind = NumberType(0, node.size)
    count = Aggregate(kind, AggregateFunction.COUNT, node.list, node.size, node.where, None, None)
    return Compare(Relation.EQ, count, make_number_constant(0))


def _keep_unchanged(wanted: Expression) -> Expression:
    return wanted


def _nest_frames(outer: Frame, inner: Frame, wanted: Expression) -> Expression:
    return outer(inner(wanted))
