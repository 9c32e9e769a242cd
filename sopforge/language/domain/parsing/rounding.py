"""Rounding and powers: quotients to so many places, and figures that are worked out exactly.

The powers of written figures have more digits than any number of the language: they are worked out
as fractions here, and are what they are rounded to.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NoReturn

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import (
    Expression,
    Rounding,
)
from sopforge.language.domain.expressions.operators import FUNCTIONS, ROUNDINGS
from sopforge.language.domain.parsing.operands import (
    has_open_division,
    has_power,
    is_division,
)
from sopforge.language.domain.parsing.predicates import Predicates
from sopforge.language.domain.parsing.text import MAXIMUM_PLACES, describe_argument_count

LARGEST_EXPONENT = 1_000
_EXACT: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_MOST_BITS = 100_000
"""How large figures may become on their course: a short text could fill any memory."""


class Roundings(Predicates):
    """Reads powers, and calls of the functions that round."""

    def parse_rounding(self, node: ast.Call, name: str) -> Expression:
        value, *places = node.args or [node]
        # Without places, others round to the nearest even number, which is not meant.
        least = 1 if ROUNDINGS[name] is Rounding.NEAREST else 0
        if not node.args or not least <= len(places) <= 1:
            message = describe_argument_count(name, 1 + least, len(node.args))
            raise self.make_error(node, message, hint=f"write {name}(value{', places' * least})")
        digits = self.parse_places(places[0]) if places else 0
        return self.round_part(value, digits, ROUNDINGS[name])

    def round_part(self, node: ast.expr, places: int, rounding: Rounding) -> Expression:
        """Return what stands at a node as it is rounded."""
        exact = self.find_exact(node) if has_power(node) else None
        if exact is not None:
            scaled = exact.numerator * 10**places
            value = numbers.divide_rounded(scaled, exact.denominator, rounding)
            return self.apply_type_rule(node, lambda: numbers.make_number_constant(value, places))
        if not is_division(node) and has_open_division(node):
            return self.round_each(node, places, rounding)
        if is_division(node):
            dividend, divisor = self.parse_fraction(node)
        else:
            dividend, divisor = self.parse_number(node), None
        by = numbers.make_number_constant(1) if divisor is None else divisor
        return self.apply_type_rule(
            node, lambda: numbers.build_quotient(dividend, by, places, rounding)
        )

    def round_each(self, node: ast.expr, places: int, rounding: Rounding) -> Expression:
        """Return one of several values, of which some are quotients, as it is rounded.

        Each is rounded: of two numbers, the greater is not the smaller afterwards.
        """
        match node:
            case ast.IfExp():
                sides = [self.round_side(x, places, rounding) for x in (node.body, node.orelse)]
                return self.build_choice(node, self.parse_condition(node.test), *sides)
            case ast.Call(func=ast.Name(id=name), args=args):
                sides = [self.round_side(x, places, rounding) for x in args]
                return self.apply_type_rule(node, lambda: FUNCTIONS[name].build(*sides))
            case _:
                raise TypeError(f"{ast.unparse(node)} is one value")

    def round_side(self, node: ast.expr, places: int, rounding: Rounding) -> Expression:
        """Return one of several values as it is rounded, or as it is where that is the same."""
        if has_open_division(node) or has_power(node):
            return self.round_part(node, places, rounding)
        value = self.parse_number(node)
        if numbers.require_number_type(value).places <= places:
            return value
        return self.round_part(node, places, rounding)

    def parse_places(self, node: ast.expr) -> int:
        """Return a number of decimal places, which must be written out."""
        value = node.value if isinstance(node, ast.Constant) else None
        # Not isinstance: round(a, True) would round to one place.
        if type(value) is not int or not 0 <= value <= MAXIMUM_PLACES:
            raise self.make_error(
                node, f"write a number from 0 to {MAXIMUM_PLACES} here, not an expression"
            )
        return value

    def parse_power(self, node: ast.BinOp) -> Expression:
        exact = self.find_exact(node)
        if exact is not None:
            return self.make_exact_constant(node, exact)
        base, exponent = self.parse_number(node.left), self.parse_exponent(node.right)
        if exponent < 1:
            raise self.make_error(node.right, "the exponent is at least 1 here")
        if numbers.require_number_type(base).places * exponent > numbers.MAXIMUM_PLACES:
            self.refuse_long_power(node, f"round(1.005 ** {exponent}, 6)")
        return self.apply_type_rule(node, lambda: numbers.build_power(base, exponent))

    def make_exact_constant(self, node: ast.BinOp, exact: Fraction) -> Expression:
        """Return a number that is written as a power, if it has few enough places."""
        scaled = exact * 10**numbers.MAXIMUM_PLACES
        if scaled.denominator != 1:
            self.refuse_long_power(node, f"round({self.get_source(node)}, 6)")
        value, places = int(scaled), numbers.MAXIMUM_PLACES
        while places and not value % 10:
            value, places = value // 10, places - 1
        return self.apply_type_rule(node, lambda: numbers.make_number_constant(value, places))

    def refuse_long_power(self, node: ast.BinOp, instead: str) -> NoReturn:
        message = f"the power has more than {numbers.MAXIMUM_PLACES} decimal places"
        hint = f"only a power of written figures can be rounded: {instead}"
        raise self.make_error(node, message, code="too-many-places", hint=hint)

    def parse_exponent(self, node: ast.expr) -> int:
        """Return a whole number, which must be written out."""
        found = self.find_exact(node)
        if found is None or found.denominator != 1 or abs(found) > LARGEST_EXPONENT:
            message = (
                f"'{self.get_source(node)}' is not an exponent: that is a whole number of at most"
                f" {LARGEST_EXPONENT}"
            )
            raise self.make_error(
                node, message, hint="write it as a figure; let a field state a root"
            )
        return int(found)

    def find_exact(self, node: ast.expr) -> Fraction | None:
        """Return what written figures come to, None for what reads a name or divides by 0."""
        match node:
            case ast.Constant(value=int() | float()):
                figure = self.parse_number(node)
                places = numbers.require_number_type(figure).places
                return Fraction(figure.type.bounds[0], 10**places)
            case ast.UnaryOp(op=ast.USub()):
                operand = self.find_exact(node.operand)
                return None if operand is None else -operand
            case ast.BinOp(op=ast.Pow()):
                return self.find_exact_power(node)
            case ast.BinOp() if type(node.op) in _EXACT:
                left, right = self.find_exact(node.left), self.find_exact(node.right)
                if left is None or right is None or (not right and isinstance(node.op, ast.Div)):
                    return None
                return _EXACT[type(node.op)](left, right)
            case _:
                return None

    def find_exact_power(self, node: ast.BinOp) -> Fraction | None:
        base, exponent = self.find_exact(node.left), self.parse_exponent(node.right)
        if base is None or (base == 0 and exponent < 0):
            return None
        bits = base.numerator.bit_length() + base.denominator.bit_length()
        if bits * abs(exponent) > _MOST_BITS:
            message = "the power has too many digits"
            raise self.make_error(node, message, code="interval-too-large")
        return base**exponent
