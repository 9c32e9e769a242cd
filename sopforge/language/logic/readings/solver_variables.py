"""The variables of a solver's question: what stands for fields, and what their types promise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import z3

from sopforge.language.domain.expressions.expressions import Relation
from sopforge.language.domain.values.patterns import Pattern
from sopforge.language.domain.values.text_shapes import Shape, find_shape
from sopforge.language.domain.values.types import Atom, SetType, TextType, ValueType
from sopforge.language.logic.readings.solver_terms import Terms

Term: TypeAlias = z3.ArithRef | z3.BoolRef | tuple[z3.ArithRef, ...]


@dataclass(slots=True)
class Variables:
    """The variables of a question, named on first use, in a context of its own.

    ``values`` holds, per field, one variable, or one per member of a set; ``present`` holds the
    presence bits, ``lengths`` the number of items of lists. ``limits`` collects what the types
    promise of them, ``texts`` the numbers of the texts that occur, and ``patterned`` the variables
    of texts that follow a pattern.

    ``optional`` names, per field that may have no value, what must be there for it to have one. A
    field without a value is read as nothing, as evaluation reads it: 0, the empty text, no items.
    """

    context: z3.Context
    optional: Mapping[str, Sequence[str]] = field(default_factory=dict)
    values: dict[str, tuple[z3.ArithRef, ...]] = field(default_factory=dict)
    present: dict[str, z3.BoolRef] = field(default_factory=dict)
    lengths: dict[str, z3.ArithRef] = field(default_factory=dict)
    limits: list[z3.BoolRef] = field(default_factory=list)
    texts: dict[str, int] = field(default_factory=dict)
    patterned: list[tuple[str, z3.ArithRef, Shape]] = field(default_factory=list)
    terms: Terms = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.terms = Terms(self.context)

    def get_variable(self, name: str, kind: ValueType) -> Term:
        """Return the variable of a field, or the tuple of its members' variables."""
        if name not in self.values:
            self.values[name] = self._make_variables(name, kind)
        found = self.values[name]
        return found if isinstance(kind, SetType) else found[0]

    def is_present(self, name: str) -> z3.BoolRef:
        """Return the presence bit of a field."""
        if name not in self.present:
            self.present[name] = z3.Bool(f"{name}?", self.context)
        return self.present[name]

    def get_length(self, name: str, size: int) -> z3.ArithRef:
        """Return the number of items of a list of at most ``size``."""
        if name not in self.lengths:
            made = self.lengths[name] = z3.Int(f"{name}#", self.context)
            self.limits.append(
                self._limit_where_present(name, made, self.build_range(made, 0, size), 0)
            )
        return self.lengths[name]

    def build_range(self, item: z3.ArithRef, low: int, high: int) -> z3.BoolRef:
        """Return that an integer lies within bounds, both of which it may be."""
        least = self.terms.compare(Relation.GE, item, self.terms.make_number(low))
        most = self.terms.compare(Relation.LE, item, self.terms.make_number(high))
        return self.terms.conjoin([least, most])

    def encode_atom(self, text: Atom) -> int:
        """Return a constant as an integer; texts are numbered in the order of first use."""
        return text if isinstance(text, int) else self.texts.setdefault(text, len(self.texts))

    def _make_variables(self, name: str, kind: ValueType) -> tuple[z3.ArithRef, ...]:
        if isinstance(kind, SetType):
            names, low, high = [f"{name}#{bit}" for bit in range(len(kind.values))], 0, 1
        else:
            names, (low, high) = [name], kind.bounds
        made = tuple(z3.Int(text, self.context) for text in names)
        nothing = (
            self.encode_atom("") if isinstance(kind, TextType) and name in self.optional else 0
        )
        for item in made:
            if isinstance(kind, TextType):
                limit = self._build_text_limit(name, item, kind)
            else:
                limit = self.build_range(item, low, high)
            self.limits.append(self._limit_where_present(name, item, limit, nothing))
        return made

    def _limit_where_present(
        self, name: str, item: z3.ArithRef, limit: z3.BoolRef, nothing: int
    ) -> z3.BoolRef:
        """Return a limit that holds where the field has a value; elsewhere the item is nothing."""
        needed = [self.is_present(part) for part in self.optional.get(name, ())]
        if not needed:
            return limit
        return z3.If(z3.And(needed), limit, item == nothing)

    def _build_text_limit(self, name: str, item: z3.ArithRef, kind: TextType) -> z3.BoolRef:
        shape = find_shape(kind)
        if shape is not None:
            self.patterned.append((name, item, shape))
            # Which texts it may be is said last, when all that occur have their numbers.
            return item >= 0
        return self.terms.disjoin(
            self.terms.is_number(item, self.encode_atom(text)) for text in kind.pool
        )

    def follow_patterns(self) -> list[z3.BoolRef]:
        """Return that every text of a pattern is one of a list of texts that the pattern has.

        The list has every text that occurs, and of each pattern, and of what patterns share, as
        many further texts as there are variables: enough for all of them to differ.
        """
        terms, count = self.terms, len(self.patterned) + len(self.texts)
        for pattern in _with_shared(pattern for _, _, pattern in self.patterned):
            for number in range(min(count, pattern.size)):
                self.encode_atom(pattern.build_text(number))
        return [
            terms.disjoin(
                [
                    *(terms.negate(self.is_present(part)) for part in self.optional.get(name, ())),
                    terms.make_truth(value=False),
                    *(
                        terms.is_number(item, code)
                        for text, code in self.texts.items()
                        if pattern.has(text)
                    ),
                ]
            )
            for name, item, pattern in self.patterned
        ]


def _with_shared(shapes: Iterable[Shape]) -> list[Shape]:
    """Return shapes in order, and the patterns of the texts that several patterns have."""
    found = list(dict.fromkeys(shapes))
    for place, first in enumerate(found):
        for second in found[:place]:
            if not isinstance(first, Pattern) or not isinstance(second, Pattern):
                continue
            shared = first.intersect(second)
            if shared.size and shared not in found:
                # The loop comes to it too, so that what three patterns share is found as well.
                found.append(shared)
    return found
