"""References as they are drawn: to records that there are, and the same as others in a share."""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.language.domain.expressions.expressions import Compare, Read, Relation
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.readings.scalar import holds
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.solving.search.searched_rows import SearchedRows
from sopforge.proof.solving.search.witnesses import find_witness
from sopforge.proof.solving.unfolding import unfold
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


def test_a_reference_that_always_leads_to_a_record_is_not_the_same_as_one_that_does_not() -> None:
    shares = "dangling_share: 8, same_as: {of: payer, share: 5}"
    refused = "        refused: {unknown_record: unknown}\n        edges: [{to: read_owner}]"
    _, rows = draw(
        (shares, "same_as: {of: payer, share: 90}"),
        (refused, "        edges: [{to: read_owner}]"),
    )
    same = [row["payee"] == row["payer"] for row in rows if row["payer_record"]]

    assert len(same) < ROWS
    assert 0.85 * len(same) < sum(same) < 0.95 * len(same)
    assert all(row["payee_record"] for row in rows)


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


COLUMNS = {
    "set": "uses: {role: observed, type: set, values: [Pay, Save], empty: no use}",
    "list": "fines: {role: observed, type: list, size: 3, empty: no fines,"
    " items: {fee: {type: integer, min: 1, max: 9, description: what it costs}}}",
    "text that follows": "name: {role: distractor, type: string, like: person name}\n"
    "mail: {role: distractor, type: string, like: email, of: name}",
    "equal text": "word: {role: distractor, type: string, pattern: 'K[0-9]{3}'}\n"
    "again: {role: distractor, type: string, pattern: 'K[0-9]{3}',"
    " same_as: {of: word, share: 50}}",
    "missing": "since: {role: observed, type: date, min: 2020-01-01, max: 2026-01-01,"
    " missing: never, missing_share: 40}",
    "near": "low: {role: observed, type: integer, min: 0, max: 50}\n"
    "high: {role: observed, type: integer, min: 0, max: 99,"
    " near: {of: low, from: 0, to: 9},"
    " given: [{when: low > 40, typical: {min: 40, max: 60, share: 90}}]}",
}


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
def test_a_record_is_the_same_whichever_reference_leads_to_it(columns: str) -> None:
    lines = columns.splitlines()
    written = "".join(f"        {line[:-1]}, description: a thing}}\n" for line in lines)
    names = ", ".join(f"account.{line.partition(':')[0]}" for line in lines if "observed" in line)
    returns = ("returns: [account.balance", f"returns: [{names}{', ' * bool(names)}account.balance")
    model, rows = draw((BALANCE, f"{written}{BALANCE}"), returns)
    both = [row for row in rows if row["payer_record"] and row["payee_record"]]

    assert {row["payer"] for row in both} & {row["payee"] for row in both}
    assert write_records(model, rows)  # which refuses two contents of one record
    assert all(holds(tie, row) for row in rows for tie in model.ties)
    # The solver reads the same: it finds a case of two references that are one record.
    same = Compare(Relation.EQ, read(model, "payer"), read(model, "payee"))
    found = find_witness(model, same, both[0])
    assert isinstance(found, dict)
    assert found["payer"] == found["payee"]
    assert all(holds(tie, found) for tie in model.ties)
    # So does the search for rows, which changes all that the ties are about.
    assert SearchedRows(model, unfold(model)).meet([same])


def read(model: DomainModel, name: str) -> Read:
    return Read(model.fields[name].type, name)
