"""Sharpening: once it is known about what an agent is mistaken, finer mistakes and nearer cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain, pairwise, takewhile

import numpy as np
import numpy.typing as npt

from sopforge.evaluation.diagnosis.figures import Figure, Mistaken, list_figures
from sopforge.evaluation.diagnosis.hypotheses import Answer, answer_by
from sopforge.language.domain.fields import STORED, Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    BooleanType,
    DateType,
    EnumType,
    NumberType,
    OrderedType,
    Value,
)
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.dataset.records import Row
from sopforge.proof.dataset.sampling.bulk import as_columns
from sopforge.proof.dataset.sampling.sampling import sample_row
from sopforge.proof.dataset.sampling.screening import choose_screening

_MOST_FINER = 30
"""How many values of a figure are tried at once."""
_PROBES = (1, -1, 10, 100)
"""By how many units a figure is moved to see what hangs on it."""
_MOST_BASES, _MOST_ROWS, _MOST_VALUES = 8, 20_000, 24
"""From how many cases others are made, how many at most, and values of each field."""
_MOST_CASES = 40
_MOST_DIGITS = 18


def list_finer_values(tried: Iterable[int], likely: Sequence[int], right: int) -> list[int]:
    """Return values of a figure between likely ones and the nearest that were tried: round ones.

    >>> list_finer_values([50, 70, 100], [70], 100)
    [52, 54, 56, 58, 60, 62, 64, 66, 68, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98]
    >>> list_finer_values([69, 70, 73], [70], 100)
    [71, 72]
    """
    span = max(2, *(abs(value - right) for value in likely))
    known = sorted({*tried, *likely, right, min(likely) - span, max(likely) + span})
    gaps = [pair for pair in pairwise(known) if set(pair) & set(likely)]
    room = sum(high - low - 1 for low, high in gaps)
    # From the finest step that gives few values down, until one gives any.
    for step in reversed(_list_steps(room // _MOST_FINER)):
        found = [value for low, high in gaps for value in _list_multiples(low, high, step)]
        if found:
            return found
    return []


def _list_steps(least: int) -> list[int]:
    """Return 1, 2, 5, 10, 20, 50 and so on, up to the first one above a number.

    >>> _list_steps(7)
    [1, 2, 5, 10]
    """
    powers = range(len(str(least)) + 1)
    steps = [digit * 10**power for power in powers for digit in (1, 2, 5)]
    return [*takewhile(lambda step: step <= least, steps), next(s for s in steps if s > least)]


def _list_multiples(low: int, high: int, step: int) -> list[int]:
    return [place * step for place in range(low // step + 1, -(-high // step))]


def propose_mistakes(
    model: DomainModel, row: Row, right: Answer, stated: Answer
) -> Iterator[Mistaken]:
    """Yield the figures by another value of which exactly this wrong answer is worked out.

    A number in it says about which value, where it follows from the figure by a line or a part of
    one: what is rounded or has a highest value follows a line over some distance alone.
    """
    for figure in list_figures(model):
        for value in sorted(_guess_values(model, figure, row, (right, stated))):
            found = figure.take_for(value)
            if found is not None and answer_by(found.model, {"": row}, [""])[""] == stated:
                yield found


def _guess_values(
    model: DomainModel, figure: Figure, row: Row, answers: tuple[Answer, Answer]
) -> set[int]:
    """Return what a figure may have been, by an outcome: the right one, and as stated."""
    right, stated = answers
    guesses: set[int] = set()
    for probe in _PROBES:
        moved = figure.take_for(figure.value + probe)
        if moved is None:
            continue
        other = answer_by(moved.model, {"": row}, [""])[""]
        for item in model.outcomes:
            if isinstance(item.type, NumberType | DateType):
                numbers = (_read_number(item, answer) for answer in (right, other, stated))
                guesses |= _extend_line(figure.value, probe, *numbers)
    return guesses - {figure.value}


def _extend_line(
    value: int, probe: int, right: int | None, moved: int | None, stated: int | None
) -> set[int]:
    """Return the values about the one at which a line through two others is as stated.

    >>> sorted(_extend_line(12, 1, 1200, 1300, 1400))
    [13, 14, 15]
    >>> sorted(_extend_line(12, 10, 1200, 1211, 1213))
    [22, 23, 24]
    """
    if right is None or stated is None or moved is None or moved == right:
        return set()
    place = value + (stated - right) * probe // (moved - right)
    return {place - 1, place, place + 1}


def _read_number(item: Field, answer: Answer) -> int | None:
    """Return a number or day in units of its last place; it may be beyond what the field allows."""
    cell = answer.get(item.name, "")
    try:
        if isinstance(item.type, NumberType):
            number = Decimal(cell)
            # An agent may say any number: of these digits there is no figure.
            if number.adjusted() > _MOST_DIGITS:
                return None
            return int(number.scaleb(item.type.places))
        found = item.parse(cell)
    except (ArithmeticError, ValueError):
        return None
    return found if isinstance(found, int) else None


def find_distinguishing_rows(
    model: DomainModel, bases: Sequence[Row], mistakes: Sequence[Mistaken], *, proves: bool
) -> list[Row]:
    """Return cases near others that distinguish some mistakes, the most evenly dividing first.

    If it ``proves``, also those at which all of them show. Each differs from a given one in a
    field; all satisfy the constraints of the model.
    """
    drawn = sample_row(model, 0, 0)  # what no record holds, and no rule reads
    whole = [{**drawn, **base} for base in bases[:_MOST_BASES]]
    made = list(_iterate_near_rows(model, whole, mistakes))[:_MOST_ROWS]
    if not made:
        return []
    verdicts = choose_screening(model).judge_rows(as_columns(model, made))
    sound = [
        row for row, verdict in zip(made, verdicts, strict=True) if not isinstance(verdict, str)
    ]
    rows = {str(number): row for number, row in enumerate(sound)}
    shown = list(find_distinguished(model, rows, [item.model for item in mistakes]))
    if not rows or not shown:
        return []
    table = np.array([[name in tasks for name in rows] for tasks in shown])
    return [sound[place] for place in _choose_columns(table, proves=proves)]


def _choose_columns(table: npt.NDArray[np.bool_], *, proves: bool) -> list[int]:
    """Return columns with different patterns, those that divide the rows most evenly first."""
    most = len(table)
    patterns: dict[bytes, list[int]] = {}
    for place, total in enumerate(table.sum(axis=0).tolist()):
        if 0 < total < most + proves:
            patterns.setdefault(table[:, place].tobytes(), []).append(place)
    # Two of each: what one case shows, another confirms.
    pairs = [places[: 1 + (len(places) > 1)] for places in patterns.values()]
    pairs.sort(key=lambda places: abs(2 * int(table[:, places[0]].sum()) - most))
    return list(chain.from_iterable(pairs))[:_MOST_CASES]


def _iterate_near_rows(
    model: DomainModel, bases: Sequence[Row], mistakes: Sequence[Mistaken]
) -> Iterator[dict[str, Value | None]]:
    moves = {
        (item.value, item.value - item.figure.value, item.figure.places)
        for item in mistakes
        if item.figure is not None
    }
    for base in bases:
        for item in model.with_role(*STORED):
            value = base.get(item.name)
            # A record that is referred to may be that of other cases, too.
            is_own = item.name in model.case.fields
            if item.sampling.unique or not is_own or not isinstance(value, int):
                continue
            for other in _list_values(item, value, sorted(moves)):
                yield {**base, item.name: other}


def _list_values(item: Field, value: int, moves: Sequence[tuple[int, int, int]]) -> list[int]:
    """Return what else a field may hold: each label, or numbers where the mistakes differ."""
    low, high = item.type.bounds
    if isinstance(item.type, EnumType | BooleanType):
        return [other for other in range(low, high + 1)[:_MOST_VALUES] if other != value]
    if not isinstance(item.type, OrderedType):
        return []
    places = item.type.places if isinstance(item.type, NumberType) else 0
    found = {value - 1, value + 1}
    for number, change, own in moves:
        absolute, moved = _rescale(number, own, places), _rescale(change, own, places)
        for near in (absolute, value + moved, value - moved):
            found |= {near - 1, near, near + 1}
    return sorted(other for other in found if low <= other <= high and other != value)


def _rescale(number: int, places: int, other: int) -> int:
    factor = int(10 ** abs(other - places))
    return number * factor if other >= places else number // factor


def list_bases(rows: Mapping[str, Row], answers: Iterable[Mapping[str, Answer]]) -> list[Row]:
    """Return the cases at which mistakes show, those at which most do first."""
    counts: dict[str, int] = {}
    for shown in answers:
        for task in shown:
            counts[task] = counts.get(task, 0) + 1
    ordered = sorted((task for task in counts if task in rows), key=lambda task: -counts[task])
    return [rows[task] for task in ordered]
