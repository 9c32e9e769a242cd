"""Reading the English of an expression back into an expression, and what that says of rows."""

from __future__ import annotations

from random import Random

from sopforge.domain.language.expressions import (
    Constant,
    Expression,
    Lookup,
    Missing,
    Not,
    Quotient,
    Read,
    walk,
)
from sopforge.domain.language.numbers import compute_degree
from sopforge.domain.model import DomainModel
from sopforge.domain.parsing import ExpressionError, Scope, parse_condition, parse_value
from sopforge.domain.values.types import (
    ANY_DAY,
    BooleanType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    Value,
    ValueType,
    encode,
)
from sopforge.logic.english import phrase_expression, phrase_value
from sopforge.logic.english_reader import (
    LookUp,
    Text,
    build_vocabulary,
    read_condition,
    read_labels,
    read_truth,
    read_value,
)
from sopforge.logic.readings.scalar import evaluate
from sopforge.logic.tables import build_agreement
from sopforge.solving.questions import NoRow, find_row
from tests.generators import english as made

ROWS = [made.random_row(Random(seed)) for seed in range(50)]  # noqa: S311 - no secrets


def understood(text: str, kind: ValueType | None) -> Expression | None:
    """Return a value of a type, or a condition; None where the language refuses it."""
    try:
        return parse_value(text, made.SCOPE, kind) if kind else parse_condition(text, made.SCOPE)
    except ExpressionError:
        return None


def scope_of(model: DomainModel) -> Scope:
    return Scope(
        {name: item.type for name, item in model.fields.items()},
        {name: item.constant for name, item in model.policy.items()},
        frozenset(name for name, item in model.fields.items() if item.missing),
        {name: calendar for name, (calendar, _) in model.calendars.items()},
        frozenset(item.name for item in model.malformable),
    )


def read_back(model: DomainModel, expression: Expression, *, is_value: bool) -> Expression:
    """Return what a reader of the English makes of it."""
    words = (
        phrase_value(expression, model.fields)
        if is_value
        else phrase_expression(expression, model.fields)
    )
    vocabulary = build_vocabulary(model)
    if not is_value:
        return parse_condition(read_condition(words, vocabulary), scope_of(model))
    if isinstance(expression.type, SetType) and words.startswith('"'):
        labels = read_labels(words, vocabulary)
        return Constant(
            expression.type, encode(expression.type, [*set(labels) - {expression.type.empty}])
        )
    if words.endswith(', otherwise "no"'):
        return parse_condition(read_truth(words, vocabulary), scope_of(model))
    nothing = next((node for node in walk(expression) if isinstance(node, Missing)), None)
    word = nothing.word if nothing else ""
    return built(model, read_value(words, vocabulary), expression.type, word)


def built(model: DomainModel, text: Text, kind: ValueType, missing: str = "") -> Expression:
    """Return a value of a type from its source text, as a brief's reader does."""
    if isinstance(text, LookUp):
        key = model.fields[text.key].type
        assert isinstance(key, EnumType)
        entries = tuple(built(model, text.entries[label], kind, missing) for label in key.values)
        return Lookup(kind, Read(key, text.key), entries)
    if missing and text == repr(missing):
        return Missing(kind, missing)
    if isinstance(kind, BooleanType | EnumType) and text.startswith("'"):
        return Constant(kind, encode(kind, text.strip("'")))
    return parse_value(text, scope_of(model), wide(kind), missing)


def wide(kind: ValueType) -> ValueType:
    if isinstance(kind, NumberType):
        return NumberType(made.WIDE.minimum, made.WIDE.maximum, kind.places)
    return ANY_DAY if isinstance(kind, DateType) else kind


def values(expression: Expression) -> list[Value]:
    return [evaluate(expression, row) for row in ROWS]


def is_linear(expression: Expression) -> bool:
    nodes = list(walk(expression))
    is_flat = all(compute_degree(node) < 2 for node in nodes if isinstance(node.type, NumberType))
    return is_flat and not any(isinstance(node, Quotient) for node in nodes)


def is_proved_equal(model: DomainModel, first: Expression, second: Expression) -> bool:
    return find_row(model, [Not(build_agreement(first, second))]) == NoRow()
