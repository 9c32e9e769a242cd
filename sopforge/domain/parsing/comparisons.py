"""Comparisons: relations of like types, divisions multiplied out, labels in sets and lists."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from sopforge.domain.language import numbers
from sopforge.domain.language.expressions import (
    AllOf,
    Compare,
    Constant,
    Contains,
    Expression,
    Not,
    OneOf,
    Operation,
    Relation,
)
from sopforge.domain.language.slips import is_missing_word
from sopforge.domain.parsing.operands import Operands, is_division
from sopforge.domain.parsing.typing import BOOLEAN_HINT, FREE_TEXT_HINT, Quoted, type_name
from sopforge.domain.values.types import (
    BOOLEAN,
    DateTimeType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
    ValueType,
    whole,
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


class Comparisons(Operands):
    """Reads comparisons and memberships."""

    def comparison(self, node: ast.Compare) -> Expression:
        operands = [node.left, *node.comparators]
        pairs = zip(operands, node.ops, operands[1:], strict=False)
        parts = tuple(self.pair(left, operator, right) for left, operator, right in pairs)
        return parts[0] if len(parts) == 1 else AllOf(parts)

    def pair(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> Expression:
        if isinstance(operator, ast.In | ast.NotIn):
            inside = self.membership(left, right)
            return inside if isinstance(operator, ast.In) else Not(inside)
        relation = _RELATIONS.get(type(operator))
        self.refuse_missing(left, operator, right)
        if relation is None:
            hint = "write == for equal, != for not equal"
            if isinstance(right, ast.Constant) and isinstance(right.value, bool):
                hint = BOOLEAN_HINT
            raise self.error(right, "'is' compares nothing here", hint=hint)
        if is_division(left) or is_division(right):
            return self.multiplied_out(left, relation, right)
        return self.compared(left, relation, right)

    def refuse_missing(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> None:
        """Raise for a comparison with a word for missing, unless a field is called so."""
        word = self.source(right)
        if not is_missing_word(word) or word in {*self.scope.fields, *self.scope.constants}:
            return
        is_absent = isinstance(operator, ast.Eq | ast.Is) != (word == "present")
        hint = f"write {'not ' if is_absent else ''}present({self.source(left)})"
        raise self.error(right, f"nothing is compared with '{word}'", hint=hint)

    def multiplied_out(self, left: ast.expr, relation: Relation, right: ast.expr) -> Expression:
        """Return a / b < c / d as a * d < c * b; divisors are positive."""
        (first, below_first), (second, below_second) = self.fraction(left), self.fraction(right)
        multiply = Operation.MULTIPLY

        def build() -> Expression:
            sides = [
                part if below is None else numbers.arithmetic(multiply, part, below)
                for part, below in ((first, below_second), (second, below_first))
            ]
            first_side, second_side = numbers.aligned(sides)
            return Compare(relation, first_side, second_side)

        return self.ruled(left, build)

    def compared(self, left: ast.expr, relation: Relation, right: ast.expr) -> Expression:
        first, second = self.part(left), self.part(right)
        if not isinstance(first, Quoted):
            return self.related(left, first, relation, self.typed(second, first.type, right))
        if not isinstance(second, Quoted):
            return self.related(left, self.typed(first, second.type, left), relation, second)
        raise self.error(left, "one side of a comparison must be a field")

    def related(
        self, node: ast.expr, first: Expression, relation: Relation, second: Expression
    ) -> Expression:
        kinds = first.type, second.type
        match kinds:
            case NumberType(), NumberType():
                first, second = self.ruled(node, lambda: numbers.aligned((first, second)))
            case (DateType(), DateType()) | (DateTimeType(), DateTimeType()):
                pass
            case (TextType(is_free=True), _) | (_, TextType(is_free=True)):
                raise self.error(node, "free text cannot be compared", hint=FREE_TEXT_HINT)
            case (EnumType(), EnumType()) | (TextType(), TextType()):
                self.equality(node, first.type, relation, second.type)
            case _:
                names = f"{type_name(first.type)} with {type_name(second.type)}"
                hint = BOOLEAN_HINT if BOOLEAN in kinds else ""
                raise self.error(node, f"cannot compare {names}", hint=hint)
        if isinstance(first, Constant):
            return Compare(relation.mirrored, second, first)
        return Compare(relation, first, second)

    def equality(
        self, node: ast.expr, first: ValueType, relation: Relation, second: ValueType
    ) -> None:
        if relation not in _EQUALITY:
            what = "texts" if isinstance(first, TextType) else "labels"
            raise self.error(node, f"{what} have no order; compare them with == or !=")
        if isinstance(first, EnumType) and first != second:
            raise self.error(node, "cannot compare fields with different labels")
        if isinstance(first, TextType) and isinstance(second, TextType):
            self.alike(node, first, second)

    def alike(self, node: ast.expr, first: TextType, second: TextType) -> None:
        if first.like != second.like:
            names = [
                f"like a {kind.like}" if kind.like else "of others" for kind in (first, second)
            ]
            raise self.error(node, f"cannot compare texts {names[0]} with texts {names[1]}")

    def membership(self, left: ast.expr, right: ast.expr) -> Expression:
        if isinstance(right, ast.List | ast.Tuple):
            return self.listed(left, right.elts)
        container, label = self.part(right), self.part(left)
        if isinstance(container, Quoted) or not isinstance(container.type, SetType):
            message = "a set field or a list in brackets must stand after 'in'"
            raise self.error(right, message, hint="write kind == 'A', or kind in ['A', 'B']")
        if not isinstance(label, Quoted):
            message, hint = "a quoted label must stand before 'in'", "ask for each: 'A' in field"
            raise self.error(left, message, hint=hint)
        constant = self.typed(label, EnumType(container.type.values), left)
        position = whole(constant.value) if isinstance(constant, Constant) else 0
        return Contains(container, label.text, position)

    def listed(self, left: ast.expr, items: Sequence[ast.expr]) -> Expression:
        operand = self.part(left)
        if isinstance(operand, Quoted):
            raise self.error(left, "a field must stand before 'in [...]'")
        if not isinstance(operand.type, EnumType | TextType) or not items:
            message = "'in [...]' needs an enum or text field and at least one label"
            raise self.error(left, message)
        return OneOf(operand, tuple(self.option(item, operand.type) for item in items))

    def option(self, node: ast.expr, kind: EnumType | TextType) -> Constant:
        part = self.part(node)
        constant = self.typed(part, kind, node) if isinstance(part, Quoted) else None
        if not isinstance(constant, Constant):
            raise self.error(node, "'in [...]' lists quoted labels")
        return constant
