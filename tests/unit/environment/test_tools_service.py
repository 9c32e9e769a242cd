"""Calls answered by the code of a package."""

from __future__ import annotations

import pytest

from sopforge.harness.environment.events import TOOL_FAULT, Reply
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.session import open_session
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from sopforge.harness.environment.tools_service import LIVE, ToolsService

SOURCE = b"""
import time


class CounterManager:
    def __init__(self):
        self.count = 0

    def count_up(self, by):
        self.count += by
        return {"count": self.count}

    def stay_away(self):
        while True:
            time.sleep(1)

    def refuse(self):
        raise ValueError("not today")
"""
TOOLS = tuple(ShownTool(name, "", {}) for name in ("count_up", "stay_away", "refuse"))
TASKS = tuple(ShownTask(f"task-{number}", "", {}) for number in range(LIVE + 3))
SHOWN = Shown("counter", "", "", TOOLS, {task.id: task for task in TASKS}, {"tools.py": SOURCE})


def open_service(*, keep_state: bool) -> ToolsService:
    """Return the service of the counter."""
    return ToolsService(SHOWN.files, keep_state, time_limit=2.0)


def count_of(reply: Reply) -> object:
    """Return how far the counter is."""
    assert isinstance(reply.result, dict)
    return reply.result["count"]


def test_sessions_have_a_state_of_their_own_however_many_there_are() -> None:
    with open_service(keep_state=True) as service:
        environment = Environment(SHOWN, service)
        sessions = [open_session(environment, task.id) for task in TASKS]
        counts = [
            [count_of(session.call("count_up", {"by": by})) for session in sessions]
            for by in (1, 10)
        ]

    # More sessions than processes are kept: those that ended had their calls made again.
    assert counts == [[1] * len(TASKS), [11] * len(TASKS)]
    assert not service.live


def test_a_state_that_is_gone_on_with_twice_is_answered_alike() -> None:
    with open_service(keep_state=True) as service:
        environment = Environment(SHOWN, service)
        once = environment.call(environment.start("task-0"), "count_up", {"by": 1})
        left = environment.call(once, "count_up", {"by": 2})
        right = environment.call(once, "count_up", {"by": 2})

    assert left == right
    assert left.events[-1] != once.events[-1]


def test_without_a_state_one_process_answers_all_sessions() -> None:
    with open_service(keep_state=False) as service:
        environment = Environment(SHOWN, service)
        sessions = [open_session(environment, task.id) for task in TASKS]
        counts = [count_of(session.call("count_up", {"by": 1})) for session in sessions]

    assert counts == list(range(1, len(TASKS) + 1))


def test_an_exception_is_a_refusal_with_its_words() -> None:
    with open_service(keep_state=True) as service:
        reply = open_session(Environment(SHOWN, service), "task-0").call("refuse", {})

    assert (reply.refusal, reply.message) == ("ValueError", "not today")


@pytest.mark.parametrize("keep_state", [True, False])
def test_a_tool_that_hangs_is_a_reply_and_the_session_goes_on(keep_state: bool) -> None:  # noqa: FBT001 - a parameter of the test
    with open_service(keep_state=keep_state) as service:
        session = open_session(Environment(SHOWN, service), "task-0")
        first = session.call("count_up", {"by": 5})
        hung = session.call("stay_away", {})
        after = session.call("count_up", {"by": 5})

    assert count_of(first) == 5
    assert hung.refusal == TOOL_FAULT
    assert "no answer within 2 s" in hung.message
    # With a state its calls were made again; without one there is nothing to be made again.
    assert count_of(after) == (10 if keep_state else 5)


@pytest.mark.parametrize("keep_state", [True, False])
def test_a_process_that_somebody_else_killed_is_no_tool_s_fault(keep_state: bool) -> None:  # noqa: FBT001 - a parameter of the test
    with open_service(keep_state=keep_state) as service:
        session = open_session(Environment(SHOWN, service), "task-0")
        session.call("count_up", {"by": 1})
        (live,) = service.live.values()
        zygote, fork = live.process.zygote, live.process._fork  # noqa: SLF001 - as a stranger would
        assert fork is not None
        zygote._ask({"end": fork.number})  # noqa: SLF001 - its channel stays open
        reply = session.call("count_up", {"by": 1})

    assert count_of(reply) == (2 if keep_state else 1)
