"""Lines come every so many seconds, and say how long the rest takes where that can be known."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sopforge.progress.describing import Reporter
from sopforge.progress.tracking import enter_step, listen, track


class Clock:
    """Shows what it is set to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


def working(clock: Clock, count: int, seconds: float) -> Iterator[int]:
    """Yield numbers, each of which takes so long until the next is asked for."""
    for number in range(count):
        yield number
        clock.wait(seconds)


def test_a_line_comes_every_five_seconds_with_the_rest_at_the_pace_so_far(clock: Clock) -> None:
    lines: list[str] = []
    with listen(Reporter(lines.append, 5.0, clock=clock).hear), enter_step("dataset"):
        for _ in track(working(clock, 100, 0.25), "goals", 100):
            pass
    # 20 goals take 5 seconds, so that 80 take 20 more.
    assert lines == [
        "dataset: goals 20 of 100, about 20 s left",
        "dataset: goals 40 of 100, about 15 s left",
        "dataset: goals 60 of 100, about 10 s left",
        "dataset: goals 80 of 100, about 5 s left",
        "dataset",
    ]


def test_a_stage_that_ends_sooner_has_no_line_and_the_next_one_begins_anew(clock: Clock) -> None:
    lines: list[str] = []
    with listen(Reporter(lines.append, 5.0, clock=clock).hear):
        for stage in ("api", "toolspec", "tools"):
            with enter_step(stage):
                list(track(working(clock, 4, 1.0), "calls", 4))
    assert lines == []


@pytest.mark.parametrize(
    ("count", "seconds"),
    [(4, 3.0), (1000, 1.0)],
    ids=["few, which are unlike", "under a twentieth"],
)
def test_nothing_is_said_of_the_rest_without_a_basis(
    clock: Clock, count: int, seconds: float
) -> None:
    lines: list[str] = []
    with listen(Reporter(lines.append, 5.0, clock=clock).hear), enter_step("complexity"):
        for number in track(working(clock, count, seconds), "levels", count):
            if number == 15:
                break
    assert lines
    assert not [line for line in lines if "left" in line]


def test_nothing_is_said_of_the_rest_in_the_first_seconds(clock: Clock) -> None:
    lines: list[str] = []
    with listen(Reporter(lines.append, 1.0, clock=clock).hear), enter_step("dataset"):
        for number in track(working(clock, 50, 0.125), "goals", 50):
            if number == 32:
                break
    assert lines == [
        "dataset: goals 8 of 50",
        "dataset: goals 16 of 50",
        "dataset: goals 24 of 50, about 5 s left",
        "dataset: goals 32 of 50, a few seconds left",
    ]


def test_an_item_that_takes_longer_than_foreseen_ends_the_foresight(clock: Clock) -> None:
    lines: list[str] = []
    reporter = Reporter(lines.append, 5.0, clock=clock)
    with listen(reporter.hear), enter_step("dataset"):
        for number in track(working(clock, 40, 0.5), "goals", 40):
            if number == 20:
                for _ in range(4):
                    clock.wait(5.0)
                    for _ in track("a", "questions"):
                        pass
                break
    # 20 goals in 10 s: 10 s are left, then 5, and then nobody knows.
    assert [line.partition(";")[0] for line in lines] == [
        "dataset: goals 10 of 40, about 15 s left",
        "dataset: goals 20 of 40, about 10 s left",
        "dataset: goals 20 of 40, about 5 s left",
        "dataset: goals 20 of 40",
        "dataset: goals 20 of 40",
        "dataset: goals 20 of 40",
    ]


def test_of_steps_within_each_other_the_widest_that_is_known_says_the_rest(clock: Clock) -> None:
    lines: list[str] = []
    with listen(Reporter(lines.append, 8.0, clock=clock).hear), enter_step("complexity"):
        for _ in track(range(2), "levels"):
            list(track(working(clock, 100, 0.125), "tasks", 100))
    assert lines[0] == "complexity: levels 0 of 2; tasks 64 of 100, about 5 s left"
    assert lines[1] == "complexity: levels 1 of 2; tasks 28 of 100, about 10 s left"


def test_a_view_shows_each_further_step_at_once_for_it_may_last(clock: Clock) -> None:
    lines: list[str] = []
    with listen(Reporter(lines.append, 60.0, at_once=True, clock=clock).hear):
        for stage in ("api", "tools"):
            with enter_step(stage):
                list(track(["valid", "words"], "checks", name=lambda name: name))
                list(track(range(9), "calls"))
    assert lines == [
        "api",
        "api: checks 0 of 2",
        "api: checks 0 of 2 (valid)",
        "api: checks 1 of 2 (words)",
        "api",
        "api: calls 0 of 9",
        "api",
        "tools",
        "tools: checks 0 of 2",
        "tools: checks 0 of 2 (valid)",
        "tools: checks 1 of 2 (words)",
        "tools",
        "tools: calls 0 of 9",
        "tools",
    ]
