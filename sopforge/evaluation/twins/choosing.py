"""Choosing: which changes give enough of the tasks another answer, and not too many."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from sopforge.errors import MaterialError
from sopforge.evaluation.twins.changes import ChangeKind, Oddity, RuleChange, iterate_changes
from sopforge.language.domain.documents.yaml_documents import read_document, write_document
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.progress.tracking import track
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.dataset.records import Row
from sopforge.seeds import draw
from sopforge.workspace import DOMAIN

LEAST, MOST = 0.1, 0.3
"""The share of the tasks that get another answer."""
_AIM = (LEAST + MOST) / 2
_TRIED = 12
"""So many changes of a place are tried at once."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A change with the document that it makes, and the tasks that get another answer."""

    change: RuleChange
    document: str
    flips: frozenset[str]


def iterate_chosen(
    document: str, rows: Mapping[str, Row], oddity: Oddity, seed: int
) -> Iterator[Chosen]:
    """Yield the changes that give 10 to 30 percent of the tasks another answer.

    The best of each place comes once, places of all kinds in turn, in an order that ``seed``
    decides.
    """
    model = read_domain(document, DOMAIN)
    places = list(_order_places(document, oddity, seed))
    for changes in track(places, "rules, limits and steps changed in turn", len(places)):
        chosen = _choose(model, document, rows, changes)
        if chosen is not None:
            yield chosen


def _order_places(document: str, oddity: Oddity, seed: int) -> Iterator[list[RuleChange]]:
    """Yield the changes of each place: kinds in turn, within them as the seed has it."""
    found: dict[tuple[ChangeKind, str], list[RuleChange]] = {}
    whole: Any = read_document(document, DOMAIN).value
    for change in iterate_changes(whole["model"]):
        if change.oddity is oddity:
            found.setdefault((change.kind, change.place), []).append(change)
    by_kind = [
        sorted(
            (key for key in found if key[0] is kind), key=lambda key: draw(seed, "twin", str(key))
        )
        for kind in ChangeKind
    ]
    for turn in zip_longest(*by_kind):
        yield from (found[key] for key in turn if key is not None)


def _choose(
    model: DomainModel, document: str, rows: Mapping[str, Row], changes: Sequence[RuleChange]
) -> Chosen | None:
    """Return the change of a place by which nearest to a fifth of the tasks are decided anew."""
    for start in range(0, len(changes), _TRIED):
        made = list(_make_models(model, document, changes[start : start + _TRIED]))
        flips = find_distinguished(model, rows, [other for _, _, other in made])
        fitting = [
            Chosen(change, text, tasks)
            for (change, text, _), tasks in zip(made, flips, strict=True)
            if LEAST * len(rows) <= len(tasks) <= MOST * len(rows)
        ]
        if fitting:
            return min(fitting, key=lambda item: abs(len(item.flips) - _AIM * len(rows)))
    return None


def _make_models(
    model: DomainModel, document: str, changes: Sequence[RuleChange]
) -> Iterator[tuple[RuleChange, str, DomainModel]]:
    """Yield the changes that make a model of the same cases, with its document."""
    whole: Any = read_document(document, DOMAIN).value
    for change in changes:
        text = write_document({**whole, "model": change.apply(whole["model"])})
        try:
            other = read_domain(text, DOMAIN)
        except MaterialError:
            continue  # no value that the model could hold
        # A case that does not satisfy its constraints would be none.
        if other.constraints == model.constraints and other.fields == model.fields:
            yield change, text, other
