"""What a yes/no field is said to be in one clause, and descriptions that say a label again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sopforge.artifacts.rendering.sop.sections.fields import (
    is_label_repeated,
    phrase_answer_clauses,
)
from sopforge.language.domain.fields import Said
from tests.worlds.small_models import parcel

CARE = parcel().fields["care"]


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("the fee was paid in time", "the fee was not paid in time"),
        ("a party is on a list", "no party is on a list"),
        ("no fee is due", "a fee is due"),
        ("the fee has already been paid", "the fee has not been paid"),
    ],
)
def test_a_plain_denial_is_not_said_again(yes: str, no: str) -> None:
    assert phrase_answer_clauses(Said(yes, no)) == f'"yes" if {yes}, otherwise "no"'


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        ("the ticket is for first class", "the ticket is for standard class"),
        ("the ticket is valid", "the ticket is not transferable"),
        ("someone is ill", "nobody is ill"),
        ("there is no other lift", "there is another lift"),
        ("the fee was paid in time", "the fee was not paid"),
    ],
)
def test_a_denial_that_says_something_else_is_said(yes: str, no: str) -> None:
    assert phrase_answer_clauses(Said(yes, no)) == f'"yes" if {yes}, "no" if {no}'


@pytest.mark.parametrize(
    ("label", "description", "is_repeated"),
    [
        ("status of the claim", "final status of the claim", True),
        ("risk level", "risk level of the parcel", True),
        ("type of loss", "how the loss is settled", False),
        ("risk level", "risk level after the first check", False),
    ],
)
def test_a_description_is_left_out_only_if_it_says_the_label_again(
    label: str, description: str, *, is_repeated: bool
) -> None:
    item = replace(CARE, label=label, description=description)

    assert is_label_repeated(item, "parcel") is is_repeated
