"""Actions on records that several references lead to: what changes, and for whom.

An account has 5 and another one 2; the third reference of the case is one of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.values.types import Value
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.tasks.writing import describe_end_state, make_gold_call
from sopforge.proof.solving.questions import find_changeable_fields

TEXT = (Path(__file__).parents[2] / "domains" / "transfers.yaml").read_text("utf-8")
MODEL = read_domain(TEXT, "transfers.yaml")
POOR, EVEN, RICH = range(3)


def row(
    payer: str, payee: str, agent: str, amount: int = 3, **changes: Value | None
) -> dict[str, Value | None]:
    """Return the row of a case; account A1 has 5, A2 has 2, and there is no A9."""
    held = {"A1": 5, "A2": 2, "A3": 4}
    found: dict[str, Value | None] = {"request_id": "Q01", "amount": amount}
    for name, key in (("payer", payer), ("payee", payee), ("agent", agent)):
        found |= {name: key, f"{name}_record": 1 if key in held else None}
        found[f"{name}_held"] = held.get(key)
    return {**found, **changes}


@pytest.mark.parametrize(
    ("accounts", "verdict", "end"),
    [
        # The agent reads its own account after 3 were moved from payer to payee.
        (("A1", "A2", "A3"), EVEN, {"A1": {"held": 2}, "A2": {"held": 5}}),
        (("A1", "A2", "A1"), POOR, {"A1": {"held": 2}, "A2": {"held": 5}}),
        (("A1", "A2", "A2"), RICH, {"A1": {"held": 2}, "A2": {"held": 5}}),
        (("A1", "A3", "A3"), RICH, {"A1": {"held": 2}, "A3": {"held": 7}}),
    ],
)
def test_what_reads_a_changed_record_by_another_reference_sees_the_change(
    accounts: tuple[str, str, str], verdict: int, end: dict[str, dict[str, int]]
) -> None:
    done = label_row(MODEL, row(*accounts))

    assert done.path[-1] == "close"
    assert collect_outcomes(MODEL, done) == {"verdict": verdict}
    assert describe_end_state(MODEL, row(*accounts), done) == {"account": end}


@pytest.mark.parametrize(
    ("accounts", "amount", "code"),
    [
        (("A1", "A1", "A2"), 3, "same_record"),
        (("A2", "A1", "A1"), 3, "out_of_range"),
        (("A1", "A3", "A2"), 6, "out_of_range"),
        (("A1", "A9", "A2"), 3, "unknown_record"),
        (("A9", "A9", "A2"), 3, "unknown_record"),
    ],
)
def test_what_is_refused_changes_nothing(
    accounts: tuple[str, str, str], amount: int, code: str
) -> None:
    case = row(*accounts, amount)
    done = label_row(MODEL, case)

    assert done.path[-1] == "refuse"
    assert make_gold_call(MODEL, done.calls[-1]).refusal == code
    assert describe_end_state(MODEL, case, done) == {}


def test_all_columns_that_an_action_may_change_are_changeable() -> None:
    assert find_changeable_fields(MODEL) == {"payer_held", "payee_held", "agent_held", "verdict"}


def test_rows_that_say_different_things_of_a_record_are_not_written() -> None:
    other = {**row("A2", "A3", "A3"), "request_id": "Q02", "payer_held": 3}

    with pytest.raises(ValueError, match="two rows differ in the record A2"):
        write_records(MODEL, [row("A1", "A2", "A1"), other])


def test_a_row_cannot_say_two_things_of_one_record() -> None:
    with pytest.raises(ValueError, match="two rows differ in the record A1"):
        write_records(MODEL, [row("A1", "A2", "A1", agent_held=3)])
