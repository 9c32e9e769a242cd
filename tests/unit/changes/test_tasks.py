"""What became of tasks is listed by their ids."""

from __future__ import annotations

import json

from sopforge.pipeline.changes.tasks import Cells, Figure, TaskChange, TaskChanges, compare_tasks

TASK: dict[str, object] = {
    "task_id": "task-1",
    "key": "fill:1",
    "split": "test",
    "text": "Refund order 7.",
    "inputs": {"order": "7", "reason": "Damaged"},
    "outcomes": {"status": "paid"},
    "path": ["look_up", "pay"],
    "rules": {},
}
CALL: dict[str, object] = {"tool": "look", "arguments": {"order": "7"}, "result": {"days": 3}}


def files(*tasks: dict[str, object], calls: list[object] | None = None) -> dict[str, str]:
    trajectories = [{"task_id": task["task_id"], "calls": calls or [CALL]} for task in tasks]
    return {
        "dataset/tasks.jsonl": "".join(json.dumps(task) + "\n" for task in tasks),
        "dataset/trajectories.jsonl": "".join(json.dumps(item) + "\n" for item in trajectories),
    }


def changed_to(**parts: object) -> TaskChange:
    (change,) = compare_tasks(files(TASK), files({**TASK, **parts})).changed
    return change


def test_equal_tasks_are_kept() -> None:
    assert compare_tasks(files(TASK), files(TASK)) == TaskChanges(kept=1)


def test_tasks_are_added_and_removed_by_their_ids() -> None:
    found = compare_tasks(
        files(TASK, {**TASK, "task_id": "task-2"}), files({**TASK, "task_id": "task-3"}, TASK)
    )
    assert (found.added, found.removed, found.kept) == (("task-3",), ("task-2",), 1)


def test_another_answer_is_shown_with_both() -> None:
    change = changed_to(outcomes={"status": "refused"})
    assert change.answers == (Cells("status", "paid", "refused"),)
    assert (change.inputs, change.has_other_calls, change.is_reworded) == ((), False, False)


def test_a_scored_value_is_an_answer() -> None:
    assert changed_to(scored={"points": "3"}).answers == (Cells("points", "", "3"),)


def test_another_input_is_shown_with_both() -> None:
    change = changed_to(inputs={"order": "8", "reason": "Damaged"})
    assert (change.inputs, change.answers) == ((Cells("order", "7", "8"),), ())


def test_another_text_is_a_rewording() -> None:
    change = changed_to(text="Order 7 is to be refunded.")
    assert change.is_reworded
    assert (change.inputs, change.answers, change.split) == ((), (), None)


def test_another_side_of_the_split_is_shown() -> None:
    assert changed_to(split="dev").split == ("test", "dev")


def test_another_call_is_another_trajectory() -> None:
    new = files(TASK, calls=[{**CALL, "result": {"days": 4}}])
    (change,) = compare_tasks(files(TASK), new).changed
    assert change.has_other_calls


def test_a_side_without_tasks_has_nothing_to_compare() -> None:
    assert not compare_tasks({}, files(TASK))


def report(tasks: int, shown: int) -> str:
    every = {"asked": 9, "shown": shown, "impossible": 1, "undecided": 0}
    mutants = {"asked": 4, "shown": 4, "path_only": 0, "without_effect": 0, "undecided": 0}
    counts = {"goals": {"all": every}, "mutants": {"all": mutants}}
    return json.dumps({"tasks": tasks, "counts": counts})


def test_figures_of_the_coverage_are_shown_where_they_differ() -> None:
    old = {**files(TASK), "dataset/coverage.json": report(12, 8)}
    new = {**files(TASK), "dataset/coverage.json": report(14, 8)}
    assert compare_tasks(old, new).figures == (Figure("tasks", 12, 14),)
    fewer = {**files(TASK), "dataset/coverage.json": report(12, 7)}
    assert compare_tasks(old, fewer).figures == (Figure("goals shown", 8, 7),)
