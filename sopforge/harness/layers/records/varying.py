"""Cells that differ from others by little: another label, a day, a name that looks like it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.patterns import Pattern
from sopforge.language.domain.values.phrases import Phrase
from sopforge.language.domain.values.text_shapes import find_shape
from sopforge.language.domain.values.types import (
    BooleanType,
    EnumType,
    OrderedType,
    SetType,
    TextType,
    Value,
    require_integer,
)
from sopforge.seeds import draw_below

_FARTHEST = 3
"""By how many units of its places a number differs at most; days and minutes likewise."""
_LIKE = 4
"""Among how many words that look like another one is drawn."""
Names: TypeAlias = tuple[str | int, ...]


def is_variable(item: Field, cell: str) -> bool:
    """Return whether a cell can be varied: it is a value, and there are others like it."""
    value = item.parse(cell)
    if value is None or is_malformed(item.type, value):
        return False
    if isinstance(item.type, TextType):
        return not item.type.is_free
    low, high = item.type.bounds
    return low < high


def vary_cell(item: Field, cell: str, seed: int, *names: str | int) -> str | None:
    """Return a cell that differs from a variable one by little, None where none was found."""
    value = item.parse(cell)
    other: Value | None
    match item.type:
        case TextType():
            other = _vary_text(item.type, str(value), seed, names)
        case OrderedType():
            other = _shift(item.type, _require(value), seed, names)
        case SetType():
            size = len(item.type.values)
            other = _require(value) ^ 1 << draw_below(size, seed, "member", *names)
        case EnumType() | BooleanType():
            _, high = item.type.bounds
            step = 1 + draw_below(high, seed, "label", *names)
            other = (_require(value) + step) % (high + 1)
        case _:
            other = None
    return None if other is None or other == value else item.format_cell(other)


def _require(value: Value | None) -> int:
    return require_integer(0 if value is None else value)


def _shift(kind: OrderedType, value: int, seed: int, names: Names) -> int:
    """Return a value a few units beside another one, within the bounds of their type."""
    low, high = kind.bounds
    step = 1 + draw_below(_FARTHEST, seed, "step", *names)
    sign = -1 if draw_below(2, seed, "sign", *names) else 1
    found = value + sign * step
    return found if low <= found <= high else max(low, min(high, value - sign * step))


def _vary_text(kind: TextType, text: str, seed: int, names: Names) -> str | None:
    if kind.pool:
        return _choose(_list_nearest(kind.pool, text), seed, "other", *names)
    shape = find_shape(kind)
    match shape:
        case Pattern():
            return _vary_letter(shape, text, seed, names)
        case Phrase():
            return _vary_word(shape, text, seed, names)
        case None:
            return None


def _vary_letter(pattern: Pattern, text: str, seed: int, names: Names) -> str | None:
    """Return a text of a pattern with another letter at one place."""
    free = [n for n, letters in enumerate(pattern.alphabets) if len(letters) > 1]
    if not free:
        return None
    place = free[draw_below(len(free), seed, "place", *names)]
    others = [letter for letter in pattern.alphabets[place] if letter != text[place]]
    letter = others[draw_below(len(others), seed, "letter", *names)]
    return f"{text[:place]}{letter}{text[place + 1 :]}"


def _vary_word(phrase: Phrase, text: str, seed: int, names: Names) -> str | None:
    """Return a text with another word that looks much like its own, as Hogan and Logan do.

    It is a text of the same phrase, so that names, numbers and domains stay made up.
    """
    found = _split_phrase(phrase.parts, text)
    free = [n for n, words in enumerate(phrase.parts) if len(words) > 1]
    if found is None or not free:
        return None
    place = free[draw_below(len(free), seed, "part", *names)]
    word = _choose(_list_nearest(phrase.parts[place], found[place]), seed, "word", *names)
    return None if word is None else "".join((*found[:place], word, *found[place + 1 :]))


def _split_phrase(parts: Sequence[tuple[str, ...]], text: str) -> tuple[str, ...] | None:
    """Return the words of which a text is put together, None where it is not."""
    if not parts:
        return None if text else ()
    for word in parts[0]:
        if text.startswith(word):
            rest = _split_phrase(parts[1:], text[len(word) :])
            if rest is not None:
                return (word, *rest)
    return None


@cache
def _list_nearest(words: tuple[str, ...], word: str) -> tuple[str, ...]:
    """Return the few words that look most like another one, the likest first."""
    others = (other for other in words if other != word)
    return tuple(sorted(others, key=lambda other: (_count_unlike(word, other), other))[:_LIKE])


def _count_unlike(one: str, other: str) -> int:
    """Return at how many places two words differ, compared from their beginnings or their ends."""
    beside = abs(len(one) - len(other))
    pairs = zip(one, other, strict=False), zip(reversed(one), reversed(other), strict=False)
    return beside + min(sum(a != b for a, b in found) for found in pairs)


def _choose(found: Sequence[str], seed: int, *names: str | int) -> str | None:
    return found[draw_below(len(found), seed, *names)] if found else None
