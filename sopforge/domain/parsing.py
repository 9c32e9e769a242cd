"""Expressions as text become typed trees: Python syntax read with ``ast``, never evaluated.

Only the syntax that ``_Parser`` names is allowed. Numbers of different places are brought to one
scale here, divisions in comparisons are multiplied out, and every number gets its interval, so
that the readings have nothing left to decide.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from sopforge.domain import numbers
from sopforge.domain.expressions import (
    AllOf,
    AnyOf,
    Choice,
    Compare,
    Constant,
    Contains,
    Element,
    Expression,
    Not,
    OneOf,
    Operation,
    Presence,
    Read,
    Relation,
)
from sopforge.domain.folds import FOLDS, Items, build_fold
from sopforge.domain.numbers import TypeRuleError, number_type, rescaled
from sopforge.domain.operators import (
    FUNCTIONS,
    Argument,
    Calendar,
    Function,
    Kind,
)
from sopforge.domain.patterns import read_pattern
from sopforge.domain.schema import suggest
from sopforge.domain.slips import (
    Slip,
    find_date,
    find_slip,
    find_split_name,
    hint_at_function,
    hint_at_name,
    is_missing_word,
)
from sopforge.domain.types import (
    ANY_DAY,
    ANY_MINUTE,
    BOOLEAN,
    AtomType,
    BooleanType,
    DateTimeType,
    DateType,
    EnumType,
    ListType,
    NumberType,
    SetType,
    TextType,
    ValueNotAllowedError,
    ValueType,
    encode,
    scale,
    to_cell,
    whole,
)

MAXIMUM_LENGTH = 4_000
MAXIMUM_DEPTH = 100
MAXIMUM_PLACES = 6
_ALLOWED = (
    "allowed: names, numbers, quoted labels, and or not, == != < <= > >= in, + - *, a if b else c"
)
_BOOLEAN_HINT = "write a yes/no field alone, or with 'not' before it"
_DIVISION_HINT = "divide inside round(a / b, places) or in a comparison"
_FREE_TEXT_HINT = "make a fact in it a field of its own"
_TIME_HINTS: Mapping[type[ValueType], str] = {
    DateType: "days_between(start, end) gives a number, add_days(date, 1) a date",
    DateTimeType: "minutes_between(start, end) gives a number, date_of(time) a date",
}
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
_OPERATOR_HINTS: Mapping[type[ast.operator], str] = {
    ast.BitAnd: "write 'and' between conditions",
    ast.BitOr: "write 'or' between conditions",
    ast.Pow: "write a product: a * a",
    ast.BitXor: "write a product: a * a",
    ast.Mod: "write a percentage as round(amount * 10 / 100, 2)",
}
_CONDITION_HINTS: Mapping[type[ValueType], str] = {
    TextType: "compare a field with it: status == 'A', or status in ['A', 'B']",
    EnumType: "compare it: status == 'A', or status in ['A', 'B']",
    NumberType: "compare it with a number or a policy constant, by == != < <= > or >=",
    DateType: "compare it with another date, or write present(field)",
    DateTimeType: "compare it with another date and time, or write present(field)",
    SetType: "write 'A' in field, or count(field) > 0",
}
_FOLD_HINT = "write: sum(i.amount for i in items if i.kind == 'A')"
_EQUALITY = frozenset({Relation.EQ, Relation.NE})
_OPERATIONS: dict[type[ast.operator], Operation] = {
    ast.Add: Operation.ADD,
    ast.Sub: Operation.SUBTRACT,
    ast.Mult: Operation.MULTIPLY,
}
_KINDS: dict[Kind, type[ValueType]] = {
    Kind.NUMBER: NumberType,
    Kind.WHOLE: NumberType,
    Kind.DATE: DateType,
    Kind.DATE_TIME: DateTimeType,
    Kind.SET: SetType,
}
Built = TypeVar("Built")


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
    calendars: Mapping[str, Calendar] = field(default_factory=dict)


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
        self.items: dict[str, Items] = {}
        self.text = text.strip().replace("\n", " ")
        if len(text) > MAXIMUM_LENGTH:
            message = f"the expression has {len(text)} characters; at most {MAXIMUM_LENGTH}"
            raise ExpressionError("expression-too-long", message, 1, "split it into decisions")
        self.refuse_slip(find_date(self.text))
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
            self.refuse_slip(find_split_name(self.text, self.known()))
            self.refuse_slip(find_slip(self.text))
            column = cause.offset or len(self.text) + 1
            rest = self.text[column - 1 : column + 19]
            message = f"'{rest}' cannot stand here" if rest else "there is no expression here"
            raise ExpressionError("syntax-error", message, column, _ALLOWED) from cause
        except (RecursionError, MemoryError, ValueError) as cause:
            message = "this is no expression, or one with too many signs inside each other"
            raise ExpressionError("syntax-error", message, 1, _ALLOWED) from cause

    def refuse_slip(self, slip: Slip | None) -> None:
        if slip is not None:
            raise ExpressionError("syntax-error", slip.message, slip.place + 1, slip.hint)

    # what may stand where

    def part(self, node: ast.expr) -> _Part:
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
                hint = "write 'and' or 'or', and numbers as 1000" if is_listing else _ALLOWED
                message = f"'{self.source(node)}' is not allowed in an expression"
                raise self.error(node, message, code="not-allowed", hint=hint)

    def condition(self, node: ast.expr) -> Expression:
        return self.of_type(node, BooleanType, "a condition")

    def number(self, node: ast.expr) -> Expression:
        return self.of_type(node, NumberType, "a number")

    def of_type(self, node: ast.expr, kind: type[ValueType], wanted: str) -> Expression:
        part = self.part(node)
        if isinstance(part, _Quoted) and kind in {DateType, DateTimeType}:
            part = self.typed(part, ANY_DAY if kind is DateType else ANY_MINUTE, node)
        if isinstance(part, _Quoted) or not isinstance(part.type, kind):
            found = TextType if isinstance(part, _Quoted) else type(part.type)
            message = f"{wanted} is needed here, found {_TYPE_NAMES[found]}"
            hints: Mapping[type[ValueType], Mapping[type[ValueType], str]] = {
                NumberType: _TIME_HINTS,
                BooleanType: _CONDITION_HINTS,
            }
            hint = hints.get(kind, {}).get(found, "")
            raise self.error(node, message, hint=hint)
        return part

    # names and literals

    def literal(self, node: ast.Constant) -> _Part:
        value = node.value
        if isinstance(value, str):
            return _Quoted(value)
        if isinstance(value, bool):
            raise self.error(node, f"the literal {value!r} is not allowed", hint=_BOOLEAN_HINT)
        if not isinstance(value, int | float):
            hint = hint_at_name("none") if value is None else _ALLOWED
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

    def known(self) -> list[str]:
        return [*self.scope.fields, *self.scope.constants]

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
            hint = f"write {node.attr} alone" if node.attr in self.known() else _ALLOWED
            raise self.error(node, message, code="not-allowed", hint=hint)
        kind = items.type.field(node.attr)
        if kind is None:
            known = [name for name, _ in items.type.fields]
            message = f"items of '{items.name}' have no field '{node.attr}'"
            hint = suggest(node.attr, known) or self.hint_at_items(owner)
            raise self.error(node, message, code="unknown-field", hint=hint)
        return Element(kind, items.name, node.attr)

    # operators

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
        if isinstance(then, _Quoted) and not isinstance(otherwise, _Quoted):
            then = self.typed(then, otherwise.type, node.body)
        if isinstance(otherwise, _Quoted) and not isinstance(then, _Quoted):
            otherwise = self.typed(otherwise, then.type, node.orelse)
        if isinstance(then, _Quoted) or isinstance(otherwise, _Quoted):
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
                hint = _BOOLEAN_HINT
            raise self.error(right, "'is' compares nothing here", hint=hint)
        if _is_division(left) or _is_division(right):
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

    def fraction(self, node: ast.expr) -> tuple[Expression, Expression | None]:
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
            return self.number(node), None
        divisor = self.number(node.right)
        self.ruled(node.right, lambda: numbers.positive(divisor))
        return self.number(node.left), divisor

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
        kinds = first.type, second.type
        match kinds:
            case NumberType(), NumberType():
                first, second = self.ruled(node, lambda: numbers.aligned((first, second)))
            case (DateType(), DateType()) | (DateTimeType(), DateTimeType()):
                pass
            case (TextType(is_free=True), _) | (_, TextType(is_free=True)):
                raise self.error(node, "free text cannot be compared", hint=_FREE_TEXT_HINT)
            case (EnumType(), EnumType()) | (TextType(), TextType()):
                self.equality(node, first.type, relation, second.type)
            case _:
                names = f"{type_name(first.type)} with {type_name(second.type)}"
                hint = _BOOLEAN_HINT if BOOLEAN in kinds else ""
                raise self.error(node, f"cannot compare {names}", hint=hint)
        if isinstance(first, Constant):
            return Compare(_MIRRORED[relation], second, first)
        return Compare(relation, first, second)

    def equality(
        self, node: ast.expr, first: ValueType, relation: Relation, second: ValueType
    ) -> None:
        if relation not in _EQUALITY:
            what = "texts" if isinstance(first, TextType) else "labels"
            raise self.error(node, f"{what} have no order; compare them with == or !=")
        if isinstance(first, EnumType) and first != second:
            raise self.error(node, "cannot compare fields with different labels")

    def membership(self, left: ast.expr, right: ast.expr) -> Expression:
        if isinstance(right, ast.List | ast.Tuple):
            return self.listed(left, right.elts)
        container, label = self.part(right), self.part(left)
        if isinstance(container, _Quoted) or not isinstance(container.type, SetType):
            message = "a set field or a list in brackets must stand after 'in'"
            raise self.error(right, message, hint="write kind == 'A', or kind in ['A', 'B']")
        if not isinstance(label, _Quoted):
            message, hint = "a quoted label must stand before 'in'", "ask for each: 'A' in field"
            raise self.error(left, message, hint=hint)
        constant = self.typed(label, EnumType(container.type.values), left)
        position = whole(constant.value) if isinstance(constant, Constant) else 0
        return Contains(container, label.text, position)

    def listed(self, left: ast.expr, items: Sequence[ast.expr]) -> Expression:
        operand = self.part(left)
        if isinstance(operand, _Quoted):
            raise self.error(left, "a field must stand before 'in [...]'")
        if not isinstance(operand.type, EnumType | TextType) or not items:
            message = "'in [...]' needs an enum or text field and at least one label"
            raise self.error(left, message)
        return OneOf(operand, tuple(self.option(item, operand.type) for item in items))

    def option(self, node: ast.expr, kind: EnumType | TextType) -> Constant:
        part = self.part(node)
        constant = self.typed(part, kind, node) if isinstance(part, _Quoted) else None
        if not isinstance(constant, Constant):
            raise self.error(node, "'in [...]' lists quoted labels")
        return constant

    # functions

    def call(self, node: ast.Call) -> Expression:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        first = node.args[0] if node.args else None
        if isinstance(first, ast.GeneratorExp) and name in FOLDS:
            return self.fold(node, name, first)
        if name not in _function_names():
            message = f"no function '{name or ast.unparse(node.func)}'"
            known = _function_names()
            hint = hint_at_function(name) or suggest(name, known)
            hint = hint or f"functions are {', '.join(known)}"
            raise self.error(node, message, code="unknown-function", hint=hint)
        if node.keywords:
            raise self.error(node, f"{name}(...) takes no named arguments here")
        if name == "present":
            return self.present(node)
        if name == "round":
            return self.rounded(node)
        if name not in FUNCTIONS:
            hint = f"write {name}(i.amount for i in items)"
            raise self.error(node, f"{name}(...) takes the items of a list", hint=hint)
        return self.applied(node, name, FUNCTIONS[name])

    def applied(self, node: ast.Call, name: str, function: Function) -> Expression:
        kinds = function.parameters
        if len(node.args) != len(kinds) and not function.is_variadic:
            raise self.error(node, _takes(name, len(kinds), len(node.args)))
        if len(node.args) < len(kinds):
            raise self.error(node, f"{name}(...) takes at least {len(kinds)} arguments")
        kinds = kinds + kinds[-1:] * (len(node.args) - len(kinds))
        pairs = zip(node.args, kinds, strict=True)
        given = [self.argument(argument, kind) for argument, kind in pairs]
        return self.ruled(node, lambda: function.build(*given))

    def argument(self, node: ast.expr, kind: Kind) -> Argument:
        if kind is Kind.CALENDAR:
            return self.calendar(node)
        part = self.of_type(node, _KINDS[kind], kind.value)
        if kind is Kind.WHOLE and number_type(part).places:
            raise self.error(node, "a whole number is needed here")
        return part

    def calendar(self, node: ast.expr) -> Calendar:
        name = node.id if isinstance(node, ast.Name) else ""
        if name not in self.scope.calendars:
            known = ", ".join(self.scope.calendars) or "none"
            message = f"no calendar '{self.source(node)}'; calendars are {known}"
            hint = suggest(name, list(self.scope.calendars))
            raise self.error(node, message, code="unknown-calendar", hint=hint)
        return self.scope.calendars[name]

    def present(self, node: ast.Call) -> Expression:
        name = node.args[0].id if len(node.args) == 1 and isinstance(node.args[0], ast.Name) else ""
        if name not in self.scope.fields:
            hint = suggest(name, list(self.scope.fields))
            raise self.error(node, "present(...) takes the name of a field", hint=hint)
        if name not in self.scope.optional:
            raise self.error(node, f"'{name}' is never missing; it declares no missing word")
        return Presence(name)

    def rounded(self, node: ast.Call) -> Expression:
        if len(node.args) != 2:  # noqa: PLR2004 - value and places
            raise self.error(node, _takes("round", 2, len(node.args)))
        value, places = node.args[0], self.written(node.args[1])
        if _is_division(value):
            dividend, divisor = self.fraction(value)
        else:
            dividend, divisor = self.number(value), None
        by = numbers.constant(1) if divisor is None else divisor
        return self.ruled(node, lambda: numbers.quotient(dividend, by, places))

    def written(self, node: ast.expr) -> int:
        """Return a number of decimal places, which must be written out."""
        value = node.value if isinstance(node, ast.Constant) else None
        if type(value) is not int or not 0 <= value <= MAXIMUM_PLACES:
            raise self.error(node, f"a number from 0 to {MAXIMUM_PLACES} must be written here")
        return value

    def fold(self, node: ast.Call, name: str, generator: ast.GeneratorExp) -> Expression:
        if self.items:
            hint = "decide the inner one as a field of its own"
            raise self.error(node, "a fold cannot stand inside another one", hint=hint)
        if len(node.args) > 1:
            raise self.error(node, f"{name}(...) takes the items of one list and nothing besides")
        items = self.generator(generator)
        (clause,) = generator.generators
        variable = clause.target.id if isinstance(clause.target, ast.Name) else ""
        self.items[variable] = items
        tests = tuple(self.condition(test) for test in clause.ifs)
        is_count = isinstance(generator.elt, ast.Name) and generator.elt.id == variable
        value = None if is_count else self.part(generator.elt)
        del self.items[variable]
        if isinstance(value, _Quoted):
            raise self.error(generator.elt, "a field of the item must stand here")
        where = None if not tests else tests[0] if len(tests) == 1 else AllOf(tests)
        options = self.options(node)
        return self.ruled(node, lambda: build_fold(name, items, where, value, options))

    def generator(self, node: ast.GeneratorExp) -> Items:
        clause = node.generators[0]
        name = clause.iter.id if isinstance(clause.iter, ast.Name) else ""
        kind = self.scope.fields.get(name)
        is_simple = len(node.generators) == 1 and not clause.is_async
        if not is_simple or not isinstance(clause.target, ast.Name):
            raise self.error(node, "items are taken from one list field", hint=_FOLD_HINT)
        if not isinstance(kind, ListType):
            lists = [key for key, other in self.scope.fields.items() if isinstance(other, ListType)]
            hint = suggest(name, lists) or f"lists are {', '.join(lists) or 'none'}"
            message = f"'{self.source(clause.iter)}' is no list field"
            raise self.error(clause.iter, message, hint=hint)
        if clause.target.id in {*self.scope.fields, *self.scope.constants}:
            message = f"'{clause.target.id}' is already a field or a policy constant"
            raise self.error(clause.target, message, hint="call the item otherwise, such as i")
        return Items(name, kind)

    def hint_at_items(self, variable: str) -> str:
        items = self.items.get(variable)
        fields = [] if items is None else [f"{variable}.{part}" for part, _ in items.type.fields]
        return f"items have {', '.join(fields)}" if fields else ""

    def options(self, node: ast.Call) -> dict[str, Expression | int]:
        found: dict[str, Expression | int] = {}
        for keyword in node.keywords:
            if keyword.arg == "places":
                found["places"] = self.written(keyword.value)
            elif keyword.arg == "default":
                found["default"] = self.number(keyword.value)
            else:
                message = f"'{keyword.arg}' is no option; options are default and places"
                raise self.error(keyword.value, message)
        return found

    # types

    def typed(self, part: _Part, kind: ValueType, node: ast.expr) -> Expression:
        """Return a quoted literal as a constant of its neighbour's type, others as they are."""
        if not isinstance(part, _Quoted):
            return part
        match kind:
            case DateType():
                day = whole(self.encoded(part, ANY_DAY, node))
                return Constant(DateType(day, day), day)
            case DateTimeType():
                minute = whole(self.encoded(part, ANY_MINUTE, node))
                return Constant(DateTimeType(minute, minute), minute)
            case TextType():
                return self.text_constant(part, kind, node)
            case EnumType():
                return Constant(kind, self.encoded(part, kind, node))
            case _:
                hints = {BooleanType: _BOOLEAN_HINT, SetType: f"write: '{part.text}' in field"}
                hint = hints.get(type(kind), "")
                if isinstance(kind, NumberType):
                    hint = "write a number without quotes, or compare a field of labels"
                message = f"'{part.text}' is text, but {type_name(kind)} is needed"
                raise self.error(node, message, hint=hint)

    def text_constant(self, quoted: _Quoted, kind: TextType, node: ast.expr) -> Constant:
        if kind.is_free:
            raise self.error(node, "free text cannot be compared", hint=_FREE_TEXT_HINT)
        if kind.pattern and not read_pattern(kind.pattern).has(quoted.text):
            message = f"'{quoted.text}' is not of the pattern {kind.pattern}"
            raise self.error(node, message, code="unknown-value")
        if kind.pool and quoted.text not in kind.pool:
            hint = suggest(quoted.text, list(kind.pool))
            message = f"'{quoted.text}' is not one of: {', '.join(kind.pool)}"
            raise self.error(node, message, code="unknown-value", hint=hint)
        return Constant(kind, quoted.text)

    def encoded(self, quoted: _Quoted, kind: AtomType, node: ast.expr) -> int | str:
        try:
            value = encode(kind, quoted.text)
        except ValueNotAllowedError as cause:
            hint = suggest(quoted.text, list(kind.values)) if isinstance(kind, EnumType) else ""
            raise self.error(node, str(cause), code="unknown-value", hint=hint) from cause
        return value if isinstance(value, str) else whole(value)

    def fitted(self, value: Expression, target: ValueType, node: ast.expr) -> Expression:
        if isinstance(value.type, NumberType) and isinstance(target, NumberType):
            return self.within(value, target, node)
        if type(value.type) is not type(target) or isinstance(target, SetType | ListType):
            names = f"{type_name(target)} is needed, found {type_name(value.type)}"
            hint = "decide it by rules" if isinstance(target, EnumType) else ""
            raise self.error(node, names, hint=hint)
        if isinstance(target, EnumType) and value.type != target:
            raise self.error(node, "cannot use the labels of another field")
        if isinstance(target, DateType | DateTimeType):
            self.refuse_outside(value.type, target, node)
        return value

    def within(self, value: Expression, target: NumberType, node: ast.expr) -> Expression:
        if number_type(value).places > target.places:
            hint = f"write round(..., {target.places}) around it"
            message = f"the value has more than {target.places} decimal places"
            raise self.error(node, message, hint=hint)
        scaled = self.ruled(node, lambda: rescaled(value, target.places))
        self.refuse_outside(scaled.type, target, node)
        return scaled

    def refuse_outside(self, kind: ValueType, target: ValueType, node: ast.expr) -> None:
        found, declared = _ends(kind), _ends(target)
        if found[0] < declared[0] or found[1] > declared[1]:
            ranges = [
                " to ".join(dict.fromkeys(to_cell(target, end) for end in ends))
                for ends in (found, declared)
            ]
            message = f"the value can be {ranges[0]}, but {ranges[1]} is declared"
            hint = "change the value, or widen min and max of the field"
            raise self.error(node, message, code="out-of-range", hint=hint)

    # places

    def ruled(self, node: ast.expr, build: Callable[[], Built]) -> Built:
        """Return what a type rule builds; its refusal is told at the node's column."""
        try:
            return build()
        except TypeRuleError as cause:
            raise self.error(node, str(cause), code=cause.code, hint=cause.hint) from cause

    def source(self, node: ast.expr) -> str:
        return ast.get_source_segment(self.text, node) or ""

    def error(
        self, node: ast.expr, message: str, *, code: str = "type-error", hint: str = ""
    ) -> ExpressionError:
        before = self.text.encode()[: node.col_offset].decode()
        return ExpressionError(code, message, len(before) + 1, hint)


