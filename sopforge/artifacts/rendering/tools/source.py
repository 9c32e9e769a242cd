"""Expressions as the source that stands in a tools module: few brackets, days by their dates."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from sopforge.language.domain.expressions.algebra import interpret
from sopforge.language.domain.expressions.expressions import (
    Aggregate,
    AggregateFunction,
    Constant,
    Expression,
    Lookup,
    Missing,
    Read,
    iterate_parts,
)
from sopforge.language.domain.values.types import (
    EnumType,
    MomentType,
    require_integer,
)
from sopforge.language.logic.readings.python_source import PythonSource

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
}


@dataclass(frozen=True, slots=True)
class ToolSource(PythonSource):
    """Source in which a day or time that a rule names is a constant of the module."""

    def visit_constant(self, node: Constant) -> str:
        if node.name not in self.policy and isinstance(node.type, MomentType):
            return node.type.name_constant(require_integer(node.value))
        return PythonSource.visit_constant(self, node)

    def visit_aggregate(self, node: Aggregate) -> str:
        if node.function is AggregateFunction.COUNT and node.where is None:
            return f"len({node.list})"
        return PythonSource.visit_aggregate(self, node)


@dataclass(frozen=True, slots=True)
class ValueTable:
    """A decision that looks one value up: the table as a literal, and the fields to look up by."""

    literal: str
    keys: tuple[str, ...]


def render_tool_source(source: ToolSource, expression: Expression) -> str:
    """Return an expression as source without needless brackets."""
    return _tidy(interpret(expression, source))


def render_negated_source(source: ToolSource, expression: Expression) -> str:
    """Return the source of the opposite of a condition."""
    return _tidy(f"not {interpret(expression, source)}")


def collect_moments(expressions: Iterable[Expression]) -> dict[str, tuple[MomentType, int]]:
    """Return the constants that stand for the days and times that rules name, by their names."""
    found: dict[str, tuple[MomentType, int]] = {}
    for node in iterate_parts(*expressions):
        if isinstance(node, Constant) and isinstance(node.type, MomentType):
            value = require_integer(node.value)
            found[node.type.name_constant(value)] = node.type, value
    # By name, whatever order the rules name them in.
    return dict(sorted(found.items()))


def build_value_table(source: ToolSource, expression: Expression) -> ValueTable | None:
    """Return an expression that only looks up as a table, None for any other."""
    if not isinstance(expression, Lookup) or not isinstance(expression.key, Read):
        return None
    if not isinstance(expression.key.type, EnumType):
        return None
    inner = [_build_entry(source, entry) for entry in expression.entries]
    found = [entry for entry in inner if entry is not None]
    if len(found) < len(inner) or len({entry.keys for entry in found}) != 1:
        return None
    pairs = zip(expression.key.type.values, found, strict=True)
    literal = ", ".join(f"{label!r}: {entry.literal}" for label, entry in pairs)
    return ValueTable(f"{{{literal}}}", (expression.key.field, *found[0].keys))


def _build_entry(source: ToolSource, expression: Expression) -> ValueTable | None:
    if isinstance(expression, Constant):
        return ValueTable(source.visit_constant(expression), ())
    if isinstance(expression, Missing):
        return ValueTable(source.visit_missing(expression), ())
    return build_value_table(source, expression)


def _tidy(source: str) -> str:
    return _without_double_brackets(ast.unparse(_Tidying().visit(ast.parse(source, mode="eval"))))


def _without_double_brackets(source: str) -> str:
    """Take the brackets off a generator that is all that a call is given."""
    # ast.unparse writes sum((...)) for a generator that was given without its own brackets.
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    given = [node.args[0] for node in calls if len(node.args) == 1 and not node.keywords]
    # Columns of the tree count bytes of UTF-8.
    plain = source.encode()
    places = [
        place
        for node in given
        if isinstance(node, ast.GeneratorExp) and plain[node.col_offset - 1 :][:2] == b"(("
        for place in (node.col_offset, (node.end_col_offset or 0) - 1)
    ]
    return bytes(letter for at, letter in enumerate(plain) if at not in places).decode()


class _Tidying(ast.NodeTransformer):
    """Turns negated comparisons round, and comparisons with a constant on the left."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.Not(), ast.Compare(left, [relation], right)):
                return ast.Compare(left, [_OPPOSITES[type(relation)]()], right)
            case ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), operand)):
                return operand
            case _:
                return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(
                left, [ast.Eq() | ast.NotEq() as relation], [ast.Constant(bool(value))]
            ):
                is_same = value == isinstance(relation, ast.Eq)
                return left if is_same else ast.UnaryOp(ast.Not(), left)
            case ast.Compare(left, [relation], [right]) if (
                _is_constant(left) and not _is_constant(right) and type(relation) in _MIRRORED
            ):
                return ast.Compare(right, [_MIRRORED[type(relation)]()], [left])
            case _:
                return node


def _is_constant(node: ast.expr) -> bool:
    match node:
        case ast.Constant() | ast.UnaryOp(ast.USub(), ast.Constant()):
            return True
        case ast.Name(id=name):
            return name.isupper()
        case _:
            return False
