"""Labels of fields, figures with their units, and what quoted words say of a field."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property

from sopforge.domain.values.types import (
    BooleanType,
    ListType,
    NumberType,
    SetType,
    ValueType,
)
from sopforge.logic.english_reader.scanner import NotReadError, Scanner
from sopforge.logic.english_reader.vocabulary import Vocabulary
from sopforge.logic.phrasing.grammar import is_percent, is_unit_named, list_unit_forms, phrase_whose
from sopforge.logic.phrasing.shares import PLAIN_NUMBER

SPANS = ("days", "working days", "minutes")
WHOSE = "whose "
QUANTITY = re.compile(r"(?P<figure>-?\d+(?:\.\d+)?) (?P<unit>.+)")


class Names(Scanner, ABC):
    """Reads names in the words of a domain; what conditions and values are made of, others say."""

    def __init__(self, words: str, vocabulary: Vocabulary) -> None:
        super().__init__(words)
        self.vocabulary = vocabulary
        self.parts = {label: label for parts in vocabulary.parts.values() for label in parts}
        self.units = sorted(
            {form for unit in (*SPANS, *vocabulary.units) for form in list_unit_forms(unit)},
            key=len,
        )

    @cached_property
    def whose(self) -> Mapping[str, str]:
        """The labels of what entries have, by their words after "whose"."""
        return {**{phrase_whose(label): label for label in self.parts}, **self.parts}

    @abstractmethod
    def read_condition(self) -> str:
        """Return a condition, or several that are joined."""

    @abstractmethod
    def read_fact(self) -> str:
        """Return a condition that nothing is joined to."""

    @abstractmethod
    def read_clause(self) -> str:
        """Return what stands alone or in brackets only."""

    @abstractmethod
    def read_side(self) -> str:
        """Return what may stand beside a comparison without brackets."""

    @abstractmethod
    def read_operand(self) -> str:
        """Return what may stand anywhere without brackets."""

    def read_entry_field(self) -> str:
        is_whose = self.match_pattern(f"the entry's |its |{WHOSE}")[0] == WHOSE
        return f"entry.<{self.read_label(self.whose if is_whose else self.parts)}>"

    def read_field(self) -> str:
        self.take("the ")
        return self.read_label(self.vocabulary.names)

    def read_label(self, names: Mapping[str, str]) -> str:
        # The longest first: "score" also begins "score of the year".
        for label in sorted(names, key=len, reverse=True):
            if re.compile(rf"{re.escape(label)}(?!\w)").match(self.words, self.position):
                self.take(label)
                return names[label]
        raise NotReadError(f"no label at {self.words[self.position :]!r}")

    def read_number(self) -> str:
        found = self.match_pattern(r"-?\d+(\.\d+)?")[0]
        # The longest first: "EUR" also begins "EUR per month".
        for unit in reversed(self.units):
            if re.compile(rf" {re.escape(unit)}(?!\w)").match(self.words, self.position):
                self.take(f" {unit}")
                break
        return f"({found})" if found.startswith("-") else found

    def require_unit(self, subject: str, start: int) -> None:
        """Raise an error if a figure from a place on has a unit that its field is not in."""
        found = QUANTITY.fullmatch(self.words[start : self.position])
        if found is None or found["unit"] not in self.units:
            return
        units = self.list_units(subject)
        known = {*units, *self.vocabulary.limit_units.get(found["figure"], ())}
        if units and not any(found["unit"] in list_unit_forms(unit) for unit in known):
            raise NotReadError(f"{subject} is not in {found['unit']}")

    def list_units(self, subject: str) -> set[str]:
        """Return the units of a number that is a field, and those that its label names."""
        part = re.fullmatch("entry.<(.+)>", subject)
        labels = [label for label, name in self.vocabulary.names.items() if name == subject]
        named = {
            unit
            for label in (labels if part is None else [part[1]])
            for unit in self.vocabulary.units
            if is_unit_named(label, unit)
        }
        kinds = self.list_types(subject)
        return {kind.unit for kind in kinds if isinstance(kind, NumberType)} | named

    def list_types(self, subject: str) -> list[ValueType]:
        """Return the type of a field, or the types that what entries have may be of."""
        part = re.fullmatch("entry.<(.+)>", subject)
        if part is not None:
            return self.vocabulary.list_item_types(part[1])
        kind = self.vocabulary.types.get(subject)
        return [] if kind is None else [kind]

    def read_percentage(self) -> str:
        """Return so many percent of a number, or the number changed by so many: a hundredfold."""
        found = re.compile(r"(\d+(?:\.\d+)?) percent of ").match(self.words, self.position)
        if found is not None:
            self.position = found.end()
            return f"({self.read_operand()} * {found[1]})"
        if share := self.try_read_share():
            return share
        if self.try_take("the percentage of "):
            whole = self.read_operand()
            self.take(" given by ")
            return f"({whole} * {self.read_field()})"
        whole = self.read_operand()
        if self.try_take(" multiplied by ") or self.try_take(" times "):
            return f"({whole} * {self.read_rate()})"
        word, percent, of_it = self.match_pattern(
            r" (plus|minus) (\d+(?:\.\d+)?) percent( of it|(?! of ))"
        ).groups()
        if not of_it and self.is_in_percent(whole):
            raise NotReadError(f"of {whole}, so many percent could be points")
        return f"({whole} * (100 {'+' if word == 'plus' else '-'} {percent}))"

    def try_read_share(self) -> str:
        """Return the share of a number that a field in percent is, "" for other words."""
        start = self.position
        try:
            field = self.read_field()
        except NotReadError:
            self.position = start
            return ""
        if self.is_in_percent(field) and self.try_take(" of "):
            return f"({self.read_operand()} * {field})"
        self.position = start
        return ""

    def read_rate(self) -> str:
        """Return what is in percent, and is not said to be a plain number."""
        rate = self.read_first_match(self.read_entry_field, self.read_field)
        if not self.is_in_percent(rate) or self.words.startswith(PLAIN_NUMBER, self.position):
            raise NotReadError(f"{rate} is no share")
        self.match_pattern(r"(?: \(in percent\))?")
        return rate

    def is_in_percent(self, subject: str) -> bool:
        """Return whether a field, of the case or of an entry, is in percent."""
        kinds = self.list_types(subject)
        return any(isinstance(kind, NumberType) and is_percent(kind.unit) for kind in kinds)

    def read_options(self, *words: str) -> tuple[list[str], str]:
        """Return quoted words, and which of some words stands before the last of them."""
        found, word = [self.read_quoted()], ""
        while self.words.startswith(', "', self.position):
            self.take(", ")
            found.append(self.read_quoted())
        for joint in words:
            if self.words.startswith(f' {joint} "', self.position):
                self.take(f" {joint} ")
                found.append(self.read_quoted())
                word = joint
        return found, word

    def is_label(self, subject: str, option: str, *, is_denied: bool) -> str:
        if option == self.vocabulary.missing.get(subject):
            return f"present({subject})" if is_denied else f"(not present({subject}))"
        kind = self.vocabulary.types.get(subject)
        if isinstance(kind, SetType | ListType) and option == kind.empty:
            return f"({self.count_entries_of(subject)} {'>= 1' if is_denied else '== 0'})"
        if self.is_truth(subject):
            return f"(not {subject})" if (option == "no") != is_denied else subject
        return f"({subject} {'!=' if is_denied else '=='} {option!r})"

    def count_entries_of(self, name: str) -> str:
        """Return the source text of the number of entries in a list or a set."""
        is_list = isinstance(self.vocabulary.types.get(name), ListType)
        return f"count(entry for entry in {name})" if is_list else f"count({name})"

    def is_truth(self, subject: str) -> bool:
        return any(isinstance(kind, BooleanType) for kind in self.list_types(subject))
