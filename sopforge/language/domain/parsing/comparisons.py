"""Comparisons: relations of like types, divisions multiplied out, labels in sets and lists."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Compare,
    Constant,
    Expression,
    Not,
    OneOf,
    Operation,
    Relation,
)
from sopforge.language.domain.expressions.slips import is_missing_word
from sopforge.language.domain.parsing.operands import is_division
from sopforge.language.domain.parsing.sets import Sets
from sopforge.language.domain.parsing.typing import BOOLEAN_HINT, FREE_TEXT_HINT, Quoted
from sopforge.language.domain.values.types import (
    BOOLEAN,
    EnumType,
    MomentType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)

_RELATIONS: dict[type[ast.cmpop], Relation] = {
    ast.Eq: Relation.EQ,
    ast.NotEq: Relation.NE,
    ast.Lt: Relation.LT,
    ast.LtE: Relation.LE,
    ast.Gt: Relation.GT,
    ast.GtE: Relation.GE,
}
_EQUALITY = frozenset({Relation.EQ, Relation.NE})


class Comparisons(Sets):
    """Reads comparisons and memberships."""

    def parse_comparison(self, node: ast.Compare) -> Expression:
        operands = [node.left, *node.comparators]
        pairs = zip(operands, node.ops, operands[1:], strict=False)
        parts = tuple(self.parse_pair(left, operator, right) for left, operator, right in pairs)
        return parts[0] if len(parts) == 1 else AllOf(parts)

    def parse_pair(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Expression:
        if isinstance(operator, ast.In | ast.NotIn):
            inside = self.parse_membership(left, right)
            return inside if isinstance(operator, ast.In) else Not(inside)
        relation = _RELATIONS.get(type(operator))
        self.refuse_missing(left, operator, right)
        if relation is None:
            hint = "write == for equal, or != for not equal"
            if isinstance(right, ast.Constant) and isinstance(right.value, bool):
                hint = BOOLEAN_HINT
            raise self.make_error(right, "'is' is not a comparison here", hint=hint)
        if self.is_about_sets(left, right):
            return self.parse_set_comparison(left, relation, right)
        if is_division(left) or is_division(right):
            return self.multiply_out(left, relation, right)
        return self.parse_plain_comparison(left, relation, right)

    def refuse_missing(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> None:
        """Raise for a comparison with a word for missing, unless a field is called so."""
        word = self.get_source(right)
        if not is_missing_word(word) or word in {*self.scope.fields, *self.scope.constants}:
            return
        is_absent = isinstance(operator, ast.Eq | ast.Is) != (word == "present")
        hint = f"write {'not ' if is_absent else ''}present({self.get_source(left)})"
        raise self.make_error(right, f"'{word}' cannot be compared", hint=hint)

    def multiply_out(self, left: ast.expr, relation: Relation, right: ast.expr) -> Expression:
        """Return a / b < c / d as a * d < c * b; divisors are positive."""
        (first, below_first), (second, below_second) = (
            self.parse_fraction(left),
            self.parse_fraction(right),
        )
        multiply = Operation.MULTIPLY

        def build() -> Expression:
            sides = [
                part if below is None else numbers.build_arithmetic(multiply, part, below)
                for part, below in ((first, below_second), (second, below_first))
            ]
            first_side, second_side = numbers.align_places(sides)
            return Compare(relation, first_side, second_side)

        return self.apply_type_rule(left, build)

    def parse_plain_comparison(
        self, left: ast.expr, relation: Relation, right: ast.expr
    ) -> Expression:
        first, second = self.parse_part(left), self.parse_part(right)
        if not isinstance(first, Quoted):
            return self.build_comparison(
                left, first, relation, self.convert_quoted(second, first.type, right)
            )
        if not isinstance(second, Quoted):
            return self.build_comparison(
                left, self.convert_quoted(first, second.type, left), relation, second
            )
        raise self.make_error(left, "one side of a comparison must be a field")

    def build_comparison(
        self, node: ast.expr, first: Expression, relation: Relation, second: Expression
    ) -> Expression:
        kinds = first.type, second.type
        match kinds:
            case NumberType(), NumberType():
                first, second = self.apply_type_rule(
                    node, lambda: numbers.align_places((first, second))
                )
            case (MomentType() as kind, other) if kind.is_like(other):
                pass
            case (TextType(is_free=True), _) | (_, TextType(is_free=True)):
                raise self.make_error(node, "free text cannot be compared", hint=FREE_TEXT_HINT)
            case (EnumType(), EnumType()) | (TextType(), TextType()):
                self.refuse_wrong_label_comparison(node, first.type, relation, second.type)
            case _:
                names = f"{first.type.noun} with {second.type.noun}"
                hint = BOOLEAN_HINT if BOOLEAN in kinds else ""
                raise self.make_error(node, f"cannot compare {names}", hint=hint)
        # 5 < age becomes age > 5: readings and mutants look for limits on the right.
        if isinstance(first, Constant):
            return Compare(relation.mirrored, second, first)
        return Compare(relation, first, second)

    def refuse_wrong_label_comparison(
        self, node: ast.expr, first: ValueType, relation: Relation, second: ValueType
    ) -> None:
        if relation not in _EQUALITY:
            self.require_order(first, node)
        if isinstance(first, EnumType):
            self.require_same_labels(first, second, node)
        if isinstance(first, TextType) and isinstance(second, TextType):
            self.refuse_unlike_texts(node, first, second)

    def refuse_unlike_texts(self, node: ast.expr, first: TextType, second: TextType) -> None:
        if first.like != second.like:
            names = [
                f"like a {kind.like}" if kind.like else "of others" for kind in (first, second)
            ]
            raise self.make_error(node, f"cannot compare texts {names[0]} with texts {names[1]}")

    def parse_membership(self, left: ast.expr, right: ast.expr) -> Expression:
        if isinstance(right, ast.List | ast.Tuple):
            return self.parse_listed_membership(left, right.elts)
        return super().parse_membership(left, right)

    def parse_listed_membership(self, left: ast.expr, items: Sequence[ast.expr]) -> Expression:
        operand = self.parse_part(left)
        if isinstance(operand, Quoted):
            raise self.make_error(left, "'in [...]' needs a field before it")
        if not isinstance(operand.type, EnumType | TextType) or not items:
            message = "'in [...]' needs an enum or text field and at least one label"
            is_set = isinstance(operand.type, SetType) and bool(items)
            hint = (
                "write field <= ['A', 'B'] to test that every member of the set is listed"
                if is_set
                else ""
            )
            raise self.make_error(left, message, hint=hint)
        return OneOf(operand, tuple(self.parse_listed_label(item, operand.type) for item in items))

    def parse_listed_label(self, node: ast.expr, kind: EnumType | TextType) -> Constant:
        part = self.parse_part(node)
        constant = self.convert_quoted(part, kind, node) if isinstance(part, Quoted) else None
        if not isinstance(constant, Constant):
            raise self.make_error(node, "'in [...]' needs quoted labels")
        return constant
