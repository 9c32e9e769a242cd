from collections.abc import Mapping
from typing import Any

import pytest

from sopforge.harness.layers.dial import Ability
from sopforge.harness.layers.writes.working import Clerk, FilingCall
from sopforge.session.layers import Reply
from tests.worlds.filing import LAYER, PAID, RULES


class Office:
    """Answers calls as the layer does, and notes what is changed."""

    def __init__(self) -> None:
        self.files: dict[str, Any] = {}
        self.made: list[str] = []

    def __call__(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if tool == "fileCase":
            self.made.append("fileCase")
            return {"case": {"entries": {"key": "C"}, "text": "", "is_correction": False}}
        files, (result, _, _) = LAYER.in_session.answer(self.files, tool, arguments, self.refuse)
        self.files = dict(files)
        self.made.append(" ".join([tool, *map(str, arguments.values())]))
        assert isinstance(result, dict)
        return result

    def refuse(self, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Refuse a call that is not about files."""
        raise AssertionError(f"{tool} of {arguments} is not about files")


ENTERED = [
    "reserveFile F",
    "enterResult F charge 12.50",
    "enterResult F verdict paid",
    "releaseFile F",
]


def test_a_clerk_looks_and_enters_the_results() -> None:
    office = Office()
    Clerk(office, RULES).enter("F", PAID)

    assert office.made == ["getFileStatus F", *ENTERED]


def test_a_clerk_finds_the_file_closed_on_which_he_entered_results_before() -> None:
    office = Office()
    Clerk(office, RULES).enter("F", PAID)
    office.made.clear()
    Clerk(office, RULES).enter("F", PAID)

    assert office.made == ["getFileStatus F", "reopenFile F R101", *ENTERED]


@pytest.mark.parametrize("file", ["F", "C", "R"])
def test_who_does_not_look_takes_every_file_for_a_free_one(file: str) -> None:
    office = Office()
    Clerk(office, RULES, (Ability.LOOKING_FIRST,)).enter(file, PAID)

    assert office.made == [text.replace(" F", f" {file}") for text in ENTERED]


def test_who_enters_twice_enters_each_result_once_more() -> None:
    office = Office()
    Clerk(office, RULES, (Ability.WRITING_ONCE,)).enter("F", PAID)

    assert [text for text in office.made if text.startswith("enter")] == [
        ENTERED[1],
        ENTERED[1],
        ENTERED[2],
        ENTERED[2],
    ]


def test_in_a_session_results_are_entered_before_a_case_is_filed_each_on_its_own_file() -> None:
    office = Office()
    call = FilingCall(office, Clerk(office, RULES), "key", "F")
    call("fileCase", {"statement": PAID})
    call("fileCase", {"statement": PAID})

    assert office.made[:6] == ["getFileStatus F", *ENTERED, "fileCase"]
    assert office.made[6:8] == ["getFileStatus C", "reopenFile C R101"]
    assert office.made[-1] == "fileCase"
