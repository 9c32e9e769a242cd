"""The parts that tools modules can have, with what each of them leans on."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, resources
from itertools import groupby

PARTS = "sopforge.artifacts.rendering.tools.parts"
MODULES = ("refusals", "texts", "numbers", "moments", "wholes", "records")
_FUTURE = "from __future__ import annotations"
_OF_MANAGERS = "import threading\nfrom datetime import date\nfrom typing import Any\n"


@dataclass(frozen=True, slots=True)
class Definition:
    """A constant, function or class of the library, and the names that it uses."""

    name: str
    source: str
    uses: frozenset[str]


def collect_definitions(source: str) -> list[Definition]:
    """Return the definitions that some code needs, and those that they need, in library order."""
    known = _index_definitions()
    needed: set[str] = set()
    waiting = [*_iterate_names(ast.parse(source))]
    while waiting:
        name = waiting.pop()
        if name in known and name not in needed:
            needed.add(name)
            waiting += known[name].uses
    # In the library's order: what a definition leans on stands above it.
    return [part for name, part in known.items() if name in needed]


def render_imports(source: str) -> str:
    """Return the import lines for the names that some code uses, in the order that linters want."""
    used = frozenset(_iterate_names(ast.parse(source)))
    found = {(module, name) for module, name in _collect_imports() if (name or module) in used}
    plain = sorted(module for module, name in found if not name)
    named = groupby(sorted((m, n) for m, n in found if n), key=lambda pair: pair[0])
    lines = [f"import {module}" for module in plain]
    lines += [f"from {module} import {', '.join(n for _, n in names)}" for module, names in named]
    return "\n".join([_FUTURE, "", *lines])


def list_definitions() -> tuple[Definition, ...]:
    """Return all definitions that tools modules can have, in their order."""
    return tuple(_index_definitions().values())


@cache
def _index_definitions() -> Mapping[str, Definition]:
    return {part.name: part for module in MODULES for part in _iterate_definitions(module)}


@cache
def _collect_imports() -> frozenset[tuple[str, str]]:
    """Return what the library imports from the standard library, as module and name."""
    sources = [_read_source(module) for module in MODULES] + [_OF_MANAGERS]
    nodes = [node for source in sources for node in ast.parse(source).body]
    plain = {
        (alias.name, "") for node in nodes if isinstance(node, ast.Import) for alias in node.names
    }
    return frozenset(plain) | frozenset(
        (str(node.module), alias.name)
        for node in nodes
        if isinstance(node, ast.ImportFrom) and _is_standard(str(node.module))
        for alias in node.names
    )


def _is_standard(module: str) -> bool:
    return module != "__future__" and module.partition(".")[0] in sys.stdlib_module_names


def _iterate_definitions(module: str) -> Iterator[Definition]:
    source = _read_source(module)
    for node in ast.parse(source).body:
        name = _get_defined_name(node)
        if name:
            text = ast.get_source_segment(source, node) or ""
            yield Definition(name, text, frozenset(_iterate_names(node)))


def _get_defined_name(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case _:
            return ""


def _iterate_names(tree: ast.AST) -> Iterable[str]:
    return (node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _read_source(module: str) -> str:
    return resources.files(import_module(PARTS)).joinpath(f"{module}.py").read_text("utf-8")
