"""Which tasks distinguish another model from the right one, worked out for all of them at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sopforge.dataset.coverage.noticing import Comparison
from sopforge.dataset.records import Row
from sopforge.dataset.sampling.bulk import as_columns
from sopforge.domain.model import DomainModel
from sopforge.solving.unfolded_columns import ColumnUnfolder


def find_distinguished(
    model: DomainModel, rows: Mapping[str, Row], others: Sequence[DomainModel]
) -> Iterator[frozenset[str]]:
    """Yield for each other model the tasks at which it comes to another outcome.

    Raises:
        TooManyStepsError: the back edges of the model unroll into too many steps.
    """
    if not rows:
        yield from (frozenset[str]() for _ in others)
        return
    names, columns = list(rows), as_columns(model, list(rows.values()))
    comparison = Comparison(_ask_for_outcomes(model), partial(ColumnUnfolder, columns))
    for other in map(_ask_for_outcomes, others):
        # One value may stand for all rows, where they do not differ in it.
        apart = comparison.compare(other).outcomes
        is_apart = [bool(apart)] * len(names) if apart.ndim == 0 else apart.tolist()
        yield frozenset(name for name, differs in zip(names, is_apart, strict=True) if differs)


def _ask_for_outcomes(model: DomainModel) -> DomainModel:
    """Return a model of whose values the outcomes alone are answers."""
    fields = {name: replace(item, scored=False) for name, item in model.fields.items()}
    return replace(model, fields=fields)
