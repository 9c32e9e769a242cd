"""What ``check`` and ``plan`` say of how many tasks the goals need."""

from __future__ import annotations

import pytest

from sopforge.cli.screens.needs import lay_out_needs
from sopforge.language.domain.documents.schema import DatasetDocument
from sopforge.proof.dataset.coverage.needs import Needs
from sopforge.proof.dataset.coverage.noticing import Noticed


def say_needs(tasks: int, rare: int, asked: int) -> str:
    """Return what is said where the goals need so many tasks by any answer."""
    needs = {
        Noticed.PRIMARY: Needs(tasks - 1, rare),
        Noticed.OUTCOMES: Needs(tasks, rare),
        Noticed.TRAJECTORY: Needs(tasks + 1, rare),
    }
    return "\n".join(map(str, lay_out_needs(DatasetDocument(n_samples=asked), needs)))


ENOUGH = "That is enough for all goals."
RAISED = "If the goals need more tasks, SOPForge generates up to {}. "
STOPS = (
    "If they need even more, the run stops (n-samples-too-small). With n_samples: 275 it cannot"
    " stop, because twice as many tasks are allowed."
)
CHOICE = (
    "SOPForge generates at most twice as many tasks as the brief asks for, here 40, so the run"
    " would stop (n-samples-too-small). Set dataset.n_samples to 21 or more, or choose which"
    " answers must show a mistake with dataset.coverage: {noticed_by: ...}. The choices need at"
    " least: primary 40, outcomes 41, trajectory 42."
)


@pytest.mark.parametrize(
    ("tasks", "rare", "asked", "said"),
    [
        pytest.param(20, 0, 60, ENOUGH, id="enough"),
        pytest.param(20, 40, 60, ENOUGH, id="enough for the rare ones too"),
        pytest.param(20, 45, 60, RAISED.format(120) + ENOUGH, id="raised"),
        pytest.param(40, 0, 20, RAISED.format(40) + ENOUGH, id="as many as are made"),
        pytest.param(84, 465, 180, RAISED.format(360) + STOPS, id="perhaps too many"),
        pytest.param(41, 0, 20, CHOICE, id="too many"),
    ],
)
def test_the_limit_and_what_can_be_written_are_named(
    tasks: int, rare: int, asked: int, said: str
) -> None:
    assert say_needs(tasks, rare, asked).splitlines()[1] == said


@pytest.mark.parametrize(
    ("tasks", "rare", "said"),
    [
        (1, 0, "The brief asks for 9 tasks (dataset.n_samples). Its goals take 1 task."),
        (2, 0, "The brief asks for 9 tasks (dataset.n_samples). Its goals take 2 tasks."),
        (4, 3, "Its goals take 4 to 7 tasks."),
        (0, 1, "In 1,024 random rows, 1 goal did not occur: the dataset stage"),
        (0, 2, "In 1,024 random rows, 2 goals did not occur: the dataset stage"),
    ],
)
def test_goals_and_tasks_are_counted_in_words(tasks: int, rare: int, said: str) -> None:
    assert said in say_needs(tasks, rare, 9).splitlines()[0]


def test_nothing_is_said_where_nothing_is_known() -> None:
    assert list(lay_out_needs(DatasetDocument(n_samples=20), {})) == []
