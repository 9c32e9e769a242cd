"""The layer of writes: files beside the cases, on which results are entered by tools of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sopforge.harness.environment.events import Called
from sopforge.harness.environment.shown import Shown, ShownTool
from sopforge.harness.layers.layer import Done, Layer, make_schema
from sopforge.harness.layers.text.sections import add_section
from sopforge.harness.layers.writes.rules import (
    DESK,
    FILE_NUMBER,
    REASON,
    RESULT,
    TAKES,
    VALUE,
    Act,
    FileStanding,
    FilingRules,
    Status,
)
from sopforge.sandbox.answers import JSON
from sopforge.session import layers
from sopforge.session.layers import NO_DESK, STATE

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


@dataclass(frozen=True)
class Writes(Layer[layers.Writes]):
    """The layer: how the file of each case stands at first, and what the SOP says of files.

    It holds nothing of what is right. ``results`` are all results of the domain, of which the rules
    have some entered. ``keys`` has for each task the numbers of its cases, in their order.
    """

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
        taken = ((item, _DESCRIBED[item]) for item in (FILE_NUMBER, *TAKES[act]))
        parameters = ((item, {"type": "string", "description": says}) for item, says in taken)
        return ShownTool(name, _SAYS[act], make_schema(*parameters))

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


def read_status(reply: Mapping[str, object]) -> Status:
    """Return how a file stands by what the tool that looks returned."""
    desk = str(reply[DESK])
    return Status(FileStanding(str(reply[STATE])), "" if desk == NO_DESK else desk)
