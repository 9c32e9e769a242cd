"""Numbers worked out from others: sums, products, roundings, extremes and bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sopforge.domain.language.expressions import (
    Absolute,
    Aggregate,
    AggregateFunction,
    Arithmetic,
    Constant,
    Element,
    Expression,
    Extreme,
    Operation,
    Outermost,
    Quotient,
    Read,
    Rescale,
    Size,
)
from sopforge.domain.values.types import require_integer
from sopforge.logic.english.shares import Shares
from sopforge.logic.phrasing.brackets import (
    as_factor,
    as_operand,
    as_side,
    as_summand,
    format_amount,
    get_unit,
    is_continuation,
    is_last_continuation,
)
from sopforge.logic.phrasing.grammar import is_percent, join_items
from sopforge.logic.phrasing.idioms import (
    find_counted_more,
    find_doubled,
    find_negated,
    find_plain_bound,
    find_rounded,
    is_amount,
    unwrap_node,
)
from sopforge.logic.phrasing.shares import PLAIN_NUMBER, find_share, is_plain_share

OPERATION_WORDS = {
    Operation.ADD: "plus",
    Operation.SUBTRACT: "minus",
    Operation.MULTIPLY: "times",
}
DIVISION_WORDS = "divided by"
_BOUNDS = {Extreme.MINIMUM: "at most", Extreme.MAXIMUM: "at least"}


class Numbers(Shares):
    """Phrases what is worked out of numbers; ``has_twice`` says whether "twice" stands for 2."""

    has_twice = True

    def visit_rescale(self, node: Rescale, operand: str) -> str:  # noqa: ARG002 - a scale has no words
        return operand

    def visit_arithmetic(self, node: Arithmetic, left: str, right: str) -> str:
        negated = find_negated(node)
        if negated is not None:
            return f"minus {as_operand(negated, right)}"
        counted = find_counted_more(node)
        if counted is not None:
            return f"{abs(counted[1])} {'more' if counted[1] > 0 else 'less'} than {left}"
        doubled = find_doubled(node)
        if doubled is not None and (self.has_twice or is_amount(doubled)):
            said = f"twice {self.phrase_part_of(node, doubled)}"
            return f"{self.phrase_double(doubled)} ({said})" if is_amount(doubled) else said
        first = left if is_continuation(node.left, node) else self.phrase_part_of(node, node.left)
        second = (
            right
            if is_last_continuation(node.right, node)
            else self.phrase_part_of(node, node.right)
        )
        return self.join_operands(first, node.operation, second)

    def phrase_double(self, amount: Expression) -> str:
        """Return twice an amount that is written, with its unit."""
        inner = unwrap_node(amount)
        if not isinstance(inner, Constant):
            return ""
        double = replace(inner, value=2 * require_integer(inner.value), name="")
        return format_amount(double, get_unit(inner))

    def join_operands(self, first: str, operation: Operation, second: str) -> str:
        """Return a sum, a difference or a product of operands that have their brackets."""
        return f"{first} {OPERATION_WORDS[operation]} {second}"

    def phrase_part_of(self, node: Arithmetic, part: Expression) -> str:
        """Return an operand of a sum, a difference or a product that is none of its own."""
        phrase, inner = self.phrase(part), unwrap_node(part)
        if node.operation is Operation.MULTIPLY:
            return name_plain_number(part, as_factor(part, phrase))
        share = find_share(inner) if isinstance(inner, Quotient) else None
        if share is not None and is_plain_share(share) and isinstance(inner, Quotient):
            return f"{self.phrase_share(share)} ({_phrase_rounding(inner.type.places)})"
        return as_summand(part, phrase, node.right if part is node.left else node.left)

    def visit_quotient(self, node: Quotient, left: str, right: str) -> str:
        only = find_rounded(node)
        if only is not None:
            return to_places(as_side(only, left), node.type.places)
        share = find_share(node)
        if share is not None:
            return to_places(self.phrase_share(share), node.type.places)
        divided = f"{as_factor(node.left, left)} {DIVISION_WORDS} {phrase_divisor(node, right)}"
        return to_places(divided, node.type.places)

    def visit_absolute(self, node: Absolute, operand: str) -> str:
        inner = unwrap_node(node.operand)
        if isinstance(inner, Arithmetic) and inner.operation is Operation.SUBTRACT:
            sides = [self.phrase(part) for part in (inner.left, inner.right)]
            are_names = all(isinstance(unwrap_node(x), Read) for x in (inner.left, inner.right))
            if are_names and not any(" and " in side for side in sides):
                return f"the difference between {sides[0]} and {sides[1]}"
        return f"the absolute value of {as_operand(node.operand, operand)}"

    def visit_outermost(self, node: Outermost, operands: Sequence[str]) -> str:
        limited = find_plain_bound(node)
        if limited is not None:
            return self.phrase_bounded_number(node, *limited)
        is_least = node.extreme is Extreme.MINIMUM
        words = ("smaller", "smallest") if is_least else ("larger", "largest")
        unit = get_unit(node)
        parts = [
            as_operand(part, phrase, unit)
            for part, phrase in zip(node.operands, operands, strict=True)
        ]
        return f"the {words[len(parts) > len(words)]} of {join_items(parts)}"

    def phrase_bounded_number(self, node: Outermost, number: Expression, limit: Expression) -> str:
        """Return a number that another one bounds, which may have the other bound already."""
        inner = unwrap_node(number)
        before = find_plain_bound(inner) if isinstance(inner, Outermost) else None
        # "a, rounded to 2 decimal places, but at least 5": what is rounded and then bounded.
        is_extreme = isinstance(inner, Outermost) or is_extreme_entry(inner)
        is_plain = is_extreme or isinstance(inner, Quotient)
        phrase = self.phrase(number) if is_plain else as_side(number, self.phrase(number))
        word = "and" if before else "but"
        bound = (
            f"{_BOUNDS[node.extreme]} {as_operand(limit, self.phrase(limit), find_unit(number))}"
        )
        return f"{phrase}{'' if before else ','} {word} {bound}"

    def visit_size(self, node: Size, operand: str) -> str:
        inner = unwrap_node(node.operand)
        if isinstance(inner, Read) and self.name_item(inner.field):
            label = self.fields[inner.field].label
            if not self.is_label_start(f"number of {label}"):
                return f"the number of {label}"
        return f"the number of entries in {as_operand(node.operand, operand)}"


def phrase_divisor(node: Quotient, right: str) -> str:
    """Return what a number is divided by."""
    return name_plain_number(node.right, as_factor(node.right, right))


def name_plain_number(factor: Expression, phrase: str) -> str:
    """Return a factor in words, which say where a percentage is not meant as a share.

    "The price times the rate" would be taken for so many percent of the price.
    """
    inner = unwrap_node(factor)
    is_field = isinstance(inner, Read | Element)
    return f"{phrase}{PLAIN_NUMBER}" if is_field and is_percent(get_unit(inner)) else phrase


def is_extreme_entry(node: Expression) -> bool:
    """Return whether a number is the smallest or the largest of what entries have."""
    extremes = {AggregateFunction.MINIMUM, AggregateFunction.MAXIMUM}
    return isinstance(node, Aggregate) and node.function in extremes


def find_unit(node: Expression) -> str:
    """Return the unit of a number, or of what it is worked out from by sums and shares."""
    match unwrap_node(node):
        case Arithmetic(operation=Operation.ADD | Operation.SUBTRACT, left=left, right=right):
            return get_unit(node) or find_unit(left) or find_unit(right)
        case Quotient() as quotient if (share := find_share(quotient)) is not None:
            return find_unit(share.whole)
        case _:
            return get_unit(node)


def to_places(phrase: str, places: int) -> str:
    """Return a number that is rounded, and how."""
    return f"{phrase}, {_phrase_rounding(places)}"


def _phrase_rounding(places: int) -> str:
    precision = f"{places} decimal place{'s' * (places != 1)}" if places else "a whole number"
    return f"rounded to {precision}"
