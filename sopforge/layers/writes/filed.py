"""The layer of writes: files beside the cases, on which results are entered by tools of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from sopforge.domain.model import INVALID_PARAMETER
from sopforge.environment.events import Called, Reply
from sopforge.environment.machine import Environment, Service
from sopforge.environment.shown import Shown, ShownTask, ShownTool
from sopforge.layers.layer import Done
from sopforge.layers.sections import add_section
from sopforge.layers.writes.files import CaseFile, Change, Files, write_value
from sopforge.layers.writes.rules import (
    DESK,
    FILE_NUMBER,
    REASON,
    RESULT,
    TAKES,
    VALUE,
    Act,
    FilingRules,
    Standing,
    Status,
)
from sopforge.sandbox.answers import JSON, JSONValue, as_json

F = TypeVar("F")
STATE, NO_DESK = "state", "none"
UNKNOWN_FILE, NOT_ON_LIST = "unknown_file", "not_on_list"
_SAYS: Mapping[Act, str] = {
    Act.LOOK: "Look how a file stands.",
    Act.NOTE: "Put a file on the list of another desk.",
    Act.REOPEN: "Reopen a closed file, for a reason that is given by its code.",
    Act.RESERVE: "Reserve a file for this desk.",
    Act.ENTER: "Enter a result on a file.",
    Act.RELEASE: "Release a file, which closes it.",
}
_DESCRIBED: Mapping[str, str] = {
    FILE_NUMBER: "number of the file",
    DESK: "desk on whose list the file is put",
    REASON: "code of the reason",
    RESULT: "name of the result, as in the statement of results",
    VALUE: "value of the result, as in the statement of results",
}


@dataclass(frozen=True, slots=True)
class Kept(Generic[F]):
    """What a session keeps: what the tools keep, and the files that were changed."""

    inner: F
    files: Files = field(default_factory=dict)


@dataclass(frozen=True)
class FilingService(Generic[F]):
    """Answers as another service does, and keeps files."""

    service: Service[F]
    layer: Writes

    def begin(self, task: ShownTask, seed: int) -> Kept[F]:
        """Return what is kept before the first call."""
        return Kept(self.service.begin(task, seed))

    def answer(
        self, kept: Kept[F], tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[Kept[F], Reply]:
        """Return what is kept after a call, and the reply."""
        if tool not in self.layer.acts:
            inner, reply = self.service.answer(kept.inner, tool, arguments)
            return replace(kept, inner=inner), reply
        files, reply = self.layer.answer(kept.files, tool, arguments)
        return replace(kept, files=files), reply


@dataclass(frozen=True)
class Writes:
    """The layer: how the file of each case stands at first, and what the SOP says of files.

    It holds nothing of what is right. ``results`` are all results of the domain, of which the rules
    have some entered. ``keys`` has for each task the numbers of its cases, in their order.
    """

    dose: int
    rules: FilingRules
    results: Sequence[str]
    desks: Sequence[str]
    statuses: Mapping[str, Status]
    keys: Mapping[str, Sequence[str]]
    title: str
    section: Sequence[str]
    name: str = field(default="writes", init=False)

    @property
    def acts(self) -> Mapping[str, Act]:
        """The act of each tool of the layer."""
        return {tool: act for act, tool in self.rules.tools.items()}

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: the tools for files, and the rules in the SOP."""
        sop = add_section(shown.sop, self.title, self.section)
        tools = [self._show_tool(act, name) for act, name in self.rules.tools.items()]
        return replace(shown, sop=sop, tools=(*shown.tools, *tools))

    def _show_tool(self, act: Act, name: str) -> ShownTool:
        taken = (FILE_NUMBER, *TAKES[act])
        schema = {
            "type": "object",
            "properties": {
                item: {"type": "string", "description": _DESCRIBED[item]} for item in taken
            },
            "required": list(taken),
            "additionalProperties": False,
        }
        return ShownTool(name, _SAYS[act], schema)

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment with files."""
        service = FilingService(environment.service, self)
        return replace(environment, shown=self.show(environment.shown), service=service)

    def answer(
        self, files: Files, tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[Files, Reply]:
        """Return the files after a call of a tool of the layer, and the reply."""
        act = self.acts[tool]
        taken = (FILE_NUMBER, *TAKES[act])
        if arguments.keys() != set(taken):
            return files, Reply(None, INVALID_PARAMETER, f"{tool} takes {', '.join(taken)}")
        number, *values = (write_value(as_json(arguments[name])) for name in taken)
        if number not in self.statuses:
            return files, Reply(None, UNKNOWN_FILE, f"there is no file {number}")
        file = files.get(number) or CaseFile(self.statuses[number])
        if act is Act.LOOK:
            return files, Reply(_describe_status(file.status))
        if refusal := self._refuse_value(act, values):
            return files, refusal
        file = file.change(Change(act, tuple(values)))
        return {**files, number: file}, Reply({STATE: file.status.standing.value})

    def _refuse_value(self, act: Act, values: Sequence[str]) -> Reply | None:
        """Return the refusal of a desk, a reason or a result that there is not."""
        listed: Mapping[Act, Sequence[str]] = {
            Act.NOTE: self.desks,
            Act.REOPEN: [*self.rules.reasons.values()],
            Act.ENTER: self.results,
        }
        if act not in listed or values[0] in listed[act]:
            return None
        [name, *_] = TAKES[act]
        return Reply(None, NOT_ON_LIST, f"there is no {name} {values[0]}")

    def find_inner(self, task: str) -> str:
        """Return the task: it is the same one."""
        return task

    def find_kind(self, task: str) -> str:  # noqa: ARG002 - protocol
        """Return nothing: how a file stands, nothing of its case is to show."""
        return ""

    def unwrap(self, task: str, done: Done) -> Done:  # noqa: ARG002 - protocol
        """Return what was done but for files."""
        events = [
            event
            for event in done.events
            if not (isinstance(event, Called) and event.tool in self.acts)
        ]
        return Done(tuple(events), done.answer)

    def describe(self, task: str) -> dict[str, JSON]:
        """Return what makes an attempt with the layer another one, as JSON."""
        states: list[JSON] = [self.statuses[key].standing.value for key in self.keys[task]]
        return {"dose": self.dose, "files": states}


def _describe_status(status: Status) -> JSON:
    return {STATE: status.standing.value, DESK: status.desk or NO_DESK}


def read_status(reply: Mapping[str, object]) -> Status:
    """Return how a file stands by what the tool that looks returned."""
    desk = str(reply[DESK])
    return Status(Standing(str(reply[STATE])), "" if desk == NO_DESK else desk)
