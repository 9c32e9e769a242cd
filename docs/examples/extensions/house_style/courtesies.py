"""SOP level: advice on good manners, on which no case turns."""

from __future__ import annotations

from sopforge.artifacts.complexity.passages import with_passages
from sopforge.artifacts.complexity.variant import Variant
from sopforge.artifacts.rendering.sop.document import Statement, Style
from sopforge.language.domain.documents.schema import HarderLevel

SENTENCES = (
    "Write as you would like to be written to.",
    "Colleagues who cover for somebody are shown where the files are.",
    "A short note is kinder than a long silence.",
)


class Courtesies:
    """Puts ``dose`` pieces of advice after steps and sections."""

    name = "courtesies"
    level: HarderLevel = "L1"
    usual = 1
    follows: tuple[str, ...] = ()
    is_of_model = False

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        chosen = SENTENCES[:dose]
        passages = [Statement(Style.PARAGRAPH, text, excused="tangential") for text in chosen]
        return with_passages(variant, self.name, passages, seed)


OPERATOR = Courtesies()
