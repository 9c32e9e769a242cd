"""A user who cannot know what he must say is refused, by the shortest example."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.errors import PackageUnreadableError
from sopforge.harness.users.knowing import require_known
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.tasks import GoldCall, Task

COUNTER = (Path(__file__).parents[3] / "docs/examples/small_counter.yaml").read_text("utf-8")
MODEL = read_brief(COUNTER, "counter.yaml").model
INPUTS = {
    "request_id": "Q000001",
    "payer": "A000001",
    "payee": "A000002",
    "pin": "K1111",
    "amount": "30.00",
}
LOGIN = GoldCall("openSession", {"account": "A000001", "pin": "K1111"}, {})
MOVE = GoldCall("transferMoney", {"source": "A1", "target": "A2", "amount": 30}, {})


def make_task(name: str, calls: int, *lacking: str) -> Task:
    """Return a task that logs in so often and then moves money, without some of its entries."""
    inputs = {key: cell for key, cell in INPUTS.items() if key not in lacking}
    return Task(name, name, inputs, {}, (), {}, (*[LOGIN] * calls, MOVE))


def fault_of(*tasks: Task) -> str:
    with pytest.raises(PackageUnreadableError) as raised:
        require_known(MODEL, {task.id: task for task in tasks})
    (fault,) = raised.value.faults
    assert fault.code == "user-cannot-know"
    return f"{fault.message} ({fault.where})"


def test_the_example_is_the_task_with_the_fewest_calls_before_the_entry_is_needed() -> None:
    said = fault_of(
        make_task("long", 3, "amount"), make_task("short", 1, "amount"), make_task("sound", 0)
    )

    assert (
        "the user of short does not know 'amount', although its call of transferMoney takes it"
    ) in said
    assert "the same holds for 2 tasks" in said
    assert said.endswith("(tasks.jsonl, short, after 1 calls)")


def test_what_rules_alone_read_has_to_be_known_too() -> None:
    silent = replace(make_task("silent", 0, "pin"), calls=())

    assert "the user of silent does not know 'pin', although its procedure reads it" in fault_of(
        silent
    )


def test_what_a_tool_returned_before_need_not_be_stated() -> None:
    shown = GoldCall("getOwner", {"customer": "C1"}, {"amount": 30})
    task = make_task("shown", 0, "amount")

    require_known(MODEL, {"shown": replace(task, calls=(shown, MOVE))})
