"""What programs score on cases with layers, in the environment in which the model answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from sopforge.harness.environment.session import open_session
from sopforge.harness.grading.grades import Attempt, Grade, Stop
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.layered import Cases
from sopforge.harness.layers.working import LayeredAgent


def grade_agent(cases: Cases, agent: LayeredAgent, tasks: Iterable[str] = ()) -> list[Grade]:
    """Return the grades of a program at some tasks, at all where none are named."""
    found = []
    for task in tuple(tasks) or tuple(cases.shown.tasks):
        session = open_session(cases.environment, task)
        answer = agent.work(open_desk(session))
        found.append(cases.grade(task, Attempt(session.state.events, answer, Stop.ANSWER)))
    return found


def compute_success(grades: Sequence[Grade]) -> Fraction:
    """Return the share of attempts that are right."""
    return Fraction(sum(grade.is_right for grade in grades), len(grades))


def compute_case_success(grades: Sequence[Grade]) -> Fraction:
    """Return the share of cases that are right; an attempt without several cases is one."""
    cases = [is_right for grade in grades for is_right in grade.cases or (grade.is_right,)]
    return Fraction(sum(cases), len(cases))
