"""Goals of parts of the procedure: a case comes back to each step that carries one out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.coverage.goals.goal import Goal, Kind
from sopforge.proof.dataset.mutants.part_mistakes import derive_wrong_returns
from sopforge.proof.solving.unfolding import FALSE, Unfolded, build_disjunction


def build_return_goals(model: DomainModel, places: Sequence[Unfolded]) -> Iterator[Goal]:
    """Ask for the return to each such step: the mistake is to go on as after another one."""
    for step in [item for item in model.steps.values() if item.do]:
        condition = FALSE
        for place in places:
            if place.step.id == step.id and place.place.is_back:
                condition = build_disjunction(condition, place.reached)
        words = f"a case comes back to step '{step.id}' from '{step.do}'"
        wrong = derive_wrong_returns(model, step)
        yield Goal(f"return to {step.id}", condition, words, Kind.RETURN, wrong)
