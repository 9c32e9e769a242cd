"""Fields in people's words: who supplies them, what values they have, how missing is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sopforge.artifacts.rendering.pattern_words import describe_pattern
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.patterns import read_pattern
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    ListType,
    NumberType,
    OrderedType,
    SetType,
    TextType,
    ValueType,
)

ROLES: Mapping[Role, tuple[str, str]] = {
    Role.INPUT: ("Stated by the task", "Known when a case begins."),
    Role.TOLD: ("Told in the task's words", "Read from a text when a case begins."),
    Role.OBSERVED: ("Revealed by tools", "Found by calling a tool."),
    Role.SESSION: ("Facts of the session", "Set by actions, and read only by tools."),
    Role.DERIVED: ("Intermediate values", "Calculated from other values."),
    Role.OUTCOME: ("The answer", "Decided, and scored."),
    Role.DISTRACTOR: ("There to distract", "Looks relevant, but provably changes no answer."),
    Role.SECRET: ("Secret", "Only compared, never shown."),
}


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field as a row of a table."""

    name: str
    label: str
    meaning: str
    values: str
    unit: str
    missing: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """The fields of a role, under what the role is called."""

    heading: str
    meaning: str
    rows: tuple[FieldRow, ...]


def group_fields(model: DomainModel) -> tuple[FieldGroup, ...]:
    """Return the fields of a model by role, in the order in which a case comes to know them.

    A column of a table stands there once, whichever references lead to it.
    """
    groups = []
    for role, words in ROLES.items():
        found = {item.source: item for item in reversed(model.with_role(role))}
        rows = (_build_row(model, item) for item in reversed(found.values()))
        groups.append(FieldGroup(*words, tuple(rows)))
    return tuple(group for group in groups if group.rows)


def _build_row(model: DomainModel, item: Field) -> FieldRow:
    row, owner = build_field_row(item), model.find_owner(item.name)
    if not item.table or owner is None:
        return row
    label = item.label.removesuffix(f" of the {model.fields[owner.key].label}")
    return replace(row, name=item.source, label=label)


def build_field_row(item: Field) -> FieldRow:
    """Return a field as a row."""
    notes = ["the answer that is scored first"] if item.primary else []
    notes += ["asked for, and scored together with the answers"] if item.scored else []
    notes += ["unique to each case"] if item.sampling.unique else []
    notes += [f"malformed in {item.malformed.share} % of the cases"] if item.malformed else []
    return FieldRow(
        item.name,
        item.label,
        item.description,
        describe_values(item.type),
        getattr(item.type, "unit", ""),
        item.missing,
        tuple(notes),
    )


def describe_values(kind: ValueType) -> str:  # noqa: PLR0911 - one case per type
    """Return what values a type has."""
    match kind:
        case NumberType():
            exact = f", {kind.places} decimal places" if kind.places else ""
            return f"{' to '.join(kind.bound_cells)}{exact}"
        case OrderedType():
            return " to ".join(kind.bound_cells)
        case BooleanType():
            return "yes or no"
        case EnumType(values):
            return f"one of: {', '.join(values)}"
        case SetType(values, empty):
            return f"any of: {', '.join(values)}; or “{empty}”"
        case TextType():
            return _describe_text(kind)
        case ListType(fields, size, empty):
            parts = "; ".join(f"{name} ({describe_values(part)})" for name, part in fields)
            return f"up to {size} entries, each with {parts}; or “{empty}”"
        case _:
            return kind.name


def _describe_text(kind: TextType) -> str:
    if kind.pattern:
        return f"text: {describe_pattern(read_pattern(kind.pattern))}"
    if kind.pool:
        return f"text, such as {', '.join(kind.pool)}"
    return "free text" if kind.is_free else "text"
