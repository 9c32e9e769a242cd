"""Dataset: each argument of a gold call comes from the task, an earlier result, or a rule."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from sopforge.checks.spoiling import Parsed, edit_first_entry
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.model import DomainModel, Step
from sopforge.language.domain.tasks import GoldCall, Task
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.types import Json, Value, ValueNotAllowedError
from sopforge.language.logic.readings.partial import UNKNOWN, evaluate_as_known
from sopforge.language.logic.stated_inputs import derive_marks
from sopforge.language.logic.tables import build_decision_value, build_presence
from sopforge.language.logic.walking import iterate_finished_steps
from sopforge.proof.dataset.tasks.told_texts import read_facts
from sopforge.workspace import TRAJECTORIES, Workspace


class Unseen(NamedTuple):
    """An argument that an agent cannot know from what it has seen by then."""

    tool: str
    parameter: str
    value: Json


class DatasetSources:
    """Before each required call, the agent has seen every value that it must pass."""

    name = "dataset-sources"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        found: dict[tuple[str, str], list[tuple[Task, Unseen]]] = {}
        for task in workspace.tasks:
            for unseen in find_unseen_arguments(model, task):
                found.setdefault(unseen[:2], []).append((task, unseen))
        return [_make_finding(cases) for cases in found.values()]

    def spoil(self, workspace: Workspace) -> Workspace:
        def hand_over_another(entry: Parsed) -> None:
            given = entry["calls"][0]["arguments"]
            given[next(iter(given))] = "no such thing"

        return edit_first_entry(workspace, TRAJECTORIES, hand_over_another)


def _make_finding(cases: list[tuple[Task, Unseen]]) -> Finding:
    task, unseen = min(cases, key=lambda case: len(case[0].calls))
    return make_error_finding(
        "argument-without-source",
        f"{unseen.tool} needs {unseen.parameter}, which no task text, earlier result or rule"
        f" supplies, in {len(cases)} task{'s' * (len(cases) != 1)}; the shortest is {task.id}",
        where=TRAJECTORIES,
        evidence=f"{unseen.parameter} = {unseen.value!r}",
    )


def find_unseen_arguments(model: DomainModel, task: Task) -> Iterator[Unseen]:
    """Yield the arguments of gold calls that an agent cannot know by then."""
    known: dict[str, Value | None] = {}
    for name, cell in task.inputs.items():
        # What is no value is none of the task either: whoever needs it has nothing.
        with suppress(ValueNotAllowedError, KeyError):
            known[name] = model.fields[name].parse(cell)
    with suppress(ValueNotAllowedError):
        known |= read_facts(model, task.inputs)
    known |= derive_marks(model, known)
    calls = iter(task.calls)
    for step in iterate_finished_steps(model, task.path):
        call = next(calls, None) if step.call is not None else None
        if call is not None:
            yield from _find_unseen(model, step, call, known)
            known |= _read_results(model, step, call)
        if call is None or not call.refusal:
            _decide(model, step, known)


def _find_unseen(
    model: DomainModel, step: Step, call: GoldCall, known: dict[str, Value | None]
) -> Iterator[Unseen]:
    parameters = model.tools[step.call or ""].parameters
    for name, value in call.arguments.items():
        field = parameters.get(name)
        # Compared as calls carry them: what is malformed is no value.
        if field not in known or model.fields[field].as_json(known[field]) != value:
            yield Unseen(call.tool, name, value)


def _read_results(model: DomainModel, step: Step, call: GoldCall) -> dict[str, Value | None]:
    """Return what a call has made known, by the case's own names."""
    results = model.tools[step.call or ""].results
    found: dict[str, Value | None] = {}
    for field, name in results.items():
        if name in call.result:
            with suppress(ValueNotAllowedError):
                found[field] = model.fields[field].parse(call.result[name])
    return found


def _decide(model: DomainModel, step: Step, known: dict[str, Value | None]) -> None:
    """Apply the rules of a step to what is known."""
    for target in step.decide:
        value = build_decision_value(model.decisions[target])
        there = build_presence(value)
        seen = {n: known[n] for n in known if not _is_stated_malformed(model, n, known[n])}
        is_given, found = evaluate_as_known([value if there is None else there, value], seen)
        known.pop(target, None)
        if there is not None and is_given is not UNKNOWN and not is_given:
            known[target] = None
        elif is_given is not UNKNOWN and found is not UNKNOWN:
            known[target] = found


def _is_stated_malformed(model: DomainModel, name: str, value: Value | None) -> bool:
    return name in model.fields and is_malformed(model.fields[name].type, value)


CHECK = DatasetSources()
