"""References as they are drawn: to records that there are, and the same as others in a share."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.dataset.records import write_records
from sopforge.dataset.sampling.sampling import sample_rows
from sopforge.domain.model import DomainModel
from sopforge.domain.reading import read_brief
from sopforge.domain.values.types import Value
from tests.worlds.small_models import changed

COUNTER = (Path(__file__).parents[4] / "docs/examples/small_counter.yaml").read_text("utf-8")
BALANCE = "        balance: {role"
STANDING = "        standing: {role"
PAYER = "        payer: {label: paying account, role: input, type: reference, to: account, "
SHARE = 30
ROWS = 1500
Row = dict[str, Value | None]


def draw(*changes: tuple[str, str]) -> tuple[DomainModel, list[Row]]:
    model = read_brief(changed(COUNTER, *changes), "counter.yaml").model
    return model, sample_rows(model, 3, range(ROWS))


AGENT = (
    f"        agent: {{role: observed, type: reference, to: customer, description: who acts,"
    f" same_as: {{of: owner, share: {SHARE}}}}}\n"
)


@pytest.mark.parametrize(
    "returned", ["", "account.agent, "], ids=["read by nobody", "returned by a tool"]
)
def test_a_column_is_the_same_as_another_in_a_share_of_the_records(returned: str) -> None:
    returns = ("returns: [account.balance", f"returns: [{returned}account.balance")
    model, rows = draw((BALANCE, f"{AGENT}{BALANCE}"), returns)
    paying = [row for row in rows if row["payer_record"]]
    agents = {row["payer"]: (row["payer_owner"], row["payer_agent"]) for row in paying}
    same = sum(owner == agent for owner, agent in agents.values())

    assert write_records(model, rows)  # which refuses two contents of one record
    assert 0.15 * len(agents) < same < 0.5 * len(agents)
    for row in rows:
        if row["payee_record"]:
            assert agents[row["payee"]] == (row["payee_owner"], row["payee_agent"])


def test_a_reference_is_the_same_as_one_that_nothing_reads() -> None:
    usual = (
        f"{PAYER.replace('payer', 'usual').replace('paying', 'usual')}description: usual one}}\n"
    )
    usual = usual.replace("role: input", "role: distractor")
    _, rows = draw((PAYER, f"{usual}{PAYER}same_as: {{of: usual, share: 90}}, "))
    same = sum(row["usual"] == row["payer"] for row in rows)

    assert 0.85 * ROWS < same < 0.95 * ROWS


def test_keys_that_no_path_goes_on_from_are_those_of_records() -> None:
    home = "home: {role: observed, type: reference, to: account, description: first account}"
    _, rows = draw((STANDING, f"        {home}\n{STANDING}"))
    accounts = {row["payer"] for row in rows if row["payer_record"]}
    homes = {row["payer_owner_home"] for row in rows if row["payer_owner_record"]}

    assert len(accounts) == 60, "all records of the table are drawn among so many rows"
    assert homes
    assert homes <= accounts


def test_rows_hold_no_reference_that_was_dropped() -> None:
    model, rows = draw()
    stored = {item.name for item in model.fields.values()} | set(model.entities)

    assert set(rows[0]) <= stored
