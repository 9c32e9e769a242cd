"""Counter-based random integers: a number depends on its stream and its place alone.

A stream is a 64-bit key, hashed once from a seed and names; its numbers are those of SplitMix64,
each found by its place without those before it. Places are integers or numpy columns of unsigned
64-bit integers, and the same lines work on both, so that a column holds what its places would
have one by one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import accumulate
from math import isqrt
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

Column: TypeAlias = npt.NDArray[Any]
LARGEST = 1 << 63
_WORD = (1 << 64) - 1
_HALF = (1 << 32) - 1
_STRIDE = 0x9E3779B97F4A7C15
_TURNS = 6
Place = TypeVar("Place", int, Column)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Stream:
    """The random integers of one purpose, by their places."""

    key: int

    def draw_at(self, place: Place) -> Place:
        """Return a uniform integer of 64 bits."""
        mixed = _wrap_number(_wrap_number((place + 1) * _STRIDE) + self.key)
        mixed = _wrap_number((mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9)
        mixed = _wrap_number((mixed ^ mixed >> 27) * 0x94D049BB133111EB)
        number: Place = mixed ^ mixed >> 31
        return number

    def draw_below(self, limit: int, place: Place) -> Place:
        """Return a uniform integer from 0 to ``limit`` - 1."""
        return scale_number(self.draw_at(place), limit)

    def pick(self, weights: Sequence[int], place: Place) -> Place:
        """Return a position, drawn in proportion to integer weights."""
        number, first = self.draw_at(place), compute_pick_starts(weights)
        if isinstance(number, int):
            return bisect_right(first, number)
        return np.array(first, dtype=np.uint64).searchsorted(number, side="right")

    def has_share(self, percent: int, place: Place) -> Place:
        """Return 1 at ``percent`` of 100 places, and 0 at the others."""
        return self.pick((100 - percent, percent), place)

    def permute_place(self, size: int, place: Place) -> Place:
        """Return the image of a place under a keyed permutation of 0 … ``size`` - 1."""
        image = self._permute_cells(size, place)
        if isinstance(image, int):
            while image >= size:
                image = self._permute_cells(size, image)
            return image
        (outside,) = (image >= size).nonzero()
        while len(outside):
            image[outside] = self._permute_cells(size, image[outside])
            outside = outside[image[outside] >= size]
        return image

    def _permute_cells(self, size: int, place: Place) -> Place:
        """Permute the cells of the smallest near-square that holds ``size`` of them.

        A Feistel network: rows shift by a number that the column draws, columns by the row's.
        """
        height = isqrt(_require_limit(size) - 1) + 1
        width = -(-size // height)
        row, column = place // width, place % width
        for turn in range(0, _TURNS, 2):
            row = (row + (Stream(self.draw_at(turn)).draw_at(column) >> 1)) % height
            column = (column + (Stream(self.draw_at(turn + 1)).draw_at(row) >> 1)) % width
        image: Place = row * width + column
        return image


def make_stream(seed: int, *names: str | int) -> Stream:
    """Return the stream of a seed and names; equal ones give equal numbers on any machine."""
    text = "\x1f".join([str(seed), *map(str, names)])
    return Stream(int.from_bytes(blake2b(text.encode(), digest_size=8).digest()))


def scale_number(number: Place, limit: int) -> Place:
    """Return ``number`` * ``limit`` / 2^64 rounded down, with no part that passes 64 bits.

    A uniform number becomes one from 0 to ``limit`` - 1; the share of any run of results is
    off by less than 2^-63.
    """
    top, rest = divmod(_require_limit(limit), 1 << 32)
    high, low = number >> 32, number & _HALF
    middle = high * rest + (low * rest >> 32)
    whole: Place = middle >> 32
    if top:
        cross = low * top + (middle & _HALF)
        whole = high * top + whole + (cross >> 32)
    return whole


def compute_pick_starts(weights: Sequence[int]) -> list[int]:
    """Return from which 64-bit number on each position but the first is picked.

    Of all 2^64 numbers each position has its exact share, rounded to whole numbers.
    """
    total = sum(weights)
    if total <= 0:
        raise ValueError("weights must be positive")
    ends = [-(-(end << 64) // total) for end in accumulate(weights[:-1])]
    return [end for end in ends if end <= _WORD]


def draw(seed: int, *key: str | int) -> int:
    """Return a uniform 64-bit integer for a key; equal keys give equal numbers anywhere."""
    return make_stream(seed, *key).draw_at(0)


def draw_below(limit: int, seed: int, *key: str | int) -> int:
    """Return a uniform integer from 0 to ``limit`` - 1."""
    return make_stream(seed, *key).draw_below(limit, 0)


def pick(weights: Sequence[int], seed: int, *key: str | int) -> int:
    """Return a position, drawn in proportion to integer weights."""
    return make_stream(seed, *key).pick(weights, 0)


def permute_index(index: int, size: int, seed: int, *key: str | int) -> int:
    """Return the image of ``index`` under a keyed permutation of 0 … ``size`` - 1."""
    return make_stream(seed, *key).permute_place(size, index)


def permute_items(items: Sequence[Item], seed: int, *key: str | int) -> list[Item]:
    """Return items in a keyed order."""
    size = len(items)
    return [items[permute_index(place, size, seed, *key)] for place in range(size)]


def _wrap_number(number: Place) -> Place:
    """Keep 64 bits of an integer, as a column does by itself."""
    if isinstance(number, int):
        return number & _WORD
    return number


def _require_limit(limit: int) -> int:
    if not 0 < limit <= LARGEST:
        raise ValueError(f"a limit lies between 1 and 2^63, found {limit}")
    return limit
