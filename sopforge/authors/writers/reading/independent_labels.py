"""Independent labelling: a reader answers tasks by the SOP's text; its answers are compared.

The reader sees what a task states and what the tools return for it. It sees no outcome, no value
that the procedure has an agent decide, and not which calls the gold trajectory makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from sopforge.authors.writers.repair import Ask
from sopforge.findings import Finding, make_error_finding
from sopforge.harness.scoring.model_tools import make_tool_caller
from sopforge.harness.scoring.trajectories import is_equal
from sopforge.language.domain.model import DomainModel, Tool
from sopforge.language.domain.rules import collect_decision_inputs
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.stated_inputs import derive_marks
from sopforge.language.logic.tool_calls import Frame, Refused
from sopforge.language.logic.walking import Walk, decide
from sopforge.proof.dataset.records import build_case_rows
from sopforge.proof.dataset.trials.tool_trials import parse_case_inputs
from sopforge.workspace import SOP_TEXT, TOOLSPECS, Workspace

TEMPLATE = "independent_labelling"
TASKS_A_QUESTION = 5
_Z = 1.959964  # of a normal distribution, 95 percent lie within so many deviations


@dataclass(frozen=True, slots=True)
class Labelled:
    """A task as a reader labelled it: outcomes that differ, as (name, expected, read)."""

    task: Task
    differing: tuple[tuple[str, str, str], ...]
    steps: tuple[str, ...]
    unclear: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """The tasks that were labelled, and how many paths of the dataset they take."""

    labelled: tuple[Labelled, ...] = ()
    paths: int = 0
    all_paths: int = 0

    @property
    def right(self) -> int:
        """How many tasks were labelled as expected, in every outcome."""
        return sum(not item.differing for item in self.labelled)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 percent interval of the share of tasks that this reader would label rightly."""
        return compute_wilson_interval(self.right, len(self.labelled))

    def find_disagreements(self) -> Iterator[Finding]:
        """Return each task that was labelled otherwise, with what the reader found unclear."""
        for item in self.labelled:
            if not item.differing:
                continue
            parts = [f"{name} is {read!r}, not {meant!r}" for name, meant, read in item.differing]
            doubts = "; ".join(f'"{sentence}" ({why})' for sentence, why in item.unclear)
            path = f"steps {', '.join(item.steps)}" if item.steps else "no steps named"
            inputs = ", ".join(f"{name} = {cell}" for name, cell in item.task.inputs.items())
            yield make_error_finding(
                "reread-label",
                f"task {item.task.id}: by the text, {', '.join(parts)} ({path})",
                evidence=inputs,
                hint=f"unclear to the reader: {doubts}" if doubts else "nothing was said in doubt",
            )


def compute_wilson_interval(right: int, asked: int) -> tuple[float, float]:
    """Return Wilson's 95 percent score interval of a share; all of it where nothing was asked."""
    if not asked:
        return 0.0, 1.0
    share, square = right / asked, _Z * _Z
    # Wilson's interval and not share ± deviation, which is empty where all answers are right.
    centre = (share + square / (2 * asked)) / (1 + square / asked)
    spread = sqrt(share * (1 - share) / asked + square / (4 * asked * asked))
    half = _Z * spread / (1 + square / asked)
    return max(0.0, centre - half), min(1.0, centre + half)


def label_tasks(ask: Ask, workspace: Workspace, tasks: Sequence[Task]) -> tuple[Labelled, ...]:
    """Return the tasks as a reader labels them by the SOP's text, some with each question."""
    model = workspace.model
    shared = {"sop": workspace.files[SOP_TEXT], "toolspecs": workspace.files[TOOLSPECS]}
    inputs = parse_case_inputs(model, [task.inputs for task in tasks])
    rows = build_case_rows(model, workspace.records, inputs)
    shown = [
        {
            "task": task.id,
            "states": dict(task.inputs),
            "replies": collect_replies(model, task, row or {}),
        }
        for task, row in zip(tasks, rows, strict=True)
    ]
    answers: dict[str, Mapping[str, Any]] = {}
    for start in range(0, len(shown), TASKS_A_QUESTION):
        some = shown[start : start + TASKS_A_QUESTION]
        asked = {item["task"] for item in some}
        found = ask(TEMPLATE, {**shared, "tasks": some})["tasks"]
        # An answer to a task that was not asked about would replace that of its own question.
        answers.update({item["task"]: item for item in found if item["task"] in asked})
    return tuple(_compare_answer(model, task, answers.get(task.id, {})) for task in tasks)


