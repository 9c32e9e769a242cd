"""What programs score on a package with layers, in the environment in which its model answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sopforge.environment.session import open_session
from sopforge.evaluation.agents.amid_layers import LayeredAgent
from sopforge.evaluation.grading.grades import Attempt, Grade, Stop
from sopforge.evaluation.packages.layered import LayerablePackage
from sopforge.layers.desk import open_desk


def grade_agent(
    package: LayerablePackage, agent: LayeredAgent, tasks: Iterable[str] = ()
) -> list[Grade]:
    """Return the grades of a program at some tasks, at all where none are named."""
    found = []
    for task in tuple(tasks) or tuple(package.shown.tasks):
        session = open_session(package.model_environment, task)
        answer = agent.work(open_desk(session))
        found.append(package.grade(task, Attempt(session.state.events, answer, Stop.ANSWER)))
    return found


def compute_success(grades: Sequence[Grade]) -> float:
    """Return the share of attempts that are right."""
    return sum(grade.is_right for grade in grades) / len(grades)


def compute_case_success(grades: Sequence[Grade]) -> float:
    """Return the share of cases that are right; an attempt without several cases is one."""
    cases = [is_right for grade in grades for is_right in grade.cases or (grade.is_right,)]
    return sum(cases) / len(cases)
