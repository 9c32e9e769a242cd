"""The parameters of operations, and operations in the terms of their own parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.building.tables import Reference, Tables, list_paths
from sopforge.language.domain.building.tools import ToolBuilder
from sopforge.language.domain.documents.field_schema import ReferenceField
from sopforge.language.domain.documents.model_schema import (
    ToolDocument,
)
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.fields import Entity, Field, Role
from sopforge.language.domain.model import (
    Tool,
)


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
