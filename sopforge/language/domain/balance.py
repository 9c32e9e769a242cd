"""How balanced tasks are: what they are there for, and how often each answer is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import FILL, WRITTEN, Task

MOST_ANSWERS, FEW_ANSWERS = 12, 3
"""Up to how many answers of a column are listed one by one, and how many where it has more."""
Cells: TypeAlias = tuple[tuple[str, str], ...]


class Purpose(StrEnum):
    """What a task is there for: a goal, a row that somebody wrote, or to fill up."""

    GOAL = "goal"
    WRITTEN = "written"
    FILLING = "filling"


PURPOSES: Mapping[Purpose, str] = {
    Purpose.GOAL: "there for the sake of a goal",
    Purpose.WRITTEN: "of rows that somebody wrote",
    Purpose.FILLING: "filling up, mixed as the brief asks",
}
"""What tasks of each purpose are called in tables."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How many tasks have an answer: that of one column, or of several together."""

    cells: Mapping[str, str]
    tasks: int

    @property
    def words(self) -> str:
        """The answer as tables say it, column by column."""
        return ", ".join(f"{name}: {cell}" for name, cell in self.cells.items())


@dataclass(frozen=True, slots=True)
class Column:
    """The answers to a column, the most frequent first, and how many tasks and answers it has.

    An intermediate value is asked for only in tasks whose path comes to it.
    """

    name: str
    asked: int
    different: int
    answers: tuple[Answer, ...]

    @property
    def others(self) -> int:
        """How many tasks have one of the answers that are not said one by one."""
        return self.asked - sum(answer.tasks for answer in self.answers)


@dataclass(frozen=True, slots=True)
class Balance:
    """Tasks by their purpose and by their answers, and the best answers that are always the same.

    ``primary`` is the most frequent answer of the primary outcome, ``together`` the most frequent
    combination of all that is scored; of equally frequent ones it is the first by name.
    """

    tasks: int
    purposes: Mapping[Purpose, int]
    columns: tuple[Column, ...]
    primary: Answer
    together: Answer

    @property
    def filling(self) -> int:
        """How many tasks fill up."""
        return self.purposes[Purpose.FILLING]

    def format_share(self, tasks: int) -> str:
        """Return a number of tasks as a share of all."""
        return format_percent(tasks, self.tasks)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table that shows a balance: what is counted, how many tasks, their share."""

    says: str
    tasks: int
    share: str


def get_purpose(task: Task) -> Purpose:
    """Return what a task is there for, as its key says."""
    if task.key.startswith(FILL):
        return Purpose.FILLING
    return Purpose.WRITTEN if task.key.startswith(WRITTEN) else Purpose.GOAL


def compute_balance(model: DomainModel, tasks: Sequence[Task]) -> Balance:
    """Return the balance of tasks, of which there is one at least."""
    found = Counter(map(get_purpose, tasks))
    cells = [{**task.outcomes, **task.intermediates} for task in tasks]
    names = [item.name for item in (*model.outcomes, *model.intermediates)]
    primary = model.primary.name
    return Balance(
        len(tasks),
        {purpose: found[purpose] for purpose in Purpose},
        tuple(_build_column(name, cells) for name in names),
        next(_rank_answers(_select_cells(cells, [primary]))),
        next(_rank_answers(_select_cells(cells, names))),
    )


def format_percent(part: int, whole: int) -> str:
    """Return a part in percent with one decimal place, a half rounded up.

    >>> format_percent(1, 8), format_percent(1, 16), format_percent(240, 240)
    ('12.5 %', '6.3 %', '100.0 %')
    """
    # In integers: a float's half would be rounded to either side.
    thousandths = (2_000 * part + whole) // (2 * whole) if whole else 0
    return f"{thousandths // 10}.{thousandths % 10} %"


def build_balance_lines(balance: Balance) -> list[Line]:
    """Return the table: purposes, then answers that are always the same."""
    counted = [(f"tasks {PURPOSES[item]}", count) for item, count in balance.purposes.items()]
    counted.append((f"right by always answering {balance.primary.words}", balance.primary.tasks))
    if balance.together.cells.keys() != balance.primary.cells.keys():
        words = f"all right by always answering {balance.together.words}"
        counted.append((words, balance.together.tasks))
    return [Line(says, tasks, balance.format_share(tasks)) for says, tasks in counted]


def build_answer_lines(balance: Balance) -> list[Line]:
    """Return the table of answers to each column, the most frequent first."""
    counted = []
    for column in balance.columns:
        counted += [(answer.words, answer.tasks) for answer in column.answers]
        if column.others:
            left = column.different - len(column.answers)
            counted.append((f"{column.name}: {left} other answers", column.others))
        if column.asked < balance.tasks:
            counted.append((f"{column.name}: not asked for", balance.tasks - column.asked))
    return [Line(says, tasks, balance.format_share(tasks)) for says, tasks in counted]


def build_balance_report(balance: Balance) -> dict[str, object]:
    """Return a balance for programs."""

    def report_count(tasks: int) -> dict[str, object]:
        return {"tasks": tasks, "share": balance.format_share(tasks)}

    def report_answer(answer: Answer) -> dict[str, object]:
        return {"answers": dict(answer.cells), **report_count(answer.tasks)}

    return {
        "tasks": balance.tasks,
        "purposes": {item.value: report_count(count) for item, count in balance.purposes.items()},
        "columns": [
            {
                "name": column.name,
                "asked": column.asked,
                "different": column.different,
                "answers": [
                    {"answer": answer.cells[column.name], **report_count(answer.tasks)}
                    for answer in column.answers
                ],
            }
            for column in balance.columns
        ],
        "always": {
            "primary": report_answer(balance.primary),
            "together": report_answer(balance.together),
        },
    }


def read_balance(report: Any) -> Balance:  # noqa: ANN401 - parsed JSON
    """Return the balance that ``build_balance_report`` reports."""
    columns = tuple(
        Column(
            entry["name"],
            entry["asked"],
            entry["different"],
            tuple(
                Answer({entry["name"]: answer["answer"]}, answer["tasks"])
                for answer in entry["answers"]
            ),
        )
        for entry in report["columns"]
    )
    primary, together = (
        Answer(report["always"][name]["answers"], report["always"][name]["tasks"])
        for name in ("primary", "together")
    )
    purposes = {item: report["purposes"][item.value]["tasks"] for item in Purpose}
    return Balance(report["tasks"], purposes, columns, primary, together)


def _build_column(name: str, cells: Sequence[Mapping[str, str]]) -> Column:
    asked = [part for part in _select_cells(cells, [name]) if part]
    found = list(_rank_answers(asked))
    said = MOST_ANSWERS if len(found) <= MOST_ANSWERS else FEW_ANSWERS
    return Column(name, len(asked), len(found), tuple(found[:said]))


def _select_cells(cells: Iterable[Mapping[str, str]], names: Sequence[str]) -> list[Cells]:
    """Return the cells of some columns, of each task those that it asks for."""
    return [tuple((name, found[name]) for name in names if name in found) for found in cells]


def _rank_answers(given: Iterable[Cells]) -> Iterator[Answer]:
    """Return each combination of cells, the most frequent first, of equal ones by name."""
    counts = Counter(given)
    for found in sorted(counts, key=lambda cells: (-counts[cells], cells)):
        yield Answer(dict(found), counts[found])
