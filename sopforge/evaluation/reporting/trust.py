"""What an agent can be trusted with: verdicts for people, each with the cases that it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from sopforge.artifacts.rendering.charts.flowchart import FlowChart, build_chart
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.evaluation.diagnosis.diagnosing import Evidence
from sopforge.evaluation.diagnosis.mastery import Mastered
from sopforge.evaluation.diagnosis.places import PlaceKind, RulePlace, find_place
from sopforge.evaluation.runs.metrics import Rate, compute_rate
from sopforge.evaluation.runs.rows import Row
from sopforge.evaluation.understanding.understanding import Examiner, Understanding
from sopforge.harness.grading.grades import Stop
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Rule, Table
from sopforge.language.domain.values.types import BooleanType, EnumType
from sopforge.language.english.words import phrase_expression

SAFE, GOOD = 0.9, 0.8
"""From which share on, and surely, cases can be left to an agent; from which they are prepared."""
_MOST_LINES = 6


class ClaimVerdict(StrEnum):
    """What may be done with cases of a kind."""

    LEAVE = "Leave it to the agent"
    CHECK = "Let it prepare, a person checks"
    KEEP = "Do not leave it to the agent"


@dataclass(frozen=True, slots=True)
class CaseKind:
    """The cases in which an agent says the same: how many are right, and what that allows."""

    name: str
    rate: Rate

    @property
    def right(self) -> int:
        """How many attempts are right."""
        return round((self.rate.share or 0) * self.rate.of)

    @property
    def verdict(self) -> ClaimVerdict:
        """What may be done with them."""
        if self.rate.low >= SAFE:
            return ClaimVerdict.LEAVE
        return ClaimVerdict.CHECK if (self.rate.share or 0) >= GOOD else ClaimVerdict.KEEP

    @property
    def is_few(self) -> bool:
        """Whether the agent has all right, and more cases could show that it can be left alone."""
        return self.rate.share == 1 and self.rate.low < SAFE


@dataclass(frozen=True, slots=True)
class Misreading:
    """A mistake: what the SOP says, by what the agent acts, and the attempts that prove it.

    ``words`` are several where no task distinguishes these mistakes.
    """

    words: tuple[str, ...]
    clause: str
    acts: tuple[str, ...]
    evidence: Evidence
    is_stated: bool
    proofs: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """How well a place is mastered, for a drawing and in words."""

    right: int
    of: int

    @property
    def state(self) -> str:
        """Mastered, lacking, or failed: by how many of the tasks that show it are right."""
        if self.right == self.of:
            return "mastered"
        return "lacking" if self.right >= GOOD * self.of else "failed"


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule of a table in words."""

    place: RulePlace
    when: str
    then: str


@dataclass(frozen=True)
class Trust:
    """What one agent can be trusted with in one domain, and why."""

    name: str
    package: str
    whole: Rate
    kinds: Sequence[CaseKind]
    misreadings: Sequence[Misreading]
    understood: Understanding
    marks: Mapping[RulePlace, Mark]
    chart: FlowChart
    tables: Mapping[str, Sequence[RuleLine]]
    others: Sequence[tuple[RulePlace, str]]
    lacking: Sequence[tuple[Mastered, str]]

    @property
    def verdict(self) -> ClaimVerdict:
        """What may be done with the cases of the domain, by all of them together."""
        return CaseKind("", self.whole).verdict

    @property
    def right(self) -> int:
        """How many attempts are right."""
        return CaseKind("", self.whole).right

    def find_mark(self, kind: str, name: str) -> Mark | None:
        """Return the mark of a place, None where no task shows it."""
        return self.marks.get(RulePlace(PlaceKind(kind), name))

    def find_edge_mark(self, name: str) -> Mark | None:
        """Return the mark of a drawn edge."""
        return self.find_mark("edge", name) or self.find_mark("refusal", name)


