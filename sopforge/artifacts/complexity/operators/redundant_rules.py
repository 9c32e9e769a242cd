"""SOP level: rules that read as any other, in cases that another rule decides already."""

from __future__ import annotations

from itertools import islice

from sopforge.artifacts.complexity.passages import place_passages
from sopforge.artifacts.complexity.rules.further_rules import iterate_redundant_rules
from sopforge.artifacts.complexity.variant import Variant
from sopforge.language.domain.documents.schema import HarderLevel


class RedundantRules:
    """Puts in ``dose`` rules and transitions that change nothing, as far as there is room.

    Who follows the text as it stands, and so takes the first that applies, comes to the same
    results; who takes the one that fits a case most closely does not.
    """

    name = "redundant_rules"
    level: HarderLevel = "L1"
    usual = 8
    follows: tuple[str, ...] = ()
    is_of_model = False

    def apply(self, variant: Variant, dose: int, seed: int) -> Variant:
        chosen = islice(iterate_redundant_rules(variant, seed), dose)
        return place_passages(variant, self.name, chosen, seed)


OPERATOR = RedundantRules()
