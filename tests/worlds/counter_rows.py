"""Requests at a bank counter, written by hand: rows of the small example of tables."""

from __future__ import annotations

from pathlib import Path

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import Value
from tests.worlds.changed_briefs import model_of

COUNTER = (Path(__file__).parents[2] / "docs/examples/small_counter.yaml").read_text("utf-8")
Row = dict[str, Value | None]
GUARDED = (
    "requires: {id: T, is: logged_in, refusal: no_session, says: nobody is logged in}",
    (
        "requires: {id: T, chain: ["
        "{id: T1, is: logged_in, refusal: no_session, says: nobody is logged in}, "
        "{id: T2, any: [{id: T3, is: amount <= 900.00}, {id: T4, is: target.balance < 100.00}], "
        "refusal: too_high, says: the amount is too high}]}"
    ),
)
"""A guard with alternatives; ``NAMED`` says where the case goes that it refuses."""
NAMED = ("refused: {out_of_range: full}", "refused: {out_of_range: full, too_high: full}")


def counter(*changes: tuple[str, str]) -> DomainModel:
    return model_of(COUNTER, *changes)


def row(**changes: Value | None) -> Row:
    """Return a request to move 100 EUR from A000001, who has 300, to A000002, who has 50."""
    found: Row = {"request_id": "Q000001", "pin": "K0001", "amount": 10_000}
    found |= account("payer", "A000001", 30_000) | account("payee", "A000002", 5_000)
    return found | changes


def account(name: str, key: str, balance: int, **changes: Value | None) -> Row:
    return {
        name: key,
        f"{name}_record": 1,
        f"{name}_owner": "C00001",
        f"{name}_balance": balance,
        f"{name}_blocked": 0,
        f"{name}_code": "K0001",
        f"{name}_owner_record": 1,
        f"{name}_owner_standing": 0,
        **{f"{name}_{part}": value for part, value in changes.items()},
    }


def nobody(name: str, key: str) -> Row:
    return {**dict.fromkeys(account(name, key, 0)), name: key}
