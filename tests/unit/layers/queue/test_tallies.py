"""Rules of sessions: which case changes another, and what is counted."""

from __future__ import annotations

from decimal import Decimal

import pytest

from sopforge.harness.layers.queue.tallies import (
    Counter,
    Filed,
    Quota,
    SessionRules,
    Strikes,
    Total,
    read_figure,
)

FULL = Quota("care", "ward", 2, "home")
STRUCK = Strikes("care", "home", "region", "north", 1, "visit")


def case(care: str, region: str = "south") -> Filed:
    return Filed({"region": region}, {"care": care, "note": "x"})


@pytest.mark.parametrize(
    ("earlier", "applies"),
    [
        ([], False),
        (["ward"], False),
        (["ward", "home", "home"], False),
        (["ward", "ward"], True),
        (["ward", "ward", "ward"], True),
    ],
)
def test_a_quota_is_full_with_so_many_cases_of_its_label(
    earlier: list[str], *, applies: bool
) -> None:
    assert FULL.is_met(case("ward"), map(case, earlier)) is applies
    assert not FULL.is_met(case("home"), map(case, earlier))


def test_strikes_count_what_earlier_cases_stated_whatever_they_came_to() -> None:
    north = case("ward", "north")

    assert STRUCK.is_met(case("home", "north"), [north])
    assert not STRUCK.is_met(case("home", "south"), [north])
    assert not STRUCK.is_met(case("ward", "north"), [north])
    assert not STRUCK.is_met(case("home", "north"), [case("home", "south")])


def test_the_first_rule_that_applies_changes_its_outcome_alone_and_no_second_one_does() -> None:
    rules = SessionRules((FULL, STRUCK))
    earlier = [case("ward", "north"), case("ward", "north")]

    assert rules.settle(case("ward", "north"), earlier) == {"care": "home", "note": "x"}
    assert rules.settle(case("home", "north"), earlier) == {"care": "visit", "note": "x"}
    assert rules.settle(case("visit", "north"), earlier) == {"care": "visit", "note": "x"}


def test_a_counter_counts_the_case_itself() -> None:
    rules = SessionRules(counters=(Counter("count_1", "care", "ward"),))

    assert rules.count(case("ward"), [case("home"), case("ward")]) == {"count_1": "2"}
    assert rules.count(case("home"), [case("home"), case("ward")]) == {"count_1": "1"}
    assert rules.count(case("home"), []) == {"count_1": "0"}


def test_a_total_adds_what_is_a_number_and_the_case_itself() -> None:
    def charged(cell: str) -> Filed:
        return Filed({}, {"charge": cell})

    rules = SessionRules(counters=(Total("count_1", "charge"),))

    assert rules.count(charged("0.30"), [charged("12.50"), charged("waived")]) == {
        "count_1": "12.80"
    }
    assert rules.count(charged("waived"), [Filed({}, {})]) == {"count_1": "0"}


@pytest.mark.parametrize(
    ("cell", "figure"),
    [("12.80", "12.8"), ("-3", "-3"), ("waived", None), ("", None), ("NaN", None), ("inf", None)],
)
def test_a_figure_is_a_finite_number(cell: str, figure: str | None) -> None:
    assert read_figure(cell) == (figure and Decimal(figure))
