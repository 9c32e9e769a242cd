"""Where a phrase needs brackets, and where a figure in it needs its unit.

Brackets stand where the words alone could be grouped otherwise.
"""

from __future__ import annotations

from enum import IntEnum

from sopforge.domain.language.expressions import (
    Absolute,
    AddDays,
    AddMonths,
    Aggregate,
    AggregateFunction,
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Combination,
    Compare,
    Constant,
    Elapsed,
    Expression,
    Lookup,
    Not,
    OneOf,
    Operation,
    Outermost,
    Quotient,
    Selection,
    SetOperation,
    Subset,
    Workdays,
)
from sopforge.domain.values.types import NumberType, require_integer
from sopforge.logic.phrasing.grammar import format_figure, format_quantity, is_percent
from sopforge.logic.phrasing.idioms import (
    find_counted_more,
    find_doubled,
    find_held_entries,
    find_negated,
    is_amount,
    is_count,
    list_entry_answers,
    list_entry_facts,
    list_runs,
    unwrap_node,
)

LISTED_FROM = 3


class _Grip(IntEnum):
    """How a phrase holds together, and so where it needs brackets."""

    WORD = 0  # nowhere
    PHRASE = 1  # as an operand, not as a side of a comparison or of a choice
    CLAUSE = 2  # everywhere but alone


def as_operand(node: Expression, phrase: str, unit: str | None = "") -> str:
    """Return a phrase as it stands between words that could reach into it.

    A plain number takes ``unit`` where it has none of its own; None forbids any.
    """
    return _bracket_phrase(node, phrase, _Grip.WORD, unit)


def as_side(node: Expression, phrase: str, unit: str | None = "") -> str:
    """Return a phrase as it stands beside a comparison, or beside "if"."""
    return _bracket_phrase(node, phrase, _Grip.PHRASE, unit)


def format_joint(group: AllOf | AnyOf) -> str:
    """Return what stands between two conditions: a comma too, where one has the other word."""
    return f"{',' if _collect_other_words(group) else ''} {find_joining_word(group)} "


def find_joining_word(condition: Expression) -> str:  # noqa: PLR0911 - one case per node
    """Return the word that joins what stands in a condition, "" if nothing is joined."""
    match unwrap_node(condition):
        case AllOf():
            return "and"
        case AnyOf():
            return "or"
        case OneOf(options=options) if len(options) > 1:
            return "or"
        case Subset(right=Constant(value=int(code))) if code.bit_count() > 1:
            return "and"
        case Not(operand=denied) if isinstance(unwrap_node(denied), OneOf | Aggregate | Subset):
            return find_joining_word(denied)
        case Aggregate(function=AggregateFunction.ANY, where=None, value=value) if (
            value is not None
        ):
            return find_joining_word(value)
        case Compare() as test if (entries := find_held_entries(test)) is not None:
            return find_joining_word(entries.where) if list_entry_answers(entries.where) else ""
        case _:
            return ""


def bracket_if_open(condition: Expression, phrase: str) -> str:
    """Return a condition as it stands before other words of its sentence."""
    return f"({phrase})" if is_open(condition) else phrase


def is_open(condition: Expression) -> bool:
    """Return whether the words of a condition do not show where it ends: lists, and entries."""
    inner = unwrap_node(condition)
    if isinstance(inner, AllOf | AnyOf):
        return is_lettered(inner)
    subject = unwrap_node(inner.operand) if isinstance(inner, Not) else inner
    return isinstance(subject, Aggregate) and not _is_held(subject)


def is_lettered(group: AllOf | AnyOf) -> bool:
    """Return whether conditions are too many to stand in a row, or too mixed.

    Where groups stand in a group, no comma shows well enough which word joins what.
    """
    parts = list_runs(group)
    if len(parts) > LISTED_FROM or any(is_group(part) for part, *others in parts if not others):
        return True
    return len(parts) == LISTED_FROM and bool(_collect_other_words(group))


def is_group(condition: Expression) -> bool:
    """Return whether several conditions stand in one, other than on the members of one set."""
    inner = unwrap_node(condition)
    return isinstance(inner, AllOf | AnyOf) and len(list_runs(inner)) > 1


def _collect_other_words(group: AllOf | AnyOf) -> set[str]:
    """Return the words in the conditions of a group that join differently from the group itself."""
    found = {find_joining_word(part) for part, *others in list_runs(group) if not others}
    return found - {"", find_joining_word(group)}


