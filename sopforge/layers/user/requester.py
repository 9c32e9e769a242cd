"""The layer of the user: cases that state less, and a requester who is asked for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar

from sopforge.domain.model import INVALID_PARAMETER
from sopforge.environment.events import Called, Event, Reply, Said
from sopforge.environment.machine import Environment, Service
from sopforge.environment.shown import Shown, ShownTask, ShownTool
from sopforge.layers.dials import USER
from sopforge.layers.layer import Done
from sopforge.layers.queue.queued import CASE
from sopforge.layers.sections import add_section
from sopforge.layers.stated_cases import read_following_case
from sopforge.sandbox.answers import JSON, JSONValue
from sopforge.users.topics import Phrase, find_asked

F = TypeVar("F")
TEXT, REPLY = "text", "reply"
_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {TEXT: {"type": "string", "description": "what is said to the requester"}},
    "required": [TEXT],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Request:
    """A case as its requester states it, and what he says when he is asked for an entry.

    ``before`` are his words by entry until he is asked for the one that is ``turning``, ``after``
    those from then on. With that entry he says what he comes up with ``late``, once.
    """

    text: str
    entries: Mapping[str, str]
    before: Mapping[str, str]
    after: Mapping[str, str]
    turning: str = ""
    late: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Heard(Generic[F]):
    """What a session keeps: what the tools keep, its task, and of its case what was asked for."""

    inner: F
    task: str
    cases: int = 1
    asked: tuple[Sequence[str], ...] = ()


@dataclass(frozen=True)
class RequesterService(Generic[F]):
    """Answers as another service does, and for the requester of the case that is open."""

    service: Service[F]
    layer: Requester
    tasks: Mapping[str, ShownTask]

    def begin(self, task: ShownTask, seed: int) -> Heard[F]:
        """Return what is kept before the first call."""
        return Heard(self.service.begin(self.tasks[task.id], seed), task.id)

    def answer(
        self, kept: Heard[F], tool: str, arguments: Mapping[str, JSONValue]
    ) -> tuple[Heard[F], Reply]:
        """Return what is kept after a call, and the reply."""
        if tool == self.layer.tool:
            return self._answer_as_requester(kept, arguments)
        inner, reply = self.service.answer(kept.inner, tool, arguments)
        kept = replace(kept, inner=inner)
        result = reply.result if isinstance(reply.result, dict) else {}
        case = read_following_case(tool, result)
        if case is None:
            return kept, reply
        request = self.layer.cases[kept.task][kept.cases]
        stated: JSON = {**case, "text": request.text, "entries": dict(request.entries)}
        return replace(kept, cases=kept.cases + 1, asked=()), Reply({**result, CASE: stated})

    def _answer_as_requester(
        self, kept: Heard[F], arguments: Mapping[str, JSONValue]
    ) -> tuple[Heard[F], Reply]:
        text = arguments.get(TEXT)
        if arguments.keys() != {TEXT} or not isinstance(text, str):
            return kept, Reply(None, INVALID_PARAMETER, f"{self.layer.tool} takes {TEXT}, a text")
        asked = (*kept.asked, self.layer.find_asked(text))
        request = self.layer.cases[kept.task][kept.cases - 1]
        lines = self.layer.answer(request, asked)
        return replace(kept, asked=asked), Reply({REPLY: "\n".join(lines)})


@dataclass(frozen=True)
class Requester:
    """The layer: what cases state and what they leave out, and what the SOP says of that.

    ``phrases`` have the fields that some words ask for, ``plurals`` these words by their plurals,
    and ``unknown`` his words for each field that he does not know, in declared order. Asked for
    nothing, he insists as often as there are words for it. Nothing here says what is right at a
    case, but its entries.
    """

    dose: int
    tool: str
    cases: Mapping[str, Sequence[Request]]
    phrases: Mapping[str, Sequence[str]]
    plurals: Mapping[str, str]
    unknown: Mapping[str, str]
    insisting: Sequence[str]
    closing: str
    title: str
    section: Sequence[str]
    name: str = field(default=USER, init=False)

    def show(self, shown: Shown) -> Shown:
        """Return what agents may see: tasks that state less, and what reaches the requester."""
        tasks = {
            name: replace(task, text=first.text, inputs=first.entries)
            for name, task in shown.tasks.items()
            for first in self.cases[name][:1]
        }
        tool = ShownTool(self.tool, "Say something to the requester of the case.", _SCHEMA)
        sop = add_section(shown.sop, self.title, self.section)
        return replace(shown, sop=sop, tools=(*shown.tools, tool), tasks=tasks)

    def join(self, environment: Environment[Any]) -> Environment[Any]:
        """Return an environment with a requester."""
        inner = environment.shown
        service = RequesterService(environment.service, self, inner.tasks)
        return replace(environment, shown=self.show(inner), service=service)

    def find_asked(self, text: str) -> list[str]:
        """Return the fields that a text asks for, in declared order."""
        asked = find_asked(self._phrases, self.plurals, text)
        return [name for name in self.unknown if name in asked]

    @cached_property
    def _phrases(self) -> Mapping[Phrase, Sequence[str]]:
        return {tuple(words.split(" ")): names for words, names in self.phrases.items()}

    def answer(self, request: Request, asked: Sequence[Sequence[str]]) -> list[str]:
        """Return the requester's words after the last of what he was asked for."""
        has_turned = any(request.turning in names for names in asked[:-1])
        is_turning = not has_turned and request.turning in asked[-1]
        known = request.after if has_turned or is_turning else request.before
        given = [known[name] for name in asked[-1] if name in known]
        if given:
            return [*given, *(request.late if is_turning else ())]
        if asked[-1]:
            return [self.unknown[name] for name in asked[-1]]
        idle = sum(not names for names in asked)
        return [*self.insisting[idle - 1 : idle]] or [self.closing]

    def find_inner(self, task: str) -> str:
        """Return the task: it is the same one."""
        return task

    def find_kind(self, task: str) -> str:  # noqa: ARG002 - protocol
        """Return nothing: each case has a requester."""
        return ""

    def unwrap(self, task: str, done: Done) -> Done:  # noqa: ARG002 - protocol
        """Return what was done, with each message to the requester as something that was said."""
        return Done(tuple(self._unwrap_events(done.events)), done.answer)

    def _unwrap_events(self, events: Sequence[Event]) -> Iterator[Event]:
        for event in events:
            if not isinstance(event, Called) or event.tool != self.tool:
                yield event
            elif isinstance(text := event.arguments.get(TEXT), str):
                result = event.reply.result
                yield Said(text, str(result[REPLY]) if isinstance(result, dict) else "")

    def describe(self, task: str) -> dict[str, JSON]:
        """Return what makes an attempt with the layer another one, as JSON."""
        kept_back = [len(item.before.keys() - item.entries.keys()) for item in self.cases[task]]
        return {"dose": self.dose, "kept_back": [*kept_back]}
