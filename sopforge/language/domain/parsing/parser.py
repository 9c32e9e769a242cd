"""The parser: which syntax is read, and names, literals and operators."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.expressions import (
    AllOf,
    AnyOf,
    Choice,
    Constant,
    Element,
    Expression,
    Missing,
    Not,
    Operation,
    Read,
)
from sopforge.language.domain.expressions.numbers import require_number_type
from sopforge.language.domain.expressions.slips import find_split_name, hint_at_name
from sopforge.language.domain.parsing.comparisons import Comparisons
from sopforge.language.domain.parsing.selections import Selections
from sopforge.language.domain.parsing.text import ALLOWED, MAXIMUM_PLACES
from sopforge.language.domain.parsing.typing import BOOLEAN_HINT, Part, Quoted
from sopforge.language.domain.values.types import (
    EnumType,
    ListType,
    MomentType,
    NumberType,
    ValueType,
    require_integer,
    scale_decimal,
)

MISSING = "missing"
"""What a result says that is no value."""
_MISSING_HINT = (
    "write it as the whole result, or as one side of 'a if c else b'; to test whether a field has"
    " a value, write present(field)"
)
_DIVISION_HINT = (
    "divide inside round, floor or ceiling, as in round(a * b / c, places), or in a comparison"
)
_OPERATOR_HINTS: Mapping[type[ast.operator], str] = {
    ast.BitAnd: "write 'and' between conditions",
    ast.BitOr: "write 'or' between conditions",
    ast.BitXor: "write a power as a ** 2",
    ast.FloorDiv: "write floor(a / b)",
    ast.Mod: (
        "write remainder(a, b) for what is left of a division, and a percentage as"
        " round(amount * 10 / 100, 2)"
    ),
}
_OPERATIONS: dict[type[ast.operator], Operation] = {
    ast.Add: Operation.ADD,
    ast.Sub: Operation.SUBTRACT,
    ast.Mult: Operation.MULTIPLY,
}


class Parser(Comparisons, Selections):
    """Walks one syntax tree; each method returns a typed expression or raises at a column."""

    def parse_part(self, node: ast.expr) -> Part:
        match node:
            case ast.Constant():
                return self.parse_literal(node)
            case ast.Name():
                return self.parse_name(node)
            case ast.Attribute():
                return self.parse_element(node)
            case ast.Call():
                return self.parse_call(node)
            case _:
                return self.parse_compound(node)

    def parse_compound(self, node: ast.expr) -> Expression:
        kind = self.find_set_type(node)
        if kind is not None:
            return self.parse_set(node, kind)
        match node:
            case ast.BoolOp():
                return self.parse_boolean(node)
            case ast.UnaryOp():
                return self.parse_unary(node)
            case ast.BinOp():
                return self.parse_binary(node)
            case ast.IfExp():
                return self.parse_choice(node)
            case ast.Compare():
                return self.parse_comparison(node)
            case _:
                hints = {
                    ast.Tuple: (
                        "write 'and' or 'or' between conditions, and write numbers as 1000"
                    ),
                    ast.ListComp: "a list can only be the whole value of a list field",
                }
                hint = hints.get(type(node), ALLOWED)
                message = f"'{self.get_source(node)}' is not allowed in an expression"
                raise self.make_error(node, message, code="not-allowed", hint=hint)

    def parse_literal(self, node: ast.Constant) -> Part:
        value = node.value
        if isinstance(value, str):
            nothing = self.nothing.get(id(node))
            return nothing if nothing is not None and value == nothing.word else Quoted(value)
        if isinstance(value, bool):
            raise self.make_error(node, f"the literal {value!r} is not allowed", hint=BOOLEAN_HINT)
        if not isinstance(value, int | float):
            hint = hint_at_name("none", self.text) if value is None else ALLOWED
            raise self.make_error(node, f"the literal {value!r} is not allowed", hint=hint)
        # From the text, for of 0.1 the tree has a float already; 1e3, 0x10 and 1_000 are no digits.
        text = self.get_source(node)
        places = len(text.partition(".")[2])
        if places > MAXIMUM_PLACES or not text.replace(".", "").isdigit():
            message = f"write {text} as digits with at most {MAXIMUM_PLACES} decimal places"
            raise self.make_error(node, message)
        return self.apply_type_rule(
            node, lambda: numbers.make_number_constant(scale_decimal(text, places), places)
        )

    def parse_name(self, node: ast.Name) -> Expression:
        kind = self.scope.fields.get(node.id)
        if isinstance(kind, ListType):
            hint = f"write count(i for i in {node.id}), or use sum, min, max, any or all"
            message = f"'{node.id}' is a list of items, not a single value"
            raise self.make_error(node, message, hint=hint)
        if kind is not None:
            return Read(kind, node.id)
        if node.id in self.scope.constants:
            return self.scope.constants[node.id]
        if node.id == MISSING and id(node) in self.nothing:
            return self.nothing[id(node)]
        if node.id in self.scope.predicates:
            return self.parse_predicate(node, node.id, ())
        if node.id in self.items:
            message = f"'{node.id}' is an item; compare one of its fields instead"
            raise self.make_error(node, message, hint=self.hint_at_items(node.id))
        split = [name for name in self.list_usable_names() if node.id in name.split("_")]
        self.refuse_slip(find_split_name(self.text, split))
        message = f"there is no field or policy constant '{node.id}'"
        raise self.make_error(
            node, message, code="unknown-field", hint=self.hint_at_unknown_name(node.id)
        )

    def hint_at_unknown_name(self, name: str) -> str:
        """Return what an unknown name may have been meant as."""
        known = self.list_usable_names()
        kinds = self.scope.fields.values()
        labels = [label for kind in kinds for label in getattr(kind, "values", ())]
        if name in labels:
            return f"write labels in quotes: '{name}'"
        if name == MISSING and self.nothing:
            return _MISSING_HINT
        nearest = hint_at_name(name, self.text) or suggest(name, known)
        unquoted = suggest(name, labels)
        if unquoted and not nearest:
            return f"write labels in quotes; {unquoted}"
        return nearest or f"the known names are {', '.join(known)}"

    def parse_element(self, node: ast.Attribute) -> Expression:
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        if isinstance(self.scope.fields.get(owner), ListType):
            self.parse_part(node.value)  # refused, as a list is elsewhere
        items = self.items.get(owner)
        source = ast.unparse(node)
        if items is None and any(
            path.startswith(f"{source.partition('.')[0]}.") for path in self.scope.paths
        ):
            hint = suggest(source, list(self.scope.paths)) or "the table has no such field"
            message = f"there is no field '{source}'"
            raise self.make_error(node, message, code="unknown-field", hint=hint)
        if items is None:
            message = f"'{self.get_source(node)}' is not allowed in an expression"
            hint = f"write only {node.attr}" if node.attr in self.list_usable_names() else ALLOWED
            raise self.make_error(node, message, code="not-allowed", hint=hint)
        kind = items.type.find_field_type(node.attr)
        if kind is None:
            known = [name for name, _ in items.type.fields]
            message = f"items of '{items.name}' have no field '{node.attr}'"
            hint = suggest(node.attr, known) or self.hint_at_items(owner)
            raise self.make_error(node, message, code="unknown-field", hint=hint)
        return Element(kind, items.name, node.attr)

    def parse_boolean(self, node: ast.BoolOp) -> Expression:
        operands = tuple(self.parse_condition(value) for value in node.values)
        return AllOf(operands) if isinstance(node.op, ast.And) else AnyOf(operands)

    def parse_unary(self, node: ast.UnaryOp) -> Expression:
        if isinstance(node.op, ast.Not):
            return Not(self.parse_condition(node.operand))
        if not isinstance(node.op, ast.USub):
            hint = (
                "write 'not' before a condition"
                if isinstance(node.op, ast.Invert)
                else "remove the sign"
            )
            raise self.make_error(node, "this sign is not allowed", hint=hint)
        operand = self.parse_number(node.operand)
        # A named constant stays what it is and is subtracted from 0, so that texts can name it.
        if isinstance(operand, Constant) and not operand.name:
            places = require_number_type(operand).places
            return self.apply_type_rule(
                node, lambda: numbers.make_number_constant(-require_integer(operand.value), places)
            )
        zero = numbers.make_number_constant(0)
        return self.apply_type_rule(
            node, lambda: numbers.build_arithmetic(Operation.SUBTRACT, zero, operand)
        )

    def parse_binary(self, node: ast.BinOp) -> Expression:
        if isinstance(node.op, ast.Pow):
            return self.parse_power(node)
        operation = _OPERATIONS.get(type(node.op))
        if operation is None:
            hint = _OPERATOR_HINTS.get(type(node.op), _DIVISION_HINT)
            raise self.make_error(
                node, "only the arithmetic operators +, -, * and ** are allowed", hint=hint
            )
        left, right = self.parse_number(node.left), self.parse_number(node.right)
        return self.apply_type_rule(node, lambda: numbers.build_arithmetic(operation, left, right))

    def parse_choice(self, node: ast.IfExp) -> Expression:
        condition = self.parse_condition(node.test)
        then, otherwise = self.parse_part(node.body), self.parse_part(node.orelse)
        if isinstance(then, Quoted) and not isinstance(otherwise, Quoted):
            then = self.convert_quoted(then, otherwise.type, node.body)
        if isinstance(otherwise, Quoted) and not isinstance(then, Quoted):
            otherwise = self.convert_quoted(otherwise, then.type, node.orelse)
        wanted = self.wanted.get(id(node))
        if isinstance(then, Quoted) and isinstance(otherwise, Quoted) and wanted is not None:
            then = self.convert_quoted(then, wanted, node.body)
            otherwise = self.convert_quoted(otherwise, wanted, node.orelse)
        if isinstance(then, Quoted) or isinstance(otherwise, Quoted):
            hint = "decide it with rules"
            raise self.make_error(
                node, "one side of a choice must be a field or a number", hint=hint
            )
        return self.build_choice(node, condition, then, otherwise)

    def build_choice(
        self, node: ast.expr, condition: Expression, then: Expression, otherwise: Expression
    ) -> Expression:
        # Of two sides of which one is no value, the other says what there is.
        if isinstance(then, Missing):
            then = replace(then, type=otherwise.type)
        if isinstance(otherwise, Missing):
            otherwise = replace(otherwise, type=then.type)
        match then.type, otherwise.type:
            case NumberType(), NumberType():
                parts = self.apply_type_rule(node, lambda: numbers.align_places((then, otherwise)))
                return Choice(numbers.compute_hull(parts), condition, *parts)
            case MomentType() as first, MomentType() as second if first.is_like(second):
                return Choice(first.join(second), condition, then, otherwise)
            case EnumType() as first, EnumType() as second if first == second:
                return Choice(first, condition, then, otherwise)
            case first, second:
                raise self.make_error(node, _describe_unlike_sides(first, second))


def _describe_unlike_sides(first: ValueType, second: ValueType) -> str:
    """Say why a choice cannot give these two."""
    if isinstance(first, EnumType) and isinstance(second, EnumType):
        return "both sides of a choice must have the same labels"
    if type(first) is type(second):
        return f"a choice cannot give {first.noun}"
    return f"both sides of a choice must have the same type, found {first.noun} and {second.noun}"
