"""Functions of a brief: a call is read as the function's text, about what stands in brackets.

The text is put in the place of the call before anything is typed, so that no reading knows of
functions, and an argument may be whatever may stand where the parameter does.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NamedFunction:
    """A function: its parameters, and its syntax tree, in which no call of a function is left."""

    takes: tuple[str, ...]
    tree: ast.expr

    def count_parts(self, call: ast.Call) -> int:
        """Return how many parts the tree has about the arguments of a call."""
        sizes = dict(zip(self.takes, map(_count_parts, call.args), strict=True))
        names = (node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name))
        return _count_parts(self.tree) + sum(sizes.get(name, 0) for name in names)

    def find_captured(self, call: ast.Call) -> str:
        """Return the name of an item in an argument that would be one of the tree's own items."""
        named = {x.id for item in call.args for x in ast.walk(item) if isinstance(x, ast.Name)}
        return next(iter(sorted(named & list_items(self.tree))), "")

    def put_in(self, call: ast.Call) -> ast.expr:
        """Return the tree about the arguments of a call; refusals name the place of the call."""
        arguments = dict(zip(self.takes, call.args, strict=True))
        body = deepcopy(self.tree)
        for node in ast.walk(body):
            ast.copy_location(node, call)
        put: ast.expr = _Arguments(arguments).visit(body)
        return put


class _Arguments(ast.NodeTransformer):
    """Puts the arguments in the place of parameters."""

    def __init__(self, arguments: Mapping[str, ast.expr]) -> None:
        self.arguments = arguments

    def visit_Name(self, node: ast.Name) -> ast.expr:
        # A copy for each place: what a parser notes of a node holds at one place only.
        return deepcopy(self.arguments.get(node.id, node))


def list_items(tree: ast.expr) -> set[str]:
    """Return what a tree calls the items of lists."""
    clauses = (node for node in ast.walk(tree) if isinstance(node, ast.comprehension))
    return {node.target.id for node in clauses if isinstance(node.target, ast.Name)}


def _count_parts(tree: ast.expr) -> int:
    return sum(1 for _ in ast.walk(tree))


def keep_source(tree: ast.expr, text: str) -> ast.expr:
    """Return a tree whose parts know how they are written, wherever they are put."""
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and not hasattr(node, "source"):
            node.source = ast.get_source_segment(text, node) or ""  # type: ignore[attr-defined]
    return tree
