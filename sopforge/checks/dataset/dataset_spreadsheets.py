"""Dataset: every cell survives a spreadsheet that opens its CSV file and gives it back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime

from sopforge.checks.spoiling import Parsed, edit_first_entry
from sopforge.findings import Finding, make_error_finding
from sopforge.language.domain.fields import Field
from sopforge.language.domain.values.spreadsheets import TakenUp, convert_cell
from sopforge.language.domain.values.types import ValueNotAllowedError
from sopforge.untrusted.tables import read_table
from sopforge.workspace import RECORDS, TASKS, Workspace


class DatasetSpreadsheets:
    """A spreadsheet program that opens the data changes no number, date or text."""

    name = "dataset-spreadsheets"
    stage = "dataset"

    def examine(self, workspace: Workspace) -> list[Finding]:
        model = workspace.model
        return [
            make_error_finding(
                "spreadsheet-trip",
                f"a spreadsheet program changes the cell '{cell}' of '{name}'",
                where=where,
            )
            for where, name, cell in dict.fromkeys(_iterate_cells(workspace))
            if not is_kept(model.fields[name], cell)
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        def name_it_like_a_day(task: Parsed) -> None:
            task["inputs"][workspace.model.key] = "MAR1"

        return edit_first_entry(workspace, TASKS, name_it_like_a_day)


def is_kept(item: Field, cell: str) -> bool:
    """Return whether a field's cell is the same value after a spreadsheet took it up."""
    try:
        return item.parse(convert_for_reader(convert_cell(cell))) == item.parse(cell)
    except ValueNotAllowedError:
        return False


def convert_for_reader(taken: TakenUp) -> object:
    """Return what was taken up as a reader gets it from the spreadsheet, days written as ours."""
    if isinstance(taken, datetime):
        return taken.isoformat(" ", "minutes")
    return taken.isoformat() if isinstance(taken, date) else taken


def _iterate_cells(workspace: Workspace) -> Iterator[tuple[str, str, str]]:
    """Return each file, field and cell of what is published as CSV."""
    for task in workspace.tasks:
        yield from ((TASKS, *entry) for entry in (*task.inputs.items(), *task.outcomes.items()))
    model = workspace.model
    names = {
        (model.name_records_file(entity), entity.name_column(item)): item.name
        for entity in model.entities.values()
        for item in model.list_stored_fields(entity)
    }
    for file, text in workspace.records.items():
        for row in read_table(text, RECORDS):
            yield from ((RECORDS, names[file, column], cell) for column, cell in row.items())


CHECK = DatasetSpreadsheets()
