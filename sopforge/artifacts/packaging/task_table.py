"""The tasks with their answers as one Parquet file; equal tasks give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from itertools import accumulate

from arro3 import core, io

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task

_TEXT = core.DataType.string()


def write_task_table(model: DomainModel, tasks: Sequence[Task]) -> bytes:
    """Return a row per task: id, split, text, and under ``inputs`` and the like a column per field.

    Every cell is text, as in the CSV files, so that no reader has to guess; a scored value that a
    task's path does not come to is null. The bytes depend on the tasks and arro3's version only.
    """
    groups = {
        "inputs": ([item.name for item in model.inputs], [task.inputs for task in tasks]),
        "outcomes": ([item.name for item in model.outcomes], [task.outcomes for task in tasks]),
        "scored": (
            [item.name for item in model.intermediates],
            [task.intermediates for task in tasks],
        ),
    }
    columns = {
        "task_id": _build_texts(task.id for task in tasks),
        "split": _build_texts(task.split for task in tasks),
        "text": _build_texts(task.text for task in tasks),
        **{
            name: _build_column_group(names, rows)
            for name, (names, rows) in groups.items()
            # Parquet knows no empty group, and most domains score no intermediate value.
            if names
        },
        "path": _build_lists([task.path for task in tasks]),
    }
    buffer = BytesIO()
    io.write_parquet(
        core.Table(list(columns.values()), names=list(columns)),
        buffer,
        # Stated one by one, for the defaults of another version of arro3 may give other bytes.
        writer_version="parquet_1_0",
        compression="zstd(3)",
        dictionary_enabled=True,
        max_row_group_size=1 << 20,
        skip_arrow_metadata=True,
    )
    return buffer.getvalue()


def _build_texts(cells: Iterable[str | None]) -> core.Array:
    return core.Array(list(cells), _TEXT)


def _build_column_group(names: Sequence[str], rows: Sequence[Mapping[str, str]]) -> core.Array:
    return core.struct_array(
        [_build_texts(row.get(name) for row in rows) for name in names],
        fields=[core.Field(name, _TEXT) for name in names],
    )


def _build_lists(rows: Sequence[Sequence[str]]) -> core.Array:
    return core.list_array(
        core.Array([0, *accumulate(map(len, rows))], core.DataType.int32()),
        _build_texts(cell for row in rows for cell in row),
        # The name that Parquet's standard gives to what a list holds.
        type=core.DataType.list(core.Field("element", _TEXT)),
    )
