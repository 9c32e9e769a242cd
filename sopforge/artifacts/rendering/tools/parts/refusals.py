"""What a tools module says where it cannot answer a call."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches


class ToolRefusal(Exception):
    """A call was refused: ``code`` names the reason, ``message`` says what to do about it.

    A message may end with a ``hint`` at what was meant.
    """

    def __init__(self, code: str, fault: str, hint: str = "") -> None:
        super().__init__(f"{code}: {fault}{hint}")
        self.code = code
        self.fault = fault
        self.message = f"{fault}{hint}"


def invalid(name: str, value: object, allowed: str, meant: object = None) -> ToolRefusal:
    """Return the refusal of a parameter: what was found, what is allowed, what may be meant."""
    hint = "" if meant is None else f"; did you mean {meant!r}?"
    fault = f"{name} is {shortened(value)}, but must be {allowed}"
    return ToolRefusal("invalid_parameter", fault, hint)


def shortened(value: object, longest: int = 80) -> str:
    """Return a value as Python writes it, cut where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "a value too long to show"
    return text if len(text) <= longest else f"{text[:longest]}... ({len(text)} characters)"


def composed(value: object) -> object:
    """Return a text in which a letter and its marks are one character where there is one."""
    return unicodedata.normalize("NFC", value) if isinstance(value, str) else value


def tidied(value: object, longest: int = 100) -> str:
    """Return a short text in plain characters without blanks around it, "" for all else."""
    if not isinstance(value, str) or len(value) > longest:
        return ""
    return unicodedata.normalize("NFKC", value).strip()


def nearest(value: object, known: Iterable[str]) -> str | None:
    """Return the one of the known words that a text seems to mean."""
    words = {word.casefold(): word for word in known}
    found = get_close_matches(tidied(value).casefold(), words, n=1, cutoff=0.75)
    return words[found[0]] if found else None
