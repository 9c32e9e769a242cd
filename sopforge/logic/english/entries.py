"""Lists: how many entries there are, which of them, and what is taken of each."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.domain.language.expressions import (
    Aggregate,
    AggregateFunction,
    AllOf,
    Element,
    Expression,
    Selection,
)
from sopforge.domain.values.types import BooleanType
from sopforge.logic.english.groups import Groups
from sopforge.logic.english.names import ENTRYS
from sopforge.logic.english.numbers import to_places
from sopforge.logic.phrasing.brackets import as_operand, as_side, bracket_if_open, get_unit
from sopforge.logic.phrasing.grammar import conjugate_be, is_fact, join_items
from sopforge.logic.phrasing.idioms import Mean, list_entry_facts, unwrap_node


def is_entry_fact(node: Element, label: str) -> bool:
    """Return whether a label says of an entry what it is or has."""
    return isinstance(node.type, BooleanType) and is_fact(label)


_NO_ENTRY = "if there is no such entry"


class Entries(Groups):
    """Phrases what is asked of the entries of a list."""

    def visit_aggregate(self, node: Aggregate) -> str:
        match node.function:
            case AggregateFunction.COUNT:
                return f"the number of {self.phrase_entries(node)}"
            case AggregateFunction.SUM:
                return f"the sum of {self.phrase_item_values(node)}"
            case AggregateFunction.MINIMUM | AggregateFunction.MAXIMUM:
                word = "smallest" if node.function is AggregateFunction.MINIMUM else "largest"
                values, default = self.phrase_item_values(node), self.phrase_default(node)
                return f"the {word} value of {values}, or {default} {_NO_ENTRY}"
            case AggregateFunction.ANY:
                return self.phrase_holding(node, "an")
            case AggregateFunction.ALL:
                return self.phrase_every_entry(node)

    def visit_selection(self, node: Selection) -> str:
        every = f"each entry in {self.name_field(node.list)}"
        which = every if node.where is None else f"{every} {self.phrase_filter(node.where)}"
        names = [name for name, _ in node.type.fields]
        parts = [self.phrase_part(name, part) for name, part in zip(names, node.parts, strict=True)]
        return f"{which}, with {join_items(parts)}"

    def phrase_part(self, name: str, part: Expression) -> str:
        """Return what an entry of the list that is made has under a name."""
        inner = unwrap_node(part)
        if isinstance(inner, Element):
            label = self.label_item_field(inner)
            own = f"whether it {label}" if is_entry_fact(inner, label) else f"its {label}"
            return own if inner.field == name else f"{own} as {name}"
        if isinstance(part.type, BooleanType):
            return f'("yes" if {self.phrase(part)}, otherwise "no") as {name}'
        return f"{as_operand(part, self.phrase(part), get_unit(part))} as {name}"

    def phrase_average(self, node: Mean) -> str:
        """Return a rounded average, which the tree holds as a choice."""
        over = f"the average of {self.phrase_item_values(node.total)}"
        default = as_operand(node.default, self.phrase(node.default))
        return f"{to_places(over, node.places)}, or {default} {_NO_ENTRY}"

    def phrase_item_values(self, node: Aggregate) -> str:
        """Return what is taken of each item, and of which items."""
        value = node.value
        if value is None:
            return f"the {self.phrase_entries(node)}"
        inner = unwrap_node(value)
        if isinstance(inner, Element):
            return f"the {self.label_item_field(inner)} of the {self.phrase_entries(node)}"
        return f"{as_side(value, self.phrase(value))} over the {self.phrase_entries(node)}"

    def phrase_entries(self, node: Aggregate) -> str:
        """Return the items that are aggregated."""
        every = f"entries in {self.name_field(node.list)}"
        return every if node.where is None else f"{every} {self.phrase_filter(node.where)}"

    def phrase_filter(self, condition: Expression) -> str:
        """Return which entries meet a condition."""
        facts = [self.phrase(part) for part in list_entry_facts(condition)]
        if not facts:
            return f"for which {bracket_if_open(condition, self.phrase(condition))}"
        # Only where the fact begins: a second mention of the entry in it keeps its subject.
        return join_items([fact.replace(ENTRYS, "whose ", 1) for fact in facts])

    def phrase_holding(self, node: Aggregate, number: str) -> str:
        """Return how many entries of a list meet the conditions."""
        parts = [part for part in (node.where, node.value) if part is not None]
        verb = "hold" if conjugate_be(self.fields[node.list].label) == "are" else "holds"
        entry = "entry" if number.endswith(("an", "no", " 1")) else "entries"
        return f"{self.name_field(node.list)} {verb} {number} {entry} {self.phrase_filters(parts)}"

    def phrase_filters(self, parts: Sequence[Expression]) -> str:
        """Return which entries meet one or two conditions."""
        first, *others = parts
        if not others:
            return self.phrase_filter(first)
        if all(map(list_entry_facts, parts)):
            return join_items(
                [self.phrase_filter(fact) for part in parts for fact in list_entry_facts(part)]
            )
        both = AllOf(tuple(parts))
        return f"for which {bracket_if_open(both, self.phrase_group(both, 'all of these hold'))}"

    def phrase_default(self, node: Aggregate) -> str:
        """Return what stands for the value where there is no item."""
        default = node.default
        if default is None:
            return "0"
        return as_operand(default, self.phrase(default), get_unit(node))

    def phrase_every_entry(self, node: Aggregate) -> str:
        """Return a condition on every item of a list that meets another."""
        where = "" if node.where is None else f" {self.phrase_filter(node.where)}"
        value = "" if node.value is None else self.phrase(node.value)
        return f"for every entry in {self.name_field(node.list)}{where}, {value}"
