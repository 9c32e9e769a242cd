"""Operands: conditions, numbers and quotients, wherever an operator asks for one."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence

from sopforge.language.domain.expressions import numbers
from sopforge.language.domain.expressions.aggregates import Items
from sopforge.language.domain.expressions.expressions import Expression, Missing
from sopforge.language.domain.parsing.text import Scope
from sopforge.language.domain.parsing.typing import Part, Quoted, Types
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    MomentType,
    NumberType,
    SetType,
    TextType,
    ValueType,
)


class Operands(Types, ABC):
    """Offers the operands that an operator needs; which part stands at a node, others say."""

    def __init__(self, text: str, scope: Scope) -> None:
        super().__init__(text, scope)
        self.items: dict[str, Items] = {}
        self.nothing: dict[int, Missing] = {}
        self.wanted: dict[int, ValueType] = {}

    @abstractmethod
    def parse_set(self, node: ast.expr, kind: SetType) -> Expression:
        """Return a set of the labels of a type."""

    def allow_missing(self, nothing: Missing) -> None:
        """Let the whole, and the sides of choices that are the whole, be no value."""
        self.nothing |= {id(node): nothing for node in self.list_results()}

    def allow_type(self, kind: ValueType, part: ast.expr | None = None) -> None:
        """Let the whole or a part, and the sides of choices that are it, be values of a type."""
        self.wanted |= {id(node): kind for node in self.list_results(part)}

    def list_results(self, part: ast.expr | None = None) -> list[ast.expr]:
        """Return the whole or a part, and the sides of choices that are it."""
        found: list[ast.expr] = []
        waiting: list[ast.expr] = [self.root if part is None else part]
        while waiting:
            node = waiting.pop()
            found.append(node)
            if isinstance(node, ast.IfExp):
                waiting += [node.body, node.orelse]
        return found

    @abstractmethod
    def build_choice(
        self, node: ast.expr, condition: Expression, then: Expression, otherwise: Expression
    ) -> Expression:
        """Return one value where a condition holds, else the other."""

    @abstractmethod
    def parse_part(self, node: ast.expr) -> Part:
        """Return what stands at a node: an expression, or a quoted text."""

    def parse_condition(self, node: ast.expr) -> Expression:
        return self.parse_as_type(node, BooleanType, "a condition")

    def parse_number(self, node: ast.expr) -> Expression:
        return self.parse_as_type(node, NumberType, "a number")

    def parse_as_type(self, node: ast.expr, kind: type[ValueType], wanted: str) -> Expression:
        return self.require_type(self.parse_part(node), node, kind, wanted)

    def require_type(
        self, part: Part, node: ast.expr, kind: type[ValueType], wanted: str
    ) -> Expression:
        """Return what stands at a node, which must be of a type."""
        if isinstance(part, Quoted) and issubclass(kind, MomentType):
            part = self.convert_quoted(part, kind.get_widest(), node)
        if isinstance(part, Quoted) or not isinstance(part.type, kind):
            found = TextType if isinstance(part, Quoted) else type(part.type)
            message = f"expected {wanted} here, found {found.noun}"
            hints = {NumberType: found.number_hint, BooleanType: found.condition_hint}
            hint = found.moment_hint if issubclass(kind, MomentType) else hints.get(kind, "")
            raise self.make_error(node, message, hint=hint)
        return part

    def parse_ranked(self, nodes: Sequence[ast.expr]) -> list[Expression]:
        """Return numbers, or labels of one order: one of them is the least or the greatest."""
        parts = [self.parse_part(node) for node in nodes]
        kinds = [part.type for part in parts if not isinstance(part, Quoted)]
        kind = next((kind for kind in kinds if isinstance(kind, EnumType)), None)
        found = []
        for part, node in zip(parts, nodes, strict=True):
            if kind is None:
                found.append(self.require_type(part, node, NumberType, "a number"))
                continue
            self.require_order(kind, node)
            label = self.convert_quoted(part, kind, node)
            found.append(self.require_type(label, node, EnumType, "a label"))
            self.require_same_labels(kind, label.type, node)
        return found

    def parse_fraction(self, node: ast.expr) -> tuple[Expression, Expression | None]:
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
            return self.parse_number(node), None
        divisor = self.parse_number(node.right)
        self.apply_type_rule(node.right, lambda: numbers.require_positive(divisor))
        return self.parse_number(node.left), divisor


def has_open_division(node: ast.expr) -> bool:
    """Return whether a quotient is written at a node, or is one of the values to choose from."""
    match node:
        case ast.BinOp(op=ast.Div()):
            return True
        case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_] as args, keywords=[]):
            return any(map(has_open_division, args))
        case ast.IfExp():
            return has_open_division(node.body) or has_open_division(node.orelse)
        case _:
            return False


def has_power(node: ast.expr) -> bool:
    """Return whether a power is written somewhere in what stands at a node."""
    return any(isinstance(part, ast.Pow) for part in ast.walk(node))


def is_division(node: ast.expr) -> bool:
    """Return whether a quotient is written at a node."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
