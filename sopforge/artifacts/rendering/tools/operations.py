"""Operations as methods: what they find in the tables, check, change and return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sopforge.artifacts.rendering.tools.kinds import (
    collect_kinds_used,
    is_shown_as_held,
    name_kind,
    quote_text,
    render_type_hint,
    takes_missing,
)
from sopforge.artifacts.rendering.tools.methods import render_docstring
from sopforge.artifacts.rendering.tools.source import (
    ToolSource,
    render_negated_source,
    render_tool_source,
)
from sopforge.language.domain.fields import Entity, Field
from sopforge.language.domain.guards import GuardLeaf, list_guard_checks
from sopforge.language.domain.model import DomainModel, Tool, ToolKind, collect_tool_inputs
from sopforge.language.domain.tool_checks import build_writing_checks


@dataclass(frozen=True, slots=True)
class Operation:
    """What the template says of one operation."""

    name: str
    kind: str
    docstring: list[str]
    takes: list[str]
    signature: list[str]
    checks: dict[str, str]
    finding: list[str]
    reading: list[str]
    guard_lines: list[str]
    changes: list[str]
    results: dict[str, str]
    compared: bool = False
    follows: bool = False
    is_operation: bool = True


@dataclass(frozen=True, slots=True)
class TableFile:
    """A table of the module: its file, and the kind of each of its columns."""

    name: str
    file: str
    columns: Mapping[str, str]


def build_operation(model: DomainModel, tool: Tool, source: ToolSource) -> Operation:
    """Return an operation as a method."""
    entities = list(iterate_entities(model, tool))
    return Operation(
        name=tool.name,
        kind=tool.kind.value,
        docstring=render_docstring(model, tool),
        takes=list(tool.takes),
        signature=[
            f"{item.name}: {render_type_hint(item.type)}"
            for item in model.list_tool_parameters(tool)
        ],
        checks={item.name: _check(model, tool, item) for item in model.list_tool_parameters(tool)},
        finding=[_find(model, entity) for entity in entities],
        reading=list(_read(model, tool)),
        guard_lines=list(_iterate_guard_lines(model, tool, source)),
        changes=list(_iterate_changes(model, tool, source)),
        follows=any(find_parameter(model, entity) != entity.key for entity in entities),
        results={name: _render_result(model, model.fields[name]) for name in tool.returns},
    )


def build_table_files(model: DomainModel) -> list[TableFile]:
    """Return the tables that operations read, each once."""
    found: dict[str, TableFile] = {}
    for entity in model.references:
        columns = {
            entity.name_column(item): name_kind(item.name)
            for item in model.list_stored_fields(entity)
        }
        found.setdefault(
            entity.table, TableFile(entity.table, model.name_records_file(entity), columns)
        )
    return list(found.values())


def render_session(model: DomainModel) -> dict[str, str]:
    """Return the facts that a session begins with, as source of the values that tools hold."""
    return {
        item.name: "None"
        if item.starts is None
        else f"{name_kind(item.name)}.read({quote_text(item.format_cell(item.starts))})"
        for item in model.session
    }


def iterate_entities(model: DomainModel, tool: Tool) -> Iterator[Entity]:
    """Yield the records that an operation finds, each after the one that refers to it."""
    if tool.kind is ToolKind.COMPUTE:
        return
    read = model.list_entities_read(tool)
    needed = {entity.name for entity in read}
    for entity in read:
        owner = model.find_owner(entity.key)
        while owner is not None and owner.table:
            needed.add(owner.name)
            owner = model.find_owner(owner.key)
    yield from (entity for entity in model.references if entity.name in needed)


def _find(model: DomainModel, entity: Entity) -> str:
    owner = model.find_owner(entity.key)
    is_inner = owner is not None and bool(owner.table)
    column = model.fields[entity.key].column
    if owner is None or not is_inner:
        return f"{entity.name} = self._find({entity.table!r}, {entity.key!r}, {entity.key})"
    # What a record refers to is found by no parameter, and its key is no word of the call.
    asked = find_parameter(model, entity)
    key = f"{owner.name}[{column!r}]"
    return f"{entity.name} = self._follow({entity.table!r}, {asked!r}, {key})"


def find_parameter(model: DomainModel, entity: Entity) -> str:
    """Return the parameter from which a path leads to a record."""
    owner = model.find_owner(entity.key)
    return entity.key if owner is None or not owner.table else find_parameter(model, owner)


def _read(model: DomainModel, tool: Tool) -> Iterator[str]:
    """Yield the lines that read what guard and effects name, of records and of the session."""
    checks = build_writing_checks(model, tool)
    keys = {name for check in checks for name in _list_keys(model, check)}
    session = {item.name for item in model.session}
    for name in sorted((collect_tool_inputs(tool) | keys) - set(tool.takes)):
        item, owner = model.fields[name], model.find_owner(name)
        if name in session:
            yield f"{name} = self._session[{name!r}]"
        elif owner is not None and owner.table:
            yield f"{name} = {owner.name}[{item.column!r}]"


def _list_keys(model: DomainModel, check: GuardLeaf) -> list[str]:
    words = check.id.split()
    return [name for name in words[1:] if words[0] == "apart" and name in model.fields]


def _iterate_guard_lines(model: DomainModel, tool: Tool, source: ToolSource) -> Iterator[str]:
    for item in (*list_guard_checks(tool.guard), *build_writing_checks(model, tool)):
        refusal = f"{quote_text(item.refusal)}, {quote_text(' '.join(item.says.split()))}"
        yield f"# {item.id if ' ' in item.id else f'guard {item.id}'}"
        yield f"if {render_negated_source(source, item.test)}:"
        yield f"    raise ToolRefusal({refusal})"


def _iterate_changes(model: DomainModel, tool: Tool, source: ToolSource) -> Iterator[str]:
    """Yield the lines that change records and session: all is worked out before anything."""
    if not tool.effects:
        return
    for name, value in tool.effects.items():
        yield f"new_{name} = {render_tool_source(source, value)}"
    for name in tool.effects:
        owner, item = model.find_owner(name), model.fields[name]
        place = f"{owner.name}[{item.column!r}]" if owner else f"self._session[{name!r}]"
        yield f"{place} = new_{name}"


def _check(model: DomainModel, tool: Tool, item: Field) -> str:
    may_be_missing = collect_kinds_used(model)[item.name] and not takes_missing(item, tool)
    return f"{name_kind(item.name)}{'.kind' if may_be_missing else ''}.check({item.name})"


def _render_result(model: DomainModel, item: Field) -> str:
    owner = model.find_owner(item.name)
    value = f"{owner.name}[{item.column!r}]" if owner else item.name
    if is_shown_as_held(item.type) and not item.missing:
        return value
    return f"{name_kind(item.name)}.write({value})"
