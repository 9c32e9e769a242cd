"""What an agent did on one task, and how that is scored against what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.session import score

read_answer = score.read_answer


@dataclass(frozen=True, slots=True)
class AgentCall:
    """One tool call of an agent; ``refusal`` is the code of a refusal, empty for an answer."""

    tool: str
    arguments: Mapping[str, object]
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """The calls of an agent in order, and its final text."""

    calls: tuple[AgentCall, ...]
    answer: str


@dataclass(frozen=True, slots=True)
class Score:
    """What was right: each outcome, all of them, and the gold calls, in order and complete.

    ``intermediates`` says it of the intermediate scored values; they make no answer right or wrong.
    """

    outcomes: Mapping[str, bool]
    is_trajectory_gold: bool
    intermediates: Mapping[str, bool] = field(default_factory=dict)

    @property
    def is_right(self) -> bool:
        """Whether every outcome is right."""
        return all(self.outcomes.values())

    @property
    def are_intermediates_right(self) -> bool:
        """Whether every intermediate scored value is right."""
        return all(self.intermediates.values())


def score_trajectory(model: DomainModel, task: Task, trajectory: Trajectory) -> Score:
    """Return the score of a trajectory; an outcome counts only as a whole value of its type.

    A call of a tool that is another name of one counts as a call of that one.
    """
    stated = {**model.unasked_words, **read_answer(trajectory.answer)}
    right = {
        item.name: is_equal(item, task.outcomes[item.name], stated.get(item.name))
        for item in model.outcomes
    }
    intermediates = {
        item.name: is_equal(item, task.intermediates.get(item.name), stated.get(item.name))
        for item in model.intermediates
    }
    gold = [(call.tool, dict(call.arguments), call.refusal) for call in task.calls]
    made = [
        (_resolve_tool_name(model, call), dict(call.arguments), call.refusal)
        for call in trajectory.calls
    ]
    # A call that was refused and that nobody asked for is corrected, and does not count.
    counted = [call for call in made if not call[2] or call in gold]
    return Score(right, counted == gold, intermediates)


def _resolve_tool_name(model: DomainModel, call: AgentCall) -> str:
    """Return the name under which the procedure knows the called tool."""
    tool = model.offered.tools.get(call.tool)
    return tool.same_as or tool.name if tool else call.tool


def write_answer(outcomes: Mapping[str, str]) -> str:
    """Return outcomes as a final text that ``read_answer`` reads."""
    return "\n".join(f"<{name}>{value}</{name}>" for name, value in outcomes.items())


def is_equal(item: Field, expected: str | None, stated: str | None) -> bool:
    """Return whether a value is the expected one; None is one that is not asked for or stated."""
    return score.is_equal(item.parse, expected, stated)
