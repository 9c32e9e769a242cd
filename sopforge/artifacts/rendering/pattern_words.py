"""The form of a field's values in words, for people who must check whether a text has it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from string import ascii_lowercase, ascii_uppercase, digits

from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.patterns import Pattern, read_pattern
from sopforge.language.domain.values.types import (
    BOOLEAN_WORDS,
    BooleanType,
    EnumType,
    MomentType,
    TextType,
)

_KINDS = {
    digits: ("digit", "digits"),
    ascii_uppercase: ("capital letter", "capital letters"),
    ascii_lowercase: ("small letter", "small letters"),
    ascii_uppercase + ascii_lowercase: ("letter", "letters"),
    ascii_uppercase + digits: ("capital letter or digit", "capital letters or digits"),
    ascii_lowercase + digits: ("small letter or digit", "small letters or digits"),
    ascii_uppercase + ascii_lowercase + digits: ("letter or digit", "letters or digits"),
}
_WORDS = {frozenset(letters): words for letters, words in _KINDS.items()}


def describe_form(item: Field) -> str:
    """Return the form of a field's values in words, "" where they have none."""
    kind = item.type
    match kind:
        case TextType(pattern=pattern) if pattern:
            return describe_pattern(read_pattern(pattern))
        case EnumType(labels):
            return _join_labels(labels)
        case BooleanType():
            return _join_labels(BOOLEAN_WORDS[::-1])
        case MomentType():
            low, high = kind.bound_cells
            return f"{kind.form}, from {low} to {high}"
        case _:
            return ""


def describe_pattern(pattern: Pattern) -> str:
    """Return the texts of a pattern in words, from their first character to their last.

    >>> from sopforge.language.domain.values.patterns import read_pattern
    >>> describe_pattern(read_pattern("O-[0-9]{6}[XY]"))
    '"O-", then 6 digits, then 1 of the characters "X" and "Y"'
    """
    parts: list[str] = []
    for is_fixed, places in groupby(pattern.alphabets, key=lambda letters: len(letters) == 1):
        if is_fixed:
            parts.append(f'"{"".join(places)}"')
        else:
            parts += [
                _describe_letters(letters, len(list(same))) for letters, same in groupby(places)
            ]
    return ", then ".join(parts)


def _join_labels(labels: Sequence[str]) -> str:
    *others, last = [f'"{label}"' for label in labels]
    return f"{', '.join(others)} or {last}"


def _describe_letters(letters: str, count: int) -> str:
    words = _WORDS.get(frozenset(letters))
    if words is not None:
        return f"{count} {words[count > 1]}"
    *others, last = [f'"{letter}"' for letter in letters]
    return f"{count} of the characters {', '.join(others)} and {last}"
