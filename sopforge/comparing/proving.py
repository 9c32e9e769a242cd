"""Whether any case at all is decided otherwise: asked of the solver, over our rows."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.comparing.aligning.needed import derive_known_answers
from sopforge.comparing.answers import AnswerPair
from sopforge.comparing.boundary_rows import is_case
from sopforge.comparing.translating import Row, Translation
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.domain.language.expressions import Expression
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import Value
from sopforge.solving.questions import Answer, Undecided, find_row
from sopforge.solving.questions import Row as Witness
from sopforge.solving.unfolded_places import TooManyStepsError
from sopforge.solving.unfolding import FALSE, build_disjunction, build_value_difference

_DRAWN = 50
"""How many drawn rows are tried for what the solver was not asked about."""


def find_differing_row(
    ours: DomainModel,
    theirs: DomainModel,
    translation: Translation,
    pairs: Sequence[AnswerPair],
) -> Answer:
    """Return a row that two readings answer otherwise, or the proof that there is none."""
    try:
        first = derive_known_answers(ours, [pair.ours.name for pair in pairs])
        second = derive_known_answers(theirs, [pair.theirs.name for pair in pairs])
    except TooManyStepsError:
        return Undecided()
    differ: Expression = FALSE
    for pair in pairs:
        one = pair.convert_ours(first[pair.ours.name])
        other = translation.translate_known(second[pair.theirs.name])
        differ = build_disjunction(differ, build_value_difference(one, pair.convert_theirs(other)))
    return find_row(translation.ours, [differ, *translation.conditions])


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
