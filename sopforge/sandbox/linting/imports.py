"""Rules on what is imported."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from sopforge.findings import Severity
from sopforge.sandbox.child.library import MODULES
from sopforge.sandbox.libraries import is_offered
from sopforge.sandbox.linting.rule import LintRule, Spot, report_nodes
from sopforge.sandbox.linting.source import Source, find_imported_module

_FAILURES = frozenset({"builtins.ImportError", "builtins.ModuleNotFoundError"})
_OFFERED = "a tool may import " + ", ".join(sorted(MODULES))


def find_imports(source: Source) -> Iterator[Spot]:
    """Report modules that tools are not offered."""
    for node, name in _iterate_refused_imports(source):
        if not _is_tried(source, node):
            yield Spot(node.lineno, f"it imports {name}, which {_explain_refusal(name)}")


def find_tried_imports(source: Source) -> Iterator[Spot]:
    """Report such modules where the import may fail."""
    for node, name in _iterate_refused_imports(source):
        if _is_tried(source, node):
            message = (
                f"it works with {name} or without it, so the answer depends on what is installed"
            )
            yield Spot(node.lineno, message)


def explain_relative_import(source: Source, node: ast.AST) -> str:  # noqa: ARG001 - as all are called
    """Return why nothing is imported from a package around the module."""
    is_relative = isinstance(node, ast.ImportFrom) and bool(node.level)
    return "it imports from a package around it, but tools.py stands alone" if is_relative else ""


def explain_star_import(source: Source, node: ast.AST) -> str:  # noqa: ARG001 - as all are called
    """Return why an import says what it brings."""
    if not isinstance(node, ast.ImportFrom) or all(item.name != "*" for item in node.names):
        return ""
    what = node.module or "a package"
    return f"it imports all of {what}, so a reader cannot see which names it adds or hides"


def _iterate_refused_imports(source: Source) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    for node in source.nodes:
        match node:
            case ast.Import(names=aliases):
                named = [alias.name for alias in aliases]
            case ast.ImportFrom(module=str(module), level=0):
                named = [module]
            case ast.Call(func=function):
                name = find_imported_module(source.find_origin(function), node)
                named = [name] if name else []
            case _:
                continue
        for name in named:
            if not is_offered(name, source.libraries):
                yield node, name


def _is_tried(source: Source, node: ast.AST) -> bool:
    """Return whether an import may fail without harm."""
    tries = [at for at in source.iterate_parents(node) if isinstance(at, ast.Try)]
    kinds = [handler.type for at in tries for handler in at.handlers]
    names = {source.find_origin(part) for kind in kinds if kind for part in ast.walk(kind)}
    return not names.isdisjoint(_FAILURES)


def _explain_refusal(name: str) -> str:
    if name.partition(".")[0] in sys.stdlib_module_names:
        return "tools are not offered: they compute with values and texts"
    return "is not in the standard library: nothing else is installed where tools run"


RULES = (
    LintRule("tool-imports", find_imports, _OFFERED),
    LintRule(
        "tool-imports-perhaps",
        find_tried_imports,
        "drop the import, and write the code without it",
        severity=Severity.WARNING,
    ),
    LintRule(
        "tool-imports-relative",
        report_nodes(explain_relative_import),
        "put what is needed into tools.py itself",
    ),
    LintRule("tool-imports-all", report_nodes(explain_star_import), "name what you import"),
)
