"""Tables: records that several references of a case can lead to, each a set of fields of its own.

A request that names a payer and a payee reads two accounts. Each reference becomes an entity of the
row, with the fields of the table under names of their own (``payer_balance``, written
``payer.balance``): a row still holds all that a case can come to read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sopforge.language.domain.building.draws import DrawBuilder
from sopforge.language.domain.building.entities import (
    DEFAULT_RECORDS,
    check_key_pattern,
    check_roles,
)
from sopforge.language.domain.building.expressions import Reader
from sopforge.language.domain.building.field_parts.clauses import (
    check_clauses,
    place_amount_clause,
    place_clauses,
    place_label_clauses,
)
from sopforge.language.domain.building.field_parts.labels import check_texts
from sopforge.language.domain.building.fields import build_fields
from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.field_schema import (
    FieldDocument,
    ReferenceField,
    StringField,
)
from sopforge.language.domain.documents.model_schema import EntityDocument
from sopforge.language.domain.documents.yaml_documents import Path
from sopforge.language.domain.expressions.renaming import rename_fields
from sopforge.language.domain.fields import Entity, Field, Role, Sampling
from sopforge.language.domain.references import name_record
from sopforge.language.domain.values.types import BooleanType
from sopforge.morphology import is_adjective, is_noun

Documents = Mapping[str, EntityDocument]
DEEPEST = 3
"""How many references a path may follow."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference of a case or of a tool: its path as it is written, and what it leads to."""

    path: str
    item: Field
    document: ReferenceField

    @property
    def name(self) -> str:
        """The field that holds the reference."""
        return name_field(self.path)


@dataclass(slots=True)
class Tables:
    """The tables of a document: their fields once, and how they stand under a reference."""

    gathering: Gathering
    documents: Documents
    columns: dict[str, dict[str, Field]] = field(default_factory=dict)
    leads: dict[str, str] = field(default_factory=dict)
    unfollowed: dict[str, Entity] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, document in self.documents.items():
            path: Path = ("entities", name)
            texts = {
                key: write_as_text(part, self.documents) for key, part in document.fields.items()
            }
            self.columns[name] = build_fields(self.gathering, name, texts)
            check_roles(self.gathering, name, self.columns[name])
            check_key_pattern(self.gathering, name, document, self.columns[name])
            for key, item in self.columns[name].items():
                check_texts(self.gathering, (*path, "fields", key), item)
                place = (*path, "fields", key)
                self.columns[name][key] = check_clauses(self.gathering, place, name, item)

    def follow(
        self, reference: Reference, above: tuple[str, ...] = ()
    ) -> Iterator[tuple[Entity, dict[str, Field]]]:
        """Yield what a reference leads to, and what that refers to: entities with their fields.

        A table that the path has come through is not followed again.
        """
        table = reference.document.to
        above = (*above, table)
        self.leads.setdefault(reference.name, table)
        if table not in self.columns:
            return
        document, columns = self.documents[table], self.columns[table]
        fields = {
            name_field(f"{reference.path}.{column}"): self.place_column(reference, table, item)
            for column, item in columns.items()
            if column != document.key
        }
        yield self.build_entity(reference, tuple(fields)), fields
        for column, part in document.fields.items():
            inner = f"{reference.path}.{column}"
            if not isinstance(part, ReferenceField) or name_field(inner) not in fields:
                continue
            found = Reference(inner, fields[name_field(inner)], part)
            if reference.path.count(".") + 1 < DEEPEST and part.to not in above:
                yield from self.follow(found, above)
            elif part.to in self.columns:
                entity = self.build_entity(found, ())
                self.unfollowed[entity.name] = entity

    def build_entity(self, reference: Reference, fields: tuple[str, ...]) -> Entity:
        """Return what a reference leads to; without fields where no path goes on from there."""
        table, same = reference.document.to, reference.document.same_as
        record = reference.path.rpartition(".")[0]
        of = f"{record}.{same.of}" if same and record else same.of if same else ""
        return Entity(
            name=name_record(reference.name),
            key=reference.name,
            fields=fields,
            records=self.documents[table].records or DEFAULT_RECORDS,
            dangling_share=reference.document.dangling_share,
            table=table,
            key_column=self.documents[table].key,
            same_as=(name_field(of), same.share) if same else None,
        )

    def place_column(self, reference: Reference, table: str, item: Field) -> Field:
        """Return a column as the field of the record that a reference leads to."""
        others = {other.label for other in self.columns[table].values()}
        return replace(
            item,
            name=name_field(f"{reference.path}.{item.name}"),
            label=label_column(item, reference.item.label, others),
            table=table,
            column=item.name,
            path=f"{reference.path}.{item.name}",
            said=place_clauses(item.said, table, reference.item.label),
            label_clauses=place_label_clauses(item.label_clauses, table, reference.item.label),
            amount_clause=place_amount_clause(item.amount_clause, table, reference.item.label),
        )


