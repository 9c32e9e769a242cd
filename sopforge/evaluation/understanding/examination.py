"""An agent is cross-examined: case by case, until it is known what it believes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from sopforge.diagnosis.hypotheses import Answer, Belief
from sopforge.diagnosis.inquiry import Inquiry, begin_inquiry
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.understanding.understanding import Examiner
from sopforge.progress.tracking import enter_step

Ask: TypeAlias = Callable[[ProvedPackage, str, int], Answer | None]
"""Has the agent work at a task of a package, for the nth time, and returns what it states.

None where there was no attempt: the budget is spent, or no provider answered.
"""
MOST_REPEATED = 2
"""How many of the answers that a statement rests on are asked for again."""


@dataclass(frozen=True)
class Examination:
    """What was asked, and what is known by it; ``unsteady`` tasks got another answer when repeated.

    It ``is_broken_off`` where an attempt could not be made.
    """

    inquiry: Inquiry
    is_broken_off: bool = False
    unsteady: Sequence[str] = field(default=())

    @property
    def stated(self) -> Belief | None:
        """The mistake by which the agent is known to act, None where none is."""
        return self.inquiry.leader if self.inquiry.is_settled and not self.unsteady else None


def examine_agent(
    packages: Sequence[ProvedPackage], examiner: Examiner, ask: Ask, most: int
) -> Examination:
    """Return what an agent believes, after so many cases of some packages at most."""
    inquiry = begin_inquiry(examiner.model, examiner.right, examiner.beliefs)
    places = {
        examiner.name_task(package.digest, task): (package, task)
        for package in packages
        for task in package.plain.rows
    }
    while len(inquiry.heard) < most and not inquiry.is_settled:
        name = inquiry.choose()
        if name is None:
            break
        with enter_step(f"case {len(inquiry.heard) + 1} of {most} at most"):
            answer = ask(*places[name], 0)
        if answer is None:
            return Examination(inquiry, is_broken_off=True)
        inquiry.hear(name, answer)
    unsteady = []
    for name in inquiry.proofs[:MOST_REPEATED] if inquiry.is_settled else ():
        with enter_step("an answer again"):
            again = ask(*places[name], 1)
        if again is not None and inquiry.read_code(name, again) != inquiry.heard[name]:
            unsteady.append(name)
    return Examination(inquiry, unsteady=unsteady)
