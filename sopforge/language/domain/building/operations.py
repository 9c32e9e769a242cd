"""Operations: tools as agents call them about any record, and as steps call them about some.

An operation names its parameters: ``transfer`` takes ``source`` and ``target``, both accounts, and
its guard and effects read ``source.balance``. A step that calls it about the case's payer and payee
calls the operation bound to them: a tool of the row like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from sopforge.language.domain.building.clauses import derive_clauses
from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.gathering import Gathering, find_duplicates
from sopforge.language.domain.building.procedure_parts import iterate_step_documents
from sopforge.language.domain.building.tables import Placed, Reference, Tables, list_paths
from sopforge.language.domain.building.tools import ToolBuilder
from sopforge.language.domain.documents.field_schema import ReferenceField
from sopforge.language.domain.documents.model_schema import (
    ModelDocument,
    ProcedureDocument,
    StepDocument,
    ToolDocument,
)
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.expressions import Expression, collect_all_read_fields
from sopforge.language.domain.expressions.renaming import rename_fields
from sopforge.language.domain.fields import Entity, Field, Role
from sopforge.language.domain.fresh_fields import map_fresh_fields
from sopforge.language.domain.guards import Guard, GuardGroup, GuardLeaf
from sopforge.language.domain.model import (
    DomainModel,
    Tool,
    UnreadReferences,
    collect_deciding_expressions,
    collect_tool_inputs,
)
from sopforge.language.domain.references import build_ties
from sopforge.language.domain.values.types import ValueType


@dataclass(slots=True)
class Parameters:
    """The parameters of all operations: one name stands for one table or one kind of value."""

    gathering: Gathering
    tables: Tables
    known: Mapping[str, Field]
    paths: Mapping[str, str]
    fields: dict[str, Field] = field(default_factory=dict)
    inner: set[str] = field(default_factory=set)
    entities: dict[str, Entity] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)

    def add_parameters(self, path: Path, document: ToolDocument) -> None:
        """Add what a tool takes; what is no table and no field is a fault."""
        for name, what in list_parameters(document, self.known, self.tables).items():
            if self.kinds.setdefault(name, what) != what:
                message = f"'{name}' is {what} here, but {self.kinds[name]} in another tool"
                hint = "give one of the parameters another name"
                self.gathering.add_fault((*path, "takes"), "duplicate-name", message, hint)
            elif name in self.inner:
                message = f"'{name}' is also a path that belongs to another parameter"
                hint = "give one of the parameters another name"
                self.gathering.add_fault((*path, "takes"), "duplicate-name", message, hint)
            elif name not in self.fields:
                self.add_parameter((*path, "takes"), name, what)

    def add_parameter(self, path: Path, name: str, what: str) -> None:
        if what in self.tables.columns:
            self.add_reference(name, what)
            return
        found = self.known.get(self.paths.get(what, what))
        if found is None:
            names = [*self.tables.columns, *self.known]
            self.gathering.is_listed_name(path, what, names, "field")
        elif found.name == name:
            self.fields[name] = found
        else:
            self.fields[name] = replace(
                found,
                name=name,
                label=name.replace("_", " "),
                role=Role.INPUT,
                missing="",
                table="",
                column="",
            )

    def add_reference(self, name: str, table: str) -> None:
        document = self.tables.documents[table]
        key = self.tables.columns[table].get(document.key)
        if key is None:
            return
        described = ReferenceField(
            type="reference", role="input", to=table, description=key.description
        )
        own = self.known.get(name)
        item = replace(
            key, name=name, label=own.label if own else name.replace("_", " "), role=Role.INPUT
        )
        self.fields[name] = item
        for entity, fields in self.tables.follow(Reference(name, item, described)):
            self.entities[entity.name] = entity
            self.inner |= set(fields)
            self.fields |= fields

    def build_operation(
        self,
        reader: Reader,
        session: Mapping[str, Field],
        name: str,
        document: ToolDocument,
    ) -> dict[str, Tool]:
        """Return an operation by its name; it names its own parameters and the session alone."""
        entities = self.list_entities(document.takes)
        inner = {field for entity in entities.values() for field in entity.fields}
        own = {key: item for key, item in self.fields.items() if key in inner | set(document.takes)}
        known, paths = {**session, **own}, list_paths(entities.values(), self.fields)
        scope = replace(
            reader.scope,
            fields={key: item.type for key, item in known.items()},
            optional=frozenset(key for key, item in known.items() if item.missing),
            paths=paths,
        )
        builder = ToolBuilder(self.gathering, Reader(self.gathering, scope), known, entities)
        return builder.build({name: normalize_document(document, paths)})

    def list_entities(self, takes: Iterable[str]) -> dict[str, Entity]:
        """Return the records that some parameters lead to, each after what refers to it."""
        keys = set(takes)
        found: dict[str, Entity] = {}
        for name, entity in self.entities.items():
            if entity.key in keys:
                found[name] = entity
                keys |= set(entity.fields)
        return found


def list_parameters(
    document: ToolDocument, known: Mapping[str, Field], tables: Tables
) -> dict[str, str]:
    """Return what each parameter is: a table, or a field whose values it takes."""
    if isinstance(document.takes, dict):
        return dict(document.takes)
    return {name: _name_table(name, known, tables) for name in document.takes}


def _name_table(name: str, known: Mapping[str, Field], tables: Tables) -> str:
    """Return the table whose key a parameter is that is named as a reference of the case."""
    return tables.leads.get(name, name) if name in known else name


def normalize_document(document: ToolDocument, paths: Mapping[str, str]) -> ToolDocument:
    """Return a tool with fields in the place of the paths that lead to them."""
    return document.model_copy(
        update={
            "takes": tuple(document.takes),
            "returns": tuple(paths.get(path, path) for path in document.returns),
            "effects": {paths.get(path, path): value for path, value in document.effects.items()},
        }
    )


def bind_operation(operation: Tool, name: str, names: Mapping[str, str]) -> Tool:
    """Return an operation about the fields of a case that stand for its own."""

    def rename(expression: Expression) -> Expression:
        return rename_fields(expression, names)

    # What is returned stands last: of two names for one field, that is the one of the result.
    returned = {item: names[item] for item in operation.returns if item in names}
    given = {item: names[item] for item in operation.takes if item in names}
    others = {item: to for item, to in names.items() if item not in {*given, *returned}}
    return replace(
        operation,
        name=name,
        takes=tuple(names.get(item, item) for item in operation.takes),
        returns=tuple(names.get(item, item) for item in operation.returns),
        guard=_rename_guard(operation.guard, rename),
        effects={names.get(item, item): rename(value) for item, value in operation.effects.items()},
        operation=operation.name,
        names={**given, **others, **{k: v for k, v in returned.items() if k not in given}},
    )


def _rename_guard(guard: Guard | None, rename: Callable[[Expression], Expression]) -> Guard | None:
    match guard:
        case None:
            return None
        case GuardLeaf():
            return replace(guard, test=rename(guard.test))
        case GuardGroup():
            children = tuple(_rename_guard(child, rename) for child in guard.children)
            return replace(guard, children=tuple(child for child in children if child))


@dataclass(frozen=True, slots=True)
class Binder:
    """Binds the operations that steps call to what the case has."""

    gathering: Gathering
    operations: Mapping[str, Tool]
    parameters: Parameters
    fields: Mapping[str, Field]
    entities: Mapping[str, Entity]
    paths: Mapping[str, str]

    def bind_calls(self, procedure: ProcedureDocument) -> tuple[dict[str, Tool], dict[str, str]]:
        """Return the bound tools by their names, and the name of the tool that each step calls."""
        asked: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
        places: dict[str, Path] = {}
        written: set[str | None] = set()
        for path, step, document in iterate_step_documents(procedure):
            places[step] = path
            written.add(document.call)
            operation = self.operations.get(document.call or "")
            if operation is None:
                continue
            given = self.find_arguments(path, operation, document)
            if given is not None:
                asked.setdefault((operation.name, tuple(given.items())), []).append(step)
        times = reduce(_count, (name for name, _ in asked), dict[str, int]())
        tools: dict[str, Tool] = {}
        called: dict[str, str] = {}
        for (name, pairs), at in asked.items():
            bound = name if times[name] == 1 else f"{name}[{', '.join(to for _, to in pairs)}]"
            names = self.map_names(dict(pairs))
            if self.check_names((*places[at[0]], "call"), self.operations[name], names):
                tools[bound] = bind_operation(self.operations[name], bound, names)
                called |= dict.fromkeys(at, bound)
        for name, operation in self.operations.items():
            if name not in written:
                self.refuse_uncalled(operation)
        return tools, called

    def refuse_uncalled(self, operation: Tool) -> None:
        message = (
            f"no step calls {operation.name}, so nothing states which records it reads or changes"
        )
        self.gathering.add_fault(
            ("tools", operation.name),
            "tool-not-called",
            message,
            "call the tool in a step, or remove it",
        )

    def find_arguments(
        self, path: Path, operation: Tool, document: StepDocument
    ) -> dict[str, str] | None:
        """Return the field that a step hands to each parameter; what fits none is a fault."""
        for name in document.with_:
            self.gathering.is_listed_name((*path, "with"), name, operation.takes, "parameter")
        given = {}
        for name in operation.takes:
            written = document.with_.get(name, name)
            actual = self.paths.get(written, written)
            place = (*path, "with", name) if name in document.with_ else (*path, "call")
            if not self.gathering.is_listed_field(place, actual, self.fields):
                return None
            if name not in self.parameters.fields:
                return None  # what it is has a fault already
            if not self.fits(place, name, written, actual):
                return None
            given[name] = actual
        return given

    def fits(self, path: Path, name: str, written: str, actual: str) -> bool:
        """Return whether a field can be handed to a parameter; if not, a fault is added."""
        wanted, found = self.parameters.fields[name], self.fields[actual]
        table, leads = self.find_table(name), self.find_table(actual, self.entities)
        if table == leads and is_same_kind(wanted.type, found.type):
            return True
        message = f"'{written}' cannot be passed to the parameter '{name}' of the tool"
        hint = f"pass a reference to {table}" if table else "pass a field of the same range"
        self.gathering.add_fault(path, "argument-differs", message, hint)
        return False

    def check_names(self, path: Path, operation: Tool, names: Mapping[str, str]) -> bool:
        """Return whether the case has all that an operation is about.

        What it lacks, and what it has under one name for two, is a fault.
        """
        stored = {name for entity in self.parameters.entities.values() for name in entity.fields}
        read = collect_tool_inputs(operation)
        used = sorted({*read, *operation.returns, *operation.effects} & stored)
        too_far = [name for name in used if name not in names]
        for far in too_far[:1]:
            message = (
                f"{operation.name} uses '{far}', which is too many references away from the case"
            )
            hint = "use a path with at most three references that leads to no table twice"
            self.gathering.add_fault(path, "argument-differs", message, hint)
        for listed in (operation.returns, tuple(operation.effects)):
            found = [names[name] for name in listed if name in names]
            for actual in find_duplicates(found)[:1]:
                both = " and ".join(f"'{name}'" for name in listed if names.get(name) == actual)
                message = f"{both} of {operation.name} always lead to the same record here"
                hint = "pass references that can lead to different records"
                self.gathering.add_fault(path, "argument-differs", message, hint)
        return not too_far

    def find_table(self, key: str, entities: Mapping[str, Entity] | None = None) -> str:
        among = self.parameters.entities if entities is None else entities
        return next((item.table for item in among.values() if item.key == key), "")

    def map_names(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the case's field for each field that an operation may name."""
        names = dict(given)
        for entity in self.parameters.entities.values():
            if entity.key not in names:
                continue
            key = names[entity.key]
            actual = next((item for item in self.entities.values() if item.key == key), None)
            if actual is None:
                continue
            names[entity.name] = actual.name
            columns = {self.fields[name].column: name for name in actual.fields}
            for name in entity.fields:
                names[name] = columns[self.parameters.fields[name].column]
        return names


def is_same_kind(one: ValueType, other: ValueType) -> bool:
    """Return whether values of one type are those of the other."""
    return one == other


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


def _count(found: dict[str, int], name: str) -> dict[str, int]:
    return {**found, name: found.get(name, 0) + 1}