def label_column(column: Field, reference: str, others: Collection[str]) -> str:
    """Return what a column is called as the field of a record: no noun follows itself.

    The "claim amount" of an "earlier claim" is the "amount of the earlier claim", unless
    ``others``, which are labels of the same table, have the "amount" as well.
    """
    noun, words = reference.partition(" of ")[0].split(), column.label.split()
    if words == noun:
        return f"{column.label} on file"
    for start in range(len(noun)):
        count = len(noun) - start
        rest = words[count:]
        if words[:count] == noun[start:] and rest and _is_named(column, rest, others):
            return f"{' '.join(rest)} of the {reference}"
    return f"{column.label} of the {reference}"


def _is_named(column: Field, rest: Sequence[str], others: Collection[str]) -> bool:
    """Return whether the rest of a column's label is a noun of its own, and of no other column."""
    if isinstance(column.type, BooleanType) or " ".join(rest) in others:
        return False
    return is_noun(rest[-1]) and (is_noun(rest[0]) or is_adjective(rest[0]))


def name_field(path: str) -> str:
    """Return the name of the field at a path from a reference."""
    return path.replace(".", "_")


def list_tables(documents: Documents) -> dict[str, EntityDocument]:
    """Return the entities that references lead to: they hold their own key."""
    case = next(iter(documents))
    wanted = {
        part.to
        for document in documents.values()
        for part in document.fields.values()
        if isinstance(part, ReferenceField)
    }
    return {
        name: document
        for name, document in documents.items()
        if name != case and name in wanted and document.key in document.fields
    }


def write_as_text(document: FieldDocument, tables: Documents) -> FieldDocument:
    """Return a reference as the text that it is: a key of the table; other fields as they are."""
    if not isinstance(document, ReferenceField) or document.to not in tables:
        return document
    table = tables[document.to]
    key = table.fields.get(table.key)
    pattern = getattr(key, "pattern", None)
    return StringField(
        role=document.role,
        description=document.description,
        label=document.label,
        missing=document.missing,
        missing_share=document.missing_share,
        given=document.given,
        starts=document.starts,
        type="string",
        pattern=pattern or "R[0-9]{6}",
    )


@dataclass(frozen=True, slots=True)
class Placed:
    """What the references of a case lead to: entities and fields of the row, and their paths."""

    tables: Tables
    entities: Mapping[str, Entity]
    fields: Mapping[str, Field]
    paths: Mapping[str, str]


def place_tables(gathering: Gathering, documents: Documents, fields: Mapping[str, Field]) -> Placed:
    """Return the records that the references of a case lead to, as entities of the row."""
    tables = Tables(gathering, list_tables(documents))
    entities: dict[str, Entity] = {}
    placed: dict[str, Field] = {}
    case, document = next(iter(documents.items()))
    for reference in list_references(fields, document.fields):
        above = {
            placed[entity.key].written if entity.key in placed else entity.key: entity.table
            for entity in entities.values()
        }
        where = ("entities", case, "fields", reference.path)
        check_same(gathering, where, reference.document, above)
        for entity, found in tables.follow(reference):
            entities[entity.name] = entity
            check_new_names(gathering, case, reference.path, found, placed)
            placed |= found
    for name, table in tables.documents.items():
        check_same_columns(gathering, name, table)
    for name in [name for name in placed if name in fields]:
        item = placed[name]
        message = f"'{name}' is a field and also a reference that leads to {item.label}"
        place = ("entities", case, "fields", name)
        gathering.add_fault(place, "duplicate-name", message, "rename the field or the reference")
    paths = list_paths(entities.values(), placed)
    return Placed(tables, entities, placed, paths)


def check_same_columns(gathering: Gathering, table: str, document: EntityDocument) -> None:
    """Add a fault for a column that is to equal what is no reference of its record above it."""
    above: dict[str, str] = {}
    for key, part in document.fields.items():
        if isinstance(part, ReferenceField):
            check_same(gathering, ("entities", table, "fields", key), part, above)
            above[key] = part.to


