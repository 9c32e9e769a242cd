"""Gold calls that are needed: left out, some other case looks alike and ends otherwise.

The cases are drawn at the counter of docs/examples; what is said of them by hand follows from its
rules alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.proof.dataset.gold.minimal import find_minimal_calls
from sopforge.proof.dataset.oracle import label_row

COUNTER = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
MODEL = read_brief(COUNTER, "counter.yaml").model
Row = Mapping[str, Value | None]


def make_row(**changed: Value | None) -> dict[str, Value | None]:
    """Return a transfer of 30.00 that is carried out, with some values changed."""
    row: dict[str, Value | None] = {
        "request_id": "Q000001",
        "payer": "A000001",
        "payee": "A000002",
        "pin": "K1111",
        "amount": 3000,
        **dict.fromkeys(("payer_record", "payee_record"), 1),
        **dict.fromkeys(("payer_owner_record", "payee_owner_record"), 1),
        "payer_owner": "C00001",
        "payee_owner": "C00002",
        **dict.fromkeys(("payer_owner_standing", "payee_owner_standing"), 0),
        "payer_balance": 100000,
        "payer_blocked": 0,
        "payer_code": "K1111",
        "payee_balance": 700,
        "payee_blocked": 0,
        "payee_code": "K2222",
    }
    return row | changed


def list_minimal(row: Row, model: DomainModel = MODEL) -> list[str]:
    walk = label_row(model, row)
    kept = find_minimal_calls(model, row, walk)
    return [call.tool for place, call in enumerate(walk.calls) if place in kept]


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        # Below the limit, nobody asks who holds the account.
        ({}, ["openSession", "getAccount[payer]", "getAccount[payee]", "transferMoney"]),
        (
            {"amount": 60000},
            ["openSession", "getAccount[payer]", "getAccount[payee]", "getOwner", "transferMoney"],
        ),
        # One blocked account is enough; that the other one is there has to be seen all the same.
        ({"payer_blocked": 1}, ["openSession", "getAccount[payer]", "getAccount[payee]"]),
        ({"payee_blocked": 1}, ["openSession", "getAccount[payee]"]),
        ({"payee_record": None}, ["openSession", "getAccount[payee]"]),
        # Too much for the receiving account: the same reason, whether or not it is tried.
        (
            {"amount": 60000, "payer_owner_standing": 1, "payee_balance": 499999},
            ["openSession", "getAccount[payer]", "getAccount[payee]"],
        ),
        ({"payer_record": None}, ["openSession"]),
        # The money is not there, however the holder stands.
        (
            {"amount": 60000, "payer_balance": 100},
            ["openSession", "getAccount[payer]", "getAccount[payee]"],
        ),
    ],
)
def test_what_is_left_follows_from_the_rules(
    changed: dict[str, Value | None], wanted: list[str]
) -> None:
    assert list_minimal(make_row(**changed)) == wanted


def test_an_account_that_is_known_under_another_reference_is_not_looked_up_again() -> None:
    same = {
        f"payee{name}": make_row()[f"payer{name}"]
        for name in ("", "_owner", "_owner_standing", "_balance", "_blocked", "_code")
    }

    assert list_minimal(make_row(**same)) == ["openSession"]
