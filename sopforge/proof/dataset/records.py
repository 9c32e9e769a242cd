"""The records that the tools read: a CSV file per entity, and the rows that they make together."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from sopforge.language.domain.fields import Entity, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.types import Json, Value
from sopforge.language.logic.stated_inputs import derive_marks
from sopforge.untrusted.tables import read_table

Row: TypeAlias = Mapping[str, Value | None]
Reader: TypeAlias = Callable[[tuple[Field, ...], str, str], Iterable[Row]]
"""Reads fields from the text of a file with records, the name of which messages have."""


def write_records(model: DomainModel, rows: Iterable[Row]) -> dict[str, str]:
    """Return the files with the records of all rows, without outcomes, ordered by their keys.

    The order reveals nothing about the tasks; a record that several rows share stands once.
    """
    given = list(rows)
    tables: dict[str, list[tuple[Entity, list[Row]]]] = {}
    for entity in model.entities.values():
        # Of the case's own record a row has no note, for each row has one.
        there = [row for row in given if row.get(entity.name, 1) is not None]
        tables.setdefault(model.name_records_file(entity), []).append((entity, there))
    return {file: _render_table(model, found) for file, found in tables.items()}


def read_records(
    model: DomainModel, files: Mapping[str, str], read: Reader | None = None
) -> dict[str, dict[str, Value | None]]:
    """Return the row of each case by its key: its own record and those that it refers to.

    Of what no record holds the row has None, and None under the name of an entity it lacks.

    Raises:
        ValueNotAllowedError: a cell is no value of its field.
        PackageUnreadableError: a file is no table.
    """
    found = index_records(model, files, read)
    return {key: _join_references(model, found, row) for key, row in found[model.case.name].items()}


def build_case_rows(
    model: DomainModel, files: Mapping[str, str], inputs: Iterable[Row], read: Reader | None = None
) -> list[dict[str, Value | None] | None]:
    """Return the row of each case by what its task states: inputs and all that records hold.

    A malformed key leads to no record, so that only those are there to which an input refers. None
    where a well-formed key has no record.

    Raises:
        ValueNotAllowedError: a cell is no value of its field.
        PackageUnreadableError: a file is no table.
    """
    found = index_records(model, files, read)
    return [_build_case_row(model, found, given) for given in inputs]


def _build_case_row(
    model: DomainModel, found: Mapping[str, Mapping[str, Row]], given: Row
) -> dict[str, Value | None] | None:
    item, key = model.fields[model.key], given[model.key]
    own = found[model.case.name].get(str(key))
    if own is None and item.malformed and is_malformed(item.type, key):
        own = dict.fromkeys(item.name for item in model.list_stored_fields(model.case))
        own.update({name: given[name] for name in own if name in given})
    return (
        None
        if own is None
        else {**_join_references(model, found, own), **given, **derive_marks(model, given)}
    )


def index_records(
    model: DomainModel, files: Mapping[str, str], read: Reader | None = None
) -> dict[str, dict[str, Row]]:
    """Return the records of each entity by their keys.

    Raises:
        ValueNotAllowedError: a cell is no value of its field.
    """
    return {
        entity.name: index_entity(model, entity, files, read) for entity in model.entities.values()
    }


def index_entity(
    model: DomainModel, entity: Entity, files: Mapping[str, str], read: Reader | None = None
) -> dict[str, Row]:
    """Return the records of one entity by their keys; raises as ``index_records``."""
    found = _read_entity(model, entity, files, read or _read)
    return {str(record[entity.key]): dict(record) for record in found}


def _read_entity(
    model: DomainModel, entity: Entity, files: Mapping[str, str], read: Reader
) -> Iterator[Row]:
    """Yield the records that an entity has in its file, under the names of its fields."""
    file = model.name_records_file(entity)
    stored = model.list_stored_fields(entity)
    names = {entity.name_column(item): item.name for item in stored}
    columns = tuple(replace(item, name=entity.name_column(item)) for item in stored)
    for record in read(columns, files[file], file):
        yield {names[column]: value for column, value in record.items()}


def _join_references(
    model: DomainModel, found: Mapping[str, Mapping[str, Row]], own: Row
) -> dict[str, Value | None]:
    """Return a record of the case with those that it refers to."""
    row = dict(own)
    for entity in model.references:
        record = found[entity.name].get(str(row[entity.key]))
        # Without the key, which is first: the row keeps it where it leads nowhere.
        stored = [item.name for item in model.list_stored_fields(entity)[1:]]
        row.update(dict.fromkeys(stored) if record is None else record)
        row[entity.name] = None if record is None else 1
    return row


def render_csv(names: Iterable[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Return rows as CSV with a header line and plain line ends."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def format_cells(model: DomainModel, names: Iterable[str], row: Row) -> dict[str, str]:
    """Return the cells of the named fields."""
    return {name: model.fields[name].format_cell(row[name]) for name in names}


def as_json(model: DomainModel, frame: Row) -> dict[str, Json]:
    """Return values by field name as tools carry them."""
    return {name: model.fields[name].as_json(value) for name, value in frame.items()}


def _render_table(model: DomainModel, parts: Iterable[tuple[Entity, Iterable[Row]]]) -> str:
    """Return the records of a file, those of all entities that share it; each stands once.

    Raises:
        ValueError: two rows say different things of one record.
    """
    records: dict[str, dict[str, str]] = {}
    columns: list[str] = []
    for entity, rows in parts:
        stored = model.list_stored_fields(entity)
        columns = [entity.name_column(item) for item in stored]
        for row in rows:
            cells = format_cells(model, [item.name for item in stored], row)
            record = dict(zip(columns, cells.values(), strict=True))
            if entity.table and records.get(record[columns[0]], record) != record:
                raise ValueError(f"two rows differ in the record {record[columns[0]]}")
            records[str(row[entity.key])] = record
    return render_csv(columns, [records[key] for key in sorted(records)])


def _read(fields: tuple[Field, ...], text: str, file: str) -> Iterable[Row]:
    for row in read_table(text, file):
        yield {item.name: item.parse(row[item.name]) for item in fields}
