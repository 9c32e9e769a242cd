"""Values that a condition or a label decides: choices and look-ups."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from sopforge.logic.english_reader.names import Names
from sopforge.logic.english_reader.scanner import NotReadError
from sopforge.logic.english_reader.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class LookUp:
    """A table by the labels of a field: what a brief writes as rows."""

    key: str
    entries: Mapping[str, Text]


Text: TypeAlias = str | LookUp


class Choices(Names):
    """Reads choices, whose conditions may go on about one label, and look-ups."""

    def __init__(self, words: str, vocabulary: Vocabulary) -> None:
        super().__init__(words, vocabulary)
        self.pronouns: dict[int, str] = {}

    def looked_up(self) -> LookUp:
        cells = dict([self.cell()])
        while self.sees(", "):
            cells.update([self.cell()])
        self.take(" and ")
        cells.update([self.cell()])
        self.take(", by ")
        key = self.field()
        if not self.sees(" and "):
            return LookUp(key, {first: entry for (first, _), entry in cells.items()})
        other = self.field()
        rows: dict[str, dict[str, Text]] = {}
        for (first, second), entry in cells.items():
            rows.setdefault(first, {})[second] = entry
        return LookUp(key, {first: LookUp(other, row) for first, row in rows.items()})

    def cell(self) -> tuple[tuple[str, str], str]:
        found = self.one_of(self.decided, self.side)
        self.take(" for ")
        return (self.quoted(), self.quoted() if self.sees(" with ") else ""), found

    def decided(self) -> str:
        self.take('("yes" if ')
        found = self.condition()
        self.take(', otherwise "no")')
        return found

    def choice(self) -> str:
        then = self.side()
        if not self.sees(" if "):
            return then
        start = self.place
        condition = self.condition_on(then)
        self.take(", ")
        if self.sees("otherwise "):
            return f"({then} if {condition} else {self.choice()})"
        return f"({then} if {condition} else {self.going_on(self.subject(start))})"

    def branch(self) -> tuple[str, str]:
        then = self.side()
        self.take(" if ")
        return then, self.condition_on(then)

    def condition_on(self, value: str) -> str:
        """Return a condition in which "it" or "they" is the value that it decides on."""
        if re.compile("(it is|they are) ").match(self.words, self.place):
            self.pronouns[self.place] = value
        return self.condition()

    def pronoun(self) -> str:
        """Return what "it" or "they" at the beginning of a condition stands for."""
        if self.place not in self.pronouns:
            raise NotReadError(self.words)
        value = self.pronouns[self.place]
        self.match("it|they")
        return value

    def going_on(self, subject: str) -> str:
        """Return a choice whose condition is about the label that another was about."""
        then = self.side()
        self.match(" if (it is|they are) (one of )?")
        options, _ = self.options("or")
        condition = f"({subject} in [{', '.join(map(repr, options))}])"
        if len(options) == 1:
            condition = self.is_label(subject, options[0], is_denied=False)
        self.take(", ")
        rest = self.choice() if self.sees("otherwise ") else self.going_on(subject)
        return f"({then} if {condition} else {rest})"

    def subject(self, start: int) -> str:
        """Return the field that a condition at a place begins with."""
        place, self.place = self.place, start
        found = self.field()
        self.place = place
        return found
