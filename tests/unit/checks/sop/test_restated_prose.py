"""Prose of a brief in another construction says the same, and its near twin does not."""

from __future__ import annotations

import pytest

from sopforge.checks.sop.brief_prose import is_same_prose
from sopforge.reading.note_words import reword_constructions

PROSE = {
    "aim": (
        "This procedure makes sure that every ladder is checked before first use.",
        "The aim of this procedure is that every ladder is checked before it is first used.",
        "The aim of this procedure is that every ladder is checked after it is first used.",
    ),
    "scope": (
        "It does not cover prams, trolleys or wheelchairs.",
        "Prams, trolleys and wheelchairs are outside its scope.",
        "Prams, trolleys and wheelchairs are within its scope.",
    ),
    "passive duty": (
        "Wear goggles wherever acid is poured.",
        "Goggles must be worn wherever acid is poured.",
        "Goggles must not be worn wherever acid is poured.",
    ),
    "responsibility": (
        "The warden is responsible for this procedure and takes over open cases.",
        "Responsibility for this procedure lies with the warden, who also takes over open cases.",
        "Responsibility for open cases lies with the warden, who also takes over this procedure.",
    ),
    "judgement": (
        "Judge what you measure, not what the driver says.",
        "Base your judgment on what you measure rather than on what the driver says.",
        "Base your judgment on what the driver says rather than on what you measure.",
    ),
    "exchange": (
        "A receipt that the shop gives the buyer in exchange for the deposit.",
        "A receipt that the shop gives the buyer in return for the deposit.",
        "A deposit that the shop gives the buyer in return for the receipt.",
    ),
    "contentment": (
        "A guest who is unhappy with the room may go to the Duty Manager.",
        "A guest who is not happy with the room may turn to the Duty Manager.",
        "A guest who is happy with the room may turn to the Duty Manager.",
    ),
    "after that": (
        "Members may use the appeal and, after that, go to the Ombudsman.",
        "Members can make use of the appeal and then go to the Ombudsman.",
        "Members can make use of the appeal or go to the Ombudsman.",
    ),
    "for others only": (
        "Give keys only to the tenant.",
        "No one may be given keys except the tenant.",
        "No one may be given keys, not even the tenant.",
    ),
    "last day": (
        "last day on which the transfer may be paid",
        "the latest day on which payment of the transfer is allowed",
        "the first day on which payment of the transfer is allowed",
    ),
    "teams": (
        "Refunds and repairs are handled by other teams.",
        "Other teams deal with refunds and repairs.",
        "Other teams deal with repairs.",
    ),
    "receivers": (
        "Give the guest the number of the taxi stand.",
        "Provide the guest with the number of the taxi stand.",
        "Provide the taxi stand with the number of the guest.",
    ),
    "payers": (
        "the sum that the shop pays to the lending shop",
        "the sum paid by the shop to the lending shop",
        "the sum paid by the lending shop to the shop",
    ),
}


@pytest.mark.parametrize("name", PROSE)
def test_another_construction_says_the_same(name: str) -> None:
    known, same, _ = PROSE[name]

    assert is_same_prose(same, known)


@pytest.mark.parametrize("name", PROSE)
def test_its_near_twin_does_not(name: str) -> None:
    known, _, other = PROSE[name]

    assert not is_same_prose(other, known)


def test_a_text_of_no_such_construction_stays_as_it_is() -> None:
    said = "Keep the lid closed until the pot is cold, and never lift it by the rim."

    assert reword_constructions(said) == said
