"""What a yes/no field is said to be in one clause, and descriptions that say a label again."""

from __future__ import annotations

from dataclasses import replace

from sopforge.artifacts.rendering.sop.sections.fields import (
    is_label_repeated,
    phrase_answer_clauses,
)
from sopforge.language.domain.fields import Said
from tests.worlds.small_models import parcel

CARE = parcel().fields["care"]


DENIED = [
    ("the fee was paid in time", "the fee was not paid in time"),
    ("a party is on a list", "no party is on a list"),
    ("no fee is due", "a fee is due"),
    ("the fee has already been paid", "the fee has not been paid"),
]
OTHER = [
    ("the ticket is for first class", "the ticket is for standard class"),
    ("the ticket is valid", "the ticket is not transferable"),
    ("someone is ill", "nobody is ill"),
    ("there is no other lift", "there is another lift"),
    ("the fee was paid in time", "the fee was not paid"),
]
REPEATED = {
    ("status of the claim", "final status of the claim"): True,
    ("risk level", "risk level of the parcel"): True,
    ("type of loss", "how the loss is settled"): False,
    ("risk level", "risk level after the first check"): False,
}


def test_a_plain_denial_is_not_said_again_and_any_other_answer_is() -> None:
    said = [phrase_answer_clauses(Said(*pair)) for pair in (*DENIED, *OTHER)]

    assert said == [
        *(f'"yes" if {yes}, otherwise "no"' for yes, _ in DENIED),
        *(f'"yes" if {yes}, "no" if {no}' for yes, no in OTHER),
    ]


def test_a_description_is_left_out_only_if_it_says_the_label_again() -> None:
    found = {
        (label, said): is_label_repeated(replace(CARE, label=label, description=said), "parcel")
        for label, said in REPEATED
    }

    assert found == REPEATED
