"""What one agent of a run has understood of a package: what it masters, and what it misreads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from sopforge.artifacts.rendering.sop.document import SopDocument, Statement, Style, read_sop
from sopforge.artifacts.rendering.sop.marks import MEANING
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.checks.auditing.own import PLACES
from sopforge.errors import Fault, MaterialError, StoreError
from sopforge.evaluation.diagnosis.diagnosing import Diagnosis, Diagnostician
from sopforge.evaluation.diagnosis.hypotheses import Answers, Belief, find_beliefs
from sopforge.evaluation.diagnosis.mastery import Mastered, Showing, find_showing, measure_mastery
from sopforge.evaluation.diagnosis.places import RulePlace
from sopforge.evaluation.figures.series import Series
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.harness.grading.grades import Stop
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.records import Row as Case
from sopforge.workspace import SOP_TEXT, SOP_TRACE

_Stated: TypeAlias = tuple[tuple[str, str], ...]
_HEADINGS = frozenset({Style.TITLE, Style.SECTION, Style.STEP})
_SHORT = 8
"""How much of a digest distinguishes the packages of one domain."""


@dataclass(frozen=True, slots=True)
class Understanding:
    """What an agent masters and misreads; to ``unsteady`` tasks it gave several answers."""

    series: Sequence[Series]
    mastery: Sequence[Mastered]
    diagnosis: Diagnosis
    unsteady: Sequence[str]


@dataclass(frozen=True)
class Examiner:
    """Knows what the tasks of some packages with one model show, worked out once for all agents.

    Where there are several packages, a task is named with the beginning of its package's digest.
    """

    packages: Sequence[ProvedPackage]
    sop: SopDocument | None

    @property
    def model(self) -> DomainModel:
        """The model that says what is right."""
        return self.packages[0].model

    @cached_property
    def rows(self) -> Mapping[str, Case]:
        """The case of each task."""
        return {
            self.name_task(package.digest, task): row
            for package in self.packages
            for task, row in package.plain.rows.items()
        }

    @cached_property
    def right(self) -> Answers:
        """The right outcomes of each task."""
        return {
            self.name_task(package.digest, task): package.gold[task].outcomes
            for package in self.packages
            for task in package.plain.rows
        }

    @cached_property
    def beliefs(self) -> Sequence[Belief]:
        """The mistakes that the tasks show."""
        return find_beliefs(self.model, self.rows)

    @cached_property
    def diagnostician(self) -> Diagnostician:
        """Finds the mistakes of agents, and keeps what it worked out for one for the next."""
        return Diagnostician(self.model, self.rows, self.right, self.beliefs)

    @cached_property
    def stated_rules(self) -> list[str]:
        """The statements of an SOP of the model alone, without what experts added."""
        return [item.text for item in render_sop(self.model, "").statements]

    @cached_property
    def showing(self) -> Showing:
        """Which tasks show which places."""
        return find_showing(self.model, self.right, self.beliefs)

    def name_task(self, digest: str, task: str) -> str:
        """Return by what name a task of a package is known."""
        return task if len(self.packages) == 1 else name_apart(digest, task)

    def examine(self, series: Sequence[Series]) -> Understanding:
        """Return what an agent has understood, by its answers to the tasks of the packages.

        Raises:
            MaterialError: it attempted no plain task.
        """
        given = self._group_answers(series)
        # The answer that was given most often, the first of equals.
        stated = {task: dict(answers.most_common(1)[0][0]) for task, answers in given.items()}
        if not stated:
            raise MaterialError(make_dials_fault(series[0].package))
        diagnosis = self.diagnostician.diagnose(stated)
        mastery = measure_mastery(self.model, self.showing, self.right, stated, diagnosis.stated)
        unsteady = [task for task, answers in given.items() if len(answers) > 1]
        return Understanding(series, mastery, diagnosis, unsteady)

    def has_answers(self, series: Iterable[Series]) -> bool:
        """Return whether an agent answered plain tasks: in a run with dials there are none."""
        return bool(self._group_answers(series))

    def find_clause(self, place: RulePlace) -> str:
        """Return what the SOP says of a place, empty where that is not known."""
        facts = set(place.list_facts(self.model))
        stated = [item for item in self._clauses if facts & {*item.states}]
        # A heading runs into the sentence after it; of a step that says no more, it is the clause.
        said = [item for item in stated if item.style not in _HEADINGS]
        return " ".join(item.text for item in said or stated)

    @cached_property
    def _clauses(self) -> Sequence[Statement]:
        """The statements of the SOP, without those that explain others."""
        statements = self.sop.statements if self.sop else ()
        return [item for item in statements if item.excused != MEANING]

    def _group_answers(self, series: Iterable[Series]) -> dict[str, Counter[_Stated]]:
        """Return how often each answer was given, by tasks; where no provider answered, none."""
        names = [item.name for item in self.model.outcomes]
        found: dict[str, Counter[_Stated]] = {}
        for row in (row for item in series for row in item.rows):
            task = self.name_task(row.asked.digest, row.asked.task)
            if row.stop != Stop.PROVIDER and task in self.right:
                stated = row.grade.stated
                answer = tuple((name, stated[name]) for name in names if name in stated)
                found.setdefault(task, Counter())[answer] += 1
        return found


def name_apart(digest: str, task: str) -> str:
    """Return the name of a task beside tasks of other packages of its domain."""
    return f"{task}@{digest[:_SHORT]}"


def make_dials_fault(where: str) -> Fault:
    """Return the fault of a run that has none of the plain tasks."""
    message = "the run has dials, but mastery is measured on the plain tasks of a package"
    hint = "diagnose a run on the level L0, L1, L2 or L3 of the domain, without '--dial'"
    return Fault("diagnosis-with-dials", message, where, hint)


def read_traced_sop(folder: Path) -> SopDocument | None:
    """Return the SOP of a package with what its lines state, None where that is not known."""
    try:
        text, trace = ((folder / PLACES[name]).read_text("utf-8") for name in (SOP_TEXT, SOP_TRACE))
        return read_sop(text, trace)
    except (OSError, ValueError, KeyError, StoreError):
        return None
