"""Operations: tools as agents call them about any record, and as steps call them about some.

An operation names its parameters: ``transfer`` takes ``source`` and ``target``, both accounts, and
its guard and effects read ``source.balance``. A step that calls it about the case's payer and payee
calls the operation bound to them: a tool of the row like any other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sopforge.language.domain.building.binding.bound_calls import Binder
from sopforge.language.domain.building.binding.parameters import Parameters
from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.field_parts.clauses import derive_clauses
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.building.procedure_parts import iterate_step_documents
from sopforge.language.domain.building.tables import Placed
from sopforge.language.domain.building.tools import ToolBuilder
from sopforge.language.domain.documents.model_schema import (
    ModelDocument,
    ProcedureDocument,
    ToolDocument,
)
from sopforge.language.domain.expressions.expressions import collect_all_read_fields
from sopforge.language.domain.fields import Entity, Field, Role
from sopforge.language.domain.model import (
    DomainModel,
    Tool,
    UnreadReferences,
    collect_deciding_expressions,
    collect_tool_inputs,
)
from sopforge.language.domain.procedure.known_fields import map_fresh_fields
from sopforge.language.domain.references import build_ties


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools of a row, the operations that they are bound from, and the one of each step."""

    bound: Mapping[str, Tool]
    operations: Mapping[str, Tool]
    parameters: Parameters
    called: Mapping[str, str]


def build_tools(
    reader: Reader,
    placed: Placed,
    parts: ModelDocument,
    fields: Mapping[str, Field],
    entities: Mapping[str, Entity],
) -> Tools:
    """Return the tools; those that read tables are operations, bound to what steps hand them."""
    gathering = reader.gathering
    session = {name: item for name, item in fields.items() if item.role is Role.SESSION}
    is_operation = {
        name: is_about_tables(document, placed, session) for name, document in parts.tools.items()
    }
    plain = {
        name: _with_known_paths(document, placed.paths)
        for name, document in parts.tools.items()
        if not is_operation[name]
    }
    parameters = Parameters(gathering, placed.tables, fields, placed.paths)
    offered = {name: document for name, document in parts.tools.items() if is_operation[name]}
    for name, document in offered.items():
        parameters.add_parameters(("tools", name), document)
    operations: dict[str, Tool] = {}
    for name, document in offered.items():
        operations |= parameters.build_operation(reader, session, name, document)
    binder = Binder(gathering, operations, parameters, fields, entities, placed.paths)
    bound, called = binder.bind_calls(parts.procedure)
    computing = ToolBuilder(gathering, reader, fields, entities).build(plain)
    order = list(parts.tools)
    every = {**computing, **bound}
    tools = dict(sorted(every.items(), key=lambda pair: order.index(pair[1].operation or pair[0])))
    return Tools(tools, {**computing, **operations}, parameters, called)


def _with_known_paths(document: ToolDocument, paths: Mapping[str, str]) -> ToolDocument:
    """Return a tool that takes what records hold, by the fields of the row."""
    takes = tuple(paths.get(name, name) for name in document.takes)
    return document.model_copy(update={"takes": takes})


def is_about_tables(document: ToolDocument, placed: Placed, session: Mapping[str, Field]) -> bool:
    """Return whether a tool is about records of tables, or about the session."""
    if document.kind == "compute":
        return False
    if isinstance(document.takes, dict):
        return True
    leads = {*placed.tables.leads, *placed.tables.columns}
    return bool(leads & set(document.takes) or set(session) & set(document.effects))


def check_handed_values(
    gathering: Gathering, model: DomainModel, procedure: ProcedureDocument
) -> None:
    """Add a fault for a value that a step hands over and that may differ from the record's own.

    The tool reads it there, too, and the case may have read it before an action changed it.
    """
    # Where something could not be built, what a case knows cannot be followed.
    if model.operations is None or gathering.faults:
        return
    fresh = map_fresh_fields(model)
    for path, name, _ in iterate_step_documents(procedure):
        step = model.steps.get(name)
        tool = model.tools.get(step.call) if step and step.call else None
        if tool is None or name not in fresh:
            continue
        for value in list_values_read_twice(model, tool):
            owner = model.find_owner(value)
            # Of a record that another one leads to, the tool would not look for the reference.
            if value not in fresh[name] or owner is None or owner.key not in tool.takes:
                item = model.fields[value]
                message = (
                    f"{tool.offered_name} takes '{item.written}', which it reads in the record"
                    " itself"
                )
                hint = (
                    f"add a call before it that returns '{item.written}', with no action in"
                    f" between that changes it; or decide a field by 'value: {item.written}' and"
                    " pass that field"
                )
                gathering.add_fault((*path, "call"), "argument-differs", message, hint)


