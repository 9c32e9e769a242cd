"""Tables of a brief with several columns, and the look-ups by two labels that come from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sopforge.sources.account import Account
from sopforge.sources.agreement.doubts import Doubt, Kind
from sopforge.sources.agreement.figures import format_figure
from sopforge.sources.agreement.label_mentions import find_labels
from sopforge.sources.facts import Figure
from sopforge.sources.items import Item
from sopforge.sources.prose.quantities import Quantity
from sopforge.sources.prose.sentences import Kind as SentenceKind

Grid = Mapping[str, Mapping[str, Figure]]
"""The figures of a look-up by the label of their row, and by that of their column."""
_FEW = 2


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of a brief's table: what it is called in a look-up, its words and its figures."""

    label: str
    text: str
    figures: tuple[Quantity, ...]


def find_misplaced_entries(account: Account) -> Iterator[Doubt]:
    """Yield the entries of look-ups that stand in another row or column of the brief's table.

    A column is known by most of its rows, so that its heading need not be a label.
    """
    for item in account.items.values():
        if not item.name.startswith("decisions.") or not item.facts.grid:
            continue
        by_first, by_second = _sort_entries(item)
        for grid in (by_first, by_second):
            rows = list(_iterate_rows(account, grid))
            if len({row.label for row in rows}) == len(rows) > 1:
                yield from _compare(item, grid, rows)


def _sort_entries(item: Item) -> tuple[Grid, Grid]:
    """Return the figures of an item with its first labels as rows, and with its second ones."""
    first: dict[str, dict[str, Figure]] = {}
    second: dict[str, dict[str, Figure]] = {}
    for one, other, figure in item.facts.grid:
        first.setdefault(one, {})[other] = figure
        second.setdefault(other, {})[one] = figure
    return first, second


def _iterate_rows(account: Account, grid: Grid) -> Iterator[_Row]:
    """Yield the rows of the brief that name one row of a look-up and have a figure for each column.

    Of several tables with such rows, only one that has most of the figures is the look-up's.
    """
    labels = tuple(grid)
    for _, sentence in account.iterate_sentences():
        if sentence.kind is not SentenceKind.ROW:
            continue
        figures = account.read_quantities(sentence.text)
        named = find_labels(sentence.text, labels)
        if len(named) != 1:
            continue
        [label] = named
        columns = grid[label].values()
        known = [any(f.is_said_by(quantity) for quantity in figures) for f in columns]
        if len(figures) >= len(known) and sum(known) * _FEW >= len(known):
            yield _Row(label, sentence.text, figures)


def _compare(item: Item, grid: Grid, rows: list[_Row]) -> Iterator[Doubt]:
    """Yield the entries that stand elsewhere than most entries of their column do."""
    for column in grid[rows[0].label]:
        places = Counter(
            place
            for row in rows
            for place, quantity in enumerate(row.figures)
            if grid[row.label][column].is_said_by(quantity)
        )
        [(usual, count), *_] = places.most_common(1) or [(0, 0)]
        if count * _FEW <= len(rows):
            continue
        for row in rows:
            held = grid[row.label][column]
            is_there = usual < len(row.figures) and held.is_said_by(row.figures[usual])
            if usual < len(row.figures) and not is_there:
                shown = f"{row.label}, {column}: {format_figure(held)}"
                yield Doubt(Kind.CELL, row.text, (item.name,), row.figures[usual].text, shown)
