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

    def size(self) -> str:
        self.take("the number of entries in ")
        name = self.one_of(self.part, self.field)
        is_list = isinstance(self.vocabulary.types.get(name), ListType)
        return f"count(entry for entry in {name})" if is_list else f"count({name})"

    def chosen_count(self) -> str:
        self.take("the number of entries in ")
        name = self.field()
        return f"count({self.of_list(f'entry for entry in {name}{self.where()}', name)})"

    def total(self) -> str:
        self.take("the sum of ")
        return f"sum({self.over(str)})"

    def chosen_sum(self) -> str:
        self.take("the sum of ")
        return f"sum({self.over(self.where)})"

    def outermost_entry(self) -> str:
        word = self.match("the (smallest|largest) value of ")[1]
        inner = f"({self.over(self.where, str)})"
        return f"{EXTREMES[word]}({inner}, default={self.default()})"

    def over(self, *rests: Callable[[], str]) -> str:
        """Return what is taken of each item of a list, and of which items by one of the rests."""
        value = self.one_of(self.part_of, self.value_over)
        name = self.field()
        return self.of_list(f"{value} for entry in {name}{self.one_of(*rests)}", name)

    def part_of(self) -> str:
        """Return a field of each item."""
        self.take("the ")
        found = f"entry.<{self.name(self.parts)}>"
        self.take(" of the entries in ")
        return found

    def value_over(self) -> str:
        """Return what is worked out for each item."""
        found = self.side()
        self.take(" over the entries in ")
        return found

    def of_list(self, fold: str, name: str) -> str:
        """Return a fold with the names that labels have in the items of its list."""
        names = self.vocabulary.parts.get(name, {})
        labels = re.findall("entry.<([^>]+)>", fold)
        if not set(labels) <= set(names):
            raise NotReadError(f"the items of {name} have not all of {labels}")
        return re.sub("entry.<([^>]+)>", lambda found: f"entry.{names[found[1]]}", fold)

    def where(self) -> str:
        if self.sees(" for which "):
            return f" if {self.condition()}"
        facts = [self.whose(" ")]
        while self.words.startswith(", whose ", self.place):
            facts.append(self.whose(", "))
        if self.words.startswith(" and whose ", self.place):
            facts.append(self.whose(" and "))
        return f" if {' and '.join(facts)}"

    def whose(self, gap: str) -> str:
        """Return a fact about an entry."""
        self.take(gap)
        if not self.words.startswith(WHOSE, self.place):
            raise NotReadError(self.words)
        return self.fact()

    def default(self) -> str:
        self.take(", or ")
        found = self.operand()
        self.take(" if there is no such entry")
        return found
