"""Lists: how many entries there are, which of them, and what is taken of each."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.domain.language.expressions import Aggregate, AllOf, Element, Expression, Fold
from sopforge.logic.english.groups import Groups
from sopforge.logic.english.names import ENTRYS
from sopforge.logic.english.numbers import to_places
from sopforge.logic.phrasing.brackets import as_operand, as_side, fenced, unit_of
from sopforge.logic.phrasing.grammar import be, listed
from sopforge.logic.phrasing.idioms import Mean, bare, of_entries

_NO_ENTRY = "if there is no such entry"


class Entries(Groups):
    """Phrases what is asked of the entries of a list."""

    def aggregate(self, node: Aggregate) -> str:
        match node.fold:
            case Fold.COUNT:
                return f"the number of {self.entries(node)}"
            case Fold.SUM:
                return f"the sum of {self.over(node)}"
            case Fold.MINIMUM | Fold.MAXIMUM:
                word = "smallest" if node.fold is Fold.MINIMUM else "largest"
                return f"the {word} value of {self.over(node)}, or {self.without(node)} {_NO_ENTRY}"
            case Fold.ANY:
                return self.holding(node, "an")
            case Fold.ALL:
                return self.every(node)

    def average(self, node: Mean) -> str:
        """Return a rounded average, which the tree holds as a choice."""
        over = f"the average of {self.over(node.total)}"
        default = as_operand(node.default, self.phrase(node.default))
        return f"{to_places(over, node.places)}, or {default} {_NO_ENTRY}"

    def over(self, node: Aggregate) -> str:
        """Return what is taken of each item, and of which items."""
        value = node.value
        if value is None:
            return f"the {self.entries(node)}"
        inner = bare(value)
        if isinstance(inner, Element):
            return f"the {self.part(inner)} of the {self.entries(node)}"
        return f"{as_side(value, self.phrase(value))} over the {self.entries(node)}"

    def entries(self, node: Aggregate) -> str:
        """Return the items that are folded."""
        every = f"entries in {self.named(node.list)}"
        return every if node.where is None else f"{every} {self.sifted(node.where)}"

    def sifted(self, condition: Expression) -> str:
        """Return which entries meet a condition."""
        facts = [self.phrase(part) for part in of_entries(condition)]
        if not facts:
            return f"for which {fenced(condition, self.phrase(condition))}"
        return listed([fact.replace(ENTRYS, "whose ", 1) for fact in facts])

    def holding(self, node: Aggregate, number: str) -> str:
        """Return how many entries of a list meet the conditions."""
        parts = [part for part in (node.where, node.value) if part is not None]
        verb = "hold" if be(self.fields[node.list].label) == "are" else "holds"
        entry = "entry" if number.endswith(("an", "no", " 1")) else "entries"
        return f"{self.named(node.list)} {verb} {number} {entry} {self.which(parts)}"

    def which(self, parts: Sequence[Expression]) -> str:
        """Return which entries meet one or two conditions."""
        first, *others = parts
        if not others:
            return self.sifted(first)
        if all(map(of_entries, parts)):
            return listed([self.sifted(fact) for part in parts for fact in of_entries(part)])
        both = AllOf(tuple(parts))
        return f"for which {fenced(both, self.joined(both, 'all of these hold'))}"

    def without(self, node: Aggregate) -> str:
        """Return what stands for the value where there is no item."""
        default = node.default
        if default is None:
            return "0"
        return as_operand(default, self.phrase(default), unit_of(node))

    def every(self, node: Aggregate) -> str:
        """Return a condition on every item of a list that meets another."""
        where = "" if node.where is None else f" {self.sifted(node.where)}"
        value = "" if node.value is None else self.phrase(node.value)
        return f"for every entry in {self.named(node.list)}{where}, {value}"
