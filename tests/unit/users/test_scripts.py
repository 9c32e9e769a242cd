"""What a user replies, by a script that is written here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.harness.users.acts import Act, ActKind, collect_entries, collect_first_entries
from sopforge.harness.users.manners import Manner, Mode
from sopforge.harness.users.scripts import Script
from sopforge.harness.users.topics import Topics
from sopforge.language.domain.reading import read_brief

COUNTER = (Path(__file__).parents[3] / "docs/examples/small_counter.yaml").read_text("utf-8")
TOPICS = Topics(read_brief(COUNTER, "counter.yaml").model)
ENTRIES = {
    "request_id": "Q000001",
    "payer": "A000001",
    "payee": "A000002",
    "pin": "K1111",
    "amount": "30.00",
}
CHANGE = Act(ActKind.CHANGE, "amount", "30.00", "900.00")
DEMAND = Act(ActKind.WRITE, "transferMoney")
OPENING = (
    Act(ActKind.REQUEST),
    Act(ActKind.STATE, "request_id", "Q000001"),
    Act(ActKind.STATE, "payee", "A000002"),
    Act(ActKind.STATE, "amount", "900.00"),
)
SCRIPT = Script(
    "task-1",
    Mode.TURN_BY_TURN,
    (Manner.CHANGES, Manner.DEMANDS),
    OPENING,
    ENTRIES,
    turning="pin",
    late=(CHANGE, DEMAND),
)


def disclose(name: str, cell: str = "") -> Act:
    return Act(ActKind.DISCLOSE, name, cell or ENTRIES[name])


def talk(*texts: str, script: Script = SCRIPT) -> list[tuple[Act, ...]]:
    """Return the replies of a user, one after the other."""
    return [script.answer(TOPICS, texts[: place + 1]) for place in range(len(texts))]


def test_what_is_asked_for_is_given_and_nothing_else() -> None:
    assert talk("Which paying account?") == [(disclose("payer"),)]
    assert SCRIPT.withheld == ("payer", "pin")


def test_the_change_comes_with_the_entry_that_turns_and_once() -> None:
    assert talk("The PIN?", "The PIN again?") == [
        (disclose("pin"), CHANGE, DEMAND),
        (disclose("pin"),),
    ]


def test_before_the_change_the_first_value_is_given_and_afterwards_the_last_one() -> None:
    assert talk("The amount?", "The PIN?", "The amount?") == [
        (disclose("amount", "900.00"),),
        (disclose("pin"), CHANGE, DEMAND),
        (disclose("amount"),),
    ]


def test_what_he_does_not_know_he_does_not_make_up() -> None:
    assert talk("What is the balance of the paying account?", "Which verdict?") == [
        (Act(ActKind.UNKNOWN, "payer_balance"),),
        (Act(ActKind.UNKNOWN, "verdict"),),
    ]


@pytest.mark.parametrize(
    ("manners", "patience"), [((Manner.PLAIN,), 1), ((Manner.CHANGES, Manner.INSISTS), 3)]
)
def test_where_nothing_is_asked_he_asks_again_and_at_last_closes(
    manners: tuple[Manner, ...], patience: int
) -> None:
    script = replace(SCRIPT, manners=manners)
    said = talk("Hello.", "No.", "I cannot.", "Sorry.", "Well?", script=script)

    insists, closes = (Act(ActKind.INSIST),), (Act(ActKind.CLOSE),)
    assert said == [insists] * patience + [closes] * (5 - patience)


def test_the_first_word_and_the_last_word_differ_where_something_was_changed() -> None:
    acts = (*OPENING, CHANGE)

    assert collect_entries(acts)["amount"] == "30.00"
    assert collect_first_entries(acts)["amount"] == "900.00"
    assert collect_entries((CHANGE,)) == {"amount": "30.00"}
    assert collect_first_entries((CHANGE,)) == {"amount": "900.00"}
