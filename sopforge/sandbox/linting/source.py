"""A tools module as its rules read it: its tree, and where each name of it comes from."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sopforge.sandbox.linting.scopes import Scope, Scopes

_MODULES_SEEN_THROUGH = frozenset({"builtins", "importlib", "os", "sys"})
"""Reached through another module, as in ``pathlib.os``, they are themselves."""
_LONGEST_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Use:
    """A place that names something that the module itself does not define."""

    node: ast.expr
    origin: str


class Source:
    """A parsed module, without what only runs when it is a script."""

    def __init__(
        self, text: str, tree: ast.Module, libraries: frozenset[str] = frozenset()
    ) -> None:
        self.libraries = libraries
        tree.body = [part for part in tree.body if not _is_for_scripts(part)]
        # As Python ends lines; splitlines also ends them at a form feed, and all numbers after it
        # would be wrong.
        self._lines = re.split(r"\r\n|\r|\n", text)
        self._known: dict[ast.AST, str | None] = {}
        self.scopes = Scopes(tree)
        self.nodes = tuple(ast.walk(tree))
        self.parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def uses(self) -> tuple[Use, ...]:
        """Every name, chain of attributes and ``getattr`` from elsewhere, each at its longest.

        What a function from elsewhere returned is not from there: only its name is a use.
        """
        found = {node: self.find_origin(node) for node in self.nodes if _may_have_origin(node)}
        inner = {_find_base(node) for node, origin in found.items() if origin and "(" not in origin}
        return tuple(
            Use(node, origin)
            for node, origin in found.items()
            if origin and "(" not in origin and node not in inner and isinstance(node, ast.expr)
        )

    @cached_property
    def origins(self) -> frozenset[str]:
        """The names of everything from elsewhere that is used."""
        return frozenset(use.origin for use in self.uses)

    @cached_property
    def function_names(self) -> frozenset[str]:
        """The names of the module's own functions and methods."""
        return frozenset(node.name for node in self.nodes if isinstance(node, ast.FunctionDef))

    def quote_node(self, node: ast.expr | ast.stmt) -> str:
        """Return what is written there, in bearable length."""
        # As bytes, for the tree counts its columns in UTF-8.
        line = self._lines[node.lineno - 1].encode()
        is_all = node.end_lineno == node.lineno
        text = line[node.col_offset : node.end_col_offset if is_all else None].decode().strip()
        if is_all and len(text) <= _LONGEST_SHOWN:
            return f"`{text}`"
        return f"`{text[:_LONGEST_SHOWN]}…`"

    def quote_use(self, use: Use) -> str:
        """Return what is written there, and what it stands for where that is not plain."""
        origin = use.origin.removeprefix("builtins.")
        text = self.quote_node(use.node)
        return text if text == f"`{origin}`" else f"{text} ({origin})"

    def find_origin(self, node: ast.AST) -> str | None:
        """Return the dotted name of what an expression stands for, if it comes from elsewhere.

        ``now`` after ``from datetime import datetime as d; now = d.now`` is
        ``datetime.datetime.now``, a name that nothing binds ``builtins.open``, and what a call
        returns that of its function with ``()``.
        """
        origin = self._trace_origin(node)
        if origin is None:
            return None
        parts = origin.split(".")
        for number, part in enumerate(parts):
            if part in _MODULES_SEEN_THROUGH and number and "(" not in "".join(parts[:number]):
                return ".".join(parts[number:])
        return origin

    def find_definition(self, node: ast.expr) -> ast.AST | None:
        """Return the function, class or expression that a name stands for, if there is but one."""
        if not isinstance(node, ast.Name):
            return None
        scope = self._get_scope(node).find(node.id)
        bindings = scope.bindings[node.id] if scope else []
        return bindings[0] if len(bindings) == 1 and isinstance(bindings[0], ast.AST) else None

    def is_of_module(self, node: ast.expr) -> bool:
        """Return whether a name is one of the module's own, seen from wherever it stands."""
        if not isinstance(node, ast.Name):
            return False
        return self._get_scope(node).find(node.id) is self.scopes.module

    def iterate_parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """Return what a node stands in, from the inside out."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def _get_scope(self, node: ast.AST) -> Scope:
        return self.scopes.of.get(node, self.scopes.module)

    def _trace_origin(self, node: ast.AST) -> str | None:
        match node:
            case ast.Name(id=name):
                # Once each: where many names stand for one another, each would be traced by all of
                # the others.
                if node not in self._known:
                    self._known[node] = None  # should it stand for itself
                    self._known[node] = self._trace_name_origin(node, name)
                return self._known[node]
            case ast.Attribute(value=base, attr=name):
                return _join(self._trace_origin(base), name)
            case ast.Call(func=function, args=[base, ast.Constant(value=str(name)), *_]) if (
                self._trace_origin(function) == "builtins.getattr"
            ):
                return _join(self._trace_origin(base), name)
            case ast.Call(func=function):
                origin = self._trace_origin(function)
                return find_imported_module(origin, node) or (origin and f"{origin}()")
            case _:
                return None

    def _trace_name_origin(self, node: ast.AST, name: str) -> str | None:
        scope = self._get_scope(node).find(name)
        if scope is None:
            return f"builtins.{name}"
        for binding in scope.bindings[name]:
            if isinstance(binding, str):
                return binding
            if isinstance(binding, ast.expr) and (origin := self._trace_origin(binding)):
                return origin
        return None


def find_argument(call: ast.Call, position: int, keyword: str) -> ast.expr | None:
    """Return what a call gives a parameter, if that can be seen."""
    for item in call.keywords:
        if item.arg == keyword:
            return item.value
    before = call.args[: position + 1]
    if len(before) <= position or any(isinstance(item, ast.Starred) for item in before):
        return None
    return before[position]


def get_literal_text(node: ast.AST | None) -> str | None:
    """Return the text of a literal."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def find_imported_module(origin: str | None, call: ast.Call) -> str | None:
    """Return the module that a call of ``__import__`` is given by a literal name."""
    return (
        get_literal_text(find_argument(call, 0, "name"))
        if origin == "builtins.__import__"
        else None
    )


def _is_for_scripts(statement: ast.stmt) -> bool:
    """Return whether a statement never runs where tools are loaded as a module."""
    match statement:
        case ast.If(
            test=ast.Compare(
                left=ast.Name(id="__name__"),
                ops=[ast.Eq()],
                comparators=[ast.Constant(value="__main__")],
            ),
            orelse=[],
        ):
            return True
        case _:
            return False


def _may_have_origin(node: ast.AST) -> bool:
    match node:
        case ast.Call(args=[_, ast.Constant(value=str()), *_]):
            return True  # of getattr, perhaps
        case ast.Name() | ast.Attribute():
            return True
        case _:
            return False


def _find_base(node: ast.AST) -> ast.AST | None:
    """Return the part of a chain that the whole speaks for."""
    match node:
        case ast.Attribute(value=base):
            return base
        case _:
            return None


def _join(origin: str | None, name: str) -> str | None:
    return origin and f"{origin}.{name}"
