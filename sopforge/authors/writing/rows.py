"""Rows for tasks as a language model writes them, path by path; what they come to it never says."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sopforge.authors.offline import OfflineAuthor
from sopforge.authors.repair import Ask, as_records
from sopforge.dataset.coverage.goal_rows import GoalRows
from sopforge.dataset.coverage.written_rows import (
    Cells,
    Entry,
    RowBook,
    Wanted,
    WrittenRows,
    choose_wanted_paths,
    list_stated_fields,
)
from sopforge.dataset.sampling.placing import Places
from sopforge.dataset.sampling.screening import Path
from sopforge.domain.fields import Field
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import Brief
from sopforge.domain.values.types import (
    DateTimeType,
    DateType,
    NumberType,
    TextType,
    get_bounds,
    to_cell,
)
from sopforge.logic.english import phrase_expression
from sopforge.rendering.sop.sections.fields import render_entry

MOST_SHOWN = 10


@dataclass(frozen=True, slots=True)
class RowWriting:
    """Has rows written for the control paths of a model, each at most so many times over."""

    ask: Ask
    model: DomainModel
    brief: Brief
    feedback: Sequence[str] = ()
    rounds: int = 0

    def build_row_book(self) -> str:
        """Return ``rows_asked.json``."""
        asked = self.brief.parts.dataset
        places = Places(self.model, asked.seed)
        rows, book = WrittenRows(GoalRows(self.model, places)), RowBook()
        about = self.collect_question_values(rows.rows)
        for wanted in choose_wanted_paths(self.model, asked):
            self.write(wanted, about, rows, book)
        return book.as_json()

    def write(
        self, wanted: Wanted, about: Mapping[str, object], rows: WrittenRows, book: RowBook
    ) -> None:
        """Have the rows of a path written; what was rejected, or is of another path, goes back."""
        there, back, lacking = list[Entry](), list[Entry](), wanted.count
        for number in range(self.rounds + 1):
            values = {
                **about,
                "path": self.describe_path(wanted.path),
                "count": lacking,
                "existing": [_build_case_record(entry.cells) for entry in there[-MOST_SHOWN:]],
                "rejected": [self.describe_rejected_row(entry) for entry in back],
            }
            given = [_collect_cells(item) for item in self.ask("dataset_rows", values)["rows"]]
            noted = book.judge(rows, wanted, number, given, lacking)
            there += [entry for entry in noted if entry.taken == wanted.path]
            back = [entry for entry in noted if entry.cells and entry.taken != wanted.path]
            lacking = wanted.count - len(there)
            if not lacking or not given:
                return

    def collect_question_values(self, rows: GoalRows) -> dict[str, object]:
        """Return what every question says."""
        parts, model = self.brief.parts, self.model
        plain = replace(self.brief, draft="")
        example = rows.draw_full_row("example")
        return {
            "title": model.title,
            "business_task": model.business_task,
            "guidelines": parts.guidelines,
            "procedure": OfflineAuthor().write_sop(model, plain).as_text(),
            "fields": [
                {
                    "field": item.name,
                    "entry": render_entry(item).text,
                    **_describe_limits(item),
                    "example": item.format_cell(example[item.name]),
                }
                for item in list_stated_fields(model)
            ],
            "constraints": as_records(
                phrase_expression(test, model.fields) for test in model.constraints
            ),
            "feedback": as_records(self.feedback),
        }

    def describe_path(self, path: Path) -> list[dict[str, str]]:
        """Return the steps of a path, each with what leads on from it."""
        model = self.model
        conditions = {
            edge.id: phrase_expression(edge.when, model.fields)
            if edge.when
            else "in all other cases"
            for step in model.steps.values()
            for edge in step.edges
        }
        described: list[dict[str, str]] = []
        for node in path:
            if node in model.steps:
                described.append({"step": model.steps[node].title})
            elif described:
                described[-1]["then"] = conditions.get(node, f"the tool refuses ({node})")
        return described

    def describe_rejected_row(self, entry: Entry) -> dict[str, str]:
        """Return a row with what is wrong with it, or where it leads."""
        steps = [self.model.steps[node].title for node in entry.taken if node in self.model.steps]
        reason = entry.reason or f"takes another path: {', '.join(steps)}"
        return {**_build_case_record(entry.cells), "wrong": reason}


def _describe_limits(item: Field) -> dict[str, str]:
    """Return what an entry's line does not say of it: its ends, or its texts."""
    kind = item.type
    if isinstance(kind, NumberType | DateType | DateTimeType):
        low, high = (to_cell(kind, end) for end in get_bounds(kind))
        return {"from": low, "to": high}
    if isinstance(kind, TextType):
        return {"one_of": json.dumps(kind.pool, ensure_ascii=False)}
    return {}


def _build_case_record(cells: Cells) -> dict[str, str]:
    return {"case": json.dumps(dict(cells), ensure_ascii=False)}


def _collect_cells(row: Mapping[str, Sequence[Mapping[str, str]]]) -> dict[str, str]:
    return {cell["field"]: cell["text"] for cell in row["cells"]}
