"""What shortcuts score on seven tasks of a ferry, worked out by hand.

A verdict is "stay" for who is under 18 and in a storm, else "go"; the skipper's advice is a hint
that is wrong for tasks 1 and 5.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from sopforge.harness.scoring.model_tools import make_tool_caller
from sopforge.harness.scoring.shortcut_agents import (
    call_available_tools,
    copy_answer,
    find_majority_answers,
)
from sopforge.harness.scoring.shortcut_tree import (
    build_tree_agents,
    choose_held_out_part,
    compute_features,
)
from sopforge.harness.scoring.shortcuts import (
    Shortcuts,
    ShortcutScore,
    find_best_sources,
    score_shortcuts,
)
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.tasks import Task

FERRY = """\
format: 1
domain: ferry
title: Ferry
business_task: Decide whether passengers go on board.
task_context: A ferry crosses a bay.
dataset: {n_samples: 7, seed: 1}
model:
  entities:
    passenger:
      key: ticket
      fields:
        ticket: {role: input, type: string, pattern: "T[0-9]{4}", unique: true, description: number}
        age: {role: input, type: integer, min: 0, max: 99, unit: years, description: age}
        weather: {role: observed, type: enum, values: [calm, storm], description: weather}
        advice: {role: observed, type: enum, values: [GO, STAY], description: what the skipper says}
        verdict: {role: outcome, type: enum, values: [go, stay], primary: true, description: goes}
        tone: {role: outcome, type: enum, values: [soft, hard], description: tone of the message}
  decisions:
    verdict:
      hit: first
      rules:
        - {id: V1, when: age < 18, then: stay}
        - {id: V2, when: weather == 'storm', then: stay}
        - {id: V3, otherwise: go}
    tone:
      hit: first
      rules:
        - {id: T1, when: weather == 'storm', then: hard}
        - {id: T2, otherwise: soft}
  tools:
    askSkipper: {kind: lookup, description: Ask, takes: [ticket, weather], returns: [advice]}
    readWeather: {kind: lookup, description: Read, takes: [ticket], returns: [weather]}
    bookSeat: {kind: action, description: Book, takes: [ticket, verdict], returns: [weather]}
  procedure:
    start: read
    steps:
      read: {title: Read the weather, call: readWeather, edges: [{to: ask}]}
      ask: {title: Ask the skipper, call: askSkipper, edges: [{to: judge}]}
      judge: {title: Judge, decide: [verdict, tone], edges: [{to: done}]}
      done: {title: Close, end: {}}
