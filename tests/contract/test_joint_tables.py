"""Tables that give several fields at once make a solved package; its answers are known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from sopforge.workspace import COVERAGE, EXPLANATIONS, SOP_TEXT, Workspace
from tests.worlds.made_domains import make_domain
from tests.worlds.shared_builds import Shared

COSTS = {
    ("Heating", "Harbour"): (60, 120),
    ("Heating", "Hill"): (80, 105),
    ("Water", "Harbour"): (40, 30),
    ("Water", "Hill"): (55, 30),
    ("Door", "Harbour"): (20, 50),
    ("Door", "Hill"): (35, 130),
}
SUPPLY = {"Heating": ("maker", 6), "Water": ("depot", 0), "Door": ("depot", 2)}


@pytest.fixture(scope="module")
def workspace(shared: Shared) -> Workspace:
    return make_domain(shared, "dispatch").workspace


def route(row: dict[str, Any]) -> tuple[str, str, str]:
    trouble, children = row["trouble"], row["children"] == "yes"
    urgent = row["urgent"] == "yes"
    if trouble == "Heating" and row["heating_age"] >= 20:
        return "fitters", "5", "no"
    if trouble == "Heating" or (urgent and children):
        return "fitters", "3" if urgent else "2", "no"
    if trouble == "Water":
        return "plumbers", "4", "yes"
    return "locksmiths", "not ranked", "yes"


def answer(row: dict[str, Any]) -> dict[str, str]:
    """Return what the brief's tables come to, as a person would look it up."""
    team, rank, note = route(row)
    large = team == "fitters" and row["district"] == "Hill"
    stock, days = SUPPLY[row["trouble"]]
    asked = sum(COSTS[row["trouble"], row["district"]]) > 180
    asked = asked or (stock == "maker" and days > 3 and row["urgent"] == "no")
    return {
        "team": team,
        "rank": rank,
        "visit_note": note,
        "crew": "pair" if team == "fitters" else "single",
        "van": "large van" if large else "small van",
        "lead_time": str(days),
        "consent": "asked for" if asked else "needless",
    }


def test_every_answer_is_that_of_the_tables_by_hand(workspace: Workspace) -> None:
    for task in workspace.tasks:
        seen = dict(task.calls[0].result)
        assert {**task.intermediates, **task.outcomes} == answer(seen)
        priced = task.calls[1].result
        costs = COSTS[str(seen["trouble"]), str(seen["district"])]
        assert (priced["call_out"], priced["parts_cost"]) == costs
        assert task.rules["team"] == task.rules["rank"] == task.rules["visit_note"]


def test_the_sop_states_each_table_once(workspace: Workspace) -> None:
    for text in (
        "Determine the team, the rank and whether a note is left at the door (visit_note). ",
        (
            '\n- If the kind of trouble is "Water", the team is "plumbers", the rank is 4 points'
            " and a note is left at the door.\n"
        ),
        'the team is "locksmiths", the rank is "not ranked" and a note is left at the door.\n',
        '\n| team | district | crew | van |\n| "fitters" | "Hill" | "pair" | "large van" |\n',
        '| kind of trouble | source of parts | lead time |\n| "Heating" | "maker" | 6 days |\n',
        "\n- Look up the call-out fee (call_out) and the cost of parts (parts_cost), by kind",
        '\n| "Heating" | "Hill" | 80 EUR | 105 EUR |\n',
    ):
        assert workspace.files[SOP_TEXT].count(text) == 1, text


def test_an_explanation_gives_the_reason_once_and_all_results(workspace: Workspace) -> None:
    lines = workspace.files[EXPLANATIONS]

    assert "so team: plumbers" in lines
    assert "and rank: 4" in lines
    assert lines.count("rule R3 applies") == lines.count("so team: plumbers")


def test_a_mistake_in_a_condition_is_one_and_in_a_result_one_for_each_field(
    workspace: Workspace,
) -> None:
    coverage = json.loads(workspace.files[COVERAGE])
    mutants = {name: item["words"] for name, item in coverage["mutants"].items()}
    conditions = [words for words in mutants.values() if words.endswith("rule R1, 19 for 20")]

    assert conditions == ["in 'routing', rule R1, 19 for 20"]
    assert "in 'routing', rule R2 dropped" in mutants.values()
    assert "in 'team', rule R1, result, plumbers for fitters" in mutants.values()
    assert "in 'rank', rule R1, result, 4 for 5" in mutants.values()
    assert "in 'supply', row Water taken for Heating" in mutants.values()
    assert "in 'stock', row Water taken for Heating" not in mutants.values()
    goals = coverage["goals"]
    assert {"rule team.R1", "rule rank.R1", "rule routing.R1, part 2 at -1"} <= set(goals)
    assert not {"rule team.R1, no", "rule rank.R1, no"} & set(goals)
    verdicts = {item["verdict"] for item in [*goals.values(), *coverage["mutants"].values()]}
    assert "undecided" not in verdicts
