"""Sessions of clients: what is refused at the wrong time, what is noted, and who meets whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from sopforge.errors import Fault, SandboxError
from sopforge.evaluation.serving.attempts import Attempts
from sopforge.harness.environment.events import Called, Reply
from sopforge.harness.environment.machine import Environment, State
from sopforge.harness.environment.session import open_session
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from sopforge.sandbox.answers import JSONValue, as_json

TASKS = {name: ShownTask(name, f"Do {name}.", {"n": "1"}) for name in ("task-1", "task-2")}
SHOWN = Shown("adding", "", "Add up.", (ShownTool("add", "", {}),), TASKS, {})
ADA, GRACE = "ada", "grace"


@dataclass(frozen=True)
class Adding:
    """Keeps a sum; a machine that cannot confine tools is asked for by an argument."""

    def begin(self, task: ShownTask, seed: int) -> int:  # noqa: ARG002 - protocol
        return seed

    def answer(
        self,
        kept: int,
        tool: str,  # noqa: ARG002 - protocol
        arguments: Mapping[str, JSONValue],
    ) -> tuple[int, Reply]:
        if "break" in arguments:
            raise SandboxError(Fault("sandbox-too-weak", "no seccomp here"))
        if "by" not in arguments:
            raise ValueError("a number among the arguments is not finite")
        after = kept + int(str(arguments["by"]))
        return after, Reply({"sum": as_json(after)})


@dataclass
class Desk:
    """Sessions, and the states that came to their end."""

    attempts: Attempts
    ended: list[State[Any]] = field(default_factory=list)


def open_desk(shown: Shown = SHOWN, task: str = "") -> Desk:
    """Return sessions at all tasks, or at one that is begun."""
    environment, ended = Environment(shown, Adding()), list[State[Any]]()
    opened = Attempts(
        shown,
        lambda _, chosen: open_session(environment, chosen or task, 100),
        is_choosing=not task,
        end=ended.append,
    )
    return Desk(opened, ended)


def add(attempts: Attempts, key: str, by: int) -> object:
    """Return the sum after a call."""
    reply = attempts.call(key, "add", {"by": by})
    assert isinstance(reply.result, dict), reply
    return reply.result["sum"]


def test_a_task_is_begun_worked_on_and_answered() -> None:
    desk = open_desk()
    begun = desk.attempts.begin(ADA, "task-2")

    assert begun.result == {
        "sop": "Add up.",
        "task": {"id": "task-2", "text": "Do task-2.", "inputs": {"n": "1"}},
    }
    assert [add(desk.attempts, ADA, by) for by in (1, 2)] == [101, 103]
    assert desk.ended == []
    assert not desk.attempts.answer(ADA, "103").refusal
    (state,) = desk.ended
    assert (state.task, state.seed, state.answer, len(state.events)) == ("task-2", 100, "103", 2)


def test_what_comes_at_the_wrong_time_is_refused_with_what_to_do_and_is_no_event() -> None:
    desk = open_desk()
    before = [desk.attempts.call(ADA, "add", {"by": 1}), desk.attempts.answer(ADA, "x")]
    desk.attempts.begin(ADA, "task-1")
    again = desk.attempts.begin(ADA, "task-2")
    desk.attempts.answer(ADA, "1")
    after = [desk.attempts.call(ADA, "add", {"by": 1}), desk.attempts.answer(ADA, "2")]

    assert {reply.as_text() for reply in before} == {
        "no_task: no task is begun: call begin_task with the task_id of one"
    }
    assert again.as_text() == "task_open: task-1 is begun: give its answer with answer"
    assert {reply.as_text() for reply in after} == {
        "task_over: task-1 has its answer: begin another task with begin_task"
    }
    assert [(state.answer, state.events) for state in desk.ended] == [("1", ())]


def test_after_an_answer_another_task_or_the_same_begins_anew() -> None:
    desk = open_desk()
    for task in ("task-1", "task-2", "task-1"):
        desk.attempts.begin(ADA, task)
        assert add(desk.attempts, ADA, 5) == 105
        desk.attempts.answer(ADA, task)

    assert [state.answer for state in desk.ended] == ["task-1", "task-2", "task-1"]


def test_two_clients_never_meet() -> None:
    attempts = open_desk().attempts
    attempts.begin(ADA, "task-1")
    attempts.begin(GRACE, "task-1")

    sums = [add(attempts, key, by) for by in (1, 10) for key in (ADA, GRACE)]
    assert sums == [101, 101, 111, 111]
    attempts.answer(ADA, "done")
    assert add(attempts, GRACE, 100) == 211


def test_a_session_that_is_left_is_noted_without_an_answer() -> None:
    desk = open_desk()
    desk.attempts.begin(ADA, "task-1")
    add(desk.attempts, ADA, 1)
    desk.attempts.begin(GRACE, "task-2")
    desk.attempts.answer(GRACE, "2")
    desk.attempts.leave("nobody")
    desk.attempts.leave(ADA)
    desk.attempts.leave_all()

    assert [(state.task, state.answer) for state in desk.ended] == [
        ("task-2", "2"),
        ("task-1", None),
    ]


@pytest.mark.parametrize("task", ["task-3", None, 3, ["task-1"]])
def test_a_task_that_there_is_not_is_refused(task: object) -> None:
    desk = open_desk()
    reply = desk.attempts.begin(ADA, task)

    assert (
        reply.as_text() == f"unknown_task: there is no task {task!r}: prompts/list names the tasks"
    )
    assert desk.attempts.call(ADA, "add", {"by": 1}).refusal == "no_task"


def test_arguments_that_no_tool_can_be_called_with_are_refused() -> None:
    desk = open_desk()
    desk.attempts.begin(ADA, "task-1")

    assert desk.attempts.call(ADA, "add", {}).as_text() == (
        "unfit_arguments: a number among the arguments is not finite"
    )
    assert desk.attempts.answer(ADA, 3).as_text() == "unfit_arguments: answer takes text, a string"
    assert desk.ended == []


def test_one_task_alone_is_begun_already_and_to_look_at_it_begins_nothing() -> None:
    desk = open_desk(task="task-2")
    assert list(desk.attempts.list_tasks(ADA)) == ["task-2"]
    desk.attempts.leave_all()
    assert desk.ended == []

    assert add(desk.attempts, ADA, 1) == 101
    desk.attempts.answer(ADA, "101")
    after = desk.attempts.call(ADA, "add", {"by": 1})
    assert after.as_text() == "task_over: task-2 has its answer"
    assert add(desk.attempts, GRACE, 1) == 101


def test_a_machine_that_cannot_confine_tools_is_kept_in_mind() -> None:
    desk = open_desk()
    desk.attempts.begin(ADA, "task-1")
    reply = desk.attempts.call(ADA, "add", {"break": True})

    assert reply.as_text() == "sandbox-too-weak: no seccomp here"
    assert isinstance(desk.attempts.broken, SandboxError)


def test_names_of_the_package_are_its_own() -> None:
    tools = tuple(ShownTool(name, "", {}) for name in ("answer", "session_answer", "begin_task"))
    attempts = open_desk(replace(SHOWN, tools=tools)).attempts

    assert attempts.answer_name == "session_session_answer"
    assert attempts.begin_name == "session_begin_task"
    assert attempts.call(ADA, "answer", {}).message.endswith(
        "session_begin_task with the task_id of one"
    )


def test_events_are_the_calls_that_the_environment_answered() -> None:
    desk = open_desk()
    desk.attempts.begin(ADA, "task-1")
    desk.attempts.call(ADA, "add", {"by": 2})
    desk.attempts.call(ADA, "subtract", {"by": 2})
    desk.attempts.answer(ADA, "102")

    unknown = Reply(None, "unknown_tool", "the tools are add")
    assert desk.ended[0].events == (
        Called("add", {"by": 2}, Reply({"sum": 102})),
        Called("subtract", {"by": 2}, unknown),
    )
