"""The parser: which syntax is read, and names, literals and operators."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from sopforge.domain.documents.schema import suggest
from sopforge.domain.language import numbers
from sopforge.domain.language.expressions import (
    AllOf,
    AnyOf,
    Choice,
    Constant,
    Element,
    Expression,
    Not,
    Operation,
    Read,
)
from sopforge.domain.language.numbers import number_type
from sopforge.domain.language.slips import find_split_name, hint_at_name
from sopforge.domain.parsing.calls import Calls
from sopforge.domain.parsing.comparisons import Comparisons
from sopforge.domain.parsing.text import ALLOWED, MAXIMUM_PLACES
from sopforge.domain.parsing.typing import BOOLEAN_HINT, Part, Quoted, type_name
from sopforge.domain.values.types import (
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    ValueType,
    scale,
    whole,
)

_DIVISION_HINT = "divide inside round(a / b, places) or in a comparison"
_OPERATOR_HINTS: Mapping[type[ast.operator], str] = {
    ast.BitAnd: "write 'and' between conditions",
    ast.BitOr: "write 'or' between conditions",
    ast.Pow: "write a product: a * a",
    ast.BitXor: "write a product: a * a",
    ast.Mod: "write a percentage as round(amount * 10 / 100, 2)",
}
_OPERATIONS: dict[type[ast.operator], Operation] = {
    ast.Add: Operation.ADD,
    ast.Sub: Operation.SUBTRACT,
    ast.Mult: Operation.MULTIPLY,
}


class Parser(Comparisons, Calls):
    """Walks one syntax tree; each method returns a typed expression or raises at a column."""

    def part(self, node: ast.expr) -> Part:
        match node:
            case ast.Constant():
                return self.literal(node)
            case ast.Name():
                return self.name(node)
            case ast.Attribute():
                return self.element(node)
            case ast.Call():
                return self.call(node)
            case _:
                return self.compound(node)

    def compound(self, node: ast.expr) -> Expression:
        match node:
            case ast.BoolOp():
                return self.boolean(node)
            case ast.UnaryOp():
                return self.unary(node)
            case ast.BinOp():
                return self.binary(node)
            case ast.IfExp():
                return self.choice(node)
            case ast.Compare():
                return self.comparison(node)
            case _:
                is_listing = isinstance(node, ast.Tuple)
                hint = "write 'and' or 'or', and numbers as 1000" if is_listing else ALLOWED
                message = f"'{self.source(node)}' is not allowed in an expression"
                raise self.error(node, message, code="not-allowed", hint=hint)

    def literal(self, node: ast.Constant) -> Part:
        value = node.value
        if isinstance(value, str):
            return Quoted(value)
        if isinstance(value, bool):
            raise self.error(node, f"the literal {value!r} is not allowed", hint=BOOLEAN_HINT)
        if not isinstance(value, int | float):
            hint = hint_at_name("none") if value is None else ALLOWED
            raise self.error(node, f"the literal {value!r} is not allowed", hint=hint)
        text = self.source(node)
        places = len(text.partition(".")[2])
        if places > MAXIMUM_PLACES or not text.replace(".", "").isdigit():
            message = f"write {text} as digits with at most {MAXIMUM_PLACES} decimal places"
            raise self.error(node, message)
        return self.ruled(node, lambda: numbers.constant(scale(text, places), places))

    def name(self, node: ast.Name) -> Expression:
        kind = self.scope.fields.get(node.id)
        if isinstance(kind, ListType):
            hint = f"write count(i for i in {node.id}), or sum, min, max, any, all"
            raise self.error(node, f"'{node.id}' is a list of items", hint=hint)
        if kind is not None:
            return Read(kind, node.id)
        if node.id in self.scope.constants:
            return self.scope.constants[node.id]
        if node.id in self.items:
            message = f"'{node.id}' is an item; compare one of its fields"
            raise self.error(node, message, hint=self.hint_at_items(node.id))
        split = [name for name in self.known() if node.id in name.split("_")]
        self.refuse_slip(find_split_name(self.text, split))
        message = f"no field or policy constant '{node.id}'"
        raise self.error(node, message, code="unknown-field", hint=self.hint_at(node.id))

    def hint_at(self, name: str) -> str:
        """Return what an unknown name may have been meant as."""
        known = self.known()
        kinds = self.scope.fields.values()
        labels = [label for kind in kinds for label in getattr(kind, "values", ())]
        if name in labels:
            return f"labels stand in quotes: '{name}'"
        nearest = hint_at_name(name) or suggest(name, known)
        unquoted = suggest(name, labels)
        if unquoted and not nearest:
            return f"labels stand in quotes; {unquoted}"
        return nearest or f"known are {', '.join(known)}"

    def element(self, node: ast.Attribute) -> Expression:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if isinstance(self.scope.fields.get(owner), ListType):
            self.part(node.value)  # refused, as a list is elsewhere
        items = self.items.get(owner)
        if items is None:
            message = f"'{self.source(node)}' is not allowed in an expression"
            hint = f"write {node.attr} alone" if node.attr in self.known() else ALLOWED
            raise self.error(node, message, code="not-allowed", hint=hint)
        kind = items.type.field(node.attr)
        if kind is None:
            known = [name for name, _ in items.type.fields]
            message = f"items of '{items.name}' have no field '{node.attr}'"
            hint = suggest(node.attr, known) or self.hint_at_items(owner)
            raise self.error(node, message, code="unknown-field", hint=hint)
        return Element(kind, items.name, node.attr)

    def boolean(self, node: ast.BoolOp) -> Expression:
        operands = tuple(self.condition(value) for value in node.values)
        return AllOf(operands) if isinstance(node.op, ast.And) else AnyOf(operands)

    def unary(self, node: ast.UnaryOp) -> Expression:
        if isinstance(node.op, ast.Not):
            return Not(self.condition(node.operand))
        if not isinstance(node.op, ast.USub):
            hint = (
                "write 'not' before a condition" if isinstance(node.op, ast.Invert) else "drop it"
            )
            raise self.error(node, "this sign is not allowed", hint=hint)
        operand = self.number(node.operand)
        if isinstance(operand, Constant) and not operand.name:
            places = number_type(operand).places
            return self.ruled(node, lambda: numbers.constant(-whole(operand.value), places))
        zero = numbers.constant(0)
        return self.ruled(node, lambda: numbers.arithmetic(Operation.SUBTRACT, zero, operand))

    def binary(self, node: ast.BinOp) -> Expression:
        operation = _OPERATIONS.get(type(node.op))
        if operation is None:
            hint = _OPERATOR_HINTS.get(type(node.op), _DIVISION_HINT)
            raise self.error(node, "of the arithmetic operators, + - and * are allowed", hint=hint)
        left, right = self.number(node.left), self.number(node.right)
        return self.ruled(node, lambda: numbers.arithmetic(operation, left, right))

    def choice(self, node: ast.IfExp) -> Expression:
        condition = self.condition(node.test)
        then, otherwise = self.part(node.body), self.part(node.orelse)
        if isinstance(then, Quoted) and not isinstance(otherwise, Quoted):
            then = self.typed(then, otherwise.type, node.body)
        if isinstance(otherwise, Quoted) and not isinstance(then, Quoted):
            otherwise = self.typed(otherwise, then.type, node.orelse)
        if isinstance(then, Quoted) or isinstance(otherwise, Quoted):
            hint = "decide it by rules"
            raise self.error(node, "one side of a choice must be a field or a number", hint=hint)
        return self.chosen(node, condition, then, otherwise)

    def chosen(
        self, node: ast.expr, condition: Expression, then: Expression, otherwise: Expression
    ) -> Expression:
        match then.type, otherwise.type:
            case NumberType(), NumberType():
                parts = self.ruled(node, lambda: numbers.aligned((then, otherwise)))
                return Choice(numbers.hull(parts), condition, *parts)
            case (DateType() as first, DateType() as second) | (
                DateTimeType() as first,
                DateTimeType() as second,
            ):
                low, high = min(first.minimum, second.minimum), max(first.maximum, second.maximum)
                return Choice(replace(first, minimum=low, maximum=high), condition, then, otherwise)
            case EnumType() as first, EnumType() as second if first == second:
                return Choice(first, condition, then, otherwise)
            case first, second:
                raise self.error(node, _unlike(first, second))


def _unlike(first: ValueType, second: ValueType) -> str:
    """Say why a choice cannot give these two."""
    if isinstance(first, EnumType) and isinstance(second, EnumType):
        return "both sides of a choice must have the same labels"
    if type(first) is type(second):
        return f"a choice cannot give {type_name(first)}"
    return f"both sides of a choice must be alike, found {type_name(first)} and {type_name(second)}"
