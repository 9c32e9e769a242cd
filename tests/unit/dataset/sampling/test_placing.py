"""Keys of rows that the solver makes: what is equal stays equal, what differs gets its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.records import read_records, write_records
from sopforge.proof.dataset.sampling.placing import Places
from sopforge.proof.dataset.sampling.sampling import sample_rows
from tests.worlds.small_models import changed

COUNTER = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
HOME = "        home: {role: observed, type: reference, to: account, description: an account}\n"
HOLDER = "        holder: {role: input, type: reference, to: customer, description: who asks}\n"
CIRCLE = (
    ("        standing: {role", f"{HOME}        standing: {{role"),
    ("        pin: {label", f"{HOLDER}        pin: {{label"),
    ("{customer: payer.owner}", "{customer: holder}"),
)


def counter(*changes: tuple[str, str]) -> DomainModel:
    return read_brief(changed(COUNTER, *changes), "counter.yaml").model


MODEL = counter()


def drawn(model: DomainModel = MODEL) -> dict[str, Value | None]:
    """Return a row with two accounts of two customers."""
    return next(
        row
        for row in sample_rows(model, 5, range(200))
        if row["payer_record"] and row["payee_record"] and row["payer_owner"] != row["payee_owner"]
    )


def place(
    row: dict[str, Value | None], like: dict[str, Value | None], model: DomainModel = MODEL
) -> dict[str, Value | None]:
    """Return a row with keys of its own; it is one that can stand beside the drawn one."""
    placed = Places(model, 5).with_own_records(row, like, "goal")
    assert all(holds(tie, placed) for tie in model.ties)
    beside = {**placed, model.key: "Q999999"}
    back = read_records(model, write_records(model, [like, beside]))
    assert {name: back["Q999999"][name] for name in beside} == beside
    assert {name: back[str(like[model.key])][name] for name in like} == like
    return placed


def as_number(value: Value | None) -> int:
    assert isinstance(value, int)
    return value


def differing(placed: dict[str, Value | None], like: dict[str, Value | None]) -> set[str]:
    return {name for name in placed if placed[name] != like[name]}


def test_a_changed_record_and_those_that_refer_to_it_have_keys_of_their_own() -> None:
    row = drawn()
    richer = {"payer_balance": as_number(row["payer_balance"]) + 1}
    other = {"payer_owner_standing": 1 - as_number(row["payer_owner_standing"])}

    found = [differing(place({**row, **change}, row), row) for change in ({}, richer, other)]

    assert found == [
        set(),
        {"payer", "payer_balance"},
        {"payer", "payer_owner", "payer_owner_standing"},
    ]


def test_references_to_one_record_keep_to_one() -> None:
    row = drawn()
    payer = {name: value for name, value in row.items() if name.startswith("payer")}
    both = {**row, **{name.replace("payer", "payee"): value for name, value in payer.items()}}

    # The very record that the payer's is, which was drawn: nothing is new.
    assert place(dict(both), row) == both
    placed = place({**both, "payer_balance": 123, "payee_balance": 123}, row)
    assert placed["payer"] == placed["payee"]
    assert placed["payer"] not in {row["payer"], row["payee"]}
    assert placed["payer_owner"] == placed["payee_owner"] == row["payer_owner"]


def test_two_accounts_of_one_changed_customer_refer_to_one() -> None:
    row = drawn()
    standing = 1 - as_number(row["payer_owner_standing"])
    shared = {
        "payee_owner": row["payer_owner"],
        "payer_owner_standing": standing,
        "payee_owner_standing": standing,
    }

    placed = place({**row, **shared}, row)

    assert placed["payer_owner"] == placed["payee_owner"] != row["payer_owner"]
    assert len({placed["payer"], placed["payee"], row["payer"], row["payee"]}) == 4


def test_records_that_were_swapped_were_drawn_both() -> None:
    row = drawn()
    swap = {"payer": "payee", "payee": "payer"}
    swapped = {
        name: row[swap[name[:5]] + name[5:]] if name[:5] in swap else value
        for name, value in row.items()
    }

    # The PIN that the case states is that of the paying account, by a constraint.
    assert differing(place(dict(swapped), row), swapped) == {"pin"}


def test_a_reference_that_leads_nowhere_now_has_a_key_that_no_record_has() -> None:
    row = drawn()

    placed = place({**row, "payee_record": None, "payee_owner_record": None}, row)

    assert placed["payee"] != row["payee"]
    assert placed["payee_balance"] is None
    assert placed["payee_owner_standing"] is None


@pytest.mark.parametrize("seed", range(5))
def test_drawn_rows_agree_in_what_tables_in_a_circle_refer_to(seed: int) -> None:
    """Accounts refer to customers, and these to accounts, of which a row has the keys alone."""
    model = counter(*CIRCLE)
    rows = sample_rows(model, seed, range(300))
    homes = {(row["payer_owner"], row["payer_owner_home"]) for row in rows if row["payer_record"]}
    homes |= {(row["payee_owner"], row["payee_owner_home"]) for row in rows if row["payee_record"]}
    homes |= {(row["holder"], row["holder_home"]) for row in rows}

    assert all(holds(tie, row) for row in rows for tie in model.ties)
    assert len(homes) == len({owner for owner, _ in homes}) == 40
    assert model.entities["holder_home_record"].table == "account"
    assert write_records(model, rows)


def test_a_new_key_is_new_wherever_it_stands_in_a_circle() -> None:
    model = counter(*CIRCLE)
    row = drawn(model)
    own = {**row, "payee_owner_home": row["payer"]}

    placed = place({**own, "payer_balance": 123}, row, model)

    assert placed["payee_owner_home"] == placed["payer"] != row["payer"]
    assert len({placed["payee_owner"], row["payee_owner"]}) == 2
    assert len({placed["payee"], row["payee"]}) == 2


def test_what_equals_a_missing_reference_is_drawn_by_itself() -> None:
    """A text of a record that exists would else stand where there is said to be none."""
    lacking = 'missing: "nobody at all", missing_share: 50, '
    payer, payee = "payer: {label: paying account, ", "payee: {label: receiving account, "
    same = ("share: 5}", "share: 50}")
    for change in ((payer, payer + lacking), (payee, payee + lacking)):
        model = counter(same, change)
        rows = sample_rows(model, 3, range(300))
        back = read_records(model, write_records(model, rows))

        for row in rows:
            found = back[str(row[model.key])]
            assert {name: row[name] for name in found} == found
            assert row["payee"] is not None or row["payee_record"] is None
        equal = sum(row["payer"] == row["payee"] for row in rows)
        assert equal > 40  # a quarter, for half of those that are there are the same
