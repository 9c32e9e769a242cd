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


def keep_source(tree: ast.expr, text: str) -> ast.expr:
    """Return a tree whose parts know how they are written, wherever they are put."""
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and not hasattr(node, "source"):
            node.source = ast.get_source_segment(text, node) or ""  # type: ignore[attr-defined]
    return tree
