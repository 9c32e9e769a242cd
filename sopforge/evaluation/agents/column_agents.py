"""Agents for packages without a model: programs that take what they state from the columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from sopforge.errors import Fault, MaterialError
from sopforge.evaluation.agents.agent import EvaluatedAgent
from sopforge.evaluation.agents.scripted import COMMAND, FUNCTION, ONE_MISTAKE, RANDOM_CALLS
from sopforge.evaluation.packages.published import PublishedPackage
from sopforge.extensions import list_names
from sopforge.harness.environment.session import Session
from sopforge.harness.grading.published_outcomes import (
    AnswerKind,
    NoValueError,
    Outcome,
    write_stated,
)
from sopforge.seeds import draw_below

LETTER = "e"
OTHER = "no such answer"


@dataclass(frozen=True, slots=True)
class ColumnAgent:
    """Makes the expected calls if it ``calls``, then states an answer that goes with the task."""

    name: str
    package: PublishedPackage
    state: Callable[[str], Mapping[str, str]]
    calls: bool = False

    def solve(self, session: Session[Any]) -> None:
        task = session.state.task
        for tool, arguments in (self.package.list_calls(task) or ()) if self.calls else ():
            session.call(tool, arguments)
        session.finish(write_stated(self.package.outcomes, self.state(task)))


@dataclass(frozen=True, slots=True)
class RandomColumnAgent:
    """Calls tools that it draws with what it knows, and states answers that it draws."""

    package: PublishedPackage
    name: str = "random-tool"

    def solve(self, session: Session[Any]) -> None:
        seen = session.observation
        known: dict[str, Any] = dict(seen.task.inputs)
        for turn in range(RANDOM_CALLS if seen.tools else 0):
            drawn = draw_below(len(seen.tools), session.state.seed, "tool", seen.task.id, turn)
            tool = seen.tools[drawn]
            taken = tool.parameters.get("properties")
            names = list(taken) if isinstance(taken, dict) else []
            reply = session.call(tool.name, {name: known[name] for name in names if name in known})
            known |= reply.result if isinstance(reply.result, dict) else {}
        cells = {item.name: self.draw_cell(session, item) for item in self.package.outcomes}
        session.finish(write_stated(self.package.outcomes, cells))

    def draw_cell(self, session: Session[Any], outcome: Outcome) -> str:
        """Return the answer of another task, drawn by the seed, task and outcome."""
        cells = sorted({row[outcome.name] for row in self.package.rows.values()})
        names = session.state.seed, "answer", outcome.name, session.state.task
        return cells[draw_below(len(cells), *names)] or outcome.missing


def make_column_agent(name: str, package: PublishedPackage) -> EvaluatedAgent:
    """Return the agent of a name that needs neither a model nor code of the user's.

    Raises:
        MaterialError: there is no such agent, or it needs a model.
    """
    if name.startswith(ONE_MISTAKE):
        message = f"'{name}' makes a mistake in a model, but {package.shown.name} has no model"
        hint = f"choose one of {', '.join(_NAMES)}, or your own agent"
        raise MaterialError(Fault("agent-needs-model", message, "--agent", hint))
    makers: Mapping[str, Callable[[], EvaluatedAgent]] = {
        "gold": lambda: ColumnAgent(
            name, package, lambda task: _write_cells(package, task), calls=True
        ),
        "wrong": lambda: ColumnAgent(
            name, package, lambda task: _write_others(package, task), calls=True
        ),
        "silent": lambda: ColumnAgent(name, package, lambda _: {}),
        "one-letter": lambda: ColumnAgent(name, package, lambda _: _repeat_letter(package)),
        "constant": lambda: _make_constant_agent(package),
        "random-tool": lambda: RandomColumnAgent(package),
    }
    if name not in makers:
        known = ", ".join(
            [*makers, *list_names("agents"), f"{COMMAND}COMMAND", f"{FUNCTION}MODULE:FUNCTION"]
        )
        raise MaterialError(
            Fault(
                "agent-unknown", f"there is no agent '{name}'", "--agent", f"choose one of {known}"
            )
        )
    return makers[name]()


_NAMES = ("gold", "wrong", "silent", "one-letter", "constant", "random-tool")


def make_other_answer(outcome: Outcome, cell: str) -> str:
    """Return an answer to an outcome that is not the one in a cell, of its type where it has one.

    >>> make_other_answer(Outcome("days", "days", AnswerKind.NUMBER), "12")
    '13'
    """
    try:
        value = outcome.parse_cell(cell)
    except NoValueError:
        return OTHER
    if isinstance(value, bool):
        return str(not value).lower()
    if isinstance(value, Decimal):
        return f"{value + 1:f}"
    if isinstance(value, date):
        return (value + timedelta(days=1)).isoformat()
    others = [label for label in _list_values(outcome) if outcome.parse(label) != value]
    return next(iter(others), OTHER)


def _list_values(outcome: Outcome) -> Sequence[str]:
    """Return some values of a type."""
    match outcome.kind:
        case AnswerKind.NUMBER:
            return ("1",)
        case AnswerKind.DATE:
            return ("2026-01-15",)
        case AnswerKind.BOOLEAN:
            return ("true",)
        case AnswerKind.SET:
            return ("[]", *outcome.labels) if outcome.labels else ("[]", '["other"]')
        case _:
            return outcome.labels


def _write_cells(package: PublishedPackage, task: str) -> dict[str, str]:
    row = package.rows[task]
    return {item.name: row[item.name].strip() or item.missing for item in package.outcomes}


def _write_others(package: PublishedPackage, task: str) -> dict[str, str]:
    row = package.rows[task]
    return {item.name: make_other_answer(item, row[item.name]) for item in package.outcomes}


def _repeat_letter(package: PublishedPackage) -> dict[str, str]:
    return {item.name: LETTER for item in package.outcomes}


def _make_constant_agent(package: PublishedPackage) -> EvaluatedAgent:
    """Return the agent that states the answers of most tasks, of equal ones the first in order."""
    counts = Counter(tuple(sorted(_write_cells(package, task).items())) for task in package.rows)
    ((answer, _),) = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:1]
    best = dict(answer)
    return ColumnAgent("constant", package, lambda _: best)
