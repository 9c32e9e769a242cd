from __future__ import annotations

from threading import Barrier, BrokenBarrierError, Thread

import pytest

from sopforge.authors.providers.adapters.endpoints import Endpoint, Endpoints
from tests.worlds.providers import FakeTime


def together(endpoint: Endpoint, workers: int, meeting: int) -> bool:
    """Whether so many of the workers are inside at one time."""
    barrier, met = Barrier(meeting), []

    def work() -> None:
        with endpoint.hold_slot():
            try:
                barrier.wait(timeout=0.3)
                met.append(True)
            except BrokenBarrierError:
                pass

    threads = [Thread(target=work) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return bool(met)


def test_as_many_questions_are_open_as_the_limit_says_and_no_more() -> None:
    assert together(Endpoint(2), workers=2, meeting=2)
    assert not together(Endpoint(2), workers=3, meeting=3)


def test_a_slot_is_free_again_after_an_error() -> None:
    endpoint = Endpoint(1)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError), endpoint.hold_slot():
            assert 1 / 0


def test_after_a_slow_down_the_next_question_waits_for_the_longest_asked() -> None:
    time = FakeTime()
    endpoint = Endpoint(1, clock=time.clock, sleep=time.sleep)
    endpoint.slow_down(20)
    endpoint.slow_down(5)
    with endpoint.hold_slot():
        assert time.slept == [20]
    with endpoint.hold_slot():
        assert time.slept == [20]


def test_one_address_has_one_limit() -> None:
    endpoints = Endpoints()
    first = endpoints.get_endpoint("here", 1)
    assert endpoints.get_endpoint("here", 8) is first
    assert endpoints.get_endpoint("there", 1) is not first
