"""Gold calls that are needed: left out, some other case looks alike and ends otherwise.

The cases are drawn at the counter of docs/examples; what is said of them by hand follows from its
rules alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.language.logic.tool_calls import Refused
from sopforge.language.logic.walking import Walk
from sopforge.proof.dataset.gold.minimal import find_minimal_calls, is_decided
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.sampling import sample_rows

COUNTER = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
MODEL = read_brief(COUNTER, "counter.yaml").model
Row = Mapping[str, Value | None]


@cache
def drawn() -> Sequence[Row]:
    return sample_rows(MODEL, 11, range(200))


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


def test_all_calls_are_enough_and_writes_are_never_left_out() -> None:
    for row in drawn():
        walk = label_row(MODEL, row)
        kept = find_minimal_calls(MODEL, row, walk)
        writes = {
            place
            for place, call in enumerate(walk.calls)
            if MODEL.tools[call.tool].effects and not isinstance(call.result, Refused)
        }
        assert is_decided(MODEL, row, walk, range(len(walk.calls)))
        assert is_decided(MODEL, row, walk, kept)
        assert writes <= kept


def test_each_call_that_is_left_has_a_case_that_looks_alike_without_it_and_ends_otherwise() -> None:
    shown = 0
    for row in drawn()[:60]:
        walk = label_row(MODEL, row)
        kept = find_minimal_calls(MODEL, row, walk)
        for place in kept:
            if MODEL.tools[walk.calls[place].tool].effects:
                continue
            assert any(
                differs(walk, label_row(MODEL, other)) for other in list_alike(row, walk, place)
            ), (row, place)
            shown += 1
    assert shown > 60


def test_what_is_left_out_changes_nothing_in_cases_that_look_alike() -> None:
    tried = 0
    for row in drawn()[:60]:
        walk = label_row(MODEL, row)
        kept = find_minimal_calls(MODEL, row, walk)
        left_out = set(range(len(walk.calls))) - kept
        if len(left_out) == 1:
            for other in list_alike(row, walk, left_out.pop()):
                assert not differs(walk, label_row(MODEL, other))
                tried += 1
    assert tried > 500


def list_alike(row: Row, walk: Walk, place: int) -> Iterator[Row]:
    """Yield rows that differ in nothing but what one look-up returns."""
    call = walk.calls[place]
    read = MODEL.list_entities_read(MODEL.tools[call.tool])
    names = {*MODEL.tools[call.tool].returns, *(entity.name for entity in read)}
    names -= {entity.name for entity in MODEL.references if entity.name.startswith("payer")}
    for donor in drawn():
        other = {**row, **{name: donor[name] for name in names}}
        for name in names & set(MODEL.fields):
            # Another reference to the same record shows the same.
            for item, one, second in MODEL.list_aliases(name):
                if row[one.key] == row[second.key]:
                    other[item.name] = donor[name]
        if row["payer"] != row["payee"] and all(holds(t, other) for t in MODEL.row_conditions):
            yield other


def differs(one: Walk, other: Walk) -> bool:
    """Return whether two cases come to other answers, or write something else."""
    names = [item.name for item in MODEL.outcomes]
    return [one.known.get(name) for name in names] != [
        other.known.get(name) for name in names
    ] or list_writes(one) != list_writes(other)


def list_writes(walk: Walk) -> list[tuple[str, str]]:
    return [
        (call.tool, repr(call.arguments))
        for call in walk.calls
        if MODEL.tools[call.tool].effects and not isinstance(call.result, Refused)
    ]
