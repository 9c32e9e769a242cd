from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.shown import ShownTool
from tests.unit.layers.documents.books import TOOL

AGED = replace(
    TOOL,
    values={"sum": (1, 5, 9), "paid": (True, False), "fee": (Decimal("1.50"), Decimal("2.50"))},
)


def change(result: dict[str, object], parcel: str = "P1", seed: int = 1) -> dict[str, object]:
    changed = AGED.change_reply(Reply(result), {"parcel": parcel}, seed).result
    assert isinstance(changed, dict)
    return dict(changed)


@pytest.mark.parametrize("seed", range(8))
def test_each_result_with_other_values_has_one_of_them(seed: int) -> None:
    changed = change({"sum": 5, "paid": True, "fee": Decimal("1.50")}, seed=seed)

    assert changed["sum"] in {1, 9}
    assert changed["paid"] is False
    assert changed["fee"] == Decimal("2.50")


def test_a_result_without_known_values_stays() -> None:
    assert change({"name": "Ada", "sum": 5})["name"] == "Ada"


def test_other_values_differ_between_calls() -> None:
    assert {change({"sum": 5}, parcel=f"P{number}")["sum"] for number in range(20)} == {1, 9}


@pytest.mark.parametrize(
    ("is_other_first", "names"),
    [(True, ["getSumDesk", "getSumHub"]), (False, ["getSumHub", "getSumDesk"])],
    ids=["other first", "own first"],
)
def test_either_name_may_come_first_in_the_list(*, is_other_first: bool, names: list[str]) -> None:
    shown = replace(TOOL, is_other_first=is_other_first).show(ShownTool("getSum", "Adds.", {}))

    assert [tool.name for tool in shown] == names
