"""What an expression means, worked out from its text alone: the judge of all readings.

It shares no code with SOPForge. Numbers are fractions, dates are calendar days, labels are text,
sets are frozen sets, and a missing value is None, which may be asked about but never read.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from datetime import date
from fractions import Fraction
from typing import TypeAlias

Natural: TypeAlias = Fraction | bool | str | date | frozenset[str]
Row: TypeAlias = Mapping[str, Natural | None]

_RELATIONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "__eq__",
    ast.NotEq: "__ne__",
    ast.Lt: "__lt__",
    ast.LtE: "__le__",
    ast.Gt: "__gt__",
    ast.GtE: "__ge__",
}
_OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def evaluate(text: str, row: Row) -> Natural:
    """Return the value of an expression on a row; reading a missing value is an error."""
    return _Reference(text, row).value(ast.parse(text, mode="eval").body)


class _Reference:
    def __init__(self, text: str, row: Row) -> None:
        self.text = text
        self.row = row

    def value(self, node: ast.expr) -> Natural:
        reader: Callable[[ast.expr], Natural] = getattr(self, f"of_{type(node).__name__.lower()}")
        return reader(node)

    def number(self, node: ast.expr) -> Fraction:
        found = self.value(node)
        assert isinstance(found, Fraction)
        return found

    def truth(self, node: ast.expr) -> bool:
        found = self.value(node)
        assert isinstance(found, bool)
        return found

    def day(self, node: ast.expr) -> date:
        found = self.value(node)
        assert isinstance(found, date | str)
        return date.fromisoformat(found) if isinstance(found, str) else found

    def of_constant(self, node: ast.Constant) -> Natural:
        if isinstance(node.value, str):
            return node.value
        return Fraction(str(ast.get_source_segment(self.text, node)))

    def of_name(self, node: ast.Name) -> Natural:
        found = self.row[node.id]
        assert found is not None, f"{node.id} is missing and was read"
        return found

    def of_unaryop(self, node: ast.UnaryOp) -> Natural:
        if isinstance(node.op, ast.Not):
            return not self.truth(node.operand)
        return -self.number(node.operand)

    def of_binop(self, node: ast.BinOp) -> Natural:
        return _OPERATIONS[type(node.op)](self.number(node.left), self.number(node.right))

    def of_boolop(self, node: ast.BoolOp) -> Natural:
        decisive = isinstance(node.op, ast.Or)
        for operand in node.values:
            if self.truth(operand) is decisive:
                return decisive
        return not decisive

    def of_ifexp(self, node: ast.IfExp) -> Natural:
        return self.value(node.body) if self.truth(node.test) else self.value(node.orelse)

    def of_compare(self, node: ast.Compare) -> Natural:
        sides = [node.left, *node.comparators]
        links = zip(sides, node.ops, sides[1:], strict=False)
        return all(self.related(left, relation, right) for left, relation, right in links)

    def related(self, left: ast.expr, relation: ast.cmpop, right: ast.expr) -> bool:
        if isinstance(relation, ast.In | ast.NotIn):
            return self.is_among(left, right) is isinstance(relation, ast.In)
        first, second = self.value(left), self.value(right)
        if isinstance(first, date) or isinstance(second, date):
            first, second = self.day(left), self.day(right)
        outcome = getattr(first, _RELATIONS[type(relation)])(second)
        assert isinstance(outcome, bool), f"{first!r} and {second!r} do not compare"
        return outcome

    def is_among(self, left: ast.expr, right: ast.expr) -> bool:
        if isinstance(right, ast.List | ast.Tuple):
            return any(self.value(left) == self.value(item) for item in right.elts)
        container = self.value(right)
        assert isinstance(container, frozenset)
        return self.value(left) in container

    def of_call(self, node: ast.Call) -> Natural:
        assert isinstance(node.func, ast.Name)
        reader: Callable[[list[ast.expr]], Natural] = getattr(self, f"call_{node.func.id}")
        return reader(node.args)

    def call_present(self, arguments: list[ast.expr]) -> Natural:
        (name,) = arguments
        assert isinstance(name, ast.Name)
        return self.row[name.id] is not None

    def call_count(self, arguments: list[ast.expr]) -> Natural:
        (name,) = arguments
        found = self.value(name)
        assert isinstance(found, frozenset)
        return Fraction(len(found))

    def call_days_between(self, arguments: list[ast.expr]) -> Natural:
        start, end = (self.day(argument) for argument in arguments)
        return Fraction((end - start).days)
