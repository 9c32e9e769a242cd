"""Answers beside the ids of tasks are found in any text for agents; tasks alone are no answers."""

from __future__ import annotations

import json

import pytest

from sopforge.checks.package.package_answers import CHECK
from sopforge.checks.package.package_solved import PREFIX
from sopforge.workspace import Workspace


def outcomes(sound: Workspace) -> dict[str, str]:
    lines = sound.files[f"{PREFIX}grader/tasks.jsonl"].splitlines()
    tasks = [json.loads(line) for line in lines]
    name = sound.model.primary.name
    return {task["task_id"]: task["outcomes"][name] for task in tasks}


def as_table(answers: dict[str, str]) -> str:
    return "".join(f"{task};{answer}\n" for task, answer in answers.items())


def as_json(answers: dict[str, str]) -> str:
    return json.dumps([{"says": a, "task": task} for task, a in answers.items()], indent=1)


def as_lists(answers: dict[str, str]) -> str:
    """Return the tasks by their answers, whose order says nothing of the tasks."""
    return "".join(f"{answer}\n" for answer in sorted(answers.values())) + "\n".join(answers)


def all_alike(answers: dict[str, str]) -> str:
    one = next(iter(answers.values()))
    return "".join(f"{task}: is it {one}?\n" for task in answers)


def mixed_up(answers: dict[str, str]) -> str:
    labels = list(answers.values())
    turned = [*labels[7:], *labels[:7]]
    return "".join(f"{task};{answer}\n" for task, answer in zip(answers, turned, strict=True))


@pytest.mark.parametrize("write", [as_table, as_json])
def test_a_text_for_agents_with_answers_is_refused(sound: Workspace, write: object) -> None:
    assert callable(write)
    text = write(outcomes(sound))

    (finding,) = CHECK.examine(sound.with_files({f"{PREFIX}notes.txt": text}))

    assert (finding.id, finding.where) == ("answer-shown", "notes.txt")
    assert CHECK.examine(sound.with_files({f"{PREFIX}grader/notes.txt": text})) == []


@pytest.mark.parametrize("write", [as_lists, all_alike, mixed_up])
def test_a_text_that_gives_no_answer_away_is_accepted(sound: Workspace, write: object) -> None:
    assert callable(write)
    assert CHECK.examine(sound.with_files({f"{PREFIX}notes.txt": write(outcomes(sound))})) == []
