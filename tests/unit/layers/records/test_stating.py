import pytest

from sopforge.harness.layers.records.stating import (
    TITLE,
    SearchRules,
    read_left_out,
    read_search,
    write_left_out,
    write_search,
)
from sopforge.harness.layers.text.sections import UnreadableTextError, add_section
from tests.worlds.counters import build_counter

MODEL = build_counter()
RULES = SearchRules("findCases2", 12, "request_id", ("payer", "amount"))


def write(*, has_further: bool = True, has_queue: bool = False) -> str:
    lines = write_search(MODEL, RULES, has_further=has_further, has_queue=has_queue)
    return add_section("1. Purpose\nNone.\n", TITLE, lines)


@pytest.mark.parametrize("has_queue", [False, True])
@pytest.mark.parametrize("has_further", [False, True])
def test_how_a_case_is_found_is_read_back_from_the_text_alone(
    *, has_further: bool, has_queue: bool
) -> None:
    sop = write(has_further=has_further, has_queue=has_queue)

    assert read_search(add_section(sop, "More", ["None."])) == RULES


@pytest.mark.parametrize("line", ["findCases2", "Each row", "- The row of a case"])
def test_a_rule_that_is_missing_is_noticed(line: str) -> None:
    lines = [text for text in write().split("\n") if not text.startswith(line)]

    with pytest.raises(UnreadableTextError):
        read_search("\n".join(lines))


def test_what_is_left_out_is_read_off_the_text_of_a_task() -> None:
    one, two = (write_left_out(MODEL, names) for names in (["payer"], ["request_id", "payee"]))

    assert one == "\n\nTo be taken from the register: the paying account (payer)."
    assert read_left_out(f"The amount (x) is 3.{one}") == ["payer"]
    assert read_left_out(f"The amount (x) is 3.\nSent by: Office 3{two}") == ["request_id", "payee"]
    assert read_left_out("The amount (x) is 3.") == []
