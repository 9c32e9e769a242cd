"""Dataset: read back as users read it, every label and every gold call is the model's."""

from __future__ import annotations

import io
from collections.abc import Iterator

from sopforge.checks.spoiling import Parsed, edit_first_entry
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task, read_explanations
from sopforge.language.domain.values.types import Value, ValueNotAllowedError
from sopforge.language.logic.explaining import Storyteller
from sopforge.language.logic.walking import Walk, collect_outcomes
from sopforge.proof.dataset.gold.deciders import describe_decider
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import Row, build_case_rows, format_cells, render_csv
from sopforge.proof.dataset.tasks.told_texts import with_facts
from sopforge.proof.dataset.tasks.writing import (
    describe_end_state,
    format_intermediates,
    make_gold_call,
    make_gold_calls,
)
from sopforge.workspace import EXPLANATIONS, RECORDS, TASKS, TRAJECTORIES, Workspace


class DatasetLabels:
    """CSV readers with default settings change no value, and the stored answers are correct."""

    name = "dataset-labels"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model, tasks = workspace.model, workspace.tasks
        shown = render_csv([item.name for item in model.inputs], [task.inputs for task in tasks])
        try:
            inputs = with_facts(model, read_back(model.inputs, shown))
            rows = build_case_rows(model, workspace.records, inputs, _read_back_of)
        except ValueNotAllowedError as cause:
            return [
                make_error_finding(
                    "round-trip", f"a default CSV reader changes a value: {cause}", where=TASKS
                )
            ]
        stories = read_explanations(workspace.files[EXPLANATIONS])
        teller, findings = Storyteller(model), []
        for task, row in zip(tasks, rows, strict=True):
            if row is None:
                findings.append(
                    make_error_finding("record-missing", f"{task.id} has no record", where=RECORDS)
                )
            else:
                findings += _find_wrong_labels(teller, task, row, stories.get(task.id))
        return findings

    def spoil(self, workspace: Workspace) -> Workspace:
        primary = workspace.model.primary

        def relabel(task: Parsed) -> None:
            labels = list(getattr(primary.type, "values", ()))
            labels.remove(task["outcomes"][primary.name])
            task["outcomes"][primary.name] = labels[0]

        return edit_first_entry(workspace, TASKS, relabel)


def _read_back_of(fields: tuple[Field, ...], text: str, _file: str) -> list[Row]:
    return read_back(fields, text)


def read_back(fields: tuple[Field, ...], text: str) -> list[Row]:
    """Return the rows of a CSV as pandas reads it by default.

    Raises:
        ValueNotAllowedError: a cell came back as something that is no value of its field.
    """
    import pandas as pd  # noqa: PLC0415 - slow to import, and only this check needs it

    table = pd.read_csv(io.StringIO(text))
    rows = table.astype(object).to_dict("records")
    return [{item.name: _parse_cell(item, row[item.name]) for item in fields} for row in rows]


def _parse_cell(item: Field, raw: object) -> Value | None:
    try:
        return item.parse(raw)
    except ValueNotAllowedError as cause:
        raise ValueNotAllowedError(f"{item.name}: {cause}") from cause


def _find_wrong_labels(
    teller: Storyteller, task: Task, row: Row, story: list[str] | None
) -> list[Finding]:
    model = teller.model
    walk = label_row(model, row)
    names = [item.name for item in model.outcomes]
    expected = format_cells(model, names, collect_outcomes(model, walk))
    found = [
        make_error_finding(
            "wrong-label",
            f"{task.id} states '{task.outcomes.get(name)}' for {name}, but the model gives"
            f" '{cell}'",
            where=TASKS,
        )
        for name, cell in expected.items()
        if task.outcomes.get(name) != cell
    ]
    intermediates = format_intermediates(model, walk)
    if dict(task.intermediates) != intermediates:
        message = (
            f"{task.id} has the scored values {dict(task.intermediates)}, but the model gives"
            f" {intermediates}"
        )
        found.append(make_error_finding("wrong-label", message, where=TASKS))
    if (task.path, dict(task.rules)) != (tuple(walk.path), dict(walk.rules)):
        message = f"{task.id}: its path or its deciding rules differ from the model's"
        found.append(
            make_error_finding("wrong-path", message, where=TASKS, evidence=_format_walk(walk))
        )
    calls = [make_gold_call(model, call) for call in walk.calls]
    if walk.refusal or calls != list(task.calls):
        found.append(
            make_error_finding(
                "wrong-trajectory", f"{task.id}: its calls differ from the model's", where=TASKS
            )
        )
    found += _find_wrong_gold(model, task, row, walk)
    if task.end_state != describe_end_state(model, row, walk):
        found.append(
            make_error_finding(
                "wrong-end-state", f"{task.id}: its end state differs from the model's", where=TASKS
            )
        )
    if story != list(teller.explain_walk(walk)):
        message = f"{task.id}: its explanation differs from the model's"
        found.append(make_error_finding("wrong-explanation", message, where=EXPLANATIONS))
    return found


def _find_wrong_gold(model: DomainModel, task: Task, row: Row, walk: Walk) -> Iterator[Finding]:
    """Yield what is said wrongly of the calls' order and of what decided; older tasks say none."""
    given = [(call.needs, call.is_minimal) for call in task.calls]
    made = [(call.needs, call.is_minimal) for call in make_gold_calls(model, row, walk)]
    if given != made and given != [(None, None)] * len(given):
        message = (
            f"{task.id}: the dependencies of its calls, or the set of needed calls, differ from"
            " the model's"
        )
        yield make_error_finding("wrong-needs", message, where=TRAJECTORIES)
    decided = None if model.operations is None else describe_decider(model, row, walk)
    if task.decided_by not in (None, decided):
        message = f"{task.id}: its deciding facts differ from the model's"
        yield make_error_finding("wrong-decider", message, where=TASKS, evidence=str(decided))


def _format_walk(walk: Walk) -> str:
    """Return the path of a walk and the rules that decide on it."""
    rules = "; ".join(f"{name}: {', '.join(ids)}" for name, ids in walk.rules.items())
    return f"{' > '.join(walk.path)}; {rules}"


CHECK = DatasetLabels()
