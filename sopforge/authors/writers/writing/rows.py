"""Rows for tasks as a language model writes them, by path; what they come to it never says."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sopforge.artifacts.rendering.sop.sections.fields import render_entry
from sopforge.authors.writers.asking_together import group_by_room
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.authors.writers.repair import AskAll, as_records
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import Brief
from sopforge.language.domain.values.types import (
    OrderedType,
    TextType,
)
from sopforge.language.english.words import phrase_expression
from sopforge.proof.dataset.coverage.goal_rows import GoalRows
from sopforge.proof.dataset.coverage.written_rows import (
    Cells,
    Entry,
    RowBook,
    Wanted,
    WrittenRows,
    choose_wanted_paths,
    list_stated_fields,
)
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.dataset.sampling.screening import Path

MOST_SHOWN = 10
# In tokens: what an answer has room for by its template, less a quarter.
ROOM = 12_000
# A cell of an answer is JSON with the names of its two parts, a token for every three characters.
_AROUND_CELL, _CHARACTERS_PER_TOKEN = 30, 3


@dataclass(slots=True)
class _Asked:
    """A path by its number: its rows, what goes back, how many it lacks, and if more may come."""

    number: int
    wanted: Wanted
    lacking: int
    there: list[Entry] = field(default_factory=list)
    back: list[Entry] = field(default_factory=list)
    is_open: bool = True


@dataclass(frozen=True, slots=True)
class RowWriting:
    """Has rows written for the control paths of a model, each at most so many times over."""

    ask_all: AskAll
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
        size = estimate_row(about)
        paths = [
            _Asked(number, wanted, wanted.count)
            for number, wanted in enumerate(choose_wanted_paths(self.model, asked), start=1)
        ]
        for number in range(self.rounds + 1):
            open_paths = [path for path in paths if path.is_open]
            groups = group_by_room(open_paths, lambda path: path.lacking * size, ROOM)
            questions = [
                ("dataset_rows", {**about, **self.build_path_values(group)}) for group in groups
            ]
            for group, answer in zip(groups, self.ask_all(questions), strict=True):
                given = _collect_given_rows(answer)
                for path in group:
                    _judge(path, given.get(path.number, []), number, rows, book)
        return book.as_json()

    def build_path_values(self, group: Sequence[_Asked]) -> dict[str, object]:
        """Return what a question says of its paths: what was rejected goes back."""
        return {
            "paths": [
                {
                    "path": path.number,
                    "cases": path.lacking,
                    "steps": self.describe_path(path.wanted.path),
                }
                for path in group
            ],
            "existing": [
                {"path": path.number, **_build_case_record(entry.cells)}
                for path in group
                for entry in path.there[-MOST_SHOWN:]
            ],
            "rejected": [
                {"path": path.number, **self.describe_rejected_row(entry)}
                for path in group
                for entry in path.back
            ],
        }

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
                    **_describe_presupposed_facts(model, item),
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


def estimate_row(about: Mapping[str, Any]) -> int:
    """Return how many tokens a row of an answer has, by the fields that a question lists."""
    cells = [len(item["field"]) + len(item["example"]) for item in about["fields"]]
    return sum(_AROUND_CELL + size for size in cells) // _CHARACTERS_PER_TOKEN


def _collect_given_rows(answer: Mapping[str, Any]) -> dict[int, list[Cells]]:
    given: dict[int, list[Cells]] = {}
    for part in answer["paths"]:
        given.setdefault(part["path"], []).extend(map(_collect_cells, part["rows"]))
    return given


def _judge(
    path: _Asked, given: Sequence[Cells], number: int, rows: WrittenRows, book: RowBook
) -> None:
    """Take in the rows of a round; what was rejected, or is of another path, goes back."""
    noted = book.judge(rows, path.wanted, number, given, path.lacking)
    path.there += [entry for entry in noted if entry.taken == path.wanted.path]
    path.back = [entry for entry in noted if entry.cells and entry.taken != path.wanted.path]
    path.lacking = path.wanted.count - len(path.there)
    path.is_open = bool(path.lacking and given)


def _describe_limits(item: Field) -> dict[str, str]:
    """Return what an entry's line does not say of it: its ends, or its texts."""
    kind = item.type
    if isinstance(kind, OrderedType):
        low, high = kind.bound_cells
        return {"from": low, "to": high}
    if isinstance(kind, TextType):
        return {"one_of": json.dumps(kind.pool, ensure_ascii=False)}
    return {}


def _describe_presupposed_facts(model: DomainModel, item: Field) -> dict[str, str]:
    """Return in words where texts may stand that may not stand everywhere."""
    texts = {part.text: phrase_expression(part.when, model.fields) for part in item.sampling.texts}
    return {"only_where": json.dumps(texts, ensure_ascii=False)} if texts else {}


def _build_case_record(cells: Cells) -> dict[str, str]:
    return {"case": json.dumps(dict(cells), ensure_ascii=False)}


def _collect_cells(row: Mapping[str, Sequence[Mapping[str, str]]]) -> dict[str, str]:
    return {cell["field"]: cell["text"] for cell in row["cells"]}
