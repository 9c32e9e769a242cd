"""Whether any case at all is decided otherwise: asked of the solver, over our rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from sopforge.proof.comparing.aligning.needed import derive_known_answers
from sopforge.proof.comparing.answers import AnswerPair
from sopforge.proof.comparing.limit_cases import is_case
from sopforge.proof.comparing.translating import Row, Translation
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.comparing.differences import build_difference, find_differing_row
from sopforge.proof.solving.questions import Answer
from sopforge.proof.solving.questions import Row as Witness

_DRAWN = 50
"""How many drawn rows are tried for what the solver was not asked about."""


def prove_alike(
    ours: DomainModel,
    theirs: DomainModel,
    translation: Translation,
    pairs: Sequence[AnswerPair],
) -> Answer:
    """Return a row that two readings answer otherwise, or the proof that there is none."""
    differences = _iterate_differences(ours, theirs, translation, pairs)
    return find_differing_row(translation.ours, differences, translation.conditions)


def _iterate_differences(
    ours: DomainModel,
    theirs: DomainModel,
    translation: Translation,
    pairs: Sequence[AnswerPair],
) -> Iterator[Expression]:
    first = derive_known_answers(ours, [pair.ours.name for pair in pairs])
    second = derive_known_answers(theirs, [pair.theirs.name for pair in pairs])
    for pair in pairs:
        one = pair.convert_ours(first[pair.ours.name])
        other = translation.translate_known(second[pair.theirs.name])
        yield build_difference([(one, pair.convert_theirs(other))])


def complete_row(model: DomainModel, found: Witness, seed: int) -> Row | None:
    """Return the solver's row, drawn where it was not asked; None where nothing drawn fits."""
    for drawn in sample_rows(model, seed, range(_DRAWN)):
        row: dict[str, Value | None] = {**drawn, **found.values, **found.records}
        for entity in model.references:
            if row[entity.name] is None:
                # A record that is not there shows nothing, whatever was drawn for it.
                row |= dict.fromkeys(entity.fields)
        if is_case(model, row):
            return row
    return None
