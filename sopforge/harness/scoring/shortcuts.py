"""How far shortcuts lead on a dataset: what each scores, and what none may."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from sopforge.harness.scoring.agents import Agent
from sopforge.harness.scoring.model_tools import make_tool_caller
from sopforge.harness.scoring.shortcut_agents import (
    COPYING,
    CopyingAgent,
    MajorityAgent,
    build_no_tool_agent,
    call_available_tools,
    copy_answer,
    find_majority_answers,
)
from sopforge.harness.scoring.shortcut_tree import build_tree_agents, count_right_guesses
from sopforge.harness.scoring.trajectories import score_trajectory
from sopforge.language.domain.expressions.numbers import divide_rounded
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import NumberType
from sopforge.language.logic.tool_calls import Frame

_SHARES = NumberType(0, 1000, places=3)
MEANINGS = {
    "majority": "gives the most frequent answers to every task",
    "decision tree": "guesses from the inputs with three questions, learned on other tasks",
    COPYING: "copies the tool result that most often reads as the answer",
    "no tool": "calls no tool, answers by the rules where the inputs decide, and else guesses",
}


@dataclass(frozen=True, slots=True)
class ShortcutScore:
    """What a shortcut scored: tasks with the primary outcome right, and with all of them right."""

    name: str
    primary: int
    all_outcomes: int
    copied: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """The scores of all shortcuts on a dataset, the majority first."""

    tasks: int
    outcome: str
    scores: tuple[ShortcutScore, ...]

    @property
    def bar(self) -> int:
        """What no shortcut may exceed, in tenths of a task: the majority and a tenth, or a half."""
        # In tenths, for a tenth of the tasks need be no whole number of them.
        return max(10 * self.scores[0].primary + self.tasks, 5 * self.tasks)

    def is_too_good(self, found: ShortcutScore) -> bool:
        """Return whether a shortcut leads too far."""
        return self.is_above_bar(found.primary)

    def is_above_bar(self, tasks: int) -> bool:
        """Return whether nothing but the work may be right in so many tasks."""
        return 10 * tasks > self.bar

    def format_share(self, tasks: int) -> str:
        """Return a number of tasks as a share of all, with three places."""
        return _format_fraction(tasks, self.tasks)

    @property
    def bar_share(self) -> str:
        """The bar as a share of all tasks."""
        return _format_fraction(self.bar, 10 * self.tasks)

    @property
    def bar_reason(self) -> str:
        """Where the bar comes from, in words."""
        if self.bar == 5 * self.tasks:
            return "half of the tasks"
        usual = self.format_share(self.scores[0].primary)
        return f"a tenth more than the {usual} of always giving the most frequent answer"

    def as_json(self) -> str:
        """Return the scores as the dataset stage stores them."""
        report = {
            "outcome": self.outcome,
            "tasks": self.tasks,
            "bar": self.bar_share,
            "shortcuts": [
                {
                    "name": found.name,
                    "meaning": MEANINGS[found.name],
                    "primary": {"right": found.primary, "share": self.format_share(found.primary)},
                    "all_outcomes": {
                        "right": found.all_outcomes,
                        "share": self.format_share(found.all_outcomes),
                    },
                    **({"copied": found.copied} if found.copied else {}),
                }
                for found in self.scores
            ],
        }
        return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def score_shortcuts(
    model: DomainModel, tasks: Sequence[Task], rows: Mapping[str, Frame]
) -> Shortcuts:
    """Return the scores of all shortcuts; ``rows`` holds the record of each task by its id.

    Raises:
        TooManyStepsError: the procedure unfolds into too many steps.
    """
    usual = find_majority_answers(model, tasks)
    sources = find_best_sources(model, tasks, rows, usual)
    shortcuts: list[Sequence[Agent]] = [[MajorityAgent(usual)], build_tree_agents(model, tasks)]
    # Where no step calls a tool, to decide by the inputs alone is the work.
    if model.called:
        shortcuts += [[CopyingAgent(model, sources, usual)], [build_no_tool_agent(model, usual)]]
    found = [_score_agents(model, tasks, rows, alike) for alike in shortcuts]
    return Shortcuts(len(tasks), model.primary.name, tuple(found))


def score_without_inputs(
    model: DomainModel,
    tasks: Sequence[Task],
    rows: Mapping[str, Frame],
    hidden: Collection[str],
    is_above_bar: Callable[[int], bool],
) -> int:
    """Return how often the best shortcut by inputs is right if tasks do not state some of them.

    Where one is right too often, it need not be the best one.

    Raises:
        TooManyStepsError: the procedure unfolds into too many steps.
    """
    looked_up = {
        name: replace(model.fields[name], role=Role.OBSERVED, malformed=None) for name in hidden
    }
    stated = replace(model, fields={**model.fields, **looked_up})
    # It answers by the rules as they are: no lookup returns a hidden input yet.
    no_tool = replace(build_no_tool_agent(model, find_majority_answers(model, tasks)), model=stated)
    guessed = count_right_guesses(stated, tasks)
    if is_above_bar(guessed):
        return guessed
    return max(guessed, _score_agent(model, tasks, rows, no_tool).primary)


def find_best_sources(
    model: DomainModel,
    tasks: Sequence[Task],
    rows: Mapping[str, Frame],
    otherwise: Mapping[str, str],
) -> dict[str, tuple[str, str]]:
    """Return for each outcome the tool result that is right most often when it is copied.

    A result counts if it reads as an answer in some task; an outcome that has none is left out.
    """
    seen = [
        call_available_tools(model, task.inputs, make_tool_caller(model, rows[task.id]))[1]
        for task in tasks
    ]
    names = list(dict.fromkeys(name for results in seen for name in results))
    best = {}
    for item in model.outcomes:
        right: dict[tuple[str, str], int] = {}
        for name in names:
            copies = [copy_answer(item, results.get(name)) for results in seen]
            if any(copies):
                # As the agent will: where nothing reads as an answer, it gives the usual one.
                answers = [copy or otherwise[item.name] for copy in copies]
                pairs = zip(tasks, answers, strict=True)
                right[name] = sum(task.outcomes[item.name] == answer for task, answer in pairs)
        if right:
            # Of equally good results the one that is come to first, for `max` keeps the earliest.
            best[item.name] = max(right, key=lambda name: right[name])
    return best


def _score_agents(
    model: DomainModel, tasks: Sequence[Task], rows: Mapping[str, Frame], alike: Sequence[Agent]
) -> ShortcutScore:
    """Return the mean score of agents that take the same shortcut."""
    return _average_scores([_score_agent(model, tasks, rows, agent) for agent in alike])


def _score_agent(
    model: DomainModel, tasks: Sequence[Task], rows: Mapping[str, Frame], agent: Agent
) -> ShortcutScore:
    trajectories = [
        agent.solve(task.inputs, make_tool_caller(model, rows[task.id])) for task in tasks
    ]
    scores = [
        score_trajectory(model, task, trajectory)
        for task, trajectory in zip(tasks, trajectories, strict=True)
    ]
    copied = agent.sources if isinstance(agent, CopyingAgent) else {}
    return ShortcutScore(
        agent.name,
        sum(item.outcomes[model.primary.name] for item in scores),
        sum(item.is_right for item in scores),
        {name: ".".join(source) for name, source in copied.items()},
    )


def _average_scores(scores: Sequence[ShortcutScore]) -> ShortcutScore:
    """Return the mean of the scores of agents that take the same shortcut, in whole tasks."""
    primary = divide_rounded(sum(item.primary for item in scores), len(scores))
    every = divide_rounded(sum(item.all_outcomes for item in scores), len(scores))
    return replace(scores[0], primary=primary, all_outcomes=every)


def _format_fraction(part: int, whole: int) -> str:
    """Return a fraction that is not negative, rounded to three places."""
    return _SHARES.to_cell(divide_rounded(1000 * part, whole))
