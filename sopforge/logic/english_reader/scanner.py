"""Steps over a text that can be taken back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

Read = TypeVar("Read")


class NotReadError(ValueError):
    """The words are none of the English of rules; ``left`` are those from the first unknown one."""

    def __init__(self, message: str, left: str = "") -> None:
        super().__init__(message)
        self.left = left


class Scanner:
    """A place in a text, and what rules were found to give there."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.position = self.furthest = 0
        self.known: dict[tuple[str, int], tuple[object, int] | None] = {}

    def read_to_end(self, rule: Callable[[], Read]) -> Read:
        """Return what a rule gives that fits the text to its end."""
        try:
            found = rule()
        except NotReadError as cause:
            raise NotReadError(str(cause), self.words[self.furthest :].strip()) from cause
        if self.position != len(self.words):
            left = self.words[max(self.position, self.furthest) :]
            raise NotReadError(f"{self.words!r} is read up to {left!r}", left.strip())
        return found

    def take(self, words: str) -> None:
        if not self.words.startswith(words, self.position):
            raise NotReadError(f"{words!r} is not at {self.words[self.position :]!r}")
        self.advance(self.position + len(words))

    def advance(self, position: int) -> None:
        """Go on to a place."""
        self.position = position
        self.furthest = max(self.furthest, position)

    def try_take(self, words: str) -> bool:
        if self.words.startswith(words, self.position):
            self.advance(self.position + len(words))
            return True
        return False

    def match_pattern(self, pattern: str) -> re.Match[str]:
        found = re.compile(pattern).match(self.words, self.position)
        if found is None:
            raise NotReadError(f"{pattern!r} is not at {self.words[self.position :]!r}")
        self.advance(found.end())
        return found

    def read_first_match(self, *rules: Callable[[], Read]) -> Read:
        """Return what the first rule that fits gives."""
        start = self.position
        # The first rule that fits is final, even where the text goes on after it: whoever lists
        # rules puts longer forms before their beginnings.
        for rule in rules:
            try:
                return rule()
            except NotReadError:
                self.position = start
        raise NotReadError(f"nothing fits at {self.words[start:]!r}")

    def read_once(self, name: str, rule: Callable[[], Read]) -> Read:
        """Return what a rule gives at this place, which is worked out once."""
        # Rules try the same beginnings again and again: without this, each pair of brackets inside
        # of another takes ten times as long or more.
        key = (name, self.position)
        if key not in self.known:
            try:
                self.known[key] = (rule(), self.position)
            except NotReadError:
                self.known[key] = None
        known = self.known[key]
        if known is None:
            raise NotReadError(f"no {name} at {self.words[key[1] :]!r}")
        found, self.position = known
        return found  # type: ignore[return-value]  # kept under the rule's own name

    def read_quoted(self) -> str:
        return self.match_pattern(r'"([^"]*)"')[1]

    def read_bracketed(self, rule: Callable[[], Read]) -> Read:
        self.take("(")
        found = rule()
        self.take(")")
        return found
