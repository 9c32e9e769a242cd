"""Witnesses: a row that meets a condition and otherwise is as a row that was drawn.

A solver's model changes with its version and with what was asked before, so that it is never used.
The fields are pinned one after the other, each to the drawn row's value where that is possible,
else to the nearest one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import z3

from sopforge.domain.expressions import Expression
from sopforge.domain.model import DomainModel
from sopforge.domain.types import (
    Atom,
    AtomType,
    Item,
    ListType,
    SetType,
    TextType,
    Value,
    items_of,
)
from sopforge.solving.limits import NO_LIMITS, Limits, limits_of
from sopforge.solving.questions import Asked, NoRow, Pinning, Undecided, ask

Row = Mapping[str, Value | None]


def find_witness(
    model: DomainModel, condition: Expression, drawn: Row
) -> dict[str, Value | None] | NoRow | Undecided:
    """Return the drawn row, changed as little as the condition and the constraints need.

    Of an entity that the case may lack, the row says whether it has a record. Equal arguments give
    equal rows.
    """
    asked = ask(model, [condition], _texts(drawn))
    if isinstance(asked, NoRow | Undecided):
        return asked
    return _NearestRow(model, asked, drawn, limits_of(condition)).find()


def _texts(drawn: Row) -> Iterable[str]:
    for value in drawn.values():
        if isinstance(value, str):
            yield value
        for item in items_of(value):
            yield from (part for part in item.values() if isinstance(part, str))


class _NearestRow(Pinning):
    """Pins each field to its value in a drawn row, or to the nearest one that is possible."""

    def __init__(
        self, model: DomainModel, asked: Asked, drawn: Row, limits: Mapping[str, Limits]
    ) -> None:
        super().__init__(model, asked)
        self.fields = tuple(name for name in asked.named if name in drawn)
        self.drawn = drawn
        self.limits = limits
        self.wanted = 0
        self.nearest = 0
        self.is_wanted = True

    def find(self) -> dict[str, Value | None]:
        known = self.variables.present
        self.try_together(list(self.guesses()))
        there = {}
        for name in [item.name for item in self.model.references if item.name in known]:
            self.is_wanted = self.drawn[name] is not None
            there[name] = 1 if self.presence(known[name]) else None
        return {**self.drawn, **self.values(), **there}

    def guesses(self) -> Iterator[z3.BoolRef]:
        """Return what most rows meet: each field has its drawn value, or what comes closest."""
        for name in self.fields:
            drawn, kind = self.drawn[name], self.model.fields[name].type
            if isinstance(drawn, int | str) and not isinstance(kind, SetType):
                self.variables.value(name, kind)
                (variable,) = self.variables.values[name]
                limits = self.limits.get(name, NO_LIMITS)
                yield variable == limits.nearest(self.variables.code(drawn))

    def try_together(self, guesses: Sequence[z3.BoolRef]) -> None:
        """Find a row that meets as many of the first guesses as halving them tells."""
        while guesses and not self.is_possible(z3.And(guesses)):
            guesses = guesses[: len(guesses) // 2]

    def value(self, name: str) -> Value | None:
        self.is_wanted = self.drawn.get(name) is not None
        return super().value(name)

    def items(self, name: str, kind: ListType) -> tuple[Item, ...]:
        given = items_of(self.drawn.get(name))
        self.wanted = len(given)
        count = self.number(self.variables.length(name, kind.size))
        return tuple(
            {
                part: self.near(f"{name}[{place}].{part}", inner, _part(given, place, part))
                for part, inner in kind.fields
            }
            for place in range(count)
        )

    def atom(self, name: str, kind: AtomType) -> Atom:
        drawn = self.drawn.get(name)
        return self.near(name, kind, drawn if isinstance(drawn, int | str) else None)

    def near(self, name: str, kind: AtomType, drawn: Atom | None) -> Atom:
        """Pin a value to the drawn one; without one, to the least."""
        code = 0 if drawn is None else self.variables.code(drawn)
        self.variables.value(name, kind)
        numbers = []
        for place, variable in enumerate(self.variables.values[name]):
            self.wanted = code >> place & 1 if isinstance(kind, SetType) else code
            self.nearest = self.limits.get(name, NO_LIMITS).nearest(self.wanted)
            numbers.append(self.number(variable))
        if isinstance(kind, SetType):
            return sum(bit << place for place, bit in enumerate(numbers))
        return self.text(numbers[0]) if isinstance(kind, TextType) else numbers[0]

    def presence(self, present: z3.BoolRef) -> bool:
        wanted = present if self.is_wanted else z3.Not(present)
        is_present = self.is_possible(wanted) == self.is_wanted
        self.solver.add(present if is_present else z3.Not(present))
        return is_present

    def number(self, variable: z3.ArithRef) -> int:
        """Pin a variable to the wanted value or the nearest to it, the greater of two."""
        pinned = self.nearest
        if self.found(variable) != pinned and not self.is_possible(variable == pinned):
            pinned = self.near_to(variable, self.wanted)
        self.solver.add(variable == pinned)
        return pinned

    def near_to(self, variable: z3.ArithRef, wanted: int) -> int:
        """Return the value of a variable that is nearest to a wanted one, found by halving."""
        low, high = 1, abs(self.found(variable) - wanted)
        while low < high:
            middle = (low + high) // 2
            near = z3.And(variable >= wanted - middle, variable <= wanted + middle)
            if self.is_possible(near):
                high = min(middle, abs(self.found(variable) - wanted))
            else:
                low = middle + 1
        above = wanted + high
        return above if self.is_possible(variable == above) else wanted - high


def _part(given: tuple[Item, ...], place: int, part: str) -> Atom | None:
    return given[place][part] if place < len(given) else None
