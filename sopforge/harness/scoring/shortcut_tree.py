"""A small decision tree on what a task shows: the shortcut of guessing from the form alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sopforge.harness.scoring.agents import Call
from sopforge.harness.scoring.decision_tree import Integers, grow_tree
from sopforge.harness.scoring.trajectories import Trajectory, write_answer
from sopforge.language.domain.expressions.numbers import divide_rounded
from sopforge.language.domain.fields import Field
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.tasks import Task
from sopforge.language.domain.values.malformed_inputs import is_malformed
from sopforge.language.domain.values.types import (
    EnumType,
    ListType,
    SetType,
    TextType,
    Value,
    list_items,
    require_integer,
)
from sopforge.proof.dataset.tasks.told_texts import parse_inputs
from sopforge.seeds import draw_below

DEEPEST = 3
FOLDS = 5
PARTITIONS = 5
"""How often the dataset is parted anew: one partition alone can be lucky on few tasks."""


def choose_held_out_part(task: Task, partition: int) -> int:
    """Return the part of the dataset in which a task is held back; of the task its id decides."""
    return draw_below(FOLDS, 0, "fold", partition, task.id)


@dataclass(frozen=True, slots=True)
class TreeAgent:
    """States the answers that trees, grown on other tasks, give for the inputs; calls no tool."""

    answers: Mapping[tuple[str, ...], Mapping[str, str]]
    name: str = "decision tree"

    def solve(self, inputs: Mapping[str, str], call: Call) -> Trajectory:  # noqa: ARG002 - protocol
        return Trajectory((), write_answer(self.answers[tuple(inputs.values())]))


def build_tree_agents(model: DomainModel, tasks: Sequence[Task]) -> tuple[TreeAgent, ...]:
    """Return an agent for each partition of the tasks into folds."""
    table = _build_table(model, tasks)
    shown = [tuple(task.inputs.values()) for task in tasks]
    agents = []
    for partition in range(PARTITIONS):
        columns = {
            item.name: _guess_outcome(tasks, table, partition, item.name) for item in model.outcomes
        }
        answers = [
            dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]
        # By what the agent is shown; the key in it is no other task's.
        agents.append(TreeAgent(dict(zip(shown, answers, strict=True))))
    return tuple(agents)


def count_right_guesses(model: DomainModel, tasks: Sequence[Task]) -> int:
    """Return how often those agents have the primary outcome right, in the mean."""
    table, name = _build_table(model, tasks), model.primary.name
    right = sum(
        task.outcomes[name] == guess
        for partition in range(PARTITIONS)
        for task, guess in zip(tasks, _guess_outcome(tasks, table, partition, name), strict=True)
    )
    return divide_rounded(right, PARTITIONS)


def _build_table(model: DomainModel, tasks: Sequence[Task]) -> Integers:
    return np.array(compute_features(model, tasks), dtype=np.int64)


def _guess_outcome(
    tasks: Sequence[Task], table: Integers, partition: int, outcome: str
) -> list[str]:
    """Return for each task the guess of the tree of its fold, which has not seen the task."""
    guesses = [""] * len(tasks)
    folds = [choose_held_out_part(task, partition) for task in tasks]
    for fold in sorted(set(folds)):
        held = [place for place, own in enumerate(folds) if own == fold]
        seen = [place for place, own in enumerate(folds) if own != fold]
        cells = [tasks[place].outcomes[outcome] for place in seen]
        for place, guess in zip(held, _guess_answers(table[seen], cells, table[held]), strict=True):
            guesses[place] = guess
    return guesses


def compute_features(model: DomainModel, tasks: Sequence[Task]) -> list[list[int]]:
    """Return a row of small integers for each task, made from its inputs.

    Labels and members have a column each. Of what has an order (numbers, days, texts by their
    letters, lists by their length) a column holds the place among the values that occur, for a
    tree asks for the order only.
    """
    columns: list[list[int]] = []
    given = [parse_inputs(model, task.inputs) for task in tasks]
    for item in model.given:
        values = [case[item.name] for case in given]
        if item.malformed:
            marks = [is_malformed(item.type, value) for value in values]
            columns.append([int(mark) for mark in marks])
            # A malformed text has no place among the others: its mark is all that it shows.
            pairs = zip(values, marks, strict=True)
            values = [None if mark else value for value, mark in pairs]
        columns += _compute_columns(item, values)
    return [list(row) for row in zip(*columns, strict=True)]


def _compute_columns(item: Field, values: list[Value | None]) -> list[list[int]]:
    missing = [[int(value is None) for value in values]] if item.missing else []
    match item.type:
        case EnumType(labels) if len(labels) > 1:
            return [
                *missing,
                *([int(value == code) for value in values] for code in _list_codes(labels)),
            ]
        case SetType(labels):
            masks = [0 if value is None else require_integer(value) for value in values]
            sizes = [mask.bit_count() for mask in masks]
            return [
                *missing,
                *([mask >> bit & 1 for mask in masks] for bit in _list_codes(labels)),
                sizes,
            ]
        case TextType(pool=pool) if pool:
            return [*missing, *([int(value == text) for value in values] for text in pool)]
        case ListType():
            return [*missing, [len(list_items(value)) for value in values]]
        case _:
            return [*missing, _rank_values(values)]


def _list_codes(labels: tuple[str, ...]) -> range:
    return range(len(labels))


def _rank_values(values: list[Value | None]) -> list[int]:
    """Return the place of each value among those that occur; 0 where it is missing."""
    there = {value for value in values if isinstance(value, int | str)}
    places = {value: place for place, value in enumerate(sorted(there, key=_make_sort_key), 1)}
    return [places[value] if isinstance(value, int | str) else 0 for value in values]


def _make_sort_key(value: int | str) -> tuple[int, str]:
    return (value, "") if isinstance(value, int) else (0, value)


def _guess_answers(rows: Integers, answers: list[str], others: Integers) -> list[str]:
    # A lone task leaves none to learn from; an empty answer is never right.
    if not len(rows):
        return [""] * len(others)
    tree = grow_tree(rows, answers, DEEPEST)
    return [tree.guess(row) for row in others]
