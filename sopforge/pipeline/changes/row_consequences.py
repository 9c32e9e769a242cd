"""What follows for given rows: answers, what tables hold at the end, what becomes of actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeAlias

import numpy as np

from sopforge.language.domain.fields import Entity, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import ListType, TextType
from sopforge.language.logic.readings.vector import (
    Columns,
    evaluate_all,
    make_list_column,
    split_lists,
)
from sopforge.language.logic.tool_calls import Refused
from sopforge.language.logic.walking import Walk
from sopforge.pipeline.changes.known_rows import Row
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.solving.consequences import Consequences, derive_consequences, list_actions
from sopforge.proof.solving.unfolded_places import TooManyStepsError

CARRIED_OUT = "carried out"
NOT_CALLED = "not called"


class ConsequenceKind(StrEnum):
    """What a consequence is: an answer, what a table holds at the end, what became of an action."""

    ANSWER = "answer"
    ON_FILE = "on file"
    ACTION = "action"


Consequence: TypeAlias = tuple[ConsequenceKind, str]
"""A scored field, a field of a table, or the tool that an agent calls."""


def compute_consequences(
    model: DomainModel, rows: Sequence[Row], columns: Iterable[str] = ()
) -> dict[Consequence, list[str]]:
    """Return the cells of all that follows, for each row.

    ``columns`` are fields of tables that are followed beside those that actions change.
    """
    extra = tuple(columns)
    try:
        known = derive_consequences(model, extra)
    except TooManyStepsError:
        return _walk_rows(model, rows, extra)
    found = iter(evaluate_all(known.iterate_expressions(), _build_columns(model, rows)))
    values: dict[Consequence, list[str]] = {}
    for kind, part in (
        (ConsequenceKind.ANSWER, known.answers),
        (ConsequenceKind.ON_FILE, known.on_file),
    ):
        for name in part:
            item, owner = model.fields[name], model.find_owner(name)
            cells = zip(next(found).tolist(), next(found).tolist(), rows, strict=True)
            values[kind, name] = [
                item.format_cell(cell if there and _is_held(owner, row) else None)
                for cell, there, row in cells
            ]
    return {**values, **_read_fates(known, [column.tolist() for column in found])}


def _is_held(owner: Entity | None, row: Row) -> bool:
    """Return whether there is a record for a value that is one of records; columns have 0 else."""
    return owner is None or not owner.table or row[owner.name] is not None


def _read_fates(known: Consequences, met: Sequence[Sequence[bool]]) -> dict[Consequence, list[str]]:
    found: dict[Consequence, list[str]] = {}
    for tool in dict.fromkeys(tool for tool, _ in known.fates):
        fates = [
            (code, column)
            for (name, code), column in zip(known.fates, met, strict=True)
            if name == tool
        ]
        rows = zip(*(column for _, column in fates), strict=True)
        found[ConsequenceKind.ACTION, tool] = [
            format_fates(code for (code, _), is_met in zip(fates, row, strict=True) if is_met)
            for row in rows
        ]
    return found


def format_fates(codes: Iterable[str]) -> str:
    """Return what became of an action: refused with codes, or carried out, which has none.

    >>> format_fates(["", "no_session"]), format_fates([])
    ('carried out, refused (no_session)', 'not called')
    """
    words = [f"refused ({code})" if code else CARRIED_OUT for code in sorted(set(codes))]
    return ", ".join(words) or NOT_CALLED


def collect_walk_fates(model: DomainModel, done: Walk) -> dict[str, str]:
    """Return what became of each action of a case; nothing where a domain has no tables."""
    codes: dict[str, list[str]] = {name: [] for name in list_actions(model)}
    for call in done.calls:
        name = model.tools[call.tool].offered_name
        if name in codes:
            codes[name].append(call.result.code if isinstance(call.result, Refused) else "")
    return {name: format_fates(found) for name, found in codes.items()}


def _walk_rows(
    model: DomainModel, rows: Sequence[Row], columns: Sequence[str]
) -> dict[Consequence, list[str]]:
    walks = [(row, label_row(model, row)) for row in rows]
    answers = [format_answers(model, done) for _, done in walks]
    fates = [collect_walk_fates(model, done) for _, done in walks]
    changing = () if model.operations is None else (*model.list_changing_columns(), *columns)
    on_file = {
        (ConsequenceKind.ON_FILE, name): [
            model.fields[name].format_cell(done.changed.get(name, row[name])) for row, done in walks
        ]
        for name in dict.fromkeys(changing)
    }
    return {
        **{
            (ConsequenceKind.ANSWER, item.name): [cells[item.name] for cells in answers]
            for item in iterate_scored_fields(model)
        },
        **on_file,
        **{
            (ConsequenceKind.ACTION, name): [found[name] for found in fates]
            for name in list_actions(model)
        },
    }


def iterate_scored_fields(model: DomainModel) -> Iterator[Field]:
    """Yield the outcomes, and the intermediate values that are scored beside them."""
    yield from model.outcomes
    yield from model.intermediates


def format_answers(model: DomainModel, done: Walk) -> dict[str, str]:
    """Return what a case is answered; nothing where it came to no end, in an unsound model."""
    known = {} if done.refusal is not None or done.undecided else done.known
    return {
        item.name: item.format_cell(known.get(item.name)) for item in iterate_scored_fields(model)
    }


def _build_columns(model: DomainModel, rows: Sequence[Row]) -> Columns:
    """Return rows as columns, with nothing where a value is read that no path decides."""
    columns = as_columns(model, rows)
    decided = [item for item in model.fields.values() if item.name in model.decisions]
    nothing = {
        item.name: np.zeros(len(rows), dtype=np.int64)
        for item in decided
        if not isinstance(item.type, TextType | ListType)
    }
    lists = {
        item.name: split_lists(item.type, make_list_column([()] * len(rows)))
        for item in decided
        if isinstance(item.type, ListType)
    }
    return replace(columns, values={**nothing, **columns.values}, lists={**lists, **columns.lists})
