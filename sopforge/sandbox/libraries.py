"""Which of the libraries that the sandbox can load a tools module asks for."""

from __future__ import annotations

import ast
import warnings

from sopforge.sandbox.child.library import LIBRARIES, MODULES

UNPARSABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def find_libraries(source: str | bytes) -> frozenset[str]:
    """Return the libraries that a module imports, of those that there are on request.

    A module that Python cannot read asks for none.
    """
    try:
        with warnings.catch_warnings():
            # Python's warnings about a stranger's source do not belong into our own output.
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except UNPARSABLE:
        return frozenset()
    named = {name.partition(".")[0] for node in ast.walk(tree) for name in _list_names(node)}
    return frozenset(named & LIBRARIES.keys())


def is_offered(module: str, libraries: frozenset[str]) -> bool:
    """Return whether tools that are given libraries may import a module."""
    packages = {part for name in libraries for part in LIBRARIES[name]}
    return module in MODULES or module.partition(".")[0] in packages


def _list_names(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=aliases):
            return [alias.name for alias in aliases]
        case ast.ImportFrom(module=str(module), level=0):
            return [module]
        case _:
            return []
