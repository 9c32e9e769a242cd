from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from sopforge.authors.providers.adapters.endpoints import Endpoint
from sopforge.authors.providers.completion import PassingError
from sopforge.authors.providers.retrying import Patience, RetryLoop, Trial
from sopforge.errors import Fault, ProviderError
from tests.worlds.providers import FakeTime


class Highest(Random):
    """Draws the top of the range."""

    def uniform(self, a: float, b: float) -> float:  # noqa: ARG002 - Random's signature
        return b


def loop_in(time: FakeTime, patience: Patience | None = None, concurrency: int = 1) -> RetryLoop:
    endpoint = Endpoint(concurrency, clock=time.clock, sleep=time.sleep)
    return RetryLoop(endpoint, patience, clock=time.clock, sleep=time.sleep, random=Highest())


def failing(*errors: Exception) -> Callable[[], str]:
    left = list(errors)

    def attempt() -> str:
        if left:
            raise left.pop(0)
        return "answer"

    return attempt


def test_an_answer_at_once_waits_for_nothing() -> None:
    time, trial = FakeTime(), Trial()
    assert loop_in(time).run(failing(), trial) == "answer"
    assert (time.slept, trial.failures, trial.attempts) == ([], [], 1)


def test_waits_double_up_to_their_longest() -> None:
    time, trial = FakeTime(), Trial()
    errors = [PassingError(f"trouble {count}") for count in range(7)]
    loop = loop_in(time, Patience(attempts=8, longest=20))
    assert loop.run(failing(*errors), trial) == "answer"
    assert time.slept == [2, 4, 8, 16, 20, 20, 20]
    assert [failure.reason for failure in trial.failures] == [f"trouble {n}" for n in range(7)]
    assert trial.attempts == 8


def test_waits_are_spread_between_the_shortest_and_the_doubled() -> None:
    time = FakeTime()
    endpoint = Endpoint(1, clock=time.clock, sleep=time.sleep)
    for seed in range(20):
        loop = RetryLoop(endpoint, clock=time.clock, sleep=time.sleep, random=Random(seed))  # noqa: S311 - spreads waits
        loop.run(failing(PassingError("a"), PassingError("b")), Trial())
    first, second = time.slept[0::2], time.slept[1::2]
    assert all(1 <= wait <= 2 for wait in first)
    assert all(1 <= wait <= 4 for wait in second)
    assert len({round(wait, 6) for wait in first}) == 20


@pytest.mark.parametrize(("asked", "waited"), [(7, 7), (0, 0), (120, 120), (4000, 120)], ids=str)
def test_the_wait_that_is_asked_for_is_obeyed_up_to_a_limit(asked: float, waited: float) -> None:
    time = FakeTime()
    loop_in(time).run(failing(PassingError("busy", retry_after=asked)), Trial())
    assert time.slept == [waited]


def test_six_attempts_are_enough() -> None:
    time, trial = FakeTime(), Trial()
    errors = [PassingError(f"trouble {count}") for count in range(6)]
    with pytest.raises(ProviderError) as caught:
        loop_in(time).run(failing(*errors), trial)
    fault = caught.value.faults[0]
    assert fault.code == "model-unavailable"
    assert fault.message == "no answer after 6 attempts: trouble 5"
    assert len(trial.failures) == 6
    assert time.slept == [2, 4, 8, 16, 32]


def test_no_wait_passes_the_end_of_patience() -> None:
    time, trial = FakeTime(), Trial()
    errors = [PassingError("busy", retry_after=100) for _ in range(4)]
    with pytest.raises(ProviderError, match="after 3 attempts: busy"):
        loop_in(time, Patience(whole=250)).run(failing(*errors), trial)
    assert time.slept == [100, 100]


def test_what_does_not_pass_is_not_tried_again() -> None:
    time, trial = FakeTime(), Trial()
    error = ProviderError(Fault("model-key-refused", "no"))
    with pytest.raises(ProviderError) as caught:
        loop_in(time).run(failing(error), trial)
    assert caught.value is error
    assert (time.slept, trial.failures) == ([], [])


def test_a_fault_of_ours_is_not_tried_again() -> None:
    time = FakeTime()
    with pytest.raises(ZeroDivisionError):
        loop_in(time).run(failing(ZeroDivisionError()), Trial())
    assert time.slept == []


def test_throttling_slows_the_other_workers_of_the_endpoint_down() -> None:
    time = FakeTime()
    slept: list[float] = []

    def sleep_elsewhere(seconds: float) -> None:
        slept.append(seconds)
        with pytest.raises(BlockingIOError):
            loops[1].run(failing(), Trial())
        time.now += seconds

    def refuse(seconds: float) -> None:
        assert seconds == 30
        raise BlockingIOError

    endpoint = Endpoint(2, clock=time.clock, sleep=refuse)
    loops = [
        RetryLoop(endpoint, clock=time.clock, sleep=sleep_elsewhere, random=Highest()),
        RetryLoop(endpoint, clock=time.clock, sleep=refuse, random=Highest()),
    ]
    busy = PassingError("busy", retry_after=30, is_throttled=True)
    assert loops[0].run(failing(busy), Trial()) == "answer"
    assert slept == [30]


def test_other_trouble_leaves_the_other_workers_alone() -> None:
    time = FakeTime()
    endpoint = Endpoint(2, clock=time.clock, sleep=time.sleep)
    loop = RetryLoop(endpoint, clock=time.clock, sleep=lambda _: None, random=Highest())
    loop.run(failing(PassingError("reset")), Trial())
    with endpoint.hold_slot():
        assert time.slept == []
