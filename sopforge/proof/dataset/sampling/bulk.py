"""Labels of many rows at once: the unfolded procedure, read over columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import ListType, TextType, Value, list_items
from sopforge.language.logic.readings.vector import Column, Columns, ListColumn, evaluate_all
from sopforge.proof.solving.unfolding import TRUE, derive_outcomes, unfold


@dataclass(frozen=True, slots=True)
class Labels:
    """An outcome on every row: its values, and where it has one."""

    values: Column
    present: Column


def label_columns(model: DomainModel, columns: Columns) -> dict[str, Labels]:
    """Return all outcomes of all rows, as the oracle gives them one by one.

    Raises:
        TooManyStepsError: the procedure unfolds into too many steps.
    """
    known = derive_outcomes(model, unfold(model))
    parts = [part for item in known.values() for part in (item.value, item.present or TRUE)]
    columns_of = iter(evaluate_all(parts, columns))
    return {name: Labels(next(columns_of), next(columns_of) != 0) for name in known}


def as_columns(model: DomainModel, rows: Iterable[Mapping[str, Value | None]]) -> Columns:
    """Return rows as columns; a missing number is 0 in its column and marked absent.

    Of an entity that is referred to, the presence says where a row has a record of it, and under
    the mark of an input that may be malformed, where it is. Without any row, there are columns of
    all fields that rows are drawn of.
    """
    given = list(rows)
    entities = [entity.name for entity in model.references]
    there = given[0] if given else {*(item.name for item in model.with_role(*STORED)), *entities}
    names = [name for name in model.fields if name in there]
    lacking = [name for name in entities if name in there]
    optional = [name for name in names if model.fields[name].missing]
    marks = [
        mark
        for item in model.malformable
        if item.name in there or name_malformed_mark(item.name) in there
        for mark in [name_malformed_mark(item.name)]
    ]
    atoms = [name for name in names if not isinstance(model.fields[name].type, ListType)]
    return Columns(
        count=len(given),
        values={name: _build_atom_column(model.fields[name], given) for name in atoms},
        present={
            name: np.array([row.get(name) is not None for row in given], dtype=bool)
            for name in (*optional, *lacking, *marks)
        },
        lists={
            name: _build_list_column(model.fields[name], given)
            for name in names
            if name not in atoms
        },
    )


def as_rows(model: DomainModel, columns: Columns) -> list[dict[str, Value | None]]:
    """Return columns of all that records hold as rows: None where a row has no value."""
    entities = {name: entity for entity in model.references for name in entity.fields}
    order = [*(item.name for item in model.with_role(*STORED)), *(e.name for e in model.references)]
    order += [name_malformed_mark(item.name) for item in model.malformable]
    cells = {name: _list_cells(columns, name) for name in order}
    for name, entity in entities.items():
        if name in cells:
            cells[name] = _blank_missing_cells(cells[name], columns.present[entity.name])
    return [dict(zip(cells, row, strict=True)) for row in zip(*cells.values(), strict=True)]


def _list_cells(columns: Columns, name: str) -> list[Value | None]:
    """Return the values of a name, row by row; of an entity that is referred to, 1 or None."""
    if name in columns.lists:
        listed = columns.lists[name]
        cells = _list_items(listed)
    elif name in columns.values:
        cells = columns.values[name].tolist()
    else:
        return _blank_missing_cells([1] * columns.count, columns.present[name])
    there = columns.present.get(name)
    return cells if there is None else _blank_missing_cells(cells, there)


def _blank_missing_cells(cells: list[Value | None], there: Column) -> list[Value | None]:
    return [cell if found else None for cell, found in zip(cells, there.tolist(), strict=True)]


def _list_items(listed: ListColumn) -> list[Value | None]:
    names = list(listed.fields)
    rows = zip(*(listed.fields[name].tolist() for name in names), strict=True)
    return [
        tuple(dict(zip(names, item, strict=True)) for item in list(zip(*row, strict=True))[:count])
        for row, count in zip(rows, listed.lengths.tolist(), strict=True)
    ]


def _build_atom_column(item: Field, rows: list[Mapping[str, Value | None]]) -> Column:
    if isinstance(item.type, TextType):
        return np.array([row[item.name] or "" for row in rows], dtype=object)
    return np.array([row[item.name] or 0 for row in rows], dtype=np.int64)


def _build_list_column(item: Field, rows: list[Mapping[str, Value | None]]) -> ListColumn:
    kind = item.type
    if not isinstance(kind, ListType):
        raise TypeError(f"'{item.name}' is no list")
    listed = [list_items(row[item.name]) for row in rows]
    fields = {}
    for name, part in kind.fields:
        empty: str | int = "" if isinstance(part, TextType) else 0
        cells = [
            [*(entry[name] for entry in entries), *[empty] * (kind.size - len(entries))]
            for entries in listed
        ]
        column = np.array(cells, dtype=object if empty == "" else np.int64)
        # Of no rows, numpy has made a column that is no matrix.
        fields[name] = column.reshape(len(listed), kind.size)
    return ListColumn(fields, np.array([len(entries) for entries in listed], dtype=np.int64))
