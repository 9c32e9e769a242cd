"""Rows: no two tasks are the same, and none contradicts another."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sopforge.checks.auditing.rule import AuditRule, Spot
from sopforge.checks.auditing.subject import Subject
from sopforge.findings import Severity

_MEASURE = re.compile(r"-?\d[\d.,]*([eE]-?\d+)?|\d{4}-\d{2}-\d{2}.*")


def find_contradictions(subject: Subject) -> Iterator[Spot]:
    """Find tasks that show the same and have other answers."""
    inputs, outputs = subject.peer.input_columns, subject.peer.output_columns
    groups = _group_rows(subject, inputs)
    rows = [row for group in groups for row in group if _count_answers(subject, group, outputs) > 1]
    if rows:
        message = (
            f"{len(rows)} row{'s' * (len(rows) != 1)} show{'s' * (len(rows) == 1)} the same"
            f" inputs as another row but ha{'s' if len(rows) == 1 else 've'} a different answer"
        )
        yield Spot(message, subject.test_set, _format_row(subject.rows[rows[0]], inputs))


def find_repetitions(subject: Subject) -> Iterator[Spot]:
    """Find tasks that are equal but for ids: texts of which every row has one of its own."""
    count, names = len(subject.facts), list(subject.facts[0])
    cells = {name: {row.get(name, "") for row in subject.facts} for name in names}
    # Amounts and days may all differ as well, and are what tasks are to differ in.
    unique = [name for name in names if len(cells[name]) == count and not _is_measure(cells[name])]
    others = [name for name in names if name not in unique]
    groups = [group for group in _group_rows(subject, others) if len(group) > 1] if others else []
    extra = sum(len(group) - 1 for group in groups)
    if extra:
        message = (
            f"{extra} row{'s' * (extra != 1)} equal{'s' * (extra == 1)} an earlier row except"
            f" for {', '.join(unique) or 'nothing'}"
        )
        yield Spot(message, subject.test_set, f"tasks {groups[0][0]} and {groups[0][1]}")


def _is_measure(cells: set[str]) -> bool:
    """Return whether cells are numbers or days, which are not ids however they differ.

    A cell may be empty: where a call is refused, nothing was looked up.
    """
    return all(_MEASURE.fullmatch(cell) for cell in cells if cell)


def _group_rows(subject: Subject, names: Sequence[str]) -> list[list[int]]:
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, row in enumerate(subject.facts):
        groups[tuple(row.get(name, "") for name in names)].append(place)
    return list(groups.values())


def _count_answers(subject: Subject, group: list[int], outputs: tuple[str, ...]) -> int:
    return len({tuple(subject.rows[place][name] for name in outputs) for place in group})


def _format_row(row: Mapping[str, str], names: tuple[str, ...]) -> str:
    return "; ".join(f"{name}={row[name]}" for name in names)[:300]


RULES = (
    AuditRule(
        "tasks-contradict",
        find_contradictions,
        "add the column that decides the answer, or keep only one of the rows",
    ),
    AuditRule("tasks-repeat", find_repetitions, "keep only one of them", Severity.WARNING),
)
