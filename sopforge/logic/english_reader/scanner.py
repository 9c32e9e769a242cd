"""Steps over a text that can be taken back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

Read = TypeVar("Read")


class NotReadError(ValueError):
    """The words are none of the English of rules."""


class Scanner:
    """A place in a text, and what rules were found to give there."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.place = 0
        self.known: dict[tuple[str, int], tuple[object, int] | None] = {}

    def read_to_end(self, rule: Callable[[], Read]) -> Read:
        """Return what a rule gives that fits the text to its end."""
        found = rule()
        if self.place != len(self.words):
            raise NotReadError(f"{self.words!r} is read up to {self.words[self.place :]!r}")
        return found

    def take(self, words: str) -> None:
        if not self.words.startswith(words, self.place):
            raise NotReadError(f"{words!r} is not at {self.words[self.place :]!r}")
        self.place += len(words)

    def try_take(self, words: str) -> bool:
        if self.words.startswith(words, self.place):
            self.place += len(words)
            return True
        return False

    def match_pattern(self, pattern: str) -> re.Match[str]:
        found = re.compile(pattern).match(self.words, self.place)
        if found is None:
            raise NotReadError(f"{pattern!r} is not at {self.words[self.place :]!r}")
        self.place = found.end()
        return found

    def read_first_match(self, *rules: Callable[[], Read]) -> Read:
        """Return what the first rule that fits gives."""
        start = self.place
        for rule in rules:
            try:
                return rule()
            except NotReadError:
                self.place = start
        raise NotReadError(f"nothing fits at {self.words[start:]!r}")

    def read_once(self, name: str, rule: Callable[[], Read]) -> Read:
        """Return what a rule gives at this place, which is worked out once."""
        key = (name, self.place)
        if key not in self.known:
            try:
                self.known[key] = (rule(), self.place)
            except NotReadError:
                self.known[key] = None
        known = self.known[key]
        if known is None:
            raise NotReadError(f"no {name} at {self.words[key[1] :]!r}")
        found, self.place = known
        return found  # type: ignore[return-value]  # kept under the rule's own name

    def read_quoted(self) -> str:
        return self.match_pattern(r'"([^"]*)"')[1]

    def read_bracketed(self, rule: Callable[[], Read]) -> Read:
        self.take("(")
        found = rule()
        self.take(")")
        return found
