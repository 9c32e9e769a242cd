"""What is published as CSV comes back as it was: from pandas, SOP-Bench's loader, a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.cell import Cell, MergedCell
from openpyxl.worksheet.worksheet import Worksheet

from sopforge.briefs.brief_files import load_brief
from sopforge.checks.dataset.dataset_labels import read_back
from sopforge.checks.dataset.dataset_spreadsheets import is_kept
from sopforge.dataset.coverage.drawing import draw_tasks
from sopforge.dataset.records import render_csv, write_records
from sopforge.dataset.tasks.writing import as_task
from sopforge.domain.documents.schema import DatasetDocument
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import Brief, read_brief
from sopforge.domain.tasks import Task
from sopforge.domain.values.spreadsheets import Formula, convert_cell
from sopforge.packaging.release import Release
from sopforge.packaging.sop_bench import build_package_files
from sopforge.scoring.sop_bench_package import read_package
from sopforge.store.backends.atomic_files import write_folder
from tests.worlds.shared_builds import build_stages
from tests.worlds.small_models import CLAIMS, NEVER_REFUSED, ORDERS, parcel

BRIEF = Path(__file__).parents[4] / "briefs" / "patient_intake.yaml"


@dataclass(frozen=True)
class Drawn:
    """The tasks of a domain, and its files of records by name."""

    model: DomainModel
    tasks: Sequence[Task]
    records: Mapping[str, str]


def parcels() -> Drawn:
    """Return parcels, of which none is refused: what their tables hold is the same."""
    model = parcel(*NEVER_REFUSED)
    asked = DatasetDocument.model_validate({"n_samples": 60, "seed": 3})
    drawn = draw_tasks(model, asked).tasks
    records = write_records(model, [candidate.row for candidate in drawn])
    return Drawn(model, [as_task(model, candidate, 20) for candidate in drawn], records)


def claims() -> Drawn:
    return drawn_for(read_brief(CLAIMS, "everything.yaml"))


def orders() -> Drawn:
    return drawn_for(read_brief(ORDERS, "orders.yaml"))


def shipped() -> Drawn:
    return drawn_for(load_brief(BRIEF))


def drawn_for(brief: Brief) -> Drawn:
    made = build_stages(brief, "dataset")
    names = [made.model.name_records_file(entity) for entity in made.model.entities.values()]
    return Drawn(made.model, made.tasks, {name: made.files[f"dataset/{name}"] for name in names})


@pytest.fixture(
    scope="module",
    params=[parcels, claims, orders, shipped],
    ids=["parcel", "everything", "orders", "patient intake"],
)
def tables(request: pytest.FixtureRequest) -> list[tuple[tuple[Field, ...], str]]:
    """Return the fields and the text of each CSV file of a domain."""
    drawn: Drawn = request.param()
    model = drawn.model
    stored = [
        (model.list_stored_fields(entity), drawn.records[model.name_records_file(entity)])
        for entity in model.entities.values()
    ]
    return [answered(model, drawn.tasks), *stored]


def answered(model: DomainModel, tasks: Sequence[Task]) -> tuple[tuple[Field, ...], str]:
    fields = (*model.inputs, *model.outcomes)
    names = [item.name for item in fields]
    return fields, render_csv(names, [{**task.inputs, **task.outcomes} for task in tasks])


def values(fields: tuple[Field, ...], text: str) -> list[dict[str, object]]:
    rows = csv.DictReader(io.StringIO(text))
    return [{item.name: item.parse(row[item.name]) for item in fields} for row in rows]


# Without pyarrow, which only tests have, pandas keeps texts as Python does.
@pytest.mark.parametrize("storage", ["python", "pyarrow"])
def test_pandas_gives_every_value_back(
    tables: list[tuple[tuple[Field, ...], str]], storage: str
) -> None:
    for fields, text in tables:
        with pd.option_context("mode.string_storage", storage):
            assert read_back(fields, text) == values(fields, text)
        assert not pd.read_csv(io.StringIO(text)).isna().any(axis=None)


def test_a_spreadsheet_gives_every_value_back(
    tables: list[tuple[tuple[Field, ...], str]], tmp_path: Path
) -> None:
    for number, (fields, text) in enumerate(tables):
        file = tmp_path / f"{number}.xlsx"
        save(text, file)
        header, *rows = sheet_of(load_workbook(file)).iter_rows()

        names = [cell.value for cell in header]
        found = [dict(zip(names, map(written, row), strict=True)) for row in rows]
        assert [
            {item.name: item.parse(row[item.name]) for item in fields} for row in found
        ] == values(fields, text)


def save(text: str, file: Path) -> None:
    """Save a CSV text as the workbook that a spreadsheet makes of it."""
    book = Workbook()
    for row in csv.reader(io.StringIO(text)):
        cells = [convert_cell(cell) for cell in row]
        assert not any(isinstance(cell, Formula) for cell in cells)
        sheet_of(book).append(cells)
    book.save(file)


def sheet_of(book: Workbook) -> Worksheet:
    assert isinstance(book.active, Worksheet)
    return book.active


def written(cell: Cell | MergedCell) -> object:
    """Return what a person copies out of a cell: days as year-month-day, times as the cell has."""
    if isinstance(cell.value, datetime):
        has_time = "h" in cell.number_format
        return cell.value.strftime("%Y-%m-%d %H:%M" if has_time else "%Y-%m-%d")
    return cell.value.isoformat() if isinstance(cell.value, date) else cell.value


@pytest.mark.parametrize("make", [claims, orders, shipped])
def test_sop_bench_shows_every_input_and_the_answer_but_no_task_id(
    make: Callable[[], Drawn], tmp_path: Path
) -> None:
    drawn = make()
    model, tasks = drawn.model, tuple(drawn.tasks)
    words: dict[str, Any] = dict.fromkeys(
        (
            *("name", "version", "level", "domain_yaml", "tools", "openapi"),
            *("explanations", "coverage", "coverage_text", "profile"),
        ),
        "",
    )
    release = Release(
        **words, model=model, tasks=tasks, sop="Do it.", toolspecs="[]", records={}, provenance={}
    )
    write_folder(tmp_path / "package", build_package_files(release))

    package = read_package(tmp_path / "package", with_tools=False)

    assert package.input_columns == tuple(item.name for item in model.inputs)
    for task, shown in zip(tasks, package.tasks, strict=True):
        assert {item.name: item.parse(shown.inputs[item.name]) for item in model.inputs} == {
            item.name: item.parse(task.inputs[item.name]) for item in model.inputs
        }
        assert shown.expected == task.outcomes[model.primary.name]


@pytest.mark.parametrize("cell", ["MAR1", "1-2", "007", "1E5", "=PX", "1234567890123456", "5 Mar"])
def test_a_text_that_a_spreadsheet_changes_is_noticed(cell: str) -> None:
    assert not is_kept(parcel().fields["parcel_id"], cell)
    assert is_kept(parcel().fields["parcel_id"], "PX00001")
