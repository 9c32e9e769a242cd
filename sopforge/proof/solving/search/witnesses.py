"""Witnesses: a row that meets a condition and otherwise is as a row that was drawn.

A solver's model changes with its version and with what was asked before, so that it is never used.
The fields are pinned one after the other, each to the drawn row's value where that is possible,
else to the nearest one.

The drawn row has ``amount = 120``, ``age = 30`` and ``urgent = no``; the condition is ``amount >=
500 and not urgent``. The amount is pinned first: 120 is impossible, 500 is the nearest that is not.
The age and the urgency can stay. The witness differs from the row in the amount alone, and whatever
model a solver finds first, each field ends at the same value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import z3

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import (
    Atom,
    Item,
    ListType,
    SetType,
    Value,
    ValueType,
    list_items,
)
from sopforge.proof.solving import budgets
from sopforge.proof.solving.questions import (
    NoRow,
    OpenQuestion,
    Pinning,
    Undecided,
    pose,
)
from sopforge.proof.solving.search.limits import NO_LIMITS, Limits, collect_limits

Row = Mapping[str, Value | None]


def find_witness(
    model: DomainModel, condition: Expression, drawn: Row, units: int | None = None
) -> dict[str, Value | None] | NoRow | Undecided:
    """Return the drawn row, changed as little as the condition and the constraints need.

    Of an entity that the case may lack, the row says whether it has a record, and of an input that
    may be malformed whether it is. Equal arguments give equal rows. Undecided means that a budget
    of so many resource units ran out, whatever other drawn rows would have led to.
    """
    units = budgets.QUESTION if units is None else units
    asked = pose(model, [condition], _iterate_texts(drawn))
    result = asked.check(min(budgets.EASY_WITNESS, units))
    if result == z3.unsat:
        return NoRow()
    limits = collect_limits(condition)
    guesses = {
        name: list(_iterate_guesses(model, asked, drawn, limits, name)) for name in asked.named
    }
    # With most fields fixed a hard question is easy: tried before the whole budget is spent.
    if result == z3.unknown and not _narrow(asked, guesses):
        result = asked.check(units) if units > budgets.EASY_WITNESS else z3.unknown
        if result != z3.sat:
            return NoRow() if result == z3.unsat else Undecided(asked.used)
    asked.solver.set("rlimit", budgets.PIN)
    every = [guess for found in guesses.values() for guess in found]
    return _NearestRow(model, asked, drawn, limits).find(every)


def _iterate_texts(drawn: Row) -> Iterable[str]:
    for value in drawn.values():
        if isinstance(value, str):
            yield value
        for item in list_items(value):
            yield from (part for part in item.values() if isinstance(part, str))


def _iterate_guesses(
    model: DomainModel, asked: OpenQuestion, drawn: Row, limits: Mapping[str, Limits], name: str
) -> Iterator[z3.BoolRef]:
    """Return what most rows meet: a field has its drawn value, or what comes closest."""
    value, kind = drawn.get(name), model.fields[name].type
    if isinstance(kind, ListType):
        yield from _iterate_list_guesses(asked, name, kind, list_items(value))
    elif isinstance(value, int | str):
        yield from _guess(asked, name, kind, value, limits.get(name, NO_LIMITS))


def _iterate_list_guesses(
    asked: OpenQuestion, name: str, kind: ListType, items: Sequence[Item]
) -> Iterator[z3.BoolRef]:
    yield asked.variables.get_length(name, kind.size) == len(items)
    for place, item in enumerate(items):
        for part, inner in kind.fields:
            yield from _guess(asked, f"{name}[{place}].{part}", inner, item[part], NO_LIMITS)


def _guess(
    asked: OpenQuestion, name: str, kind: ValueType, value: Atom, limits: Limits
) -> Iterator[z3.BoolRef]:
    code = asked.variables.encode_atom(value)
    asked.variables.get_variable(name, kind)
    for place, variable in enumerate(asked.variables.values[name]):
        wanted = code >> place & 1 if isinstance(kind, SetType) else limits.clamp_value(code)
        yield variable == wanted


def _narrow(asked: OpenQuestion, guesses: Mapping[str, Sequence[z3.BoolRef]]) -> bool:
    """Return whether a row is found where all fields but a few have their drawn values.

    One field is let free after the other, then ever more of the last ones.
    """
    asked.solver.set("rlimit", budgets.GUESS)
    names = [name for name, found in guesses.items() if found]
    kept = [[other for other in names if other != name] for name in names]
    kept += [names[: len(names) >> halvings] for halvings in range(len(names).bit_length())]
    for some in kept:
        if asked.solver.check(*(guess for name in some for guess in guesses[name])) == z3.sat:
            return True
    return False


class _NearestRow(Pinning):
    """Pins each field to its value in a drawn row, or to the nearest one that is possible."""

    def __init__(
        self, model: DomainModel, asked: OpenQuestion, drawn: Row, limits: Mapping[str, Limits]
    ) -> None:
        super().__init__(model, asked)
        # Also what constraints tie to the question: such a field may have to move along.
        self.fields = tuple(name for name in asked.named if name in drawn)
        self.drawn = drawn
        self.limits = limits
        self.ended = 0

    def is_possible(self, condition: z3.BoolRef) -> bool:
        found = self.solver.check(condition)
        if found == z3.sat:
            self.known = self.solver.model()
        elif found == z3.unknown:
            # Where some pins are beyond the solver, many are: the n-th such gets an n-th of it.
            self.ended += 1
            self.solver.set("rlimit", budgets.PIN // (1 + self.ended))
        return bool(found == z3.sat)

    def find(self, guesses: Sequence[z3.BoolRef]) -> dict[str, Value | None]:
        records = self.pin_records()
        self.pin_together(guesses)
        return {**self.drawn, **self.pin_values(), **records}

    def pin_together(self, guesses: Sequence[z3.BoolRef]) -> None:
        """Pin each guess that is possible beside those before it: many at once where they are."""
        if not guesses:
            return
        whole = z3.And(*guesses)
        # Together first: a question for each field would cost as much as the search itself.
        if z3.is_true(self.evaluate_term(whole)) or self.is_possible(whole):
            self.solver.add(whole)
        elif len(guesses) > 1:
            middle = len(guesses) // 2
            self.pin_together(guesses[:middle])
            self.pin_together(guesses[middle:])

    def is_wanted(self, name: str) -> bool:
        return self.drawn.get(name) is not None

    def pin_length(self, name: str, variable: z3.ArithRef) -> int:
        wanted = len(list_items(self.drawn.get(name)))
        return self.pin_near(variable, wanted, wanted)

    def pin_number(self, name: str, variable: z3.ArithRef, place: int = 0) -> int:
        """Pin a variable to its drawn value or the nearest to it; without one, to the least."""
        drawn, is_set = _get_drawn_part(self.drawn, name), isinstance(self.find_kind(name), SetType)
        code = 0 if drawn is None else self.variables.encode_atom(drawn)
        wanted = code >> place & 1 if is_set else code
        return self.pin_near(variable, wanted, self.limits.get(name, NO_LIMITS).clamp_value(wanted))

    def find_kind(self, name: str) -> ValueType:
        field, _, part = name.partition("[")
        kind = self.model.fields[field].type
        if isinstance(kind, ListType):
            return dict(kind.fields)[part.partition("].")[2]]
        return kind

    def pin_near(self, variable: z3.ArithRef, wanted: int, nearest: int) -> int:
        """Pin a variable to ``nearest`` if possible, else as near to ``wanted`` as is found.

        Of two that are equally near it is the greater one.
        """
        # Tried first: where single comparisons decide, it spares the search by halves.
        if self.evaluate_variable(variable) != nearest and not self.is_possible(
            variable == nearest
        ):
            self.come_near(variable, wanted)
        pinned = self.evaluate_variable(variable)
        self.solver.add(variable == pinned)
        return pinned

    def come_near(self, variable: z3.ArithRef, wanted: int) -> None:
        """Have ``known`` be a row on which a variable is as near to a value as halving finds."""
        # The least distance lies from `low` to `high`, and `known` has one of `high`.
        low, high = 1, abs(self.evaluate_variable(variable) - wanted)
        while low < high:
            middle = (low + high) // 2
            near = z3.And(variable >= wanted - middle, variable <= wanted + middle)
            if self.is_possible(near):
                high = abs(self.evaluate_variable(variable) - wanted)
            else:
                low = middle + 1
        # Without a rule for two that are equally near, the solver's first model would show.
        if self.evaluate_variable(variable) < wanted:
            self.is_possible(variable == wanted + high)


def _get_drawn_part(drawn: Row, name: str) -> Atom | None:
    """Return the drawn value of a field, or of a part of a list's item: ``lines[2].amount``."""
    field, bracket, inner = name.partition("[")
    if not bracket:
        value = drawn.get(name)
        return value if isinstance(value, int | str) else None
    place, _, part = inner.partition("].")
    items = list_items(drawn.get(field))
    return items[int(place)][part] if int(place) < len(items) else None
