"""Arguments of gold calls that an agent cannot know by then are found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from sopforge.checks.dataset.dataset_sources import Unseen, find_unseen_arguments
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.types import Json
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.tasks.writing import as_task
from tests.unit.dataset.gold.test_minimal import MODEL, make_row

NOTHING: Mapping[str, Json] = {}


def make_task() -> Task:
    row = make_row()
    return as_task(MODEL, Candidate("task-1", "", 1, row, label_row(MODEL, row)), 0)


def edit_call(
    task: Task,
    place: int,
    arguments: Mapping[str, Json] = NOTHING,
    result: Mapping[str, Json] = NOTHING,
) -> Task:
    calls = list(task.calls)
    call = calls[place]
    calls[place] = replace(
        call, arguments={**call.arguments, **arguments}, result={**call.result, **result}
    )
    return replace(task, calls=tuple(calls))


def test_what_the_task_states_and_tools_return_can_be_handed_over() -> None:
    assert list(find_unseen_arguments(MODEL, make_task())) == []


@pytest.mark.parametrize(
    ("task", "wanted"),
    [
        # A secret of the record, which no tool returns.
        (
            edit_call(make_task(), 0, arguments={"pin": "K2222"}),
            [Unseen("openSession", "pin", "K2222")],
        ),
        # The look-up returned another holder than the one that is asked about then.
        (
            edit_call(make_task(), 1, result={"account_owner": "C00009"}),
            [Unseen("getOwner", "customer", "C00001")],
        ),
        # The task states another amount.
        (
            replace(make_task(), inputs={**make_task().inputs, "amount": "31.00"}),
            [Unseen("transferMoney", "amount", 30.0)],
        ),
        (
            replace(make_task(), inputs={**make_task().inputs, "amount": "much"}),
            [Unseen("transferMoney", "amount", 30.0)],
        ),
        (
            edit_call(make_task(), 4, arguments={"note": "x"}),
            [Unseen("transferMoney", "note", "x")],
        ),
    ],
    ids=["secret", "other-result", "other-input", "no-value", "no-parameter"],
)
def test_an_argument_from_nowhere_is_found(task: Task, wanted: list[Unseen]) -> None:
    assert list(find_unseen_arguments(MODEL, task)) == wanted
