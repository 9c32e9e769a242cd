"""Sets: which labels two of them share, labels in them, and whether all of one lies in another."""

from __future__ import annotations

import ast

from sopforge.language.domain.expressions.expressions import (
    AllOf,
    Among,
    Choice,
    Combination,
    Constant,
    Contains,
    Expression,
    Relation,
    SetOperation,
    Subset,
)
from sopforge.language.domain.parsing.operands import Operands
from sopforge.language.domain.parsing.typing import Quoted
from sopforge.language.domain.values.types import EnumType, SetType, require_integer

_SAME_LABELS = "give both fields the same values, in the same order"
_IN_HINT = "write kind == 'A', kind in ['A', 'B'], 'A' in extras, or kind in extras"
_QUOTE_HINT = "put each label into quotes: ['A', 'B']"
_OPERATIONS: dict[type[ast.operator], SetOperation] = {
    ast.BitOr: SetOperation.UNION,
    ast.BitAnd: SetOperation.INTERSECTION,
    ast.Sub: SetOperation.DIFFERENCE,
}
_ORDER_HINTS = {
    Relation.EQ: "write a <= b and b <= a",
    Relation.NE: "write not (a <= b and b <= a)",
    Relation.LT: "write a <= b to test that b has every member of a",
    Relation.GT: "write a >= b to test that a has every member of b",
}


class Sets(Operands):
    """Reads sets, fields and written ones, and what is asked of them."""

    def find_set_type(self, node: ast.expr) -> SetType | None:
        """Return the type of the set that a node stands for; None of a written one, and no set."""
        match node:
            case ast.Name(id=name):
                kind = self.scope.fields.get(name)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in self.items:
                kind = self.items[owner].type.find_field_type(name)
            case ast.BinOp(left=first, right=second) | ast.IfExp(body=first, orelse=second):
                return self.find_set_type(first) or self.find_set_type(second)
            case _:
                return None
        return kind if isinstance(kind, SetType) else None

    def is_about_sets(self, *sides: ast.expr) -> bool:
        return any(self.find_set_type(side) is not None for side in sides)

    def parse_set(self, node: ast.expr, kind: SetType) -> Expression:
        """Return a set of the labels of a type: a field, a written one, or one made of others."""
        match node:
            case ast.List():
                return self.parse_written_set(node, kind)
            case ast.BinOp():
                return self.parse_combination(node, kind)
            case ast.IfExp():
                then, otherwise = self.parse_set(node.body, kind), self.parse_set(node.orelse, kind)
                return Choice(kind, self.parse_condition(node.test), then, otherwise)
            case _:
                return self.parse_plain_set(node, kind)

    def parse_plain_set(self, node: ast.expr, kind: SetType) -> Expression:
        part = self.parse_part(node)
        if isinstance(part, Quoted):
            return self.convert_quoted(part, kind, node)  # refused, with what to write
        if not isinstance(part.type, SetType):
            message = f"expected a set here, found {part.type.noun}"
            raise self.make_error(node, message, hint="write a set field, or labels: ['A', 'B']")
        if part.type.values != kind.values:
            message = "cannot combine sets with different labels"
            raise self.make_error(node, message, hint=_SAME_LABELS)
        return part

    def parse_combination(self, node: ast.BinOp, kind: SetType) -> Expression:
        operation = _OPERATIONS.get(type(node.op))
        if operation is None:
            hint = (
                "write a | b for both sets together, a & b for their common members, or a - b"
                " for a without b"
            )
            raise self.make_error(node, "this operator does not combine two sets", hint=hint)
        sides = self.parse_set(node.left, kind), self.parse_set(node.right, kind)
        return Combination(kind, operation, *sides)

    def parse_written_set(self, node: ast.List, kind: SetType) -> Constant:
        """Return the set of the labels that are written in brackets."""
        codes = [self.parse_label(item, kind) for item in node.elts]
        return Constant(kind, sum({1 << code for code in codes}))

    def parse_label(self, node: ast.expr, kind: SetType) -> int:
        part = self.parse_part(node)
        if not isinstance(part, Quoted):
            raise self.make_error(node, "a set in brackets needs quoted labels", hint=_QUOTE_HINT)
        return require_integer(self.encode_quoted(part, EnumType(kind.values), node))

    def parse_set_comparison(
        self, left: ast.expr, relation: Relation, right: ast.expr
    ) -> Expression:
        """Return that all of one set lies in another."""
        kind = self.find_set_type(left) or self.find_set_type(right)
        if kind is None:
            raise self.make_error(left, "one side of a comparison must be a field")
        inner, outer = (left, right) if relation is Relation.LE else (right, left)
        part, whole = self.parse_set(inner, kind), self.parse_set(outer, kind)
        if relation in _ORDER_HINTS:
            message = f"sets can be compared with <= and >=, but not with {relation}"
            raise self.make_error(left, message, hint=_ORDER_HINTS[relation])
        for node, side in ((inner, part), (outer, whole)):
            if isinstance(side, Constant) and not side.value:
                hint = f"write count({self.get_source(outer if node is inner else inner)}) == 0"
                raise self.make_error(node, "the brackets contain no labels", hint=hint)
        return build_inclusion(part, whole, kind)

    def parse_membership(self, left: ast.expr, right: ast.expr) -> Expression:
        """Return that a set has a label, which is written or the value of a field."""
        members, label = self.parse_part(right), self.parse_part(left)
        if isinstance(members, Quoted) or not isinstance(members.type, SetType):
            message = "expected a set field or a list in brackets after 'in'"
            raise self.make_error(right, message, hint=_IN_HINT)
        if isinstance(label, Quoted):
            position = require_integer(
                self.encode_quoted(label, EnumType(members.type.values), left)
            )
            return Contains(members, label.text, position)
        if isinstance(label.type, EnumType) and label.type.values == members.type.values:
            return Among(label, members)
        raise self.make_wrong_member_error(left, label, right)

    def make_wrong_member_error(
        self, left: ast.expr, label: Expression, right: ast.expr
    ) -> Exception:
        """Return why what stands before 'in' is no member of a set, and what is possible."""
        if isinstance(label.type, EnumType):
            message = "the field before 'in' and the set have different labels"
            return self.make_error(left, message, hint=f"{_SAME_LABELS}; or ask: 'A' in field")
        message = "expected a quoted label or an enum field before 'in'"
        hint = "test each label: 'A' in field"
        if isinstance(label.type, SetType):
            hint = f"write {self.get_source(left)} <= {self.get_source(right)} to test every member"
        return self.make_error(left, message, hint=hint)


def build_inclusion(part: Expression, whole: Expression, kind: SetType) -> Expression:
    """Return that all of one set lies in another; of labels that are written, each in its turn."""
    if not isinstance(part, Constant):
        return Subset(part, whole)
    code = require_integer(part.value)
    tests = tuple(
        Contains(whole, label, position)
        for position, label in enumerate(kind.values)
        if code >> position & 1
    )
    return tests[0] if len(tests) == 1 else AllOf(tests)
