"""Trajectories beside the gold ones, and which wrong attempts are shown."""

from __future__ import annotations

from sopforge.evaluation.figures.series import list_series
from sopforge.evaluation.packages.package import GoldTask
from sopforge.evaluation.reporting.trajectories import (
    MOST_EVENTS,
    Pair,
    ShownAttempt,
    choose_attempts,
    show_attempt,
)
from sopforge.evaluation.runs.rows import Attempted
from sopforge.harness.environment.events import Called, Event, Reply, Said
from sopforge.harness.grading.grades import DivergenceKind
from tests.worlds.attempt_rows import make_row
from tests.worlds.parcel_attempts import COST, FIND, GO, LOOK, PRICE, READ, SLIP, TASK, call

GOLD = GoldTask("A parcel.", TASK.calls, TASK.outcomes, {"seekParcel": "findParcel"})
RULE, STOP = DivergenceKind.WRONG_RULE, DivergenceKind.EARLY_STOP


def show(*events: Event, gold: GoldTask | None = GOLD) -> ShownAttempt:
    """Return an attempt at the task about a parcel as it is shown."""
    return show_attempt(make_row("1", is_right=False), Attempted(events, "So."), gold)


def name_sides(pair: Pair) -> tuple[str, str, str]:
    """Return what stands on either side, and how they compare."""
    gold, made = (side.tool if side else "" for side in (pair.gold, pair.made))
    return gold, pair.said or made, pair.standing


def test_equal_calls_stand_side_by_side_whatever_stands_between() -> None:
    found = show(
        Said("First."),
        call("seekParcel", FIND),
        call("findCanteen", SLIP),
        Said("Then."),
        call("priceParcel", {**PRICE, "weight": 12}),
        GO,
        LOOK,
    )

    assert [name_sides(pair) for pair in found.pairs] == [
        ("", "First.", "said"),
        ("findParcel", "seekParcel", "same"),
        ("", "findCanteen", "further"),
        ("readSlip", "", "missing"),
        ("", "Then.", "said"),
        ("priceParcel", "priceParcel", "different"),
        ("releaseParcel", "releaseParcel", "same"),
        ("", "findParcel", "further"),
    ]
    priced = found.pairs[5]
    assert priced.gold is not None
    assert priced.made is not None
    assert [name for name, _, differs in priced.made.arguments if differs] == ["weight"]
    assert [name for name, _, differs in priced.gold.arguments if differs] == ["weight"]


def test_equal_numbers_are_equal_however_they_are_written() -> None:
    found = show(LOOK, READ, call("priceParcel", {**PRICE, "weight": 10}), GO)

    assert {pair.standing for pair in found.pairs} == {"same"}


def test_a_call_that_was_refused_differs_from_one_that_was_not() -> None:
    found = show(LOOK, READ, call("priceParcel", PRICE, "tool_fault"), GO)

    assert [pair.standing for pair in found.pairs] == ["same", "same", "different", "same"]


def test_without_the_package_the_calls_stand_alone() -> None:
    found = show(LOOK, Said("So."), COST, gold=None)

    assert not found.has_gold
    assert [name_sides(pair)[:2] for pair in found.pairs] == [
        ("", "findParcel"),
        ("", "So."),
        ("", "priceParcel"),
    ]


def test_long_attempts_and_texts_are_cut_and_that_is_said() -> None:
    long = Called("findParcel", {"parcel_id": "x" * 5_000}, Reply({"service": "y" * 5_000}))
    found = show(*[long] * (MOST_EVENTS + 7))

    assert found.left_out == 7
    (made,) = {pair.made.reply for pair in found.pairs if pair.made}
    assert len(made) < 600
    assert "more characters" in made


def test_of_each_package_class_and_path_one_is_chosen_before_any_again() -> None:
    kinds = [(RULE, "x"), (RULE, "x"), (RULE, "y"), (STOP, "x"), (RULE, "x"), (STOP, "x")]
    rows = [
        make_row(str(number), is_right=False, divergence_kind=kind, path=(path,))
        for number, (kind, path) in enumerate(kinds)
    ]
    other = make_row("9", is_right=False, divergence_kind=RULE, package="stays")
    series = list_series([*rows, other, make_row("right")])

    chosen = [row.asked.task for row in choose_attempts(series, 5)]
    # Early stop, wrong rule, and wrong rule of the other package; then again, on another path.
    assert chosen == ["3", "0", "9", "5", "2"]
    assert len(choose_attempts(series, 100)) == 7
    assert not choose_attempts(series, 0)


def test_an_attempt_without_a_log_is_shown_as_that() -> None:
    found = show_attempt(make_row("1", is_right=False), None, GOLD)

    assert not found.has_log
    assert {pair.standing for pair in found.pairs} == {"missing"}
