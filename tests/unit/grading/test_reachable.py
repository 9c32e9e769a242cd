"""Where a case may come to without a further call, through parts of a procedure as well."""

from __future__ import annotations

from sopforge.harness.grading.reachable import iterate_reachable
from tests.worlds.small_models import callers

MODEL = callers()
GIVEN = frozenset({""})


def reached(begin: str, *tools: str) -> set[str]:
    return {step.id for step in iterate_reachable(MODEL, dict.fromkeys(tools, GIVEN), begin)}


def test_a_part_whose_call_was_not_made_is_not_passed() -> None:
    assert reached("look") == set()


def test_a_case_comes_back_from_a_part_to_the_step_that_it_came_from() -> None:
    assert reached("look", "readAccount") == {"read", "look", "pay"}


def test_out_of_a_part_a_case_may_come_back_to_any_step_that_carries_it_out() -> None:
    assert reached("judge", "readTrust") == {
        *("judge", "known", "unknown", "verify_large", "verify_change"),
        *("refuse", "move", "hold"),
    }
