"""Conditional sentences of the SOP: one line, or a list of the cases that lead to one result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from sopforge.domain.expressions import AllOf, AnyOf, Expression, constants_named
from sopforge.domain.model import DomainModel
from sopforge.logic.brackets import LISTED_FROM, is_open
from sopforge.logic.english import english
from sopforge.logic.idioms import bare, flattened
from sopforge.rendering.sop_document import Line, Style
from sopforge.rendering.sop_wording import ALL_HOLD, ANY_HOLDS, Frame, items

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
    if len(cases) > 1:
        yield Line(style, frame.heading(ANY_HOLDS, result), states)
        texts = items([english(case.condition, model.fields) for case in cases])
        for case, text in zip(cases, texts, strict=True):
            yield Line(Style.NESTED, text, case.states)
        return
    condition = cases[0].condition
    parts = _listed(condition)
    if not parts:
        words = english(condition, model.fields)
        yield Line(style, frame.sentence(words, result, is_open=is_open(condition)), states)
        return
    opening = ALL_HOLD if isinstance(bare(condition), AllOf) else ANY_HOLDS
    yield Line(style, frame.heading(opening, result), states)
    for text in items([english(part, model.fields) for part in parts]):
        yield Line(Style.NESTED, text, states)


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


def _listed(condition: Expression) -> list[Expression]:
    """Return the conditions of a group that is long enough for a list of its own."""
    inner = bare(condition)
    if not isinstance(inner, AllOf | AnyOf):
        return []
    parts = flattened(inner)
    return parts if len(parts) >= LISTED_FROM else []
