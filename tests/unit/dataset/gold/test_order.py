"""Which gold calls need which, by the fields of the case."""

from __future__ import annotations

from dataclasses import replace

from sopforge.language.domain.tasks import read_tasks, write_tasks, write_trajectories
from sopforge.proof.dataset.gold.order import derive_needs, derive_walk_needs, list_needs
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.tasks.writing import as_task
from tests.unit.dataset.gold.test_minimal import MODEL, make_row

ROW = make_row()
WALK = label_row(MODEL, ROW)
TASK = as_task(MODEL, Candidate("task-1", "", 1, ROW, WALK), 0)


def test_a_look_up_needs_the_one_that_returns_its_argument() -> None:
    tools = [call.tool for call in WALK.calls]
    needs = derive_walk_needs(MODEL, WALK)

    assert tools[3] == "getOwner"
    # The session is opened before all else; the owner is known from the paying account alone.
    assert [sorted(needed) for needed in needs] == [[], [0], [0], [0, 1], [0, 1, 2, 3]]


def test_what_is_returned_once_more_is_needed_once() -> None:
    calls = [*WALK.calls[:2], WALK.calls[1], *WALK.calls[2:]]
    needs = derive_walk_needs(MODEL, replace(WALK, calls=calls))

    # The owner is known from the first look at the account.
    assert [sorted(needed) for needed in needs[:5]] == [[], [0], [0], [0], [0, 1]]


def test_what_calls_need_is_stored_with_them() -> None:
    (task,) = read_tasks(write_tasks([TASK]), write_trajectories([TASK]))

    assert [call.needs for call in task.calls] == [(), (0,), (0,), (0, 1), (0, 1, 2, 3)]
    assert [call.is_minimal for call in task.calls] == [True, True, True, False, True]
    assert list_needs(MODEL.offered, task) == derive_walk_needs(MODEL, WALK)


def test_where_nothing_is_stored_names_of_parameters_and_results_decide() -> None:
    calls = tuple(replace(call, needs=None) for call in TASK.calls)
    task = replace(TASK, calls=calls)

    assert list_needs(MODEL.offered, task) == derive_needs(MODEL.offered, calls)
    # The owner's number is returned under another name than that of the parameter.
    assert sorted(list_needs(MODEL.offered, task)[3]) == [0]
