"""The records that the tools read: a CSV file per entity, and the rows that they make together."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from sopforge.domain.fields import Entity, Field
from sopforge.domain.model import DomainModel
from sopforge.domain.types import Value

Row: TypeAlias = Mapping[str, Value | None]
Reader: TypeAlias = Callable[[tuple[Field, ...], str], Iterable[Row]]


def write_records(model: DomainModel, rows: Iterable[Row]) -> dict[str, str]:
    """Return the files with the records of all rows, without outcomes, ordered by their keys.

    The order tells nothing about the tasks; a record that several rows share stands once.
    """
    given = list(rows)
    return {
        model.records_file(entity): _table(
            model, entity, [row for row in given if row.get(entity.name, 1) is not None]
        )
        for entity in model.entities.values()
    }


def read_records(
    model: DomainModel, files: Mapping[str, str], read: Reader | None = None
) -> dict[str, dict[str, Value | None]]:
    """Return the row of each case by its key: its own record and those that it refers to.

    Of what no record holds the row has None, and None under the name of an entity it lacks.

    Raises:
        ValueNotAllowedError: a cell is no value of its field.
    """
    found = {
        entity.name: {
            str(record[entity.key]): dict(record)
            for record in (read or _read)(
                model.stored_fields(entity), files[model.records_file(entity)]
            )
        }
        for entity in model.entities.values()
    }
    rows = found[model.case.name]
    for row in rows.values():
        for entity in model.references:
            record = found[entity.name].get(str(row[entity.key]))
            stored = [item.name for item in model.stored_fields(entity)[1:]]
            row.update(dict.fromkeys(stored) if record is None else record)
            row[entity.name] = None if record is None else 1
    return rows


def csv_text(names: Iterable[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Return rows as CSV with a header line and plain line ends."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(names), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue()


def cells(model: DomainModel, names: Iterable[str], row: Row) -> dict[str, str]:
    """Return the cells of the named fields."""
    return {name: model.fields[name].cell(row[name]) for name in names}


def _table(model: DomainModel, entity: Entity, rows: list[Row]) -> str:
    names = [item.name for item in model.stored_fields(entity)]
    records = {str(row[entity.key]): cells(model, names, row) for row in rows}
    return csv_text(names, [records[key] for key in sorted(records)])


def _read(fields: tuple[Field, ...], text: str) -> Iterable[Row]:
    for row in csv.DictReader(io.StringIO(text)):
        yield {item.name: item.parse(row[item.name]) for item in fields}
