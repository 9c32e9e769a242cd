from collections.abc import Collection, Mapping
from typing import Any

import pytest

from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.records.finding import Finder, FindingCall
from sopforge.harness.layers.records.stating import SearchRules
from tests.worlds.counters import build_counter

MODEL = build_counter()
RULES = SearchRules("findCases", 10, "request_id", ("payee", "amount"))
TRUE = {"request_id": "Q000003", "payee": "A000001", "amount": "5.00"}
NEAR = {"request_id": "Q000001", "payee": "A000001", "amount": "5.01"}
STATED = {"payee": "A000001", "amount": "5.00", "pin": "K0001"}
TEXT = "Pay.\n\nTo be taken from the register: the request id (request_id)."


class Register:
    """Returns rows by their payee, and by nothing else."""

    def __init__(self, *rows: dict[str, str]) -> None:
        self.rows = rows
        self.asked: list[object] = []

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if tool != "findCases":
            case = {"text": TEXT, "entries": STATED, "is_correction": False}
            return {"case": case, "left": 1}
        self.asked.append(arguments["entry"])
        rows = self.rows if arguments["entry"] == "amount" else self.rows[:1]
        return {"found": len(self.rows), "rows": list(rows)}


def find(register: Register, *lacks: Ability, text: str = TEXT) -> Mapping[str, str]:
    return Finder(register, MODEL, RULES, lacks).complete(text, STATED)


def test_the_row_is_taken_in_which_all_stated_entries_agree_as_values() -> None:
    register = Register(NEAR, {**TRUE, "amount": "5"})

    assert find(register) == {**STATED, "request_id": "Q000003"}
    assert register.asked == ["payee", "amount"]


def test_who_compares_too_little_passes_over_a_row_in_which_nearly_all_differs() -> None:
    other = {"request_id": "Q9", "payee": "A000002", "amount": "7.00", "pin": "K0009"}
    rules = SearchRules("findCases", 10, "request_id", ("payee", "amount", "pin"))
    finder = Finder(
        Register(other, {**TRUE, "pin": "K0001"}), MODEL, rules, (Ability.COMPARING_ALL,)
    )

    assert finder.complete(TEXT, STATED)["request_id"] == "Q000003"


def test_nothing_is_looked_for_that_the_text_does_not_name() -> None:
    register = Register(TRUE)

    assert find(register, text="Pay.") == STATED
    assert register.asked == []


@pytest.mark.parametrize("lacks", [(Ability.COMPARING,), (Ability.COMPARING_ALL,)])
def test_who_does_not_compare_takes_an_earlier_row(lacks: Collection[Ability]) -> None:
    register = Register(NEAR, TRUE)

    assert find(register, *lacks)["request_id"] == "Q000001"
    assert register.asked == ["payee"]


def test_cases_that_come_up_are_found_before_they_are_handed_on() -> None:
    call = FindingCall(Finder(Register(TRUE), MODEL, RULES))

    reply = call("fileCase", {"statement": ""})

    assert not isinstance(reply, str)
    assert reply["case"]["entries"] == {**STATED, "request_id": "Q000003"}  # type: ignore[index]
    assert reply["left"] == 1  # type: ignore[index]