_TYPE_NAMES: dict[type[ValueType], str] = {
    NumberType: "a number",
    BooleanType: "a yes/no value",
    EnumType: "a label",
    SetType: "a set",
    DateType: "a date",
    DateTimeType: "a date and time",
    TextType: "text",
    ListType: "a list",
}


def type_name(kind: ValueType) -> str:
    """Return the type as a message names it."""
    return _TYPE_NAMES[type(kind)]


def _ends(kind: ValueType) -> tuple[int, int]:
    if isinstance(kind, NumberType | DateType | DateTimeType):
        return kind.minimum, kind.maximum
    raise TypeError(f"{kind!r} has no ends")


def _unlike(first: ValueType, second: ValueType) -> str:
    """Say why a choice cannot give these two."""
    if isinstance(first, EnumType) and isinstance(second, EnumType):
        return "both sides of a choice must have the same labels"
    if type(first) is type(second):
        return f"a choice cannot give {type_name(first)}"
    return f"both sides of a choice must be alike, found {type_name(first)} and {type_name(second)}"


def _is_division(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)


def _function_names() -> list[str]:
    return sorted({*FUNCTIONS, *FOLDS, "present", "round"})


def _takes(name: str, wanted: int, found: int) -> str:
    return f"{name}(...) takes {wanted} argument{'s' * (wanted != 1)}, found {found}"


def _depth(node: ast.AST) -> int:
    """Return how deep a tree goes, without recursion; it stops a little beyond what is allowed."""
    deepest, waiting = 0, [(node, 1)]
    while waiting and deepest <= MAXIMUM_DEPTH:
        inner, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((child, level + 1) for child in ast.iter_child_nodes(inner))
    return deepest
