"""Tasks are labelled by the text alone; answers are compared as values of their fields are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sopforge.authors.prompts.outputs import OUTPUTS
from sopforge.authors.writers.reading.independent_labels import (
    TASKS_A_QUESTION,
    Agreement,
    choose_by_path,
    collect_replies,
    compute_wilson_interval,
    label_tasks,
)
from sopforge.language.domain.tasks import Task
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.stages.pipeline import advance, build_workspace, list_approved_versions
from sopforge.proof.dataset.sampling.filling import label_rows
from sopforge.proof.dataset.tasks.writing import as_task
from sopforge.store.opening import open_store
from sopforge.workspace import Workspace

ROOT = Path(__file__).parents[4]
Answer = Mapping[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return the workspace of the fees, all stages done."""
    store = open_store(tmp_path_factory.mktemp("store"))
    brief = load_brief(ROOT / "tests" / "briefs" / "fees.yaml")
    advance(store, brief, approve_clean=True)
    return build_workspace(brief, list_approved_versions(store, brief))


def outcomes(task: Task, **changes: str) -> Answer:
    """Return what a reader says of a task: the expected outcomes, or others."""
    stated = {**task.outcomes, **changes}
    return {
        "task": task.id,
        "steps": ["6.1"],
        "outcomes": [{"name": name, "value": value} for name, value in stated.items()],
        "unclear": [{"sentence": "It is late.", "why": "how late?"}],
    }


def labelling(
    made: Workspace, answer: Callable[[Task], Answer | None], most: int = 20
) -> tuple[Agreement, list[Answer]]:
    """Return how tasks were labelled by a player, and what was asked with."""
    known, asked = {task.id: task for task in made.tasks}, list[Answer]()

    def ask(template: str, values: Mapping[str, Any]) -> Answer:
        asked.append(values)
        found = [answer(known[item["task"]]) for item in values["tasks"]]
        said = {"tasks": [item for item in found if item is not None]}
        OUTPUTS[template].model_validate(said)
        return said

    return Agreement(label_tasks(ask, made, made.tasks[:most])), asked


def test_right_labels_agree_in_every_task(made: Workspace) -> None:
    found, asked = labelling(made, outcomes, most=7)

    assert (found.right, len(found.labelled), list(found.find_disagreements())) == (7, 7, [])
    assert [len(item["tasks"]) for item in asked] == [TASKS_A_QUESTION, 7 - TASKS_A_QUESTION]
    assert {item["sop"] for item in asked} == {made.files["sop/sop.txt"]}


def test_values_are_compared_as_their_fields_compare_them(made: Workspace) -> None:
    charged = next(task for task in made.tasks if task.outcomes["fee"] == "12.50")

    same, _ = labelling(made, lambda task: outcomes(task, fee="12.5") if task == charged else None)
    other, _ = labelling(
        made, lambda task: outcomes(task, fee="12.51") if task == charged else None
    )

    assert same.right == 1
    assert other.right == 0


def test_a_wrong_label_is_reported_with_the_sentence_in_doubt(made: Workspace) -> None:
    wrong = made.tasks[2]
    value = "charged" if wrong.outcomes["lateness"] != "charged" else "tolerated"

    found, _ = labelling(
        made, lambda task: outcomes(task, lateness=value) if task == wrong else outcomes(task)
    )

    (finding,) = found.find_disagreements()
    assert finding.id == "reread-label"
    expected = wrong.outcomes["lateness"]
    assert (
        f"task {wrong.id}: by the text, lateness is '{value}', not '{expected}'" in finding.message
    )
    assert "steps 6.1" in finding.message
    assert f"loan_id = {wrong.inputs['loan_id']}" in finding.evidence
    assert finding.hint == 'unclear to the reader: "It is late." (how late?)'


def test_tasks_left_out_and_tasks_made_up_are_no_agreement(made: Workspace) -> None:
    first = made.tasks[0]
    found, _ = labelling(
        made, lambda task: None if task == first else {**outcomes(task), "task": "another"}, most=2
    )

    assert found.right == 0
    assert all("is 'not stated'" in item.message for item in found.find_disagreements())


