"""A domain that asks about sets, works them out and answers them is solved from its package."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from sopforge.checks.package.package_solved import read_graded, run_agents
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.language.domain.tasks import Task
from sopforge.pipeline.releases.publishing import publish
from sopforge.pipeline.stages.pipeline import (
    Ending,
    advance,
    build_workspace,
    list_approved_versions,
)
from sopforge.store.opening import open_store
from sopforge.workspace import COVERAGE, SOP_TEXT, Workspace
from tests.worlds.packages import package_texts

KITS = (Path(__file__).parents[1] / "domains" / "kits.yaml").read_text(encoding="utf-8")
Answer = dict[str, Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, dict[str, str]]:
    """Return what the stages made, and the files of the package."""
    store = open_store(tmp_path_factory.mktemp("store"))
    brief: Brief = read_brief(KITS, "kits.yaml")
    assert advance(store, brief, approve_clean=True).ending is Ending.APPROVED
    published = publish(store, brief)
    workspace = build_workspace(brief, list_approved_versions(store, brief))
    return workspace, package_texts(Path(published.packages["L0"]))


def members(cell: str, empty: str) -> set[str]:
    return set() if cell == empty else set(cell.split("; "))


def test_the_reference_agent_alone_solves_it(made: tuple[Workspace, dict[str, str]]) -> None:
    runs = {run.agent: run.success for run in run_agents(read_graded(made[1]))}

    assert runs.pop("reference") == 1.0
    assert set(runs.values()) == {0.0}


def test_answers_are_what_the_brief_says(made: tuple[Workspace, dict[str, str]]) -> None:
    """By Python's own sets, from the records that the package has."""
    workspace, files = made
    records = {row["order_id"]: row for row in csv.DictReader(io.StringIO(files["records.csv"]))}
    found = {label for task in workspace.tasks for label in task.outcomes["papers"].split("; ")}

    for task in workspace.tasks:
        assert answers(task) == expected(records[str(task.inputs["order_id"])], task)
    assert found == {"label sheet", "test report", "bill", "no paper"}


def answers(task: Task) -> Answer:
    return {
        "settlement": task.outcomes["settlement"],
        "bought": None
        if task.outcomes["bought"] == "not asked"
        else members(task.outcomes["bought"], "nothing bought"),
        "papers": members(task.outcomes["papers"], "no paper"),
    }


def expected(row: dict[str, str], task: Task) -> Answer:
    wanted, stock = members(row["wanted"], "no part"), members(row["in_stock"], "nothing in stock")
    is_press = task.inputs["machine"] == "Press"
    if not wanted & stock:
        return {"settlement": "declined", "bought": None, "papers": {"label sheet"}}
    sent = (wanted | {"Hose"}) & stock if is_press else wanted & stock
    lacking, papers = wanted - stock, set[str]()
    if sent <= {"Pump", "Hose"}:
        papers |= {"label sheet"}
    sealed = members(row["sealed"], "no sealed part")
    if row["sealed"] != "not checked" and not sent <= sealed:
        papers |= {"test report", "label sheet"}
    if is_press and {"Pump", "Hose"} <= sent:
        papers |= {"bill"}
    bought = set() if row["defect"] not in wanted else lacking
    if row["defect"] in wanted - stock:
        bought = lacking | {"Valve"}
    kept = members(row["reserved"], "nothing reserved") | sent
    settlement = "sent" if wanted <= kept else "split"
    return {"settlement": settlement, "bought": bought, "papers": papers}


def test_every_mistake_about_sets_that_can_show_is_shown(
    made: tuple[Workspace, dict[str, str]],
) -> None:
    found = json.loads(made[0].files[COVERAGE])["mutants"]
    verdicts = {item["words"]: item["verdict"] for item in found.values()}

    assert "undecided" not in verdicts.values()
    for words in (
        "in 'bought', rule B1, Pump taken for a member",
        "in 'bought', rule B2, Hose taken for no member",
        "in 'papers', rule P2, Valve overlooked",
        "in 'papers', rule P1, Hose left out",
        "in 'lacking', & for -",
        "in 'sent', & for |",
    ):
        assert verdicts[words] in {"primary", "outcomes"}, words


def test_the_text_says_what_is_put_together(made: tuple[Workspace, dict[str, str]]) -> None:
    text = made[0].files[SOP_TEXT]

    for sentence in (
        "Determine the papers. List all that apply:",
        '- "bill" if the needed tools include "Press fit" and the sent parts include both "Pump"',
        'the lacking parts together with the entry "Valve" in all other cases.',
        "The lacking parts are the wanted parts that are not among the parts in stock.",
        'the papers as the entry "label sheet"',
    ):
        assert sentence in text, sentence
