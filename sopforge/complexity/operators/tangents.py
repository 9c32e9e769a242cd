"""SOP level: passages about the trade or work in general, which no case turns on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sopforge.complexity.passages import with_passages
from sopforge.complexity.variant import Variant
from sopforge.domain.documents.schema import HarderLevel
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import EnumType
from sopforge.material.pools.tangents import SENTENCES
from sopforge.rendering.sop.document import Line, Style
from sopforge.seeds import permute_index


class Tangents:
    """Puts ``dose`` tangents after steps and sections, each at most once."""

    name = "tangents"
    level: HarderLevel = "L1"
    usual = 4
    follows: tuple[str, ...] = ()

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        own = _shuffle_texts(variant.material.tangents, seed)
        chosen = [
            *own,
            *(
                text
                for text in _shuffle_texts(_select_sentences(variant.model), seed)
                if text not in own
            ),
        ]
        passages = [Line(Style.PARAGRAPH, text, excused="tangential") for text in chosen[:dose]]
        return with_passages(variant, self.name, passages, seed)


def _shuffle_texts(texts: Sequence[str], seed: int) -> list[str]:
    return [texts[permute_index(n, len(texts), seed, "tangent")] for n in range(len(texts))]


def _select_sentences(model: DomainModel) -> list[str]:
    """Return the sentences that name no value of an outcome, so that none reads as a rule."""
    labels = [label.lower() for label in _iterate_labels(model)]
    return [text for text in SENTENCES if not any(label in text.lower() for label in labels)]


def _iterate_labels(model: DomainModel) -> Iterator[str]:
    for item in model.outcomes:
        if isinstance(item.type, EnumType):
            yield from item.type.values


OPERATOR = Tangents()
