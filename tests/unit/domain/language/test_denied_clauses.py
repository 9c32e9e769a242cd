"""The opposite of a clause, by what it says of its subject."""

from __future__ import annotations

import pytest

from sopforge.language.domain.expressions.denied_clauses import negate_clause


@pytest.mark.parametrize(
    ("clause", "opposite"),
    [
        ("the donor is past the age limit", "the donor is not past the age limit"),
        ("the seal is not intact", "the seal is intact"),
        ("the berth is already taken", "the berth is not yet taken"),
        ("the block has been changed too often", "the block has not been changed too often"),
        ("the tool has run too long", "the tool has not run too long"),
        ("the holder has withdrawn the notice", "the holder has not withdrawn the notice"),
        ("the customer has an open claim", "the customer does not have an open claim"),
        ("the customer has open claims", "the customer does not have open claims"),
        ("the insurance covers all of the works", "the insurance does not cover all of the works"),
        ("the works fall into the embargo", "the works do not fall into the embargo"),
        ("the address differs from the order", "the address does not differ from the order"),
        ("the policy still covers the trip", "the policy no longer covers the trip"),
        ("the holder already owns two permits", "the holder does not yet own two permits"),
        ("a deposit is due", "no deposit is due"),
        ("no deposit is due", "a deposit is due"),
        ("a clerk may not settle the charge", "a clerk may settle the charge"),
        ("the donor can give", "the donor cannot give"),
    ],
)
def test_it_denies_the_verb(clause: str, opposite: str) -> None:
    assert negate_clause(clause) == opposite


@pytest.mark.parametrize(
    "clause",
    [
        "bed free",
        "renewals without end",
        "the total costs of the trip",
        "customers with high risk",
        "the loss covered by the policy",
        "the case must be signed",
        "the lot that was held over is damp",
        "no clerk may not settle the charge",
        "the donor is never turned away",
    ],
)
def test_of_what_is_no_plain_statement_there_is_none(clause: str) -> None:
    assert negate_clause(clause) == ""
