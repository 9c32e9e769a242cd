"""Expressions as text become typed trees: Python syntax read with ``ast``, never evaluated.

Only the syntax listed in ``_Parser`` is allowed. Numbers of different places are brought to one
scale here, so that every reading compares like with like.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from sopforge.domain.expressions import (
    AllOf,
    AnyOf,
    Arithmetic,
    Choice,
    Compare,
    Constant,
    Contains,
    DaysBetween,
    Expression,
    Not,
    OneOf,
    Operation,
    Presence,
    Read,
    Relation,
    Rescale,
    Size,
)
from sopforge.domain.schema import suggest
from sopforge.domain.types import (
    ANY_DAY,
    BOOLEAN,
    BooleanType,
    DateType,
    EnumType,
    NumberType,
    SetType,
    TextType,
    ValueNotAllowedError,
    ValueType,
    encode,
    scale,
    to_cell,
)

LARGEST = 1 << 62
MAXIMUM_LENGTH = 4_000
MAXIMUM_DEPTH = 100
_ALLOWED = (
    "allowed: names, numbers, quoted labels, and or not, == != < <= > >= in, + - *, a if b else c"
)
_BOOLEAN_HINT = "write a yes/no field alone, or with 'not' before it"
MAXIMUM_PLACES = 6
_RELATIONS: dict[type[ast.cmpop], Relation] = {
    ast.Eq: Relation.EQ,
    ast.NotEq: Relation.NE,
    ast.Lt: Relation.LT,
    ast.LtE: Relation.LE,
    ast.Gt: Relation.GT,
    ast.GtE: Relation.GE,
}
_MIRRORED = {
    Relation.EQ: Relation.EQ,
    Relation.NE: Relation.NE,
    Relation.LT: Relation.GT,
    Relation.LE: Relation.GE,
    Relation.GT: Relation.LT,
    Relation.GE: Relation.LE,
}
_OPERATIONS: dict[type[ast.operator], Operation] = {
    ast.Add: Operation.ADD,
    ast.Sub: Operation.SUBTRACT,
    ast.Mult: Operation.MULTIPLY,
}


class ExpressionError(ValueError):
    """An expression is not well-formed or not well-typed; ``column`` counts from 1."""

    def __init__(self, code: str, message: str, column: int, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.column = column
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Scope:
    """The names that an expression may use, and which fields may be missing."""

    fields: Mapping[str, ValueType]
    constants: Mapping[str, Constant]
    optional: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Quoted:
    """A quoted literal that waits for the type of its neighbour."""

    text: str


_Part: TypeAlias = Expression | _Quoted


def parse_condition(text: str, scope: Scope) -> Expression:
    """Return the text as a condition.

    Raises:
        ExpressionError: not allowed syntax, an unknown name, or a type that does not fit.
    """
    parser = _Parser(text, scope)
    return parser.condition(parser.root)


def parse_value(text: str, scope: Scope, target: ValueType) -> Expression:
    """Return the text as a value of the target's type; a bare number or label is a constant.

    Raises:
        ExpressionError: as ``parse_condition``, or the value does not fit the target.
    """
    parser = _Parser(text, scope)
    if isinstance(target, BooleanType):
        return parser.condition(parser.root)
    value = parser.typed(parser.part(parser.root), target, parser.root)
    return parser.fitted(value, target, parser.root)


class _Parser:
    """Walks one syntax tree; each method returns a typed expression or raises at a column."""

    def __init__(self, text: str, scope: Scope) -> None:
        self.scope = scope
        self.text = text.strip().replace("\n", " ")
        if len(text) > MAXIMUM_LENGTH:
            message = f"the expression has {len(text)} characters; at most {MAXIMUM_LENGTH}"
            raise ExpressionError("expression-too-long", message, 1, "split it into decisions")
        self.root = self.tree()
        if _depth(self.root) > MAXIMUM_DEPTH:
            message = f"parts of the expression lie more than {MAXIMUM_DEPTH} deep"
            raise ExpressionError("expression-too-deep", message, 1, "split it into decisions")
        rest = self.text.encode()[self.root.end_col_offset :].decode()
        if "#" in rest:
            column = len(self.text) - len(rest) + rest.index("#") + 1
            raise ExpressionError("not-allowed", "a comment would hide what follows it", column)

    def tree(self) -> ast.expr:
        try:
            return ast.parse(self.text, mode="eval").body
        except SyntaxError as cause:
            message = f"cannot read the expression: {cause.msg}"
            column = cause.offset or len(self.text) + 1
            raise ExpressionError("syntax-error", message, column, _ALLOWED) from cause
        except (RecursionError, MemoryError, ValueError) as cause:
            message = "cannot read the expression"
            raise ExpressionError("syntax-error", message, 1, _ALLOWED) from cause

    def condition(self, node: ast.expr) -> Expression:
        part = self.part(node)
        if isinstance(part, _Quoted) or not isinstance(part.type, BooleanType):
            found = "text" if isinstance(part, _Quoted) else type_name(part.type)
            raise self.error(node, f"a condition is needed here, found {found}")
        return part

    def part(self, node: ast.expr) -> _Part:
        match node:
            case ast.Constant():
                return self.literal(node)
            case ast.Name():
                return self.name(node)
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
                message = f"'{self.source(node)}' is not allowed in an expression"
                raise self.error(node, message, code="not-allowed", hint=_ALLOWED)

    def literal(self, node: ast.Constant) -> _Part:
        value = node.value
        if isinstance(value, str):
            return _Quoted(value)
        if isinstance(value, bool):
            raise self.error(node, f"the literal {value!r} is not allowed", hint=_BOOLEAN_HINT)
        if not isinstance(value, int | float):
            raise self.error(node, f"the literal {value!r} is not allowed")
        text = self.source(node)
        places = len(text.partition(".")[2])
        if places > MAXIMUM_PLACES or not text.replace(".", "").isdigit():
            message = f"write {text} as digits with at most {MAXIMUM_PLACES} decimal places"
            raise self.error(node, message)
        number = scale(text, places)
        return Constant(self.bounded(node, number, number, places), number)

    def name(self, node: ast.Name) -> Expression:
        if node.id in self.scope.fields:
            return Read(self.scope.fields[node.id], node.id)
        if node.id in self.scope.constants:
            return self.scope.constants[node.id]
        known = [*self.scope.fields, *self.scope.constants]
        message = f"no field or policy constant '{node.id}'"
        hint = suggest(node.id, known) or f"known are {', '.join(known)}"
        hint = _BOOLEAN_HINT if node.id in {"true", "false", "yes", "no"} else hint
        raise self.error(node, message, code="unknown-field", hint=hint)

    def boolean(self, node: ast.BoolOp) -> Expression:
        operands = tuple(self.condition(value) for value in node.values)
        return AllOf(operands) if isinstance(node.op, ast.And) else AnyOf(operands)

    def unary(self, node: ast.UnaryOp) -> Expression:
        if isinstance(node.op, ast.Not):
            return Not(self.condition(node.operand))
        if not isinstance(node.op, ast.USub):
            raise self.error(node, "this sign is not allowed")
        operand = self.number(node.operand)
        if isinstance(operand, Constant):
            low = -operand.value
            return Constant(self.bounded(node, low, low, _number(operand).places), low)
        return self.arithmetic(node, Operation.SUBTRACT, Constant(NumberType(0, 0), 0), operand)

    def binary(self, node: ast.BinOp) -> Expression:
        operation = _OPERATIONS.get(type(node.op))
        if operation is None:
            raise self.error(node, "of the arithmetic operators, + - and * are allowed")
        return self.arithmetic(node, operation, self.number(node.left), self.number(node.right))

    def arithmetic(
        self, node: ast.expr, operation: Operation, left: Expression, right: Expression
    ) -> Expression:
        if operation is Operation.MULTIPLY:
            places = _number(left).places + _number(right).places
        else:
            left, right = self.aligned(node, left, right)
            places = _number(left).places
        low, high = _interval(operation, _number(left), _number(right))
        return Arithmetic(self.bounded(node, low, high, places), operation, left, right)

    def choice(self, node: ast.IfExp) -> Expression:
        then, otherwise = self.number(node.body), self.number(node.orelse)
        then, otherwise = self.aligned(node, then, otherwise)
        low = min(_number(then).minimum, _number(otherwise).minimum)
        high = max(_number(then).maximum, _number(otherwise).maximum)
        kind = self.bounded(node, low, high, _number(then).places)
        return Choice(kind, self.condition(node.test), then, otherwise)

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
        if relation is None:
            raise self.error(right, "compare with == != < <= > >= or in")
        return self.compared(left, relation, right)

    def compared(self, left: ast.expr, relation: Relation, right: ast.expr) -> Expression:
        first, second = self.part(left), self.part(right)
        if not isinstance(first, _Quoted):
            return self.related(left, first, relation, self.typed(second, first.type, right))
        if not isinstance(second, _Quoted):
            return self.related(left, self.typed(first, second.type, left), relation, second)
        raise self.error(left, "one side of a comparison must be a field")

    def related(
        self, node: ast.expr, first: Expression, relation: Relation, second: Expression
    ) -> Expression:
        match first.type, second.type:
            case NumberType(), NumberType():
                first, second = self.aligned(node, first, second)
            case DateType(), DateType():
                pass
            case (EnumType(), EnumType()) if first.type == second.type:
                if relation not in {Relation.EQ, Relation.NE}:
                    raise self.error(node, "labels have no order; compare them with == or !=")
            case EnumType(), EnumType():
                raise self.error(node, "cannot compare fields with different labels")
            case _:
                names = f"{type_name(first.type)} with {type_name(second.type)}"
                hint = _BOOLEAN_HINT if BOOLEAN in {first.type, second.type} else ""
                raise self.error(node, f"cannot compare {names}", hint=hint)
        if isinstance(first, Constant):
            return Compare(_MIRRORED[relation], second, first)
        return Compare(relation, first, second)

    def membership(self, left: ast.expr, right: ast.expr) -> Expression:
        if isinstance(right, ast.List | ast.Tuple):
            operand = self.part(left)
            if isinstance(operand, _Quoted):
                raise self.error(left, "a field must stand before 'in [...]'")
            if not isinstance(operand.type, EnumType) or not right.elts:
                raise self.error(left, "'in [...]' needs an enum field and at least one label")
            return OneOf(operand, tuple(self.option(item, operand.type) for item in right.elts))
        container = self.part(right)
        label = self.part(left)
        if isinstance(container, _Quoted) or not isinstance(container.type, SetType):
            raise self.error(right, "a set field or a list in brackets must stand after 'in'")
        if not isinstance(label, _Quoted):
            raise self.error(left, "a quoted label must stand before 'in'")
        position = self.encoded(label, EnumType(container.type.values), left)
        return Contains(container, label.text, position)

    def option(self, node: ast.expr, kind: EnumType) -> Constant:
        part = self.part(node)
        if not isinstance(part, _Quoted):
            raise self.error(node, "'in [...]' lists quoted labels")
        return Constant(kind, self.encoded(part, kind, node))

    def call(self, node: ast.Call) -> Expression:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        reader = _FUNCTIONS.get(name)
        if reader is None or node.keywords:
            message = f"no function '{name or ast.unparse(node.func)}'"
            hint = f"functions are {', '.join(_FUNCTIONS)}"
            raise self.error(node, message, code="unknown-function", hint=hint)
        return reader(self, node)

    def present(self, node: ast.Call) -> Expression:
        (argument,) = self.arguments(node, 1)
        if not isinstance(argument, ast.Name) or argument.id not in self.scope.fields:
            raise self.error(node, "present(...) takes the name of a field")
        if argument.id not in self.scope.optional:
            raise self.error(node, f"'{argument.id}' is never missing; it declares no missing word")
        return Presence(argument.id)

    def count(self, node: ast.Call) -> Expression:
        (argument,) = self.arguments(node, 1)
        part = self.part(argument)
        if isinstance(part, _Quoted) or not isinstance(part.type, SetType):
            raise self.error(argument, "count(...) takes a set field")
        return Size(NumberType(0, len(part.type.values)), part)

    def days_between(self, node: ast.Call) -> Expression:
        start, end = (self.date(argument) for argument in self.arguments(node, 2))
        low = _date(end).minimum - _date(start).maximum
        high = _date(end).maximum - _date(start).minimum
        return DaysBetween(NumberType(low, high, unit="days"), start, end)

    def date(self, node: ast.expr) -> Expression:
        part = self.typed(self.part(node), ANY_DAY, node)
        if not isinstance(part.type, DateType):
            raise self.error(node, f"a date is needed here, found {type_name(part.type)}")
        return part

    def arguments(self, node: ast.Call, wanted: int) -> list[ast.expr]:
        if len(node.args) != wanted:
            name = ast.unparse(node.func)
            raise self.error(
                node, f"{name}(...) takes {wanted} argument(s), found {len(node.args)}"
            )
        return node.args

    def number(self, node: ast.expr) -> Expression:
        part = self.part(node)
        if isinstance(part, _Quoted) or not isinstance(part.type, NumberType):
            found = "text" if isinstance(part, _Quoted) else type_name(part.type)
            hint = "days_between(start, end) gives a number" if found == "a date" else ""
            raise self.error(node, f"a number is needed here, found {found}", hint=hint)
        return part

    def typed(self, part: _Part, kind: ValueType, node: ast.expr) -> Expression:
        if not isinstance(part, _Quoted):
            return part
        if isinstance(kind, DateType):
            day = self.encoded(part, ANY_DAY, node)
            return Constant(DateType(day, day), day)
        if isinstance(kind, TextType):
            hint = "declare the field as an enum to compare it"
            raise self.error(node, "a text field cannot be compared", hint=hint)
        if not isinstance(kind, EnumType):
            hint = _BOOLEAN_HINT if isinstance(kind, BooleanType) else ""
            message = f"'{part.text}' is text, but {type_name(kind)} is needed"
            raise self.error(node, message, hint=hint)
        return Constant(kind, self.encoded(part, kind, node))

    def encoded(self, quoted: _Quoted, kind: ValueType, node: ast.expr) -> int:
        try:
            return int(encode(kind, quoted.text))
        except ValueNotAllowedError as cause:
            hint = suggest(quoted.text, list(kind.values)) if isinstance(kind, EnumType) else ""
            raise self.error(node, str(cause), code="unknown-value", hint=hint) from cause

    def fitted(self, value: Expression, target: ValueType, node: ast.expr) -> Expression:
        if not isinstance(value.type, NumberType) or not isinstance(target, NumberType):
            if type(value.type) is not type(target) or isinstance(target, TextType | SetType):
                names = f"{type_name(target)} is needed, found {type_name(value.type)}"
                raise self.error(node, names)
            if isinstance(target, EnumType) and value.type != target:
                raise self.error(node, "cannot use the labels of another field")
            return value
        if value.type.places > target.places:
            raise self.error(node, f"the value has more than {target.places} decimal places")
        value = rescaled(value, target.places)
        low, high = _ends(_number(value))
        if low < target.minimum or high > target.maximum:
            found, declared = _shown(target, (low, high)), _shown(target, _ends(target))
            message = f"the value can be {found}, but {declared} is declared"
            hint = "change the value, or widen min and max of the field"
            raise self.error(node, message, code="out-of-range", hint=hint)
        return value

    def aligned(
        self, node: ast.expr, left: Expression, right: Expression
    ) -> tuple[Expression, Expression]:
        places = max(_number(left).places, _number(right).places)
        pair = rescaled(left, places), rescaled(right, places)
        for item in pair:
            self.bounded(node, _number(item).minimum, _number(item).maximum, places)
        return pair

    def bounded(self, node: ast.expr, low: int, high: int, places: int) -> NumberType:
        if max(abs(low), abs(high)) >= LARGEST:
            raise self.error(node, "the value can pass 2^62", code="interval-too-large")
        return NumberType(low, high, places)

    def source(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.text, node) or ""

    def error(
        self, node: ast.expr, message: str, *, code: str = "type-error", hint: str = ""
    ) -> ExpressionError:
        before = self.text.encode()[: node.col_offset].decode()
        return ExpressionError(code, message, len(before) + 1, hint)


_FUNCTIONS: dict[str, Callable[[_Parser, ast.Call], Expression]] = {
    "present": _Parser.present,
    "count": _Parser.count,
    "days_between": _Parser.days_between,
}

_TYPE_NAMES: dict[type[ValueType], str] = {
    NumberType: "a number",
    BooleanType: "a yes/no value",
    EnumType: "a label",
    SetType: "a set",
    DateType: "a date",
    TextType: "text",
}


def type_name(kind: ValueType) -> str:
    """Return the type as a message names it."""
    return _TYPE_NAMES[type(kind)]


def rescaled(expression: Expression, places: int) -> Expression:
    """Return the number with exactly ``places`` decimal places, at least as many as it has."""
    kind = _number(expression)
    factor = 10 ** (places - kind.places)
    if factor == 1:
        return expression
    scaled = replace(
        kind, minimum=kind.minimum * factor, maximum=kind.maximum * factor, places=places
    )
    if isinstance(expression, Constant):
        return Constant(scaled, expression.value * factor, expression.name)
    return Rescale(scaled, expression, places - kind.places)


def _depth(root: ast.AST) -> int:
    depth, level = 0, [root]
    while level:
        depth += 1
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return depth


def _number(expression: Expression) -> NumberType:
    assert isinstance(expression.type, NumberType)  # noqa: S101 - callers hold a number
    return expression.type


def _date(expression: Expression) -> DateType:
    assert isinstance(expression.type, DateType)  # noqa: S101 - callers hold a date
    return expression.type


def _interval(operation: Operation, left: NumberType, right: NumberType) -> tuple[int, int]:
    match operation:
        case Operation.ADD:
            return left.minimum + right.minimum, left.maximum + right.maximum
        case Operation.SUBTRACT:
            return left.minimum - right.maximum, left.maximum - right.minimum
        case Operation.MULTIPLY:
            ends = [a * b for a in _ends(left) for b in _ends(right)]
            return min(ends), max(ends)


def _ends(kind: NumberType) -> tuple[int, int]:
    return kind.minimum, kind.maximum


def _shown(kind: NumberType, ends: tuple[int, int]) -> str:
    return " to ".join(to_cell(kind, end) for end in dict.fromkeys(ends))