def check_same(
    gathering: Gathering,
    path: Path,
    document: ReferenceField,
    above: Mapping[str, str],
) -> None:
    """Add a fault for a reference that is to equal what is no reference to its table above it.

    Those ``above`` are paths, with the table that each leads to.
    """
    same = document.same_as
    fitting = [key for key, table in above.items() if table == document.to]
    if same is None or same.of in fitting:
        return
    message = f"'{same.of}' is not a reference to {document.to} above '{path[-1]}'"
    hint = f"use {', '.join(fitting)}" if fitting else "remove 'same_as'"
    gathering.add_fault((*path, "same_as"), "unknown-reference", message, hint)


def check_new_names(
    gathering: Gathering, case: str, path: str, found: Iterable[str], known: Iterable[str]
) -> None:
    """Add a fault for two paths that have one name inside, as a_b.c and a.b_c have."""
    for name in sorted(set(found) & set(known)):
        message = f"the path '{name}' of the reference '{path}' is also a path of another reference"
        gathering.add_fault(
            ("entities", case, "fields", path), "duplicate-name", message, "rename one of them"
        )


def write_references(documents: Documents) -> dict[str, EntityDocument]:
    """Return the entities that are no tables, with references written as texts."""
    tables = list_tables(documents)
    return {
        name: document.model_copy(
            update={
                "fields": {
                    key: write_as_text(part, tables) for key, part in document.fields.items()
                }
            }
        )
        for name, document in documents.items()
        if name not in tables
    }


def draw_columns(reader: Reader, placed: Placed) -> dict[str, Field]:
    """Return the placed fields with how they are drawn by others of their record."""
    drawn: dict[str, dict[str, Field]] = {}
    for name, columns in placed.tables.columns.items():
        document = placed.tables.documents[name]
        scope = replace(
            reader.scope,
            fields={key: item.type for key, item in columns.items()},
            optional=frozenset(key for key, item in columns.items() if item.missing),
            paths={},
        )
        entity = Entity(name, document.key, tuple(columns))
        builder = DrawBuilder(Reader(reader.gathering, scope), {name: entity}, columns)
        texts = document.model_copy(
            update={
                "fields": {
                    key: write_as_text(part, placed.tables.documents)
                    for key, part in document.fields.items()
                }
            }
        )
        drawn[name] = builder.build({name: texts})
    found = dict(placed.fields)
    for entity in placed.entities.values():
        names = {found[name].column: name for name in entity.fields}
        for name in entity.fields:
            sampling = drawn[entity.table][found[name].column].sampling
            found[name] = replace(found[name], sampling=rename_sampling(sampling, names))
    return found


def rename_sampling(sampling: Sampling, names: Mapping[str, str]) -> Sampling:
    """Return how a field is drawn, by fields of other names."""
    near, same = sampling.near, sampling.same_as
    return replace(
        sampling,
        of=names.get(sampling.of, sampling.of),
        same_as=same and (names.get(same[0], same[0]), same[1]),
        near=near and replace(near, value=rename_fields(near.value, names)),
        given=tuple(
            replace(
                part,
                when=rename_fields(part.when, names),
                sampling=rename_sampling(part.sampling, names),
            )
            for part in sampling.given
        ),
        items=tuple((name, rename_sampling(part, names)) for name, part in sampling.items),
        texts=tuple(replace(part, when=rename_fields(part.when, names)) for part in sampling.texts),
    )


def list_references(
    fields: Mapping[str, Field], documents: Mapping[str, FieldDocument]
) -> list[Reference]:
    """Return the references among the fields of a case."""
    return [
        Reference(name, fields[name], document)
        for name, document in documents.items()
        if isinstance(document, ReferenceField) and name in fields
        if fields[name].role is not Role.SESSION
    ]


def list_paths(entities: Iterable[Entity], fields: Mapping[str, Field]) -> dict[str, str]:
    """Return the field of each path: ``payer.balance`` leads to ``payer_balance``."""
    paths: dict[str, str] = {}
    known: dict[str, str] = {}
    for entity in entities:
        if entity.table:
            start = known.get(entity.key, entity.key)
            for name in entity.fields:
                known[name] = f"{start}.{fields[name].column}"
                paths[known[name]] = name
            paths[f"{start}.{entity.key_column}"] = entity.key
    return paths
