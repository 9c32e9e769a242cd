"""Facts that words alone carry go through all stages, and stand in no column of a package."""

from __future__ import annotations

import csv
import io
import json

import pytest

from sopforge.checks.package.package_solved import read_graded, run_agents
from sopforge.language.domain.tasks import Task
from sopforge.proof.dataset.sampling.rows import read_rows
from sopforge.workspace import COVERAGE, ROWS, SOP_TEXT
from tests.judges.told_reader import load_fields, read_texts
from tests.worlds.made_domains import MadeDomain, make_domain
from tests.worlds.shared_builds import Shared
from tests.worlds.small_models import DOMAINS

FACTS = ["symptom", "daily_use", "opened", "failed_on"]


@pytest.fixture(scope="module")
def output(shared: Shared) -> MadeDomain:
    return make_domain(shared, "mailbox")


def test_a_reader_of_the_words_finds_every_fact_of_every_task(output: MadeDomain) -> None:
    fields = load_fields((DOMAINS / "mailbox.yaml").read_text(encoding="utf-8"))
    model, tasks = output.workspace.model, output.workspace.tasks
    rows = {row.id: row.row for row in read_rows(model, output.workspace.files[ROWS])}
    for task in tasks:
        meant = {name: model.fields[name].format_cell(rows[task.id][name]) for name in FACTS}
        assert read_texts(fields, task.inputs) == meant
    told = {name: {read_texts(fields, task.inputs)[name] for task in tasks} for name in FACTS}
    assert told["symptom"] == {"Leak", "Noise", "No start"}
    assert told["opened"] == {"yes", "no", "not said"}


def test_each_task_has_its_texts_and_no_fact_of_its_own(output: MadeDomain) -> None:
    for task in output.workspace.tasks:
        assert [*task.inputs] == ["order_id", "mail", "note", "shop"]
        assert all(task.inputs[name] in task.text for name in ("mail", "note"))


@pytest.mark.parametrize("level", ["L0", "L3"])
def test_no_column_of_the_test_set_has_a_fact(output: MadeDomain, level: str) -> None:
    package = output.package(level)
    columns = csv.DictReader(io.StringIO(package["test_set_without_outputs.csv"])).fieldnames
    assert columns is not None
    assert not {*FACTS} & {*columns}
    assert {"mail", "note"} <= {*columns}


def test_the_reference_agent_reads_the_facts_of_a_package(output: MadeDomain) -> None:
    runs = {run.agent: run for run in run_agents(read_graded(output.package("L3")))}
    assert (runs["reference"].success, runs["reference"].gold_trajectories) == (1.0, 1.0)


def test_a_fact_misread_is_a_mistake_that_a_task_shows(output: MadeDomain) -> None:
    coverage = json.loads(output.workspace.files[COVERAGE])
    misread = {
        item["words"]: item["verdict"]
        for item in coverage["mutants"].values()
        if "'symptom'" in item["words"] or "'opened'" in item["words"]
    }
    assert misread["Leak read as Noise in 'symptom'"] == "primary"
    assert misread["missing read as yes in 'opened'"] == "primary"


def test_the_sop_says_where_each_fact_is_told(output: MadeDomain) -> None:
    text = output.workspace.files[SOP_TEXT]
    assert (
        "The mail from the customer states the symptom, the daily running time and whether the"
        " customer has opened the housing in words of its own: read them there. If it does not"
        ' state whether the customer has opened the housing, the opened housing is "not said".'
    ) in text
    assert "Stated in the words of the note of the call:" in text
    assert 'symptom: what is wrong with the pump; one of "Leak", "Noise", "No start".' in text


def test_words_depend_on_the_task_and_not_only_on_the_facts(output: MadeDomain) -> None:
    leaks = [task for task in output.workspace.tasks if _tells_leak(task)]
    orders = {task.inputs["mail"].startswith(("There", "Water")) for task in leaks}
    assert orders == {True, False}
    assert {task.inputs["mail"].count("Water drips") for task in leaks} == {0, 1}


def _tells_leak(task: Task) -> bool:
    return "puddle" in task.inputs["mail"] or "drips" in task.inputs["mail"]
