"""A domain that asks about sets, works them out and answers them is solved from its package."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from sopforge.language.domain.tasks import Task
from sopforge.workspace import COVERAGE, RECORDS, SOP_TEXT, Workspace
from tests.worlds.made_domains import make_domain
from tests.worlds.shared_builds import Shared

Answer = dict[str, Any]


@pytest.fixture(scope="module")
def workspace(shared: Shared) -> Workspace:
    return make_domain(shared, "kits").workspace


def members(cell: str, empty: str) -> set[str]:
    return set() if cell == empty else set(cell.split("; "))


def test_answers_are_what_the_brief_says(workspace: Workspace) -> None:
    """By Python's own sets, from the records."""
    rows = csv.DictReader(io.StringIO(workspace.files[RECORDS]))
    records = {row["order_id"]: row for row in rows}
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
    workspace: Workspace,
) -> None:
    found = json.loads(workspace.files[COVERAGE])["mutants"]
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


def test_the_text_says_what_is_put_together(workspace: Workspace) -> None:
    text = workspace.files[SOP_TEXT]

    for sentence in (
        "Determine the papers. List all that apply:",
        '- "bill" if the needed tools include "Press fit" and the sent parts include both "Pump"',
        'the lacking parts together with the entry "Valve" in all other cases.',
        "The lacking parts are the wanted parts that are not among the parts in stock.",
        'the papers as the entry "label sheet"',
    ):
        assert sentence in text, sentence
