"""A package that is served with a user: clients are shown what he says, and speak with him."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sopforge.evaluation.serving.attempts import Attempts
from sopforge.evaluation.serving.mcp_server import PackageServer
from sopforge.harness.environment.events import Said
from sopforge.harness.environment.machine import Environment, State
from sopforge.harness.environment.session import open_session
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool
from tests.unit.serving.test_mcp_server import SCHEMA, SHOWN, Echo

OPENING = "I have a case."


class Parrot:
    """Says how often he was spoken to, and what was said last."""

    def answer(self, task: str, said: Sequence[str]) -> str:
        return f"{task} {len(said)}: {said[-1]}"


def serve(
    *, has_user: bool = True, shown: Shown = SHOWN
) -> tuple[PackageServer, list[State[None]]]:
    """Return a server of one task, and the states that have come to their end."""
    ended: list[State[None]] = []
    task = ShownTask("task-1", OPENING, {})
    user = Parrot() if has_user else None
    environment = Environment(replace(shown, tasks={"task-1": task}), Echo(), user)
    attempts = Attempts(
        environment.shown,
        lambda _, name: open_session(environment, name),
        has_user=has_user,
        end=ended.append,
    )
    return PackageServer(attempts, (), lambda _: "one"), ended


def test_what_is_said_is_answered_and_both_are_logged() -> None:
    server, ended = serve()

    begun = server.answer_call("one", "begin_task", {"task_id": "task-1"})
    first = server.answer_call("one", "say_to_user", {"text": "Which account?"})
    called = server.answer_call("one", "look", {"by": 1})
    second = server.answer_call("one", "say_to_user", {"text": "And the PIN?"})
    server.answer_call("one", "answer", {"text": "done"})

    assert '"text": "I have a case."' in begun.as_text()
    assert first.result == {"user": "task-1 1: Which account?"}
    assert not called.refusal
    assert second.result == {"user": "task-1 2: And the PIN?"}
    (state,) = ended
    assert [event for event in state.events if isinstance(event, Said)] == [
        Said("", OPENING),
        Said("Which account?", "task-1 1: Which account?"),
        Said("And the PIN?", "task-1 2: And the PIN?"),
    ]


def test_nobody_speaks_before_a_task_is_begun_or_after_its_answer() -> None:
    server, _ = serve()

    before = server.answer_call("one", "say_to_user", {"text": "Hello?"})
    server.answer_call("one", "begin_task", {"task_id": "task-1"})
    unfit = server.answer_call("one", "say_to_user", {"words": "Hello?"})
    server.answer_call("one", "answer", {"text": "done"})
    after = server.answer_call("one", "say_to_user", {"text": "Hello?"})

    assert (before.refusal, unfit.refusal, after.refusal) == (
        "no_task",
        "unfit_arguments",
        "task_over",
    )


def test_without_a_user_there_is_no_such_tool() -> None:
    server, _ = serve(has_user=False)
    server.answer_call("one", "begin_task", {"task_id": "task-1"})

    assert "say_to_user" not in [tool.name for tool in server.iterate_tools()]
    assert server.answer_call("one", "say_to_user", {"text": "?"}).refusal == "unknown_tool"
    assert "say_to_user" not in server.write_instructions()


def test_a_package_with_a_tool_of_that_name_keeps_it() -> None:
    own = ShownTool("say_to_user", "Its own.", SCHEMA)
    server, _ = serve(shown=replace(SHOWN, tools=(*SHOWN.tools, own)))
    server.answer_call("one", "begin_task", {"task_id": "task-1"})

    assert [tool.name for tool in server.iterate_tools()].count("say_to_user") == 1
    assert server.answer_call("one", "say_to_user", {"by": 1}).result == {
        "tool": "say_to_user",
        "by": 1,
        "fee": 12,
    }
    said = server.answer_call("one", "session_say_to_user", {"text": "Hello?"})
    assert said.result == {"user": "task-1 1: Hello?"}
    assert "session_say_to_user asks him" in server.write_instructions()
