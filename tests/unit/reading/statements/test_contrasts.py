"""Texts of the same words that say something else: of others, elsewhere, earlier, or denied."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.brief_prose import is_same_prose
from sopforge.reading.statements.contrasts import is_said_of_others

OTHERS = {
    "doer in the passive": (
        "The clerk is supervised by the manager.",
        "The manager is supervised by the clerk.",
    ),
    "doers of two things": (
        "The report is checked by the nurse before it is signed by the doctor.",
        "The report is checked by the doctor before it is signed by the nurse.",
    ),
    "doer in the active": (
        "The nurse helps the patient in the morning.",
        "In the morning the patient helps the nurse.",
    ),
    "who calls whom": (
        "The visitor may learn that you will call them.",
        "The visitor may learn that they will call you.",
    ),
    "from and to": (
        "Move the boxes from the attic to the cellar.",
        "Move the boxes from the cellar to the attic.",
    ),
    "who is introduced": ("Introduce the guest to the host.", "Introduce the host to the guest."),
    "place": ("Put the cup on the plate.", "Put the plate on the cup."),
    "order of two deeds": (
        "Pay the driver before you sign the receipt.",
        "Before you pay the driver, sign the receipt.",
    ),
    "only": ("Only the manager opens the safe.", "The manager opens only the safe."),
    "denied thing": (
        "Clean the hall, but do not clean the kitchen.",
        "Do not clean the hall, but clean the kitchen.",
    ),
    "condition": ("Call the owner.", "Call the owner if possible."),
    "permission": ("You must lock the door.", "You can lock the door."),
    "no duty": ("Do not lock the door.", "You do not have to lock the door."),
    "owner": ("Bring your badge to the gate.", "Bring their badge to the gate."),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_same_words_of_others_are_found(name: str) -> None:
    known, text = OTHERS[name]

    assert is_said_of_others(text, known)
    assert is_said_of_others(known, text)
    assert not is_same_prose(text, known)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("The manager supervises the clerk.", "The clerk is supervised by the manager."),
        ("Before each round, rinse the glass.", "Rinse the glass before each round."),
        (
            "Move the boxes from the attic to the cellar.",
            "From the attic, move the boxes to the cellar.",
        ),
        ("Give the guest the key.", "Hand the key to the guest."),
        ("Open crates only in the aired bay.", "Crates must be opened only in the aired bay."),
        ("Wear goggles wherever acid is poured.", "Whenever acid is poured, wear goggles."),
        ("You may call the owner.", "The owner can be called."),
    ],
)
def test_another_construction_is_of_the_same(known: str, text: str) -> None:
    assert not is_said_of_others(text, known)


SCOPES = {
    "not every": ("It does not cover every loan.", "Every loan is outside its scope."),
    "except by": (
        "Give the key only to the guard.",
        "No one may be given the key except by the guard.",
    ),
    "two denied": (
        "Leave the case open and destroy the letter.",
        "Do not close the case and destroy the letter.",
    ),
    "not said": (
        "Base your judgement on what the guest did, not on what they say.",
        "Base your judgement on what the guest did not say.",
    ),
    "how many": ("Check how many of the doors are locked.", "Check that the doors are locked."),
}


@pytest.mark.parametrize("name", SCOPES)
def test_a_construction_takes_in_no_further_clause(name: str) -> None:
    known, text = SCOPES[name]

    assert not is_same_prose(text, known)
