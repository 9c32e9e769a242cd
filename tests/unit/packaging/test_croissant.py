"""croissant.json passes MLCommons' own validator, and its records are the rows of the CSV files."""

from __future__ import annotations

import csv
import json
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Released


@pytest.fixture(scope="module", params=["L0", "L3"])
def folder(released: Released, request: pytest.FixtureRequest) -> Path:
    return Path(released.published.packages[request.param])


@pytest.fixture(scope="module")
def dataset(folder: Path) -> Any:  # noqa: ANN401 - mlcroissant has no types
    import mlcroissant  # type: ignore[import-untyped]  # has no types

    return mlcroissant.Dataset(str(folder / "croissant.json"))


def is_same(value: object, cell: str) -> bool:
    """Return whether a record's value is what the cell says: the same text, number or day."""
    match value:
        case bytes():
            return value.decode() == cell
        case float():
            return Decimal(str(value)) == Decimal(cell)
        case datetime():
            return value == datetime.fromisoformat(cell)
        case _:
            return str(value) == cell


def test_the_validator_has_nothing_to_say(dataset: Any) -> None:  # noqa: ANN401
    issues = dataset.metadata.ctx.issues
    assert (issues.errors, issues.warnings) == (set(), set())


@pytest.mark.parametrize("table", ["test_set_with_outputs", "records"])
def test_the_records_are_the_rows_of_the_table(dataset: Any, folder: Path, table: str) -> None:  # noqa: ANN401
    with (folder / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    records = list(dataset.records(record_set=table))
    assert len(records) == len(rows) > 0
    assert [
        (row, name)
        for row, record in zip(rows, records, strict=True)
        for name, cell in row.items()
        if not is_same(record[f"{table}/{name}"], cell)
    ] == []


def test_every_file_but_the_description_and_the_checksums_is_described(folder: Path) -> None:
    described = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))
    digests = {item["contentUrl"]: item["sha256"] for item in described["distribution"]}
    files = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }
    del files["croissant.json"], files["SHA256SUMS"]
    assert digests == files


def test_the_day_of_publication_is_the_one_that_the_brief_states(dataset: Any) -> None:  # noqa: ANN401
    assert dataset.metadata.date_published.date() == date(2026, 11, 20)
