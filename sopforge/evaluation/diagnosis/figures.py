"""Figures: the numbers and days of a model, any of which somebody may take for another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias, TypeGuard

from sopforge.harness.layers.own_rules import take_own_rules
from sopforge.harness.layers.queue.memory import change_limits
from sopforge.language.domain.expressions.expressions import (
    Constant,
    Expression,
    Lookup,
    iterate_parts,
)
from sopforge.language.domain.expressions.numbers import TypeRuleError
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    EnumType,
    NumberType,
    OrderedType,
    require_integer,
)
from sopforge.language.logic.variants.slots import Slot, collect_slots
from sopforge.language.logic.variants.substitution import replace_part
from sopforge.proof.dataset.mutants.about import About
from sopforge.proof.dataset.mutants.expression_mistakes import format_constant, shift_constant
from sopforge.proof.dataset.mutants.mutants import Mutant

_Put: TypeAlias = Callable[[Constant], DomainModel]
_SHARES = (0.25, 0.5, 0.75, 0.9, 1.1, 1.25, 1.5, 2, 4)
_DAYS = (-365, -90, -30, -7, 7, 30, 90, 365)
_NEAR = (-1, 1)


@dataclass(frozen=True, slots=True)
class Figure:
    """A number or day of the rules that an agent follows; ``name`` distinguishes it from others.

    ``constant`` is its name in the policy, if it has one.
    """

    model: DomainModel
    name: str
    words: str
    right: Constant
    put: _Put
    constant: str = ""

    @property
    def value(self) -> int:
        """What is right, in units of its last place."""
        return require_integer(self.right.value)

    @property
    def places(self) -> int:
        """How many decimal places its values have."""
        return self.right.type.places if isinstance(self.right.type, NumberType) else 0

    def list_far_values(self) -> list[int]:
        """Return other values: the nearest, and some that are far off."""
        value = self.value
        if isinstance(self.right.type, NumberType):
            far = [round(value * share) for share in _SHARES]
            low = min(0, value)
        else:
            far, low = [value + days for days in _DAYS], 0
        near = [value + step for step in _NEAR]
        return [item for item in dict.fromkeys((*near, *far)) if item != value and item >= low]

    def take_for(self, value: int) -> Mistaken | None:
        """Return the mistake of who takes it for another value, None where no rule could have it.

        Nor is there one where only tools work with it.
        """
        try:
            other = shift_constant(self.right, value - self.value)
            found = None if other is None else take_own_rules(self.model, self.put(other))
        except TypeRuleError:
            return None
        if other is None or found is None or found == self.model:
            return None
        shown = format_constant(other)
        mutant = Mutant(
            f"{self.name} {shown}", f"{self.words} {shown}", found, About.LIMIT, self.constant
        )
        return Mistaken(mutant, found, self, value)


@dataclass(frozen=True, slots=True)
class Mistaken:
    """A mistake, with the model as somebody follows it who makes it.

    If it is about a ``figure``, ``value`` is what he takes it for.
    """

    mutant: Mutant
    model: DomainModel
    figure: Figure | None = None
    value: int = 0


def list_figures(model: DomainModel) -> list[Figure]:
    """Return the limits of the policy, and each other number of rules and tables."""
    found = [*_iterate_limits(model)]
    for slot in collect_slots(model).values():
        found += _iterate_numbers(model, slot)
    return found


def _iterate_limits(model: DomainModel) -> Iterator[Figure]:
    for name, item in model.policy.items():
        if isinstance(item.constant.type, OrderedType):
            put = partial(_put_limit, model, name)
            yield Figure(model, f"limit {name}", f"{name} of", item.constant, put, name)


def _put_limit(model: DomainModel, name: str, other: Constant) -> DomainModel:
    return change_limits(model, [(name, require_integer(other.value))])


def _iterate_numbers(model: DomainModel, slot: Slot) -> Iterator[Figure]:
    """Yield the numbers without a name in an expression: limits, amounts, cells of tables."""
    cells: set[int] = set()
    number = 0
    for part in iterate_parts(slot.expression):
        if isinstance(part, Lookup):
            cells |= {id(entry) for entry in part.entries}
            yield from _iterate_cells(model, slot, part)
    for part in iterate_parts(slot.expression):
        if _is_number(part) and id(part) not in cells:
            number += 1
            shown = format_constant(part)
            put = partial(_put_number, slot, part)
            name = f"number {number} of {slot.id}"
            yield Figure(model, name, f"{slot.words}, for {shown} it takes", part, put)


def _is_number(part: Expression) -> TypeGuard[Constant]:
    return isinstance(part, Constant) and not part.name and isinstance(part.type, NumberType)


def _put_number(slot: Slot, part: Constant, other: Constant) -> DomainModel:
    return slot.put(replace_part(slot.expression, part, other))


def _iterate_cells(model: DomainModel, slot: Slot, table: Lookup) -> Iterator[Figure]:
    labels = table.key.type.values if isinstance(table.key.type, EnumType) else ()
    for place, entry in enumerate(table.entries):
        if _is_number(entry) and place < len(labels):
            put = partial(_put_cell, slot, table, place)
            words = f"{slot.words}, row {labels[place]}, for {format_constant(entry)} it takes"
            yield Figure(model, f"cell {slot.name}.{labels[place]}", words, entry, put)


def _put_cell(slot: Slot, table: Lookup, place: int, other: Constant) -> DomainModel:
    entries = (*table.entries[:place], other, *table.entries[place + 1 :])
    return slot.put(replace_part(slot.expression, table, replace(table, entries=entries)))
