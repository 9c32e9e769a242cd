"""What is published as CSV comes back as it was: from pandas, SOP-Bench's loader, a spreadsheet."""

from __future__ import annotations

import csv
import io
from datetime import date, datetime
from pathlib import Path

import pandas as pd
import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.worksheet.worksheet import Worksheet

from sopforge.checks.dataset_labels import read_back
from sopforge.checks.dataset_spreadsheets import is_kept
from sopforge.dataset.drawing import draw_tasks
from sopforge.dataset.records import csv_text, write_records
from sopforge.dataset.writing import as_task
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import Brief, read_brief
from sopforge.domain.schema import DatasetDocument
from sopforge.domain.spreadsheets import Formula, taken_up
from sopforge.domain.tasks import Task
from tests.small_models import claims, orders, parcel

BRIEF = Path(__file__).parents[3] / "briefs" / "patient_intake.yaml"


def shipped() -> DomainModel:
    brief: Brief = read_brief(BRIEF.read_text(encoding="utf-8"), BRIEF.name)
    return brief.model


@pytest.fixture(
    scope="module",
    params=[parcel, claims, orders, shipped],
    ids=["parcel", "everything", "orders", "patient intake"],
)
def tables(request: pytest.FixtureRequest) -> list[tuple[tuple[Field, ...], str]]:
    """Return the fields and the text of each CSV file of a domain."""
    model: DomainModel = request.param()
    asked = DatasetDocument.model_validate({"n_samples": 60, "seed": 3})
    drawn = draw_tasks(model, asked).tasks
    tasks = [as_task(model, candidate, 20) for candidate in drawn]
    records = write_records(model, [candidate.row for candidate in drawn])
    stored = [
        (model.stored_fields(entity), records[model.records_file(entity)])
        for entity in model.entities.values()
    ]
    return [answered(model, tasks), *stored]


def answered(model: DomainModel, tasks: list[Task]) -> tuple[tuple[Field, ...], str]:
    fields = (*model.inputs, *model.outcomes)
    names = [item.name for item in fields]
    return fields, csv_text(names, [{**task.inputs, **task.outcomes} for task in tasks])


def values(fields: tuple[Field, ...], text: str) -> list[dict[str, object]]:
    rows = csv.DictReader(io.StringIO(text))
    return [{item.name: item.parse(row[item.name]) for item in fields} for row in rows]


def test_pandas_gives_every_value_back(tables: list[tuple[tuple[Field, ...], str]]) -> None:
    for fields, text in tables:
        assert read_back(fields, text) == values(fields, text)
        assert not pd.read_csv(io.StringIO(text)).isna().any(axis=None)


def test_a_spreadsheet_gives_every_value_back(
    tables: list[tuple[tuple[Field, ...], str]], tmp_path: Path
) -> None:
    for number, (fields, text) in enumerate(tables):
        file = tmp_path / f"{number}.xlsx"
        save(text, file)
        header, *rows = sheet_of(load_workbook(file)).iter_rows(values_only=True)

        found = [dict(zip(header, map(written, row), strict=True)) for row in rows]
        assert [
            {item.name: item.parse(row[item.name]) for item in fields} for row in found
        ] == values(fields, text)


def save(text: str, file: Path) -> None:
    """Save a CSV text as the workbook that a spreadsheet makes of it."""
    book = Workbook()
    for row in csv.reader(io.StringIO(text)):
        cells = [taken_up(cell) for cell in row]
        assert not any(isinstance(cell, Formula) for cell in cells)
        sheet_of(book).append(cells)
    book.save(file)


def sheet_of(book: Workbook) -> Worksheet:
    assert isinstance(book.active, Worksheet)
    return book.active


def written(cell: object) -> object:
    """Return what a person copies out of a cell: days as year-month-day."""
    if isinstance(cell, datetime):
        is_day = (cell.hour, cell.minute) == (0, 0)
        return cell.strftime("%Y-%m-%d" if is_day else "%Y-%m-%d %H:%M")
    return cell.isoformat() if isinstance(cell, date) else cell


@pytest.mark.parametrize("cell", ["MAR1", "1-2", "007", "1E5", "=PX", "1234567890123456", "5 Mar"])
def test_a_text_that_a_spreadsheet_changes_is_noticed(cell: str) -> None:
    assert not is_kept(parcel().fields["parcel_id"], cell)
    assert is_kept(parcel().fields["parcel_id"], "PX00001")
