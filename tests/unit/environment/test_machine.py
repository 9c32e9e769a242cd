"""From one state of a session to the next."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import pytest

from sopforge.harness.environment.events import UNKNOWN_TOOL, Called, Reply, Said
from sopforge.harness.environment.machine import Environment, SessionOverError, State
from sopforge.harness.environment.session import open_session
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from sopforge.sandbox.answers import JSONValue

TASK = ShownTask("task-1", "Count for Ada.", {"who": "Ada"})
OTHER = ShownTask("task-2", "Count for Bob.", {"who": "Bob"})
COUNT = ShownTool("count", "Counts.", {"type": "object", "properties": {}})
SHOWN = Shown("counting", "abc", "Count.", (COUNT,), {task.id: task for task in (TASK, OTHER)}, {})


class Counting:
    """Counts the calls of a session."""

    def begin(self, task: ShownTask, seed: int) -> tuple[str, int]:
        """Return who is counted for, and where counting begins."""
        return task.inputs["who"], seed

    def answer(
        self, kept: tuple[str, int], tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[tuple[str, int], Reply]:
        """Count one call."""
        assert tool == "count"
        who, count = kept
        return (who, count + 1), Reply({"who": who, "count": count + 1, "given": len(arguments)})


ENVIRONMENT = Environment(SHOWN, Counting())


def read_counts(state: State[tuple[str, int]]) -> list[object]:
    """Return what the calls of a session were answered."""
    return [
        event.reply.result["count"]
        for event in state.events
        if isinstance(event, Called) and isinstance(event.reply.result, dict)
    ]


def test_an_agent_sees_the_sop_the_tools_and_its_task() -> None:
    seen = ENVIRONMENT.observe(ENVIRONMENT.start("task-1"))

    assert (seen.sop, seen.tools, seen.task) == ("Count.", (COUNT,), TASK)


def test_a_state_that_is_gone_on_with_twice_goes_on_alike() -> None:
    once = ENVIRONMENT.call(ENVIRONMENT.start("task-1", seed=5), "count", {})
    left, right = (ENVIRONMENT.call(once, "count", {}) for _ in range(2))

    assert read_counts(once) == [6]
    assert left == right
    assert read_counts(left) == [6, 7]


def test_two_sessions_never_meet() -> None:
    one, two = open_session(ENVIRONMENT, "task-1"), open_session(ENVIRONMENT, "task-2")
    replies = [session.call("count", {}).result for session in (one, two, one)]

    assert replies == [
        {"who": "Ada", "count": 1, "given": 0},
        {"who": "Bob", "count": 1, "given": 0},
        {"who": "Ada", "count": 2, "given": 0},
    ]


def test_a_tool_that_is_not_offered_is_refused_and_changes_nothing() -> None:
    state = ENVIRONMENT.call(ENVIRONMENT.start("task-1"), "cuont", {"x": 0.1})

    (event,) = state.events
    assert isinstance(event, Called)
    assert (event.reply.refusal, event.reply.message) == (UNKNOWN_TOOL, "the tools are count")
    assert event.reply.as_text() == "unknown_tool: the tools are count"
    assert event.arguments == {"x": Decimal("0.1")}
    assert read_counts(ENVIRONMENT.call(state, "count", {})) == [1]


def test_what_is_said_is_noted_and_the_answer_ends_the_session() -> None:
    session = open_session(ENVIRONMENT, "task-1")
    session.say("Let me see.")
    session.finish("<count>1</count>")

    assert session.state.events == (Said("Let me see."),)
    assert session.state.answer == "<count>1</count>"
    for go_on in (
        lambda: session.call("count", {}),
        lambda: session.say("More."),
        lambda: session.finish("Again."),
    ):
        with pytest.raises(SessionOverError, match="task-1 has its answer"):
            go_on()


def test_there_is_no_session_of_a_task_that_is_not_there() -> None:
    with pytest.raises(KeyError):
        open_session(ENVIRONMENT, "task-9")


@pytest.mark.parametrize("tool", [["count"], {}, None, 3], ids=str)
def test_the_name_of_a_tool_is_a_text(tool: object) -> None:
    session = open_session(ENVIRONMENT, "task-1")

    with pytest.raises(TypeError, match="a text is wanted"):
        session.call(tool, {})  # type: ignore[arg-type]  # what an agent may do
    assert session.state.events == ()
