"""Texts of patterns and phrases, many at once: letters and words are looked up for whole columns.

A pattern can have more texts than 64 bits count. Its end, as far as they do, is numbered; the
letters before it are drawn freely, so that different numbers still give different texts.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TypeAlias

import numpy as np

from sopforge.language.domain.values.patterns import Pattern
from sopforge.language.domain.values.phrases import Phrase
from sopforge.language.domain.values.text_shapes import Shape
from sopforge.language.logic.readings.vector import Column
from sopforge.seeds import make_stream

# What is drawn has to stay below the streams' own limit of 2^63 (ADR 0005).
MOST_NUMBERS = 1 << 62
_TABLE = 4_096
Name: TypeAlias = tuple[str | int, ...]


def count_numbered_texts(shape: Shape) -> int:
    """Return how many texts of a pattern or a phrase are distinguished by their numbers."""
    if isinstance(shape, Phrase):
        return shape.size
    return _divide_pattern(shape, MOST_NUMBERS)[-1].size


def draw_texts(shape: Shape, seed: int, name: Name, places: Column) -> Column:
    """Return a text per place, each of the shape's alike likely."""
    ends = make_stream(seed, *name).draw_below(count_numbered_texts(shape), places)
    return _build_texts(shape, ends, seed, name, places)


def make_unique_texts(shape: Shape, seed: int, name: Name, numbers: Column) -> Column:
    """Return the text of each number; texts are different until the numbered ones run out."""
    size = count_numbered_texts(shape)
    ends = make_stream(seed, *name).permute_place(size, numbers % size)
    return _build_texts(shape, ends, seed, name, numbers)


def make_unique_text(shape: Shape, seed: int, name: str, number: int) -> str:
    """Return the text of one number."""
    return str(make_unique_texts(shape, seed, (name,), np.array([number], dtype=np.uint64))[0])


def _build_texts(shape: Shape, ends: Column, seed: int, name: Name, places: Column) -> Column:
    if isinstance(shape, Phrase):
        return _build_phrases(shape, ends)
    return _spell_texts(shape, ends, seed, name, places)


def _build_phrases(phrase: Phrase, numbers: Column) -> Column:
    """Return the texts of numbers, their words looked up for the whole column."""
    texts = np.full(len(numbers), "", dtype=object)
    for words in reversed(phrase.parts):
        texts = np.array(words, dtype=object)[numbers % len(words)] + texts
        numbers = numbers // len(words)
    return texts


def _spell_texts(pattern: Pattern, ends: Column, seed: int, name: Name, places: Column) -> Column:
    *fronts, end = _divide_pattern(pattern, MOST_NUMBERS)
    letters = np.empty((len(places), len(pattern.alphabets)), dtype=np.uint32)
    start = 0
    for number, front in enumerate(fronts):
        drawn = make_stream(seed, *name, "letters", number).draw_below(front.size, places)
        start = _write(letters, start, front, drawn)
    _write(letters, start, end, ends)
    # numpy's texts have four bytes for each letter: the codes are read as texts as they lie.
    return np.asarray(letters.view(f"U{letters.shape[1]}")[:, 0].astype(object))


def _write(letters: Column, start: int, pattern: Pattern, numbers: Column) -> int:
    """Write the letters of numbered texts from a position on; return the position after them."""
    after = start + len(pattern.alphabets)
    place = after
    for chunk in reversed(_divide_pattern(pattern, _TABLE)):
        size = chunk.size
        first = place - len(chunk.alphabets)
        # What is left for the first chunk is smaller than it: a remainder would only cost time.
        letters[:, first:place] = _build_letters(chunk)[
            numbers if first == start else numbers % size
        ]
        numbers = numbers // size
        place = first
    return after


@cache
def _build_letters(pattern: Pattern) -> Column:
    """Return the letters of all texts of a small pattern, a row per number."""
    codes = [[ord(letter) for letter in row] for row in product(*pattern.alphabets)]
    return np.array(codes, dtype=np.uint32)


@cache
def _divide_pattern(pattern: Pattern, most: int) -> tuple[Pattern, ...]:
    """Divide a pattern from its end into patterns of at most so many texts."""
    parts: list[Pattern] = []
    end = start = len(pattern.alphabets)
    while end:
        while start and Pattern(pattern.alphabets[start - 1 : end]).size <= most:
            start -= 1
        parts.insert(0, Pattern(pattern.alphabets[start:end]))
        end = start
    return tuple(parts)
