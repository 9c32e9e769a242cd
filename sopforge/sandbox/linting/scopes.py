"""Which scope each name of a module is looked up in, and what is bound there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

Binding: TypeAlias = "str | ast.AST | None"
"""What a name stands for: the dotted name of an import, the expression or definition that it is
given, or None for whatever is known only when the module runs."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(eq=False)
class Scope:
    """A module, class, function or comprehension with the names that it binds."""

    node: ast.AST
    parent: Scope | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer: dict[str, Scope] = field(default_factory=dict)
    """Where names that are said to belong further out, ``global`` or ``nonlocal``, are sought."""

    def find(self, name: str) -> Scope | None:
        """Return the scope whose binding a name has here, None if no scope binds it."""
        if name in self.outer:
            return self.outer[name].find(name)
        if name in self.bindings:
            return self
        scope = self.parent
        while scope is not None and isinstance(scope.node, ast.ClassDef):
            scope = scope.parent  # what a class binds is not seen by its methods
        return scope.find(name) if scope else None

    def bind(self, name: str, binding: Binding) -> None:
        """Note what the name is given, in the scope that it belongs to."""
        self.bindings.setdefault(name, []).append(binding)

    def skip_comprehensions(self) -> Scope:
        """Return the nearest scope around comprehensions, where ``:=`` binds."""
        scope = self
        while isinstance(scope.node, _COMPREHENSIONS) and scope.parent is not None:
            scope = scope.parent
        return scope


class Scopes:
    """The scopes of a module, and that of each of its nodes."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope(tree)
        self.of: dict[ast.AST, Scope] = {}
        self.inside: dict[ast.AST, Scope] = {tree: self.module}
        self._around: set[ast.AST] = set()
        self._given: set[ast.AST] = set()
        for statement in tree.body:
            self._visit(statement, self.module)
        self._hand_over_bindings()

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        if node in self._around and scope.parent:
            scope = scope.parent
        self.of[node] = scope
        self._bind(node, scope)
        self._around.update(_list_parts_around(node))
        is_opening = isinstance(node, (ast.ClassDef, *FUNCTIONS, *_COMPREHENSIONS))
        inner = self.inside.setdefault(node, Scope(node, scope)) if is_opening else scope
        for part in ast.iter_child_nodes(node):
            self._visit(part, inner)

    def _bind(self, node: ast.AST, scope: Scope) -> None:
        if node not in self._given:
            for name, binding in _list_bindings(node):
                scope.bind(name, binding)
        match node:
            case ast.Global(names=names) if scope is not self.module:
                scope.outer.update(dict.fromkeys(names, self.module))
            case ast.Nonlocal(names=names) if scope.parent:
                scope.outer.update(dict.fromkeys(names, scope.parent))
            case _:
                self._bind_given(node, scope)

    def _bind_given(self, node: ast.AST, scope: Scope) -> None:
        """Bind the names that a statement gives a value."""
        given: list[ast.expr]
        value: ast.expr | None
        match node:
            case ast.Assign(targets=given, value=value):
                pass
            case ast.AnnAssign(target=target, value=value):
                given = [target]
            case ast.NamedExpr(target=target, value=value):
                given, scope = [target], scope.skip_comprehensions()
            case _:
                return
        for part in given:
            if isinstance(part, ast.Name):
                self._given.add(part)
                if value is not None:
                    scope.bind(part.id, value)

    def _hand_over_bindings(self) -> None:
        """Give what is bound under ``global`` or ``nonlocal`` to the scope that has the name."""
        for scope in self.inside.values():
            for name in scope.outer.keys() & scope.bindings.keys():
                owner = scope.find(name) or scope.outer[name]
                owner.bindings.setdefault(name, []).extend(scope.bindings[name])


def _list_bindings(node: ast.AST) -> list[tuple[str, Binding]]:
    """Return the names that a node binds by itself, to what is not a value given beside them."""
    match node:
        case (
            ast.Name(id=name, ctx=ast.Store() | ast.Del())
            | ast.arg(arg=name)
            | ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            return [(name, None)]
        case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
            return [(node.name, node)]
        case ast.Import(names=aliases):
            firsts = [alias.name.partition(".")[0] for alias in aliases]
            pairs = zip(aliases, firsts, strict=True)
            return [(a.asname or first, a.name if a.asname else first) for a, first in pairs]
        case ast.ImportFrom(names=aliases, module=module, level=level):
            return [(a.asname or a.name, None if level else f"{module}.{a.name}") for a in aliases]
        case _:
            return []


def _list_parts_around(node: ast.AST) -> list[ast.AST]:
    """Return what Python evaluates outside of the scope that a node opens."""
    match node:
        case ast.ClassDef(decorator_list=decorators, bases=bases, keywords=keywords):
            return [*decorators, *bases, *keywords]
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return [*node.decorator_list, *([node.returns] if node.returns else [])]
        case ast.arguments(defaults=defaults, kw_defaults=others):
            annotations = [item.annotation for item in list_parameters(node)]
            return [part for part in (*defaults, *others, *annotations) if part]
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return [node.generators[0].iter]
        case _:
            return []


def list_parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Return all parameters, those that gather the rest too."""
    rest = [item for item in (arguments.vararg, arguments.kwarg) if item]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest]


def walk_inside(node: ast.AST, walls: tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """Return the parts of a node, without what stands inside one of the ``walls``."""
    todo = list(ast.iter_child_nodes(node))
    while todo:
        part = todo.pop()
        yield part
        if not isinstance(part, walls):
            todo += ast.iter_child_nodes(part)
        elif isinstance(part, LOOPS):
            todo += part.orelse  # a break there is one of the loop around
