"""The server of a package: its tools, the SOP and tasks as resources, and a prompt for each task.

Whoever sends a request is known by a key, which the transport finds; what is answered comes from
the session of that key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar
from urllib.parse import quote

from mcp import MCPError, types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from sopforge.evaluation.serving.attempts import NO_SESSION, Attempts, describe_task
from sopforge.harness.environment.events import Reply
from sopforge.harness.environment.shown import ShownTask

NAME = "sopforge"
"""Of the server: a package's own may say what it is for, such as that a rule was changed in it."""
PAGE = 100
"""How many tasks are listed at once."""
_CURSOR = re.compile("[0-9]{1,9}")
JSON_TYPE, TEXT_TYPE = "application/json", "text/plain"

Context: TypeAlias = ServerRequestContext[Any, Any]
FindKey: TypeAlias = Callable[[Context], str | None]
"""Returns by what the session of a request is known, None where it belongs to none."""
Paged: TypeAlias = types.PaginatedRequestParams | None
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PackageServer:
    """Answers requests about one package; ``read_only`` names the tools that are no actions."""

    attempts: Attempts
    read_only: Collection[str]
    find_key: FindKey

    def build(self) -> Server[Any]:
        """Return the server, which any transport may carry."""
        schemas = {tool.name: tool.input_schema for tool in self.iterate_tools()}
        return Server(
            NAME,
            instructions=self.write_instructions(),
            get_tool_input_schema=schemas.get,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )

    def write_instructions(self) -> str:
        """Return how to work with this server."""
        begun = "The only prompt is the task, which is begun."
        if self.attempts.is_choosing:
            name = self.attempts.begin_name
            begun = f"Each prompt is a task, named by its id: begin it with {name}."
        asked = f" The user answers what {self.attempts.say_name} asks him."
        if not self.attempts.has_user:
            asked = ""
        return (
            f"{begun}{asked} The resource {self.write_uri('sop')} is the standard operating"
            " procedure to follow. Call the tools that it needs, and give your final text to"
            f" {self.attempts.answer_name}, which ends the task."
        )

    def write_uri(self, *parts: str) -> str:
        """Return the address of a resource."""
        return f"{NAME}://{'/'.join(quote(part, safe='') for part in parts)}"

    def iterate_tools(self) -> Iterator[types.Tool]:
        """Yield the package's tools, then those that begin and end a task."""
        for tool in self.attempts.shown.tools:
            hint = types.ToolAnnotations(read_only_hint=tool.name in self.read_only)
            yield types.Tool(
                name=tool.name,
                description=tool.description,
                input_schema=dict(tool.parameters),
                annotations=hint,
            )
        if self.attempts.is_choosing:
            says = "Begin a task, before any other tool: returns the SOP and the task."
            yield _make_own_tool(self.attempts.begin_name, says, "task_id", "The id of a task.")
        if self.attempts.has_user:
            says = "Say something to the user who asks for the task: returns what he replies."
            yield _make_own_tool(self.attempts.say_name, says, "text", "What is said to him.")
        says = "Give the final text, as the SOP asks for it. The task is over then."
        yield _make_own_tool(self.attempts.answer_name, says, "text", "The final text.")

    async def list_tools(self, context: Context, asked: Paged) -> types.ListToolsResult:  # noqa: ARG002 - all at once
        """Return all tools, which are few."""
        return types.ListToolsResult(tools=list(self.iterate_tools()))

    async def call_tool(
        self, context: Context, asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Return the reply of a tool; a refusal is an error that the agent reads."""
        reply = self.answer_call(self.find_key(context), asked.name, asked.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(text=reply.as_text())], is_error=bool(reply.refusal)
        )

    def answer_call(self, key: str | None, tool: str, arguments: Mapping[str, Any]) -> Reply:
        """Return what a call is answered."""
        if key is None:
            message = "this address keeps no session without a handshake: add /NAME to it"
            return Reply(None, NO_SESSION, message)
        if tool == self.attempts.answer_name:
            return self.attempts.answer(key, arguments.get("text"))
        if tool == self.attempts.say_name and self.attempts.has_user:
            return self.attempts.say(key, arguments.get("text"))
        if tool == self.attempts.begin_name and self.attempts.is_choosing:
            return self.attempts.begin(key, arguments.get("task_id"))
        return self.attempts.call(key, tool, arguments)

    async def list_resources(self, context: Context, asked: Paged) -> types.ListResourcesResult:
        """Return the SOP, then the tasks, a page of them."""
        tasks, following = self.find_page(context, asked)
        found = [self.describe_resource(task) for task in tasks]
        if not (asked and asked.cursor):
            sop = types.Resource(name="sop", uri=self.write_uri("sop"), mime_type=TEXT_TYPE)
            found.insert(0, sop)
        return types.ListResourcesResult(resources=found, next_cursor=following)

    def describe_resource(self, task: ShownTask) -> types.Resource:
        """Return a task as a list of resources has it."""
        uri = self.write_uri("tasks", task.id)
        return types.Resource(name=task.id, uri=uri, mime_type=JSON_TYPE)

    async def read_resource(
        self, context: Context, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Return the SOP, or a task with its inputs.

        Raises:
            MCPError: there is no such resource.
        """
        if asked.uri == self.write_uri("sop"):
            return _make_contents(asked.uri, TEXT_TYPE, self.attempts.shown.sop)
        tasks = self.attempts.list_tasks(self.find_key(context) or "")
        name = asked.uri.rpartition("/")[2]
        task = next((task for task in tasks.values() if quote(task.id, safe="") == name), None)
        if task is None or asked.uri != self.write_uri("tasks", task.id):
            raise MCPError(types.INVALID_PARAMS, f"there is no resource {asked.uri}")
        text = json.dumps(describe_task(task), ensure_ascii=False)
        return _make_contents(asked.uri, JSON_TYPE, text)

    async def list_prompts(self, context: Context, asked: Paged) -> types.ListPromptsResult:
        """Return a prompt for each task, a page of them."""
        tasks, following = self.find_page(context, asked)
        return types.ListPromptsResult(
            prompts=[types.Prompt(name=task.id) for task in tasks], next_cursor=following
        )

    async def get_prompt(
        self, context: Context, asked: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """Return the text of a task.

        Raises:
            MCPError: there is no such task.
        """
        task = self.attempts.list_tasks(self.find_key(context) or "").get(asked.name)
        if task is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no prompt {asked.name}")
        said = types.PromptMessage(role="user", content=types.TextContent(text=task.text))
        return types.GetPromptResult(messages=[said])

    def find_page(self, context: Context, asked: Paged) -> tuple[Sequence[ShownTask], str | None]:
        """Return the tasks of a page, and the cursor of the next one, None after the last.

        Raises:
            MCPError: the cursor is none of ours.
        """
        tasks = list(self.attempts.list_tasks(self.find_key(context) or "").values())
        cursor = asked.cursor if asked and asked.cursor else "0"
        if not _CURSOR.fullmatch(cursor):
            raise MCPError(types.INVALID_PARAMS, f"there is no page {cursor}")
        end = int(cursor) + PAGE
        return tasks[end - PAGE : end], str(end) if end < len(tasks) else None


def _make_own_tool(name: str, says: str, takes: str, meaning: str) -> types.Tool:
    """Return a tool of ours, which takes one text."""
    return types.Tool(
        name=name,
        description=says,
        input_schema={
            "type": "object",
            "properties": {takes: {"type": "string", "description": meaning}},
            "required": [takes],
            "additionalProperties": False,
        },
        annotations=types.ToolAnnotations(read_only_hint=False, destructive_hint=False),
    )


def _make_contents(uri: str, kind: str, text: str) -> types.ReadResourceResult:
    contents = types.TextResourceContents(uri=uri, mime_type=kind, text=text)
    return types.ReadResourceResult(contents=[contents])
