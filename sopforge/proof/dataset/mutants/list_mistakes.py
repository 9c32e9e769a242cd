"""Mistakes with lists: another function, no filter, an average weighted or not, another column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.aggregates import Items, build_aggregate
from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    Arithmetic,
    Compare,
    Constant,
    Element,
    Expression,
    Extreme,
    Operation,
    Outermost,
    Quotient,
    Rescale,
    Selection,
    iterate_parts,
)
from sopforge.language.domain.expressions.numbers import TypeRuleError, make_number_constant
from sopforge.language.domain.values.types import ListType, MomentType, NumberType
from sopforge.language.logic.variants.substitution import replace_part
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.solving.unfolding import TRUE, build_conjunction

_OTHER_FUNCTIONS = {
    AggregateFunction.ANY: AggregateFunction.ALL,
    AggregateFunction.ALL: AggregateFunction.ANY,
    AggregateFunction.MINIMUM: AggregateFunction.MAXIMUM,
    AggregateFunction.MAXIMUM: AggregateFunction.MINIMUM,
    AggregateFunction.FIRST: AggregateFunction.LAST,
    AggregateFunction.LAST: AggregateFunction.FIRST,
}
Found = Iterator[tuple[About, str, Expression]]


def derive_list_mistakes(node: Expression, lists: Mapping[str, ListType]) -> Found:
    """Return the node with each mistake that lists allow, with what it is about and its words."""
    match node:
        case Aggregate():
            yield from _derive_function_mistakes(node)
            yield from _derive_column_mistakes(node, node.list, lists)
        case Selection():
            yield from _derive_selection_mistakes(node, lists)
        case Quotient():
            yield from _derive_average_mistakes(node, lists)
        case _:
            return


def _derive_function_mistakes(node: Aggregate) -> Found:
    if node.function in _OTHER_FUNCTIONS:
        other = _OTHER_FUNCTIONS[node.function]
        yield About.LIST, f"{other} for {node.function}", replace(node, function=other)
    if node.function is AggregateFunction.SUM and node.value is not None:
        places = numbers.require_number_type(node).places
        zero = make_number_constant(0, places)
        for function in (AggregateFunction.MINIMUM, AggregateFunction.MAXIMUM):
            yield About.LIST, f"{function} for sum", replace(node, function=function, default=zero)
        yield About.LIST, "count for sum", numbers.rescale_number(_count(node), places)
    if (
        node.function in {AggregateFunction.MINIMUM, AggregateFunction.MAXIMUM}
        and node.value is not None
        and isinstance(node.type, NumberType)
    ):
        yield About.LIST, f"sum for {node.function}", _build_total(node, node.value)
    if node.function is AggregateFunction.MEDIAN and isinstance(node.type, NumberType):
        yield About.LIST, "average for median", _build_mean(node)
    if node.function is AggregateFunction.ANY and node.value is not None:
        yield from _derive_sum_mistakes(node, node.value)
    if node.where is not None:
        yield About.LIST, f"{node.function} of all items", replace(node, where=None)


def _derive_sum_mistakes(node: Aggregate, wanted: Expression) -> Found:
    """Return what is asked of any item asked of the sum over those that meet the other parts."""
    parts_ = wanted.operands if isinstance(wanted, AllOf) else (wanted,)
    for test in parts_:
        if isinstance(test, Compare) and isinstance(test.right, Constant):
            if not isinstance(test.left.type, NumberType):
                continue
            filters = [part for part in (node.where, *parts_) if part is not None]
            where = reduce(build_conjunction, (part for part in filters if part is not test), TRUE)
            total = replace(_build_total(node, test.left), where=None if where is TRUE else where)
            yield About.LIST, "the sum for any item", replace(test, left=total)


def _build_mean(node: Aggregate) -> Expression:
    """Return the mean over the items of a median, rounded to its decimal places."""
    default = make_number_constant(0) if node.default is None else node.default
    options = {"places": numbers.require_number_type(node).places, "default": default}
    items = Items(node.list, ListType((), node.size, ""))
    return build_aggregate("average", items, node.where, node.value, options)


def _build_total(node: Aggregate, value: Expression) -> Aggregate:
    """Return the sum over the items of an aggregate."""
    kind = numbers.require_number_type(value)
    low, high = min(0, kind.minimum * node.size), max(0, kind.maximum * node.size)
    total = NumberType(low, high, kind.places)
    return replace(node, type=total, function=AggregateFunction.SUM, value=value, default=None)


def _derive_column_mistakes(node: Expression, of: str, lists: Mapping[str, ListType]) -> Found:
    """Return what is about a list's items with another field of these for one, by their types."""
    kind = lists.get(of)
    read = {part.field: part for part in iterate_parts(node) if isinstance(part, Element)}
    for name, element in read.items() if kind else ():
        for other, other_kind in kind.fields if kind else ():
            if other != name and other_kind == element.type:
                wrong = replace_part(node, element, replace(element, field=other))
                yield About.LIST, f"{other} for {name}", wrong


