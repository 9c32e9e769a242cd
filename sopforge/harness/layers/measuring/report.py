"""How hard a level with dials is: what it asks for, who falls on it, and how far one remembers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from functools import cached_property
from statistics import median
from typing import Any

from sopforge.harness.environment.session import open_session
from sopforge.harness.grading.grades import Grade
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.dials import ABLATED
from sopforge.harness.layers.documents.handbook import Handbook
from sopforge.harness.layers.layered import Cases, LayeredCases
from sopforge.harness.layers.layering import iterate_layers, put_layers
from sopforge.harness.layers.measuring.measuring import (
    compute_case_success,
    compute_success,
    grade_agent,
)
from sopforge.harness.layers.measuring.sequences import measure_sequences
from sopforge.harness.layers.own_rules import list_mistakes
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.queue.queued_cases import QueuedCases
from sopforge.harness.layers.working import LayeredAgent
from sopforge.language.domain.model import DomainModel
from sopforge.parallel import map_in_processes
from sopforge.proof.dataset.distinguishing import find_distinguished
from sopforge.proof.dataset.gold.order import is_acting
from sopforge.sandbox.answers import JSON
from sopforge.seeds import permute_items

MOST_TASKS, MOST_SESSIONS = 60, 12
"""At how many tasks programs are measured, drawn by the seed; of sessions fewer are enough."""
MOST_MISTAKES = 40
"""How many one-mistake agents are measured, evenly from all."""
ERRORS = (Decimal("0.002"), Decimal("0.005"), Decimal("0.01"))
"""Per decision: by these, survival is worked out."""
LEAST_FALL, MOST_BESIDE = Decimal("0.3"), Decimal("0.05")
"""What an ablated agent loses at least on its own dial, and at most on each other."""


@dataclass(frozen=True)
class Reporter:
    """Measures the cases of a domain with the doses of a level."""

    core: PlainCases
    cases: Cases
    doses: Mapping[str, int]
    seed: int

    def report(self) -> dict[str, JSON]:
        """Return all figures of the level, as JSON."""
        return {
            "dials": {name: dose for name, dose in self.doses.items() if dose},
            "tasks": len(self.cases.shown.tasks),
            "cases": sum(len(paths) for paths in self.cases.paths.values()),
            **self._describe_work(),
            "reference": _round(compute_success(self._grade(self.cases, self._reference))),
            "one_mistake": self.mistakes,
            "matrix": self._build_matrix(),
            **self._describe_windows(),
            **self._describe_documents(),
            "sequences": self._describe_sequences(),
        }

    @property
    def _reference(self) -> LayeredAgent:
        return LayeredAgent(self.core.model)

    def _grade(self, cases: Cases, agent: LayeredAgent) -> list[Grade]:
        return grade_agent(cases, agent, self._draw(cases))

    def _draw(self, cases: Cases) -> list[str]:
        tasks = list(cases.shown.tasks)
        has_sessions = any(len(paths) > 1 for paths in cases.paths.values())
        most = MOST_SESSIONS if has_sessions else MOST_TASKS
        return sorted(permute_items(tasks, self.seed, "measured")[:most])

    def _describe_work(self) -> dict[str, JSON]:
        """Return what a case asks for: decisions and writes, on average; and survival by them."""
        decisions = writes = counted = 0
        for task in self._draw(self.cases):
            calls = self.cases.get_gold(task).calls
            size = len(self.cases.paths[task])
            decisions += len(calls) + size * self._count_decisions(task)
            writes += sum(is_acting(self.core.model.offered, call.tool) for call in calls)
            counted += size
        each = Fraction(decisions, counted)
        most = max(len(paths) for paths in self.cases.paths.values())
        return {
            "decisions": _round(each),
            "writes": _round(Fraction(writes, counted)),
            "survival": {
                str(error): {
                    "case": _round(_compute_survival(error, each)),
                    "session": _round(_compute_survival(error, each * most)),
                }
                for error in ERRORS
            },
        }

    def _count_decisions(self, task: str) -> int:
        """Return how many steps and deciding rules a case has; those of the first, of a session."""
        plain = self.core.get_gold(self.cases.find_plain(task))
        return sum(node in self.core.model.steps for node in plain.path) + len(plain.rules)

    @property
    def session_median(self) -> Decimal:
        """The share of sessions that half of the agents with one small mistake do not exceed."""
        found = self.mistakes["session"]
        return Decimal(str(found["median"])) if isinstance(found, dict) and found else Decimal(1)

    @cached_property
    def mistakes(self) -> dict[str, JSON]:
        """How agents with one small mistake fare: by cases, and by whole sessions."""
        model = self.core.model
        mistakes = list_mistakes(model)
        shown_at = find_distinguished(model, self.core.rows, [other for _, other in mistakes])
        shown = [other for (_, other), tasks in zip(mistakes, shown_at, strict=True) if tasks]
        few = shown[:: max(1, -(-len(shown) // MOST_MISTAKES))]
        graded = map_in_processes(self._grade_mistake, few, "one-mistake agents measured")
        cases = [compute_case_success(grades) for grades in graded]
        size = max(len(paths) for paths in self.cases.paths.values())
        return {
            "agents": len(few),
            "of": len(shown),
            "case": _summarize(cases),
            "session": _summarize([compute_success(grades) for grades in graded]),
            "independent": _summarize([share**size for share in cases]),
        }

    def _grade_mistake(self, other: DomainModel) -> list[Grade]:
        return self._grade(self.cases, LayeredAgent(other))

    def _build_matrix(self) -> dict[str, JSON]:
        """Return for each dial by itself what each ablated agent loses on it."""
        plain = self._compute_losses(self.core)
        return {
            "none": plain,
            **{
                name: self._compute_losses(put_layers(self.core, {name: dose}, self.seed))
                for name, dose in self.doses.items()
                if dose
            },
        }

    def _compute_losses(self, cases: Cases) -> dict[str, JSON]:
        model = self.core.model
        reference = compute_case_success(self._grade(cases, self._reference))
        return {
            name: _round(
                reference
                - compute_case_success(self._grade(cases, LayeredAgent(model, (item.lacks,))))
            )
            for name, item in ABLATED.items()
        }

    def _describe_windows(self) -> dict[str, JSON]:
        """Return how many places back a case hangs: the shortest memory that is enough for it."""
        queued = next(iterate_queued(self.cases), None)
        if queued is None:
            return {}
        windows = [window for name in queued.layer.plans for window in queued.find_windows(name)]
        return {
            "hanging": _round(Fraction(sum(window > 0 for window in windows), len(windows))),
            "window": {"mean": _round(Fraction(sum(windows), len(windows))), "most": max(windows)},
        }

    def _describe_documents(self) -> dict[str, JSON]:
        """Return how many documents there are, how many bind, and how many a session needs."""
        for layer, _ in iterate_layers(self.cases):
            if isinstance(layer, Handbook):
                needed = [self._count_opened(layer, task) for task in self._draw(self.cases)]
                return {
                    "documents": {
                        "all": len(layer.documents),
                        "binding": len(layer.binding),
                        "mean": _round(Fraction(sum(needed), len(needed))),
                        "most": max(needed),
                    }
                }
        return {}

    def _describe_sequences(self) -> dict[str, JSON]:
        """Return which share of the tool sequences of each length the plain tasks have."""
        calls = [[call.tool for call in task.calls] for task in self.core.gold.values()]
        found = measure_sequences(self.core.model, calls)
        return {str(item.length): _round(item.share) for item in found if item.share is not None}

    def _count_opened(self, handbook: Handbook, task: str) -> int:
        """Return how many of the documents that bind the reference opens in a session."""
        session = open_session(self.cases.environment, task)
        self._reference.work(open_desk(session))
        return len(handbook.list_opened(session.state.events))


def iterate_queued(cases: Cases) -> Iterator[QueuedCases]:
    """Yield the cases in queues among layers, at most one."""
    while isinstance(cases, LayeredCases):
        if isinstance(cases, QueuedCases):
            yield cases
        cases = cases.inner


def find_faults(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words why a level is not to be published: who does not fall on his dial, say."""
    if not report:
        return
    if Decimal(str(report["reference"])) != 1:
        yield f"the reference agent scores {report['reference']}, not 1"
    for name, item in ABLATED.items():
        for dial, losses in report["matrix"].items():
            lost = Decimal(str(losses[name]))
            if dial == item.dial and lost < LEAST_FALL:
                yield f"'{name}' loses {lost} on {dial}, less than {LEAST_FALL}"
            if dial != item.dial and lost > MOST_BESIDE:
                yield f"'{name}' loses {lost} on {dial}, which asks for something else"


def _summarize(shares: Sequence[Fraction]) -> dict[str, JSON]:
    if not shares:
        return {}
    middle = sum(shares, Fraction(0)) / len(shares)
    apart = sum(((share - middle) ** 2 for share in shares), Fraction(0)) / len(shares)
    return {
        "mean": _round(middle),
        "median": _round(median(shares)),
        "spread": _round(_as_decimal(apart).sqrt()),
        "least": _round(min(shares)),
    }


def _compute_survival(error: Decimal, decisions: Fraction) -> Decimal:
    """Return how likely so many decisions are all right, each of which may be wrong by itself."""
    return (1 - error) ** _as_decimal(decisions)


def _as_decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _round(value: Fraction | Decimal) -> Decimal:
    """Return a figure with three places."""
    exact = value if isinstance(value, Decimal) else _as_decimal(value)
    return exact.quantize(Decimal("0.001"), ROUND_HALF_EVEN)
