"""The Parquet table holds the tasks, and equal tasks are equal bytes in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from hashlib import sha256
from io import BytesIO

import pandas as pd
from pyarrow import parquet

from sopforge.artifacts.packaging.task_table import write_task_table
from sopforge.language.domain.tasks import Task
from sopforge.proof.dataset.coverage.drawing import redraw
from sopforge.proof.dataset.sampling.rows import DrawnRow
from sopforge.proof.dataset.tasks.writing import as_task
from tests.worlds.small_models import parcel

MODEL = parcel(("service_points: {role: derived,", "service_points: {role: derived, scored: true,"))
AGAIN = """
from hashlib import sha256
from tests.unit.dataset.test_task_table import table
print(sha256(table()).hexdigest())
"""


def tasks() -> list[Task]:
    rows = [DrawnRow(f"task-{number}", f"fill:{number}", number, {}) for number in range(40)]
    return [as_task(MODEL, candidate, 20) for candidate in redraw(MODEL, 3, rows)]


def table() -> bytes:
    return write_task_table(MODEL, tasks())


def test_two_runs_give_the_same_bytes() -> None:
    done = subprocess.run(
        [sys.executable, "-c", AGAIN],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
        check=True,
        capture_output=True,
        text=True,
    )

    assert done.stdout.strip() == sha256(table()).hexdigest()


def test_the_table_holds_the_tasks_as_text() -> None:
    rows = parquet.read_table(BytesIO(table())).to_pylist()

    assert rows == [
        {
            "task_id": task.id,
            "split": task.split,
            "text": task.text,
            "inputs": dict(task.inputs),
            "outcomes": dict(task.outcomes),
            "scored": {"service_points": task.intermediates.get("service_points")},
            "path": list(task.path),
        }
        for task in tasks()
    ]
    assert {len(task.intermediates) for task in tasks()} == {0, 1}


def test_its_columns_are_text_in_groups_and_a_list() -> None:
    text = "optional binary field_id=-1 {} (String);"
    inputs = "".join(f"    {text.format(item.name)}\n" for item in MODEL.inputs)
    outcomes = "".join(f"    {text.format(item.name)}\n" for item in MODEL.outcomes)

    described = str(parquet.ParquetFile(BytesIO(table())).schema)

    assert described.partition("schema {\n")[2] == (
        f"  {text.format('task_id')}\n  {text.format('split')}\n  {text.format('text')}\n"
        f"  optional group field_id=-1 inputs {{\n{inputs}  }}\n"
        f"  optional group field_id=-1 outcomes {{\n{outcomes}  }}\n"
        f"  optional group field_id=-1 scored {{\n    {text.format('service_points')}\n  }}\n"
        "  optional group field_id=-1 path (List) {\n    repeated group field_id=-1 list {\n"
        f"      {text.format('element')}\n    }}\n  }}\n}}\n"
    )


def test_pandas_reads_it() -> None:
    frame = pd.read_parquet(BytesIO(table()))

    assert list(frame.columns) == [
        *("task_id", "split", "text", "inputs", "outcomes", "scored", "path")
    ]
    assert frame["inputs"][0]["weight"].count(".") == 1
