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

    def read_lookup(self) -> LookUp:
        cells = self.read_cells()
        while self.try_take(", ") and not self.words.startswith("by ", self.position):
            cells |= self.read_cells()
        if self.try_take(" and "):
            cells |= self.read_cells()
            self.take(", ")
        self.take("by ")
        key = self.read_field()
        if not self.try_take(" and "):
            return LookUp(key, {first: entry for (first, _), entry in cells.items()})
        other = self.read_field()
        rows: dict[str, dict[str, Text]] = {}
        for (first, second), entry in cells.items():
            rows.setdefault(first, {})[second] = entry
        return LookUp(key, {first: LookUp(other, row) for first, row in rows.items()})

    def read_cells(self) -> dict[tuple[str, str], str]:
        """Return an entry, by each label or pair of labels that it is for."""
        found = self.read_first_match(self.read_yes_or_no, self.read_side)
        self.take(" for ")
        labels, _ = self.read_options("or")
        others = [self.read_quoted()] if self.try_take(" with ") else [""]
        return {(label, other): found for label in labels for other in others}

    def read_yes_or_no(self) -> str:
        self.take('("yes" if ')
        found = self.read_condition()
        self.take(', otherwise "no")')
        return found

    def read_choice(self) -> str:
        then = self.read_side()
        if then in self.vocabulary.missing and self.try_take(", or "):
            default = self.read_side()
            self.take(" if none is given")
            return f"({then} if present({then}) else {default})"
        if not self.try_take(" if "):
            return then
        start = self.position
        condition = self.read_condition_on(then)
        self.take(", ")
        if self.try_take("otherwise "):
            return f"({then} if {condition} else {self.read_choice()})"
        return (
            f"({then} if {condition} else {self.read_continued_choice(self.read_subject(start))})"
        )

    def read_branch(self) -> tuple[str, str]:
        then = self.read_side()
        self.take(" if ")
        return then, self.read_condition_on(then)

    def read_case(self) -> tuple[str, str]:
        """Return the value of a line that begins with the condition for it."""
        self.take("if ")
        condition = self.read_condition()
        self.match_pattern("[:,] ")
        return self.read_clause(), condition

    def read_condition_on(self, value: str) -> str:
        """Return a condition in which "it" or "they" is the value that it decides on."""
        if re.compile("(it is|they are) ").match(self.words, self.position):
            # For this place alone; "it is not the case that" begins alike, and is tried first.
            self.pronouns[self.position] = value
        return self.read_condition()

    def read_pronoun(self) -> str:
        """Return what "it" or "they" at the beginning of a condition stands for."""
        if self.position not in self.pronouns:
            raise NotReadError(self.words)
        value = self.pronouns[self.position]
        self.match_pattern("it|they")
        return value

    def read_continued_choice(self, subject: str) -> str:
        """Return a choice whose condition is about the label that another was about."""
        then = self.read_side()
        self.match_pattern(" if (it is|they are) (one of )?")
        options, _ = self.read_options("or")
        condition = f"({subject} in [{', '.join(map(repr, options))}])"
        if len(options) == 1:
            condition = self.is_label(subject, options[0], is_denied=False)
        self.take(", ")
        rest = (
            self.read_choice()
            if self.try_take("otherwise ")
            else self.read_continued_choice(subject)
        )
        return f"({then} if {condition} else {rest})"

    def read_subject(self, start: int) -> str:
        """Return the field that a condition at a place begins with."""
        position, self.position = self.position, start
        found = self.read_field()
        self.position = position
        return found
