"""A language model's rating of how hard an SOP is, on a scale where function calling is 2."""

from __future__ import annotations

from dataclasses import dataclass

from sopforge.artifacts.packaging.rating.ratings import MARKS
from sopforge.authors.writers.repair import Ask
from sopforge.errors import Fault, ProviderError
from sopforge.language.domain.documents.schema import ModelRatingDocument

TEMPLATE = "complexity_rating"
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Rated:
    """What a model made of an SOP."""

    score: int
    why: str

    def as_document(self, by: str) -> ModelRatingDocument:
        """Return the rating as a brief has it."""
        return ModelRatingDocument(by=by, score=self.score, why=self.why)


def rate_complexity(ask: Ask, sop: str, toolspecs: str) -> Rated:
    """Return a model's rating of an SOP with its tools.

    Raises:
        ProviderError: the rating is none of the scale, or nothing is said for it.
    """
    found = ask(TEMPLATE, {"sop": sop, "toolspecs": toolspecs})
    score, why = found["score"], " ".join(str(found["why"]).split())[:_LONGEST]
    if score not in MARKS or not why:
        message = f"the model rated the SOP {score!r}, and gave as its reason: {why or 'no word'!r}"
        hint = "ask another model, or state 'package: complexity_score' in the brief"
        raise ProviderError(Fault("rating-not-usable", message, TEMPLATE, hint))
    return Rated(score, why)
