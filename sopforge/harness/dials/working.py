"""Programs that work amid layers: the reference, and agents that lack one ability each."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from sopforge.harness.layers.abilities import Ability
from sopforge.harness.layers.ambiguity.misreading import work_amid_ambiguity
from sopforge.harness.layers.desk import Desk, Solver
from sopforge.harness.layers.documents.working import work_amid_documents
from sopforge.harness.layers.faults.recovering import work_amid_faults
from sopforge.harness.layers.queue.working import work_amid_queue
from sopforge.harness.layers.read_steps import StepReader
from sopforge.harness.layers.records.finding import work_amid_records
from sopforge.harness.layers.refusals.working import work_amid_refusals
from sopforge.harness.layers.user.working import work_amid_user
from sopforge.harness.layers.writes.working import work_amid_writes
from sopforge.harness.scoring.agents import ReferenceAgent
from sopforge.language.domain.model import DomainModel

Skill: TypeAlias = Callable[[Desk, DomainModel, Solver, Collection[Ability]], str]
SKILLS: tuple[Skill, ...] = (
    partial(work_amid_documents, read=StepReader()),
    partial(work_amid_ambiguity, read=StepReader()),
    work_amid_faults,
    work_amid_user,
    work_amid_records,
    work_amid_writes,
    work_amid_queue,
    work_amid_refusals,
)
"""How programs work amid each layer, the outermost first."""


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
    lacks: Collection[Ability] = ()
    decide: Solver = follow_procedure

    def work(self, desk: Desk) -> str:
        """Return the final text of the work at a desk."""
        return self._work_with(SKILLS, desk, self.model)

    def _work_with(self, skills: tuple[Skill, ...], desk: Desk, model: DomainModel) -> str:
        if not skills:
            return self.decide(desk, model)
        skill, *inner = skills

        def solve(at: Desk, by: DomainModel) -> str:
            return self._work_with(tuple(inner), at, by)

        return skill(desk, model, solve, self.lacks)


def work_as_reference(desk: Desk, model: DomainModel) -> str:
    """Return what the reference comes to at a desk."""
    return LayeredAgent(model).work(desk)
