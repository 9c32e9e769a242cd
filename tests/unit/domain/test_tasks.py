from __future__ import annotations

from sopforge.language.domain.tasks import (
    GoldCall,
    Task,
    read_explanations,
    read_tasks,
    write_explanations,
    write_shown,
    write_tasks,
    write_trajectories,
)

TASK = Task(
    id="0001",
    key="fill:12",
    inputs={"kind": "Café"},
    outcomes={"status": "closed"},
    path=("look", "look.2"),
    rules={"refund": ("A1",)},
    calls=(GoldCall("findReturn", {"kind": "Café"}, {"age": 3}),),
    text="The kind is Café.",
    split="dev",
    intermediates={"points": "3"},
)


def test_a_task_is_one_line_without_its_calls() -> None:
    assert write_tasks([TASK]) == (
        '{"task_id": "0001", "key": "fill:12", "split": "dev", "text": "The kind is Café.",'
        ' "inputs": {"kind": "Café"}, "outcomes": {"status": "closed"},'
        ' "scored": {"points": "3"}, "path": ["look", "look.2"], "rules": {"refund": ["A1"]}}\n'
    )


def test_a_trajectory_is_one_line_with_the_calls_in_order() -> None:
    assert write_trajectories([TASK]) == (
        '{"task_id": "0001", "calls": [{"tool": "findReturn",'
        ' "arguments": {"kind": "Café"}, "result": {"age": 3}}]}\n'
    )


def test_tasks_are_read_as_they_were_written() -> None:
    assert read_tasks(write_tasks([TASK, TASK]), write_trajectories([TASK])) == (TASK, TASK)


def test_what_an_agent_may_see_is_neither_draw_nor_answer_nor_path() -> None:
    assert write_shown([TASK]) == (
        '{"task_id": "0001", "split": "dev", "text": "The kind is Café.",'
        ' "inputs": {"kind": "Café"}}\n'
    )


def test_explanations_are_read_as_they_were_written() -> None:
    stories = {"0001": ["Look", "  so kind: Café"], "0002": []}

    assert read_explanations(write_explanations(stories)) == stories
