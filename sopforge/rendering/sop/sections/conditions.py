"""Conditional sentences of the SOP: one line, or a list of the cases that lead to one result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from sopforge.domain.language.expressions import AllOf, AnyOf, Expression, constants_named
from sopforge.domain.model import DomainModel
from sopforge.logic.english import english, english_items
from sopforge.logic.phrasing.brackets import LISTED_FROM, is_lettered, is_open
from sopforge.logic.phrasing.idioms import bare, runs
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.wording import ALL_HOLD, ANY_HOLDS, Frame, capitalized, items

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Case:
    """A condition, and the model item that a line about it states."""

    name: str
    condition: Expression

    @property
    def states(self) -> tuple[str, ...]:
        """What a line with the condition states."""
        return stated(self.name, self.condition)


def conditional_lines(
    model: DomainModel, style: Style, frame: Frame, cases: Sequence[Case], result: str
) -> Iterator[Line]:
    """Return the lines that say: in each of the cases, the result holds."""
    states = tuple(dict.fromkeys(name for case in cases for name in case.states))
    condition = cases[0].condition
    if len(cases) == 1 and not is_listed(condition):
        words = english(condition, model.fields)
        yield Line(style, frame.sentence(words, result, is_open=is_open(condition)), states)
        return
    is_all = len(cases) == 1 and isinstance(bare(condition), AllOf)
    yield Line(style, frame.heading(ALL_HOLD if is_all else ANY_HOLDS, result), states)
    yield from listed_lines(model, cases)


def condition_lines(model: DomainModel, style: Style, case: Case) -> Iterator[Line]:
    """Return the lines that say a condition alone."""
    if is_listed(case.condition):
        is_all = isinstance(bare(case.condition), AllOf)
        yield Line(style, f"{capitalized(ALL_HOLD if is_all else ANY_HOLDS)}:", case.states)
        yield from listed_lines(model, [case])
        return
    yield Line(style, f"{capitalized(english(case.condition, model.fields))}.", case.states)


def listed_lines(model: DomainModel, cases: Sequence[Case]) -> Iterator[Line]:
    """Return the conditions of the cases as one list, without a list in it."""
    parts = [(case, text) for case in cases for text in _items(model, case, len(cases) > 1)]
    for (case, _), text in zip(parts, items([text for _, text in parts]), strict=True):
        yield Line(Style.NESTED, text, case.states)


def neighbours(things: Sequence[Thing], key: Callable[[Thing], object]) -> list[list[Thing]]:
    """Return runs of things that have the same result; ``key`` gives it, None stands alone."""
    runs: list[list[Thing]] = []
    for result, run in groupby(things, key):
        group = list(run)
        runs += [[thing] for thing in group] if result is None else [group]
    return runs


def stated(name: str, *expressions: Expression) -> tuple[str, ...]:
    """Return what a line states: the thing named, and the constants in its expressions."""
    named = frozenset().union(*(constants_named(expression) for expression in expressions))
    return (name, *(f"policy {constant}" for constant in sorted(named)))


def is_listed(condition: Expression) -> bool:
    """Tell whether a condition is a group that is long or mixed enough for a list of its own."""
    inner = bare(condition)
    if not isinstance(inner, AllOf | AnyOf):
        return False
    return len(runs(inner)) >= LISTED_FROM or is_lettered(inner)


def _items(model: DomainModel, case: Case, is_among_others: bool) -> list[str]:  # noqa: FBT001
    """Return the items for a case in a list of alternatives, or for a case alone."""
    if is_among_others and not isinstance(bare(case.condition), AnyOf):
        return [english(case.condition, model.fields)]
    return english_items(case.condition, model.fields)
