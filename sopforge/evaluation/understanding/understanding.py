"""What one agent of a run has understood of a package: what it masters, and what it misreads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sopforge.checks.auditing.own import PLACES
from sopforge.dataset.records import Row as Case
from sopforge.diagnosis.diagnosing import Diagnosis, Diagnostician
from sopforge.diagnosis.hypotheses import Answer, Answers, Belief, find_beliefs
from sopforge.diagnosis.mastery import Mastered, Showing, find_showing, measure_mastery
from sopforge.diagnosis.places import Place
from sopforge.domain.model import DomainModel
from sopforge.errors import Fault, MaterialError, StoreError
from sopforge.evaluation.figures.series import Series
from sopforge.evaluation.packages.package import EvaluatedPackage
from sopforge.evaluation.packages.proved import ProvedPackage
from sopforge.evaluation.runs.rows import Row
from sopforge.grading.grades import Stop
from sopforge.rendering.sop.document import SopDocument, read_sop
from sopforge.workspace import SOP_TEXT, SOP_TRACE


@dataclass(frozen=True, slots=True)
class Understanding:
    """What an agent masters and misreads; to ``unsteady`` tasks it gave several answers."""

    series: Series
    mastery: Sequence[Mastered]
    diagnosis: Diagnosis
    unsteady: Sequence[str]


@dataclass(frozen=True)
class Examiner:
    """Knows of a package what its tasks show, worked out once for all agents."""

    model: DomainModel
    right: Answers
    beliefs: Sequence[Belief]
    showing: Showing
    rows: Mapping[str, Case]
    sop: SopDocument | None

    @classmethod
    def read(cls, package: EvaluatedPackage, folder: Path) -> Examiner:
        """Return the examiner of a package in a folder.

        Raises:
            MaterialError: the package has no model, or is of a level with dials.
        """
        plain = _require_plain(package, folder)
        rows = plain.plain.rows
        right = {task: plain.gold[task].outcomes for task in rows}
        beliefs = find_beliefs(plain.model, rows)
        showing = find_showing(plain.model, right, beliefs)
        return cls(plain.model, right, beliefs, showing, rows, _read_sop(folder))

    def examine(self, series: Series) -> Understanding:
        """Return what an agent has understood, by its answers to the tasks.

        Raises:
            MaterialError: it attempted no plain task.
        """
        stated = dict(self._iterate_answers(series.rows))
        if not stated:
            raise MaterialError(_make_dials_fault(series.package))
        diagnosis = Diagnostician(self.model, self.rows, self.right, self.beliefs).diagnose(stated)
        mastery = measure_mastery(self.model, self.showing, self.right, stated, diagnosis.stated)
        return Understanding(series, mastery, diagnosis, _list_unsteady(self.model, series.rows))

    def find_clause(self, place: Place) -> str:
        """Return what the SOP says of a place, empty where that is not known."""
        facts = set(place.list_facts(self.model))
        lines = self.sop.lines if self.sop else ()
        return " ".join(line.text for line in lines if facts & {*line.states})

    def _iterate_answers(self, rows: Iterable[Row]) -> Iterator[tuple[str, Answer]]:
        """Yield for each task the answer that was given most often, the first of equals."""
        for task, given in _group_answers(self.model, rows).items():
            if task in self.right:
                yield task, dict(given.most_common(1)[0][0])


def _group_answers(
    model: DomainModel, rows: Iterable[Row]
) -> dict[str, Counter[tuple[tuple[str, str], ...]]]:
    """Return how often each answer was given, by tasks; where no provider answered, none was."""
    names = [item.name for item in model.outcomes]
    found: dict[str, Counter[tuple[tuple[str, str], ...]]] = {}
    for row in rows:
        if row.stop != Stop.PROVIDER:
            stated = row.grade.stated
            answer = tuple((name, stated[name]) for name in names if name in stated)
            found.setdefault(row.asked.task, Counter())[answer] += 1
    return found


def _list_unsteady(model: DomainModel, rows: Iterable[Row]) -> list[str]:
    return [task for task, given in _group_answers(model, rows).items() if len(given) > 1]


def _require_plain(package: EvaluatedPackage, folder: Path) -> ProvedPackage:
    if not isinstance(package, ProvedPackage):
        message = "the package has no model by which answers could be explained"
        hint = "diagnose runs on packages that SOPForge made"
        raise MaterialError(Fault("diagnosis-without-model", message, str(folder), hint))
    if package.cases is not package.plain:
        raise MaterialError(_make_dials_fault(str(folder)))
    return package


def _make_dials_fault(where: str) -> Fault:
    message = "the run has dials; mastery is measured on the plain tasks of a package"
    hint = "diagnose a run on the level L0, L1, L2 or L3 of the domain, without '--dial'"
    return Fault("diagnosis-with-dials", message, where, hint)


def _read_sop(folder: Path) -> SopDocument | None:
    try:
        text, trace = ((folder / PLACES[name]).read_text("utf-8") for name in (SOP_TEXT, SOP_TRACE))
        return read_sop(text, trace)
    except (OSError, ValueError, KeyError, StoreError):
        return None
