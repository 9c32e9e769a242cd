"""The tasks with their answers as one Parquet file; equal tasks give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from sopforge.domain.model import DomainModel
from sopforge.domain.tasks import Task

if TYPE_CHECKING:
    import pyarrow as pa


def write_task_table(model: DomainModel, tasks: Sequence[Task]) -> bytes:
    """Return a row per task: id, split, text, and under ``inputs`` and the like a column per field.

    Every cell is text, as in the CSV files, so that no reader has to guess; a scored value that a
    task's path does not come to is null. The bytes depend on the tasks and pyarrow's version only.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and only publishing needs it
    from pyarrow import parquet  # noqa: PLC0415 - the same

    groups = {
        "inputs": ([item.name for item in model.inputs], [task.inputs for task in tasks]),
        "outcomes": ([item.name for item in model.outcomes], [task.outcomes for task in tasks]),
        "scored": (
            [item.name for item in model.intermediates],
            [task.intermediates for task in tasks],
        ),
    }
    columns = {
        "task_id": pa.array([task.id for task in tasks], pa.string()),
        "split": pa.array([task.split for task in tasks], pa.string()),
        "text": pa.array([task.text for task in tasks], pa.string()),
        **{
            name: _build_column_group(names, rows)
            for name, (names, rows) in groups.items()
            # Parquet knows no empty group, and most domains score no intermediate value.
            if names
        },
        "path": pa.array([list(task.path) for task in tasks], pa.list_(pa.string())),
    }
    buffer = BytesIO()
    parquet.write_table(
        pa.table(columns),
        buffer,
        # Stated one by one, for the defaults of another version of pyarrow may give other bytes.
        version="2.6",
        data_page_version="1.0",
        compression="zstd",
        compression_level=3,
        row_group_size=1 << 20,
        store_schema=False,
    )
    return buffer.getvalue()


def _build_column_group(names: Sequence[str], rows: Iterable[Mapping[str, str]]) -> pa.StructArray:
    import pyarrow as pa  # noqa: PLC0415 - slow to import

    kind = pa.struct([(name, pa.string()) for name in names])
    return pa.array([{name: row.get(name) for name in names} for row in rows], kind)
