"""Rules on the class that answers the calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sopforge.findings import Severity
from sopforge.sandbox.linting.managers import (
    DISPATCHER,
    Method,
    find_manager,
    iterate_tools,
    list_manager_names,
)
from sopforge.sandbox.linting.rule import LintRule, Spot
from sopforge.sandbox.linting.scopes import FUNCTIONS, list_parameters, walk_inside
from sopforge.sandbox.linting.source import Source

_GENERATES = (ast.Yield, ast.YieldFrom)


def find_no_manager(source: Source) -> Iterator[Spot]:
    """Report a module without a class to call."""
    names = list_manager_names(source)
    if not names:
        yield Spot(0, "no public class's name ends in Manager, so there is nothing to call")
        return
    bound = source.scopes.module.bindings[names[0]]
    if all(isinstance(item, str) for item in bound):
        message = f"{names[0]} is imported from {bound[0]}, and is taken for the class of the tools"
        yield Spot(0, message)


def find_many_managers(source: Source) -> Iterator[Spot]:
    """Report that the alphabet chooses."""
    names = list_manager_names(source)
    if len(names) > 1:
        message = (
            f"{len(names)} public names end in Manager: {', '.join(names)}; only the first by name"
            " is used"
        )
        yield Spot(0, message)


def find_needed_arguments(source: Source) -> Iterator[Spot]:
    """Report a manager that cannot be built without arguments."""
    manager = find_manager(source)
    build = manager.methods.get("__init__") if manager else None
    if manager is None or build is None:
        return
    needed = _list_needed_positionals(build)[1:] + _list_needed_keywords(build)
    if needed:
        message = (
            f"{manager.node.name}() needs {', '.join(needed)}, but it is built without arguments"
        )
        yield Spot(build.lineno, message)


def find_no_tools(source: Source) -> Iterator[Spot]:
    """Report a manager with nothing to call."""
    manager = find_manager(source)
    if manager is None or not manager.is_whole or any(iterate_tools(source, manager)):
        return
    public = [name for owner in manager.classes for name in source.scopes.inside[owner].bindings]
    if all(name.startswith("_") for name in public):
        message = f"{manager.node.name} has no public method, so an agent has nothing to call"
        yield Spot(manager.node.lineno, message)


def find_unnameable_parameters(source: Source) -> Iterator[Spot]:
    """Report parameters of tools that a call by name cannot give."""
    manager = find_manager(source)
    if manager is None or DISPATCHER in manager.methods:
        return  # then only the dispatcher itself is called
    for method in iterate_tools(source, manager):
        for found in _describe_unnameable(source, method):
            yield Spot(method.lineno, f"{method.name} {found}: an agent gives parameters by name")


def find_unfinished_answers(source: Source) -> Iterator[Spot]:
    """Report tools that return what is still to be run."""
    manager = find_manager(source)
    for method in iterate_tools(source, manager) if manager else ():
        if isinstance(method, ast.AsyncFunctionDef):
            yield Spot(method.lineno, f"{method.name} is async: a call returns no value but a task")
        elif not method.decorator_list and any(
            isinstance(node, _GENERATES) for node in walk_inside(method, FUNCTIONS)
        ):
            message = f"{method.name} yields: a call returns a generator, which JSON cannot hold"
            yield Spot(method.lineno, message)


def _list_needed_positionals(method: Method) -> list[str]:
    """Return the parameters by position that have no default, self among them."""
    taken = [*method.args.posonlyargs, *method.args.args]
    return [item.arg for item in taken[: len(taken) - len(method.args.defaults)]]


def _list_needed_keywords(method: Method) -> list[str]:
    pairs = zip(method.args.kwonlyargs, method.args.kw_defaults, strict=True)
    return [item.arg for item, default in pairs if default is None]


def _describe_unnameable(source: Source, method: Method) -> Iterator[str]:
    kinds = {source.find_origin(item) for item in method.decorator_list}
    skipped = 0 if "builtins.staticmethod" in kinds else 1
    taken = method.args
    if len(taken.posonlyargs) + len(taken.args) < skipped and not taken.vararg:
        yield "takes no self, so that every call fails"
    if taken.vararg:
        yield f"takes *{taken.vararg.arg}"
    if unnamed := [item.arg for item in taken.posonlyargs[skipped:]]:
        yield f"takes {', '.join(unnamed)} by position only"
    hidden = [item.arg for item in list_parameters(taken) if _is_mangled(item.arg)]
    if hidden:
        yield f"takes {', '.join(hidden)}, whose names Python changes inside a class"


def _is_mangled(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


RULES = (
    LintRule("manager-missing", find_no_manager, "name the class <Domain>Manager"),
    LintRule(
        "manager-ambiguous",
        find_many_managers,
        "keep one, and rename the others or import them under another name",
        severity=Severity.WARNING,
    ),
    LintRule(
        "manager-needs-arguments",
        find_needed_arguments,
        "give them defaults, and read records.csv beside __file__ in __init__",
    ),
    LintRule("manager-without-tools", find_no_tools, "write one public method for each tool"),
    LintRule(
        "tool-parameters",
        find_unnameable_parameters,
        "write (self, order_id, amount): plain names, as the tool's schema has them",
    ),
    LintRule("tool-unfinished", find_unfinished_answers, "return the value itself, in a plain def"),
)
