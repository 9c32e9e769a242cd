"""What the id and the place of a task give away of it to whoever knows another draw: nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from sopforge.language.domain.fields import STORED
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.coverage.drawing import draw_tasks, redraw
from sopforge.proof.dataset.sampling.candidates import GOAL, Candidate, make_task_id
from sopforge.proof.dataset.sampling.rows import read_rows, write_rows

BRIEF = load_brief(Path(__file__).parents[3] / "briefs" / "refund.yaml")


@cache
def draw(seed: int) -> tuple[Candidate, ...]:
    return draw_tasks(BRIEF.model, replace(BRIEF, draw_seed=seed).drawing).tasks


def test_the_tasks_of_a_goal_have_another_id_in_each_draw() -> None:
    first, second = ({task.key: task.id for task in draw(seed)} for seed in (1, 2))
    goals = [key for key in first if key in second and key.startswith(GOAL)]

    assert len(goals) > 5
    assert set(first.values()).isdisjoint(second.values())


def test_the_place_of_a_task_says_nothing_of_its_goal() -> None:
    """Of n tasks in an order of its own, one on average stands where it stood in another."""
    draws = [[task.key for task in draw(seed) if task.key.startswith(GOAL)] for seed in range(1, 5)]
    same = sum(
        key == other
        for first, second in pairwise(draws)
        for key, other in zip(first, second, strict=False)
    )

    assert same <= 9  # three pairs of draws: more than nine has a chance below one in a thousand


def test_an_id_is_unique_and_the_same_again() -> None:
    tasks = draw(1)
    again = redraw(BRIEF.model, 1, read_rows(BRIEF.model, write_rows(BRIEF.model, tasks)))

    assert len({task.id for task in tasks}) == len(tasks)
    assert [task.id for task in again] == [task.id for task in tasks]


def test_an_id_names_one_case() -> None:
    """Each cell counts, and of two rows with one number only the same has the same id."""
    task, model = draw(1)[0], BRIEF.model
    row = dict(task.row)
    names = [item.name for item in model.with_role(*STORED) if row[item.name] is not None]
    ids = {
        make_task_id(model, 1, task.number, {**row, name: other})
        for name in names
        for other in {candidate.row[name] for candidate in draw(1)} - {row[name], None}
    }

    assert make_task_id(model, 1, task.number, row) == task.id
    assert len(ids) > len(names)
    assert task.id not in ids
