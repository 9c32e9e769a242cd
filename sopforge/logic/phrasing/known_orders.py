"""Orders of two days that earlier conditions leave over, which later ones need not say again.

Where the rule before takes all cases in which B is before A, "B is less than 30 days after A" is
said of no other order, and means the same with "B is not before A" beside it as without.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Compare,
    Expression,
    Relation,
    list_ordered_parts,
)
from sopforge.logic.phrasing.distances import (
    Days,
    find_distance,
    find_ordered_distance,
    find_sequence,
)
from sopforge.logic.phrasing.idioms import flatten_group, unwrap_node
from sopforge.logic.phrasing.rebuilding import rebuild_node

_WITH_SAME_DAY = {Relation.GT: Relation.GE, Relation.LT: Relation.LE}
Change: TypeAlias = Callable[[Expression, Collection[Days]], Expression]


def add_known_orders(conditions: Iterable[Expression | None]) -> list[Expression | None]:
    """Return conditions that are tried in turn, with the orders known by then beside distances."""
    return list(_iterate_changed(conditions, _add_order))


def drop_known_orders(conditions: Iterable[Expression | None]) -> list[Expression | None]:
    """Return conditions that are tried in turn, without the orders known by then."""
    return list(_iterate_changed(conditions, _drop_orders))


def _iterate_changed(
    conditions: Iterable[Expression | None], change: Change
) -> Iterator[Expression | None]:
    known: list[Days] = []
    for condition in conditions:
        yield condition if condition is None or not known else _rebuild(condition, known, change)
        if condition is not None:
            known += _iterate_orders_left(condition)


def _iterate_orders_left(condition: Expression) -> Iterator[Days]:
    """Yield the orders of two days that hold wherever a condition does not."""
    inner = unwrap_node(condition)
    for part in map(unwrap_node, flatten_group(inner) if isinstance(inner, AnyOf) else [inner]):
        if isinstance(part, Compare):
            rest = part.relation.opposite
            left = find_sequence(replace(part, relation=_WITH_SAME_DAY.get(rest, rest)))
            yield from [left] if left else []


def _rebuild(condition: Expression, known: Collection[Days], change: Change) -> Expression:
    done: dict[int, tuple[Expression, Expression]] = {}
    for node in list_ordered_parts([condition]):
        done[id(node)] = (node, change(rebuild_node(node, done), known))
    return done[id(condition)][1]


def _add_order(node: Expression, known: Collection[Days]) -> Expression:
    found = find_distance(node) if isinstance(node, Compare) else None
    if found is None or found.days is None or found.days not in known:
        return node
    return AllOf((Compare(Relation.GE, found.end, found.start), node))


def _drop_orders(node: Expression, known: Collection[Days]) -> Expression:
    if not isinstance(node, AllOf):
        return node
    parts = flatten_group(node)
    kept = tuple(part for part in parts if not _is_known_order(part, parts, known))
    if len(kept) == len(parts):
        return node
    return kept[0] if len(kept) == 1 else AllOf(kept)


def _is_known_order(part: Expression, parts: Iterable[Expression], known: Collection[Days]) -> bool:
    """Return whether a part orders two days whose distance another part states."""
    inner = unwrap_node(part)
    if not isinstance(inner, Compare) or find_sequence(inner) not in known:
        return False
    return any(find_ordered_distance(inner, unwrap_node(other)) for other in parts)
