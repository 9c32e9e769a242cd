"""What is said of the entries of a list, and of which of them."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable
from functools import partial

from sopforge.domain.values.types import ListType
from sopforge.logic.english_reader.names import WHOSE, Names
from sopforge.logic.english_reader.scanner import NotReadError
from sopforge.logic.phrasing.grammar import KINDS, list_unit_forms

AMOUNTS = {
    "at least": ">=",
    "at most": "<=",
    "more than": ">",
    "less than": "<",
    "above": ">",
    "below": "<",
}
ORDERED = "{{{label}|{relation}|{other}}}"
"""After how far an entry's day lies from another one: in which order, if that is not always so."""
_GAPS = frozenset({", ", " and ", " or "})
_OPENINGS = re.compile(r"\b(that|whose|for which|with an?) ")
_ORDERED = re.compile(r"\{([^|{}]+)\|(<=?)\|([^|{}]+)\}")
EXTREMES = {"smaller": "min", "larger": "max", "smallest": "min", "largest": "max"}


class Entries(Names):
    """Reads counts, sums and extremes over a list, and which entries a condition picks."""

    def read_size(self) -> str:
        self.take("the number of entries in ")
        rules = (self.read_entry_field, self.read_field, self.read_operand)
        return self.count_entries_of(self.read_first_match(*rules))

    def read_filtered_count(self) -> str:
        self.take("the number of entries in ")
        name = self.read_field()
        entries = f"entry for entry in {name}{self.read_filter()}"
        return f"count({self.resolve_item_labels(entries, name)})"

    def read_items(self) -> str:
        """Return how many items of a list or a set there are, by what they are called."""
        return self.count_entries_of(self.read_item_number())

    def read_filtered_items(self) -> str:
        name = self.read_item_number()
        entries = f"entry for entry in {name}{self.read_filter()}"
        return f"count({self.resolve_item_labels(entries, name)})"

    def read_item_number(self) -> str:
        self.refuse_label()
        # Where other words are put into those of the rules, each label has an article.
        self.match_pattern("the number of (the )?")
        return self.read_label(self.vocabulary.items)

    def refuse_label(self) -> None:
        """Raise an error where a label stands that other words only happen to begin with.

        What some items have, as in "the total cost of the lines", is no "total cost".
        """
        start = self.position
        try:
            self.read_field()
        except NotReadError:
            self.position = start
            return
        end, self.position = self.position, start
        starts = tuple(f" of the {items}" for items in self.vocabulary.items)
        if not self.words.startswith(starts, end):
            raise NotReadError(self.words)

    def read_sum(self) -> str:
        return f"sum({self.read_total(str)})"

    def read_filtered_sum(self) -> str:
        return f"sum({self.read_total(self.read_filter)})"

    def read_total(self, rest: Callable[[], str]) -> str:
        if self.try_take("the sum of "):
            return self.read_item_values(rest)
        return self.read_first_match(
            lambda: self.read_item_parts("total", rest), lambda: self.read_total_values(rest)
        )

    def read_total_values(self, rest: Callable[[], str]) -> str:
        """Return what entries have together, as in "the total cost of the entries in the list"."""
        self.refuse_label()
        self.take("the total ")
        value = f"entry.<{self.read_label(self.parts)}>"
        self.take(" of the entries in ")
        return self.read_rest_of_items(value, self.read_field(), rest)

    def read_extreme_entry(self) -> str:
        word = re.compile("the (smallest|largest) ").match(self.words, self.position)
        if word is None:
            raise NotReadError(self.words)
        inner = self.read_first_match(
            lambda: self.read_item_parts(word[1], self.read_filter, str),
            lambda: self.read_extreme_distance(word[1]),
            lambda: self.read_extreme_value(word[1]),
        )
        start = self.position
        default = self.read_default()
        self.require_unit_of_entry(inner, start)
        return f"{EXTREMES[word[1]]}(({inner}), default={default})"

    def require_unit_of_entry(self, value: str, start: int) -> None:
        """Raise an error if what stands for no entry is in another unit than the entries' value."""
        span = re.match(r"(workdays|days|minutes)_between", value)
        part = re.match(r"entry\.(\w+) for entry in (\w+)", value)
        kind = self.vocabulary.types.get(part[2]) if part else None
        kind = kind.find_field_type(part[1]) if part and isinstance(kind, ListType) else None
        unit = span[1].replace("workdays", "working days") if span else getattr(kind, "unit", "")
        said = re.match(r", or -?[\d.]+ (.+) if there is", self.words[start : self.position])
        if unit and said and said[1] not in list_unit_forms(unit):
            raise NotReadError(f"{value} is not in {said[1]}")

    def read_extreme_value(self, word: str) -> str:
        self.take(f"the {word} value of ")
        return self.read_item_values(self.read_filter, str)

    def read_extreme_distance(self, word: str) -> str:
        """Return how far a day of each item lies from another: the day of "a" named item."""
        self.take(f"the {word} number of ")
        spans = r"(?:days|minutes|working days(?: of the calendar \w+)?) from "
        span = self.match_pattern(spans)[0]
        start = self.position
        first = self.read_first_match(self.read_day_of_item, lambda: None)
        if first is None:
            self.read_field()
            self.take(" to ")
            other = self.words[start : self.position]
            day, name, where = self.read_day_of_item()
            inner = type(self)(f"the number of {span}{other}{day}", self.vocabulary)
        else:
            day, name, where = first
            other = self.match_pattern(" to ")[0]
            start = self.position
            self.read_field()
            other += self.words[start : self.position]
            if not where and self.try_take(", among the "):
                where = self.read_filter_of(name)
            inner = type(self)(f"the number of {span}{day}{other}", self.vocabulary)
        value = inner.read_to_end(inner.read_side)
        return self.resolve_item_labels(f"{value} for entry in {name}{where}", name)

    def read_filter_of(self, name: str) -> str:
        """Return which items are meant of a list that is named again."""
        if self.read_label(self.vocabulary.items) != name:
            raise NotReadError(self.words)
        return self.read_filter()

    def read_share_of_items(self) -> tuple[str, str]:
        """Return how many percent of the items of a list meet a condition, and the list."""
        self.take("the percentage of the ")
        name = self.read_label(self.vocabulary.items)
        condition = self.read_filter().removeprefix(" if ")
        share = f"(100 if {condition} else 0) for entry in {name}"
        return self.resolve_item_labels(share, name), name

    def read_day_of_item(self) -> tuple[str, str, str]:
        """Return a day of an item in the words for an entry, the list, and which of its items."""
        self.take("the ")
        label = self.read_label(self.whose)
        self.match_pattern(" of an? ")
        name = self.read_label(self.vocabulary.items)
        return f"the entry's {label}", name, self.read_first_match(self.read_filter, str)

    def read_item_parts(self, word: str, *rests: Callable[[], str]) -> str:
        """Return a field of each item, as in "the total amount of the lines"."""
        self.refuse_label()
        self.take(f"the {word} ")
        value = f"entry.<{self.read_label(self.parts)}>"
        self.take(" of the ")
        return self.read_rest_of_items(value, self.read_label(self.vocabulary.items), *rests)

    def read_item_values(self, *rests: Callable[[], str]) -> str:
        """Return what is taken of each item of a list, and of which items by one of the rests."""
        value, name = self.read_first_match(
            self.read_field_of_each, self.read_value_of_each, self.read_value_of_items
        )
        return self.read_rest_of_items(value, name, *rests)

    def read_rest_of_items(self, value: str, name: str, *rests: Callable[[], str]) -> str:
        return self.resolve_item_labels(
            f"{value} for entry in {name}{self.read_first_match(*rests)}", name
        )

    def read_field_of_each(self) -> tuple[str, str]:
        """Return a field of each item, and the list."""
        self.take("the ")
        found = f"entry.<{self.read_label(self.parts)}>"
        self.take(" of the entries in ")
        return found, self.read_field()

    def read_value_of_each(self) -> tuple[str, str]:
        """Return what is worked out for each item, and the list."""
        found = self.read_side()
        self.take(" over the entries in ")
        return found, self.read_field()

    def read_value_of_items(self) -> tuple[str, str]:
        """Return what is worked out for each item, and the list by what its items are called.

        "The number of packs times the price for all lines": what no case has is of each item.
        """
        items = "|".join(
            re.escape(label) for label in sorted(self.vocabulary.items, key=len, reverse=True)
        )
        end = re.compile(rf" (?:over the|for all) ({items})(?!\w)").search(
            self.words, self.position
        )
        if end is None or not items:
            raise NotReadError(self.words)
        name = self.vocabulary.items[end[1]]
        words = self.name_items_parts(self.words[self.position : end.start()], name)
        inner = type(self)(words, self.vocabulary)
        found = inner.read_to_end(inner.read_side)
        self.advance(end.end())
        return found, name

    def name_items_parts(self, words: str, name: str) -> str:
        """Return words in which what only the items of a list have is named as the entry's."""
        labels = set(self.vocabulary.parts.get(name, {})) - set(self.vocabulary.names)
        for label in sorted(labels, key=len, reverse=True):
            words = re.sub(rf"\bthe {re.escape(label)}(?!\w)", f"the entry's {label}", words)
        return words

    def resolve_item_labels(self, aggregate: str, name: str) -> str:
        """Return an aggregate with the names that labels have in the items of its list."""
        names = self.vocabulary.parts.get(name, {})
        aggregate = _ORDERED.sub(partial(self.resolve_order, name), aggregate)
        labels = re.findall("entry.<([^>]+)>", aggregate)
        if not set(labels) <= set(names):
            raise NotReadError(f"the items of {name} have not all of {labels}")
        return re.sub("entry.<([^>]+)>", lambda found: f"entry.{names[found[1]]}", aggregate)

    def resolve_order(self, name: str, found: re.Match[str]) -> str:
        """Return in which order two days must lie, "" of items for which that is always so."""
        label, relation, other = found.groups()
        is_known = (name, label, relation, other) in self.vocabulary.days_in_order
        return "" if is_known else f" and entry.<{label}> {relation} {other}"

    def read_filter(self) -> str:
        if self.words.startswith(" of the ", self.position):
            return self.read_first_match(self.read_kind, self.read_same_value)
        facts = [self.read_first_match(partial(self.read_item_fact, " "), self.read_for_which)]
        while self.try_next_fact(", ", facts):
            pass
        word = next((x for x in ("and", "or") if self.try_next_fact(f" {x} ", facts)), "")
        if len(facts) > 1 and not word:
            raise NotReadError(self.words)
        return f" if ({f' {word} '.join(facts)})" if word == "or" else f" if {' and '.join(facts)}"

    def read_kind(self) -> str:
        """Return of which kind an entry is; a clause about it may follow, without a word."""
        word = self.match_pattern(f" of the ({'|'.join(KINDS)}) ")[1]
        known = [label for label in self.parts if f"{label} of ".startswith(f"{word} of ")]
        if len(known) != 1:
            raise NotReadError(f"not one thing of entries is called {word}")
        label = known[0]
        subject = f"entry.<{label}>"
        labels, _ = self.read_options("or")
        one_of = f"({subject} in [{', '.join(map(repr, labels))}])"
        kind = self.is_label(subject, labels[0], is_denied=False) if len(labels) == 1 else one_of
        facts = [kind]
        is_followed = self.try_next_fact(" ", facts) or self.try_next_fact(" and ", facts)
        return f" if {' and '.join(facts)}" if is_followed else f" if {kind}"

    def read_same_value(self) -> str:
        """Return that an entry has the value of a field that is called so: "of that batch"."""
        self.take(" of ")
        start = self.position
        name = self.read_field()
        words = self.words[start : self.position]
        known = [label for label in self.parts if words.endswith(f" {label}")]
        if len(known) != 1:
            raise NotReadError(f"not one thing of entries is called as in {words!r}")
        return f" if entry.<{known[0]}> == {name}"

    def read_for_which(self) -> str:
        """Return a condition in which the entry has a name."""
        self.take(" for which ")
        return self.read_condition()

    def try_next_fact(self, gap: str, facts: list[str]) -> bool:
        """Add a further fact about an entry; the place stays where there is none."""
        start = self.position
        try:
            facts.append(self.read_item_fact(gap))
        except NotReadError:
            self.position = start
            return False
        return True

    def read_item_fact(self, gap: str) -> str:
        """Return a fact about an entry: what something of it is, or a clause."""
        self.take(gap)
        if self.words.startswith("with a", self.position):
            return self.read_amount_of_entry("with")
        if self.words.startswith(WHOSE, self.position):
            return self.read_fact()
        if self.words.startswith(tuple(f"{x} " for x in self.vocabulary.verbs), self.position):
            return self.read_done()
        opened = _OPENINGS.findall(self.words, 0, self.position)
        if (
            gap in _GAPS
            and opened[-1:] == ["that"]
            and not _OPENINGS.match(self.words, self.position)
        ):
            # "That" stands once for neighbours: "that was late and was long".
            return self.read_after(
                "that ", lambda inner: inner.read_label(inner.vocabulary.item_facts)
            )
        return self.read_label(self.vocabulary.item_facts)

    def read_done(self) -> str:
        """Return what was done with an entry on a day: "filed before the visit"."""
        label = self.read_label(self.vocabulary.verbs)
        self.take(" ")
        self.match_pattern("(?:on (?=the same day as ))?")
        return self.read_after(f"{WHOSE}{label} is ", lambda inner: inner.read_fact())

    @abstractmethod
    def read_after(self, words: str, rule: Callable[[Entries], str]) -> str:
        """Return what a rule gives that reads some words before those that come next."""

    def read_amount_of_entry(self, verb: str) -> str:
        """Return how much of something an entry has: "with a price of more than 400 EUR"."""
        self.match_pattern(f"{verb} an? ")
        subject = f"entry.<{self.read_label(self.parts)}>"
        of, order = self.match_pattern(f" (of )?({'|'.join(AMOUNTS)}) ").groups()
        if bool(of) == (order in {"below", "above"}):
            raise NotReadError(self.words)
        return f"({subject} {AMOUNTS[order]} {self.read_compared(subject)})"

    @abstractmethod
    def read_compared(self, subject: str) -> str:
        """Return what a value is compared with: a figure has no other unit than the value."""

    def read_default(self) -> str:
        self.take(", or ")
        found = self.read_operand()
        self.match_pattern(" if there is (no such entry|none)")
        return found

    def read_default_of(self, name: str) -> str:
        """Return what stands for the value where a list, which is named again, has no items."""
        self.take(", or ")
        found = self.read_operand()
        self.take(" if there are no ")
        if self.read_label(self.vocabulary.items) != name:
            raise NotReadError(self.words)
        return found