def _derive_selection_mistakes(node: Selection, lists: Mapping[str, ListType]) -> Found:
    """Return the list with all items in it, and with another field of the items for a part."""
    if node.where is not None:
        yield About.LIST, f"all items of {node.list}", replace(node, where=None)
    names = [name for name, _ in node.type.fields]
    for place, (name, part) in enumerate(zip(names, node.parts, strict=True)):
        for other, kind in lists[node.list].fields if node.list in lists else ():
            wrong = _take_other_field(part, Element(kind, node.list, other))
            if wrong is not None:
                parts = (*node.parts[:place], wrong, *node.parts[place + 1 :])
                yield About.LIST, f"{other} as {name}", replace(node, parts=parts)
    if node.where is not None:
        for about, words, where in _derive_column_mistakes(node.where, node.list, lists):
            yield about, words, replace(node, where=where)


def _take_other_field(part: Expression, other: Element) -> Expression | None:
    """Return another field of an item in the place of a part, None where it is none or unlike it.

    Numbers need the same unit only: whoever takes the wrong field does not look at its range.
    """
    inner = part.operand if isinstance(part, Rescale) else part
    if inner == other or not any(isinstance(node, Element) for node in iterate_parts(part)):
        return None
    match part.type, other.type:
        case NumberType(places=places, unit=unit), NumberType(places=less, unit=own):
            is_like = own in {unit, ""} or not unit
            return numbers.rescale_number(other, places) if is_like and less <= places else None
        case MomentType() as kind, found if kind.is_like(found):
            return other
        case kind, found:
            return other if kind == found else None


def _derive_average_mistakes(node: Quotient, lists: Mapping[str, ListType]) -> Found:
    """Return an average weighted by another field, or without its weights."""
    total = node.left
    if (
        not isinstance(total, Aggregate)
        or total.function is not AggregateFunction.SUM
        or total.value is None
    ):
        return
    kind = lists.get(total.list)
    for name, other in kind.fields if kind else ():
        # Weights below 0 could add up to 0, and to no average.
        if isinstance(other, NumberType) and other.minimum >= 0:
            weight = Element(other, total.list, name)
            if weight not in iterate_parts(total.value):
                yield from _weight_average(node, total, weight)
    match total.value:
        case Arithmetic(operation=Operation.MULTIPLY, left=left, right=right):
            for value in (left, right):
                if not isinstance(value, Constant):
                    yield from _build_average(node, total, value, None, "not weighted")
        case _:
            return


def _weight_average(node: Quotient, total: Aggregate, weight: Element) -> Found:
    if total.value is not None and _is_count(node.right):
        try:
            value = numbers.build_arithmetic(Operation.MULTIPLY, total.value, weight)
        except TypeRuleError:
            return
        yield from _build_average(node, total, value, weight, f"weighted by {weight.field}")


def _build_average(
    node: Quotient, total: Aggregate, value: Expression, weight: Element | None, words: str
) -> Found:
    """Return the mean of a value by a weight, or by the number of items."""
    try:
        divisor = _floor_at_one(_build_total(total, weight) if weight else _count(total))
        mean = numbers.build_quotient(_build_total(total, value), divisor, node.type.places)
    except TypeRuleError:
        return
    yield About.LIST, words, mean


def _is_count(divisor: Expression) -> bool:
    return any(
        isinstance(part, Aggregate) and part.function is AggregateFunction.COUNT
        for part in iterate_parts(divisor)
    )


def _count(total: Aggregate) -> Aggregate:
    kind = NumberType(0, total.size)
    return replace(total, type=kind, function=AggregateFunction.COUNT, value=None, default=None)


def _floor_at_one(number: Aggregate) -> Expression:
    # As the language writes an average: a divisor has to be proved positive.
    kind = numbers.require_number_type(number)
    one = make_number_constant(10**kind.places, kind.places)
    least = replace(kind, minimum=one.type.minimum if isinstance(one.type, NumberType) else 1)
    return Outermost(least, Extreme.MAXIMUM, (number, one))
