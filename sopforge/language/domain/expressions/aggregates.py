"""Aggregates of the items of a list: which there are, and how their types follow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Choice,
    Compare,
    Expression,
    Extreme,
    Outermost,
    Relation,
)
from sopforge.language.domain.expressions.numbers import (
    ORDERED_HINT,
    TypeRuleError,
    make_number_type,
    require_number_type,
)
from sopforge.language.domain.values.types import (
    BOOLEAN,
    BooleanType,
    EnumType,
    ListType,
    NumberType,
    ValueType,
)

AGGREGATES: Mapping[str, AggregateFunction | None] = {
    "count": AggregateFunction.COUNT,
    "sum": AggregateFunction.SUM,
    "min": AggregateFunction.MINIMUM,
    "max": AggregateFunction.MAXIMUM,
    "first": AggregateFunction.FIRST,
    "last": AggregateFunction.LAST,
    "median": AggregateFunction.MEDIAN,
    "any": AggregateFunction.ANY,
    "all": AggregateFunction.ALL,
    "average": None,  # a quotient of two aggregates
}

PLACED = frozenset({AggregateFunction.FIRST, AggregateFunction.LAST})
"""Those that take an item by its place in the list, whatever its value is."""
OF_ONE_ITEM = PLACED | {
    AggregateFunction.MINIMUM,
    AggregateFunction.MAXIMUM,
    AggregateFunction.MEDIAN,
}
"""Those whose answer is the value of one item, and that have a default for none."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list field under its name."""

    name: str
    type: ListType


def build_aggregate(
    name: str,
    items: Items,
    where: Expression | None,
    value: Expression | None,
    options: Mapping[str, Expression | int],
) -> Expression:
    """Return the aggregate called ``name`` over the items that meet ``where``.

    Raises:
        TypeRuleError: the value or the options do not fit the aggregate.
    """
    function = AGGREGATES[name]
    _check_options(name, function, options)
    if function is AggregateFunction.COUNT:
        return _count(items, where, value)
    if function in {AggregateFunction.ANY, AggregateFunction.ALL}:
        return _build_quantifier(name, function, items, where, value)
    if value is not None and isinstance(value.type, EnumType) and function in OF_ONE_ITEM:
        return _build_label(function, items, where, value, options["default"])
    if value is None or not isinstance(value.type, NumberType):
        raise TypeRuleError(
            "type-error", f"{name}(...) needs a number field of the item, for example i.amount"
        )
    if function is None:
        return _build_average(items, where, value, options)
    return _build_number_aggregate(function, items, where, value, options)


def _check_options(
    name: str, function: AggregateFunction | None, options: Mapping[str, Expression | int]
) -> None:
    needs_default = function in {*OF_ONE_ITEM, None}
    if needs_default != ("default" in options):
        message, hint = f"{name}(...) takes no default", "remove default=..."
        if needs_default:
            message = f"{name}(...) needs default=..., the result for an empty list"
            hint = f"add a default, for example {name}(..., default=0)"
        raise TypeRuleError("type-error", message, hint)
    if (function is None) != ("places" in options):
        verb, hint = "takes no", "remove places=..."
        if function is None:
            verb, hint = "needs", f"add the number of decimal places: {name}(..., places=2)"
        raise TypeRuleError("type-error", f"{name}(...) {verb} places", hint)


def _count(items: Items, where: Expression | None, value: Expression | None) -> Expression:
    if value is not None:
        hint = "write count(i for i in items if ...)"
        raise TypeRuleError(
            "type-error", "count(...) counts items, so it does not take a value", hint
        )
    kind = NumberType(0, items.type.size)
    return _build_plain_aggregate(kind, AggregateFunction.COUNT, items, where, None)


def _build_quantifier(
    name: str,
    function: AggregateFunction | None,
    items: Items,
    where: Expression | None,
    value: Expression | None,
) -> Expression:
    if value is None or function is None or not isinstance(value.type, BooleanType):
        raise TypeRuleError("type-error", f"{name}(...) needs a condition on the item")
    return _build_plain_aggregate(BOOLEAN, function, items, where, value)


def _build_label(
    function: AggregateFunction | None,
    items: Items,
    where: Expression | None,
    value: Expression,
    default: Expression | int,
) -> Expression:
    kind = value.type
    if function is None or isinstance(default, int) or not isinstance(kind, EnumType):
        raise TypeError("the default of labels is a label")
    if not kind.is_ordered and function not in PLACED:
        message = "these labels have no order, so none of them is the lowest, highest or middle one"
        raise TypeRuleError("type-error", message, ORDERED_HINT)
    if default.type != kind:
        raise TypeRuleError("type-error", "the default is a label of another field")
    aggregate = _build_plain_aggregate(kind, function, items, where, value)
    return replace(aggregate, default=default)


def _build_number_aggregate(
    function: AggregateFunction,
    items: Items,
    where: Expression | None,
    value: Expression,
    options: Mapping[str, Expression | int],
) -> Expression:
    kind = require_number_type(value)
    if function is AggregateFunction.SUM:
        # 0 is among the sums, for there may be no item that meets the condition.
        low, high = min(0, kind.minimum * items.type.size), max(0, kind.maximum * items.type.size)
        total = make_number_type(low, high, kind.places, kind.unit)
        return _build_plain_aggregate(total, function, items, where, value)
    default = options["default"]
    if isinstance(default, int):
        raise TypeError("a default is an expression")
    parts = numbers.align_places((value, default))
    return Aggregate(
        numbers.compute_hull(parts),
        function,
        items.name,
        items.type.size,
        where,
        parts[0],
        parts[1],
    )


def _build_average(
    items: Items,
    where: Expression | None,
    value: Expression,
    options: Mapping[str, Expression | int],
) -> Expression:
    """Return the rounded sum over the count, or the default where the count is 0.

    The mean of some items lies between the least and the greatest value that an item can have;
    of none, the quotient is 0, and the default is the answer.
    """
    places, default = options["places"], options["default"]
    if not isinstance(places, int) or isinstance(default, int):
        raise TypeError("places are an integer, a default is an expression")
    total = _build_number_aggregate(AggregateFunction.SUM, items, where, value, options)
    count = _count(items, where, None)
    one = numbers.make_number_constant(1)
    # Operators are total: the quotient is worked out of an empty list, too, and then dropped.
    divisor = Outermost(NumberType(1, max(1, items.type.size)), Extreme.MAXIMUM, (count, one))
    mean = numbers.build_quotient(total, divisor, places)
    if require_number_type(default).places > places:
        raise TypeRuleError("type-error", f"the default has more than {places} decimal places")
    of_items = numbers.build_quotient(value, one, places).type
    low, high = min(0, of_items.minimum), max(0, of_items.maximum)
    narrow = replace(mean, type=make_number_type(low, high, places, mean.type.unit))
    answer = numbers.rescale_number(default, places)
    is_empty = Compare(Relation.EQ, count, numbers.make_number_constant(0))
    ends = require_number_type(answer)
    kind = make_number_type(
        min(of_items.minimum, ends.minimum),
        max(of_items.maximum, ends.maximum),
        places,
        numbers.compute_hull((narrow, answer)).unit,
    )
    return Choice(kind, is_empty, answer, narrow)


def _build_plain_aggregate(
    kind: ValueType,
    function: AggregateFunction,
    items: Items,
    where: Expression | None,
    value: Expression | None,
) -> Aggregate:
    return Aggregate(kind, function, items.name, items.type.size, where, value, None)
