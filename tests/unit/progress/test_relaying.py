"""What copies of a process do is heard by the first one, and no copy waits for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing

import pytest

from sopforge.progress.relaying import Relay
from sopforge.progress.tracking import Step, enter_step, repeat_report, track


@pytest.fixture
def relay() -> Iterator[Relay]:
    times = iter(range(1_000_000))
    with closing(Relay(lambda: float(next(times)))) as made:
        yield made


def test_each_place_has_the_steps_that_were_heard_of_it_last(relay: Relay) -> None:
    with relay.send_from(0), enter_step("L1"):
        pass
    with relay.send_from(1), enter_step("L2"):
        for number in track(range(9), "checks"):
            if number == 4:
                assert relay.find_steps(1) == [Step("L2"), Step("checks", 9, 4)]
                assert relay.find_steps(0) == []
    assert relay.find_steps(2) == ()


def test_a_step_that_goes_on_stays_the_same_one(relay: Relay) -> None:
    with relay.send_from(0):
        numbers = track(range(9), "checks")
        next(numbers)
        [before] = relay.find_steps(0)
        next(numbers)
        [after] = relay.find_steps(0)
        assert after is before
        assert after.done == 1
        next(track(range(9), "rows"))
        assert [step.what for step in relay.find_steps(0)] == ["checks"]
        with enter_step("words"):
            assert relay.find_steps(0)[0] is before


def test_a_line_is_left_out_where_the_pipe_is_full_or_the_line_too_long(relay: Relay) -> None:
    with relay.send_from(0):
        with enter_step("x" * 5000):
            pass
        for _ in range(20_000):
            repeat_report([Step("full", 3, 1)])
        with enter_step("late, of which the pipe, full to its last bytes, has no room"):
            assert [step.what for step in relay.find_steps(0)] == ["full"]


def test_lines_are_few_but_for_further_steps() -> None:
    clock = [0.0]
    with closing(Relay(lambda: clock[0])) as relay, relay.send_from(0):
        for number in track(range(1000), "rows"):
            if number in {1, 500, 999}:
                [step] = relay.find_steps(0)
                assert step.done == (0 if number < 999 else 700)
            clock[0] = 0.5 if number >= 699 else 0.0


def test_both_ends_are_let_go_of() -> None:
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - numbers, and no paths
    for _ in range(5):
        Relay().close()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
