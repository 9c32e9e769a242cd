"""The shape of a field's texts: what numbers them, whether letters or words."""

from __future__ import annotations

from typing import TypeAlias

from sopforge.language.domain.values.likeness import build_phrase
from sopforge.language.domain.values.patterns import Pattern, read_pattern
from sopforge.language.domain.values.phrases import Phrase
from sopforge.language.domain.values.types import TextType

Shape: TypeAlias = Pattern | Phrase


def find_shape(kind: TextType) -> Shape | None:
    """Return the shape of numbered texts, None for those of a pool."""
    if kind.like is not None:
        return build_phrase(kind.like)
    return read_pattern(kind.pattern) if kind.pattern else None
