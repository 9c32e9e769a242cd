"""Facts of a case in the words of the SOP."""

from __future__ import annotations

from sopforge.language.domain.expressions.expressions import (
    Compare,
    Constant,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
)
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    ListType,
    MomentType,
    NumberType,
    SetType,
    Value,
    list_items,
    list_set_members,
)
from sopforge.language.english.nouns import conjugate_be, format_quantity, join_items
from sopforge.language.english.words import phrase_expression
from sopforge.proof.comparing.asking.questions import Fact
from sopforge.proof.comparing.translating import Row

_SHOWN = (ListType, SetType, MomentType)
"""Types whose values stand in a sentence as they are shown."""


def describe_fact(model: DomainModel, name: str, row: Row) -> Fact:
    """Return a fact of a row as the SOP shows it."""
    item, value = model.fields[name], row.get(name)
    if row.get(name_malformed_mark(name)):
        clause = f"the {item.label} {conjugate_be(item.label)} malformed"
        return Fact(item.label, "malformed", clause)
    lacking = [part for part in model.references if part.key == name and row.get(part.name) is None]
    if lacking and value is not None:
        return Fact(item.label, "no record", f"there is no record of the {item.label}")
    if value is None:
        return _describe_nothing(item)
    return Fact(item.label, _format_value(item, value), phrase_fact(model, item, value))


def phrase_fact(model: DomainModel, item: Field, value: Value | None) -> str:
    """Return in a clause that a fact has a value."""
    if value is None:
        return _describe_nothing(item).clause
    if isinstance(item.type, _SHOWN):
        return f"the {item.label} {conjugate_be(item.label)} {_format_value(item, value)}"
    read = Read(item.type, item.name)
    said: Expression = Compare(Relation.EQ, read, Constant(item.type, value))
    if isinstance(item.type, BooleanType):
        said = read if value else Not(read)
    return phrase_expression(said, model.fields)


def phrase_matter(model: DomainModel, item: Field, value: Value | None) -> str:
    """Return what is asked for where it may not matter: a fact, or which of its values it is."""
    if isinstance(item.type, BooleanType | EnumType) or value is None:
        return f"whether {phrase_fact(model, item, value)}"
    return f"what the {item.label} {conjugate_be(item.label)}"


def _describe_nothing(item: Field) -> Fact:
    word = item.missing or "no value"
    if not item.missing:
        return Fact(item.label, word, f"the {item.label} has no value")
    fields = {item.name: item}
    return Fact(item.label, word, phrase_expression(Not(Presence(item.name)), fields))


def _format_value(item: Field, value: Value) -> str:
    match item.type:
        case NumberType(unit=unit):
            return format_quantity(item.format_cell(value), unit)
        case SetType() as kind:
            labels = [f'"{label}"' for label in list_set_members(kind, value)]
            return join_items(labels) if labels else f'"{kind.empty}"'
        case ListType() as kind:
            return _format_items(item, kind, value)
        case _:
            return item.format_cell(value)


def _format_items(item: Field, kind: ListType, value: Value) -> str:
    found = [
        ", ".join(
            f"{item.label_part(name)} {part.to_cell(entry[name])}" for name, part in kind.fields
        )
        for entry in list_items(value)
    ]
    return f"({'; '.join(found)})" if found else f'"{kind.empty}"'
