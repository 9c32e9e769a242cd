"""SOP level: passages about work in general, which no case turns on."""

from __future__ import annotations

from collections.abc import Iterator

from sopforge.complexity.passages import with_passages
from sopforge.complexity.tangent_pool import SENTENCES
from sopforge.complexity.variant import Variant
from sopforge.domain.model import DomainModel
from sopforge.domain.types import EnumType
from sopforge.rendering.sop_document import Line, Style
from sopforge.seeds import permuted


class Tangents:
    """Puts ``dose`` tangents behind steps and sections, each of the pool before any again."""

    name = "tangents"

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        pool = _pool(variant.model)
        chosen = (
            pool[permuted(n, len(pool), seed, "tangent")] for n in range(min(dose, len(pool)))
        )
        passages = [Line(Style.PARAGRAPH, text, excused="tangential") for text in chosen]
        return with_passages(variant, self.name, passages, seed)


def _pool(model: DomainModel) -> list[str]:
    """Return the sentences that name no value of an outcome, so that none reads as a rule."""
    labels = [label.lower() for label in _labels(model)]
    return [text for text in SENTENCES if not any(label in text.lower() for label in labels)]


def _labels(model: DomainModel) -> Iterator[str]:
    for item in model.outcomes:
        if isinstance(item.type, EnumType):
            yield from item.type.values


OPERATOR = Tangents()
