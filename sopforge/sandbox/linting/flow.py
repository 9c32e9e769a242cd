"""Rules on how a call ends: loops without end, errors that vanish, checks that can be off."""

from __future__ import annotations

import ast

from sopforge.findings import Severity
from sopforge.sandbox.linting.rule import LintRule, report_nodes
from sopforge.sandbox.linting.scopes import FUNCTIONS, LOOPS, list_parameters, walk_inside
from sopforge.sandbox.linting.source import Source

_EXITS = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)


def explain_endless_loop(source: Source, node: ast.AST) -> str:
    """Return why a loop that nothing is seen to end is none of a tool's."""
    is_endless = isinstance(node, ast.While) and _is_true(node.test) and not _has_exit(node)
    if not is_endless or _is_tried(source, node):
        return ""
    return "`while True` has no break, return or raise inside: it may never end"


def explain_swallowed_errors(source: Source, node: ast.AST) -> str:
    """Return why a handler of everything that raises nothing is none of a tool's."""
    match node:
        case ast.ExceptHandler(type=kind) if _is_base(source, kind) and not _contains_raise(node):
            text = f"except {ast.unparse(kind)}" if kind else "except"
            return f"`{text}:` swallows everything, even the end of the process"
        case ast.Call(func=function, args=args) if any(_is_base(source, part) for part in args):
            if source.find_origin(function) != "contextlib.suppress":
                return ""
            return f"{source.quote_node(node)} swallows everything, even the process's end"
        case _:
            return ""


def explain_assert(source: Source, node: ast.AST) -> str:
    """Return why no ``assert`` checks a parameter."""
    if not isinstance(node, ast.Assert):
        return ""
    around = next((at for at in source.iterate_parents(node) if isinstance(at, FUNCTIONS)), None)
    given = {item.arg for item in list_parameters(around.args)} - {"self"} if around else set()
    names = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
    checked, quoted = ", ".join(sorted(given & names)), source.quote_node(node)
    return f"{quoted} checks {checked} only as long as Python runs without -O" if checked else ""


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _has_exit(loop: ast.AST) -> bool:
    return any(isinstance(node, _EXITS) for node in walk_inside(loop, FUNCTIONS)) or any(
        isinstance(node, ast.Break) for node in walk_inside(loop, (*FUNCTIONS, *LOOPS))
    )


def _is_tried(source: Source, loop: ast.AST) -> bool:
    """Return whether what the loop calls may end it by raising."""
    for at in source.iterate_parents(loop):
        if isinstance(at, FUNCTIONS):
            return False
        if isinstance(at, ast.Try | ast.TryStar | ast.With):
            return True
    return False


def _is_base(source: Source, kind: ast.expr | None) -> bool:
    match kind:
        case None:
            return True
        case ast.Tuple(elts=kinds):
            return any(_is_base(source, item) for item in kinds)
        case _:
            return source.find_origin(kind) == "builtins.BaseException"


def _contains_raise(handler: ast.AST) -> bool:
    return any(isinstance(node, ast.Raise) for node in walk_inside(handler, FUNCTIONS))


RULES = (
    LintRule(
        "tool-never-ends",
        report_nodes(explain_endless_loop),
        "loop over what there is, or count the turns and raise after the last",
    ),
    LintRule(
        "tool-swallows-errors",
        report_nodes(explain_swallowed_errors),
        "name the exceptions that you expect, such as `except (KeyError, ValueError):`",
    ),
    LintRule(
        "tool-asserts",
        report_nodes(explain_assert),
        "raise an exception of your own with a code and a message, so that the agent can react",
        severity=Severity.WARNING,
    ),
)