def _is_held(node: Aggregate) -> bool:
    """Return whether it is said of entries by facts alone that a list holds one."""
    parts = (node.where, node.value)
    return node.function is AggregateFunction.ANY and all(
        list_entry_facts(part) for part in parts if part is not None
    )


def is_clause(node: Expression) -> bool:
    """Return whether the words of a value need brackets everywhere but alone."""
    return _get_grip(node) is _Grip.CLAUSE


def is_worked_out(node: Expression) -> bool:
    """Return whether a value is more than one that is named or written."""
    return _get_grip(node) is not _Grip.WORD


def is_continuation(child: Expression, parent: Arithmetic | Combination) -> bool:
    """Return whether a first operand continues its sum, difference or product without brackets.

    Of sets, it is what is put together, or taken out, before something else is.
    """
    inner = unwrap_node(child)
    if isinstance(parent, Combination):
        return isinstance(inner, Combination) and inner.operation is parent.operation
    # "minus x" is held as 0 - x, which no difference can go on from.
    if not isinstance(inner, Arithmetic) or find_negated(inner) or find_counted_more(inner):
        return False
    # Products go before sums and differences, which go on from left to right.
    is_product = parent.operation is Operation.MULTIPLY
    return inner.operation is Operation.MULTIPLY or not is_product


def is_last_continuation(child: Expression, parent: Arithmetic) -> bool:
    """Return whether a second operand stands without brackets after the first.

    a - (b - c) is another number than a - b - c, in which a product takes nothing from its place.
    """
    inner = unwrap_node(child)
    if not isinstance(inner, Arithmetic) or not is_continuation(child, parent):
        return False
    is_alike = inner.operation is parent.operation
    return inner.operation is Operation.MULTIPLY or (is_alike and parent.operation is Operation.ADD)


def format_amount(node: Constant, unit: str | None) -> str:
    """Return a number without needless zeros, with a unit."""
    shown = (
        format_figure(node.type, require_integer(node.value))
        if isinstance(node.type, NumberType)
        else ""
    )
    return format_quantity(shown, unit or "")


def get_unit(node: Expression) -> str:
    """Return the unit of a number, "" if it has none."""
    kind = node.type
    return kind.unit if isinstance(kind, NumberType) else ""


def choose_unit_beside(other: Expression) -> str | None:
    """Return the unit of a plain number beside another; None where no unit fits."""
    return None if is_count(other) else get_unit(other)


def as_factor(node: Expression, phrase: str) -> str:
    """Return a phrase as a factor, dividend or divisor; there a percentage is a plain number."""
    return as_operand(node, phrase, None if is_percent(get_unit(node)) else "")


def as_summand(node: Expression, phrase: str, other: Expression) -> str:
    """Return a phrase as it is added to another, or taken from it."""
    is_plain = is_percent(get_unit(node)) or is_percent(get_unit(other))
    return as_operand(node, phrase, None if is_plain else choose_unit_beside(other))


def _bracket_phrase(node: Expression, phrase: str, loosest: _Grip, unit: str | None) -> str:
    if isinstance(node, Constant) and isinstance(node.type, NumberType):
        return format_amount(node, None if unit is None else node.type.unit or unit)
    return f"({phrase})" if _get_grip(node) > loosest else phrase


def _get_grip(node: Expression) -> _Grip:
    match unwrap_node(node):
        case Choice() | Lookup() | Quotient() | Outermost() | AllOf() | AnyOf() | Selection():
            return _Grip.CLAUSE
        case Aggregate() as inner:
            return _get_aggregate_grip(inner)
        case Combination(operation=SetOperation.INTERSECTION):
            return _Grip.WORD
        case Arithmetic() as inner:
            return _get_sum_grip(inner)
        case Combination() | Absolute() | Elapsed() | Workdays() | AddDays() | AddMonths():
            return _Grip.PHRASE
        case _:
            return _Grip.WORD


def _get_sum_grip(node: Arithmetic) -> _Grip:
    if find_counted_more(node) is not None:
        return _Grip.CLAUSE
    amount = find_doubled(node)
    # "50 kg (twice 25 kg)" has brackets of its own.
    return _Grip.WORD if amount is not None and is_amount(amount) else _Grip.PHRASE


def _get_aggregate_grip(node: Aggregate) -> _Grip:
    if node.where is not None or node.function not in {
        AggregateFunction.COUNT,
        AggregateFunction.SUM,
    }:
        return _Grip.CLAUSE
    return _Grip.WORD if node.function is AggregateFunction.COUNT else _Grip.PHRASE
