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
from tests.worlds.filing import REFUSED, RULES


@pytest.mark.parametrize("standing", FileStanding)
def test_nothing_is_done_about_the_file_of_a_case_without_results(standing: FileStanding) -> None:
    assert list(iterate_acts(RULES, Status(standing), "<handling>refuse</handling>")) == []


def test_where_a_result_has_no_labels_one_code_stands_for_all_its_values() -> None:
    rules = FilingRules(RULES.tools, RULES.results, "charge", {ANY_VALUE: "R303"})

    assert rules.find_reason("<charge>12.50</charge>") == "R303"


def test_a_result_that_no_step_determined_is_left_out() -> None:
    assert list(iterate_acts(RULES, FREE, REFUSED)) == [
        (Act.RESERVE, ()),
        (Act.ENTER, ("verdict", "refused")),
        (Act.RELEASE, ()),
    ]
