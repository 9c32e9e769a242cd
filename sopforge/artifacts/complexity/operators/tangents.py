"""SOP level: passages beside the point, of the trade and its office, on which no case turns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from sopforge.artifacts.complexity.passages import ANYWHERE, AddedPassage, Where, place_passages
from sopforge.artifacts.complexity.trade.asides import iterate_asides
from sopforge.artifacts.complexity.trade.pools.asides import AsidePlace
from sopforge.artifacts.complexity.trade.pools.tangents import SENTENCES
from sopforge.artifacts.complexity.trade.side_values import iterate_side_passages
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.artifacts.rendering.sop.marks import TANGENTIAL
from sopforge.language.domain.documents.schema import HarderLevel
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import EnumType
from sopforge.seeds import permute_items

_LISTS = frozenset({AsidePlace.ROLES, AsidePlace.DEFINITIONS})


class Tangents:
    """Puts ``dose`` tangents where such passages stand, each at most once."""

    name = "tangents"
    level: HarderLevel = "L1"
    usual = 2
    follows: tuple[str, ...] = ()
    is_of_model = False

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        chosen = islice(_iterate_passages(variant, seed), dose)
        return place_passages(variant, self.name, chosen, seed)


def _iterate_passages(variant: Variant, seed: int) -> Iterator[AddedPassage]:
    """Yield side values and asides of the setting in turn, then asides that fit any office."""
    filled = {item.text: item.place for item in iterate_asides(variant.setting, seed)}
    further = [*filled, *permute_items(SENTENCES, seed, "tangent")]
    asides = (
        _make_passage(text, filled.get(text)) for text in _select_sentences(variant.model, further)
    )
    values = iterate_side_passages(variant, seed)
    while some := [*islice(values, 1), *islice(asides, 1)]:
        yield from some


def _make_passage(text: str, place: AsidePlace | None = None) -> AddedPassage:
    line = Statement(Style.PARAGRAPH, text, excused=TANGENTIAL)
    return AddedPassage(line, Where(section=place) if place else ANYWHERE, place in _LISTS)


def _select_sentences(model: DomainModel, texts: Sequence[str]) -> list[str]:
    """Return the sentences that name no value of an outcome and no tool, as rules do."""
    labels = [label.lower() for label in _iterate_labels(model)]
    tools = {tool.offered_name for tool in model.tools.values()}
    return [
        text
        for text in texts
        if not any(label in text.lower() for label in labels)
        and tools.isdisjoint(re.findall(r"\w+", text))
    ]


def _iterate_labels(model: DomainModel) -> Iterator[str]:
    for item in model.outcomes:
        if isinstance(item.type, EnumType):
            yield from item.type.values


OPERATOR = Tangents()
