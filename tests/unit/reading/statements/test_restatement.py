"""Sentences in another construction, and others of the same words that say something else."""

from __future__ import annotations

import pytest

from sopforge.reading.statements.restatement import is_reordered, is_restated

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
    "number": ("claims made in the last six months", "claims in the last twelve months"),
    "unit of time": ("claims made in the last twelve weeks", "claims in the last twelve months"),
    "direction of time": ("claims of the next twelve months", "claims of the last twelve months"),
    "lowest": ("lowest bid for the car", "highest bid for the car"),
    "denial": ("amount not due to the passenger", "amount that is due to the passenger"),
    "half": ("price of half the ticket", "price of the whole ticket"),
    "who is asked": (
        "Ask the tenant for the meter number.",
        "Ask the owner for the meter number.",
    ),
    "what is closed first": (
        "Close the case, then notify the owner.",
        "Notify the owner. Close the case.",
    ),
    "what is released": (
        "The packages stowed by the clerk are released by the team.",
        "The team stows the packages that the clerk releases.",
    ),
    "which key": (
        "The key that is kept by the host is locked.",
        "The host keeps the key that is locked.",
    ),
    "which form": (
        "The form that must be signed is kept.",
        "Sign the form that is kept.",
    ),
    "if for when": (
        "Ask the guest when the boat leaves.",
        "Ask the guest if the boat leaves.",
    ),
    "sort for type": ("Sort the letters.", "Type the letters."),
    "owner": ("Bring your badge to the gate.", "Bring their badge to the gate."),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_same_words_of_others_are_found(name: str) -> None:
    known, text = OTHERS[name]

    assert not is_restated(text, known)
    assert not is_restated(known, text)


@pytest.mark.parametrize(
    ("known", "text"),
    [
        ("The manager supervises the clerk.", "The clerk is supervised by the manager."),
        ("Before each round, rinse the glass.", "Rinse the glass before each round."),
        ("Give the guest the key.", "Hand the key to the guest."),
        ("Open crates in the aired bay.", "Crates must be opened in the aired bay."),
        ("Change locks only with the key.", "Locks may be changed only with the key."),
        ("claims in the last twelve months", "claims made in the past twelve months"),
        ("date on which the blood was drawn", "day on which the blood was drawn"),
        ("Send the client the invoice.", "Send the invoice to the client."),
        ("Give the guest the number of the car.", "Provide the guest with the number of the car."),
        ("the sum that the shop pays to the bank", "the sum paid by the shop to the bank"),
        ("Wear goggles wherever acid is poured.", "Whenever acid is poured, wear goggles."),
    ],
)
def test_another_construction_is_of_the_same(known: str, text: str) -> None:
    assert is_restated(text, known)
    assert not is_reordered(text, known)


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

    assert not is_restated(text, known)
