"""Counter-based random integers: a number depends on its key alone, not on earlier draws."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

_ROUNDS = 6


def draw(seed: int, *key: str | int) -> int:
    """Return a uniform 128-bit integer for a key; equal keys give equal numbers anywhere."""
    text = "\x1f".join([str(seed), *map(str, key)])
    return int.from_bytes(blake2b(text.encode(), digest_size=16).digest())


def below(limit: int, seed: int, *key: str | int) -> int:
    """Return a uniform integer from 0 to ``limit`` - 1."""
    return draw(seed, *key) * limit >> 128


def pick(weights: Sequence[int], seed: int, *key: str | int) -> int:
    """Return a position, drawn in proportion to integer weights."""
    point = below(sum(weights), seed, *key)
    for position, weight in enumerate(weights):
        point -= weight
        if point < 0:
            return position
    raise ValueError("weights must be positive")


def permuted(index: int, size: int, seed: int, *key: str | int) -> int:
    """Return the image of ``index`` under a keyed permutation of 0 … ``size`` - 1.

    A Feistel network over the next even number of bits; images outside the range walk on.
    """
    half = max(1, (size - 1).bit_length() + 1 >> 1)
    mask = (1 << half) - 1
    image = index
    while True:
        left, right = image >> half, image & mask
        for turn in range(_ROUNDS):
            left, right = right, left ^ draw(seed, *key, turn, right) & mask
        image = left << half | right
        if image < size:
            return image
