"""A case in words, as somebody who knows the business would name it."""

from __future__ import annotations

from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import MomentType, NumberType, Value
from sopforge.language.english.nouns import format_quantity, join_items
from sopforge.proof.solving.questions import Row

MOST_FIELDS = 4


def describe_case(model: DomainModel, row: Row) -> str:
    """Return a case by its values: ``age 18 with insurance 'Expired'``; "this case" if many."""
    if not 0 < len(row.values) <= MOST_FIELDS:
        return "this case" if row.values else "any case"
    first, *others = (
        _format_field(model.fields[name], value) for name, value in row.values.items()
    )
    return f"{first} with {join_items(others)}" if others else first


def _format_field(item: Field, value: Value | None) -> str:
    cell = item.format_cell(value)
    match item.type:
        case NumberType(unit=unit) if value is not None:
            return f"{item.label} {format_quantity(cell, unit)}"
        case MomentType() if value is not None:
            return f"{item.label} {cell}"
        case _:
            return f"{item.label} '{cell}'"