"""
MODEL = read_brief(FERRY, "ferry.yaml").model
CASES = [
    ("1", 10, "calm", "GO", "stay", "soft"),
    ("2", 15, "storm", "STAY", "stay", "hard"),
    ("3", 30, "calm", "GO", "go", "soft"),
    ("4", 40, "calm", "GO", "go", "soft"),
    ("5", 50, "calm", "STAY", "go", "soft"),
    ("6", 60, "storm", "STAY", "stay", "hard"),
    ("7", 70, "calm", "GO", "go", "soft"),
]


def made_task(number: str, age: int, verdict: str, tone: str) -> Task:
    inputs = {"ticket": f"T000{number}", "age": str(age)}
    return Task(f"task-{number}", "", inputs, {"verdict": verdict, "tone": tone}, (), {}, ())


TASKS = [made_task(number, age, verdict, tone) for number, age, _, _, verdict, tone in CASES]
ROWS: dict[str, Mapping[str, str | int]] = {
    f"task-{number}": {
        "ticket": f"T000{number}",
        "age": age,
        "weather": ["calm", "storm"].index(weather),
        "advice": ["GO", "STAY"].index(advice),
    }
    for number, age, weather, advice, _, _ in CASES
}


@pytest.fixture(scope="module")
def found() -> dict[str, ShortcutScore]:
    return {item.name: item for item in score_shortcuts(MODEL, TASKS, ROWS).scores}


def test_the_majority_is_the_most_frequent_answer_of_each_outcome() -> None:
    assert find_majority_answers(MODEL, TASKS) == {"verdict": "go", "tone": "soft"}
    assert find_majority_answers(MODEL, TASKS[1:3]) == {
        "verdict": "go",
        "tone": "hard",
    }  # ties: by name


def test_each_shortcut_is_right_about_the_tasks_that_it_leads_to(
    found: dict[str, ShortcutScore],
) -> None:
    scores = {name: (item.primary, item.all_outcomes) for name, item in found.items()}

    # The most frequent answers are right for the four who go.
    assert scores["majority"] == (4, 4)
    # Tasks 2, 3, 4, 6 and 7; nothing reads as a tone, and "soft" is wrong for 2 and 6.
    assert scores["copying"] == (5, 3)
    assert found["copying"].copied == {"verdict": "askSkipper.advice"}
    # Wrong about task 6 alone; the tone is "soft" to it, which is wrong for 2 as well.
    assert scores["no tool"] == (6, 5)


def test_the_bar_is_the_majority_and_a_tenth_but_at_least_a_half() -> None:
    def bar(right: int, tasks: int) -> int:
        return Shortcuts(tasks, "x", (ShortcutScore("majority", right, 0, {}),)).bar

    assert bar(4, 7) == 47
    assert bar(4, 10) == 50
    assert bar(3, 10) == 50
    assert bar(5, 10) == 60


def test_only_what_passes_the_bar_is_too_good() -> None:
    shortcuts = Shortcuts(10, "x", (ShortcutScore("majority", 4, 0, {}),))

    assert not shortcuts.is_too_good(ShortcutScore("copying", 5, 0, {}))
    assert shortcuts.is_too_good(ShortcutScore("copying", 6, 0, {}))


def test_scores_are_stored_as_integers_and_fixed_decimals() -> None:
    report = json.loads(score_shortcuts(MODEL, TASKS, ROWS).as_json())

    assert (report["outcome"], report["tasks"], report["bar"]) == ("verdict", 7, "0.671")
    by_name = {item["name"]: item for item in report["shortcuts"]}
    assert by_name["no tool"]["primary"] == {"right": 6, "share": "0.857"}
    assert by_name["no tool"]["all_outcomes"] == {"right": 5, "share": "0.714"}


def test_the_copying_agent_calls_what_it_can_when_it_can() -> None:
    call = make_tool_caller(MODEL, ROWS["task-2"])

    calls, results = call_available_tools(MODEL, TASKS[1].inputs, call)

    # The skipper wants the weather first; a seat needs the verdict, which nobody knows.
    assert [made.tool for made in calls] == ["readWeather", "askSkipper"]
    assert results == {("readWeather", "weather"): "storm", ("askSkipper", "advice"): "STAY"}


def test_a_refusal_is_a_result_that_can_be_copied() -> None:
    text = FERRY.replace(
        "returns: [advice]}",
        "returns: [advice], requires: {id: G1, is: \"advice == 'GO'\", refusal: stay, says: no}}",
    )
    model = read_brief(text, "ferry.yaml").model

    sources = find_best_sources(model, TASKS, ROWS, find_majority_answers(model, TASKS))

    # The refusals say "stay" of 2, 5 and 6; the advice that is left says "go" like everyone.
    assert sources == {"verdict": ("askSkipper", "refusal")}
    assert score_shortcuts(model, TASKS, ROWS).scores[2].primary == 5


@pytest.mark.parametrize(
    ("result", "answer"),
    [("GO", "go"), ("St-ay", "stay"), ("going", None), (3, None), (None, None)],
)
def test_a_result_reads_as_a_label_by_its_letters(result: object, answer: str | None) -> None:
    assert copy_answer(MODEL.fields["verdict"], result) == answer


# the tree


def many(model: DomainModel, count: int) -> list[Task]:
    """Return tasks whose verdict is decided by the age: "stay" below 50."""
    assert model.inputs
    return [
        Task(
            f"task-{place}",
            "",
            {"ticket": f"T{place * 7919 % 10000:04d}", "age": str(place % 100)},
            {"verdict": "stay" if place % 100 < 50 else "go", "tone": "soft"},
            (),
            {},
            (),
        )
        for place in range(count)
    ]


def test_a_tree_finds_an_answer_that_an_input_shows() -> None:
    tasks = many(MODEL, 1_000)
    agent = build_tree_agents(MODEL, tasks)[0]

    answers = [agent.answers[tuple(task.inputs.values())]["verdict"] for task in tasks]

    assert answers == [task.outcomes["verdict"] for task in tasks]


def test_a_task_is_answered_by_a_tree_that_has_not_seen_it() -> None:
    tasks = many(MODEL, 50)
    turned = [
        replace(task, outcomes={"verdict": "go", "tone": "hard"})
        if choose_held_out_part(task, 1) == 2
        else task
        for task in tasks
    ]
    held = [tuple(task.inputs.values()) for task in tasks if choose_held_out_part(task, 1) == 2]

    before = build_tree_agents(MODEL, tasks)[1].answers
    after = build_tree_agents(MODEL, turned)[1].answers

    assert held
    assert [before[shown] for shown in held] == [after[shown] for shown in held]
    assert before != after


def test_folds_depend_on_the_id_alone_and_are_five() -> None:
    tasks = many(MODEL, 100)
    bare = [replace(task, inputs={}, outcomes={}) for task in tasks]

    first, second = (
        [choose_held_out_part(task, partition) for task in tasks] for partition in (0, 1)
    )

    assert first == [choose_held_out_part(task, 0) for task in bare]
    assert first != second
    assert set(first) == set(second) == set(range(5))


def test_the_score_of_the_tree_is_the_mean_over_all_partitions() -> None:
    tasks = [
        replace(task, outcomes={"verdict": "go" if place % 3 else "stay", "tone": "soft"})
        for place, task in enumerate(many(MODEL, 40))
    ]
    rows: dict[str, Mapping[str, str | int]] = {
        task.id: {"ticket": task.inputs["ticket"], "weather": 0, "advice": 0} for task in tasks
    }
    rights = [
        sum(agent.answers[tuple(task.inputs.values())] == task.outcomes for task in tasks)
        for agent in build_tree_agents(MODEL, tasks)
    ]

    assert len(set(rights)) > 1
    assert abs(score_shortcuts(MODEL, tasks, rows).scores[1].primary - sum(rights) / 5) <= 0.5


def test_features_are_places_among_the_values_that_occur() -> None:
    assert compute_features(MODEL, TASKS[:3]) == [[1, 1], [2, 2], [3, 3]]
    assert compute_features(MODEL, [TASKS[2], TASKS[0], TASKS[2]]) == [[2, 2], [1, 1], [2, 2]]


def test_a_single_task_has_no_other_to_learn_from() -> None:
    agent = build_tree_agents(MODEL, TASKS[:1])[0]

    assert agent.answers == {("T0001", "10"): {"verdict": "", "tone": ""}}
    assert (
        read_answer(agent.solve(TASKS[0].inputs, make_tool_caller(MODEL, {})).answer)["verdict"]
        == ""
    )


# The fee is another one for most tasks.
