"""Rules on how a call ends: loops without end, errors that vanish, checks that can be off."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sopforge.findings import Severity
from sopforge.sandbox.linting.rule import LintRule, Spot
from sopforge.sandbox.linting.scopes import FUNCTIONS, LOOPS, list_parameters, walk_inside
from sopforge.sandbox.linting.source import Source

_EXITS = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom)


def find_endless_loops(source: Source) -> Iterator[Spot]:
    """Report loops that nothing is seen to end."""
    for node in source.nodes:
        if not isinstance(node, ast.While) or not _is_true(node.test):
            continue
        if not _has_exit(node) and not _is_tried(source, node):
            message = "`while True` has no break, return or raise inside: it may never end"
            yield Spot(node.lineno, message)


def find_swallowed_errors(source: Source) -> Iterator[Spot]:
    """Report handlers of everything that raise nothing."""
    for node in source.nodes:
        match node:
            case ast.ExceptHandler(type=kind) if _is_base(source, kind) and not _contains_raise(
                node
            ):
                text = f"except {ast.unparse(kind)}" if kind else "except"
                message = f"`{text}:` swallows everything, even the end of the process"
                yield Spot(node.lineno, message)
            case ast.Call(func=function, args=args) if any(_is_base(source, a) for a in args):
                if source.find_origin(function) == "contextlib.suppress":
                    message = (
                        f"{source.quote_node(node)} swallows everything, even the process's end"
                    )
                    yield Spot(node.lineno, message)
            case _:
                pass


def find_asserts(source: Source) -> Iterator[Spot]:
    """Report parameters that an ``assert`` checks."""
    for node in source.nodes:
        if not isinstance(node, ast.Assert):
            continue
        around = next(
            (at for at in source.iterate_parents(node) if isinstance(at, FUNCTIONS)), None
        )
        given = {item.arg for item in list_parameters(around.args)} - {"self"} if around else set()
        names = {part.id for part in ast.walk(node.test) if isinstance(part, ast.Name)}
        if checked := sorted(given & names):
            message = (
                f"{source.quote_node(node)} checks {', '.join(checked)} only as long as Python runs"
                " without -O"
            )
            yield Spot(node.lineno, message)


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
        find_endless_loops,
        "loop over what there is, or count the turns and raise after the last",
    ),
    LintRule(
        "tool-swallows-errors",
        find_swallowed_errors,
        "name the exceptions that you expect, such as `except (KeyError, ValueError):`",
    ),
    LintRule(
        "tool-asserts",
        find_asserts,
        "raise an exception of your own with a code and a message, so that the agent can react",
        severity=Severity.WARNING,
    ),
)
