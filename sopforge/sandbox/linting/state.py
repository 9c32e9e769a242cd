"""Rules on what calls leave over for the calls after them."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sopforge.findings import Severity
from sopforge.sandbox.linting.managers import Manager, Method, find_manager, iterate_tools
from sopforge.sandbox.linting.rule import LintRule, Spot, split_words
from sopforge.sandbox.linting.source import Source

_MAKERS = split_words("""
    builtins.dict() builtins.list() builtins.set() collections.Counter() collections.OrderedDict()
    collections.defaultdict() collections.deque()
""")
_CONTAINERS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_GROWING = split_words("append appendleft extend insert pop popleft")
_CHANGING = _GROWING | split_words("add clear discard popitem remove update")
_WHY = "the answer then depends on the calls before it, and a new process answers differently"


@dataclass(frozen=True, slots=True)
class StateChange:
    """A container or counter that a statement changes."""

    node: ast.expr | ast.stmt
    changed: ast.expr
    is_growing: bool
    """Whether the same call again has more to change, as with a counter or an appended item."""


def find_kept_state(source: Source) -> Iterator[Spot]:
    """Report what the calls of tools change in the module, or count in the manager."""
    manager = find_manager(source)
    if manager is None:
        return
    read = _count_attribute_reads(manager)
    for function in _collect_reached(source, manager):
        inner = [node for part in function.body for node in ast.walk(part)]
        yield from _find_globals(inner)
        for change in (found for node in inner for found in _find_changes(node)):
            if (
                _is_container_of_module(source, change)
                or _is_counted(source, read, change)
                or _is_default(function, change)
            ):
                yield Spot(change.node.lineno, f"{source.quote_node(change.node)} is kept: {_WHY}")


def _find_globals(nodes: list[ast.AST]) -> Iterator[Spot]:
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and _is_stored(node)}
    for node in nodes:
        if isinstance(node, ast.Global) and (names := sorted(stored.intersection(node.names))):
            yield Spot(node.lineno, f"it sets the global {', '.join(names)}: {_WHY}")


def _is_stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _collect_reached(source: Source, manager: Manager) -> list[Method]:
    """Return the tools, and the functions that they call, by plain name or as ``self.name()``."""
    rest = list(iterate_tools(source, manager))
    found = dict.fromkeys(rest)
    while rest:
        calls = (node for node in ast.walk(rest.pop()) if isinstance(node, ast.Call))
        called = {_find_called(source, manager, call): None for call in calls}
        new = [function for function in called if function and function not in found]
        found.update(dict.fromkeys(new))
        rest += new
    return list(found)


def _find_called(source: Source, manager: Manager, call: ast.Call) -> Method | None:
    match call.func:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return manager.methods.get(name)
        case ast.Name() as function:
            meant = source.find_definition(function)
            return meant if isinstance(meant, Method) else None
        case _:
            return None


def _find_changes(node: ast.AST) -> Iterator[StateChange]:
    match node:
        case ast.Call(func=ast.Attribute(value=base, attr=name)) if name in _CHANGING:
            yield StateChange(node, base, is_growing=name in _GROWING)
        case ast.AugAssign(target=ast.Subscript(value=base)):
            yield StateChange(node, base, is_growing=False)
        case ast.AugAssign(target=ast.Attribute() as base):
            yield StateChange(node, base, is_growing=True)
        case _:
            pass


def _is_container_of_module(source: Source, change: StateChange) -> bool:
    if not source.is_of_module(change.changed):
        return False
    meant = source.find_definition(change.changed)
    is_made = meant is not None and source.find_origin(meant) in _MAKERS
    return is_made or isinstance(meant, _CONTAINERS)


def _is_counted(source: Source, read: Counter[str], change: StateChange) -> bool:
    """Return whether a counter or list of a class or its object grows, and is read elsewhere."""
    if not (change.is_growing and isinstance(change.changed, ast.Attribute)):
        return False
    owner, name = change.changed.value, change.changed.attr
    is_self = isinstance(owner, ast.Name) and owner.id in {"self", "cls"}
    if not is_self and not isinstance(source.find_definition(owner), ast.ClassDef):
        return False
    # `self.seen.append(...)` reads the attribute once by itself, and `self.count += 1` does not.
    itself = isinstance(change.changed.ctx, ast.Load)
    return read[name] > itself


def _count_attribute_reads(manager: Manager) -> Counter[str]:
    """Return how often the classes read each attribute, of whatever object."""
    nodes = (node for owner in manager.classes for node in ast.walk(owner))
    return Counter(
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)
    )


def _is_default(function: Method, change: StateChange) -> bool:
    """Return whether the list or dict of a default is changed, which all calls share."""
    taken = [*function.args.posonlyargs, *function.args.args]
    defaults = function.args.defaults
    pairs = [
        *zip(taken[len(taken) - len(defaults) :], defaults, strict=True),
        *zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True),
    ]
    shared = {item.arg for item, default in pairs if isinstance(default, _CONTAINERS)}
    return isinstance(change.changed, ast.Name) and change.changed.id in shared


RULES = (
    LintRule(
        "tool-keeps-state",
        find_kept_state,
        "compute everything from the arguments and the records, and store what an action changes"
        " in its record",
        severity=Severity.WARNING,
    ),
)