def list_values_read_twice(model: DomainModel, tool: Tool) -> list[str]:
    """Return the columns that a bound tool takes as values and reads in the record as well."""
    if not tool.operation:
        return []
    keys = {entity.key for entity in model.references}
    taken = {*tool.parameters}
    # By the operation's own names: what the tool reads there stands beside its parameters.
    read = {
        tool.names[name]
        for name in collect_tool_inputs(model.offered.tools[tool.operation])
        if name in tool.names and name not in taken
    }
    # A reference never changes, so that the case knows what the record holds.
    return [name for name in tool.takes if name in read and name not in keys]


def with_operations(model: DomainModel, tools: Tools) -> DomainModel:
    """Return the model with its domain as agents see it, and what ties its references."""
    calls = {step.call for step in model.steps.values() if step.call is not None}
    # Of what could not be built, nothing more can be said than its faults.
    if not any(tool.operation for tool in model.tools.values()) or calls - set(model.tools):
        return model
    model = drop_unused_references(model, tools.parameters.tables.unfollowed)
    inner = {name: item for name, item in model.fields.items() if not item.table}
    entities = list_kept_entities(model, tools.parameters)
    dropped = {
        name
        for entity in tools.parameters.entities.values()
        if entity.name not in entities
        for name in entity.fields
    }
    found = {name: item for name, item in tools.parameters.fields.items() if name not in dropped}
    offered = {tool.operation or name: tool for name, tool in model.tools.items()}
    operations = replace(
        model,
        entities={model.case.name: model.case, **entities},
        fields=derive_clauses({**inner, **_list_taken_values(model), **found}, entities.values()),
        tools={name: tools.operations[name] for name in offered},
        steps={
            step.id: replace(step, call=model.tools[step.call].offered_name) if step.call else step
            for step in model.steps.values()
        },
        constraints=(),
        ties=(),
    )
    return replace(model, operations=operations, ties=build_ties(model.references, model.fields))


def _list_taken_values(model: DomainModel) -> dict[str, Field]:
    """Return what tools that work something out are handed: values, whatever record they are of."""
    taken = [name for tool in model.tools.values() if not tool.operation for name in tool.takes]
    return {name: replace(model.fields[name], table="", column="") for name in taken}


def list_kept_entities(model: DomainModel, parameters: Parameters) -> dict[str, Entity]:
    """Return what parameters lead to, of the tables that the domain has records of."""
    tables = {entity.table for entity in model.references}
    kept: dict[str, Entity] = {}
    lost: set[str] = set()
    for name, entity in parameters.entities.items():
        # What a lost record refers to cannot be reached either.
        if entity.table in tables and entity.key not in lost:
            kept[name] = entity
        else:
            lost |= set(entity.fields)
    return kept


def drop_unused_references(model: DomainModel, unfollowed: Mapping[str, Entity]) -> DomainModel:
    """Return the model without the records that its procedure can neither read nor change.

    It keeps in mind how their references are drawn, and those that no path goes on from.
    """
    used = collect_all_read_fields([*collect_deciding_expressions(model), *model.constraints])
    for tool in model.tools.values():
        used |= {*tool.takes, *tool.returns, *tool.effects}
    taken = {name for tool in model.tools.values() for name in tool.takes}
    read = [
        entity
        for entity in model.references
        if not entity.table or entity.key in taken or used & set(entity.fields)
    ]
    # What a record that is read stands in is read as well.
    for entity in reversed(model.references):
        if any(other.key in entity.fields for other in read):
            read.append(entity)
    # Of a table that is read anywhere, a reference from a record that is kept leads to a record.
    tables = {entity.table for entity in read}
    names = {model.case.name}
    for entity in model.references:
        owner = model.find_owner(entity.key)
        is_inner = owner is not None and owner is not model.case and owner.name in names
        if entity in read or (is_inner and entity.table in tables):
            names.add(entity.name)
    entities = {name: entity for name, entity in model.entities.items() if name in names}
    dropped = {
        name for entity in model.references if entity.name not in names for name in entity.fields
    }
    fields = {name: item for name, item in model.fields.items() if name not in dropped}
    ends = {name: entity for name, entity in unfollowed.items() if entity.key in fields}
    others = {name: item for name, item in model.entities.items() if name not in names}
    unread = UnreadReferences(
        entities={**others, **ends},
        fields={name: item for name, item in model.fields.items() if name in dropped},
        order=(*(entity.name for entity in model.references), *ends),
    )
    return replace(model, entities=entities, fields=fields, unread=unread)
