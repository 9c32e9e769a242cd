"""Which class of a module answers the calls, and by which methods."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.sandbox.linting.source import Source

Method: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_PROPERTIES = frozenset({"builtins.property", "functools.cached_property"})
DISPATCHER = "process_tool_call"


@dataclass(frozen=True, slots=True)
class Manager:
    """The class that is built, and those of the module that it inherits from, nearest first."""

    classes: tuple[ast.ClassDef, ...]
    methods: Mapping[str, Method]
    """By name; of those that are overridden, the nearest."""
    is_whole: bool
    """Whether all of its methods can be seen: no class from elsewhere, and no ``__getattr__``."""

    @property
    def node(self) -> ast.ClassDef:
        """The class itself."""
        return self.classes[0]


def list_manager_names(source: Source) -> list[str]:
    """Return the module's public names that end in Manager, in alphabetical order."""
    names = source.scopes.module.bindings
    return sorted(name for name in names if name.endswith("Manager") and name[0] != "_")


def find_manager(source: Source) -> Manager | None:
    """Return the manager that is taken, if it is a class of the module."""
    names = list_manager_names(source)
    node = _find_class(source, names[0]) if names else None
    if node is None:
        return None
    classes, is_whole = _collect_family(source, node)
    parts = (part for owner in reversed(classes) for part in owner.body)
    methods = {part.name: part for part in parts if isinstance(part, Method)}
    return Manager(tuple(classes), methods, is_whole and "__getattr__" not in methods)


def iterate_tools(source: Source, manager: Manager) -> Iterator[Method]:
    """Return the methods that an agent calls."""
    for method in manager.methods.values():
        kinds = {source.find_origin(item) for item in method.decorator_list}
        if not method.name.startswith("_") and kinds.isdisjoint(_PROPERTIES):
            yield method


def _find_class(source: Source, name: str) -> ast.ClassDef | None:
    """Return the class that a name of the module stands for, also by another name."""
    # Names may stand for one another in a circle.
    for _ in range(10):
        bound = source.scopes.module.bindings.get(name, [])
        match bound:
            case [ast.ClassDef() as node]:
                return node
            case [ast.Name(id=other)]:
                name = other
            case _:
                return None
    return None


def _collect_family(source: Source, node: ast.ClassDef) -> tuple[list[ast.ClassDef], bool]:
    classes, is_whole = [node], not node.keywords and not node.decorator_list
    for owner in classes:  # grows as it goes
        for base in owner.bases:
            parent = _find_class(source, base.id) if isinstance(base, ast.Name) else None
            if parent is not None and parent not in classes:
                classes.append(parent)
            is_whole &= parent is not None or source.find_origin(base) == "builtins.object"
    return classes, is_whole
