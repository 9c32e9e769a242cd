"""Models that are kept as they are: all that was added to the brief is what they decide already."""

from __future__ import annotations

from sopforge.checks.readings.questions import are_followed, find_questions
from sopforge.pipeline.stages.building.orders import Order
from sopforge.pipeline.stages.building.repair import Draft, Examine
from sopforge.workspace import name_stage_files


def keep_model(order: Order, examine: Examine) -> Draft | None:
    """Return the files that stand, checked anew; None where an author has to be asked.

    Nobody has to where each answer that was added takes the side of the model that stands.
    """
    basis, stage = order.basis, order.stage
    if not basis.is_settled or basis.context:
        return None
    standing = order.workspace.with_files(name_stage_files(stage.name, basis.files))
    given = order.workspace.brief.parts.answers
    if not are_followed(basis.answers, find_questions(standing), given):
        return None
    return Draft(basis.files, examine(stage, standing), rounds=0)
