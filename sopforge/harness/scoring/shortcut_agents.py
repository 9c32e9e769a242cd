"""Agents that take a shortcut: they answer without the work that the SOP asks for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from sopforge.harness.scoring.agents import Call
from sopforge.harness.scoring.trajectories import AgentCall, Trajectory, write_answer
from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.malformed_inputs import name_malformed_mark
from sopforge.language.domain.values.types import EnumType, ValueNotAllowedError
from sopforge.language.logic.readings.partial import UNKNOWN, evaluate_as_known
from sopforge.language.logic.stated_inputs import derive_marks
from sopforge.language.logic.tool_calls import Refused
from sopforge.proof.dataset.records import as_json
from sopforge.proof.dataset.tasks.told_texts import parse_inputs
from sopforge.proof.solving.unfolding import TRUE, derive_outcomes, unfold

COPYING = "copying"
REFUSAL = "refusal"
"""What stands for the code of a refusal among the results of a tool."""


def find_majority_answers(model: DomainModel, tasks: Iterable[Task]) -> dict[str, str]:
    """Return the most frequent answer of each outcome; of equally frequent ones the first by name.

    The agents below give these answers where their shortcut leads nowhere.
    """
    counts = {item.name: Counter[str]() for item in model.outcomes}
    for task in tasks:
        for name, cell in task.outcomes.items():
            counts[name][cell] += 1
    return {
        name: min(found, key=lambda cell: (-found[cell], cell)) for name, found in counts.items()
    }


@dataclass(frozen=True, slots=True)
class MajorityAgent:
    """Gives the most frequent answers to every task."""

    answers: Mapping[str, str]
    name: str = "majority"

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:  # noqa: ARG002 - protocol
        return Trajectory((), write_answer(self.answers))


@dataclass(frozen=True, slots=True)
class CopyingAgent:
    """Calls every tool whose parameters it knows, and copies a result where it reads as an answer.

    ``sources`` says which result it copies for an outcome: a tool and the name of a result.
    """

    model: DomainModel
    sources: Mapping[str, tuple[str, str]]
    otherwise: Mapping[str, str]
    name: str = COPYING

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:
        calls, results = call_available_tools(self.model, inputs, call)
        copied = {
            item.name: copy_answer(item, results.get(self.sources.get(item.name, ("", ""))))
            for item in self.model.outcomes
        }
        answers = {name: copied[name] or cell for name, cell in self.otherwise.items()}
        return Trajectory(calls, write_answer(answers))


def call_available_tools(
    model: DomainModel, inputs: Mapping[str, str], call: Call
) -> tuple[tuple[AgentCall, ...], dict[tuple[str, str], object]]:
    """Call each tool once, as soon as its parameters are among the inputs and earlier results.

    Return the calls, and every result by tool and name; a refusal's code is a result.
    """
    known: dict[str, object] = dict(as_json(model, parse_inputs(model, inputs)))
    waiting = list(model.tools.values())
    calls: list[AgentCall] = []
    results: dict[tuple[str, str], object] = {}
    while ready := [tool for tool in waiting if set(tool.takes) <= known.keys()]:
        tool = ready[0]
        waiting.remove(tool)
        sent = {name: known[name] for name in tool.takes}
        reply = call(tool.name, sent)
        refusal = reply.code if isinstance(reply, Refused) else ""
        calls.append(AgentCall(tool.name, sent, refusal))
        found = {REFUSAL: refusal} if isinstance(reply, Refused) else dict(reply)
        # A refusal's code can be copied as an answer, but is no parameter of another tool.
        known.update({} if refusal else found)
        results.update({(tool.name, name): value for name, value in found.items()})
    return tuple(calls), results


def copy_answer(outcome: Field, result: object) -> str | None:
    """Return the answer that a tool's result reads as, None if it is no value of the outcome.

    Labels are compared by their letters and digits: "NOT_ACCEPTED" reads as "not accepted".
    """
    if result is None:
        return None
    labels = outcome.type.values if isinstance(outcome.type, EnumType) else ()
    read = _normalize_text(str(result))
    alike = [
        label for label in (*labels, outcome.missing) if label and _normalize_text(label) == read
    ]
    if labels or alike:
        return next(iter(alike), None)
    try:
        return outcome.format_cell(outcome.parse(result))
    except ValueNotAllowedError:
        return None


@lru_cache(maxsize=4_096)
def _normalize_text(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


@dataclass(frozen=True, slots=True)
class NoToolAgent:
    """Calls no tool: it answers by the rules as far as the inputs alone decide.

    ``outcomes`` are the outcomes as expressions over inputs and observed fields, each with the
    condition under which it has a value.
    """

    model: DomainModel
    outcomes: Mapping[str, tuple[Expression, Expression]]
    otherwise: Mapping[str, str]
    name: str = "no tool"

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:  # noqa: ARG002 - protocol
        given = parse_inputs(self.model, inputs)
        parts = [part for pair in self.outcomes.values() for part in pair]
        marks = derive_marks(self.model, given)
        # What a malformed text was meant to be is not known: a rule that reads it stays open.
        well_formed = {
            n: value for n, value in given.items() if not marks.get(name_malformed_mark(n))
        }
        known = iter(evaluate_as_known(parts, {**well_formed, **marks}))
        answers = dict(self.otherwise)
        for name in self.outcomes:
            value, is_there = next(known), next(known)
            if is_there == 0:
                answers[name] = self.model.fields[name].format_cell(None)
            elif value is not UNKNOWN and is_there is not UNKNOWN:
                answers[name] = self.model.fields[name].format_cell(value)
        return Trajectory((), write_answer(answers))


def build_no_tool_agent(model: DomainModel, otherwise: Mapping[str, str]) -> NoToolAgent:
    """Return the agent for a model.

    Raises:
        TooManyStepsError: the procedure unfolds into too many steps.
    """
    found = derive_outcomes(model, unfold(model))
    parts = {name: (item.value, item.present or TRUE) for name, item in found.items()}
    return NoToolAgent(model, parts, otherwise)
