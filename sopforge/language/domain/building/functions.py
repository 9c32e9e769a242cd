"""The functions of a document: each is read as its text wherever it is called."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial

from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.predicates import check_names
from sopforge.language.domain.documents.model_schema import FunctionDocument
from sopforge.language.domain.documents.schema import suggest
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.parsing import (
    MISSING,
    NamedFunction,
    Scope,
    check_syntax,
    keep_source,
    list_function_names,
)
from sopforge.language.domain.parsing.functions import list_items
from sopforge.language.domain.parsing.selections import ITEM

Documents = Mapping[str, FunctionDocument]


def define_functions(
    reader: Reader, documents: Documents, predicates: Collection[str]
) -> dict[str, NamedFunction]:
    """Return the functions that can be read; what cannot is gathered."""
    defined: dict[str, NamedFunction] = {}
    below = list(documents)
    for name, document in documents.items():
        path: Path = ("functions", name)
        scope = replace(reader.scope, functions=dict(defined))
        own = replace(reader, scope=scope)
        check_names(own, path, name, document.takes, "a function of the brief")
        build = partial(_define, document, scope, frozenset(below), frozenset(predicates))
        function = reader.gathering.try_build((*path, "is"), build)
        if function is not None:
            defined[name] = function
        below.remove(name)
    return defined


def _define(
    document: FunctionDocument, scope: Scope, below: frozenset[str], predicates: frozenset[str]
) -> NamedFunction:
    """Return a function as its text, which what its parameters stand for may still not suit.

    ``below`` are the names of itself and of those that stand below it.

    Raises:
        ExpressionError: the text is no expression, names what is not there, calls what it may not
            call, or leaves a parameter out.
    """
    # A parameter hides the reference that is called as it is.
    paths = {
        path: name
        for path, name in scope.paths.items()
        if path.partition(".")[0] not in document.takes
    }
    text = check_syntax(document.is_, replace(scope, paths=paths))
    items = list_items(text.root)
    known = [*document.takes, *text.list_usable_names(), *scope.calendars, *predicates]
    usable = {*known, *items, *list_function_names(), *scope.fields, MISSING, ITEM}
    nodes = [node for node in ast.walk(text.root) if isinstance(node, ast.Name)]
    for node in nodes:
        if node.id in below:
            message = f"'{node.id}' is not defined above: a function calls only those above it"
            hint = f"move '{node.id}' up; a function that would call itself is not allowed"
            raise text.make_error(node, message, code="cyclic-function", hint=hint)
        if node.id not in usable:
            message = f"there is no parameter, field or policy constant '{node.id}'"
            hint = suggest(node.id, known) or f"the known names are {', '.join(known)}"
            raise text.make_error(node, message, code="unknown-field", hint=hint)
    named = {node.id for node in nodes}
    for parameter in document.takes:
        if parameter in items:
            message = f"the expression calls an item as the parameter '{parameter}' is called"
            raise text.make_error(text.root, message, hint="rename one of them")
        if parameter not in named:
            message = f"the expression does not use the parameter '{parameter}'"
            hint = "use it, or delete it under 'takes'"
            raise text.make_error(text.root, message, hint=hint)
    return NamedFunction(document.takes, keep_source(text.root, text.text))