def choose_by_path(tasks: Iterable[Task], most: int) -> list[Task]:
    """Return at most so many tasks: each path once before any is seen twice.

    A path that shows most that no chosen one has shown comes first, so that few tasks show much.
    """
    by_path: dict[tuple[str, ...], list[Task]] = {}
    for task in tasks:
        by_path.setdefault(task.path, []).append(task)
    open_paths, seen, order = list(by_path), set[str](), []
    while open_paths:
        best = max(open_paths, key=lambda path: len(set(path) - seen))
        open_paths.remove(best)
        seen.update(best)
        order.append(by_path[best])
    rounds = max(map(len, order), default=0)
    turns = (alike[turn] for turn in range(rounds) for alike in order if turn < len(alike))
    return [task for task, _ in zip(turns, range(most), strict=False)]


def collect_replies(model: DomainModel, task: Task, row: Frame) -> list[dict[str, object]]:
    """Return what every tool returns for a task, in the tools' order.

    Of the gold calls it is what they returned. Other tools are called as far as what they take is
    known or can be decided, each on the record as it was at first: which replies are there is to
    show as little as can be of the path that the case takes.
    """
    desk, made = _Desk(model, task, row), dict[str, list[dict[str, object]]]()
    for call in task.calls:
        reply = desk.build_call_record(call.arguments, call.result, call.refusal)
        made.setdefault(call.tool, []).append(reply)
    waiting = [tool for tool in model.tools.values() if tool.name not in made]
    while ready := [tool for tool in waiting if all(map(desk.has, tool.takes))]:
        tool = ready[0]
        waiting.remove(tool)
        made[tool.name] = [desk.call_tool(tool)]
    return [{"tool": name, "replies": made[name]} for name in model.tools if name in made]


class _Desk:
    """What can be known of a case without taking its path."""

    def __init__(self, model: DomainModel, task: Task, row: Frame) -> None:
        self.model, self.row = model, row
        steps = (name for step in model.steps.values() for name in step.decide)
        self.decided = frozenset({*(item.name for item in model.outcomes), *steps})
        (inputs,) = parse_case_inputs(model, [task.inputs])
        there = {entity.name: row.get(entity.name) for entity in model.references}
        self.known: dict[str, Value | None] = {**there, **inputs, **derive_marks(model, inputs)}
        for call in task.calls:
            self.learn(call.result)

    def learn(self, result: Mapping[str, object]) -> None:
        fields = self.model.fields
        self.known.update({name: fields[name].parse(value) for name, value in result.items()})

    def has(self, name: str) -> bool:
        """Return whether a value is known; one that an agent decides is worked out if it can be."""
        if name in self.known:
            return True
        decision = self.model.decisions.get(name)
        if decision is None or name not in self.decided:
            return False
        if not all(map(self.has, sorted(collect_decision_inputs(decision)))):
            return False
        done = Walk(dict(self.known))
        try:
            decide(self.model, name, done)
        except (TypeError, ValueError, OverflowError):
            return False  # it reads what is missing or malformed, which no case on its path does
        self.known.update(done.known)
        return not done.undecided

    def call_tool(self, tool: Tool) -> dict[str, object]:
        """Return the reply of a tool on a record that nothing has changed."""
        fields = self.model.fields
        sent = {name: fields[name].as_json(self.known[name]) for name in tool.takes}
        found = make_tool_caller(self.model, self.row)(tool.name, sent)
        if isinstance(found, Refused):
            return self.build_call_record(sent, {}, found.code)
        self.learn(found)
        return self.build_call_record(sent, found, "")

    def build_call_record(
        self, sent: Mapping[str, object], result: Mapping[str, object], refusal: str
    ) -> dict[str, object]:
        """Return a call as a reader sees it, without what an agent decides."""
        arguments = {name: value for name, value in sent.items() if name not in self.decided}
        if refusal:
            return {"arguments": arguments, "refusal": refusal}
        found = {name: value for name, value in result.items() if name not in self.decided}
        return {"arguments": arguments, "result": found}


def _compare_answer(model: DomainModel, task: Task, answer: Mapping[str, Any]) -> Labelled:
    """Return a task with the outcomes that a reader states differently, or not at all."""
    stated = {item["name"]: item["value"].strip() for item in answer.get("outcomes", ())}
    differing = tuple(
        (item.name, task.outcomes[item.name], stated.get(item.name, "not stated"))
        for item in model.outcomes
        if not is_equal(item, task.outcomes[item.name], stated.get(item.name))
    )
    unclear = tuple((item["sentence"], item["why"]) for item in answer.get("unclear", ()))
    return Labelled(task, differing, tuple(answer.get("steps", ())), unclear)
