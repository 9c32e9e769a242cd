"""Which scope each name of a module is looked up in, and what is bound there."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TypeAlias

Binding: TypeAlias = "str | ast.AST | None"
"""What a name stands for: the dotted name of an import, the expression or definition that it is
given, or None for whatever is known only when the module runs."""

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(eq=False)
class Scope:
    """A module, class, function or comprehension with the names that it binds."""

    node: ast.AST
    parent: Scope | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outer: dict[str, Scope] = field(default_factory=dict)
    """Where names that are said to belong further out, ``global`` or ``nonlocal``, are sought."""

    @property
    def is_comprehension(self) -> bool:
        return isinstance(self.node, _COMPREHENSIONS)

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

    def bind_outside(self, name: str, binding: Binding) -> None:
        """Do so in the nearest scope around comprehensions, for ``:=``."""
        scope = self
        while scope.is_comprehension and scope.parent is not None:
            scope = scope.parent
        scope.bind(name, binding)


class Scopes(ast.NodeVisitor):
    """The scopes of a module, and that of each of its nodes that has or names something."""

    def __init__(self, tree: ast.Module) -> None:
        self.module = self._scope = Scope(tree)
        self.of: dict[ast.AST, Scope] = {}
        self.inside: dict[ast.AST, Scope] = {tree: self.module}
        for statement in tree.body:
            self.visit(statement)
        self._hand_over_bindings()

    def visit(self, node: ast.AST) -> None:
        self.of[node] = self._scope
        super().visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Load):
            self._scope.bind(node.id, None)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            first = alias.name.partition(".")[0]
            self._scope.bind(alias.asname or first, alias.name if alias.asname else first)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            origin = "" if node.level else f"{node.module}.{alias.name}"
            self._scope.bind(alias.asname or alias.name, origin or None)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self._assign(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit(node.annotation)
        if node.value is not None:
            self.visit(node.value)
            self._assign(node.target, node.value)
        elif not isinstance(node.target, ast.Name):
            self.visit(node.target)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.of[node.target] = self._scope
        self._scope.bind_outside(node.target.id, node.value)

    def visit_Global(self, node: ast.Global) -> None:
        if self._scope is not self.module:
            self._scope.outer.update(dict.fromkeys(node.names, self.module))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        if self._scope.parent:
            self._scope.outer.update(dict.fromkeys(node.names, self._scope.parent))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name:
            self._scope.bind(node.name, None)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self._capture(node, node.name)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self._capture(node, node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self._capture(node, node.rest)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._scope.bind(node.name, node)
        self._visit_all(*node.decorator_list, *node.bases, *node.keywords)
        self._open_scope(node, *node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._define(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._define(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_signature(node.args)
        self._open_scope(node, *list_parameters(node.args), node.body)

    def visit_arg(self, node: ast.arg) -> None:
        self._scope.bind(node.arg, None)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehend(node, node.generators, node.elt)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehend(node, node.generators, node.elt)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehend(node, node.generators, node.elt)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehend(node, node.generators, node.key, node.value)

    def _define(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._scope.bind(node.name, node)
        self._visit_all(*node.decorator_list, *([node.returns] if node.returns else []))
        self._visit_signature(node.args)
        self._open_scope(node, *list_parameters(node.args), *node.body)

    def _visit_signature(self, arguments: ast.arguments) -> None:
        """Visit what is evaluated around the function: defaults and annotations."""
        annotations = [item.annotation for item in list_parameters(arguments) if item.annotation]
        defaults = [item for item in arguments.kw_defaults if item]
        self._visit_all(*arguments.defaults, *defaults, *annotations)

    def _comprehend(
        self, node: ast.expr, generators: list[ast.comprehension], *results: ast.expr
    ) -> None:
        first, *others = generators
        # Python evaluates this one part around the comprehension, and so looks its names up there.
        self.visit(first.iter)
        self._open_scope(node, first.target, *first.ifs, *others, *results)

    def _open_scope(self, node: ast.AST, *parts: ast.AST) -> None:
        around = self._scope
        self._scope = self.inside[node] = Scope(node, around)
        self._visit_all(*parts)
        self._scope = around

    def _visit_all(self, *nodes: ast.AST) -> None:
        for node in nodes:
            self.visit(node)

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        self.of[target] = self._scope
        if isinstance(target, ast.Name):
            self._scope.bind(target.id, value)
        else:
            self.visit(target)

    def _capture(self, node: ast.AST, name: str | None) -> None:
        if name:
            self._scope.bind(name, None)
        self.generic_visit(node)

    def _hand_over_bindings(self) -> None:
        """Give what is bound under ``global`` or ``nonlocal`` to the scope that has the name."""
        for scope in self.inside.values():
            for name in scope.outer.keys() & scope.bindings.keys():
                owner = scope.find(name) or scope.outer[name]
                owner.bindings.setdefault(name, []).extend(scope.bindings[name])


def list_parameters(arguments: ast.arguments) -> list[ast.arg]:
    """Return all parameters, those that gather the rest too."""
    rest = [item for item in (arguments.vararg, arguments.kwarg) if item]
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *rest]