def build_trust(examiner: Examiner, understood: Understanding, name: str) -> Trust:
    """Return what an agent can be trusted with, by its answers to the tasks of some packages."""
    model = examiner.model
    rows = [row for item in understood.series for row in item.rows if row.stop != Stop.PROVIDER]
    diagnosis = understood.diagnosis
    lacking = sorted(
        (item for item in understood.mastery if not item.is_mastered),
        key=lambda item: (-len(item.wrong), item.place),
    )
    return Trust(
        name=name,
        package=understood.series[0].package,
        whole=_compute_rate(rows),
        kinds=list(_list_kinds(examiner, rows)),
        misreadings=[
            _describe(examiner, item, rows, is_stated=item in diagnosis.stated)
            for item in (*diagnosis.stated, *diagnosis.suspected)
        ],
        understood=understood,
        marks={
            item.place: Mark(len(item.tasks) - len(item.wrong), len(item.tasks))
            for item in understood.mastery
        },
        chart=build_chart(model),
        tables={
            model.fields[target].label: [_phrase(model, target, rule) for rule in decision.rules]
            for target, decision in model.decisions.items()
            if isinstance(decision, Table)
        },
        others=list(_list_others(model, understood.mastery)),
        lacking=[(item, examiner.find_clause(item.place)) for item in lacking],
    )


def _compute_rate(rows: Sequence[Row]) -> Rate:
    tasks = [(row.asked.digest, row.asked.task) for row in rows]
    return compute_rate([(row.grade.is_right, task) for row, task in zip(rows, tasks, strict=True)])


def _list_kinds(examiner: Examiner, rows: Iterable[Row]) -> Iterator[CaseKind]:
    """Yield the cases by what the agent says is the primary answer, if that is a label.

    Who works with the agent sees what it says, and not what is right.
    """
    primary = examiner.model.primary
    if not isinstance(primary.type, EnumType | BooleanType):
        return
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.grade.stated.get(primary.name, ""), []).append(row)
    for said, own in sorted(found.items()):
        words = f"it says {primary.label}: {said}" if said else f"it says no {primary.label}"
        yield CaseKind(words, _compute_rate(own))


def _describe(
    examiner: Examiner, item: Evidence, rows: Sequence[Row], *, is_stated: bool
) -> Misreading:
    first = item.belief.readings[0]
    place = find_place(examiner.model, first.mutant, first.model)
    return Misreading(
        item.belief.words[:_MOST_LINES],
        examiner.find_clause(place) if place else "",
        _phrase_acts(examiner, first.model),
        item,
        is_stated,
        tuple(
            row
            for row in rows
            if not row.grade.is_right
            and examiner.name_task(row.asked.digest, row.asked.task) in item.explained
        ),
    )


def _phrase_acts(examiner: Examiner, other: DomainModel) -> tuple[str, ...]:
    """Return what an SOP would say by which the agent acts, as far as it differs."""
    after = [item.text for item in render_sop(other, "").statements]
    pieces = SequenceMatcher(None, examiner.stated_rules, after, autojunk=False).get_opcodes()
    # An entry of a list says little without the sentence above it, so statements stay whole.
    new = [text for kind, _, _, a, b in pieces if kind != "equal" for text in after[a:b]]
    return tuple(new[:_MOST_LINES])


def _phrase(model: DomainModel, target: str, rule: Rule) -> RuleLine:
    when = "in all other cases"
    if rule.when is not None:
        when = phrase_expression(rule.when, model.fields)
    then = phrase_expression(rule.then, model.fields)
    return RuleLine(RulePlace(PlaceKind.RULE, f"{target}.{rule.id}"), when, then)


def _list_others(
    model: DomainModel, mastery: Iterable[Mastered]
) -> Iterator[tuple[RulePlace, str]]:
    """Yield the limits and formulas that some task shows, each with what it means."""
    for item in mastery:
        if item.place.kind is PlaceKind.LIMIT and item.place.name in model.policy:
            yield item.place, model.policy[item.place.name].meaning
        if item.place.kind is PlaceKind.FORMULA and item.place.name in model.fields:
            yield item.place, model.fields[item.place.name].label
