"""The functions of a document: each is read as its text wherever it is called."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.predicates import check_names
from sopforge.language.domain.documents.model_schema import FunctionDocument
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.parsing import NamedFunction, Scope, check_syntax, keep_source

Documents = Mapping[str, FunctionDocument]


def define_functions(reader: Reader, documents: Documents) -> dict[str, NamedFunction]:
    """Return the functions that can be read; what cannot is gathered."""
    defined: dict[str, NamedFunction] = {}
    below = set(documents)
    for name, document in documents.items():
        path: Path = ("functions", name)
        check_names(reader, path, name, document.takes, "a function of the brief")
        scope = replace(reader.scope, functions=dict(defined))
        build = partial(_define, document, frozenset(below), scope)
        function = reader.gathering.try_build((*path, "is"), build)
        if function is not None:
            defined[name] = function
        below.remove(name)
    return defined


def _define(document: FunctionDocument, below: frozenset[str], scope: Scope) -> NamedFunction:
    """Return a function as its text, which what its parameters stand for may still not suit.

    ``below`` are the names of itself and of those that stand below it.

    Raises:
        ExpressionError: the text is no expression, calls what it may not call, or leaves a
            parameter out.
    """
    # A parameter hides the reference that is called as it is.
    paths = {
        path: name
        for path, name in scope.paths.items()
        if path.partition(".")[0] not in document.takes
    }
    text = check_syntax(document.is_, replace(scope, paths=paths))
    nodes = list(ast.walk(text.root))
    for node in (node for node in nodes if isinstance(node, ast.Call)):
        name = ast.unparse(node.func)
        if name in below:
            message = f"'{name}' is not defined above: a function calls only those above it"
            hint = f"move '{name}' up; a function that would call itself is not allowed"
            raise text.make_error(node, message, code="cyclic-function", hint=hint)
    named = {node.id for node in nodes if isinstance(node, ast.Name)}
    for parameter in document.takes:
        if parameter not in named:
            message = f"the expression does not use the parameter '{parameter}'"
            hint = "use it, or delete it under 'takes'"
            raise text.make_error(text.root, message, hint=hint)
    return NamedFunction(document.takes, keep_source(text.root, text.text))
