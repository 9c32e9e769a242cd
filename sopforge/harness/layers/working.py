"""Programs that work amid layers: the reference, and agents that lack one ability each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.dial import Skill
from sopforge.harness.layers.dials import SKILLS
from sopforge.harness.scoring.agents import ReferenceAgent
from sopforge.language.domain.model import DomainModel


def follow_procedure(desk: Desk, model: DomainModel) -> str:
    """Return what the procedure comes to in the case that lies on a desk.

    Of a case that could not be found, nothing is stated.
    """
    if any(item.name not in desk.inputs for item in model.inputs):
        return ""
    return ReferenceAgent(model, visit=desk.consult).solve(desk.inputs, desk.call).answer


@dataclass(frozen=True, slots=True)
class LayeredAgent:
    """Follows the procedure of a model, amid whatever layers its session has.

    It decides a case by ``decide``, and has all abilities but those that it ``lacks``.
    """

    model: DomainModel
    lacks: Collection[str] = ()
    decide: Solver = follow_procedure

    def work(self, desk: Desk) -> str:
        """Return the final text of the work at a desk."""
        return self._work_with(SKILLS, desk, self.model)

    def _work_with(self, skills: Sequence[Skill], desk: Desk, model: DomainModel) -> str:
        if not skills:
            return self.decide(desk, model)
        skill, *inner = skills

        def solve(at: Desk, by: DomainModel) -> str:
            return self._work_with(inner, at, by)

        return skill(desk, model, solve, self.lacks)


def work_as_reference(desk: Desk, model: DomainModel) -> str:
    """Return what the reference comes to at a desk."""
    return LayeredAgent(model).work(desk)
