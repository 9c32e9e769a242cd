"""The one label that a table leaves to its last rule, which a reader wants to see named.

Rules on every kind of payment but "charity" end with one that says "charity" or "any other": both
decide the same cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Compare,
    Constant,
    Expression,
    Not,
    OneOf,
    Presence,
    Read,
    Relation,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.rules import HitPolicy, Rule, Table
from sopforge.language.domain.values.types import EnumType, require_integer
from sopforge.language.logic.unwrapping import flatten_group, unwrap_node

_NOTHING = -1
"""Stands for no value beside the places of labels."""


def name_last_label(table: Table, fields: Mapping[str, Field]) -> Table:
    """Return a table whose last rule names the one label that is left for it, if there is one."""
    if not _is_open_to_change(table):
        return table
    *rules, last = table.rules
    left = _list_left(rules, fields) if last.when is None else None
    if left is None or len(left[1]) != 1 or left[1] == {_NOTHING}:
        return table
    field, (place,) = left
    kind = fields[field].type
    test = Compare(Relation.EQ, Read(kind, field), Constant(kind, place))
    return replace(table, rules=(*rules, replace(last, when=test)))


def _is_open_to_change(table: Table) -> bool:
    """Return whether a table has rules of which one decides."""
    return bool(table.rules) and table.hit is not HitPolicy.COLLECT


def _list_left(rules: Sequence[Rule], fields: Mapping[str, Field]) -> tuple[str, set[int]] | None:
    """Return the field of labels that all rules ask for, and what they leave of its values."""
    found = [_find_labels(rule.when) for rule in rules if rule.when is not None]
    known = [item for item in found if item is not None]
    names = {name for name, _ in known}
    if len(known) != len(rules) or len(names) != 1:
        return None
    (name,) = names
    kind = fields[name].type
    if not isinstance(kind, EnumType):
        return None
    every = {*range(len(kind.values)), *([_NOTHING] if fields[name].missing else ())}
    return name, every.difference(*(labels for _, labels in known))


def _find_labels(condition: Expression) -> tuple[str, set[int]] | None:
    """Return the field of which a condition asks for labels or for no value, and for which."""
    inner = unwrap_node(condition)
    parts = [*map(unwrap_node, flatten_group(inner))] if isinstance(inner, AllOf) else [inner]
    asked = [part for part in parts if not isinstance(part, Presence)]
    found = list(_iterate_labels(asked[0])) if len(asked) == 1 else []
    if not found:
        return None
    (name, _), *_ = found
    is_beside = all(part.field == name for part in parts if isinstance(part, Presence))
    return (name, {place for _, place in found}) if is_beside else None


def _iterate_labels(test: Expression) -> Iterator[tuple[str, int]]:
    match test:
        case Compare(Relation.EQ, Read(EnumType(), name), Constant(_, int(place))):
            yield name, place
        case OneOf(Read(EnumType(), name), options):
            yield from ((name, require_integer(option.value)) for option in options)
        case Not(operand=Presence(field=name)):
            yield name, _NOTHING
        case _:
            return
