"""Cases of ours as cases of theirs: as expressions over our rows, as columns and as rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np

from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Compare,
    Constant,
    Expression,
    Missing,
    OneOf,
    Presence,
    Quotient,
    Read,
    Relation,
    Selection,
    collect_read_fields,
    iterate_parts,
)
from sopforge.language.domain.expressions.numbers import make_number_constant
from sopforge.language.domain.fields import STORED, Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import (
    BOOLEAN,
    ListType,
    NumberType,
    OrderedType,
    TextType,
    Value,
    ValueType,
)
from sopforge.language.logic.readings.vector import Column, Columns, evaluate_all, split_lists
from sopforge.language.logic.tables import (
    build_decision_value,
    build_equality,
    build_presence,
    build_result_presence,
)
from sopforge.language.logic.variants.substitution import Replacement, Substitution
from sopforge.proof.comparing.aligning.alignment import Alignment
from sopforge.proof.comparing.aligning.needed import collect_row_names, name_given, with_given
from sopforge.proof.dataset.sampling.bulk import as_columns, as_rows
from sopforge.proof.dataset.sampling.sampling import sample_columns
from sopforge.proof.solving.unfolding import (
    FALSE,
    TRUE,
    build_conjunction,
    build_disjunction,
    negate_condition,
)

Row = Mapping[str, Value | None]
Constants = Mapping[str, Value | None]
CONSTRAINTS = "constraints"
"""Under what rows are counted that do not meet the constraints of the other reading."""


@dataclass(frozen=True, slots=True)
class Translation:
    """Translates what rows of ours hold into what rows of theirs hold.

    ``theirs`` is the other model, handed what the alignment gives it though it works it out itself,
    and ``plain`` the model as it was.
    ``known`` has for each name of its rows that decides what it is over our rows, ``held`` for each
    of its fields the condition that it can hold such a value.
    """

    ours: DomainModel
    theirs: DomainModel
    plain: DomainModel
    known: Mapping[str, Replacement]
    held: Mapping[str, Expression]
    lacking: tuple[str, ...] = ()

    def translate(self, expression: Expression) -> Expression:
        """Return an expression about their rows as one about ours."""
        return Substitution(self.known, TRUE).apply_to(expression)

    def translate_known(self, known: Replacement) -> Replacement:
        """Return what stands for a value of theirs as what stands for it over our rows."""
        substitution = Substitution(self.known, TRUE)
        present = None if known.present is None else substitution.apply_to(known.present)
        return Replacement(substitution.apply_to(known.value), present)

    @property
    def conditions(self) -> tuple[Expression, ...]:
        """What holds of our rows that theirs can hold too, and that are cases of theirs."""
        held = (condition for condition in self.held.values() if condition is not TRUE)
        return (*held, *(self.translate(part) for part in self.theirs.row_conditions))

    def with_constants(self, constants: Constants) -> Translation:
        """Return the same with other values for facts that ours does not hold."""
        known = {
            name: _pin_value(self.theirs.fields[name], value) for name, value in constants.items()
        }
        return replace(self, known={**self.known, **known})

    def translate_columns(self, columns: Columns, drawn: Columns) -> Columns:
        """Return columns of ours as columns of theirs; what decides nothing is as it was drawn."""
        values, present, lists = dict(drawn.values), dict(drawn.present), dict(drawn.lists)
        names = list(self.known)
        parts = [part for name in names for part in _list_parts(self.known[name])]
        found = iter(evaluate_all(parts, columns))
        for name in names:
            value, there = next(found), next(found) != 0
            item = self.theirs.fields.get(name)
            if item is None:
                present[name] = there
                continue
            if item.missing:
                present[name] = there
            if isinstance(item.type, ListType):
                made = self.known[name].value.type
                kind = made if isinstance(made, ListType) else item.type
                lists[name] = split_lists(kind, _blank_lists(value, there))
            else:
                nothing = "" if isinstance(item.type, TextType) else 0
                values[name] = np.where(there, value, nothing)
        return Columns(columns.count, values, present, lists)

    def translate_row(self, row: Row, seed: int) -> dict[str, Value | None]:
        """Return one row of ours as a row of theirs; it must be one that they can hold."""
        columns = as_columns(self.ours, [row])
        return as_rows(self.theirs, self.translate_columns(columns, self.draw(seed, [0])))[0]

    def draw(self, seed: int, numbers: Sequence[int]) -> Columns:
        """Return what their rows hold that decides nothing, drawn as they draw it."""
        drawn = sample_columns(self.plain, seed, numbers)
        # A mark that nothing reads must not make an input malformed that ours states well.
        unmarked = np.zeros(len(numbers), dtype=bool)
        marks = {name_malformed_mark(item.name): unmarked for item in self.theirs.malformable}
        given = [item for item in self.theirs.fields.values() if item.name not in drawn.values]
        values = {
            item.name: np.zeros(len(numbers), dtype=np.int64)
            for item in given
            if item.role is Role.INPUT and not isinstance(item.type, ListType)
        }
        return replace(drawn, values={**values, **drawn.values}, present={**drawn.present, **marks})

    def find_unheld(self, columns: Columns) -> dict[str, Column]:
        """Return for each field of theirs, and their constraints, which of our rows do not fit."""
        checks = {name: condition for name, condition in self.held.items() if condition is not TRUE}
        limits = [self.translate(part) for part in self.theirs.row_conditions]
        found = evaluate_all([*checks.values(), *limits], columns)
        unheld = {name: column == 0 for name, column in zip(checks, found, strict=False)}
        if limits:
            unheld[CONSTRAINTS] = reduce(
                np.logical_or, (column == 0 for column in found[len(checks) :])
            )
        return unheld


def build_translation(
    ours: DomainModel, theirs: DomainModel, alignment: Alignment, constants: Constants
) -> Translation:
    """Return the translation by an alignment; ``constants`` stand for what ours does not hold."""
    derived = [name for name in alignment.fields if theirs.fields[name].role is Role.DERIVED]
    handed = with_given(theirs, derived)
    names = collect_row_names(handed)
    known: dict[str, Replacement] = {}
    held: dict[str, Expression] = {}
    for name, item in alignment.fields.items():
        actual = name_given(name) if name in derived else name
        if actual in names and handed.fields[actual].role in STORED:
            known[actual] = _build_known(ours, item.value, handed.fields[actual])
            lacks = handed.find_owner(actual)
            optional = lacks is not None and handed.may_lack(lacks)
            held[name] = _build_held(handed.fields[actual], known[actual], optional=optional)
    for name, value in constants.items():
        known[name] = _pin_value(handed.fields[name], value)
    known |= _build_records(ours, handed, known)
    known |= _build_marks(ours, handed, known)
    return Translation(ours, handed, theirs, known, held, tuple(constants))


def expand_decided(model: DomainModel, expression: Expression) -> Expression:
    """Return an expression with what the model decides replaced by what that follows from."""
    while decided := sorted(collect_read_fields(expression) & model.decisions.keys()):
        known = {
            name: Replacement(
                build_decision_value(model.decisions[name]),
                build_result_presence(model.decisions[name]),
            )
            for name in decided
        }
        expression = Substitution(known, TRUE).apply_to(expression)
    return expression


def _build_known(ours: DomainModel, written: Expression, item: Field) -> Replacement:
    """Return what stands for a field of theirs, and when it has a value."""
    there = build_presence(written) or TRUE
    tested = {part.field for part in iterate_parts(written) if isinstance(part, Presence)}
    for name in sorted(collect_read_fields(written) - tested):
        there = build_conjunction(_build_there(ours, name), there)
    value = expand_decided(ours, written)
    present = expand_decided(ours, there)
    if isinstance(value, Missing):
        value = Constant(item.type, 0)
    return Replacement(value, None if present is TRUE else present)


def _build_there(model: DomainModel, name: str) -> Expression:
    """Return when a field of a row has a value."""
    item, owner = model.fields[name], model.find_owner(name)
    is_open = bool(item.missing) and (item.role in STORED or model.may_decide_nothing(name))
    found: Expression = Presence(name) if is_open else TRUE
    if owner is not None and model.may_lack(owner):
        found = build_conjunction(Presence(owner.name), found)
    return found


def _build_held(item: Field, known: Replacement, *, optional: bool) -> Expression:
    """Return when a field of theirs can hold what ours has there."""
    within = _build_within(item, known.value)
    if known.present is None:
        return within
    if item.missing or optional:
        return build_disjunction(negate_condition(known.present), within)
    return build_conjunction(known.present, within)


def _build_within(item: Field, value: Expression) -> Expression:
    found: Expression = TRUE
    match item.type:
        case OrderedType():
            found = _build_bounds(item.type, value)
        case ListType() as kind if isinstance(value, Selection):
            found = _build_items_within(kind, value)
        case TextType(pool=pool) if pool and value.type != item.type:
            found = OneOf(value, tuple(Constant(value.type, text) for text in pool))
        case _:
            pass
    return build_conjunction(found, _build_exactness(value))


def _build_items_within(kind: ListType, made: Selection) -> Expression:
    """Return when a list has no more items than another one can hold, and each in its ranges."""
    found: Expression = TRUE
    if made.size > kind.size:
        count = Aggregate(
            NumberType(0, made.size),
            AggregateFunction.COUNT,
            made.list,
            made.size,
            made.where,
            None,
            None,
        )
        most = make_number_constant(kind.size)
        found = Compare(Relation.LE, count, most)
    for (_, part), value in zip(kind.fields, made.parts, strict=True):
        within = _build_bounds(part, value)
        if within is not TRUE:
            holds = Aggregate(
                BOOLEAN, AggregateFunction.ALL, made.list, made.size, made.where, within, None
            )
            found = build_conjunction(found, holds)
    return found


def _build_bounds(kind: ValueType, value: Expression) -> Expression:
    """Return when a number or a date lies in the range of a type."""
    found: Expression = TRUE
    if isinstance(kind, OrderedType):
        for relation, limit in zip((Relation.GE, Relation.LE), kind.bounds, strict=True):
            if not _is_surely_within(value, relation, limit):
                bound = Constant(value.type, limit)
                found = build_conjunction(found, Compare(relation, value, bound))
    return found


def _is_surely_within(value: Expression, relation: Relation, limit: int) -> bool:
    low, high = value.type.bounds
    return low >= limit if relation is Relation.GE else high <= limit


def _build_exactness(value: Expression) -> Expression:
    """Return when a rounded number is the number itself: theirs has fewer places than ours."""
    if isinstance(value, Quotient) and isinstance(value.right, Constant):
        one = value.right.type
        if isinstance(one, NumberType) and value.right.value == 10**one.places:
            return build_equality(value, value.left)
    return TRUE


def _pin_value(item: Field, value: Value | None) -> Replacement:
    if value is None:
        nothing: Value = "" if isinstance(item.type, TextType) else 0
        return Replacement(Constant(item.type, nothing), FALSE)
    return Replacement(Constant(item.type, value))


def _build_records(
    ours: DomainModel, theirs: DomainModel, known: Mapping[str, Replacement]
) -> Iterator[tuple[str, Replacement]]:
    """Yield when there is a record of theirs: where ours has one of the same reference."""
    for entity in theirs.references:
        key = known.get(entity.key)
        if key is None:
            continue
        partner = next(
            (
                item.name
                for item in ours.references
                if isinstance(key.value, Read) and item.key == key.value.field
            ),
            "",
        )
        there: Expression = Presence(partner) if partner else key.present or TRUE
        yield entity.name, Replacement(TRUE, there)


def _build_marks(
    ours: DomainModel, theirs: DomainModel, known: Mapping[str, Replacement]
) -> Iterator[tuple[str, Replacement]]:
    """Yield when an input of theirs is malformed: where the one of ours is."""
    able = {item.name for item in ours.malformable}
    for item in theirs.malformable:
        value = known[item.name].value if item.name in known else None
        is_same = isinstance(value, Read) and value.field in able
        mark = Presence(name_malformed_mark(value.field)) if isinstance(value, Read) else FALSE
        yield name_malformed_mark(item.name), Replacement(TRUE, mark if is_same else FALSE)


def _list_parts(known: Replacement) -> tuple[Expression, Expression]:
    return known.value, known.present or TRUE


def _blank_lists(value: Column, there: Column) -> Column:
    found = value.copy()
    for place in np.flatnonzero(~there).tolist():
        found[place] = ()
    return found


def collect_rows_read(known: Iterable[Replacement]) -> frozenset[str]:
    """Return the names of our rows that translated facts are worked out from."""
    found: set[str] = set()
    for item in known:
        for part in _list_parts(item):
            found |= collect_read_fields(part)
    return frozenset(found)
