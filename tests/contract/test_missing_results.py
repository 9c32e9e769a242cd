"""Rules that may give no value make a solved package, whose answers are known by hand."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from sopforge.workspace import COVERAGE, SOP_TEXT, TOOLS, Workspace
from tests.worlds.made_domains import make_domain
from tests.worlds.shared_builds import Shared

GRACE = {"Book": 5, "Film": 1, "Game": None}
SHELVES = {"Book": "open stacks", "Film": "film room", "Game": "stays at the desk"}


@pytest.fixture(scope="module")
def workspace(shared: Shared) -> Workspace:
    return make_domain(shared, "lending").workspace


def raw_fee(row: dict[str, Any]) -> Decimal | None:
    grace = GRACE[row["item_kind"]]
    if grace is None or row["waived"] == "yes":
        return None
    return max(int(row["days_late"]) - grace, 0) * Decimal("0.50")


def answer(row: dict[str, Any]) -> dict[str, str]:
    """Return what the brief's rules come to, as a person would work it out."""
    raw = raw_fee(row)
    fee = None if raw is None or raw < Decimal("0.50") else raw
    if fee is not None and row["student"] == "yes" and fee > 2:
        fee = fee / 2  # whole halves of whole halves: a quarter at most, and nothing is rounded
    sent = fee is not None and fee > Decimal(str(row["deposit"]))
    ending = "billed" if fee is not None and (fee > 6 or sent) else "closed"
    if fee is None and row["item_kind"] == "Game":
        ending = "handed over"
    return {
        "fee": "not charged" if fee is None else f"{fee:.2f}",
        "shelf": SHELVES[row["item_kind"]],
        "reminder": "undecided" if fee is None else "yes" if sent else "no",
        "ending": ending,
    }


def test_every_answer_is_that_of_the_rules_by_hand(workspace: Workspace) -> None:
    found = set()
    for task in workspace.tasks:
        seen: dict[str, Any] = dict(task.inputs)
        for call in task.calls:
            seen |= call.result
        expected = answer(seen)
        assert {**task.intermediates, **task.outcomes} == expected
        price = next(call for call in task.calls if call.tool == "computeFee")
        raw = raw_fee(seen)
        assert price.result["raw_fee"] == ("nothing due" if raw is None else float(raw))
        found |= {expected["fee"] == "not charged", expected["shelf"]}
    assert found == {True, False, *SHELVES.values()}


def test_the_sop_says_where_there_is_no_value(workspace: Workspace) -> None:
    for text in (
        '- "not charged" if the fee by the clock is "nothing due" or the fee by the clock is less',
        '| "Game" | "no grace" |\n',
        'if the period of grace has been set and the waiver is "no", otherwise "nothing due".\n',
        '- If the fee is "not charged", the need of a reminder is "undecided".\n',
        ', in EUR; a number with 2 decimal places, or "not charged".\n',
        '| a number with 2 decimal places, in EUR; "not charged" if it has no value | step 6.2 |',
        '| "stays at the desk" | step 6.2 |',
    ):
        assert text in workspace.files[SOP_TEXT], text


def test_the_tools_hold_no_value_as_none(workspace: Workspace) -> None:
    assert "if grace is not None and (not waived) else None" in workspace.files[TOOLS]


def test_rules_that_give_no_value_are_shown_and_mistakes_about_them_noticed(
    workspace: Workspace,
) -> None:
    coverage = json.loads(workspace.files[COVERAGE])
    shown = {"primary", "outcomes"}

    assert coverage["goals"]["rule fee.F1"]["verdict"] in shown
    assert coverage["goals"]["rule shelf.S3"]["verdict"] in shown
    verdicts = {item["words"]: item["verdict"] for item in coverage["mutants"].values()}
    assert "undecided" not in verdicts.values()
    for words in (
        "in 'fee', rule F1, result, 15.00 for no value",
        "in 'fee', rule F4, result, no value",
        "in 'shelf', rule S3, result, repairs for no value",
        "in 'grace', 0 for no value",
        "missing read as 0.00 in 'fee'",
    ):
        assert verdicts[words] in shown, words
