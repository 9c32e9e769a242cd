"""What is said of the entries of a list, and of which of them."""

from __future__ import annotations

import re
from collections.abc import Callable

from sopforge.domain.values.types import ListType
from sopforge.logic.english_reader.names import WHOSE, Names
from sopforge.logic.english_reader.scanner import NotReadError

EXTREMES = {"smaller": "min", "larger": "max", "smallest": "min", "largest": "max"}


class Entries(Names):
    """Reads counts, sums and extremes over a list, and which entries a condition picks."""

    def read_size(self) -> str:
        self.take("the number of entries in ")
        rules = (self.read_entry_field, self.read_field, self.read_operand)
        name = self.read_first_match(*rules)
        is_list = isinstance(self.vocabulary.types.get(name), ListType)
        return f"count(entry for entry in {name})" if is_list else f"count({name})"

    def read_filtered_count(self) -> str:
        self.take("the number of entries in ")
        name = self.read_field()
        entries = f"entry for entry in {name}{self.read_filter()}"
        return f"count({self.resolve_item_labels(entries, name)})"

    def read_sum(self) -> str:
        self.take("the sum of ")
        return f"sum({self.read_item_values(str)})"

    def read_filtered_sum(self) -> str:
        self.take("the sum of ")
        return f"sum({self.read_item_values(self.read_filter)})"

    def read_extreme_entry(self) -> str:
        word = self.match_pattern("the (smallest|largest) value of ")[1]
        inner = f"({self.read_item_values(self.read_filter, str)})"
        return f"{EXTREMES[word]}({inner}, default={self.read_default()})"

    def read_item_values(self, *rests: Callable[[], str]) -> str:
        """Return what is taken of each item of a list, and of which items by one of the rests."""
        value = self.read_first_match(self.read_field_of_each, self.read_value_of_each)
        name = self.read_field()
        return self.resolve_item_labels(
            f"{value} for entry in {name}{self.read_first_match(*rests)}", name
        )

    def read_field_of_each(self) -> str:
        """Return a field of each item."""
        self.take("the ")
        found = f"entry.<{self.read_label(self.parts)}>"
        self.take(" of the entries in ")
        return found

    def read_value_of_each(self) -> str:
        """Return what is worked out for each item."""
        found = self.read_side()
        self.take(" over the entries in ")
        return found

    def resolve_item_labels(self, aggregate: str, name: str) -> str:
        """Return an aggregate with the names that labels have in the items of its list."""
        names = self.vocabulary.parts.get(name, {})
        labels = re.findall("entry.<([^>]+)>", aggregate)
        if not set(labels) <= set(names):
            raise NotReadError(f"the items of {name} have not all of {labels}")
        return re.sub("entry.<([^>]+)>", lambda found: f"entry.{names[found[1]]}", aggregate)

    def read_filter(self) -> str:
        if self.try_take(" for which "):
            return f" if {self.read_condition()}"
        facts = [self.read_whose_fact(" ")]
        while self.words.startswith(", whose ", self.position):
            facts.append(self.read_whose_fact(", "))
        if self.words.startswith(" and whose ", self.position):
            facts.append(self.read_whose_fact(" and "))
        return f" if {' and '.join(facts)}"

    def read_whose_fact(self, gap: str) -> str:
        """Return a fact about an entry."""
        self.take(gap)
        if not self.words.startswith(WHOSE, self.position):
            raise NotReadError(self.words)
        return self.read_fact()

    def read_default(self) -> str:
        self.take(", or ")
        found = self.read_operand()
        self.take(" if there is no such entry")
        return found
