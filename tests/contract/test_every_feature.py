"""A domain that uses every feature goes through each gate to a solved package."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from sopforge.checks.package.package_solved import AgentRun, read_graded, run_agents
from sopforge.checks.registry import load_checks
from sopforge.harness.scoring.trajectories import read_answer
from sopforge.language.domain.tasks import read_explanations
from sopforge.workspace import (
    COVERAGE,
    EXPLANATIONS,
    RECORDS,
    SOP_TEXT,
    TOOLS,
    TOOLSPECS,
)
from tests.worlds.made_domains import MadeDomain, make_domain
from tests.worlds.shared_builds import Shared


@pytest.fixture(scope="module")
def output(shared: Shared) -> MadeDomain:
    return make_domain(shared, "everything")


@pytest.fixture(scope="module")
def runs(output: MadeDomain) -> dict[str, AgentRun]:
    return {run.agent: run for run in run_agents(read_graded(output.package("L3")))}


def test_the_reference_agent_solves_every_task_by_the_gold_calls(
    runs: dict[str, AgentRun],
) -> None:
    reference = runs["reference"]
    assert (reference.success, reference.gold_trajectories) == (1.0, 1.0)
    assert len(reference.trajectories) == 80
    assert {run.success for name, run in runs.items() if name != "reference"} == {0.0}


def test_every_rule_and_every_edge_is_exercised(output: MadeDomain) -> None:
    coverage = json.loads(output.workspace.files[COVERAGE])

    every = {**coverage["goals"], **coverage["mutants"]}
    shown = {name for name, goal in every.items() if goal["verdict"] in {"primary", "outcomes"}}
    assert "undecided" not in {goal["verdict"] for goal in every.values()}
    assert {"rule risk.K2, part 1 at +0", "edge receipts.2, part 3 at -1"} <= shown
    assert set(coverage["outcomes"]) == {"paid", "declined", "sent back"}
    assert "a tool refuses with wrong_code" not in coverage["rejected"]
    assert {task.path.count("receipts.1") for task in output.workspace.tasks} == {0, 3}


def test_tasks_name_all_rules_that_were_collected_or_agreed(output: MadeDomain) -> None:
    collected = {task.rules["risk"] for task in output.workspace.tasks if "risk" in task.rules}

    assert () in collected
    assert any(len(ids) > 1 for ids in collected)
    agreed = {
        task.rules["kind_of_review"] for task in output.workspace.tasks if "risk" in task.rules
    }
    assert agreed == {("W1",), ("W2",), ("W1", "W2"), ("W3",)}


def test_scored_intermediate_values_are_those_that_the_case_came_to(output: MadeDomain) -> None:
    tasks = output.workspace.tasks

    for task in tasks:
        computed = [call.result for call in task.calls if "payable" in call.result]
        payable = f"{computed[-1]['payable']:.2f}" if computed else None
        assert task.intermediates.get("payable") == payable
        assert ("risk" in task.intermediates) == ("risk" in task.rules)
    assert {len(task.intermediates) for task in tasks} == {0, 1, 2}


def test_the_results_section_asks_for_the_scored_values_and_says_how_they_are_written(
    output: MadeDomain,
) -> None:
    results = output.workspace.files[SOP_TEXT].partition(". Results\n")[2]

    asked = results.partition(
        "Report the following values too, in the same form, if you carried out a step that sets"
        " them."
    )[2].split("\n")
    payable, risk = asked[2:4]
    assert payable == (
        "| payable amount: what would be paid | payable | a number with 2 decimal places, in USD"
        " | step 6.2 |"
    )
    assert risk == (
        "| risk: sum of what is odd about the claim | risk | a whole number, in points | step 6.4 |"
    )


def test_scored_values_are_reported_beside_the_outcomes(runs: dict[str, AgentRun]) -> None:
    assert runs["reference"].intermediates == 1.0
    assert [set(found.intermediates) for found in runs["wrong"].scores[:1]] == [{"payable", "risk"}]
    for task, wrong in enumerate(runs["wrong"].scores):
        stated = set(read_answer(runs["wrong"].trajectories[task].answer))
        assert {name for name, right in wrong.intermediates.items() if right}.isdisjoint(stated)


def test_every_task_has_its_explanation(output: MadeDomain) -> None:
    stories = read_explanations(output.workspace.files[EXPLANATIONS])

    assert list(stories) == [task.id for task in output.workspace.tasks]
    for task in output.workspace.tasks:
        steps = [node for node in task.path if "." not in node]
        titles = [line for line in stories[task.id] if not line.startswith(" ")]
        assert len(titles) == len(steps) + 1
        lines = [f"  {name}: {cell}" for name, cell in task.outcomes.items()]
        assert stories[task.id][-len(lines) :] == lines


def test_a_harder_level_has_the_same_split_and_texts_with_its_own_inputs(
    output: MadeDomain,
) -> None:
    plain, hard = (
        [json.loads(line) for line in output.package(level)["tasks.jsonl"].splitlines()]
        for level in ("L0", "L3")
    )

    assert [task["split"] for task in plain] == [task["split"] for task in hard]
    assert {task["split"] for task in plain} == {"dev", "test"}
    for task in (*plain, *hard):
        assert set(task) == {"task_id", "split", "text", "inputs"}
        # Lists stand entry by entry, and answers may stand as clauses.
        plain_cells = [x for x in task["inputs"].values() if x not in {"yes", "no"} and x[0] != "["]
        assert all(cell in task["text"] for cell in plain_cells)


def test_lists_and_times_stand_in_the_records_as_people_and_programs_read_them(
    output: MadeDomain,
) -> None:
    rows = list(csv.DictReader(io.StringIO(output.workspace.files[RECORDS])))

    lines = [row["lines"] for row in rows if row["lines"] != "no line"]
    assert 0 < len(lines) < len(rows)
    assert {tuple(item) for text in lines for item in json.loads(text)} == {
        ("kind", "amount", "has_receipt", "extras")
    }
    assert {row["earlier_claims"] for row in rows} >= {"no earlier claim", "file not found"}
    assert all(len(row["handed_in_at"]) == len("2026-01-05 00:00") for row in rows)


def test_the_secret_is_known_to_the_tools_alone(output: MadeDomain) -> None:
    package = output.package("L3")

    shown = ("sop.txt", "toolspecs.json", "openapi.yaml", "test_set_without_outputs.csv")
    assert "stored_pin" in package["tools.py"]
    assert "stored_pin" in package["records.csv"].partition("\n")[0]
    assert [name for name in shown if "stored_pin" in package[name]] == []


def test_specs_say_what_lists_and_times_look_like(output: MadeDomain) -> None:
    specs = {item["toolSpec"]["name"]: item["toolSpec"] for item in specs_of(output)}
    fields = specs["findClaimant"]["inputSchema"]["json"]["properties"]

    assert "at most 4 items" in fields["lines"]["description"]
    assert fields["lines"]["items"]["required"] == ["kind", "amount", "has_receipt", "extras"]
    assert fields["lines"]["items"]["properties"]["amount"] == {
        "type": "number",
        "minimum": 0.01,
        "maximum": 600.0,
        "description": "Amount, in USD",
    }
    assert fields["handed_in_at"]["pattern"] == "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}$"
    assert "list of objects with kind, amount" in specs["addUp"]["description"]


def specs_of(output: MadeDomain) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(output.workspace.files[TOOLSPECS])
    return found


SOP, AGREE, OTHER = "sop-says-model", "tools-agree", "sop-reads-differently"


@pytest.mark.parametrize(
    ("change", "check", "finding"),
    [
        ((SOP_TEXT, "at most twice in", "at most 77777 in"), SOP, OTHER),
        ((SOP_TEXT, "2026-04-06", "2026-04-07"), SOP, OTHER),
        ((SOP_TEXT, "to 2 decimal", "to 8 decimal"), SOP, OTHER),
        ((TOOLS, "default=0", "default=1"), AGREE, "tools-disagree"),
        ((TOOLS, "2 * rest >= divisor", "2 * rest > divisor"), AGREE, "tools-disagree"),
        ((TOOLS, "if pin != stored_pin", "if not pin"), AGREE, "tools-disagree"),
        ((TOOLS, "len(value) > self.size", "len(value) > 99"), AGREE, "tools-disagree"),
        ((TOOLS, "value.keys() != self.fields.keys()", "False"), AGREE, "tools-disagree"),
        ((TOOLS, "min(start % 7, 5)", "min(start % 7, 4)"), AGREE, "tools-disagree"),
        ((TOOLS, "min(start.day, length)", "start.day"), AGREE, "tools-disagree"),
        ((TOOLS, "self.first <= minute <= self.last", "0 <= minute"), AGREE, "tools-disagree"),
    ],
    ids=lambda value: value[1] if isinstance(value, tuple) else "",
)
def test_a_damage_to_a_new_part_is_found(
    output: MadeDomain, change: tuple[str, str, str], check: str, finding: str
) -> None:
    file, old, new = change
    text = output.workspace.files[file]
    assert old in text
    (examined,) = [item for item in load_checks() if item.name == check]

    found = examined.examine(output.workspace.with_files({file: text.replace(old, new)}))

    assert finding in {item.id for item in found}
