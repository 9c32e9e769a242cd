"""What tools check by themselves, apart from their guards, and in which order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Choice,
    Compare,
    Constant,
    Expression,
    Missing,
    Not,
    Presence,
    Read,
    Relation,
)
from sopforge.language.domain.fields import Entity, Field, Role
from sopforge.language.domain.guards import GuardLeaf, list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import OrderedType

INVALID_PARAMETER = "invalid_parameter"
"""The code with which a tool refuses a parameter that is no value of its field."""
UNKNOWN_RECORD = "unknown_record"
"""The code with which a tool refuses a key that no record has."""
OUT_OF_RANGE = "out_of_range"
"""The code with which a tool refuses to write a value beyond the range of its field."""
SAME_RECORD = "same_record"
"""The code with which a tool refuses one record for two parameters, both of which it writes."""


def list_built_in_checks(model: DomainModel, tool: Tool) -> tuple[GuardLeaf, ...]:
    """Return what a tool checks by itself and a case may come to fail, in the tool's order."""
    # The form first: a malformed key has no record either, and is refused for its form.
    return (*build_form_checks(model, tool), *build_record_checks(model, tool))


def build_form_checks(model: DomainModel, tool: Tool) -> tuple[GuardLeaf, ...]:
    """Return the checks that the parameters of a tool are well formed, where they may not be."""
    taken = [item for item in model.malformable if item.name in tool.takes]
    return tuple(
        GuardLeaf(
            id=f"form of {item.name}",
            test=Not(Presence(name_malformed_mark(item.name))),
            refusal=INVALID_PARAMETER,
            says=f"the {item.label} is malformed",
        )
        for item in sorted(taken, key=lambda item: tool.takes.index(item.name))
    )


def build_record_checks(model: DomainModel, tool: Tool) -> tuple[GuardLeaf, ...]:
    """Return the checks that the records which a tool reads are there, where they may not be."""
    if not model.references:
        return ()
    lacking = [entity for entity in model.list_entities_read(tool) if model.may_lack(entity)]
    return tuple(
        GuardLeaf(
            id=entity.name,
            test=Presence(entity.name),
            refusal=UNKNOWN_RECORD,
            says=f"there is no record of this {_name_reference(model, entity)}",
        )
        for entity in lacking
    )


def _name_reference(model: DomainModel, entity: Entity) -> str:
    """Return what people call the key by which a record is asked for.

    The name of a reference that a table holds is the row's alone.
    """
    return model.fields[entity.key].label if entity.table else entity.key


def build_writing_checks(model: DomainModel, tool: Tool) -> tuple[GuardLeaf, ...]:
    """Return what a tool checks by itself before it writes, after its guard has held."""
    if not any(is_kept_in_range(model.fields[name]) for name in tool.effects):
        return ()
    return (*_build_record_pairs(model, tool), *_build_range_checks(model, tool))


def list_tool_checks(model: DomainModel, tool: Tool) -> tuple[GuardLeaf, ...]:
    """Return all checks of a call in the tool's order: the first that fails refuses."""
    # What a tool checks by itself comes first: a guard may rely on it, as on a text's form.
    return (
        *list_built_in_checks(model, tool),
        *list_guard_checks(tool.guard),
        *build_writing_checks(model, tool),
    )


def _build_record_pairs(model: DomainModel, tool: Tool) -> Iterator[GuardLeaf]:
    """Yield the checks that two references are not one record, where both would be written."""
    written = [
        (entity, {model.fields[name].column for name in tool.effects if name in entity.fields})
        for entity in model.references
        if entity.table
    ]
    for (one, first), (other, second) in combinations(written, 2):
        if one.table == other.table and first & second:
            left, right = model.fields[one.key], model.fields[other.key]
            equal = Compare(Relation.EQ, Read(left.type, left.name), Read(right.type, right.name))
            yield GuardLeaf(
                id=f"apart {one.key} {other.key}",
                test=Not(equal),
                refusal=SAME_RECORD,
                says=f"the {left.label} and the {right.label} are one record",
            )


def _build_range_checks(model: DomainModel, tool: Tool) -> Iterator[GuardLeaf]:
    """Yield the checks that what is written lies in the range of its field."""
    for name, written in tool.effects.items():
        item = model.fields[name]
        passed = find_passed_limits(item, written)
        low = item.type.bounds[0] if any(passed) else 0
        # Where there is no value, none is out of range.
        value = _fill_missing(written, Constant(written.type, low))
        pairs = zip((Relation.GE, Relation.LE), passed, strict=True)
        limits = [Compare(relation, value, limit) for relation, limit in pairs if limit]
        if limits:
            yield GuardLeaf(
                id=f"range of {name}",
                test=limits[0] if len(limits) == 1 else AllOf(tuple(limits)),
                refusal=OUT_OF_RANGE,
                says=f"the {item.label} would leave its range",
            )


def is_kept_in_range(item: Field) -> bool:
    """Return whether tools see to it that a field keeps to its range: columns, session facts."""
    return bool(item.table) or item.role is Role.SESSION


def find_passed_limits(item: Field, written: Expression) -> tuple[Constant | None, Constant | None]:
    """Return the least and the greatest value of a field, None where an effect keeps to it."""
    if not isinstance(item.type, OrderedType) or not is_kept_in_range(item):
        return None, None
    low, high = item.type.bounds
    filled = _fill_missing(written, Constant(written.type, low))
    least, greatest = filled.type.bounds
    return (
        Constant(filled.type, low) if least < low else None,
        Constant(filled.type, high) if greatest > high else None,
    )


def _fill_missing(value: Expression, other: Constant) -> Expression:
    """Return a result with another one in the place of none."""
    match value:
        case Missing():
            return other
        case Choice():
            then, otherwise = (_fill_missing(part, other) for part in (value.then, value.otherwise))
            return replace(value, then=then, otherwise=otherwise)
        case _:
            return value
