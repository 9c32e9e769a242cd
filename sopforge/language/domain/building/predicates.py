"""The predicates of a document: read by name wherever a condition stands, and found in the row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.field_parts.clauses import build_said, derive_said
from sopforge.language.domain.building.gathering import Gathering, find_duplicates
from sopforge.language.domain.building.tables import list_paths
from sopforge.language.domain.documents.model_schema import PredicateDocument, ToolDocument
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import (
    Expression,
    collect_all_read_fields,
    iterate_parts,
)
from sopforge.language.domain.expressions.renaming import rename_fields
from sopforge.language.domain.fields import Said
from sopforge.language.domain.model import DomainModel, collect_deciding_expressions
from sopforge.language.domain.parsing import Definition, Use, check_syntax, list_function_names
from sopforge.language.domain.predicates import Predicate

Documents = Mapping[str, PredicateDocument]


def define_predicates(reader: Reader, documents: Documents) -> dict[str, Definition]:
    """Return the definitions that can be read; what cannot is gathered."""
    defined: dict[str, Definition] = {}
    for name, document in documents.items():
        path: Path = ("predicates", name)
        check_names(reader, path, name, document.takes, "a predicate")
        reader.gathering.try_build((*path, "said"), partial(build_said, document.said))
        definition = Definition(document.is_, document.takes, frozenset(defined))
        if is_readable(reader, (*path, "is"), definition, defined):
            defined[name] = definition
    return defined


def is_readable(
    reader: Reader, path: Path, definition: Definition, above: Mapping[str, Definition]
) -> bool:
    """Return whether the text of a predicate can be read; if not, a fault is added."""
    scope = replace(reader.scope, predicates=dict(above), uses=[])
    if not definition.takes:
        own = Reader(reader.gathering, scope)
        return own.read_condition(path, definition.text) is not None
    # What its parameters are shows where it is used.
    build = partial(check_syntax, definition.text, scope)
    return reader.gathering.try_build(path, build) is not None


def check_names(reader: Reader, path: Path, name: str, takes: Sequence[str], what: str) -> None:
    """Add a fault for a name of a predicate or function, or of what it takes, that is taken."""
    scope, gathering = reader.scope, reader.gathering
    taken = {
        **dict.fromkeys(list_function_names(), "a function"),
        **dict.fromkeys(scope.fields, "a field"),
        **dict.fromkeys(scope.constants, "a policy constant"),
        **dict.fromkeys(scope.calendars, "a calendar"),
        **dict.fromkeys(scope.functions, "a function"),
    }
    if name in taken:
        message = f"the name '{name}' is used for both {taken[name]} and {what}"
        gathering.add_fault(path, "duplicate-name", message, "rename one of them")
    for parameter in find_duplicates(takes):
        message = f"the parameter '{parameter}' is listed twice"
        gathering.add_fault((*path, "takes"), "duplicate-name", message, "remove one of them")


def check_parameters(
    gathering: Gathering, documents: Documents, tools: Mapping[str, ToolDocument]
) -> None:
    """Add a fault for a parameter of a tool that is called as a predicate is."""
    for name, document in tools.items():
        for parameter in [item for item in document.takes if item in documents]:
            message = f"the name '{parameter}' is used for both a parameter and a predicate"
            place: Path = ("tools", name, "takes")
            gathering.add_fault(place, "duplicate-name", message, "rename one of them")


def build_predicates(
    documents: Documents, uses: Iterable[Use], model: DomainModel
) -> dict[str, Predicate]:
    """Return the predicates of a row's model, each with what it is about there.

    A use in a guard of an operation is about parameters: it is found in each tool that is bound.
    """
    read = set(iterate_parts(*collect_deciding_expressions(model), *model.constraints))
    listed = list(list_paths(model.references, model.fields).items())
    # The first path of each: a reference comes before the key that it is equal to.
    paths = {name: path for path, name in reversed(listed) if model.fields[name].table}
    found: dict[str, dict[str, Expression]] = {name: {} for name in documents}
    of_items: set[str] = set()
    for use in uses:
        if use.is_of_item:
            of_items.add(use.name)
            continue
        for bound in _iterate_bound_uses(use, model):
            if bound.condition in read:
                found[use.name].setdefault(_name_use(bound, paths), bound.condition)
    return {
        name: Predicate(
            name, document.description or "", found[name], _build_said(document), name in of_items
        )
        for name, document in documents.items()
    }


def _build_said(document: PredicateDocument) -> Said | None:
    """Return the clauses by which texts name a predicate, None where it has none."""
    if document.said is not None:
        return build_said(document.said)
    return derive_said((document.description or "").strip().removesuffix("."))


def _iterate_bound_uses(use: Use, model: DomainModel) -> Iterator[Use]:
    names = collect_all_read_fields([use.condition])
    if names <= set(model.fields):
        yield use
    for tool in model.tools.values():
        if tool.operation and names <= {*tool.names, *model.fields}:
            about = tuple(tool.names.get(item, item) for item in use.about)
            yield Use(use.name, about, rename_fields(use.condition, tool.names))


def _name_use(use: Use, paths: Mapping[str, str]) -> str:
    """Return a use as it is written, with the paths of what references lead to."""
    about = [paths.get(item, item) for item in use.about]
    return f"{use.name}({', '.join(about)})" if about else use.name
