"""How many entries a set or a list has: at least one, none, fewer than so many."""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    Compare,
    Constant,
    Expression,
    Relation,
    Size,
)
from sopforge.domain.values.types import NumberType, require_integer
from sopforge.logic.phrasing.scales import unwrap_scale


@dataclass(frozen=True, slots=True)
class Counted:
    """That a set or a list has more than so many entries, at most, and so on."""

    relation: Relation
    count: int
    entries: Expression | str
    """A set, or the name of a list."""
    is_named: bool

    @property
    def is_some(self) -> bool:
        """Whether it only says that there is an entry."""
        return not self.is_named and self.normalize() == (Relation.GE, 1)

    @property
    def is_none(self) -> bool:
        """Whether it only says that there is no entry."""
        return not self.is_named and self.normalize() == (Relation.EQ, 0)

    def normalize(self) -> tuple[Relation, int]:
        """Return the relation and the number; of those that say the same, always the same ones."""
        if self.relation is Relation.GT:
            return Relation.GE, self.count + 1
        if self.relation is Relation.LT and self.count > 0:
            found = (Relation.LE, self.count - 1)
        else:
            found = (self.relation, self.count)
        return (Relation.EQ, 0) if found == (Relation.LE, 0) else found


def find_counted(test: Compare) -> Counted | None:
    """Return what a comparison says of a number of entries, None where it says something else."""
    for side, other, relation in (
        (test.left, test.right, test.relation),
        (test.right, test.left, test.relation.mirrored),
    ):
        entries, limit = _find_entries(unwrap_scale(side)), unwrap_scale(other)
        if entries is not None and isinstance(limit, Constant) and relation is not Relation.NE:
            count = _count_whole(limit)
            return None if count is None else Counted(relation, count, entries, bool(limit.name))
    return None


def _find_entries(node: Expression) -> Expression | str | None:
    match node:
        case Size(operand=operand):
            return operand
        case Aggregate(function=AggregateFunction.COUNT, where=None, value=None, list=name):
            return name
        case _:
            return None


def _count_whole(node: Constant) -> int | None:
    kind, value = node.type, require_integer(node.value)
    scale = 10**kind.places if isinstance(kind, NumberType) else 1
    return None if value % scale or value < 0 else value // scale
