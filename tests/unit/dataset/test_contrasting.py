"""What sets the two cases of a pair apart, of rows that are written by hand."""

from __future__ import annotations

import pytest

from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.pairs.contrasting import (
    Apart,
    FiledChange,
    compare_pair,
    explain_contrast,
    list_filed_changes,
    phrase_node,
)
from tests.worlds.counter_rows import account, counter, nobody, row

MODEL = counter()


def test_a_value_apart_is_shown_with_how_the_leaf_decides_on_both() -> None:
    found = compare_pair(MODEL, "reason.R4", row(amount=40_000), row(request_id="Q000002"))

    assert found.node == "rule R4 of the reason"
    assert found.apart == (Apart("amount", "400.00", "100.00"),)
    assert found.refused.startswith("the amount exceeds the balance of the paying account")
    assert found.carried_out.startswith("the amount is at most the balance of the paying account")
    assert "amount: 400.00" in found.refused
    assert "balance of the paying account: 300.00" in found.refused
    assert "amount: 100.00" in found.carried_out


def test_the_refused_case_stands_first_whichever_was_given_first() -> None:
    one, other = row(amount=40_000), row()
    assert compare_pair(MODEL, "reason.R4", one, other) == compare_pair(
        MODEL, "reason.R4", other, one
    )


def test_records_of_a_task_s_own_are_not_apart() -> None:
    """A neighbour has accounts under other numbers; what they hold is the same but for one."""
    own = row(**account("payee", "A000009", 5_000, blocked=1))
    found = compare_pair(MODEL, "reason.R2, part 2", own, row())
    assert found.apart == (Apart("blocked of the receiving account", "yes", "no"),)


def test_of_a_reference_that_leads_nowhere_the_reference_is_apart_and_not_what_it_lacks() -> None:
    found = compare_pair(MODEL, "getAccount.payee_record", row(**nobody("payee", "A000009")), row())
    assert found.node == "what getAccount checks by itself"
    assert found.apart == (Apart("receiving account", "A000009 (no record)", "A000002 (on file)"),)
    assert found.refused == "there is no record of the receiving account"
    assert found.carried_out == "there is a record of the receiving account"


def test_of_two_references_to_one_record_only_that_is_apart() -> None:
    same = row(**account("payee", "A000001", 30_000))
    found = compare_pair(MODEL, "reason.R1", same, row())
    assert found.apart == (
        Apart(
            "receiving account",
            "the same record as the paying account",
            "another record than the paying account",
        ),
    )


def test_the_check_of_a_range_says_which_value_would_leave_it() -> None:
    full = row(**account("payee", "A000002", 495_000))
    found = compare_pair(MODEL, "transferMoney.range of payee_balance", full, row())
    assert "is more than 5000 EUR" in found.refused
    assert "balance of the receiving account: 4950.00" in found.refused


def test_a_leaf_that_does_not_decide_on_the_case_is_not_put_in_words() -> None:
    found = compare_pair(MODEL, "reason.R9", row(amount=40_000), row())
    assert (found.refused, found.carried_out) == ("", "")
    assert found.apart == (Apart("amount", "400.00", "100.00"),)


@pytest.mark.parametrize("is_refused", [True, False])
def test_from_either_side_the_other_is_there(*, is_refused: bool) -> None:
    pair = row(amount=40_000), row()
    one, other = pair if is_refused else pair[::-1]
    lines = list(explain_contrast(MODEL, "reason.R4", one, other))
    here, there = ("400.00", "100.00") if is_refused else ("100.00", "400.00")
    assert f"  amount: here {here}, there {there}" in lines
    own, beside = ("refused", "carried out") if is_refused else ("carried out", "refused")
    assert [line.split(":")[0].strip() for line in lines] == [
        "decided by",
        "amount",
        f"{own} here",
        f"{beside} there",
    ]


def test_what_is_changed_on_file_is_listed_by_record() -> None:
    done = label_row(MODEL, row())
    assert list_filed_changes(MODEL, row(), done) == (
        FiledChange("account", "A000001", "balance", "300.00", "200.00"),
        FiledChange("account", "A000002", "balance", "50.00", "150.00"),
    )


@pytest.mark.parametrize(
    ("leaf", "words"),
    [
        ("reason.R2, part 1", "rule R2 of the reason"),
        ("decide.1", "edge 1 of the step 'Decide'"),
        ("transferMoney.T", "check T of transferMoney"),
        ("transferMoney.apart payer payee", "what transferMoney checks by itself"),
    ],
)
def test_a_leaf_is_named_by_what_it_is_of(leaf: str, words: str) -> None:
    assert phrase_node(MODEL, leaf) == words
