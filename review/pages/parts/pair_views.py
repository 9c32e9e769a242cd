"""Pairs side by side: a case that changes nothing, and its neighbour that does, one datum apart."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from review.pages.page import Query
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.walking import Walk
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.pairs.contrasting import (
    Apart,
    FiledChange,
    compare_pair,
    list_filed_changes,
    phrase_node,
)
from sopforge.proof.dataset.pairs.deciding import has_acted
from sopforge.proof.dataset.pairs.refusal_pairs import Alone
from sopforge.proof.dataset.sampling.rows import read_rows
from sopforge.workspace import parse_model

PAGE = 12
WHY_ALONE: Mapping[str, str] = {
    Alone.NO_DATUM: "no value that a case states and no record decides it",
    Alone.PROVED: "it is proved that changing any one value that it reads never lets the case act",
    Alone.SAME_LEAF: "with one value changed, cases act, but this refusal still decides as before",
    Alone.NO_TASK: (
        "a neighbouring case would repeat another task, or no number is free for its records"
    ),
    Alone.UNDECIDED: "the search could not settle whether such a neighbouring case exists",
}
NOT_KEPT = "the dataset does not record the reason"

Row = Mapping[str, Value | None]


@dataclass(frozen=True, slots=True)
class Stated:
    """A value that both tasks of a pair state; ``is_apart`` marks the datum."""

    label: str
    cells: tuple[str, str]
    is_apart: bool


@dataclass(frozen=True, slots=True)
class Side:
    """A task of a pair: its answers, how the leaf decides, and what it changes on file."""

    task: str
    answers: tuple[tuple[str, str], ...]
    reason: str
    filed: tuple[FiledChange, ...]


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair: what decides, the datum apart, and both tasks, the refused one first."""

    leaf: str
    node: str
    apart: tuple[Apart, ...]
    stated: tuple[Stated, ...]
    sides: tuple[Side, Side]


@dataclass(frozen=True, slots=True)
class PairList:
    """A page of the pairs, and the leaves without one, each with the reason."""

    pairs: tuple[PairView, ...]
    total: int
    page: int
    pages: int
    alone: tuple[tuple[str, str, str], ...]


def has_pairs(tasks: Sequence[Task]) -> bool:
    """Return whether tasks come in pairs, or could: only where tables hold records."""
    return any(task.end_state is not None for task in tasks)


def build_pair_list(
    domain: str, rows: str, tasks: Sequence[Task], coverage: str, query: Query
) -> PairList:
    """Return the page of pairs that is asked for; a number beyond the last page is the last."""
    model, found = parse_model(domain), index_rows(domain, rows)
    grouped: dict[str, list[Task]] = {}
    for task in tasks:
        if task.pair:
            grouped.setdefault(task.pair, []).append(task)
    # Only a dataset that somebody has edited has pairs of another number, or tasks without a row.
    whole = {
        leaf: (both[0], both[-1])
        for leaf, both in sorted(grouped.items())
        if both[1:] and all(task.key in found for task in both)
    }
    pages = max(1, -(-len(whole) // PAGE))
    page = min(_parse_page(query.get("pair_page", "")), pages)
    shown = list(whole.items())[PAGE * (page - 1) : PAGE * page]
    return PairList(
        tuple(_build_pair(model, leaf, both, found) for leaf, both in shown),
        len(whole),
        page,
        pages,
        _list_alone(model, coverage),
    )


@lru_cache(maxsize=16)
def index_rows(domain: str, rows: str) -> Mapping[str, Row]:
    """Return the drawn rows by their keys."""
    return {item.key: item.row for item in read_rows(parse_model(domain), rows)}


def list_task_changes(domain: str, rows: str, task: Task) -> tuple[FiledChange, ...] | None:
    """Return what a task changes on file; None where there are no tables, or no row of it."""
    row = index_rows(domain, rows).get(task.key) if task.end_state is not None else None
    model = parse_model(domain)
    return None if row is None else list_filed_changes(model, row, label_row(model, row))


def _build_pair(
    model: DomainModel, leaf: str, both: tuple[Task, Task], rows: Mapping[str, Row]
) -> PairView:
    walks = {task.id: label_row(model, rows[task.key]) for task in both}
    # Not by what is on file: an action may leave there what was there.
    refused, other = sorted(both, key=lambda task: has_acted(model, walks[task.id]))
    contrast = compare_pair(model, leaf, rows[refused.key], rows[other.key])
    labels = {item.label for item in contrast.apart}
    stated = tuple(
        Stated(
            item.label, (refused.inputs[item.name], other.inputs[item.name]), item.label in labels
        )
        for item in model.inputs
        if item.name in refused.inputs and item.name in other.inputs
    )
    sides = (
        _build_side(model, refused, rows[refused.key], walks[refused.id], contrast.refused),
        _build_side(model, other, rows[other.key], walks[other.id], contrast.carried_out),
    )
    return PairView(leaf, contrast.node, contrast.apart, stated, sides)


def _build_side(model: DomainModel, task: Task, row: Row, walk: Walk, reason: str) -> Side:
    answers = tuple(
        (model.fields[name].label, cell)
        for name, cell in {**task.outcomes, **task.intermediates}.items()
    )
    return Side(task.id, answers, reason, list_filed_changes(model, row, walk))


def _list_alone(model: DomainModel, coverage: str) -> tuple[tuple[str, str, str], ...]:
    """Return the leaves without a pair: name, what they are of, and why."""
    report: dict[str, Any] = json.loads(coverage).get("pairs", {}) if coverage else {}
    why = report.get("why_alone", {})
    return tuple(
        (leaf, phrase_node(model, leaf), WHY_ALONE.get(why.get(leaf, ""), NOT_KEPT))
        for leaf in report.get("alone", ())
    )


def _parse_page(text: str) -> int:
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(10**6))
    return max(1, int(text)) if is_number else 1