def test_the_reader_sees_replies_and_no_answers(made: Workspace) -> None:
    _, asked = labelling(made, outcomes, most=20)

    for item in [case for values in asked for case in values["tasks"]]:
        assert set(item) == {"task", "states", "replies"}
        assert "lateness" not in json.dumps(item)
        ((reply,),) = [part["replies"] for part in item["replies"]]
        assert set(reply["result"]) == {"days_late"}


def drawn(name: str) -> Iterator[tuple[Any, Task, Mapping[str, Any]]]:
    model = load_brief(ROOT / "briefs" / f"{name}.yaml").model
    for candidate in label_rows(model, 5, range(40)):
        yield model, as_task(model, candidate, 20), candidate.row


@pytest.mark.parametrize("name", ["patient_intake", "referral_abuse"])
def test_what_an_agent_decides_is_in_no_argument_and_no_result(name: str) -> None:
    for model, task, row in drawn(name):
        decided = {target for step in model.steps.values() for target in step.decide}
        for tool in collect_replies(model, task, row):
            for reply in tool["replies"]:  # type: ignore[attr-defined]  # records of replies
                assert not decided & {*reply["arguments"], *reply.get("result", {})}


def test_replies_do_not_show_which_path_a_case_takes() -> None:
    found = [
        (task, collect_replies(model, task, row)) for model, task, row in drawn("patient_intake")
    ]

    assert len({task.path for task, _ in found}) > 3
    assert {tuple(item["tool"] for item in made) for _, made in found} == {
        (
            "validateInsurance",
            "validatePrescriptionBenefits",
            "calculateLifestyleRisk",
            "calculateOverallRisk",
            "verifyPharmacy",
            "registerPatient",
        )
    }


def test_replies_of_gold_calls_are_those_of_the_trajectory() -> None:
    for model, task, row in drawn("patient_intake"):
        made: dict[Any, Any] = {
            item["tool"]: item["replies"] for item in collect_replies(model, task, row)
        }
        for call in task.calls:
            (reply,) = made[call.tool]
            assert reply.get("refusal", "") == call.refusal
            assert call.refusal or reply["result"] == dict(call.result)


def task_on(number: int, *path: str) -> Task:
    return Task(f"T{number}", f"fill:{number}", {}, {}, path, {}, ())


def test_each_path_is_seen_before_any_is_seen_twice() -> None:
    tasks = [
        task_on(1, "a", "a.1", "b"),
        task_on(2, "a", "a.1", "b"),
        task_on(3, "a", "a.2", "c", "c.1", "d"),
        task_on(4, "a", "a.2", "c", "c.1", "d"),
        task_on(5, "a", "a.2", "c", "c.2", "b"),
    ]

    def chosen(most: int) -> list[str]:
        return [task.id for task in choose_by_path(tasks, most)]

    # First the path that shows most, then what is new: the two others show two nodes more each.
    assert chosen(2) == ["T3", "T1"]
    assert chosen(3) == ["T3", "T1", "T5"]
    assert chosen(4) == ["T3", "T1", "T5", "T4"]
    assert chosen(9) == ["T3", "T1", "T5", "T4", "T2"]
    assert chosen(0) == []


@pytest.mark.parametrize(
    ("right", "asked", "low", "high"),
    [
        # From the formula with z = 1.96, worked out by hand.
        pytest.param(10, 10, 0.7225, 1.0, id="all of ten"),
        pytest.param(0, 10, 0.0, 0.2775, id="none of ten"),
        pytest.param(8, 10, 0.4902, 0.9433, id="eight of ten"),
        pytest.param(95, 100, 0.8882, 0.9785, id="ninety-five of a hundred"),
        pytest.param(0, 0, 0.0, 1.0, id="nothing asked"),
    ],
)
def test_the_interval_is_wilsons(right: int, asked: int, low: float, high: float) -> None:
    assert compute_wilson_interval(right, asked) == pytest.approx((low, high), abs=0.0001)
