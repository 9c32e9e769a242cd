"""The test sets as CSV: a row per task, each cell a text that default readers leave as it is."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from sopforge.language.domain.fields import Field
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import NumberType

TASK_ID = "task_id"


def format_answer_cell(item: Field, cell: str) -> str:
    """Return an answer as a test set states it: a number with its fixed places and its unit.

    A bare "12.50" becomes 12.5 in readers that guess types; with its unit it stays a text.
    """
    unit = item.type.unit if isinstance(item.type, NumberType) else ""
    return f"{cell} {unit}" if unit and cell != item.missing else cell


def write_test_set(
    tasks: Iterable[Task], inputs: Iterable[Field], answers: Iterable[Field] = ()
) -> str:
    """Return the CSV of tasks: their ids, their inputs, and those answers that are given."""
    asked, answered = tuple(inputs), tuple(answers)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow([TASK_ID, *(item.name for item in (*asked, *answered))])
    for task in tasks:
        stated = [task.inputs[item.name] for item in asked]
        truths = [format_answer_cell(item, task.outcomes[item.name]) for item in answered]
        writer.writerow([task.id, *stated, *truths])
    return buffer.getvalue()
