"""Rows of attempts as runs leave them, each with what a test says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sopforge.evaluation.runs.rows import Asked, Row, Spent
from sopforge.harness.grading.grades import DivergenceKind, Grade, Stop

GRADE = Grade(
    is_complete=True,
    is_right=True,
    outcomes={},
    stated={},
    intermediates={},
    precision=None,
    recall=None,
    parameters=None,
    is_in_order=True,
    is_gold=True,
    calls=0,
    refused=0,
    unknown=0,
    faults=0,
    redundant=0,
    beside=0,
    divergence_kind=DivergenceKind.NONE,
)


def make_row(
    task: str,
    *,
    agent: str = "a",
    package: str = "parcels",
    epoch: int = 0,
    settings: str = "",
    cost: float | None = None,
    **graded: Any,  # noqa: ANN401 - figures of any type
) -> Row:
    """Return the row of an attempt; ``graded`` are figures of its grade, right by default."""
    asked = Asked(package, f"digest of {package}", task, agent, 7, epoch, settings)
    return Row(asked, Stop.ANSWER, "", 0.5, replace(GRADE, **graded), Spent(cost=cost))


def make_signed_rows(signs: str, **common: Any) -> list[Row]:  # noqa: ANN401 - handed on
    """Return a row for each sign: + for a right attempt, - for a wrong one."""
    return [
        make_row(f"task-{number}", is_right=sign == "+", **common)
        for number, sign in enumerate(signs)
    ]


def make_epochs(signs: Sequence[str], **common: Any) -> list[Row]:  # noqa: ANN401 - handed on
    """Return the rows of several epochs, each with a sign for each task."""
    return [
        row
        for epoch, line in enumerate(signs)
        for row in make_signed_rows(line, epoch=epoch, **common)
    ]
