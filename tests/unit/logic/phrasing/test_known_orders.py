"""Orders of two days that earlier conditions leave over are neither said again nor missed."""

from __future__ import annotations

import pytest

from sopforge.domain.parsing import parse_condition
from sopforge.logic.english import phrase_expression
from sopforge.logic.english_reader import build_vocabulary, read_condition
from sopforge.logic.phrasing.known_orders import add_known_orders, drop_known_orders
from sopforge.logic.phrasing.shape import compute_shape
from tests.generators import english as made

SOON = "days_between(sent_on, due_on) < 30"
SAID = "the due date is less than 30 days after the day of dispatch"
EITHER = SAID.replace("less than", "earlier than")


def said_last(*texts: str) -> str:
    """Return the words of the last of conditions that are tried in turn."""
    conditions = [parse_condition(text, made.SCOPE) for text in texts]
    last = add_known_orders(conditions)[-1]
    assert last is not None
    return phrase_expression(last, made.FIELDS)


@pytest.mark.parametrize(
    "earlier",
    [
        "due_on < sent_on",
        "sent_on > due_on",
        "due_on <= sent_on",
        "days_between(sent_on, due_on) < 0",
        "score > 2 or due_on < sent_on",
    ],
)
def test_an_order_that_an_earlier_condition_takes_is_not_said_again(earlier: str) -> None:
    assert said_last(earlier, SOON) == SAID
    assert said_last(earlier, "score > 9", f"score > 2 and {SOON}").endswith(f"and {SAID}")


@pytest.mark.parametrize(
    "earlier",
    [
        "due_on > sent_on",
        "due_on != sent_on",
        "due_on < sent_on and score > 2",
        "days_between(sent_on, due_on) < 1",
        "due_on < '2026-03-01'",
        "left_at < came_at",
    ],
)
def test_an_order_that_may_still_come_is_said(earlier: str) -> None:
    assert said_last(earlier, SOON) == EITHER
    assert said_last(SOON, earlier, "score > 2") == "the lifestyle score is more than 2 points"


def test_more_than_so_many_days_needs_no_order() -> None:
    assert said_last("due_on < sent_on", "days_between(sent_on, due_on) > 30") == (
        "the due date is more than 30 days after the day of dispatch"
    )


@pytest.mark.parametrize("text", [f"{SOON} and sent_on <= due_on", f"due_on >= sent_on and {SOON}"])
def test_a_distance_with_its_order_is_one_phrase_that_is_read_back(text: str) -> None:
    condition = parse_condition(text, made.SCOPE)
    words = phrase_expression(condition, made.FIELDS)
    again = parse_condition(read_condition(words, build_vocabulary(made.MODEL)), made.SCOPE)

    assert words == SAID
    assert compute_shape(again) == compute_shape(condition)


def test_an_order_is_dropped_only_where_it_is_known_and_beside_its_distance() -> None:
    whole, order = f"{SOON} and sent_on <= due_on", "score > 2 and sent_on <= due_on"
    texts = (whole, "due_on < sent_on", whole, order)
    given = [parse_condition(text, made.SCOPE) for text in texts]

    first, _, third, fourth = drop_known_orders(given)

    assert (first, fourth) == (given[0], given[3])
    assert third == parse_condition(SOON, made.SCOPE)
