"""What the server of a package offers, as the SDK's own client sees it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from mcp import Client, MCPError

from sopforge.evaluation.serving.attempts import Attempts
from sopforge.evaluation.serving.mcp_server import PAGE, PackageServer
from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.machine import Environment
from sopforge.harness.environment.session import open_session
from sopforge.harness.environment.shown import Shown, ShownTask, ShownTool

T = TypeVar("T")
SCHEMA = {
    "type": "object",
    "properties": {"by": {"type": "integer", "minimum": 1, "examples": [2]}},
    "required": ["by"],
    "additionalProperties": False,
}
TOOLS = (ShownTool("look", "Look it up.", SCHEMA), ShownTool("act", "Do it.", SCHEMA))
MANY = 3 * PAGE + 7
TASKS = {
    task.id: task
    for task in (ShownTask(f"task-{n:04}", f"Do {n}.", {"n": str(n)}) for n in range(MANY))
}
SHOWN = Shown("two words", "", "Follow this é to the letter.", TOOLS, TASKS, {})
MODES = ("legacy", "auto")


class Echo:
    """Answers with what it was asked, or refuses."""

    def begin(self, task: ShownTask, seed: int) -> None:
        pass

    def answer(self, kept: None, tool: str, arguments: Mapping[str, Any]) -> tuple[None, Reply]:
        if arguments["by"] > 9:
            return kept, Reply(None, "too_much", "too_much: 9 at most")
        return kept, Reply({"tool": tool, "by": arguments["by"], "fee": 12})


def ask(
    work: Callable[[Client], Awaitable[T]],
    *,
    mode: str = "auto",
    shown: Shown = SHOWN,
    task: str = "",
) -> T:
    """Return what a client finds on a connection to the server."""
    environment = Environment(shown, Echo())
    attempts = Attempts(
        shown, lambda _, chosen: open_session(environment, chosen or task), is_choosing=not task
    )
    server = PackageServer(attempts, {"look"}, lambda _: "the one").build()

    async def run() -> T:
        async with Client(server, mode=mode) as client:
            return await work(client)

    return asyncio.run(run())


@pytest.mark.parametrize("mode", MODES)
def test_the_tools_are_the_package_s_unchanged_and_two_more(mode: str) -> None:
    tools = ask(lambda client: client.list_tools(), mode=mode).tools

    assert [tool.name for tool in tools] == ["look", "act", "begin_task", "answer"]
    assert [tool.input_schema for tool in tools[:2]] == [SCHEMA, SCHEMA]
    assert [tool.description for tool in tools[:2]] == ["Look it up.", "Do it."]
    hints = [tool.annotations.read_only_hint for tool in tools if tool.annotations]
    assert hints == [True, False, False, False]
    own = [(tool.name, tool.input_schema["required"]) for tool in tools[2:]]
    assert own == [("begin_task", ["task_id"]), ("answer", ["text"])]


@pytest.mark.parametrize("mode", MODES)
def test_the_sop_and_each_task_are_resources_and_each_task_is_a_prompt(mode: str) -> None:
    async def look(client: Client) -> None:
        listed = (await client.list_resources()).resources
        assert listed[0].uri == "sopforge://sop"
        assert listed[1].uri == "sopforge://tasks/task-0000"
        sop = (await client.read_resource(listed[0].uri)).contents[0]
        assert getattr(sop, "text", "") == SHOWN.sop
        task = (await client.read_resource(listed[3].uri)).contents[0]
        assert json.loads(getattr(task, "text", "")) == {
            "id": "task-0002",
            "text": "Do 2.",
            "inputs": {"n": "2"},
        }
        prompt = (await client.get_prompt("task-0002")).messages
        assert [(said.role, getattr(said.content, "text", "")) for said in prompt] == [
            ("user", "Do 2.")
        ]

    ask(look, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_the_name_of_a_package_is_shown_to_no_agent(mode: str) -> None:
    async def look(client: Client) -> None:
        found = [
            client.server_info,
            client.instructions,
            await client.list_tools(),
            await client.list_resources(),
            await client.list_prompts(),
            await client.read_resource("sopforge://sop"),
            await client.call_tool("act", {"by": 1}),
            await client.call_tool("begin_task", {"task_id": "task-0001"}),
            await client.call_tool("act", {"by": 10}),
        ]
        assert not [item for item in found if "words" in repr(item)]

    ask(look, mode=mode)


def test_many_tasks_are_listed_page_by_page() -> None:
    async def look(client: Client) -> None:
        prompts, sizes, cursor = list[str](), list[int](), None
        while True:
            page = await client.list_prompts(cursor=cursor)
            prompts += [prompt.name for prompt in page.prompts]
            sizes.append(len(page.prompts))
            if (cursor := page.next_cursor) is None:
                break
        assert prompts == list(TASKS)
        assert sizes == [PAGE, PAGE, PAGE, 7]
        last = await client.list_resources(cursor=str(3 * PAGE))
        assert [found.name for found in last.resources] == list(TASKS)[3 * PAGE :]

    ask(look)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (lambda client: client.list_prompts(cursor="first"), "there is no page first"),
        (lambda client: client.list_resources(cursor="-100"), "there is no page -100"),
        (lambda client: client.get_prompt("task-9999"), "there is no prompt task-9999"),
        (
            lambda client: client.read_resource("sopforge://grader/tasks.jsonl"),
            "there is no resource sopforge://grader/tasks.jsonl",
        ),
        (lambda client: client.read_resource("file:///etc/passwd"), "there is no resource file:"),
        (
            lambda client: client.read_resource("sopforge://two%20words/tasks/task-0001"),
            "there is no resource sopforge://two%20words/tasks/task-0001",
        ),
    ],
)
def test_what_is_not_there_is_said_to_be_not_there(
    wrong: Callable[[Client], Awaitable[object]], says: str
) -> None:
    async def look(client: Client) -> None:
        with pytest.raises(MCPError, match=says):
            await wrong(client)

    ask(look)


@pytest.mark.parametrize("mode", MODES)
def test_results_are_text_and_refusals_are_errors_with_code_and_words(mode: str) -> None:
    async def work(client: Client) -> list[tuple[bool, str]]:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("look", {"by": 1}),
            ("begin_task", {"task_id": "task-0003"}),
            ("look", {"by": 1}),
            ("act", {"by": 10}),
            ("grader", {}),
            ("answer", {"words": "x"}),
            ("answer", {"text": "<a>1</a>"}),
            ("answer", {"text": "<a>2</a>"}),
        ]
        replies = [await client.call_tool(name, given) for name, given in calls]
        return [(reply.is_error, getattr(reply.content[0], "text", "")) for reply in replies]

    replies = ask(work, mode=mode)

    assert replies[1][1].startswith(
        '{"sop": "Follow this é to the letter.", "task": {"id": "task-0003"'
    )
    assert [reply for place, reply in enumerate(replies) if place != 1] == [
        (True, "no_task: no task is begun: call begin_task with the task_id of one"),
        (False, '{"by": 1, "fee": 12, "tool": "look"}'),
        (True, "too_much: 9 at most"),
        (True, "unknown_tool: the tools are look, act"),
        (True, "unfit_arguments: answer takes text, a string"),
        (False, '{"is_over": true, "task": "task-0003"}'),
        (True, "task_over: task-0003 has its answer: begin another task with begin_task"),
    ]


def test_one_task_alone_needs_no_beginning_and_nothing_else_is_listed() -> None:
    async def work(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == [
            "look",
            "act",
            "answer",
        ]
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["task-0005"]
        assert len((await client.list_resources()).resources) == 2
        with pytest.raises(MCPError):
            await client.get_prompt("task-0004")
        assert not (await client.call_tool("look", {"by": 1})).is_error
        assert (await client.call_tool("begin_task", {"task_id": "task-0004"})).is_error

    ask(work, task="task-0005")


def test_a_package_s_own_answer_keeps_its_name_and_ours_has_another() -> None:
    shown = replace(SHOWN, tools=(ShownTool("answer", "Answer the phone.", SCHEMA),))

    async def work(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["answer", "begin_task", "session_answer"]
        assert tools[0].description == "Answer the phone."
        assert "session_answer" in (client.instructions or "")
        await client.call_tool("begin_task", {"task_id": "task-0001"})
        phone = await client.call_tool("answer", {"by": 1})
        assert '"tool": "answer"' in getattr(phone.content[0], "text", "")
        assert not (await client.call_tool("session_answer", {"text": "x"})).is_error

    ask(work, shown=shown)
