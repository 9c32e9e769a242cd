import pytest

from sopforge.harness.layers.writes.rules import (
    ANY_VALUE,
    FREE,
    Act,
    FileStanding,
    FilingRules,
    Status,
    iterate_acts,
)
from tests.worlds.filing import PAID, REFUSED, RULES

ENTERED = [
    (Act.RESERVE, ()),
    (Act.ENTER, ("charge", "12.50")),
    (Act.ENTER, ("verdict", "paid")),
    (Act.RELEASE, ()),
]


def test_results_are_entered_on_a_free_file_in_the_stated_order() -> None:
    assert list(iterate_acts(RULES, FREE, PAID)) == ENTERED


def test_a_result_that_no_step_determined_is_left_out() -> None:
    assert list(iterate_acts(RULES, FREE, REFUSED)) == [
        (Act.RESERVE, ()),
        (Act.ENTER, ("verdict", "refused")),
        (Act.RELEASE, ()),
    ]


@pytest.mark.parametrize(("statement", "code"), [(PAID, "R101"), (REFUSED, "R202")])
def test_a_closed_file_is_reopened_for_the_reason_of_the_primary_result(
    statement: str, code: str
) -> None:
    acts = list(iterate_acts(RULES, Status(FileStanding.CLOSED), statement))

    assert acts[0] == (Act.REOPEN, (code,))
    assert acts[1:] == list(iterate_acts(RULES, FREE, statement))


def test_a_file_of_another_desk_is_put_on_its_list_and_left_alone() -> None:
    reserved = Status(FileStanding.RESERVED, "appeals desk")

    assert list(iterate_acts(RULES, reserved, PAID)) == [(Act.NOTE, ("appeals desk",))]


@pytest.mark.parametrize("standing", FileStanding)
def test_nothing_is_done_about_the_file_of_a_case_without_results(standing: FileStanding) -> None:
    assert list(iterate_acts(RULES, Status(standing), "<handling>refuse</handling>")) == []


def test_where_a_result_has_no_labels_one_code_stands_for_all_its_values() -> None:
    rules = FilingRules(RULES.tools, RULES.results, "charge", {ANY_VALUE: "R303"})

    assert rules.find_reason("<charge>12.50</charge>") == "R303"
