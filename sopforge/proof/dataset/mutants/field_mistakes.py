"""Mistakes in reading a field wherever it is read: labels confused, missing taken for there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Compare,
    Constant,
    Expression,
    Not,
    Presence,
    Read,
    Relation,
    collect_all_read_fields,
)
from sopforge.language.domain.fields import STORED, Field, Role
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    NumberType,
    OrderedType,
    ValueType,
)
from sopforge.language.logic.tables import build_choice
from sopforge.language.logic.variants.changed_models import with_expressions
from sopforge.language.logic.variants.substitution import Replacement, Substitution
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.dataset.mutants.expression_mistakes import list_taken_values
from sopforge.proof.solving.unfolding import TRUE

MOST_PAIRED = 5
"""Up to how many labels each is confused with each other; else with its neighbours."""


@dataclass(frozen=True, slots=True)
class Misreading:
    """A field read otherwise wherever it is read, what that is about, and its words."""

    about: About
    words: str
    model: DomainModel


def derive_misreadings(model: DomainModel) -> Iterator[Misreading]:
    """Return the model once for each misreading of a field that decides."""
    read = collect_all_read_fields(collect_deciding_expressions(model))
    for item in model.fields.values():
        if item.name not in read:
            continue
        if isinstance(item.type, EnumType) and item.role is not Role.OUTCOME:
            yield from _misread_labels(model, item, item.type)
        if item.missing and (item.role in STORED or model.may_decide_nothing(item.name)):
            yield from _misread_value_as_missing(model, item)
            yield from _misread_missing_as_value(model, item)


def _misread_labels(model: DomainModel, item: Field, kind: EnumType) -> Iterator[Misreading]:
    read, count = Read(kind, item.name), len(kind.values)
    for code, other in [(one, two) for one in range(count) for two in range(count) if one != two]:
        if count <= MOST_PAIRED or abs(code - other) == 1:
            taken = build_choice(_is(read, code), Constant(kind, other), read)
            words = f"{kind.values[code]} read as {kind.values[other]} in '{item.name}'"
            yield Misreading(
                About.LABEL,
                words,
                _misread_field(model, item, Replacement(taken, _build_presence_condition(item))),
            )


def _misread_value_as_missing(model: DomainModel, item: Field) -> Iterator[Misreading]:
    """Return labels, or the number 0, taken for no value."""
    read = Read(item.type, item.name)
    kind = item.type
    for code in _list_taken_values(kind):
        if isinstance(kind, OrderedType) and (code or not isinstance(kind, NumberType)):
            continue
        present = AllOf((Presence(item.name), Not(_is(read, code))))
        # As evaluation reads a value that is missing.
        nothing = Constant(item.type, 0)
        known = Replacement(build_choice(present, read, nothing), present)
        words = f"{kind.to_cell(code)} read as missing in '{item.name}'"
        yield Misreading(About.MISSING, words, _misread_field(model, item, known))


def _misread_missing_as_value(model: DomainModel, item: Field) -> Iterator[Misreading]:
    """Return no value taken for a label, or for the number 0, the least or the greatest."""
    read = Read(item.type, item.name)
    for code in _list_taken_values(item.type):
        known = Replacement(
            build_choice(Presence(item.name), read, Constant(item.type, code)), TRUE
        )
        words = f"missing read as {item.type.to_cell(code)} in '{item.name}'"
        yield Misreading(About.MISSING, words, _misread_field(model, item, known))


def _list_taken_values(kind: ValueType) -> list[int]:
    """Return what no value is taken for; of texts, sets and lists there is nothing of the sort."""
    is_one = isinstance(kind, EnumType | BooleanType | OrderedType)
    return list_taken_values(kind) if is_one else []


def _misread_field(model: DomainModel, item: Field, known: Replacement) -> DomainModel:
    return with_expressions(model, Substitution({item.name: known}, TRUE).apply_to)


def _build_presence_condition(item: Field) -> Expression | None:
    return Presence(item.name) if item.missing else None


def _is(read: Read, code: int) -> Expression:
    if isinstance(read.type, BooleanType):
        return read if code else Not(read)
    return Compare(Relation.EQ, read, Constant(read.type, code))
