"""Conditional sentences of the SOP: one line, or a list of the cases that lead to one result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    AnyOf,
    Expression,
    collect_named_constants,
)
from sopforge.domain.model import DomainModel
from sopforge.logic.english import phrase_expression, phrase_items, phrase_line
from sopforge.logic.phrasing.alternatives import split_entries
from sopforge.logic.phrasing.brackets import LISTED_FROM, is_group, is_lettered, is_open
from sopforge.logic.phrasing.idioms import list_runs, unwrap_node
from sopforge.rendering.sop.document import Line, Style
from sopforge.rendering.sop.frames import ALL_HOLD, ANY_HOLDS
from sopforge.rendering.sop.wording import Conjunction, capitalize_text, punctuate_items

Thing = TypeVar("Thing")
_PAIR = 2
_LONGEST_PAIR = 110


@dataclass(frozen=True, slots=True)
class Case:
    """A condition, and the model items that a line about it states."""

    name: str
    condition: Expression
    further: tuple[str, ...] = ()

    @property
    def states(self) -> tuple[str, ...]:
        """What a line with the condition states."""
        first, *policy = list_stated_items(self.name, self.condition)
        return (first, *self.further, *policy)


def render_conditional_sentence(
    model: DomainModel, style: Style, conjunction: Conjunction, cases: Sequence[Case], result: str
) -> Iterator[Line]:
    """Return the lines that say: in each of the cases, the result holds."""
    states = tuple(dict.fromkeys(name for case in cases for name in case.states))
    condition = cases[0].condition
    held = lay_out_held(model, condition) if len(cases) == 1 else None
    if held is not None:
        yield Line(style, conjunction.phrase_heading(held.opening, result), states)
        texts = punctuate_items(held.items)
        yield from (Line(Style.NESTED, text, cases[0].states) for text in texts)
        return
    if len(cases) == 1 and not is_listed(condition):
        words = phrase_expression(condition, model.fields)
        text = conjunction.phrase_sentence(
            words, result, is_open=is_open(condition) and "," in words
        )
        yield Line(style, text, states)
        return
    opening = choose_opening(cases)
    yield Line(style, conjunction.phrase_heading(opening, result), states)
    yield from render_condition_list(model, cases)


@dataclass(frozen=True, slots=True)
class HeldEntry:
    """That a list has an entry with several conditions: what is said before these, and they."""

    opening: str
    items: list[str]


def lay_out_held(model: DomainModel, condition: Expression) -> HeldEntry | None:
    """Return as a list that a list has an entry, None for what a row says as well."""
    inner = unwrap_node(condition)
    if not isinstance(inner, Aggregate) or inner.function is not AggregateFunction.ANY:
        return None
    asked = inner.value if inner.where is None else None
    words = phrase_expression(condition, model.fields)
    before, found, _ = words.partition(" for which (")
    if asked is None or not found or not is_listed(asked) or not before.startswith("there is "):
        return None
    is_all = isinstance(unwrap_node(asked), AllOf)
    opening = f"{before} for which {ALL_HOLD if is_all else ANY_HOLDS}"
    return HeldEntry(opening, phrase_items(asked, model.fields))


def choose_opening(cases: Sequence[Case]) -> str:
    """Return what is said before a list of the conditions of the cases."""
    is_all = len(cases) == 1 and isinstance(unwrap_node(cases[0].condition), AllOf)
    return ALL_HOLD if is_all else ANY_HOLDS


def join_pair(model: DomainModel, cases: Sequence[Case]) -> Sequence[Case]:
    """Return two cases that a row says as shortly as a list as one case, others as they are."""
    if len(cases) != _PAIR or any(is_group(case.condition) for case in cases):
        return cases
    both = AnyOf(tuple(case.condition for case in cases))
    words = phrase_expression(both, model.fields)
    if is_listed(both) or len(words) > _LONGEST_PAIR or "(" in words:
        return cases
    first, second = cases
    return [Case(first.name, both, (*first.further, *second.states))]


def render_condition(model: DomainModel, style: Style, case: Case) -> Iterator[Line]:
    """Return the lines that say a condition alone."""
    if is_listed(case.condition):
        is_all = isinstance(unwrap_node(case.condition), AllOf)
        yield Line(style, f"{capitalize_text(ALL_HOLD if is_all else ANY_HOLDS)}:", case.states)
        yield from render_condition_list(model, [case])
        return
    yield Line(
        style, f"{capitalize_text(phrase_expression(case.condition, model.fields))}.", case.states
    )


def render_condition_list(model: DomainModel, cases: Sequence[Case]) -> Iterator[Line]:
    """Return the conditions of the cases as one list, without a list in it."""
    parts = [(case, text) for case in cases for text in _phrase_items(model, case, len(cases) > 1)]
    for (case, _), text in zip(parts, punctuate_items([text for _, text in parts]), strict=True):
        yield Line(Style.NESTED, text, case.states)


def group_neighbours(things: Sequence[Thing], key: Callable[[Thing], object]) -> list[list[Thing]]:
    """Return runs of things that have the same result; ``key`` gives it, None stands alone."""
    runs: list[list[Thing]] = []
    for result, run in groupby(things, key):
        group = list(run)
        runs += [[thing] for thing in group] if result is None else [group]
    return runs


def list_stated_items(name: str, *expressions: Expression) -> tuple[str, ...]:
    """Return what a line states: the thing named, and the constants in its expressions."""
    named = frozenset().union(*(collect_named_constants(expression) for expression in expressions))
    return (name, *(f"policy {constant}" for constant in sorted(named)))


def is_listed(condition: Expression) -> bool:
    """Return whether a condition is a group that is long or mixed enough for a list of its own."""
    inner = unwrap_node(condition)
    if not isinstance(inner, AllOf | AnyOf):
        return False
    return len(list_runs(inner)) >= LISTED_FROM or is_lettered(inner)


def _phrase_items(model: DomainModel, case: Case, is_among_others: bool) -> list[str]:  # noqa: FBT001
    """Return the items for a case in a list of alternatives, or for a case alone."""
    condition = split_entries(case.condition)
    if is_among_others and not isinstance(unwrap_node(condition), AnyOf):
        return [phrase_line(condition, model.fields)]
    return phrase_items(condition, model.fields)
