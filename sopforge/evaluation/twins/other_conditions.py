"""Conditions near another one: a part of it dropped, a limit moved, a comparison turned around."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from typing import TypeAlias

Other: TypeAlias = tuple[str, str, bool]
"""A condition, in what words it differs, and whether that is odd."""

_BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
}
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def iterate_other_conditions(text: object) -> Iterator[Other]:
    """Yield the conditions near one, as the brief writes them; none where there is none."""
    if not isinstance(text, str):
        return
    tree = ast.parse(text, mode="eval").body
    for number, node in enumerate(ast.walk(tree)):
        match node:
            case ast.BoolOp():
                yield from _drop_parts(tree, number, node)
            case ast.Compare(ops=[op]):
                yield from _change_comparison(tree, number, type(op))
            case _:
                pass


def _drop_parts(tree: ast.expr, number: int, node: ast.BoolOp) -> Iterator[Other]:
    joint = "and" if isinstance(node.op, ast.And) else "or"
    for place, part in enumerate(node.values):
        changed, found = _copy(tree, number)
        if isinstance(found, ast.BoolOp):
            del found.values[place]
            yield _write(changed), f"without '{joint} {ast.unparse(part)}'", False


def _change_comparison(tree: ast.expr, number: int, op: type[ast.cmpop]) -> Iterator[Other]:
    for table, is_odd in ((_BOUNDARY, False), (_TURNED, True)):
        if op in table:
            changed, found = _copy(tree, number)
            if isinstance(found, ast.Compare):
                before = ast.unparse(found)
                found.ops = [table[op]()]
                yield _write(changed), f"'{ast.unparse(found)}', not '{before}'", is_odd


def _copy(tree: ast.expr, number: int) -> tuple[ast.expr, ast.AST]:
    """Return a tree again, with its part of a number, which may be changed."""
    copied = deepcopy(tree)
    return copied, list(ast.walk(copied))[number]


def _write(tree: ast.expr) -> str:
    return ast.unparse(_Joined().visit(tree))


class _Joined(ast.NodeTransformer):
    """Writes "and" or "or" of one part as that part."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        return node.values[0] if len(node.values) == 1 else node
